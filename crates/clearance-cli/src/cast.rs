//! `clearance cast`: the first contact along the motions of a scene.

use std::io::{self, Write};
use std::path::PathBuf;

use clearance_terminal::Progress;
use serde_json::json;

use crate::Outcome;
use crate::check::{Question, checked};

/// Tells which parts meet first, and when.
///
/// # Errors
/// If writing fails.
pub fn run(
    scene: PathBuf,
    json: bool,
    progress: &Progress,
    output: &mut impl Write,
    complaints: &mut impl Write,
) -> io::Result<Outcome> {
    let question = Question { files: vec![scene], ..Question::default() };
    let Some((assembly, found)) = checked(&question, progress, complaints)? else { return Ok(Outcome::BadInput) };
    let Some(timeline) = &assembly.timeline else {
        writeln!(complaints, "clearance: the scene has no motion")?;
        return Ok(Outcome::BadInput);
    };
    let mut hits: Vec<_> = found.findings.iter().filter(|finding| finding.kind.is_clash()).collect();
    let time =
        |finding: &clearance_io::check::Finding| finding.first_contact.map_or(f64::NEG_INFINITY, |first| first[0]);
    hits.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let name = |part: usize| assembly.parts[part].name.as_str();
    if json {
        let list: Vec<_> = hits
            .iter()
            .map(|hit| json!({"a": name(hit.a), "b": name(hit.b), "kind": hit.kind.name(), "first_contact": hit.first_contact, "intervals": hit.intervals, "at_rest": hit.first_contact.is_none()}))
            .collect();
        let first = hits.iter().find_map(|hit| hit.first_contact);
        writeln!(
            output,
            "{}",
            json!({"first_contact": first, "contacts": list, "start": timeline.times.first(), "end": timeline.times.last()})
        )?;
    } else if hits.is_empty() {
        writeln!(output, "The whole motion is free.")?;
    } else {
        for hit in &hits {
            match hit.first_contact {
                Some([lower, upper]) => writeln!(
                    output,
                    "{} meets {} between {lower} and {upper} {}",
                    name(hit.a),
                    name(hit.b),
                    timeline.unit
                )?,
                None => writeln!(output, "{} and {} clash at rest", name(hit.a), name(hit.b))?,
            }
        }
    }
    Ok(if hits.is_empty() { Outcome::Fine } else { Outcome::Found })
}
