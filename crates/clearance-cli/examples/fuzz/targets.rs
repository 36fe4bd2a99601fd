//! What is fuzzed: everything that reads input.
#![allow(clippy::panic)] // what is found is a panic, which the fuzzer catches

use clearance::brush::Map;
use clearance::world::WorldOptions;
use clearance::{Aabb, Body, Closest, Manifold, ManifoldOptions, Overlap, Pose, Shape, Vec3, World, batch};
use clearance_cli::query::Session;
use clearance_cli::simulate::motion::Simulation;
use clearance_cli::simulate::scene::Overrides;
use clearance_cli::simulate::source;
use clearance_cli::single;
use clearance_testkit::Rng;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{files, grammar};

/// Something that reads input: how inputs for it are made, and how one is read. Reading panics if a promise is broken.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    make: fn(&mut Rng) -> String,
    /// Reads an input and says whether it was accepted.
    pub read: fn(&str) -> bool,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "query", make: |rng| lines(rng), read: read_query },
    Target { name: "query-f32", make: |rng| lines(rng), read: read_query_single },
    Target { name: "scene", make: |rng| grammar::scene(rng).to_string(), read: read_scene },
    Target { name: "map", make: grammar::map, read: read_map },
    Target { name: "mesh-file", make: files::mesh_file, read: files::read_mesh_file },
    Target { name: "assembly", make: files::assembly, read: files::read_assembly },
    Target { name: "data", make: plain_data, read: read_data },
    Target { name: "batch", make: batches, read: read_batch },
];

impl Target {
    /// The input of a seed: as the grammar has it, or with some of its values or its letters changed.
    pub fn input(&self, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let mut text = (self.make)(&mut rng);
        if rng.chance(0.4) {
            let spoiled: Vec<String> = text
                .lines()
                .map(|line| match serde_json::from_str::<Value>(line) {
                    Ok(mut value) => {
                        grammar::spoil_tree(&mut value, &mut rng, 0.02);
                        value.to_string()
                    }
                    Err(_) => line.to_owned(),
                })
                .collect();
            text = spoiled.join("\n");
        }
        if rng.chance(0.5) {
            grammar::spoil_text(&mut text, &mut rng);
        }
        text
    }
}

fn lines(rng: &mut Rng) -> String {
    let lines: Vec<String> = (0..1 + rng.index(3)).map(|_| grammar::query(rng).to_string()).collect();
    lines.join("\n")
}

/// What is looked at in an answer. The id is what the line had, and may be a number that is none of f64.
#[derive(Deserialize)]
struct Told {
    /// Some ops have two of them.
    lower: Option<Value>,
    upper: Option<Value>,
    distance: Option<Value>,
    fraction: Option<IgnoredAny>,
    time: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// An answer to a line is one object on one line, with finite numbers, and bounds in their order.
fn check_answer(line: &str, answer: &str) -> bool {
    assert!(!answer.contains('\n'), "two lines in answer to {line}");
    let told: Told = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error} in {answer} to {line}"));
    let [lower, upper, distance] = [told.lower, told.upper, told.distance].map(|value| value?.as_f64());
    if let (Some(lower), Some(upper)) = (lower, upper) {
        assert!(lower <= upper, "bounds of {answer} to {line}");
        let between = |x: f64| lower <= x && x <= upper;
        let of_time = told.fraction.is_some() || told.time.is_some();
        assert!(distance.is_none_or(between) || of_time, "{answer} to {line}");
    }
    told.error.is_none()
}

fn read_query(text: &str) -> bool {
    let mut session = Session::new();
    let answers = text.lines().filter_map(|line| Some((line, session.answer(line)?.to_string())));
    answers.map(|(line, answer)| check_answer(line, &answer)).fold(false, |any, good| any | good)
}

fn read_query_single(text: &str) -> bool {
    let mut session = single::query::Session::new();
    let answers = text.lines().filter_map(|line| Some((line, session.answer(line)?.to_string())));
    answers.map(|(line, answer)| check_answer(line, &answer)).fold(false, |any, good| any | good)
}

fn read_scene(text: &str) -> bool {
    let Ok(scene) = source::parse("fuzz", text, &Overrides::default()) else { return false };
    // A valid scene of very many bodies or vertices takes its time; that is no hang.
    if scene.bodies.len() > 200 {
        return true;
    }
    let Ok(mut simulation) = Simulation::new(&scene) else { return false };
    (0..scene.frames.min(4)).all(|_| simulation.advance().is_ok())
}

fn read_map(text: &str) -> bool {
    Map::parse(text).is_ok_and(|map| map.world().is_ok())
}

