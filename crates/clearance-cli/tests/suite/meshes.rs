//! Meshes and compounds on the command line: what they answer and what they refuse.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance_cli::query::Session;
use common::{ask, ask_once, error};
use serde_json::{Value, json};

/// The cube from −1 to 1.
const CUBE: &str = r#"{"type":"mesh","vertices":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]],"faces":[[0,4,6,2],[1,3,7,5],[0,1,5,4],[2,6,7,3],[0,2,3,1],[4,5,7,6]]}"#;
/// Two balls, and a cube between them.
const ROW: &str = r#"{"type":"compound","parts":[{"type":"sphere","radius":0.5,"pose":{"translation":[-3,0,0]}},{"type":"sphere","radius":0.5,"pose":{"translation":[3,0,0]}},"cube"]}"#;

fn session() -> Session {
    let mut session = Session::new();
    for (name, shape) in [("cube", CUBE), ("row", ROW)] {
        let answer = ask(&mut session, &format!(r#"{{"define":"{name}","shape":{shape}}}"#));
        assert_eq!(answer, json!({ "defined": name }));
    }
    session
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn one_body() {
    let mut session = session();
    let support = ask(&mut session, r#"{"op":"support","a":"cube","direction":[1,2,3]}"#);
    assert_eq!((&support["point"], number(&support["value"])), (&json!([1.0, 1.0, 1.0]), 6.0));
    let support = ask(&mut session, r#"{"op":"support","a":"row","direction":[-1,0,0]}"#);
    assert_eq!(number(&support["value"]), 3.5);
    let bounds = ask(&mut session, r#"{"op":"aabb","a":"row","pose_a":{"translation":[1,0,0]}}"#);
    assert_eq!(bounds, json!({ "min": [-2.5, -1.0, -1.0], "max": [4.5, 1.0, 1.0] }));
    let cube = ask(&mut session, r#"{"op":"describe","a":"cube","pose_a":{"translation":[1,0,0]}}"#);
    let expected =
        json!({ "solid": true, "vertices": 8, "edges": 12, "faces": 6, "volume": 8.0, "centroid": [1.0, 0.0, 0.0] });
    assert_eq!(cube, expected);
    let row = ask(&mut session, r#"{"op":"describe","a":"row"}"#);
    assert_eq!(row["parts"], 3);
    assert!((number(&row["volume"]) - 8.0 - std::f64::consts::PI / 3.0).abs() < 1e-12);
}

#[test]
fn two_bodies() {
    let mut session = session();
    let mut closest = |a: &str, b: &str, x: f64| {
        ask(&mut session, &format!(r#"{{"op":"closest","a":{a},"b":{b},"pose_b":{{"translation":[{x},0.25,0.25]}}}}"#))
    };
    let apart = closest(r#""cube""#, r#""cube""#, 2.5);
    assert_eq!((number(&apart["distance"]), &apart["contact"]), (0.5, &json!("apart")));
    assert_eq!(apart["elements"], json!({ "a": { "face": 1 }, "b": { "face": 0 } }));
    assert_eq!(apart["normal"], json!([1.0, 0.0, 0.0]));
    let touching = closest(r#""cube""#, r#""cube""#, 2.0);
    assert_eq!((number(&touching["distance"]), &touching["contact"]), (0.0, &json!("touching")));
    assert!(number(&touching["lower"]) <= 0.0 && number(&touching["upper"]) >= 0.0);
    let deep = closest(r#""cube""#, r#""cube""#, 1.5);
    assert_eq!(deep["contact"], "overlapping");
    assert!(number(&deep["distance"]) < 0.0 && number(&deep["lower"]) <= -0.5);
    let ball = closest(r#""cube""#, r#"{"type":"sphere","radius":0.5}"#, 3.0);
    assert!((number(&ball["distance"]) - 1.5).abs() < 1e-12);
    assert_eq!(ball["elements"], json!({ "a": { "face": 1 }, "b": {} }));
    let row = closest(r#""row""#, r#"{"type":"point"}"#, 9.0);
    assert_eq!(row["elements"], json!({ "a": { "part": 1 }, "b": {} }));
    let inside = closest(r#""cube""#, r#"{"type":"sphere","radius":0.125}"#, 0.0);
    assert_eq!(inside["contact"], "overlapping");
}

#[test]
fn booleans() {
    let mut session = session();
    let mut overlap = |a: &str, b: &str, x: f64| {
        ask(&mut session, &format!(r#"{{"op":"overlap","a":"{a}","b":"{b}","pose_b":{{"translation":[{x},0,0]}}}}"#))
    };
    for (x, contact) in [(2.5, "apart"), (2.0, "touching"), (1.5, "overlapping"), (0.0, "overlapping")] {
        let answer = overlap("cube", "cube", x);
        assert_eq!((&answer["overlap"], &answer["contact"]), (&json!(contact != "apart"), &json!(contact)), "{answer}");
        // The cube is a convex mesh: a plane separates it.
        let named = if contact == "apart" { &answer["witness"]["plane"] } else { &answer["witness"]["point"] };
        assert!(!named.is_null(), "{answer}");
    }
    let apart = overlap("cube", "cube", 2.5);
    let plane = &apart["witness"]["plane"];
    let gap = number(&plane["offset_b"]) - number(&plane["offset_a"]);
    assert!(gap > 0.0 && gap <= 0.5, "{apart}");
    assert_eq!(overlap("row", "cube", 1.75)["elements"]["a"]["part"], 2);
    assert_eq!(overlap("row", "row", 20.0)["overlap"], false);
}

#[test]
fn manifolds() {
    let mut session = session();
    let mut ask = |a: &str, b: &str, at: &str, more: &str| {
        ask(&mut session, &format!(r#"{{"op":"manifold","a":{a},"b":{b},"pose_b":{{"translation":{at}}}{more}}}"#))
    };
    let plain = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
    for b in [r#""cube""#, plain] {
        let answer = ask(r#""cube""#, b, "[0.5,0.25,1.75]", "");
        assert_eq!((&answer["normal"], number(&answer["depth"])), (&json!([0.0, 0.0, 1.0]), 0.25), "{answer}");
        for list in ["points", "points_a", "points_b", "normals", "depths", "features"] {
            assert_eq!(answer[list].as_array().unwrap().len(), 4, "{list}: {answer}");
        }
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for (point, depth) in answer["points"].as_array().unwrap().iter().zip(answer["depths"].as_array().unwrap()) {
            assert!((number(&point[2]) - 0.875).abs() < 1e-12 && (number(depth) - 0.25).abs() < 1e-12, "{answer}");
            corners.push([number(&point[0]), number(&point[1])]);
        }
        corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
        assert_eq!(corners, [[-0.5, -0.75], [-0.5, 1.0], [1.0, -0.75], [1.0, 1.0]], "{answer}");
        assert_eq!(ask(r#""cube""#, b, "[0.5,0.25,1.75]", r#","max_points":2"#)["points"].as_array().unwrap().len(), 2);
        let apart = ask(r#""cube""#, b, "[0.5,0.25,2.5]", "");
        assert!(apart["normal"].is_null() && apart["depth"].is_null() && apart["points"] == json!([]), "{apart}");
        assert_eq!(ask(r#""cube""#, b, "[0.5,0.25,2.5]", r#","margin":0.75"#)["depths"][0], json!(-0.5));
    }
    let row = ask(r#""row""#, r#"{"type":"cuboid","half_extents":[9,9,1]}"#, "[0,0,1.75]", r#","max_points":16"#);
    assert!(row["features"].as_array().unwrap().iter().all(|f| f["a"]["part"] == 2), "{row}");
}

fn refuses(shape: &str, code: &str, words: &[&str]) {
    let answer = ask_once(&format!(r#"{{"op":"aabb","a":{shape}}}"#));
    let (got, message) = error(&answer);
    assert_eq!(got, code, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message}");
}

#[test]
fn bad_meshes_are_named() {
    let mesh = |vertices: &str, faces: &str| format!(r#"{{"type":"mesh","vertices":{vertices},"faces":{faces}}}"#);
    let triangle = "[[0,0,0],[1,0,0],[0,1,0]]";
    refuses(&mesh(triangle, "[[0,1,3]]"), "bad-shape", &["a.faces[0]", "vertex 3"]);
    refuses(&mesh(triangle, "[[0,1]]"), "bad-shape", &["a.faces[0]", "at least three"]);
    refuses(&mesh(triangle, "[[0,1,-1]]"), "bad-field", &["a.faces[0][2]"]);
    refuses(&mesh("[[0,0,0],[1,0,0],[0,1e99,0]]", "[[0,1,2]]"), "bad-shape", &["a.vertices[2].y"]);
    refuses(&mesh("[[0,0,0],[1,0,0],[2,0,0]]", "[[0,1,2]]"), "bad-shape", &["a.faces[0]", "degenerate"]);
    refuses(&mesh("[[0,0,0],[1,0,0],[0,1,0],[5,5,5]]", "[[0,1,2]]"), "bad-shape", &["a.vertices[3]", "no face"]);
    refuses(&CUBE.replace("[1,3,7,5]", "[5,7,3,1]"), "bad-shape", &["turned over", "faces[1]"]);
    refuses(r#"{"type":"compound","parts":[{"type":"sphere"}]}"#, "missing-field", &["a.parts[0].radius"]);
    refuses(r#"{"type":"mesh","vertices":[[0,0,0]]}"#, "missing-field", &["a.faces"]);
    refuses(&format!(r#"{{"type":"rounded","shape":{CUBE},"radius":1}}"#), "unsupported-shape", &["a.shape", "mesh"]);
    refuses(&format!(r#"{{"type":"hull","of":[{CUBE},{CUBE}]}}"#), "unsupported-shape", &["a.of[0]", "convex"]);
    let mut session = session();
    let answer = ask(&mut session, r#"{"op":"manifold","a":"cube","b":"cube","method":"perturbed"}"#);
    assert_eq!(error(&answer).0, "unsupported-algorithm");
    let answer = ask(&mut session, r#"{"op":"range","a":"cube","b":"cube","direction":[1,0,0],"algorithm":"dual"}"#);
    assert_eq!(error(&answer).0, "unsupported-shape");
    let answer = ask(&mut session, r#"{"op":"closest","a":"cube","b":"cube","algorithm":"gjk"}"#);
    assert_eq!(error(&answer).0, "unsupported-algorithm");
}

/// Names may double the parts with every line; they are counted before they are made.
#[test]
fn parts_are_bounded() {
    let mut session = Session::new();
    ask(&mut session, r#"{"define":"p0","shape":{"type":"point"}}"#);
    let mut refused = false;
    for i in 0..40 {
        let line = format!(r#"{{"define":"p{}","shape":{{"type":"compound","parts":["p{i}","p{i}"]}}}}"#, i + 1);
        refused |= !ask(&mut session, &line)["error"].is_null();
    }
    assert!(refused);
}
