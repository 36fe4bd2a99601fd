//! The sources of the package are short. That this is a test of the crate also makes `cargo test` build the library that Python loads.

use std::path::{Path, PathBuf};

use clearance_testkit::sources::Sources;

#[test]
fn files_and_functions_are_short() {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))).unwrap();
    let mut long = Vec::new();
    for file in &sources.files {
        if file.lines > 500 {
            long.push(format!("{}: {} lines", file.path, file.lines));
        }
        for function in file.functions.iter().filter(|function| function.lines > 60) {
            long.push(format!("{}:{}: {} has {} lines", file.path, function.line, function.name, function.lines));
        }
    }
    assert!(sources.files.len() > 10 && long.is_empty(), "too long:\n{}", long.join("\n"));
}

#[test]
fn python_files_are_short() {
    let mut seen = 0;
    for path in python_files(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 500, "{}: {lines} lines", path.display());
        seen += 1;
    }
    assert!(seen > 8, "{seen} files");
}

fn python_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let is_python = |path: &PathBuf| path.extension().is_some_and(|end| end == "py" || end == "pyi");
    let mut found: Vec<PathBuf> = files.into_iter().filter(is_python).collect();
    found.extend(folders.iter().flat_map(|folder| python_files(folder)));
    found
}
