//! `overlap` and `closest` through a session: what their answers promise, on every pair of shape types.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

mod common;

use clearance::Vec3;
use clearance_cli::query::Session;
use clearance_testkit::{HitRate, Rng};
use common::{SHAPES, ask, ask_once, error};
use serde_json::{Value, json};

const CUBE: &str = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
/// How far the bounds of a depth may be apart, relative.
const COARSE: f64 = 2e-3;

const BALL: &str = r#"{"type":"sphere","radius":0.5}"#;

/// A body: its shape as JSON and its pose.
#[derive(Clone)]
struct Body {
    shape: String,
    translation: Vec3,
    rotation: [f64; 4],
}

impl Body {
    fn at(shape: &str, translation: impl Into<Vec3>) -> Self {
        Self { shape: shape.to_owned(), translation: translation.into(), rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    fn pose(&self) -> Value {
        json!({"translation": self.translation.to_array(), "rotation": self.rotation})
    }

    /// How far it reaches along a direction, by another op.
    fn reach(&self, direction: Vec3) -> f64 {
        let (shape, pose, direction) = (&self.shape, self.pose(), json!(direction.to_array()));
        let line = format!(r#"{{"op":"support","a":{shape},"pose_a":{pose},"direction":{direction}}}"#);
        ask_once(&line)["value"].as_f64().unwrap()
    }
}

fn question(op: &str, a: &Body, b: &Body, more: &str) -> String {
    let (pose_a, pose_b) = (a.pose(), b.pose());
    format!(r#"{{"op":"{op}","a":{},"pose_a":{pose_a},"b":{},"pose_b":{pose_b}{more}}}"#, a.shape, b.shape)
}

fn vector(value: &Value) -> Vec3 {
    let numbers: Vec<f64> =
        value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|x| x.as_f64().unwrap()).collect();
    Vec3::from_slice(&numbers)
}

/// The answer to `closest`.
#[derive(Debug)]
struct Near {
    distance: f64,
    lower: f64,
    upper: f64,
    points: [Vec3; 2],
    normal: Vec3,
    end: String,
}

fn near(a: &Body, b: &Body) -> Near {
    let line = question("closest", a, b, "");
    let answer = ask_once(&line);
    let number = |field: &str| answer[field].as_f64().unwrap_or_else(|| panic!("{field} of {line}: {answer}"));
    assert!(answer["iterations"].is_u64(), "{answer}");
    Near {
        distance: number("distance"),
        lower: number("lower"),
        upper: number("upper"),
        points: [vector(&answer["points"][0]), vector(&answer["points"][1])],
        normal: vector(&answer["normal"]),
        end: answer["end"].as_str().unwrap().to_owned(),
    }
}

/// The answer to `overlap`, its witness checked by the reach of both bodies.
fn meets(a: &Body, b: &Body, tolerance: f64) -> bool {
    let line = question("overlap", a, b, "");
    let answer = ask_once(&line);
    let overlap = answer["overlap"].as_bool().unwrap_or_else(|| panic!("{line}: {answer}"));
    assert_eq!(overlap, answer["witness"].get("point").is_some(), "{answer}");
    if overlap {
        let point = vector(&answer["witness"]["point"]);
        for body in [a, b] {
            assert!(is_inside(body, point, tolerance), "{line}: {answer}");
        }
    } else {
        let plane = &answer["witness"]["plane"];
        let normal = vector(&plane["normal"]);
        let offset = |field: &str| plane[field].as_f64().unwrap();
        assert!((normal.length() - 1.0).abs() < 1e-12 && offset("offset_a") < offset("offset_b"), "{line}: {answer}");
        assert!((a.reach(normal) - offset("offset_a")).abs() < tolerance, "{line}: {answer}");
        assert!((-b.reach(-normal) - offset("offset_b")).abs() < tolerance, "{line}: {answer}");
    }
    overlap
}

/// Whether no supporting plane of a few dozen directions excludes the point.
fn is_inside(body: &Body, point: Vec3, tolerance: f64) -> bool {
    let mut rng = Rng::new(5);
    (0..24).all(|_| {
        let direction = Vec3::from(rng.unit_vector().to_array());
        direction.dot(point) <= body.reach(direction) + tolerance
    })
}

/// Every promise of an answer about two bodies that are `size` large and `reach` far from the origin.
fn check(a: &Body, b: &Body, size: f64, reach: f64) -> Near {
    let rounding = 1e-13 * (size + reach);
    let accuracy = 1e-5 * size + rounding;
    let answer = near(a, b);
    // How close the bounds of curved bodies come; that no other direction is shallower is known to three digits.
    let slack = COARSE * answer.distance.abs() + accuracy;
    let context = || format!("{}\n{answer:?}", question("closest", a, b, ""));
    let Near { distance, lower, upper, points: [on_a, on_b], normal, .. } = answer;
    assert!(lower <= distance && distance <= upper, "{}", context());
    assert!(upper - lower <= slack, "{}", context());
    assert!((normal.length() - 1.0).abs() < 1e-12, "{}", context());
    assert!((on_b - on_a - normal * distance).length() <= rounding + 1e-7 * size, "{}", context());
    assert!(is_inside(a, on_a, accuracy) && is_inside(b, on_b, accuracy), "{}", context());
    let gap = -b.reach(-normal) - a.reach(normal);
    assert!(gap <= upper + rounding && gap >= lower - slack, "gap {gap}: {}", context());
    let meets = meets(a, b, accuracy);
    assert!(if meets { lower <= rounding } else { upper >= -rounding }, "overlap is {meets}: {}", context());
    answer
}

#[test]
fn every_pair_of_types_keeps_every_promise() {
    let mut rng = Rng::new(11);
    let mut overlaps = HitRate::new("overlapping");
    for (shape_a, ..) in SHAPES {
        for (shape_b, ..) in SHAPES {
            let mut body = |shape: &str, spread: f64| {
                let translation = Vec3::from(rng.in_ball(spread).to_array());
                Body { shape: shape.to_owned(), translation, rotation: rng.rotation().to_array() }
            };
            for _ in 0..3 {
                let (a, b) = (body(shape_a, 2.0), body(shape_b, 3.0));
                let answer = check(&a, &b, 20.0, 5.0);
                overlaps.record(answer.distance < 0.0);
                let swapped = near(&b, &a);
                let slack = COARSE * answer.distance.abs() + 1e-5;
                assert!((swapped.distance - answer.distance).abs() < slack, "{answer:?} {swapped:?}");
            }
        }
    }
    overlaps.assert_between(0.2, 0.9);
}

#[test]
fn distances_run_through_zero_from_a_to_b() {
    for x in [4.0, 2.0, 1.5 + 1e-9, 1.5, 1.5 - 1e-9, 1.25, 1.0, 0.75] {
        let (a, b) = (Body::at(CUBE, [10.0, 20.0, 30.0]), Body::at(BALL, [10.0 + x, 20.0, 30.0]));
        let answer = check(&a, &b, 4.0, 40.0);
        assert!((answer.distance - (x - 1.5)).abs() < 1e-6, "{x}: {answer:?}");
        assert!(answer.normal.distance(Vec3::X) < 1e-3, "{x}: {answer:?}");
        assert!((answer.points[0].x - 11.0).abs() < 1e-6, "the point of a is on its face: {answer:?}");
        let swapped = check(&b, &a, 4.0, 40.0);
        assert!((swapped.distance - answer.distance).abs() < 1e-12, "{x}: {answer:?} {swapped:?}");
        assert!(swapped.normal.distance(-answer.normal) < 1e-6, "{x}: {answer:?} {swapped:?}");
        assert!(swapped.points[1].distance(answer.points[0]) < 1e-6, "{x}: {answer:?} {swapped:?}");
    }
}

#[test]
fn the_members_of_an_answer_have_their_order() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [3.0, 0.0, 0.0]));
    let text = |op| Session::new().answer(&question(op, &a, &b, "")).unwrap().to_string();
    let order = |text: &str, names: &[&str]| {
        let places: Vec<usize> = names.iter().map(|name| text.find(&format!("\"{name}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    };
    order(&text("closest"), &["distance", "lower", "upper", "points", "normal", "end", "iterations"]);
    order(&text("overlap"), &["overlap", "witness", "plane", "normal", "offset_a", "offset_b", "end", "iterations"]);
}

#[test]
fn answers_turn_and_move_with_the_bodies() {
    // The rotation takes x to y, y to z and z to x.
    let turned = |shape: &str, translation: [f64; 3]| Body { rotation: [0.5; 4], ..Body::at(shape, translation) };
    let block = r#"{"type":"cuboid","half_extents":[1,2,3]}"#;
    let answer = check(&turned(block, [0.0; 3]), &turned(block, [0.0, 2.5, 0.0]), 8.0, 3.0);
    assert!((answer.distance - 0.5).abs() < 1e-14 && answer.normal.distance(Vec3::Y) < 1e-14, "{answer:?}");
    for far in [1e3, 1e6, 1e9, 1e12] {
        let (a, b) = (turned(block, [far, -far, far]), turned(block, [far, 2.5 - far, far]));
        let answer = check(&a, &b, 8.0, far);
        assert!((answer.distance - 0.5).abs() < 1e-13, "{far}: {answer:?}");
    }
    // Far from each other the direction is known and the gap is still exact.
    let answer = check(&Body::at(BALL, Vec3::ZERO), &Body::at(BALL, [3e9, 0.0, 4e9]), 1e10, 5e9);
    assert!((answer.distance - (5e9 - 1.0)).abs() < 1e-3, "{answer:?}");
}

#[test]
fn sizes_scale() {
    for scale in ["e-60", "e-6", "e0", "e6", "e60"] {
        let cube = format!(r#"{{"type":"cuboid","half_extents":[1{scale},1{scale},1{scale}]}}"#);
        let unit: f64 = format!("1{scale}").parse().unwrap();
        for gap in [0.5, -0.5] {
            let (a, b) = (Body::at(&cube, Vec3::ZERO), Body::at(&cube, [(2.0 + gap) * unit, 0.0, 0.0]));
            let answer = near(&a, &b);
            assert!((answer.distance / unit - gap).abs() < 1e-12, "{scale} {gap}: {answer:?}");
            assert_eq!(answer.end, "converged");
            assert_eq!(meets(&a, &b, 1e-12 * unit), gap < 0.0);
        }
    }
}

#[test]
fn defined_shapes_are_used_again_and_again() {
    let mut session = Session::new();
    ask(&mut session, &format!(r#"{{"define":"cube","shape":{CUBE}}}"#));
    let mut distance = |b: &str, x: f64| {
        let line = format!(r#"{{"id":{x},"op":"closest","a":"cube","b":{b},"pose_b":{{"translation":[{x},0,0]}}}}"#);
        let answer = ask(&mut session, &line);
        assert_eq!(answer["id"].as_f64(), Some(x));
        answer["distance"].as_f64().unwrap()
    };
    for x in [3.0, 2.5, 2.0, 2.5, 3.0] {
        let (named, inline) = (distance("\"cube\"", x), distance(CUBE, x));
        assert_eq!(named, inline, "names and earlier questions change nothing");
        assert!((named - (x - 2.0)).abs() < 1e-14);
    }
}

#[test]
fn a_shape_on_itself() {
    for (shape, _, volume) in SHAPES {
        for translation in [Vec3::ZERO, Vec3::new(1e6, -2e6, 0.5)] {
            let body = Body::at(shape, translation);
            let answer = check(&body, &body, 20.0, translation.length());
            let tolerance = 1e-13 * (20.0 + translation.length());
            if *volume > 0.0 {
                assert!(answer.distance < -0.1, "{shape}: {answer:?}");
            } else {
                // Flat bodies need no way to part.
                assert!(answer.distance.abs() <= tolerance, "{shape}: {answer:?}");
            }
            assert!(meets(&body, &body, 1e-6), "{shape}");
        }
    }
    let point = Body::at(r#"{"type":"point"}"#, Vec3::ZERO);
    let answer = near(&point, &point);
    assert_eq!((answer.distance, answer.points), (0.0, [Vec3::ZERO; 2]));
}

#[test]
fn every_name_of_what_is_there_gives_the_same_verdict() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(BALL, [1.25, 0.0, 0.0]));
    let plain = ask_once(&question("closest", &a, &b, ""));
    for more in [r#","algorithm":"auto""#, r#","algorithm":"gjk""#, r#","depth":"epa""#] {
        assert_eq!(ask_once(&question("closest", &a, &b, more)), plain, "{more}");
    }
    let plain = ask_once(&question("overlap", &a, &b, ""));
    for more in [r#","algorithm":"auto""#, r#","algorithm":"sa-gjk""#] {
        assert_eq!(ask_once(&question("overlap", &a, &b, more)), plain, "{more}");
    }
}

#[test]
fn algorithms_that_are_unknown_or_not_here_yet() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(BALL, Vec3::X));
    let refuses = |op: &str, more: &str, code: &str, names: &[&str]| {
        let answer = ask_once(&question(op, &a, &b, more));
        let (got, message) = error(&answer);
        assert_eq!(got, code, "{more}: {message}");
        for name in names {
            assert!(message.contains(name), "{more}: {name:?} is not in {message:?}");
        }
    };
    for name in ["separating-vector", "linear-program"] {
        refuses("overlap", &format!(r#","algorithm":"{name}""#), "unsupported-algorithm", &[name, "auto, sa-gjk"]);
    }
    for name in ["gilbert", "closest-features"] {
        refuses("closest", &format!(r#","algorithm":"{name}""#), "unsupported-algorithm", &[name, "auto, gjk"]);
    }
    let all = "auto, sa-gjk, mpr, separating-vector, linear-program";
    refuses("overlap", r#","algorithm":"gjk""#, "unknown-algorithm", &["algorithm is 'gjk'", all]);
    let all = "auto, gjk, gjk-johnson, gilbert, closest-features";
    refuses("closest", r#","algorithm":"gjk-jonson""#, "unknown-algorithm", &["did you mean 'gjk-johnson'", all]);
    refuses("closest", r#","algorithm":"""#, "unknown-algorithm", &["algorithm is ''", all]);
    refuses("closest", r#","depth":"gjk""#, "unknown-algorithm", &["depth is 'gjk'", "epa, mpr"]);
    refuses("closest", r#","algorithm":null"#, "bad-field", &["algorithm must be a string, not null"]);
    refuses("overlap", r#","depth":"epa""#, "unknown-field", &["depth"]);
    refuses("overlap", r#","direction":[1,0,0]"#, "unknown-field", &["direction"]);
    let line = format!(r#"{{"op":"closest","a":{CUBE}}}"#);
    assert_eq!(error(&ask_once(&line)), ("missing-field", "b is missing"));
    let line = format!(r#"{{"op":"overlap","a":{CUBE},"b":{{"type":"sphere","radius":-1}}}}"#);
    assert!(error(&ask_once(&line)).1.starts_with("b.radius is -1"));
}
