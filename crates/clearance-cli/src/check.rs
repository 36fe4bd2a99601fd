//! `clearance check`: every clash of a scene or of mesh files, as a table, as JSON and CSV, and as files to look at.

mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clearance_io::check::{CheckOptions, Checked, check};
use clearance_io::report::{Report, bcf, csv, html, report, scene_glb};
use clearance_io::scene::Assembly;
use clearance_io::{Repair, write};
use clearance_terminal::Progress;

use crate::Outcome;
use crate::assembly::assembly;

/// Distances that are computed for plots alone.
const MOST_SAMPLES: usize = 100_000;

/// What to check and what to write.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// A scene, or mesh files.
    pub files: Vec<PathBuf>,
    /// The clearance that all pairs of mesh files must keep.
    pub clearance: Option<f64>,
    /// Repairs of mesh files.
    pub repairs: Vec<Repair>,
    /// The report as JSON, without meshes, instead of a table.
    pub json: bool,
    /// The findings as CSV instead of a table.
    pub csv: bool,
    /// Where to write the HTML page.
    pub report: Option<PathBuf>,
    /// Where to write the BCF file.
    pub bcf: Option<PathBuf>,
    /// Where to write the scene as GLB.
    pub glb: Option<PathBuf>,
}

impl Question {
    /// The files that are written.
    pub fn written(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.report, &self.bcf, &self.glb].into_iter().flatten()
    }
}

/// Checks, and answers to `output`; what is wrong with the files goes to `complaints`.
///
/// # Errors
/// If writing to the output fails.
pub fn run(
    question: &Question,
    progress: &Progress,
    output: &mut impl Write,
    complaints: &mut impl Write,
) -> io::Result<Outcome> {
    let start = Instant::now();
    let Some((assembly, checked)) = checked(question, progress, complaints)? else { return Ok(Outcome::BadInput) };
    let mut data = report(&assembly, &checked, question.report.is_some());
    if let Some(fault) = write_files(question, &assembly, &checked, &mut data, start) {
        writeln!(complaints, "clearance: {fault}")?;
        return Ok(Outcome::BadInput);
    }
    if question.json {
        (data.meshes, data.summary.seconds) = (Vec::new(), None);
        serde_json::to_writer(&mut *output, &data)?;
        writeln!(output)?;
    } else if question.csv {
        output.write_all(csv(&data).as_bytes())?;
    } else {
        table::write(&data, output)?;
        for path in question.written() {
            writeln!(output, "wrote {}", path.display())?;
        }
    }
    Ok(if checked.has_clash() { Outcome::Found } else { Outcome::Fine })
}

/// Loads and checks; nothing if the files are refused.
pub(crate) fn checked(
    question: &Question,
    progress: &Progress,
    complaints: &mut impl Write,
) -> io::Result<Option<(Assembly, Checked)>> {
    let refused = |problems: Vec<String>, complaints: &mut dyn Write| {
        problems.iter().try_for_each(|problem| writeln!(complaints, "clearance: {problem}"))
    };
    let mut assembly = match assembly(&question.files, &question.repairs) {
        Ok(assembly) => assembly,
        Err(error) => {
            refused(error.problems, complaints)?;
            return Ok(None);
        }
    };
    if let Some(clearance) = question.clearance {
        assembly.rules = std::mem::take(&mut assembly.rules).with_clearance(clearance);
    }
    let times = assembly.timeline.as_ref().map_or(0, |timeline| timeline.times.len() * timeline.moving.len());
    // Plots of all pairs where that is soon done.
    let every_sample = times * assembly.parts.len() <= MOST_SAMPLES;
    match check(&assembly, &CheckOptions { clearances: true, every_sample }, progress) {
        Ok(checked) => Ok(Some((assembly, checked))),
        Err(error) => {
            refused(error.problems, complaints)?;
            Ok(None)
        }
    }
}

/// Writes the files that are asked for and says what went wrong, if anything did.
fn write_files(
    question: &Question,
    assembly: &Assembly,
    checked: &Checked,
    data: &mut Report,
    start: Instant,
) -> Option<String> {
    let whole = |path: &Path, bytes: io::Result<Vec<u8>>| {
        let written = bytes.and_then(|bytes| write::write_whole(path, &bytes));
        written.err().map(|error| format!("{}: cannot write: {error}", path.display()))
    };
    let of_glb = question.glb.as_ref().and_then(|path| whole(path, Ok(scene_glb(assembly, checked))));
    let of_bcf = question.bcf.as_ref().and_then(|path| whole(path, bcf(assembly, checked, None)));
    data.summary.seconds = Some(start.elapsed().as_secs_f64());
    let of_report = question.report.as_ref().and_then(|path| whole(path, Ok(html(data).into_bytes())));
    of_glb.or(of_bcf).or(of_report)
}
