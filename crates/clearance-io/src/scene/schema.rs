//! The published schema, and values compared with it: every problem of a file, each with the path of its field.

use clearance_terminal::edits;
use serde_json::Value;

use super::format::SceneFile;
use crate::text::short;

/// Problems of one file that are told.
const MOST_PROBLEMS: usize = 100;

/// The JSON Schema of scene files, as it is published.
pub fn schema_text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).unwrap_or_default();
    text.push('\n');
    text
}

pub(super) fn schema() -> Value {
    schemars::schema_for!(SceneFile).to_value()
}

/// Compares a value with the schema. Problems are `path: what is wrong`.
pub(super) fn problems(value: &Value) -> Vec<String> {
    let root = schema();
    let mut check = Check { root: &root, problems: Vec::new() };
    check.value(value, &root, "");
    check.problems
}

struct Check<'s> {
    root: &'s Value,
    problems: Vec<String>,
}

impl<'s> Check<'s> {
    fn add(&mut self, path: &str, message: String) {
        if self.problems.len() < MOST_PROBLEMS {
            let path = if path.is_empty() { "the scene" } else { path };
            self.problems.push(format!("{path}: {message}"));
        }
    }

    /// The definition that a schema refers to.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        let name = schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/$defs/"));
        name.map_or(schema, |name| &self.root["$defs"][name])
    }

    fn value(&mut self, value: &Value, schema: &'s Value, path: &str) {
        let schema = self.resolved(schema);
        if let Some(options) = schema["anyOf"].as_array() {
            // An optional field: the definition, or null.
            let Some(inner) = options.iter().find(|option| option["type"] != "null") else { return };
            if !value.is_null() {
                self.value(value, inner, path);
            }
            return;
        }
        if let Some(names) = constants(schema) {
            if !value.as_str().is_some_and(|given| names.contains(&given)) {
                let given = value.as_str().map_or_else(|| kind(value).to_owned(), |text| format!("'{}'", short(text)));
                let hint = value.as_str().map_or_else(String::new, |given| nearest(given, names.iter().copied()));
                self.add(path, format!("is {given}{hint}; it must be one of {}", names.join(", ")));
            }
            return;
        }
        if !fits(value, &schema["type"]) {
            self.add(path, format!("must be {}, not {}", wanted(&schema["type"]), kind(value)));
            return;
        }
        match value {
            Value::Object(members) => self.object(members, schema, path),
            Value::Array(elements) => self.list(elements, schema, path),
            _ => {}
        }
    }

    fn object(&mut self, members: &serde_json::Map<String, Value>, schema: &'s Value, path: &str) {
        let Some(known) = schema["properties"].as_object() else { return };
        let at = |name: &str| if path.is_empty() { short(name) } else { format!("{path}.{}", short(name)) };
        for (name, value) in members {
            match known.get(name) {
                Some(inner) => self.value(value, inner, &at(name)),
                None => {
                    let hint = nearest(name, known.keys().map(String::as_str));
                    let names: Vec<&str> = known.keys().map(String::as_str).collect();
                    self.add(&at(name), format!("is no field here{hint}; known: {}", names.join(", ")));
                }
            }
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                self.add(&at(name), "is missing".to_owned());
            }
        }
    }

    fn list(&mut self, elements: &[Value], schema: &'s Value, path: &str) {
        let bound = |name: &str| schema[name].as_u64();
        if let (Some(least), Some(most)) = (bound("minItems"), bound("maxItems"))
            && !(least..=most).contains(&(elements.len() as u64))
        {
            let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            self.add(path, format!("must have {wanted} elements, not {}", elements.len()));
            return;
        }
        if schema["items"].is_object() {
            for (index, element) in elements.iter().enumerate() {
                self.value(element, &schema["items"], &format!("{path}[{index}]"));
            }
        }
    }
}

/// The texts of an enumeration.
fn constants(schema: &Value) -> Option<Vec<&str>> {
    if let Some(names) = schema["enum"].as_array() {
        return Some(names.iter().filter_map(Value::as_str).collect());
    }
    let options = schema["oneOf"].as_array()?;
    Some(options.iter().filter_map(|option| option["const"].as_str()).collect())
}

fn fits(value: &Value, kinds: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str() {
        Some("integer") => value.as_u64().is_some_and(|number| u32::try_from(number).is_ok()),
        Some("number") => value.as_f64().is_some_and(f64::is_finite),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => true,
    };
    match kinds {
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    }
}

fn wanted(kinds: &Value) -> String {
    let name = |kind: &Value| match kind.as_str() {
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("string") => "a text",
        Some("boolean") => "true or false",
        Some("array") => "a list",
        _ => "an object",
    };
    match kinds {
        Value::Array(kinds) => name(kinds.iter().find(|kind| *kind != "null").unwrap_or(&Value::Null)).to_owned(),
        kind => name(kind).to_owned(),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// ` (did you mean 'x'?)` for the name nearest to what was given, or nothing if none is near.
pub fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> String {
    if given.len() > 64 {
        return String::new();
    }
    let near = names.filter(|name| name.len() <= 128).map(|name| (edits(given, name), name)).min();
    match near {
        Some((slips, name)) if slips <= name.chars().count().div_ceil(3) => {
            format!(" (did you mean '{}'?)", short(name))
        }
        _ => String::new(),
    }
}
