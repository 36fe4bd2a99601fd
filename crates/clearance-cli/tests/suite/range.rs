//! The ops `range` and `cast`, and `clearance range`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use common::{SHAPES, answers, ask_once, error, run};

const CUBE: &str = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
const GEM: &str = r#"{"type":"polytope","points":[[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]]}"#;

fn range(a: &str, b: &str, at: &str, direction: &str, extra: &str) -> serde_json::Value {
    ask_once(&format!(
        r#"{{"op":"range","a":{a},"b":{b},"pose_b":{{"translation":{at}}},"direction":{direction}{extra}}}"#
    ))
}

#[test]
fn ranges_of_boxes_are_exact() {
    let answer = range(CUBE, CUBE, "[5,0.5,0]", "[-2,0,0]", "");
    assert_eq!(answer["range"], serde_json::json!([1.5, 3.5]), "{answer}");
    assert_eq!(answer["distance"], 1.5, "{answer}");
    assert_eq!(answer["features"][0], serde_json::json!({"a":{"face":0},"b":{"face":1}}), "{answer}");
    let missed = range(CUBE, CUBE, "[5,2.5,0]", "[-2,0,0]", "");
    assert!(missed["range"].is_null() && missed["features"].is_null(), "{missed}");
}

#[test]
fn polytopes_name_features_and_visited_faces() {
    for algorithm in ["", r#","algorithm":"auto""#, r#","algorithm":"dual""#] {
        let answer = range(GEM, GEM, "[0.1,0.2,7]", "[0,0,-1]", algorithm);
        let visited = &answer["faces_visited"];
        let count: u64 =
            ["face_vertex", "vertex_face", "edge_edge"].iter().map(|kind| visited[kind].as_u64().unwrap()).sum();
        assert!(count >= 2, "{answer}");
        assert_eq!(answer["end"], serde_json::json!(["converged", "converged"]), "{answer}");
        let ends: Vec<f64> = answer["range"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
        assert!((ends[0] - 5.3).abs() < 1e-12 && (ends[1] - 8.7).abs() < 1e-12, "{answer}");
    }
    let refused = range(CUBE, GEM, "[0,0,7]", "[0,0,-1]", r#","algorithm":"dual""#);
    assert_eq!(error(&refused).0, "unsupported-algorithm");
}

/// An L of two cuboids: the range goes from the first contact to the last; with a half-space one end is infinite.
#[test]
fn concave_bodies_and_half_spaces_have_ranges() {
    let ell = r#"{"type":"compound","parts":[{"type":"cuboid","half_extents":[3,1,1]},{"type":"posed","shape":{"type":"cuboid","half_extents":[1,1,3]},"pose":{"translation":[-2,0,2]}}]}"#;
    let answer = range(ell, CUBE, "[9,0,4]", "[-1,0,0]", "");
    assert_eq!(answer["range"], serde_json::json!([9.0, 13.0]), "{answer}");
    assert_eq!(answer["features"][0]["a"]["part"], 1, "{answer}");
    let floor = r#"{"type":"half_space","normal":[0,0,1],"offset":1}"#;
    let answer = range(floor, CUBE, "[0,0,5]", "[0,0,-2]", "");
    assert_eq!(answer["range"], serde_json::json!([1.5, null]), "{answer}");
    assert_eq!(answer["distance"], 1.5, "{answer}");
    let along = range(floor, CUBE, "[0,0,1]", "[1,0,0]", "");
    assert_eq!(along["range"], serde_json::json!([null, null]), "{along}");
    let above = range(floor, CUBE, "[0,0,5]", "[1,0,0]", "");
    assert!(above["range"].is_null(), "{above}");
}

#[test]
fn every_pair_of_types_is_answered() {
    for (a, ..) in SHAPES {
        for (b, ..) in SHAPES {
            let answer = range(a, b, "[9,0.1,0.2]", "[-1,0,0]", "");
            assert!(answer.get("range").is_some(), "{a} {b}: {answer}");
            let line = format!(
                r#"{{"op":"cast","a":{a},"b":{b},"pose_b":{{"translation":[30,0,0]}},"translation":[-1,0,0]}}"#
            );
            assert_eq!(ask_once(&line)["fraction"], 1.0, "{a} {b}");
        }
    }
}

#[test]
fn casts_say_what_they_hit() {
    let cast = |at: &str, by: &str| {
        ask_once(&format!(r#"{{"op":"cast","a":{CUBE},"b":{GEM},"pose_b":{{"translation":{at}}},"translation":{by}}}"#))
    };
    let hit = cast("[5,0,0]", "[-6,0,0]");
    assert_eq!(hit["fraction"], 0.5, "{hit}");
    assert_eq!((&hit["normal"], &hit["overlapping"]), (&serde_json::json!([1.0, 0.0, 0.0]), &false.into()), "{hit}");
    assert_eq!(cast("[1.5,0,0]", "[-6,0,0]")["overlapping"], true);
    assert_eq!(cast("[5,0,0]", "[6,0,0]")["fraction"], 1.0);
    assert_eq!(cast("[5,0,0]", "[0,0,0]")["fraction"], 1.0);
}

#[test]
fn bad_directions_are_errors() {
    assert_eq!(error(&range(CUBE, CUBE, "[5,0,0]", "[0,0,0]", "")).0, "bad-direction");
    assert_eq!(error(&range(CUBE, CUBE, "[5,0,0]", "[1,0]", "")).0, "bad-field");
    let rotation = format!(r#"{{"op":"cast","a":{CUBE},"b":{CUBE},"rotation":{{"angle":1}}}}"#);
    assert_eq!(error(&ask_once(&rotation)).0, "missing-field");
}

#[test]
fn the_program_answers_in_words_and_in_json() {
    let pose = r#"{"translation":[5,0,0]}"#;
    let words = run(&["range", CUBE, CUBE, "--pose-b", pose, "--direction", "-1,0,0"], b"");
    assert!(words.status.success());
    assert!(String::from_utf8_lossy(&words.stdout).contains("from 3.0 to 7.0 times"), "{words:?}");
    let json = run(&["range", CUBE, CUBE, "--pose-b", pose, "--direction", "-1,0,0", "--json"], b"");
    assert_eq!(answers(&json)[0]["range"], serde_json::json!([3.0, 7.0]));
    for direction in ["0,0,0", "1,0", "x,y,z", "nan,0,0"] {
        let bad = run(&["range", CUBE, CUBE, "--direction", direction], b"");
        assert_eq!(bad.status.code(), Some(2), "{direction}");
        assert!(String::from_utf8_lossy(&bad.stderr).contains("direction"), "{bad:?}");
    }
    assert_eq!(run(&["range", "no-such-file.json", CUBE, "--direction", "1,0,0"], b"").status.code(), Some(2));
}
