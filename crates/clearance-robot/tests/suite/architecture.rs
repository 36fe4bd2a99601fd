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
    assert!(sources.files.len() > 15 && wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn small_numbers_are_tolerances() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("tolerance.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let found: Vec<&str> = code.filter(|line| line.contains("1e-") || line.contains("1.0e-")).collect();
                assert!(found.is_empty(), "{}: {found:?}", path.display());
            }
        }
    }
}

#[test]
fn files_do_not_import_each_other_in_a_cycle() {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))).unwrap();
    let cycles: Vec<String> = sources.cycles().iter().map(|lines| lines.join("\n")).collect();
    assert!(cycles.is_empty(), "{} cycles:\n{}", cycles.len(), cycles.join("\n\n"));
}
