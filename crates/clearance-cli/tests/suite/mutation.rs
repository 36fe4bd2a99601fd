//! Valid lines, mutated at random: never a panic, and exactly one JSON object in answer to every line that is not blank.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use crate::common;
use clearance_cli::query::answer::Fields;
use clearance_cli::query::{Code, Session, answer_lines};
use clearance_testkit::Rng;
use common::{CONCAVE, SHAPES};
use serde_json::value::RawValue;

/// What a number, a field or a piece of text is replaced by.
const WORDS: &[&str] = &[
    "0",
    "-0.0",
    "-1",
    "1e999",
    "1e-999",
    "1e75",
    "1e-75",
    "1e308",
    "5e-324",
    "0.1",
    "3",
    "99999999999999999999",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"s\"",
    "\"\\ud800\"",
    "[0,0,0]",
    "[[0,0,0]]",
    "{\"type\":\"point\"}",
    "\"type\"",
    "\"radius\"",
    "\"points\"",
    "\"of\"",
    "\"shape\"",
    "\"pose\"",
    "\"id\"",
    "\"op\"",
    "\"a\"",
    "\"b\"",
    "\"pose_b\"",
    "\"algorithm\"",
    "\"depth\"",
    "\"define\"",
    "\"sum\"",
    "\"hull\"",
    "\"polytope\"",
    "\"polygon\"",
    "\"cuboid\"",
    "\"sphere\"",
    "\"describe\"",
    "\"support\"",
    "\"overlap\"",
    "\"closest\"",
    "\"manifold\"",
    "\"cast\"",
    "\"contacts\"",
    "\"time_of_impact\"",
    "\"translation\"",
    "\"rotation\"",
    "\"distance\"",
    "\"mesh\"",
    "\"compound\"",
    "\"method\"",
    "\"max_points\"",
    "\"margin\"",
    "\"perturbed\"",
    "\"gjk-johnson\"",
    "\"auto\"",
    "\"mpr\"",
    "\"gilbert\"",
    "\"linear-program\"",
    "é",
    "\u{0}",
    "\\",
    "}",
    "]",
    "{",
    "[",
    ",",
    ":",
    "\"",
];

/// Numbers at the edges of what is accepted, and beyond.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "3",
    "1e-75",
    "1e-74",
    "1e75",
    "-1e75",
    "1e74",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-300",
    "1e-100",
    "0.1",
    "0.30000000000000004",
    "1.0000000000000002",
    "0.9999999999999999",
    "1e16",
    "1e-16",
    "1e40",
    "1e-40",
    "1e999",
    "7.5",
];

