//! `clearance lab`: the papers' experiments and the races, listed and run.
//!
//! A claim that does not hold is a finding: the run is fine. What fails a run is an unknown name, an experiment that
//! fails, a report that contradicts itself, or a directory that cannot be written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clearance_lab::{Experiment, Progress, Report, Settings, find_in, text, write_report};
use serde_json::json;

use crate::Outcome;

/// The name that stands for every experiment.
const ALL: &str = "all";

/// How to run experiments and what to do with their reports.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fewer samples, other seeds.
    pub settings: Settings,
    /// One JSON object per experiment instead of a table.
    pub json: bool,
    /// Where to write CSV, JSON and SVG files; nowhere if absent.
    pub out: Option<PathBuf>,
}

/// Lists the experiments.
///
/// # Errors
/// If the list cannot be written.
pub fn list(experiments: &[Experiment], json: bool, output: &mut impl Write) -> io::Result<Outcome> {
    if json {
        for Experiment { name, title, reproduces, .. } in experiments {
            writeln!(output, "{}", json!({ "name": name, "title": title, "reproduces": reproduces }))?;
        }
        return Ok(Outcome::Fine);
    }
    if experiments.is_empty() {
        writeln!(output, "This version has no experiments.")?;
    }
    let width = |of: fn(&Experiment) -> &str| experiments.iter().map(|e| of(e).chars().count()).max().unwrap_or(0);
    let (names, sources) = (width(|e| e.name), width(|e| e.reproduces));
    for Experiment { name, title, reproduces, .. } in experiments {
        writeln!(output, "{name:<names$}  {reproduces:<sources$}  {title}")?;
    }
    Ok(Outcome::Fine)
}

/// Runs the experiment of that name, or all of them. Complaints go to `errors`.
///
/// # Errors
/// If the reports cannot be written to `output`.
pub fn run(
    experiments: &[Experiment],
    name: &str,
    options: &Options,
    output: &mut impl Write,
    errors: &mut impl Write,
) -> io::Result<Outcome> {
    let chosen = match find_in(experiments, name) {
        Ok(one) => std::slice::from_ref(one),
        Err(_) if name == ALL => experiments,
        Err(unknown) => {
            writeln!(errors, "clearance: {unknown}")?;
            return Ok(Outcome::BadInput);
        }
    };
    if chosen.is_empty() {
        writeln!(errors, "clearance: this version has no experiments")?;
    }
    let progress = Progress::new();
    let mut outcome = Outcome::Fine;
    for (i, experiment) in chosen.iter().enumerate() {
        if i > 0 && !options.json {
            writeln!(output)?;
        }
        let report = match experiment.execute(&options.settings, &progress) {
            Ok(report) => report,
            Err(error) => {
                writeln!(errors, "clearance: {}: {error}", experiment.name)?;
                outcome = Outcome::BadInput;
                continue;
            }
        };
        show(experiment, &report, options.json, output)?;
        if !keep(&report, options, errors)? {
            outcome = Outcome::BadInput;
        }
    }
    Ok(outcome)
}

/// Prints the page about the papers from the reports in a directory. Complaints go to `errors`.
///
/// # Errors
/// If the page cannot be written to `output`.
pub fn papers(
    experiments: &[Experiment],
    directory: &Path,
    output: &mut impl Write,
    errors: &mut impl Write,
) -> io::Result<Outcome> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(directory.join(format!("{name}.json"))).ok()?;
        serde_json::from_str(&text).ok()
    };
    if !experiments.iter().any(|experiment| read(experiment.name).is_some()) {
        writeln!(
            errors,
            "clearance: {} has no reports: run `clearance lab run all --out DIR` first",
            directory.display()
        )?;
        return Ok(Outcome::BadInput);
    }
    write!(output, "{}", clearance_lab::papers::page(experiments, read))?;
    Ok(Outcome::Fine)
}

fn show(experiment: &Experiment, report: &Report, json: bool, output: &mut impl Write) -> io::Result<()> {
    if json {
        return writeln!(output, "{}", report.to_json());
    }
    writeln!(output, "{} ({})", experiment.title, experiment.reproduces)?;
    write!(output, "{}", text::render(report))?;
    output.flush()
}

/// Writes the files, if asked to, and says where; on the side of complaints, so that JSON stays alone on its own.
fn keep(report: &Report, options: &Options, errors: &mut impl Write) -> io::Result<bool> {
    let Some(directory) = &options.out else {
        return Ok(true);
    };
    match write_report(directory, report) {
        Ok(files) => {
            for file in files {
                writeln!(errors, "wrote {}", file.display())?;
            }
            Ok(true)
        }
        Err(error) => {
            writeln!(errors, "clearance: {error}")?;
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_lab::Failure;
    use serde_json::Value;

    const TOY: &[Experiment] = &[
        Experiment { name: "toy", title: "A toy", reproduces: "race", run: toy },
        Experiment { name: "broken", title: "A mistake", reproduces: "Figure 1", run: broken },
    ];

    fn toy(settings: &Settings, _: &Progress) -> Result<Report, Failure> {
        let mut report = Report::new("toy", &["seed"]);
        report.row([settings.seed.into()]).claim("it flies", "it does", 0.0, false);
        Ok(report)
    }

    fn broken(_: &Settings, _: &Progress) -> Result<Report, Failure> {
        let mut report = Report::new("broken", &["a", "b"]);
        report.row([1.0.into()]);
        Ok(report)
    }

    fn run_toy(name: &str, options: &Options) -> (Outcome, String, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let outcome = run(TOY, name, options, &mut output, &mut errors).unwrap();
        (outcome, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
    }

    #[test]
    fn a_claim_that_fails_does_not_fail_the_run() {
        let options = Options { settings: Settings::new(true, 7), ..Options::default() };
        let (outcome, output, errors) = run_toy("toy", &options);
        assert_eq!((outcome, errors.as_str()), (Outcome::Fine, ""));
        assert!(output.contains('7') && output.contains("0 of 1 claims hold"), "{output}");
    }

    #[test]
    fn unknown_names_and_broken_reports_are_bad_input() {
        let (outcome, output, errors) = run_toy("tow", &Options::default());
        assert_eq!((outcome, output.as_str()), (Outcome::BadInput, ""));
        assert!(errors.contains("did you mean 'toy'"), "{errors}");
        let (outcome, output, errors) = run_toy("all", &Options { json: true, ..Options::default() });
        assert_eq!(outcome, Outcome::BadInput);
        assert!(errors.contains("broken"), "{errors}");
        let report: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(report["rows"][0]["seed"], 1);
    }

    #[test]
    fn the_list_is_a_table_or_json_lines() {
        let mut output = Vec::new();
        list(TOY, false, &mut output).unwrap();
        list(TOY, true, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "toy     race      A toy");
        let second: Value = serde_json::from_str(lines[3]).unwrap();
        assert_eq!(second["reproduces"], "Figure 1");
    }
}
