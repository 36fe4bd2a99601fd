//! What the tests of the query engine share.
#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

pub mod bodies;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use clearance_cli::query::Session;
use serde_json::Value;

/// The answer of a session to a line, parsed.
pub fn ask(session: &mut Session, line: &str) -> Value {
    let answer = session.answer(line).unwrap_or_else(|| panic!("no answer to {line}")).to_string();
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error} in the answer {answer}"))
}

/// The answer of a fresh session.
pub fn ask_once(line: &str) -> Value {
    ask(&mut Session::new(), line)
}

/// The error code and the message of an answer that must be an error.
pub fn error(answer: &Value) -> (&str, &str) {
    let text = |key: &str| answer["error"][key].as_str().unwrap_or_else(|| panic!("no error in {answer}"));
    (text("code"), text("message"))
}

/// Runs the program on the text as standard input.
pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clearance"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // In a thread of its own: neither side may wait for the other with its pipe full.
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&bytes);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// The lines of the program's standard output, parsed.
pub fn answers(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The same for bodies that need not be convex, for which there are no algorithms to choose and no manifolds.
pub const CONCAVE: &[(&str, &str, f64)] = &[
    (
        r#"{"type":"mesh","vertices":[[0,0,0],[6,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}"#,
        "[4,6,4]",
        1.0,
    ),
    (
        r#"{"type":"compound","parts":[{"type":"cuboid","half_extents":[1,1,1]},{"type":"point","pose":{"translation":[0,0,3]}}]}"#,
        "null",
        8.0,
    ),
];

/// One valid description of each of the other types; `new_ops.rs` has answers about them.
pub const OTHERS: &[&str] = &[
    r#"{"type":"half_space","normal":[0,0,1],"offset":1}"#,
    r#"{"type":"height_field","heights":[[0,0],[0,1]],"cell":[1,1]}"#,
    r#"{"type":"points","points":[[0,0,0],[1,0,0]],"radius":0.25}"#,
    r#"{"type":"tapered_capsule","half_length":1,"radii":[0.5,0.25]}"#,
    r#"{"type":"tapered_cylinder","bottom_radius":0.5,"top_radius":1,"height":2}"#,
];

/// One valid description of most convex shape types, with its counts (`null` if it has none) and volume.
pub const SHAPES: &[(&str, &str, f64)] = &[
    (r#"{"type":"point"}"#, "[1,0,0]", 0.0),
    (r#"{"type":"segment","half_length":2}"#, "[2,1,0]", 0.0),
    (r#"{"type":"rectangle","half_extents":[1,2]}"#, "[4,4,1]", 0.0),
    (r#"{"type":"disc","radius":1}"#, "null", 0.0),
    (r#"{"type":"ellipse","radii":[1,2]}"#, "null", 0.0),
    (r#"{"type":"sphere","radius":1}"#, "null", 4.1887902047863905),
    (r#"{"type":"cuboid","half_extents":[1,2,3]}"#, "[8,12,6]", 48.0),
    (r#"{"type":"ellipsoid","radii":[1,2,3]}"#, "null", 25.132741228718345),
    (r#"{"type":"capsule","half_length":1,"radius":1}"#, "null", 10.471975511965976),
    (r#"{"type":"lozenge","half_extents":[1,1],"radius":1}"#, "null", 24.755160819145562),
    (r#"{"type":"round_box","half_extents":[1,1,1],"radius":1}"#, "null", 55.03834612632576),
    (r#"{"type":"cylinder","half_height":1,"radius":1}"#, "null", std::f64::consts::TAU),
    (r#"{"type":"cone","height":3,"radius":1}"#, "null", std::f64::consts::PI),
    (r#"{"type":"wheel","disc_radius":1,"radius":1}"#, "null", 20.341579913055335),
    (r#"{"type":"frustum","bottom":[1,1],"top":[0.5,0.5],"height":3}"#, "[8,12,6]", 7.0),
    (r#"{"type":"triangle","points":[[0,0,0],[1,0,0],[0,1,0]]}"#, "[3,3,1]", 0.0),
    (r#"{"type":"polygon","points":[[0,0,1],[1,0,1],[1,1,1],[0,1,1],[0.5,0.5,1]]}"#, "[4,4,1]", 0.0),
    (r#"{"type":"polytope","points":[[0,0,0],[6,0,0],[0,1,0],[0,0,1],[1,0.1,0.1]]}"#, "[4,6,4]", 1.0),
    (
        r#"{"type":"polytope","points":[[0,0,0],[6,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}"#,
        "[4,6,4]",
        1.0,
    ),
    (
        r#"{"type":"sum","of":[{"type":"cuboid","half_extents":[1,1,1]},{"type":"segment","half_length":1}]}"#,
        "null",
        16.0,
    ),
    (
        r#"{"type":"hull","of":[{"type":"rectangle","half_extents":[1,1]},{"type":"point","pose":{"translation":[0,0,3]}}]}"#,
        "null",
        4.0,
    ),
    (
        r#"{"type":"difference","of":[{"type":"cuboid","half_extents":[1,1,1]},{"type":"cuboid","half_extents":[1,1,1]}]}"#,
        "null",
        64.0,
    ),
    (
        r#"{"type":"posed","shape":{"type":"cuboid","half_extents":[1,1,1]},"pose":{"translation":[1,0,0]}}"#,
        "[8,12,6]",
        8.0,
    ),
    (r#"{"type":"rounded","shape":{"type":"point"},"radius":1}"#, "null", 4.1887902047863905),
];
