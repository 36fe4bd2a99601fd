//! Queries with exact truth that others made: the sample queries of the 2021 benchmark of continuous collision detection.
//!
//! They stand beside the project, in `../shared/data/ccd-queries` or under `$CLEARANCE_DATA`, and may be absent.

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::FeatureKind;

/// One query.
#[derive(Clone, Debug)]
pub struct FeatureQuery {
    /// The folder it is from.
    pub folder: String,
    /// The file and the number of the query in it.
    pub place: String,
    /// What it is about.
    pub kind: FeatureKind,
    /// The four points at the beginning.
    pub t0: [DVec3; 4],
    /// The four points at the end.
    pub t1: [DVec3; 4],
    /// Whether they touch.
    pub truth: bool,
}

/// Why a file of queries could not be read.
#[derive(Debug)]
pub struct QueryError(String);

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}

/// The folder of that name among the data of others, if it is there.
pub fn data_folder(name: &str) -> Option<PathBuf> {
    let given = std::env::var_os("CLEARANCE_DATA").map(PathBuf::from);
    let beside =
        [Path::new("../shared/data").into(), Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")];
    given.into_iter().chain(beside).map(|data| data.join(name)).find(|folder| folder.is_dir())
}

/// All queries in a folder, by folder, kind and file.
///
/// # Errors
/// If a file cannot be read; the message names it and the line.
pub fn feature_queries(folder: &Path) -> Result<Vec<FeatureQuery>, QueryError> {
    let mut queries = Vec::new();
    for scene in entries(folder)?.iter().filter(|path| path.is_dir()) {
        for kind in FeatureKind::ALL {
            for file in entries(&scene.join(kind.name()))? {
                read(&file, &file_name(scene), kind, &mut queries)?;
            }
        }
    }
    Ok(queries)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, QueryError> {
    let failed = |error| QueryError(format!("cannot read {}: {error}", folder.display()));
    let found: Result<Vec<_>, _> = fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|e| e.path())).collect();
    let mut found = found.map_err(failed)?;
    found.sort();
    Ok(found)
}

fn read(file: &Path, folder: &str, kind: FeatureKind, queries: &mut Vec<FeatureQuery>) -> Result<(), QueryError> {
    let text =
        fs::read_to_string(file).map_err(|error| QueryError(format!("cannot read {}: {error}", file.display())))?;
    let parsed = text.lines().enumerate().map(|(line, text)| {
        row(text)
            .ok_or_else(|| QueryError(format!("{}, line {}: not six numbers and a truth", file.display(), line + 1)))
    });
    let rows: Vec<(DVec3, bool)> = parsed.collect::<Result<_, _>>()?;
    for (number, rows) in rows.chunks(8).enumerate() {
        let &[a, b, c, d, e, f, g, h] = rows else {
            return Err(QueryError(format!("{}: the last query is cut off", file.display())));
        };
        queries.push(FeatureQuery {
            folder: folder.to_owned(),
            place: format!("{} {number}", file_name(file)),
            kind,
            t0: [a, b, c, d].map(|row| row.0),
            t1: [e, f, g, h].map(|row| row.0),
            truth: a.1,
        });
    }
    Ok(())
}

/// A point, each coordinate an exact quotient of two numbers, and the truth.
fn row(text: &str) -> Option<(DVec3, bool)> {
    let numbers: Vec<f64> = text.split(',').map(|field| field.trim().parse()).collect::<Result<_, _>>().ok()?;
    let &[x, over_x, y, over_y, z, over_z, truth] = numbers.as_slice() else { return None };
    let point = DVec3::new(x / over_x, y / over_y, z / over_z);
    (point.is_finite() && (truth == 0.0 || truth == 1.0)).then_some((point, truth == 1.0))
}