fn seeds() -> Vec<String> {
    let pose = r#""pose_a":{"translation":[1,2,3],"rotation":[0.5,0.5,0.5,0.5]}"#;
    let pose_b = r#""pose_b":{"translation":[2,2,3],"rotation":[0,0.6,0,0.8]}"#;
    // Each shape with the one a few places on.
    let all: Vec<_> = SHAPES.iter().chain(CONCAVE).collect();
    let others = all.iter().cycle().skip(5);
    let turn = r#""rotation":{"origin":[0,1,0],"axis":[0,0,1],"angle":-2}"#;
    let motion = r#""motion_a":{"linear":[1,0,0],"angular":[0,2,0]},"motion_b":{"translation":[0,1,0],"rotation":[0,0,0.6,0.8]}"#;
    let lines = all.iter().zip(others).flat_map(|((shape, ..), (other, ..))| {
        [
            format!(r#"{{"define":"s","shape":{shape}}}"#),
            format!(r#"{{"id":1,"op":"describe","a":{shape}}}"#),
            format!(r#"{{"id":[2,"x"],"op":"aabb","a":{shape},{pose}}}"#),
            format!(r#"{{"id":{{"k":3}},"op":"support","a":{shape},{pose},"direction":[1,-2,0.5]}}"#),
            format!(r#"{{"op":"support","a":{shape},"direction":[0,0,1]}}"#),
            format!(r#"{{"op":"aabb","a":{{"type":"hull","of":["s",{shape}]}}}}"#),
            format!(r#"{{"id":4,"op":"overlap","a":{shape},{pose},"b":{other},{pose_b},"algorithm":"sa-gjk"}}"#),
            format!(
                r#"{{"id":5,"op":"closest","a":{shape},{pose},"b":{other},{pose_b},"algorithm":"gjk","depth":"epa"}}"#
            ),
            format!(r#"{{"op":"closest","a":"s","b":{shape}}}"#),
            format!(r#"{{"op":"overlap","a":{shape},{pose},"b":{other},{pose_b},"algorithm":"mpr"}}"#),
            format!(r#"{{"op":"closest","a":{shape},"b":{other},{pose_b},"algorithm":"gjk-johnson","depth":"mpr"}}"#),
            format!(r#"{{"op":"manifold","a":{shape},{pose},"b":{other},{pose_b},"max_points":7,"margin":0.5}}"#),
            format!(r#"{{"id":6,"op":"manifold","a":{shape},"b":{other},"method":"perturbed","max_points":3}}"#),
            format!(r#"{{"op":"cast","a":{shape},{pose},"b":{other},{pose_b},"translation":[-3,0,1]}}"#),
            format!(r#"{{"id":8,"op":"cast","a":{shape},"b":{other},"pose_b":{{"translation":[4,5,0]}},{turn}}}"#),
            format!(r#"{{"op":"contacts","a":{shape},{pose},"b":{other},{pose_b},"distance":0.5}}"#),
            format!(r#"{{"op":"time_of_impact","a":{shape},{pose},"b":{other},{pose_b},{motion},"tolerance":0.001}}"#),
        ]
    });
    let points = "[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]]";
    let moving = ["vertex-face", "edge-edge"].map(|kind| {
        let end = points.replace(",1],[0", ",-1],[0");
        format!(r#"{{"id":7,"op":"feature_ccd","kind":"{kind}","t0":{points},"t1":{end}}}"#)
    });
    let ways = [r#""translation":[0,0,-2]"#, r#""rotation":{"origin":[0,0,1],"axis":[1,0,0],"angle":1.5}"#];
    let trajectories = ways.into_iter().flat_map(|way| {
        let face = r#""moving":[[0.25,0.25,1]],"resting":[[0,0,0],[1,0,0],[0,1,0]]"#;
        let edge = r#""moving":[[0,-1,1],[0,1,1]],"resting":[[-1,0,0],[1,0,0]],"outset":[0,0,1]"#;
        [("vertex-face", face), ("edge-edge", edge)].map(|(kind, features)| {
            format!(r#"{{"id":8,"op":"trajectory","kind":"{kind}",{features},{way},"zone":0.01}}"#)
        })
    });
    lines.chain(moving).chain(trajectories).collect()
}

/// Tokens of a line, roughly: numbers, strings and single characters.
fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if number(first) {
            rest.find(|c| !number(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

fn mutate(rng: &mut Rng, line: &str, other: &str) -> String {
    let mut tokens = tokens(line);
    for _ in 0..rng.integer(1, 3) {
        if tokens.is_empty() {
            break;
        }
        let at = rng.index(tokens.len());
        match rng.index(6) {
            0 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, rng.pick(WORDS)),
            2 => tokens.insert(at, tokens[rng.index(tokens.len())]),
            3 => tokens.truncate(at),
            _ => tokens[at] = rng.pick(WORDS),
        }
    }
    if rng.chance(0.05) { tokens.concat() + other } else { tokens.concat() }
}

/// Other numbers in the same places: the line stays well formed, and what is tried is the geometry.
fn renumber(rng: &mut Rng, line: &str) -> String {
    let mut tokens = tokens(line);
    let numbers: Vec<usize> =
        (0..tokens.len()).filter(|&i| tokens[i].starts_with(|c: char| c == '-' || c.is_ascii_digit())).collect();
    for _ in 0..rng.integer(1, 6) {
        if let Some(&at) = numbers.get(rng.index(numbers.len().max(1))) {
            tokens[at] = rng.pick(NUMBERS);
        }
    }
    tokens.concat()
}

/// A name or a field by another: the line stays well formed, and what is tried is the choice of ops and algorithms.
fn rename(rng: &mut Rng, line: &str) -> String {
    let mut tokens = tokens(line);
    let is_name = |token: &str| token.len() > 2 && token.starts_with('"') && token.ends_with('"');
    let names: Vec<&str> = WORDS.iter().copied().filter(|word| is_name(word)).collect();
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| is_name(tokens[i])).collect();
    if let Some(&at) = places.get(rng.index(places.len().max(1))) {
        tokens[at] = rng.pick(&names);
    }
    tokens.concat()
}

/// Whether `lower ≤ distance ≤ upper`, in an answer that has them.
fn has_ordered_bounds(fields: &Fields) -> bool {
    let number = |name| fields.iter().find(|(field, _)| *field == name).and_then(|(_, value)| value.as_f64());
    let numbers: Vec<f64> = ["lower", "distance", "upper"].into_iter().filter_map(number).collect();
    // A cast has a fraction between its bounds, an impact a time that is not below its own.
    if let Some(fraction) = number("fraction") {
        let bounds = [number("lower"), Some(fraction), number("upper")];
        return (0.0..=1.0).contains(&fraction) && bounds.into_iter().flatten().is_sorted();
    }
    if fields.iter().any(|(field, _)| *field == "at_start") {
        return number("time").is_none_or(|time| number("lower").is_some_and(|lower| lower <= time));
    }
    numbers.is_sorted() && (numbers.is_empty() || numbers.len() == 3)
}

/// Whether as many depths and features come with the points of a contact.
fn has_lists_of_one_length(fields: &Fields) -> bool {
    let names = ["points", "points_a", "points_b", "normals", "depths", "features"];
    let length =
        |name| fields.iter().find(|(field, _)| *field == name).and_then(|(_, list)| Some(list.as_array()?.len()));
    let lengths: Vec<usize> = names.into_iter().filter_map(length).collect();
    lengths.windows(2).all(|pair| pair[0] == pair[1]) && lengths.iter().all(|&length| length <= 16)
}

#[test]
fn mutated_lines_have_one_well_formed_answer() {
    let seeds = seeds();
    let mut rng = Rng::new(20_240_607);
    let mut session = Session::new();
    let (mut good, mut seen) = (0, std::collections::HashMap::new());
    let rounds = 40_000;
    for _ in 0..rounds {
        let (line, other) = (&seeds[rng.index(seeds.len())], &seeds[rng.index(seeds.len())]);
        let line = match rng.index(5) {
            0 | 1 => mutate(&mut rng, line, other),
            2 | 3 => renumber(&mut rng, line),
            _ => rename(&mut rng, line),
        };
        let Some(answer) = session.answer(&line) else {
            assert!(line.trim_ascii().is_empty());
            continue;
        };
        match &answer.body {
            Ok(fields) => {
                good += usize::from(!fields.is_empty());
                assert!(has_ordered_bounds(fields) && has_lists_of_one_length(fields), "{line}: {answer}");
            }
            Err(error) => *seen.entry(error.code).or_insert(0) += 1,
        }
        let text = answer.to_string();
        assert!(!text.contains('\n') && !text.contains('\r'), "{text}");
        // Raw, because an id may hold what the grammar allows and a number or a string does not: 1e999, half a surrogate.
        let grammatical = serde_json::from_str::<&RawValue>(&text);
        assert!(grammatical.is_ok() && text.starts_with('{'), "{text}");
    }
    // Neither all rejected nor all accepted: the mutations reach every kind of error that a session gives.
    assert!(good > rounds / 10, "{good} good of {rounds}");
    let rare = [Code::NotUtf8, Code::LineTooLong, Code::OutOfRange, Code::UnsupportedShape];
    for code in Code::ALL.iter().filter(|code| !rare.contains(code)) {
        assert!(seen.contains_key(code), "no {code} in {seen:?}");
    }
}

#[test]
fn mutated_bytes_have_one_answer_per_line() {
    let seeds = seeds();
    let mut rng = Rng::new(7);
    for _ in 0..200 {
        let mut bytes = Vec::new();
        for _ in 0..20 {
            bytes.extend_from_slice(seeds[rng.index(seeds.len())].as_bytes());
            bytes.push(b'\n');
        }
        for _ in 0..30 {
            let at = rng.index(bytes.len());
            bytes[at] = rng.integer(0, 255) as u8;
        }
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        let mut output = Vec::new();
        let summary = answer_lines(&bytes[..], &mut output, 1 << 16, |_| {}).unwrap();
        assert_eq!(summary.answers, lines as u64);
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.lines().count(), lines);
    }
}
