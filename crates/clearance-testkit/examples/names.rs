//! Lists what a user of `clearance` can name, and fails if two types have one name or there are too many.
//!
//! `make names`

use std::path::Path;
use std::process::ExitCode;

use clearance_testkit::sources::{Kind, MOST_PUBLIC_TYPES, PublicName, Sources};

fn main() -> Result<ExitCode, String> {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../clearance/src")))?;
    let names = sources.public_names();
    print(&names);
    let mut study = sources.names_under(&["study"]);
    study.retain(|name| names.iter().all(|other| other.defined != name.defined));
    println!("\nwith the feature `study`");
    print(&study);
    let twice = sources.names_of_two_types(&["study"]);
    for [first, second] in &twice {
        println!("one name, two types: {} and {}", first.path, second.path);
    }
    let [own, more] = [&names, &study].map(|names| names.iter().filter(|name| name.kind == Kind::Type).count());
    println!("\n{own} public types, at most {MOST_PUBLIC_TYPES}; {more} more with the feature `study`");
    Ok(if twice.is_empty() && own <= MOST_PUBLIC_TYPES { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(names: &[PublicName]) {
    let kinds = [
        (Kind::Type, "types"),
        (Kind::Trait, "traits"),
        (Kind::Alias, "aliases"),
        (Kind::Function, "functions"),
        (Kind::Constant, "constants"),
    ];
    for (kind, title) in kinds {
        let of_kind: Vec<_> = names.iter().filter(|name| name.kind == kind).collect();
        println!("{} {title}", of_kind.len());
        for name in of_kind {
            println!("  {:<44} {}", name.path, name.defined);
        }
    }
}
