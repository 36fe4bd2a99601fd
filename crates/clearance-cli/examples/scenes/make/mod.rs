//! The example scenes, each with findings that are known by construction.

mod building;
mod cabinet;
mod crank;
mod dominoes;
mod gears;

use serde_json::Value;

#[allow(unused_imports, reason = "for tests")]
pub use crank::{CONTACT_FROM, CONTACT_TO};
#[allow(unused_imports, reason = "for tests")]
pub use gears::LONG_TOOTH_AT;

/// The files of all example scenes: names and contents.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let mut files = gears::files();
    files.extend([
        ("crank.json", text(&crank::scene())),
        ("cabinet.json", text(&cabinet::scene())),
        ("building.json", text(&building::scene())),
        ("dominoes.json", text(&dominoes::scene())),
        ("building.map", building::map().into_bytes()),
    ]);
    files
}

/// A scene as text with a line for each part and each move.
pub fn text(scene: &Value) -> Vec<u8> {
    let Some(members) = scene.as_object() else { return Vec::new() };
    let mut lines = Vec::new();
    for (name, value) in members {
        let content = match value {
            Value::Array(elements) => list(elements, "    ", "  "),
            Value::Object(inner) => {
                let fields: Vec<String> = inner
                    .iter()
                    .map(|(name, value)| match value {
                        Value::Array(elements) if elements.iter().all(Value::is_object) => {
                            format!("    \"{name}\": {}", list(elements, "      ", "    "))
                        }
                        other => format!("    \"{name}\": {other}"),
                    })
                    .collect();
                format!("{{\n{}\n  }}", fields.join(",\n"))
            }
            other => other.to_string(),
        };
        lines.push(format!("  \"{name}\": {content}"));
    }
    format!("{{\n{}\n}}\n", lines.join(",\n")).into_bytes()
}

fn list(elements: &[Value], indent: &str, end: &str) -> String {
    let lines: Vec<String> = elements.iter().map(|element| format!("{indent}{element}")).collect();
    format!("[\n{}\n{end}]", lines.join(",\n"))
}
