//! Lists what a user of `clearance` can name, and fails if two types have one name or there are too many.
//!
//! `make names`

use std::path::Path;
use std::process::ExitCode;

use clearance_testkit::sources::{Kind, MOST_PUBLIC_TYPES, Sources};

fn main() -> Result<ExitCode, String> {
    let sources = Sources::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../clearance/src")))?;
    let names = sources.public_names();
    for (kind, title) in [(Kind::Type, "types"), (Kind::Function, "functions"), (Kind::Constant, "constants")] {
        let of_kind: Vec<_> = names.iter().filter(|name| name.kind == kind).collect();
        println!("{} {title}", of_kind.len());
        for name in of_kind {
            println!("  {:<44} {}", name.path, name.defined);
        }
    }
    let twice = sources.types_of_one_name();
    for [first, second] in &twice {
        println!("one name, two types: {} and {}", first.path, second.path);
    }
    let types = names.iter().filter(|name| name.kind == Kind::Type).count();
    let ok = twice.is_empty() && types <= MOST_PUBLIC_TYPES;
    println!("{types} public types, at most {MOST_PUBLIC_TYPES}");
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
