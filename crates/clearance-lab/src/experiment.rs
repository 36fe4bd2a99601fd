//! What an experiment is, and how one is found by name.

use std::path::PathBuf;

use crate::{Progress, Report};
use clearance_terminal::edits;
use thiserror::Error;

/// How an experiment is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Fewer samples: enough to see that the experiment works, too few to quote its figures.
    pub quick: bool,
    /// The seed of all random input, so that a run can be repeated.
    pub seed: u64,
    /// How long experiments that have no end of their own go on; each has its default.
    pub hours: Option<f64>,
    /// Where such an experiment keeps what it has done, to go on from there the next time.
    pub state: Option<PathBuf>,
}

impl Settings {
    /// A run of the usual length without a memory.
    pub const fn new(quick: bool, seed: u64) -> Self {
        Self { quick, seed, hours: None, state: None }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(false, 1)
    }
}

/// Why an experiment could not be run to its end.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One experiment: a figure or table of a paper, or a race against a peer.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name on the command line and of the files; lower case, words joined by `-`.
    pub name: &'static str,
    /// One line that says what is measured.
    pub title: &'static str,
    /// The figure or table of the paper, or `race`.
    pub reproduces: &'static str,
    /// Measures. Prefer [`Experiment::execute`], which also checks what comes back.
    pub run: fn(&Settings, &Progress) -> Result<Report, Failure>,
}

impl Experiment {
    /// Runs the experiment and checks its report.
    ///
    /// # Errors
    /// What the experiment itself failed with, or [`ReportError`](crate::ReportError) when its report contradicts itself.
    pub fn execute(&self, settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
        let report = (self.run)(settings, progress);
        progress.finish();
        let report = report?;
        report.check()?;
        Ok(report)
    }
}

/// No experiment has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown experiment '{name}'{}; known: {}", hint(.suggestion), list(.known))]
pub struct UnknownExperiment {
    /// The name asked for.
    pub name: String,
    /// The known name nearest to it, if one is near.
    pub suggestion: Option<&'static str>,
    /// All known names.
    pub known: Vec<&'static str>,
}

fn hint(suggestion: &Option<&'static str>) -> String {
    suggestion.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default()
}

fn list(known: &[&'static str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// The experiment of that name among `experiments`.
///
/// # Errors
/// [`UnknownExperiment`], with the nearest name and all the known ones.
pub fn find_in<'a>(experiments: &'a [Experiment], name: &str) -> Result<&'a Experiment, UnknownExperiment> {
    experiments.iter().find(|experiment| experiment.name == name).ok_or_else(|| UnknownExperiment {
        name: name.to_owned(),
        suggestion: nearest(experiments, name),
        known: experiments.iter().map(|e| e.name).collect(),
    })
}

/// A longer name that starts with what was typed, or else a name at most a third of its letters away.
fn nearest(experiments: &[Experiment], name: &str) -> Option<&'static str> {
    let names = || experiments.iter().map(|e| e.name);
    let completed = names().find(|known| !name.is_empty() && known.starts_with(name));
    completed.or_else(|| {
        names()
            .map(|known| (edits(known, name), known))
            .filter(|(distance, known)| *distance <= known.chars().count().div_ceil(3))
            .min()
            .map(|(_, known)| known)
    })
}
