//! `feature_ccd` through a session.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::Vec3;
use clearance_testkit::ccd::{FeatureFamily, FeatureKind, first_contact};
use clearance_testkit::{HitRate, Rng};
use common::{ask_once, error};
use serde_json::{Value, json};

fn question(kind: &str, t0: &[Vec3], t1: &[Vec3]) -> String {
    let points = |points: &[Vec3]| Value::from(points.iter().map(|p| json!(p.to_array())).collect::<Vec<_>>());
    json!({ "id": 1, "op": "feature_ccd", "kind": kind, "t0": points(t0), "t1": points(t1) }).to_string()
}

fn falling(height: f64) -> [Vec3; 4] {
    [Vec3::new(0.25, 0.25, height), Vec3::ZERO, Vec3::X, Vec3::Y]
}

#[test]
fn a_vertex_meets_a_face() {
    let answer = ask_once(&question("vertex-face", &falling(1.0), &falling(-1.0)));
    assert_eq!(answer["hit"], true);
    let bounds = ["time", "latest"].map(|field| answer[field].as_f64().unwrap());
    assert!(bounds[0] <= 0.5 && bounds[1] >= 0.5 && bounds[1] - bounds[0] < 1e-12, "{answer}");
    assert_eq!((&answer["id"], &answer["end"]), (&json!(1), &json!("converged")));
}

#[test]
fn edges_meet_or_pass() {
    let at = |y: f64, z: f64| [-Vec3::X, Vec3::X, Vec3::new(0.0, y, z - 1.0), Vec3::new(0.0, y, z + 1.0)];
    let answer = ask_once(&question("edge-edge", &at(-1.0, 0.0), &at(1.0, 0.0)));
    assert!(answer["hit"] == true && answer["time"].as_f64().unwrap() <= 0.5, "{answer}");
    let answer = ask_once(&question("edge-edge", &at(-1.0, 1.0), &at(1.0, 1.0)));
    assert!(answer["hit"] == true, "touching with an end: {answer}");
    let answer = ask_once(&question("edge-edge", &at(-1.0, 1.0_f64.next_up()), &at(1.0, 1.0_f64.next_up())));
    let free = json!({ "id": 1, "hit": false, "time": null, "latest": null, "end": "converged" });
    assert_eq!(answer, free);
}

#[test]
fn answers_are_the_exact_truth() {
    let mut rng = Rng::new(41);
    let mut hits = HitRate::new("hits");
    for round in 0..200 {
        let kind = FeatureKind::ALL[round % 2];
        let [t0, t1] = FeatureFamily::Grid.motion(kind, &mut rng);
        let answer = ask_once(&question(kind.name(), &t0, &t1));
        let truth = first_contact(kind, t0, t1);
        assert_eq!(answer["hit"], truth.is_some(), "{}", question(kind.name(), &t0, &t1));
        if hits.record(truth.is_some()) {
            assert!(answer["time"].as_f64().unwrap() <= truth.unwrap().by.to_f64(), "{answer}");
        }
    }
    hits.assert_between(0.05, 0.6);
}

#[test]
fn bad_fields_are_named() {
    let (t0, t1) = (falling(1.0), falling(-1.0));
    let refuses = |line: &str, code: &str, message: &str| {
        let answer = ask_once(line);
        assert_eq!(error(&answer).0, code, "{answer}");
        assert!(error(&answer).1.contains(message), "{message:?} is not in {answer}");
    };
    refuses(
        &question("vertex-fac", &t0, &t1),
        "bad-field",
        "kind is 'vertex-fac', no known one (did you mean 'vertex-face'",
    );
    refuses(&question("vertex-face", &t0[..3], &t1), "bad-field", "t0 must have 4 points, not 3");
    let good = question("edge-edge", &t0, &t1);
    refuses(
        &good.replace(r#""kind":"edge-edge","#, ""),
        "missing-field",
        "kind is missing; known: vertex-face, edge-edge",
    );
    refuses(&good.replace("\"t1\"", "\"t2\""), "unknown-field", "t2");
    refuses(&good.replacen("[0.0,0.0,0.0]", "[0.0,0.0]", 1), "bad-field", "[1] must have 3 numbers, not 2");
    refuses(&good.replacen("[0.0,0.0,0.0]", "[0.0,1e999,0.0]", 1), "bad-field", "[1][1] is '1e999'");
    refuses(&good.replacen("\"edge-edge\"", "7", 1), "bad-field", "kind must be a string");
    refuses(r#"{"op":"feature_ccd","kind":"edge-edge"}"#, "missing-field", "t0 is missing");
}
