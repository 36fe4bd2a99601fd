//! `clearance range`: the directional contact range of two shapes, each a mesh file, a JSON file or JSON itself.

use std::io::{self, Write};

use serde_json::Value;

use crate::Outcome;
use crate::query::Session;

/// What to ask.
#[derive(Clone, Debug)]
pub struct Question {
    /// A mesh file, a file with a shape, or a shape as JSON.
    pub a: String,
    /// The same for the body that moves.
    pub b: String,
    /// Components separated by commas.
    pub direction: String,
    /// The pose of A as JSON, if it has one.
    pub pose_a: Option<String>,
    /// The pose of B as JSON, if it has one.
    pub pose_b: Option<String>,
    /// One line of JSON instead of words.
    pub json: bool,
}

/// Answers to `output`; what is wrong with the question goes to `complaints`.
///
/// # Errors
/// If writing fails.
pub fn run(question: &Question, output: &mut impl Write, complaints: &mut impl Write) -> io::Result<Outcome> {
    ask(line_of(question), question.json, output, complaints, |output, field| describe(output, field))
}

/// Looks a field of an answer up.
type Field<'f> = &'f dyn Fn(&str) -> &'f Value;

/// Asks a line of the query interface and answers in JSON or in words.
pub(crate) fn ask<W: Write>(
    line: Result<String, String>,
    json: bool,
    output: &mut W,
    complaints: &mut impl Write,
    words: impl for<'f> FnOnce(&mut W, Field<'f>) -> io::Result<()>,
) -> io::Result<Outcome> {
    let answer = line.and_then(|line| {
        let answer = Session::new().answer(&line).ok_or("nothing was asked")?;
        let text = answer.to_string();
        answer.body.map(|fields| (text, fields)).map_err(|error| error.message)
    });
    match answer {
        Err(message) => {
            writeln!(complaints, "clearance: {message}")?;
            return Ok(Outcome::BadInput);
        }
        Ok((text, _)) if json => writeln!(output, "{text}")?,
        Ok((_, fields)) => {
            words(output, &|name| fields.iter().find(|field| field.0 == name).map_or(&Value::Null, |field| &field.1))?;
        }
    }
    Ok(Outcome::Fine)
}

/// The question as a line of the query interface.
fn line_of(question: &Question) -> Result<String, String> {
    let direction: Vec<&str> = question.direction.split(',').map(str::trim).collect();
    let number = |text: &&str| text.parse::<f64>().is_ok_and(f64::is_finite);
    if direction.len() != 3 || !direction.iter().all(number) {
        return Err(format!("--direction is '{}'; it must be three numbers x,y,z", question.direction));
    }
    let vector = direction.iter().filter_map(|text| text.parse::<f64>().ok()).map(Value::from).collect();
    let mut line = serde_json::Map::new();
    line.insert("op".to_owned(), Value::from("range"));
    line.insert("a".to_owned(), shape(&question.a)?);
    line.insert("b".to_owned(), shape(&question.b)?);
    line.insert("direction".to_owned(), Value::Array(vector));
    for (name, pose) in [("pose_a", &question.pose_a), ("pose_b", &question.pose_b)] {
        if let Some(pose) = pose {
            let pose = serde_json::from_str(pose).map_err(|error| format!("{name} is no JSON: {error}"))?;
            line.insert(name.to_owned(), pose);
        }
    }
    Ok(Value::Object(line).to_string())
}

/// A shape from its JSON, from the file that has it, or from a mesh file.
pub(crate) fn shape(text: &str) -> Result<Value, String> {
    let extension = std::path::Path::new(text).extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| clearance_io::Format::of_extension(extension).is_some()) {
        return Ok(serde_json::json!({"type": "mesh", "file": text}));
    }
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| format!("the shape {text} is no JSON: {error}"));
    }
    let content = std::fs::read_to_string(text).map_err(|error| format!("{text}: cannot read: {error}"))?;
    serde_json::from_str(&content).map_err(|error| format!("{text}:{}: no JSON: {error}", error.line()))
}

fn describe(output: &mut impl Write, field: Field<'_>) -> io::Result<()> {
    if field("range").is_null() {
        return writeln!(output, "B never touches A along this direction.");
    }
    writeln!(output, "B touches A from {} to {} times the direction.", field("range")[0], field("range")[1])?;
    let distance = field("distance").as_f64().unwrap_or(f64::NAN);
    if distance > 0.0 {
        writeln!(output, "Now it is {distance} times the direction away.")?;
    } else {
        writeln!(
            output,
            "Now it is between the two contacts; the shorter way out is {} times the direction.",
            -distance
        )?;
    }
    for (i, name) in ["first", "last"].into_iter().enumerate() {
        let [features, point] = ["features", "points_a"].map(|part| &field(part)[i]);
        writeln!(output, "{name:>5} contact at {point}, normal {}, {features}", field("normals")[i])?;
    }
    let visited = field("faces_visited");
    writeln!(output, "faces visited: {visited}, supports: {}", field("iterations"))
}