/// Tables of some bodies and poses, with pairs of indices of which one may name none.
fn batches(rng: &mut Rng) -> String {
    let bodies = rng.index(12);
    let poses = if rng.chance(0.9) { bodies } else { rng.index(12) };
    let most = if rng.chance(0.7) { bodies.max(1) } else { bodies + 2 };
    let pairs: Vec<[usize; 2]> = (0..rng.index(40)).map(|_| [rng.index(most), rng.index(most)]).collect();
    json!({"bodies": bodies, "poses": poses, "pairs": pairs, "seed": rng.index(1000)}).to_string()
}

/// The bodies of a batch, as its lanes take them and as they do not.
fn batch_bodies(rng: &mut Rng, count: usize) -> Vec<Body> {
    let made = (0..count).map(|nth| {
        let [x, y, z] = [0; 3].map(|_| rng.uniform(0.2, 1.0));
        let points: Vec<Vec3> = (0..12).map(|_| rng.in_ball(1.0)).collect();
        match nth % 6 {
            0 => Shape::cuboid([x, y, z]),
            1 => Shape::ellipsoid([x, y, z]),
            2 => Shape::cone(x, y),
            3 => Shape::polytope(&points),
            4 => Shape::sphere(x),
            _ => Shape::cylinder(x, y).and_then(|shape| shape.rounded(z)),
        }
    });
    made.flatten().map(Body::from).collect()
}

/// All verbs for pairs of tables: an answer for each pair, or an error where a length or an index is wrong.
fn read_batch(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    let count = |name: &str| value[name].as_u64().map(|count| count.min(64) as usize);
    let (Some(bodies), Some(poses)) = (count("bodies"), count("poses")) else { return false };
    let Ok(pairs) = serde_json::from_value::<Vec<[u32; 2]>>(value["pairs"].clone()) else { return false };
    let mut rng = Rng::new(value["seed"].as_u64().unwrap_or(0));
    let bodies = batch_bodies(&mut rng, bodies);
    let poses: Vec<Pose> = (0..poses).filter_map(|_| Pose::from_translation(rng.in_ball(2.0)).ok()).collect();
    let is_right = bodies.len() == poses.len() && pairs.iter().flatten().all(|&index| (index as usize) < bodies.len());
    let lengths = [
        batch::overlap(&bodies, &poses, &pairs).map(|answers| answers.len()),
        batch::closest(&bodies, &poses, &pairs).map(|answers| answers.len()),
        batch::distance(&bodies, &poses, &pairs).map(|answers| answers.len()),
        batch::within(&bodies, &poses, &pairs, 0.5).map(|answers| answers.len()),
    ];
    for length in lengths {
        assert_eq!(length.ok(), is_right.then_some(pairs.len()), "of {text}");
    }
    is_right
}

/// Plain data of one kind, under its name.
fn plain_data(rng: &mut Rng) -> String {
    let pose: Pose = serde_json::from_value(grammar::pose(rng)).unwrap_or_default();
    let (a, b) = (Shape::cuboid([1.0, 0.5, 0.25]), Shape::sphere(0.5));
    let answers = a.ok().zip(b.ok()).map(|(a, b)| {
        let cache = &mut clearance::Cache::default();
        (
            clearance::closest(&a, &Pose::IDENTITY, &b, &pose, cache),
            clearance::overlap(&a, &Pose::IDENTITY, &b, &pose, cache),
        )
    });
    match rng.index(6) {
        0 => json!({"pose": pose}),
        1 => json!({"closest": answers.map(|(near, _)| near)}),
        2 => json!({"overlap": answers.map(|(_, hit)| hit)}),
        3 => json!({"box": Aabb { min: pose.translation(), max: pose.translation() }}),
        4 => json!({"world": WorldOptions::default()}),
        _ => json!({"contacts": ManifoldOptions::default()}),
    }
    .to_string()
}

/// What was read is written and read again to the same.
fn again<T: serde::de::DeserializeOwned + serde::Serialize>(value: &Value) -> bool {
    let Ok(read) = serde_json::from_value::<T>(value.clone()) else { return false };
    let Ok(written) = serde_json::to_value(&read) else { return false };
    if let Ok(twice) = serde_json::from_value::<T>(written.clone()) {
        assert_eq!(serde_json::to_value(&twice).ok(), Some(written), "from {value}");
    }
    true
}

fn read_data(text: &str) -> bool {
    let Ok(Value::Object(members)) = serde_json::from_str::<Value>(text) else { return false };
    members.iter().fold(false, |any, (_, value)| {
        if let Ok(options) = serde_json::from_value::<WorldOptions>(value.clone()) {
            assert!(World::new(options).step().is_complete);
        }
        any | again::<Pose>(value)
            | again::<Closest>(value)
            | again::<Overlap>(value)
            | again::<Manifold>(value)
            | again::<Aabb>(value)
            | again::<ManifoldOptions>(value)
    })
}
