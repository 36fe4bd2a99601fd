//! Bad scenes: each error names the source, the place and the reason, and nothing panics.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use crate::common;
use clearance_cli::simulate::motion::Simulation;
use clearance_cli::simulate::scene::Overrides;
use clearance_cli::simulate::source::{BUILT_IN, parse};
use clearance_testkit::Rng;
use common::run;

const BALL: &str = r#"{"shape":{"type":"sphere","radius":1}}"#;

fn complaint(text: &str) -> String {
    parse("scene.json", text, &Overrides::default()).expect_err(text).to_string()
}

/// A scene with one ball and other fields.
fn with(more: &str) -> String {
    format!(r#"{{"clearance":1,"frames":3,"bodies":[{BALL}]{more}}}"#)
}

#[test]
fn bad_fields_are_named() {
    let swarm = |fields: &str| with(&format!(r#","room":{{"density":0.1}},"swarms":[{{{fields}}}]"#));
    let good = r#""count":3,"kind":"rod","vertices":9,"radius":1,"speed":0.1,"spin_degrees":1"#;
    assert!(parse("good", &swarm(good), &Overrides::default()).is_ok());
    let cases = [
        (r#"{"frames":3}"#.to_owned(), "clearance is missing"),
        (r#"{"clearance":2,"frames":3}"#.to_owned(), "clearance is 2; this program reads version 1"),
        (format!(r#"{{"clearance":1,"bodies":[{BALL}]}}"#), "frames is missing"),
        (r#"{"clearance":1,"frames":3}"#.to_owned(), "nothing moves here"),
        (with(r#","frmes":3"#), "frmes is no field here (did you mean 'frames'?)"),
        (with(r#","seed":-1"#), "seed must be a whole number"),
        (with(r#","mode":"boolaen""#), "mode is 'boolaen' (did you mean 'boolean'?); known: boolean, combined"),
        (
            with(r#","broad":"sweep""#),
            "broad is 'sweep'; known: grid, tree, sweep-and-prune, partitioned-sweep, brute-force",
        ),
        (with(r#","boxes":7"#), "boxes must be a string, not a number"),
        (with(r#","schedule":1"#), "schedule must be a boolean, not a number"),
        (with(r#","within":1"#), "within is of use only if mode is 'closest'"),
        (with(r#","mode":"closest","within":-1"#), "within is -1; it must not be negative"),
        (with(r#","reaction":"bounce""#), "reaction is 'bounce'"),
        (with(r#","ignore":[[0,1],[64,0]]"#), "ignore[1][0] must be a whole number from 0 to 63"),
        (with(r#","ignore":[[0]]"#), "ignore[0] must have 2 groups, not 1"),
        (with(r#","room":{"half_extents":[1,0,1]}"#), "room.half_extents must be positive"),
        (with(r#","room":{"half_extents":[5,0.5,5]}"#), "less than the radius 1 of the largest body"),
        (with(r#","room":{"half_extents":[5,5,5],"center":[9,0,0]}"#), "bodies[0].pose.translation"),
        (with(r#","room":{"density":1e-300}"#), "room is more than 1e75 wide"),
        (with(r#","room":{"density":0}"#), "room.density is 0; it must be above 0"),
        (with(r#","room":{"density":0.1,"center":[0,0,0]}"#), "room.center is no field here"),
        (with(r#","shapes":{"a":"b"}"#), "shapes.a is 'b', which nothing before it defined"),
        (with(&format!(r#","swarms":[{{{good}}}]"#)), "room is missing"),
        (swarm(&good.replace("rod", "rid")), "swarms[0].kind is 'rid' (did you mean 'rod'?)"),
        (swarm(&good.replace("\"vertices\":9", "\"vertices\":3")), "swarms[0].vertices must be a whole number from 4"),
        (swarm(&good.replace("\"count\":3", "\"count\":0")), "swarms[0].count must be a whole number from 1"),
        (swarm(&good.replace("\"radius\":1", "\"radius\":0")), "swarms[0].radius is 0; it must be positive"),
        (swarm(&good.replace("\"speed\"", "\"sped\"")), "swarms[0].sped is no field here (did you mean 'speed'?)"),
        (swarm(&good.replace("degrees\":1", "degrees\":361")), "swarms[0].spin_degrees is 361 degrees"),
        (swarm(&format!(r#"{good},"models":4"#)), "swarms[0].models must be a whole number from 1 to 3"),
    ];
    for (text, expected) in cases {
        let message = complaint(&text);
        assert!(message.starts_with("scene.json: ") && message.contains(expected), "{expected}\n{message}\n{text}");
    }
}

#[test]
fn bad_bodies_are_named() {
    let bodies = |body: &str| format!(r#"{{"clearance":1,"frames":3,"bodies":[{BALL},{body}]}}"#);
    let cases = [
        ("{}", "bodies[1].shape is missing"),
        (r#"{"shape":{"type":"spere","radius":1}}"#, "bodies[1].shape.type is 'spere', no known shape (did you mean"),
        (r#"{"shape":{"type":"sphere","radius":-1}}"#, "bodies[1].shape.radius"),
        (r#"{"shape":"ball"}"#, "bodies[1].shape is 'ball', which nothing before it defined"),
        (r#"{"shape":{"type":"point"},"velocty":[1,0,0]}"#, "velocty is no field here (did you mean 'velocity'?)"),
        (r#"{"shape":{"type":"point"},"velocity":[1,0]}"#, "bodies[1].velocity must have 3 numbers"),
        (r#"{"shape":{"type":"point"},"velocity":[1e200,0,0]}"#, "bodies[1].velocity is more than 1e75 in a frame"),
        (r#"{"shape":{"type":"point"},"spin_degrees":[0,400,0]}"#, "bodies[1].spin_degrees is 400 degrees"),
        (r#"{"shape":{"type":"point"},"pose":{"rotation":[0,0,0,2]}}"#, "bodies[1].pose.rotation"),
        (r#"{"shape":{"type":"point"},"group":64}"#, "bodies[1].group must be a whole number from 0 to 63"),
        (r#"{"name":"x","name":"y","shape":{"type":"point"}}"#, "bodies[1].name is given twice"),
        (
            r#"{"name":"x","shape":{"type":"point"}},{"name":"x","shape":{"type":"point"}}"#,
            "bodies[2] has the name 'x'",
        ),
    ];
    for (body, expected) in cases {
        let message = complaint(&bodies(body));
        assert!(message.contains(expected), "{expected}\n{message}");
    }
}

#[test]
fn text_that_is_no_json_has_line_and_column() {
    let broken = "{\n  \"clearance\": 1,\n  \"bodies\": [{\"shape\": {\"type\": \"sphere\", \"radius\": NaN}}]\n}";
    let message = complaint(broken);
    assert!(message.starts_with("scene.json:3:") && message.contains("in bodies[0].shape.radius: "), "{message}");
    assert!(complaint("[1]").contains("a scene must be one JSON object"));
    assert!(complaint("").contains("EOF"));
    assert!(complaint(&"[".repeat(100_000)).len() < 200);
}

#[test]
fn the_program_names_the_file_and_exits_with_2() {
    let check = |arguments: &[&str], input: &[u8], expected: &[&str]| {
        let output = run(&[&["simulate"], arguments].concat(), input);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        for part in expected {
            assert!(message.contains(part), "{part} is not in {message}");
        }
    };
    check(&["thesis-50"], b"", &["thesis-50: there is no such file", "did you mean 'thesis-500'?"]);
    check(&["absent/scene.json"], b"", &["absent/scene.json: cannot read"]);
    check(&["."], b"", &[".: cannot read"]);
    check(&["-"], b"{\n\"clearance\": \xff}", &["standard input:2:14: is not UTF-8"]);
    check(&["-"], with(r#","moode":1"#).as_bytes(), &["standard input: moode is no field here (did you mean 'mode'?)"]);
    check(&["thesis-500", "--frames", "0"], b"", &["--frames"]);
    check(&["thesis-500", "--threads", "0"], b"", &["--threads"]);
    check(&["thesis-500", "--mode", "bolean"], b"", &["boolean"]);
    check(&[], b"", &["<SCENE>"]);
    let directory = std::env::temp_dir().join(format!("clearance-simulate-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("bad.json");
    std::fs::write(&file, "{\"clearance\": 1,\n\"frames\" 3}").unwrap();
    check(&[file.to_str().unwrap()], b"", &["bad.json:2:10: in frames: expected `:`"]);
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_body_that_leaves_all_space_ends_the_run_with_its_name() {
    let text =
        r#"{"clearance":1,"frames":9,"bodies":[{"name":"arrow","shape":{"type":"point"},"velocity":[9e74,0,0]}]}"#;
    let output = run(&["simulate", "-"], text.as_bytes());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("body 0 ('arrow') in frame 3") && message.contains("a room would keep it"), "{message}");
}

/// Tokens of a text, roughly: numbers, strings and single characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if number(first) {
            rest.find(|c| !number(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    tokens
}

const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "3",
    "1e75",
    "1e-75",
    "1e308",
    "5e-324",
    "1e999",
    "0.5",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"closest\"",
    "\"contacts\"",
    "\"combined\"",
    "\"pass\"",
    "\"tree\"",
    "\"brute-force\"",
    "\"sweep-and-prune\"",
    "\"fixed\"",
    "\"bodies\"",
    "\"shapes\"",
    "\"swarms\"",
    "\"room\"",
    "\"density\"",
    "\"mixed\"",
    "\"plate\"",
    "\"group\"",
    "\"ignore\"",
    "\"schedule\"",
    "[0,0,0]",
    "[1e9,0,0]",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "é",
];

/// Numbers where numbers are: the scene stays well formed, and what is tried is its meaning.
const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "7.5", "-1", "0.1", "1e-9", "1e9", "1e-40", "1e40", "1e-75", "1e75", "-1e74", "1e300", "63"];

fn mutate(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    let numbers: Vec<usize> =
        (0..tokens.len()).filter(|&i| tokens[i].starts_with(|c: char| c == '-' || c.is_ascii_digit())).collect();
    let wild = rng.chance(0.4);
    for _ in 0..rng.integer(1, 4) {
        let at = rng.index(tokens.len());
        match rng.index(5) {
            _ if !wild => tokens[numbers[rng.index(numbers.len())]] = rng.pick(NUMBERS).to_owned(),
            0 => tokens[at].clear(),
            1 => tokens[at].insert_str(0, rng.pick(WORDS)),
            2 => tokens.truncate(at.max(1)),
            _ => tokens[at] = rng.pick(WORDS).to_owned(),
        }
    }
    tokens.concat()
}

#[test]
fn mutated_scenes_run_or_are_refused() {
    let small = r#"{"clearance":1,"frames":4,"seed":3,"room":{"density":0.4},"mode":"closest","within":0.5,"broad":"tree",
        "boxes":"dynamic","schedule":true,"reaction":"reverse","ignore":[[1,2]],
        "shapes":{"box":{"type":"cuboid","half_extents":[1,0.5,0.2]}},
        "bodies":[{"name":"a","shape":"box","pose":{"translation":[0.5,0,0],"rotation":[0,0.6,0,0.8]},
        "velocity":[0.1,0.2,0.3],"spin_degrees":[5,0,9],"group":1},{"shape":{"type":"cone","height":1,"radius":0.5}}],
        "swarms":[{"count":7,"kind":"mixed","vertices":9,"models":3,"radius":1,"speed":0.3,"spin_degrees":20,"group":2}]}"#;
    let open = r#"{"clearance":1,"frames":5,"bodies":[
        {"shape":{"type":"capsule","half_length":1,"radius":0.5},"velocity":[0.1,0,0],"spin_degrees":[3,0,0]},
        {"shape":{"type":"cuboid","half_extents":[1,2,3]},"pose":{"translation":[2,0,0]},"velocity":[-0.3,0,0]}]}"#;
    let texts = [small, BUILT_IN[2].text, open];
    let mut rng = Rng::new(20_261_115);
    let (mut ran, mut refused, mut stopped) = (0, 0, 0);
    let rounds = 20_000;
    for round in 0..rounds {
        let text = mutate(&mut rng, texts[round % 3]);
        match parse("scene", &text, &Overrides::default()) {
            Err(error) => {
                refused += 1;
                let message = error.to_string();
                assert!(message.starts_with("scene:") && !message.contains('\n') && message.len() < 600, "{message}");
            }
            Ok(scene) => {
                let run = || -> Result<(), Box<dyn std::error::Error>> {
                    let mut simulation = Simulation::new(&scene)?;
                    for _ in 0..scene.frames.min(5) {
                        let _ = simulation.advance()?;
                    }
                    Ok(())
                };
                match run() {
                    Ok(()) => ran += 1,
                    Err(_) => stopped += 1,
                }
            }
        }
    }
    assert!(
        ran > rounds / 10 && refused > rounds / 10 && stopped > 20,
        "{ran} ran, {refused} refused, {stopped} stopped"
    );
}
