//! `trajectory` through a session: the paper's formulas for one moving feature and one at rest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::glam::{DQuat, DVec3};
use clearance_testkit::{HitRate, Rng};
use common::{ask_once, error};
use serde_json::{Value, json};

fn points(points: &[DVec3]) -> Value {
    Value::from(points.iter().map(|p| json!(p.to_array())).collect::<Vec<_>>())
}

fn question(kind: &str, moving: &[DVec3], resting: &[DVec3], way: &Value) -> Value {
    let mut line = json!({ "op": "trajectory", "kind": kind, "moving": points(moving), "resting": points(resting) });
    for (name, value) in way.as_object().unwrap() {
        line[name] = value.clone();
    }
    line
}

fn fraction(line: &Value) -> Option<f64> {
    let answer = ask_once(&line.to_string());
    assert!(answer["hit"] == !answer["fraction"].is_null() && answer.get("error").is_none(), "{line} {answer}");
    answer["fraction"].as_f64()
}

fn quarter_turn(angle: f64) -> Value {
    json!({ "rotation": { "origin": [0, 0, 0], "axis": [0, 0, 2], "angle": angle } })
}

const FLOOR: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

#[test]
fn cases_with_known_answers() {
    let from = DVec3::new(0.25, 0.25, 2.0);
    let down = json!({ "translation": [0, 0, -4] });
    assert_eq!(fraction(&question("vertex-face", &[from], &FLOOR, &down)), Some(0.5));
    let mut zoned = question("vertex-face", &[from], &FLOOR, &down);
    zoned["zone"] = json!(0.5);
    assert_eq!(fraction(&zoned), Some(0.375), "stopped where the zone begins");
    assert_eq!(fraction(&question("vertex-face", &[from], &FLOOR, &json!({ "translation": [1, 0, 0] }))), None);
    // An edge falls on another, which is across it; with a zone above it.
    let (edge, bar) = ([DVec3::new(0.0, -1.0, 1.0), DVec3::new(0.0, 1.0, 1.0)], [DVec3::NEG_X, DVec3::X]);
    assert_eq!(fraction(&question("edge-edge", &edge, &bar, &json!({ "translation": [0, 0, -2] }))), Some(0.5));
    let mut zoned = question("edge-edge", &edge, &bar, &json!({ "translation": [0, 0, -2] }));
    (zoned["zone"], zoned["outset"]) = (json!(0.25), json!([0, 0, 1]));
    assert_eq!(fraction(&zoned), Some(0.375));
    // A point on an arc about z meets the half plane x = 0 after a quarter turn of a third.
    let wall = [DVec3::new(0.0, 0.5, -1.0), DVec3::new(0.0, 2.0, -1.0), DVec3::new(0.0, 2.0, 1.0)];
    let turned = fraction(&question("vertex-face", &[DVec3::X * 1.5], &wall, &quarter_turn(3.0))).unwrap();
    assert!((turned - std::f64::consts::FRAC_PI_2 / 3.0).abs() < 1e-14, "{turned}");
    assert_eq!(fraction(&question("vertex-face", &[DVec3::X * 1.5], &wall, &quarter_turn(1.0))), None);
    // A turn by nothing.
    let on_it = fraction(&question("vertex-face", &[DVec3::new(0.0, 1.5, -0.5)], &wall, &quarter_turn(0.0)));
    assert!(on_it.is_none_or(|at| at == 0.0), "{on_it:?}");
}

/// The same features at any scale have the same fraction, to the last bit where the scale is a power of two.
#[test]
fn any_scale() {
    for scale in [-900, -300, -60, 60, 300, 900].map(|power| 2.0_f64.powi(power)) {
        let edge = [DVec3::new(0.1, -1.0, 1.0), DVec3::new(0.0, 1.0, 1.1)].map(|p| p * scale);
        let bar = [DVec3::NEG_X * scale, DVec3::X * scale];
        let way = json!({ "translation": [0.0, 0.0, -2.0 * scale] });
        let plain = [DVec3::new(0.1, -1.0, 1.0), DVec3::new(0.0, 1.0, 1.1)];
        let at_one =
            question("edge-edge", &plain, &[DVec3::NEG_X, DVec3::X], &json!({ "translation": [0.0, 0.0, -2.0] }));
        assert_eq!(fraction(&question("edge-edge", &edge, &bar, &way)), fraction(&at_one), "{scale:e}");
    }
}

