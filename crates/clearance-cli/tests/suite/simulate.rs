//! Scenes that run: what is told is right, the same in every run, and adds up.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use crate::common;
use std::collections::{HashMap, HashSet};

use clearance::world::EventKind;
use clearance::{Cache, overlap};
use clearance_cli::simulate::dynamics::SCENES;
use clearance_cli::simulate::motion::Simulation;
use clearance_cli::simulate::scene::{Overrides, Scene};
use clearance_cli::simulate::source::{BUILT_IN, parse};
use common::{answers, run};
use serde_json::{Value, json};

/// A crowd in a small room: many touches in few frames.
fn crowd(more: &str) -> String {
    format!(
        r#"{{"clearance":1,"frames":120,"room":{{"density":0.3}},{more}
        "bodies":[{{"name":"post","shape":{{"type":"cylinder","half_height":1,"radius":0.5}},"velocity":[0,0.03,0]}}],
        "swarms":[{{"count":60,"kind":"mixed","vertices":12,"radius":1,"speed":0.1,"spin_degrees":10}}]}}"#
    )
}

fn scene(text: &str) -> Scene {
    parse("test", text, &Overrides::default()).unwrap()
}

fn simulate(text: &str, arguments: &[&str]) -> Vec<Value> {
    let output = run(&[&["simulate", "-", "--json"], arguments].concat(), text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    answers(&output)
}

/// The lines without what differs between runs.
fn untimed(mut lines: Vec<Value>) -> Vec<Value> {
    let summary = lines.last_mut().unwrap().get_mut("summary").unwrap().as_object_mut().unwrap();
    assert!(summary.remove("time").is_some());
    lines
}

#[test]
fn a_ball_meets_a_post_when_it_must() {
    let text = include_str!("../../../../docs/scene.md");
    let example = text.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let lines = simulate(example, &["--per-frame"]);
    assert_eq!(lines.len(), 201);
    // The post begins at 2.8 and the ball ends at 0.5 + 0.1 per frame; going back, it meets the wall at −5.
    let events: Vec<(u64, &str)> = lines[..200]
        .iter()
        .flat_map(|line| line["events"].as_array().unwrap().iter().map(move |event| (line, event)))
        .map(|(line, event)| (line["frame"].as_u64().unwrap(), event["kind"].as_str().unwrap()))
        .collect();
    let period = 2 * (45 + 23);
    assert_eq!(events, [(24, "begin"), (25, "end"), (24 + period, "begin"), (25 + period, "end")]);
    assert_eq!(lines[23]["events"][0], json!({"kind": "begin", "bodies": [0, 1], "names": ["ball", "post"]}));
    let summary = &lines[200]["summary"];
    assert_eq!(
        (&summary["bodies"], &summary["frames"], &summary["possible_pairs"]),
        (&json!(2), &json!(200), &json!(1))
    );
}

#[test]
fn the_output_is_the_same_in_every_run_and_for_any_number_of_threads() {
    let text = crowd("");
    let lines = untimed(simulate(&text, &["--per-frame", "--threads", "1"]));
    assert_eq!(lines, untimed(simulate(&text, &["--per-frame", "--threads", "1"])));
    assert_eq!(lines, untimed(simulate(&text, &["--per-frame", "--threads", "4"])));
    assert_eq!(lines, untimed(simulate(&text, &["--per-frame"])));
    assert_ne!(lines, untimed(simulate(&text, &["--per-frame", "--seed", "2"])));
    let shorter = untimed(simulate(&text, &["--per-frame", "--frames", "50"]));
    assert_eq!(lines[..50], shorter[..50]);
    // Enough bodies and pairs for the world to share the work out.
    let many = crowd("").replace("60", "900").replace("0.3", "0.6");
    let lines = untimed(simulate(&many, &["--per-frame", "--threads", "1", "--frames", "40"]));
    assert!(lines[39]["statistics"]["tested"].as_u64().unwrap() > 600, "{}", lines[39]["statistics"]);
    assert_eq!(lines, untimed(simulate(&many, &["--per-frame", "--threads", "3", "--frames", "40"])));
}

#[test]
fn every_way_to_find_pairs_gives_the_same_events() {
    let events = |more: &str, arguments: &[&str]| -> Vec<Value> {
        let lines = simulate(&crowd(more), &[&["--per-frame"], arguments].concat());
        lines[..120].iter().map(|line| line["events"].clone()).collect()
    };
    let expected = events("", &[]);
    for broad in ["tree", "sweep-and-prune", "brute-force"] {
        assert_eq!(events("", &["--broad", broad]), expected, "{broad}");
        assert_eq!(events(&format!(r#""broad":"{broad}","#), &[]), expected, "{broad}");
    }
    assert_eq!(events(r#""boxes":"fixed","#, &[]), expected);
    assert_eq!(events(r#""schedule":true,"#, &[]), expected);
}

#[test]
fn the_modes_tell_what_they_promise() {
    let lines = simulate(&crowd(""), &["--per-frame", "--mode", "combined"]);
    let before: Vec<f64> = lines[..120]
        .iter()
        .flat_map(|line| line["events"].as_array().unwrap())
        .filter_map(|event| event["before"]["distance"].as_f64())
        .collect();
    assert!(before.len() > 20 && before.iter().all(|distance| *distance > 0.0), "{before:?}");
    let lines = simulate(&crowd(r#""mode":"closest","within":0.5,"#), &["--per-frame"]);
    let near: Vec<&Value> = lines[..120].iter().flat_map(|line| line["near"].as_array().unwrap()).collect();
    assert!(near.len() > 500 && near.iter().all(|pair| pair["distance"].as_f64().unwrap() < 0.5001));
    assert_eq!(lines[120]["summary"]["totals"]["near"], near.len());
    let lines = simulate(&crowd(""), &["--per-frame", "--mode", "contacts"]);
    let contacts: usize = lines[..120].iter().map(|line| line["contacts"].as_array().unwrap().len()).sum();
    assert_eq!(lines[120]["summary"]["totals"]["touching"], contacts);
    assert!(contacts > 20 && lines[0].get("near").is_none());
}

#[test]
fn the_summary_is_the_sum_of_the_frames() {
    for schedule in ["", r#""schedule":true,"#] {
        let lines = simulate(&crowd(schedule), &["--per-frame"]);
        let (frames, summary) = (&lines[..120], &lines[120]["summary"]);
        let totals = summary["totals"].as_object().unwrap();
        for (name, total) in totals {
            let sum: u64 = frames.iter().map(|frame| frame["statistics"][name].as_u64().unwrap()).sum();
            assert_eq!(total.as_u64().unwrap(), sum, "{name}");
        }
        let count = |kind: &str| -> u64 {
            let events = frames.iter().flat_map(|frame| frame["events"].as_array().unwrap());
            events.filter(|event| event["kind"] == kind).count() as u64
        };
        let total = |name: &str| totals[name].as_u64().unwrap();
        assert_eq!((count("begin"), count("end")), (total("begun"), total("ended")));
        assert_eq!(count("begin") + count("persist"), total("touching"));
        assert_eq!(total("pairs"), total("beyond_spheres") + total("asleep") + total("tested"));
        assert!(total("begun") > 50, "{totals:?}");
        assert_eq!(total("asleep") > 0, !schedule.is_empty());
        assert_eq!(total("surprises"), 0, "the velocities are known");
        let coherence = &summary["coherence"];
        assert_eq!((&coherence["frames"], &coherence["differing"]), (&json!(20), &json!(0)));
        assert!(coherence["supports_warm"].as_u64() < coherence["supports_cold"].as_u64(), "{coherence}");
        if schedule.is_empty() {
            assert_eq!(coherence["tested_warm"], coherence["tested_cold"]);
        }
        let alone = simulate(&crowd(schedule), &[]);
        assert_eq!(alone[0]["totals"], summary["totals"]);
    }
}

#[test]
fn a_run_of_one_frame_has_nothing_to_remember() {
    let lines = simulate(&crowd(""), &["--frames", "1"]);
    assert_eq!((&lines[0]["frames"], &lines[0]["coherence"]), (&json!(1), &Value::Null));
    let output = run(&["simulate", "-", "--frames", "1"], crowd("").as_bytes());
    assert_eq!(output.status.code(), Some(0));
}

/// Runs a scene and checks each frame: bodies are in the room, and the touching pairs are those that overlap.
fn check_frames(scene: &Scene, frames: u32) -> usize {
    let (room, bodies) = (scene.room.unwrap(), &scene.bodies);
    let mut simulation = Simulation::new(scene).unwrap();
    let mut longest = 0;
    let mut since: HashMap<[usize; 2], usize> = HashMap::new();
    for _ in 0..frames {
        let frame = simulation.advance().unwrap();
        for (body, pose) in bodies.iter().zip(frame.poses) {
            let bounds = body.shape.aabb(pose);
            let (low, high) = (room.center - room.half_extents, room.center + room.half_extents);
            assert!(bounds.min.cmpge(low - 1e-12).all() && bounds.max.cmple(high + 1e-12).all(), "{bounds:?}");
        }
        let told = frame.step.events.iter().filter(|event| event.kind != EventKind::End);
        let told: HashSet<[usize; 2]> = told.map(|event| event.bodies.map(|body| body.index())).collect();
        let pairs = (0..bodies.len()).flat_map(|i| (0..i).map(move |j| [j, i]));
        let touching = pairs.filter(|[i, j]| {
            let (a, b) = (&bodies[*i].shape, &bodies[*j].shape);
            overlap(a, &frame.poses[*i], b, &frame.poses[*j], &mut Cache::default()).overlap
        });
        assert_eq!(told, touching.collect::<HashSet<_>>(), "frame {}", frame.number);
        since.retain(|pair, _| told.contains(pair));
        for pair in told {
            let frames = since.entry(pair).or_default();
            *frames += 1;
            longest = longest.max(*frames);
        }
    }
    longest
}

#[test]
fn bodies_stay_in_the_room_and_no_pair_touches_for_ever() {
    let longest = check_frames(&scene(&crowd("")), 400);
    // Two bodies cross each other, at worst, in the time that the slower needs for both their widths.
    assert!((1..40).contains(&longest), "{longest}");
    // Too full to begin apart: those that touch in the first frame part as well.
    let full = scene(&crowd("").replace("0.3", "0.9"));
    let longest = check_frames(&full, 400);
    assert!((2..200).contains(&longest), "{longest}");
    // Without a reaction they cross.
    assert!(check_frames(&scene(&crowd(r#""reaction":"pass","#)), 100) > 3);
}

#[test]
fn fast_bodies_do_not_escape() {
    let text = r#"{"clearance":1,"frames":1,"room":{"half_extents":[3,2,1],"center":[10,0,-5]},"bodies":[
        {"shape":{"type":"cuboid","half_extents":[0.5,0.4,0.3]},"pose":{"translation":[10,0,-5]},
         "velocity":[7.3,-111.7,1e9],"spin_degrees":[100,200,-200]},
        {"shape":{"type":"sphere","radius":1},"pose":{"translation":[11,1,-5]},"velocity":[1e74,5e-324,0.1]}]}"#;
    check_frames(&scene(text), 300);
}

#[test]
fn reversal_is_once_in_a_frame_and_only_at_the_beginning() {
    // A ball between two that come from both sides meets both in the same frame; turned back twice it would go on.
    let ball = |x: f64, v: f64, name: &str| {
        format!(
            r#"{{"name":"{name}","shape":{{"type":"sphere","radius":1}},"pose":{{"translation":[{x},0,0]}},"velocity":[{v},0.5,0]}}"#
        )
    };
    let (left, middle, right) = (ball(-3.0, 0.75, "left"), ball(0.0, 0.0, "middle"), ball(3.0, -0.75, "right"));
    let text = format!(r#"{{"clearance":1,"frames":9,"bodies":[{left},{middle},{right}]}}"#);
    let scene = scene(&text);
    let mut simulation = Simulation::new(&scene).unwrap();
    let heights: Vec<f64> = (0..5).map(|_| simulation.advance().unwrap().poses[1].translation().y).collect();
    // They touch in the third frame, and go back.
    assert_eq!(heights, [0.0, 0.5, 1.0, 0.5, 0.0]);
    // Bodies that begin inside each other and keep their way until they are apart.
    let text =
        format!(r#"{{"clearance":1,"frames":9,"bodies":[{},{}]}}"#, ball(-0.5, 0.25, "a"), ball(0.5, -0.25, "b"));
    let lines = simulate(&text, &["--per-frame"]);
    let kinds: Vec<Value> = lines[..5].iter().map(|line| line["events"][0]["kind"].clone()).collect();
    // Apart by 1 and by 0.5 more in each frame: at 2 they still touch.
    assert_eq!(
        kinds,
        ["begin", "persist", "persist", "end", "null"].map(|kind| if kind == "null" {
            Value::Null
        } else {
            kind.into()
        })
    );
}

#[test]
fn groups_that_are_ignored_do_not_meet() {
    let touching = |more: &str, group: u32| {
        let text = crowd(more).replace(r#""spin_degrees":10"#, &format!(r#""spin_degrees":10,"group":{group}"#));
        simulate(&text, &[])[0]["totals"]["touching"].as_u64().unwrap()
    };
    assert!(touching("", 5) > 0);
    assert_eq!(touching(r#""ignore":[[5,5],[5,0]],"#, 5), 0);
    assert!(touching(r#""ignore":[[5,0]],"#, 5) > 0);
}

#[test]
fn the_programs_own_scenes_run_and_are_listed() {
    let listed = run(&["simulate", "--list"], b"");
    assert_eq!(
        (listed.status.code(), String::from_utf8(listed.stdout).unwrap().lines().count()),
        (Some(0), BUILT_IN.len() + SCENES.len())
    );
    let names = answers(&run(&["simulate", "--list", "--json"], b""));
    for (known, listed) in BUILT_IN.iter().zip(names) {
        assert_eq!((&listed["name"], listed["title"].as_str().unwrap().is_empty()), (&json!(known.name), false));
        let by_name = run(&["simulate", known.name, "--frames", "5", "--per-frame", "--json"], b"");
        let path = format!("{}/../../scenes/{}.json", env!("CARGO_MANIFEST_DIR"), known.name);
        let by_path = run(&["simulate", &path, "--frames", "5", "--per-frame", "--json"], b"");
        assert_eq!((by_name.status.code(), by_path.status.code()), (Some(0), Some(0)));
        assert_eq!(answers(&by_name)[..5], answers(&by_path)[..5]);
    }
}

#[test]
fn the_demo_scene_is_the_thesiss_and_its_summary_says_so() {
    let output = run(&["simulate", "thesis-500", "--frames", "100"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for word in
        ["500", "124750", "touching", "collisions", "steps per test", "frames per second", "forgetting", "saved"]
    {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
    assert!(text.contains("The same pairs touch either way.") && text.lines().count() < 30, "{text}");
    let scene = parse("thesis-500", BUILT_IN[0].text, &Overrides::default()).unwrap();
    assert_eq!(scene.bodies.len(), 500);
    for body in &scene.bodies {
        assert!((body.velocity.length() - 0.05).abs() < 1e-12 && (body.spin.length().to_degrees() - 10.0).abs() < 1e-9);
        assert!(body.shape.bounding_radius() <= 1.0 + 1e-12);
    }
    let table = run(&["simulate", "thesis-500", "--frames", "3", "--per-frame"], b"");
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.lines().any(|line| line.trim_start().starts_with("3 ")), "{table}");
}

#[test]
fn scenes_of_the_simulator_tell_poses_that_do_not_depend_on_threads() {
    for scene in SCENES {
        let frames = |threads: &str| {
            let output =
                run(&["simulate", scene.name, "--frames", "3", "--json", "--per-frame", "--threads", threads], b"");
            assert_eq!(output.status.code(), Some(0), "{}", scene.name);
            answers(&output)
        };
        let lines = frames("1");
        assert_eq!((lines.len(), &lines[0]["scene"]), (5, &json!(scene.name)));
        let bodies = lines[0]["bodies"].as_array().unwrap().len();
        assert!(lines[1..4].iter().all(|line| line["poses"].as_array().unwrap().len() == bodies));
        assert!(lines[4]["summary"]["outside"].as_array().unwrap().is_empty());
        assert_eq!(lines[..4], frames("2")[..4]);
        let text = run(&["simulate", scene.name, "--frames", "2", "--per-frame"], b"");
        assert!(String::from_utf8(text.stdout).unwrap().contains("ms per frame"));
        let refused = run(&["simulate", scene.name, "--broad", "tree"], b"");
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8(refused.stderr).unwrap().contains("--broad does not apply"));
    }
}

/// It takes the same way again, another one with another seed, is never in a solid and stays between the fences and the roof.
#[test]
fn the_walker_goes_through_its_building() {
    let path = std::env::temp_dir().join(format!("clearance-walker-{}.glb", std::process::id()));
    let name = path.to_str().unwrap();
    let walk = |seed: &str, more: &[&str]| {
        let arguments = ["simulate", "walker", "--frames", "600", "--seed", seed, "--json", "--per-frame"];
        let output = run(&[&arguments, more].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        answers(&output)
    };
    let told = walk("3", &["--glb", name]);
    let summary = &told[601]["summary"];
    for fault in ["in_solid", "stuck", "crushed"] {
        assert_eq!(summary[fault], json!(0), "{fault}: {summary}");
    }
    assert!(summary["nearest"].as_f64().unwrap() > 0.45 && summary["grounded"].as_u64().unwrap() > 200, "{summary}");
    assert!(summary["travelled"].as_f64().unwrap() > 500.0, "{summary}");
    // The fences are 768 from the middle along x and 640 along y; the ridge of the roof is at 864.
    let place = |line: &Value| [0, 1, 2].map(|axis| line["poses"][0]["translation"][axis].as_f64().unwrap());
    assert!(
        told[1..601].iter().map(place).all(|[x, y, z]| x.abs() < 768.0 && y.abs() < 640.0 && z > 28.0 && z < 900.0)
    );
    assert_eq!(told[..601], walk("3", &["--threads", "1"])[..601]);
    assert_ne!(told[600], walk("4", &[])[600]);
    let (film, binary) = document(&path);
    std::fs::remove_file(&path).unwrap();
    let fixed = told[0]["fixed"].as_u64().unwrap() as usize;
    assert!(fixed > 500 && summary["bodies"] == json!(fixed + 1));
    assert_eq!(film["nodes"].as_array().unwrap().len(), fixed + 2);
    let channels = film["animations"][0]["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 2);
    let places = floats(&film, &binary, &film["animations"][0]["samplers"][0]["output"]);
    let last = places[places.len() - 3..].iter().map(|x| f64::from(*x));
    assert!(last.zip(place(&told[600])).all(|(x, y)| (x - y).abs() < 1e-3), "{places:?}");
    let text = run(&["simulate", "walker", "--frames", "30", "--per-frame"], b"");
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("in solid           0") && text.contains("grounded"), "{text}");
}

/// The document of a GLB file, and its binary part.
fn document(path: &std::path::Path) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[20..20 + length]).unwrap(), bytes[28 + length..].to_vec())
}

/// The numbers of an accessor.
fn floats(document: &Value, binary: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let [start, length] = ["byteOffset", "byteLength"].map(|name| view[name].as_u64().unwrap() as usize);
    binary[start..start + length].chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Bodies are shown once, those that move have a track, and what a track says at the end is where the body is at the end.
#[test]
fn motions_are_written_as_animations() {
    let path = std::env::temp_dir().join(format!("clearance-film-{}.glb", std::process::id()));
    let name = path.to_str().unwrap();
    // 90 of 200 steps a second: one of three is kept, the last among them. The ground is fixed.
    let told = answers(&run(&["simulate", "stacking", "--frames", "90", "--json", "--per-frame", "--glb", name], b""));
    let (film, binary) = document(&path);
    let boxes = told[0]["bodies"].as_array().unwrap().len();
    assert_eq!((film["nodes"].as_array().unwrap().len(), boxes), (boxes + 1, 21));
    // The ground and the box of which there are 20, in the colours of the palette.
    assert!(film["meshes"].as_array().unwrap().len() <= 7, "{}", film["meshes"]);
    let animation = &film["animations"][0];
    assert_eq!(animation["channels"].as_array().unwrap().len(), 2 * (boxes - 1));
    let sampler = &animation["samplers"][0];
    let (times, places) = (floats(&film, &binary, &sampler["input"]), floats(&film, &binary, &sampler["output"]));
    assert_eq!((times.len(), places.len()), (30, 90));
    assert!((times[0] - 3.0 / 200.0).abs() < 1e-6 && (times[29] - 90.0 / 200.0).abs() < 1e-6, "{times:?}");
    let node = animation["channels"][0]["target"]["node"].as_u64().unwrap() as usize;
    let last = &told[90]["poses"][node - 1]["translation"];
    for (axis, x) in places[87..].iter().enumerate() {
        assert!((f64::from(*x) - last[axis].as_f64().unwrap()).abs() < 1e-5, "{places:?} {last}");
    }
    // A scene from a file; and what lies still has two keys.
    let still = r#"{"clearance":1,"frames":50,"bodies":[{"shape":{"type":"sphere","radius":1}}]}"#;
    let output = run(&["simulate", "-", "--glb", name], still.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let (film, binary) = document(&path);
    let times = floats(&film, &binary, &film["animations"][0]["samplers"][0]["input"]);
    assert!(times.len() == 2 && (times[1] - 50.0 / 60.0).abs() < 1e-6, "{times:?}");
    std::fs::remove_file(&path).unwrap();
    let nowhere = path.join("film.glb");
    let output = run(&["simulate", "dominoes", "--frames", "2", "--glb", nowhere.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"), "{output:?}");
}
