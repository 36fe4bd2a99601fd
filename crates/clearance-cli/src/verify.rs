//! `clearance verify`: checks certificates, exactly.
//!
//! The input is JSON Lines. A line is a certificate, an answer of `clearance query` with a field `certificate`, or one with `answers` that have it.
//! Lines without a certificate are counted and passed over.

use std::io::{self, BufRead, Write};

use clearance::exact::Certificate;
use serde_json::{Value, json};

use crate::Outcome;

/// The longest line that is read.
const LONGEST_LINE: u64 = 256 << 20;

/// What became of the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Certificates that hold.
    pub verified: u64,
    /// Certificates that do not.
    pub refused: u64,
    /// Lines without one.
    pub without: u64,
    /// Lines that are no JSON objects.
    pub unreadable: u64,
}

impl Counts {
    /// How the command ended: bad input, refused certificates, or neither.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self { unreadable: 1.., .. } => Outcome::BadInput,
            Self { refused: 1.., .. } => Outcome::Found,
            _ => Outcome::Fine,
        }
    }
}

/// Checks every certificate of `input`, says which are refused and why, and ends with the counts; `name` stands for the input.
///
/// # Errors
/// If reading or writing fails.
pub fn run(name: &str, mut input: impl BufRead, as_json: bool, output: &mut impl Write) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        match io::Read::take(&mut input, LONGEST_LINE).read_line(&mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                line.clear();
                line.push('?');
            }
            Err(error) => return Err(error),
        }
        if line.trim().is_empty() {
            continue;
        }
        let told = check_line(&line, &mut counts);
        for message in told {
            if as_json {
                writeln!(output, "{}", json!({"line": number, "refused": message}))?;
            } else {
                writeln!(output, "{name}:{number}: {message}")?;
            }
        }
    }
    let Counts { verified, refused, without, unreadable } = counts;
    if as_json {
        let summary = json!({"verified": verified, "refused": refused, "without": without, "unreadable": unreadable});
        writeln!(output, "{summary}")?;
    } else {
        writeln!(
            output,
            "{verified} certificates hold, {refused} refused; {without} lines without one, {unreadable} unreadable"
        )?;
    }
    Ok(counts)
}

/// Checks the certificates of a line; what is wrong with them.
fn check_line(line: &str, counts: &mut Counts) -> Vec<String> {
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(line) else {
        counts.unreadable += 1;
        return vec!["not one JSON object".to_owned()];
    };
    let found: Vec<Result<Certificate, String>> = match object.get("certificate") {
        // The line itself, from its text: a name that occurs twice is seen only there.
        Some(Value::Number(_)) => vec![serde_json::from_str(line).map_err(|error| error.to_string())],
        _ => held(&object)
            .map(|record| serde_json::from_value(record.clone()).map_err(|error| error.to_string()))
            .collect(),
    };
    if found.is_empty() {
        counts.without += 1;
    }
    let mut told = Vec::new();
    for certificate in found {
        match certificate.and_then(|certificate| certificate.verify().map_err(|refused| refused.to_string())) {
            Ok(()) => counts.verified += 1,
            Err(reason) => {
                counts.refused += 1;
                told.push(format!("refused: {reason}"));
            }
        }
    }
    told
}

/// The certificates in an answer, or in each of a list of answers.
fn held(object: &serde_json::Map<String, Value>) -> impl Iterator<Item = &Value> {
    let of_list = object.get("answers").and_then(Value::as_array).into_iter().flatten();
    let inner = of_list.filter_map(|answer| answer.get("certificate"));
    object.get("certificate").into_iter().chain(inner).filter(|record| !record.is_null())
}
