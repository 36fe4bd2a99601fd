//! Bad input: one error for the line, with the code and the name of what is wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use crate::common;
use clearance_cli::query::{Code, Session};
use common::{CONCAVE, SHAPES, ask, ask_once, error};

/// Asks for the box of a shape; the error must have the code and name everything listed.
fn refuses(shape: &str, code: &str, names: &[&str]) {
    let line = format!(r#"{{"id":5,"op":"aabb","a":{shape}}}"#);
    refuses_line(&line, code, names);
}

fn refuses_line(line: &str, code: &str, names: &[&str]) {
    let answer = ask_once(line);
    let (got, message) = error(&answer);
    assert_eq!(got, code, "{line}: {message}");
    for name in names {
        assert!(message.contains(name), "{line}: {name:?} is not in {message:?}");
    }
    assert!(Code::ALL.iter().any(|known| known.name() == code), "{code} is not documented");
    if line.contains(r#""id":5"#) {
        assert_eq!(answer["id"], 5, "{line}");
    }
}

#[test]
fn numbers_that_are_none() {
    refuses(r#"{"type":"sphere","radius":1e999}"#, "bad-field", &["a.radius", "1e999"]);
    refuses(r#"{"type":"sphere","radius":-1e999}"#, "bad-field", &["a.radius"]);
    refuses(r#"{"type":"sphere","radius":NaN}"#, "malformed-json", &["a.radius", "NaN", "column 51"]);
    refuses(r#"{"type":"sphere","radius":Infinity}"#, "malformed-json", &["a.radius", "infinity"]);
    refuses(r#"{"type":"sphere","radius":-Infinity}"#, "malformed-json", &["a.radius", "infinity"]);
    refuses(r#"{"type":"sphere","radius":"1"}"#, "bad-field", &["a.radius", "a number, not a string"]);
    refuses(r#"{"type":"sphere","radius":null}"#, "bad-field", &["a.radius", "null"]);
    refuses(r#"{"type":"sphere","radius":01}"#, "malformed-json", &["a.radius"]);
    refuses(r#"{"type":"cuboid","half_extents":[1,1e400,1]}"#, "bad-field", &["a.half_extents[1]"]);
    refuses(
        r#"{"type":"triangle","points":[[0,0,0],[1,0,true],[0,1,0]]}"#,
        "bad-field",
        &["a.points[1][2]", "boolean"],
    );
}

#[test]
fn sizes_that_make_no_shape() {
    refuses(r#"{"type":"sphere","radius":0}"#, "bad-shape", &["a.radius is 0"]);
    refuses(r#"{"type":"sphere","radius":1e-999}"#, "bad-shape", &["a.radius is 0"]);
    refuses(r#"{"type":"cuboid","half_extents":[1,-1,1]}"#, "bad-shape", &["a.half_extents[1] is -1"]);
    refuses(r#"{"type":"wheel","disc_radius":-2,"radius":1}"#, "bad-shape", &["a.disc_radius"]);
    refuses(r#"{"type":"cone","height":1,"radius":1e80}"#, "bad-shape", &["a.radius"]);
    refuses(r#"{"type":"rounded","shape":{"type":"point"},"radius":-1}"#, "bad-shape", &["a.radius"]);
    refuses(r#"{"type":"rounded","shape":{"type":"disc","radius":0},"radius":1}"#, "bad-shape", &["a.shape.radius"]);
    refuses(r#"{"type":"sum","of":[{"type":"point"},{"type":"disc","radius":0}]}"#, "bad-shape", &["a.of[1].radius"]);
}

#[test]
fn lists_of_the_wrong_length() {
    refuses(r#"{"type":"cuboid","half_extents":[1,1]}"#, "bad-field", &["a.half_extents", "3 numbers, not 2"]);
    refuses(r#"{"type":"cuboid","half_extents":1}"#, "bad-field", &["a.half_extents", "a list"]);
    refuses(r#"{"type":"triangle","points":[[0,0,0],[1,0,0]]}"#, "bad-field", &["a.points", "3 points, not 2"]);
    refuses(r#"{"type":"hull","of":[{"type":"point"}]}"#, "bad-field", &["a.of", "2 shapes, not 1"]);
    refuses(r#"{"type":"polytope","points":[[0,0,0],[1,0]]}"#, "bad-field", &["a.points[1]"]);
}

#[test]
fn clouds_that_span_no_solid() {
    let cloud = |points: &str| format!(r#"{{"type":"polytope","points":{points}}}"#);
    refuses(&cloud("[]"), "bad-shape", &["a.points: 0 given", "4"]);
    refuses(&cloud("[[0,0,0],[1,0,0],[0,1,0]]"), "bad-shape", &["a.points: 3 given"]);
    refuses(&cloud("[[1,1,1],[1,1,1],[1,1,1],[1,1,1]]"), "bad-shape", &["a.points", "coincide"]);
    refuses(&cloud("[[0,0,0],[1,1,1],[2,2,2],[3,3,3]]"), "bad-shape", &["a.points", "line"]);
    refuses(&cloud("[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]"), "bad-shape", &["a.points", "plane"]);
    refuses(&cloud("[[0,0,0],[1,0,0],[0,1e90,0],[1,1,1]]"), "bad-shape", &["a.points[2].y"]);
    refuses(r#"{"type":"triangle","points":[[0,0,0],[1,1,1],[2,2,2]]}"#, "bad-shape", &["a.points", "line"]);
    refuses(r#"{"type":"polygon","points":[[0,0,0],[1,0,0],[0,1,0],[1,1,1]]}"#, "bad-shape", &["a.points[", "plane"]);
}

#[test]
fn faces_that_bound_no_solid() {
    let faces =
        |faces: &str| format!(r#"{{"type":"polytope","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":{faces}}}"#);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2],[1,2,4]]"), "bad-shape", &["a.faces[3]", "vertex 4"]);
    refuses(&faces("[[1,2,0],[3,1,0],[2,3,0],[3,2,1]]"), "bad-shape", &["a: ", "inside out"]);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2]]"), "bad-shape", &["open"]);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2],[1,2]]"), "bad-shape", &["a.faces[3]"]);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2],[1,2,-3]]"), "bad-field", &["a.faces[3][2]"]);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2],[1,2,3.5]]"), "bad-field", &["a.faces[3][2]", "whole"]);
    refuses(&faces("[[0,2,1],[0,1,3],[0,3,2],[1,2,99999999999]]"), "bad-field", &["a.faces[3][2]"]);
    refuses(&faces("[]"), "bad-shape", &["a"]);
}

#[test]
fn poses() {
    let pose = |pose: &str| format!(r#"{{"id":5,"op":"aabb","a":{{"type":"point"}},"pose_a":{pose}}}"#);
    refuses_line(&pose(r#"{"rotation":[0,0,0,2]}"#), "bad-pose", &["pose_a.rotation", "length 2"]);
    refuses_line(&pose(r#"{"rotation":[0,0,0,0]}"#), "bad-pose", &["pose_a.rotation"]);
    refuses_line(&pose(r#"{"rotation":[0,0,0,1.00001]}"#), "bad-pose", &["pose_a.rotation"]);
    refuses_line(&pose(r#"{"rotation":[0,0,1]}"#), "bad-field", &["pose_a.rotation", "4 numbers"]);
    refuses_line(&pose(r#"{"translation":[1e300,0,0]}"#), "bad-pose", &["pose_a.translation", "x"]);
    refuses_line(&pose(r#"{"translation":[0,1e999,0]}"#), "bad-field", &["pose_a.translation[1]"]);
    refuses_line(&pose(r#"{"position":[0,0,0]}"#), "unknown-field", &["pose_a.position"]);
    refuses_line(&pose("[0,0,0]"), "bad-field", &["pose_a", "an object, not a list"]);
    let nearly =
        ask_once(r#"{"op":"aabb","a":{"type":"segment","half_length":1},"pose_a":{"rotation":[0,0,0,1.0000005]}}"#);
    assert_eq!(nearly["max"], serde_json::json!([1.0, 0.0, 0.0]), "brought to unit length");
}

#[test]
fn directions() {
    let direction = |d: &str| format!(r#"{{"id":5,"op":"support","a":{{"type":"point"}},"direction":{d}}}"#);
    refuses_line(&direction("[0,0,0]"), "bad-direction", &["direction"]);
    refuses_line(&direction("[0,-0.0,1e-999]"), "bad-direction", &["direction"]);
    refuses_line(&direction("[0,0,1e999]"), "bad-field", &["direction[2]"]);
    refuses_line(&direction("[0,1]"), "bad-field", &["direction"]);
    refuses_line(r#"{"id":5,"op":"support","a":{"type":"point"}}"#, "missing-field", &["direction"]);
}

#[test]
fn names_of_fields_types_and_ops() {
    refuses(r#"{"type":"sphere","raduis":1}"#, "unknown-field", &["a.raduis", "'radius'"]);
    refuses(r#"{"type":"sphere"}"#, "missing-field", &["a.radius"]);
    refuses(r#"{"radius":1}"#, "missing-field", &["a.type"]);
    refuses(r#"{"type":"spere","radius":1}"#, "unknown-shape", &["a.type", "'spere'", "'sphere'"]);
    refuses(r#"{"type":7}"#, "bad-field", &["a.type"]);
    refuses(r#"{"type":"mesh","vertices":[],"faces":[]}"#, "bad-shape", &["a.vertices", "none"]);
    refuses(r#"{"type":"compound","parts":[]}"#, "bad-shape", &["a.parts", "at least one part"]);
    refuses(r#"{"type":"posed","shape":{"type":"point"}}"#, "missing-field", &["a.pose"]);
    refuses(r#"{"type":"sphere","radius":1,"radius":2}"#, "bad-field", &["a.radius", "twice"]);
    refuses(r#"{"type":"sphere","radius":1,"pose":{}}"#, "unknown-field", &["a.pose"]);
    refuses(r#""part""#, "undefined-shape", &["a", "'part'"]);
    refuses("5", "bad-field", &["a must be an object"]);
    refuses(r#""\ud800""#, "bad-field", &["a"]);
    refuses_line(r#"{"id":5,"op":"aabb"}"#, "missing-field", &["a is missing"]);
    refuses_line(r#"{"id":5}"#, "missing-field", &["op"]);
    refuses_line(r#"{"id":5,"op":"abb","a":1}"#, "unknown-op", &["'abb'", "did you mean 'aabb'", "support"]);
    refuses_line(r#"{"id":5,"op":[],"a":1}"#, "bad-field", &["op"]);
    refuses_line(r#"{"id":5,"op":"aabb","a":{"type":"point"},"pose":{}}"#, "unknown-field", &["pose", "'pose_a'"]);
    refuses_line(r#"{"id":5,"define":"x"}"#, "missing-field", &["shape"]);
    refuses_line(r#"{"id":5,"define":"","shape":{"type":"point"}}"#, "bad-field", &["define"]);
    refuses_line(r#"{"id":5,"define":1,"shape":{"type":"point"}}"#, "bad-field", &["define"]);
}

#[test]
fn a_misspelt_definition_is_suggested() {
    let mut session = Session::new();
    ask(&mut session, r#"{"define":"left wheel","shape":{"type":"point"}}"#);
    let answer = ask(&mut session, r#"{"op":"aabb","a":"left weel"}"#);
    assert!(error(&answer).1.contains("did you mean 'left wheel'"), "{answer}");
}

#[test]
fn text_that_is_no_object() {
    for line in ["{", "}", "[]", "5", "nul", "{\"id\":5", "{\"id\":5,}", "{}{}", "{'id':5}", "\u{feff}{}", "\0"] {
        refuses_line(line, "malformed-json", &[]);
    }
    // Every beginning of a good line is a bad line.
    let line = r#"{"op":"aabb","a":{"type":"polytope","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}"#;
    for end in 1..line.len() {
        refuses_line(&line[..end], "malformed-json", &[]);
    }
}

#[test]
fn nesting_is_bounded_inline_and_through_names() {
    let nested = |depth: usize| {
        let (open, close) = (r#"{"type":"rounded","radius":1,"shape":"#, "}");
        format!("{}{}{}", open.repeat(depth), r#"{"type":"point"}"#, close.repeat(depth))
    };
    assert!(ask_once(&format!(r#"{{"op":"aabb","a":{}}}"#, nested(31))).get("error").is_none());
    refuses(&nested(32), "bad-shape", &["deep"]);
    refuses(&nested(20_000), "bad-shape", &["deep"]);
    let brackets = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    refuses(&brackets, "bad-field", &["a must be an object, not a list"]);
    refuses(&"[".repeat(100_000), "malformed-json", &[]);

    let mut session = Session::new();
    ask(&mut session, r#"{"define":"s0","shape":{"type":"cuboid","half_extents":[1,1,1]}}"#);
    let double = |i: usize| format!(r#"{{"define":"s{}","shape":{{"type":"sum","of":["s{i}","s{i}"]}}}}"#, i + 1);
    let refused = (0..40).map(|i| ask(&mut session, &double(i))).find(|answer| answer.get("error").is_some()).unwrap();
    assert!(error(&refused).1.contains("2048 parts"), "{refused}");
    ask(&mut session, r#"{"define":"r0","shape":{"type":"point"}}"#);
    let round =
        |i: usize| format!(r#"{{"define":"r{}","shape":{{"type":"rounded","shape":"r{i}","radius":1}}}}"#, i + 1);
    let refused = (0..40).map(|i| ask(&mut session, &round(i))).find(|answer| answer.get("error").is_some()).unwrap();
    assert!(error(&refused).1.contains("deep"), "{refused}");
    assert!(ask(&mut session, r#"{"op":"describe","a":"s10"}"#).get("error").is_none());
}

#[test]
fn messages_do_not_repeat_what_is_long() {
    let long = "x".repeat(1 << 20);
    for line in [
        format!(r#"{{"op":"{long}"}}"#),
        format!(r#"{{"op":"aabb","a":"{long}"}}"#),
        format!(r#"{{"op":"aabb","{long}":1}}"#),
        format!(r#"{{"op":"aabb","a":{{"type":"{long}"}}}}"#),
        format!(r#"{{"op":"aabb","a":{{"{long}":NaN}}}}"#),
        format!(r#"{{"op":"aabb","a":{{"type":"sphere","radius":1{}}}}}"#, "0".repeat(1000)),
    ] {
        assert!(Session::new().answer(&line).unwrap().to_string().len() < 1000);
    }
}

#[test]
fn every_shape_needs_each_of_its_fields() {
    for (shape, ..) in SHAPES.iter().chain(CONCAVE) {
        let value: serde_json::Value = serde_json::from_str(shape).unwrap();
        for field in value.as_object().unwrap().keys().filter(|field| *field != "faces") {
            let mut without = value.clone();
            without.as_object_mut().unwrap().remove(field);
            refuses(&without.to_string(), "missing-field", &[&format!("a.{field} is missing")]);
        }
    }
}
