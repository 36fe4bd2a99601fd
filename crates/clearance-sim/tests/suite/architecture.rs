//! The simulator's sources are short.
#![allow(clippy::expect_used)] // a test says what it found by failing

use std::path::Path;

use clearance_testkit::sources::Sources;

#[test]
fn files_and_functions_are_short() {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))).expect("sources");
    let files = sources.files.iter().filter(|file| file.lines > 500).map(|file| file.path.clone());
    let functions = sources.files.iter().flat_map(|file| {
        let long = file.functions.iter().filter(|function| function.lines > 60);
        long.map(|function| format!("{}:{}: {}", file.path, function.line, function.name))
    });
    let long: Vec<String> = files.chain(functions).collect();
    assert!(sources.files.len() > 20 && long.is_empty(), "too long: {long:?}");
}
