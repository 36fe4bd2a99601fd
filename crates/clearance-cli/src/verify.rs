//! `clearance verify`: checks certificates, exactly.
//!
//! The input is JSON Lines. A line is a certificate, an answer of `clearance query` with a field `certificate`, or one with `answers` that have it.
//! Lines without a certificate are counted and passed over.

use std::io::{self, BufRead, Write};

use clearance::exact::Certificate;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

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

/// A line, as far as certificates go. Their text is kept, so that a name that occurs twice in one is seen.
#[derive(Deserialize)]
struct Line<'t> {
    #[serde(borrow, default)]
    certificate: Option<&'t RawValue>,
    #[serde(borrow, default)]
    answers: Vec<Held<'t>>,
}

/// One answer of a list.
#[derive(Deserialize)]
struct Held<'t> {
    #[serde(borrow, default)]
    certificate: Option<&'t RawValue>,
}

/// Checks the certificates of a line; what is wrong with them.
fn check_line(text: &str, counts: &mut Counts) -> Vec<String> {
    let line: Line = match serde_json::from_str(text) {
        Ok(line) => line,
        Err(error) => {
            counts.unreadable += 1;
            return vec![format!("not an answer or a certificate: {error}")];
        }
    };
    // A certificate has its version in the field of that name, an answer has a certificate there.
    let is_itself = line.certificate.is_some_and(|held| !held.get().starts_with(['{', 'n']));
    let own = if is_itself { Some(text) } else { line.certificate.map(RawValue::get) };
    let inner = line.answers.iter().filter_map(|answer| answer.certificate).map(RawValue::get);
    let found: Vec<&str> = own.into_iter().chain(inner).filter(|record| *record != "null").collect();
    if found.is_empty() {
        counts.without += 1;
    }
    let mut told = Vec::new();
    for record in found {
        let certificate: Result<Certificate, String> = serde_json::from_str(record).map_err(|error| error.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = r#"{"certificate":1,
        "a":{"shape":{"hull":[["0x0p+0","0x0p+0","0x0p+0"]]},"matrix":["0x1p+0","0x0p+0","0x0p+0","0x0p+0","0x1p+0","0x0p+0","0x0p+0","0x0p+0","0x1p+0"],"translation":["0x0p+0","0x0p+0","0x0p+0"]},
        "b":{"shape":{"hull":[["0x1p+1","0x0p+0","0x0p+0"]]},"matrix":["0x1p+0","0x0p+0","0x0p+0","0x0p+0","0x1p+0","0x0p+0","0x0p+0","0x0p+0","0x1p+0"],"translation":["0x0p+0","0x0p+0","0x0p+0"]},
        "lower":{"value":"0x1p+1","cut":{"n":["0x1p+0","0x0p+0","0x0p+0"]}}}"#;

    fn checked(lines: &[String]) -> (Counts, String) {
        let mut output = Vec::new();
        let counts = run("file", lines.join("\n").as_bytes(), false, &mut output).unwrap();
        (counts, String::from_utf8(output).unwrap())
    }

    #[test]
    fn certificates_alone_and_in_answers() {
        let whole = CERTIFICATE.replace(['\n', ' '], "");
        let lines = [
            whole.clone(),
            format!(r#"{{"id":1,"distance":2.0,"certificate":{whole}}}"#),
            format!(
                r#"{{"id":2,"answers":[{{"certificate":{whole}}},{{"certificate":null,"uncertified":"a room"}}]}}"#
            ),
            r#"{"id":3,"distance":1.0}"#.to_owned(),
            r#"{"id":4,"certificate":null}"#.to_owned(),
        ];
        let (counts, output) = checked(&lines);
        assert_eq!(counts, Counts { verified: 3, refused: 0, without: 2, unreadable: 0 }, "{output}");
        assert_eq!(counts.outcome(), Outcome::Fine);
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_place() {
        let whole = CERTIFICATE.replace(['\n', ' '], "");
        let lines = [
            whole.replace(r#""value":"0x1p+1""#, r#""value":"0x1.8p+1""#),
            format!(r#"{{"certificate":{}}}"#, whole.replace(r#""lower":{"#, r#""lower":{"value":"0x0p+0","#)),
            whole.replace(r#""certificate":1"#, r#""certificate":2"#),
            whole[..whole.len() - 9].to_owned(),
            "nonsense".to_owned(),
        ];
        let (counts, output) = checked(&lines);
        assert_eq!(counts, Counts { verified: 0, refused: 3, without: 0, unreadable: 2 }, "{output}");
        assert!(output.contains("file:1: refused: lower"), "{output}");
        assert!(output.contains("occurs twice"), "{output}");
        assert_eq!(counts.outcome(), Outcome::BadInput);
    }
}
