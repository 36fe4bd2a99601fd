//! The program itself: streams, files, exit status, help.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use clearance_cli::query::{Code, Session, answer_lines};
use common::{answers, error, run};
use serde_json::{Value, json};

const SPHERE: &str = r#"{"id":1,"op":"aabb","a":{"type":"sphere","radius":2}}"#;

#[test]
fn good_lines_exit_with_0() {
    let output = run(&["query"], format!("{SPHERE}\n\n  \r\n{SPHERE}\r\n{SPHERE}").as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answers(&output), vec![json!({"id": 1, "min": [-2.0, -2.0, -2.0], "max": [2.0, 2.0, 2.0]}); 3]);
    assert!(output.stderr.is_empty());
    let empty = run(&["query", "-"], b"");
    assert_eq!((empty.status.code(), empty.stdout.len()), (Some(0), 0));
}

#[test]
fn bad_lines_exit_with_2_and_the_others_are_answered_in_order() {
    let mut input = format!("\u{feff}{SPHERE}\n{{oops\n").into_bytes();
    input.extend(b"{\"id\":2,\"op\":\"\xff\"}\n");
    input.extend(b"{\"id\":3,\"op\":\"aabb\",\"a\":\"gone\"}\n\n");
    input.extend(SPHERE.replace("\"id\":1", "\"id\":4").as_bytes());
    let output = run(&["query"], &input);
    assert_eq!(output.status.code(), Some(2));
    let answers = answers(&output);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1), &Value::Null, &json!(2), &json!(3), &json!(4)]);
    let codes: Vec<&str> = answers[1..4].iter().map(|answer| error(answer).0).collect();
    assert_eq!(codes, ["malformed-json", "not-utf8", "undefined-shape"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("3 of 5 lines") && message.contains("standard input:2: malformed-json"), "{message}");
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clearance"))
        .arg("query")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..20 {
        writeln!(input, r#"{{"id":{id},"op":"aabb","a":{{"type":"point"}}}}"#).unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], id);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clearance"))
        .arg("query")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may be gone before all is written.
    for _ in 0..1000 {
        let _ = writeln!(input, "{SPHERE}");
    }
    drop(input);
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!((child.wait().unwrap().code(), message.as_str()), (Some(0), ""));
}

#[test]
fn files_are_read_or_named_in_the_complaint() {
    let directory = std::env::temp_dir().join(format!("clearance-query-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("questions.jsonl");
    std::fs::write(&file, format!("{SPHERE}\n{{\"op\":7}}\n")).unwrap();
    let output = run(&["query", file.to_str().unwrap()], b"");
    assert_eq!((output.status.code(), answers(&output).len()), (Some(2), 2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("questions.jsonl:2: bad-field: op"));
    for bad in [directory.join("absent.jsonl"), directory.clone()] {
        let output = run(&["query", bad.to_str().unwrap()], b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        assert!(message.contains(bad.to_str().unwrap()) && message.contains("cannot read"), "{message}");
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn long_lines_are_passed_over() {
    let long = format!(r#"{{"id":7,"op":"aabb","a":"{}"}}"#, "x".repeat(5000));
    let text = format!("{SPHERE}\n{long}\n{SPHERE}\n{long}");
    // A tiny buffer, so that lines come in pieces.
    let mut output = Vec::new();
    let mut bytes = 0;
    let summary =
        answer_lines(BufReader::with_capacity(7, text.as_bytes()), &mut output, 100, |read| bytes += read).unwrap();
    assert_eq!((summary.answers, summary.errors, bytes), (4, 2, text.len() as u64));
    let (line, error) = summary.first_error.unwrap();
    assert_eq!((line, error.code), (2, Code::LineTooLong));
    let lines: Vec<Value> =
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[1]["id"], 7, "the id is in the part that was read");
    assert_eq!(lines[0], lines[2]);
    // A line of exactly the limit is whole.
    let summary = answer_lines(SPHERE.as_bytes(), std::io::sink(), SPHERE.len(), |_| {}).unwrap();
    assert_eq!(summary.errors, 0);
}

#[test]
fn the_demo_is_short_and_answers_its_queries() {
    let output = run(&["demo"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.lines().count() < 40, "{text}");
    let mut session = Session::new();
    for line in include_str!("../examples/demo.jsonl").lines() {
        assert!(text.contains(&session.answer(line).unwrap().to_string()), "{line}");
    }
}

#[cfg(not(feature = "lab"))]
#[test]
fn a_program_without_the_lab_says_how_to_get_it() {
    for arguments in [&["lab"][..], &["lab", "list", "--json"], &["lab", "run", "all", "--quick"]] {
        let output = run(arguments, b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        assert!(message.contains("--features lab") && message.contains(&arguments[1..].join(" ")), "{message}");
    }
}

#[cfg(feature = "lab")]
#[test]
fn the_lab_lists_and_refuses_unknown_names() {
    assert_eq!(run(&["lab", "list"], b"").status.code(), Some(0));
    let listed = run(&["lab", "list", "--json"], b"");
    assert_eq!(answers(&listed).len(), clearance_lab::all().len());
    let unknown = run(&["lab", "run", "no-such-experiment", "--quick"], b"");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("unknown experiment 'no-such-experiment'"));
}

#[test]
fn help_names_every_code_and_every_shape() {
    let output = run(&["query", "--help"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for code in Code::ALL {
        assert!(text.contains(code.name()), "{code}");
    }
    for name in clearance_cli::query::shapes::type_names().chain(clearance_cli::query::answer::op_names()) {
        assert!(text.contains(name), "{name}");
    }
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["lab", "--help"],
        &["demo", "--help"],
        &["simulate", "--help"],
        &["simulate", "-h"],
    ] {
        assert_eq!(run(arguments, b"").status.code(), Some(0), "{arguments:?}");
    }
    #[cfg(feature = "lab")]
    assert_eq!(run(&["lab", "run", "--help"], b"").status.code(), Some(0));
    assert_eq!(run(&["fly"], b"").status.code(), Some(2));
}
