//! A report as files: `NAME.csv`, `NAME.json` and one `NAME-PLOT.svg` per plot.

use crate::{PlotError, Report, ReportError};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a report was not written, or not all of it.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The directory is not there and could not be made.
    #[error("cannot create the directory {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A plot could not be drawn.
    #[error("cannot draw {}: {source}", path.display())]
    Plot {
        /// The file it was meant for.
        path: PathBuf,
        /// What the drawing said.
        source: PlotError,
    },
    /// A name that would not stay inside the directory, or not make one file on every system.
    #[error("'{0}' cannot name a file: only letters, digits, '-' and '_' can")]
    Name(String),
    /// The report contradicts itself.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// Writes a report into `directory`, which is made if it is missing; files of the same names are replaced.
/// Returns what was written: the CSV, the JSON, then the plots.
///
/// # Errors
/// [`OutputError`], naming the file or directory. Nothing is written of a report that contradicts itself.
pub fn write_report(directory: &Path, report: &Report) -> Result<Vec<PathBuf>, OutputError> {
    report.check()?;
    let name = file_name(&report.name)?;
    let mut files = vec![
        (directory.join(format!("{name}.csv")), report.to_csv()),
        (directory.join(format!("{name}.json")), report.to_json() + "\n"),
    ];
    for plot in &report.plots {
        let path = directory.join(format!("{name}-{}.svg", file_name(&plot.name)?));
        match plot.to_svg() {
            Ok(svg) => files.push((path, svg)),
            Err(source) => return Err(OutputError::Plot { path, source }),
        }
    }
    std::fs::create_dir_all(directory)
        .map_err(|source| OutputError::Directory { path: directory.to_owned(), source })?;
    files.into_iter().map(write).collect()
}

fn write((path, text): (PathBuf, String)) -> Result<PathBuf, OutputError> {
    match std::fs::write(&path, text) {
        Ok(()) => Ok(path),
        Err(source) => Err(OutputError::File { path, source }),
    }
}

fn file_name(name: &str) -> Result<&str, OutputError> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(plain) { Ok(name) } else { Err(OutputError::Name(name.to_owned())) }
}
