//! The sources keep to the map in ARCHITECTURE.md: imports point upward, no cycles, nothing too long, names exist once.
#![allow(clippy::expect_used)] // a test says what it found by failing

use std::path::Path;

use clearance_testkit::sources::{Kind, MOST_PUBLIC_TYPES, Sources};

/// Lines of a file and of a function.
const LONGEST: [usize; 2] = [500, 60];

fn sources() -> Sources {
    Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))).expect("sources")
}

/// The modules in the order of the map: the lines that are indented as those under `src/` are.
fn order() -> Vec<String> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../ARCHITECTURE.md")).expect("map");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().skip_while(|line| line.trim() != "src/").collect();
    let depth = indent(lines[0]) + 2;
    let inside = lines[1..].iter().take_while(|line| indent(line) >= depth);
    let names = inside.filter(|line| indent(line) == depth).filter_map(|line| line.split_whitespace().next());
    names.map(|name| name.trim_end_matches('/').trim_end_matches(".rs").to_owned()).collect()
}

#[test]
fn every_module_is_in_the_map() {
    let order = order();
    assert!(order.len() > 10, "{order:?}");
    let missing = sources().not_in(&order);
    assert!(missing.is_empty(), "not in ARCHITECTURE.md: {missing:?}");
}

#[test]
fn imports_point_upward() {
    let wrong = sources().against_order(&order());
    assert!(wrong.is_empty(), "{} imports against the order:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn files_of_a_module_do_not_import_each_other_in_a_cycle() {
    let cycles: Vec<String> = sources().cycles().iter().map(|lines| lines.join("\n")).collect();
    assert!(cycles.is_empty(), "{} cycles:\n{}", cycles.len(), cycles.join("\n\n"));
}

#[test]
fn files_and_functions_are_short() {
    let sources = sources();
    let mut long = Vec::new();
    for file in &sources.files {
        if file.lines > LONGEST[0] {
            long.push(format!("{}: {} lines", file.path, file.lines));
        }
        for function in file.functions.iter().filter(|function| function.lines > LONGEST[1]) {
            long.push(format!("{}:{}: {} has {} lines", file.path, function.line, function.name, function.lines));
        }
    }
    assert!(sources.files.iter().map(|file| file.functions.len()).sum::<usize>() > 500, "functions are found");
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}

#[test]
fn public_types_are_few_and_their_names_exist_once() {
    let sources = sources();
    let twice = sources.names_of_two_types(&["study"]);
    assert!(twice.is_empty(), "one name, two types: {twice:#?}");
    let types = sources.public_names().into_iter().filter(|name| name.kind == Kind::Type).count();
    assert!((50..=MOST_PUBLIC_TYPES).contains(&types), "{types} public types: see `make names`");
    assert!(sources.names_under(&["study"]).len() > 20, "the algorithms have names");
}

/// A file that `main.rs` does not name is never compiled.
#[test]
fn every_file_of_tests_is_part_of_its_program() {
    for crate_name in ["clearance", "clearance-cli"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(crate_name).join("tests/suite");
        let main = std::fs::read_to_string(folder.join("main.rs")).expect("main.rs");
        let files = std::fs::read_dir(&folder).expect("suite").map(|file| file.expect("file").path());
        let names: Vec<String> = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        assert!(names.len() > 10, "{names:?}");
        let missing: Vec<&String> =
            names.iter().filter(|name| *name != "main" && !main.contains(&format!("\nmod {name};\n"))).collect();
        assert!(missing.is_empty(), "not in {}: {missing:?}", folder.join("main.rs").display());
    }
}