/// Where the formula says that a vertex meets a triangle, it is in its plane and between its sides; and it meets one that it is aimed at.
#[test]
fn random_vertices_meet_what_they_are_aimed_at() {
    let mut rng = Rng::new(14);
    let mut hits = HitRate::new("hits");
    for i in 0..2000 {
        let corners = [(); 3].map(|()| rng.in_ball(1.0));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if normal.length() < 0.1 {
            continue;
        }
        let target = corners[0] * 0.3 + corners[1] * 0.3 + corners[2] * 0.4;
        let share = rng.uniform(0.1, 1.5);
        let angle = rng.uniform(0.2, 3.0);
        let (axis, origin) = (rng.unit_vector(), rng.in_ball(2.0));
        let turns = rng.chance(0.5);
        let (from, way, speed) = if turns {
            let back = DQuat::from_axis_angle(axis, -angle * share);
            let turn = json!({ "origin": origin.to_array(), "axis": axis.to_array(), "angle": angle });
            (origin + back * (target - origin), json!({ "rotation": turn }), axis.cross(target - origin))
        } else {
            let way = rng.unit_vector();
            (target - way * share, json!({ "translation": way.to_array() }), way)
        };
        // Towards the front, or the other side is the front.
        let towards = speed.dot(normal);
        let corners = if towards < 0.0 { corners } else { [corners[0], corners[2], corners[1]] };
        let found = fraction(&question("vertex-face", &[from], &corners, &way));
        if towards.abs() < 0.05 * normal.length() {
            continue;
        }
        if !turns {
            assert_eq!(found.is_some(), share <= 1.0, "{i}: {share} {found:?}");
        }
        if let Some(found) = found {
            let turn = DQuat::from_axis_angle(axis, angle * found);
            let at = if turns { origin + turn * (from - origin) } else { from + speed * found };
            let off = (at - corners[0]).dot(normal.normalize());
            assert!(off.abs() < 1e-12 && found <= share + 1e-12, "{i}: {found} of {share}, off by {off}");
        }
        hits.record(found.is_some());
    }
    hits.assert_between(0.4, 0.9);
}

#[test]
fn bad_fields_are_named() {
    let refuses = |line: &Value, code: &str, message: &str| {
        let answer = ask_once(&line.to_string());
        assert_eq!(error(&answer).0, code, "{answer}");
        assert!(error(&answer).1.contains(message), "{message:?} is not in {answer}");
    };
    let down = json!({ "translation": [0, 0, -4] });
    let good = question("vertex-face", &[DVec3::Z], &FLOOR, &down);
    let with = |field: &str, value: Value| {
        let mut line = good.clone();
        line[field] = value;
        line
    };
    refuses(&with("kind", json!("edge-edg")), "bad-field", "did you mean 'edge-edge'");
    refuses(&with("moving", json!([[0, 0, 1], [0, 0, 2]])), "bad-field", "moving must have 1 point, not 2");
    refuses(&with("resting", json!([[0, 0, 1], [0, 0, 2]])), "bad-field", "resting must have 3 or more points, not 2");
    refuses(&with("resting", json!([[0, 0, 1], [0, 0, 2], [0, 0, 3]])), "bad-field", "no area");
    refuses(
        &with("resting", json!([[0, 0, 0], [4, 0, 0], [1, 1, 0], [0, 4, 0]])),
        "bad-field",
        "resting[2] is a concave",
    );
    refuses(&with("outset", json!([0, 0, 1])), "bad-field", "outset is of edges only");
    refuses(&with("zone", json!(-1)), "bad-field", "zone");
    refuses(&with("rotation", quarter_turn(1.0)["rotation"].clone()), "bad-field", "both given");
    refuses(&question("vertex-face", &[DVec3::Z], &FLOOR, &quarter_turn(3.5)), "bad-field", "half a turn");
    refuses(&question("vertex-face", &[DVec3::Z], &FLOOR, &json!({})), "missing-field", "translation is missing");
    refuses(
        &question("edge-edge", &[DVec3::Z, DVec3::Z], &[DVec3::X, DVec3::Y], &down),
        "bad-field",
        "moving has two ends",
    );
}
