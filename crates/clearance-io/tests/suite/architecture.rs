//! Files and functions are short, and tolerances are in one file.

use std::path::Path;

use clearance_testkit::sources::Sources;

#[test]
fn files_and_functions_are_short() {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))).unwrap();
    let mut wrong = Vec::new();
    for file in &sources.files {
        if file.lines > 500 {
            wrong.push(format!("{}: {} lines", file.path, file.lines));
        }
        for function in file.functions.iter().filter(|function| function.lines > 60) {
            wrong.push(format!("{}:{}: {} has {} lines", file.path, function.line, function.name, function.lines));
        }
    }
    assert!(sources.files.len() > 30 && wrong.is_empty(), "{wrong:#?}");
}
