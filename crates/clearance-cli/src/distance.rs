//! `clearance distance`: the signed distance of two mesh files or shapes.

use std::io::{self, Write};

use serde_json::Value;

use crate::Outcome;
use crate::range::{ask, shape};

/// What to ask.
#[derive(Clone, Debug)]
pub struct Question {
    /// A mesh file, a file with a shape, or a shape as JSON.
    pub a: String,
    /// The same for the other body.
    pub b: String,
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
    let line = shape(&question.a).and_then(|a| {
        let mut members = vec![("op", Value::from("closest")), ("a", a), ("b", shape(&question.b)?)];
        for (name, pose) in [("pose_a", &question.pose_a), ("pose_b", &question.pose_b)] {
            if let Some(pose) = pose {
                members
                    .push((name, serde_json::from_str(pose).map_err(|error| format!("{name} is no JSON: {error}"))?));
            }
        }
        Ok(Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()).to_string())
    });
    ask(line, question.json, output, complaints, |output, field| {
        let [distance, lower, upper] = ["distance", "lower", "upper"].map(field);
        let state =
            if distance.as_f64().is_some_and(|distance| distance < 0.0) { "They overlap" } else { "They are apart" };
        writeln!(
            output,
            "{state}: the signed distance is {distance}, at least {lower} and at most {upper} (end: {}).",
            field("end")
        )?;
        writeln!(output, "points {}, normal {}", field("points"), field("normal"))
    })
}
