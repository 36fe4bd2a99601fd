//! Every clash of an assembly: pairs whose boxes come near are looked at one by one, in parallel, at rest or over their motion.
//!
//! Answers come from the library's verbs with their bounds. A pair in motion is free only over spans of time that the library's time of
//! impact proves to be free; what is left between them is collision. Results do not depend on the number of threads.

mod broad;
mod clear;
mod finding;
mod group;
mod moving;
mod region;
mod rest;
mod track;

pub use finding::{Finding, Kind, PairClearance};
pub(crate) use group::hash;
pub use region::Region;

use clearance_terminal::Progress;
use rayon::prelude::*;

use crate::scene::{Assembly, SceneError};
use broad::Boxes;
use moving::Moved;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// Also find the least clearance of pairs that move, even where no rule asks for it.
    pub clearances: bool,
    /// With `clearances`: the distances of these pairs at all times at which poses are given, for plots.
    pub every_sample: bool,
}

/// Pairs that move of which the least clearance is found where no rule asks for it.
const MOST_CLEARANCES: usize = 10_000;

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The findings, by the parts.
    pub findings: Vec<Finding>,
    /// The least clearances of pairs over the motion.
    pub clearances: Vec<PairClearance>,
    /// How many pairs there are.
    pub pairs_possible: u64,
    /// How many of them were looked at.
    pub pairs_tested: u64,
    /// What was noticed and is no error.
    pub notes: Vec<String>,
}

impl Checked {
    /// Whether there is a clash, or a clearance that is not kept.
    pub fn has_clash(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind.is_clash())
    }
}

/// Looks at every pair of an assembly.
///
/// # Errors
/// Parts of which no body can be made, each with its file and element.
///
/// ```
/// use clearance_io::check::{CheckOptions, Kind, check};
/// use clearance_io::scene::{Assembly, LoadOptions, load};
/// # let path = std::env::temp_dir().join("clearance-doc-check.json");
/// # std::fs::write(&path, r#"{"clearance_scene":1,"parts":[
/// #   {"name":"a","shape":{"type":"cuboid"}},{"name":"b","shape":{"type":"cuboid"},"pose":{"translation":[1,0,0]}}]}"#)?;
/// // Two cubes of size 2, half in each other; `shapes` makes bodies of the scene's shapes.
/// let shapes = |_: &_, _: &_| clearance::Shape::cuboid([1.0; 3]).map(Into::into).map_err(|error| error.to_string());
/// let options = LoadOptions { limits: Default::default(), shapes: &shapes, repairs: &[] };
/// let assembly: Assembly = load(&path, &options)?;
/// let found = check(&assembly, &CheckOptions::default(), &clearance_terminal::Progress::hidden())?;
/// assert_eq!(found.findings[0].kind, Kind::Protruding);
/// assert!((found.findings[0].distance + 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(assembly: &Assembly, options: &CheckOptions, progress: &Progress) -> Result<Checked, SceneError> {
    let count = assembly.parts.len() as u64;
    let mut checked = Checked { pairs_possible: count * count.saturating_sub(1) / 2, ..Checked::default() };
    checked.notes.clone_from(&assembly.notes);
    let boxes = Boxes::of(assembly);
    let mut pairs = boxes.pairs(assembly);
    if options.clearances && assembly.timeline.is_some() {
        let more = boxes.moving_pairs(assembly);
        if more.len() <= MOST_CLEARANCES {
            pairs.extend(more);
            pairs.sort_unstable();
            pairs.dedup();
        } else {
            let message = format!(
                "{} pairs move, more than {MOST_CLEARANCES}: least clearances are found only where rules ask for them",
                more.len()
            );
            checked.notes.push(message);
        }
    }
    build(assembly, &pairs, progress)?;
    progress.start(pairs.len() as u64, "pairs checked");
    let look = |&[a, b]: &[u32; 2]| {
        let found = pair(assembly, &boxes, [a as usize, b as usize], options);
        progress.advance(1);
        found
    };
    let found: Vec<Moved> = pairs.par_iter().map(look).collect();
    progress.finish();
    checked.pairs_tested = pairs.len() as u64;
    for pair in found {
        checked.findings.extend(pair.finding);
        checked.clearances.extend(pair.clearance);
    }
    let used = assembly.geometry.iter().flat_map(|geometry| geometry.notes());
    checked.notes.extend(used.cloned());
    group::group(assembly, &mut checked.findings);
    Ok(checked)
}

/// Makes the bodies that pairs need, in parallel.
fn build(assembly: &Assembly, pairs: &[[u32; 2]], progress: &Progress) -> Result<(), SceneError> {
    let mut needed: Vec<usize> = pairs.iter().flatten().map(|part| assembly.parts[*part as usize].geometry).collect();
    needed.sort_unstable();
    needed.dedup();
    progress.start(needed.len() as u64, "meshes prepared");
    let make = |&index: &usize| {
        let made = assembly.geometry[index].body().err().map(str::to_owned);
        progress.advance(1);
        made
    };
    let problems: Vec<String> = needed.par_iter().filter_map(make).collect();
    if problems.is_empty() { Ok(()) } else { Err(SceneError { problems }) }
}

/// One pair, at rest or moving.
fn pair(assembly: &Assembly, boxes: &Boxes, [a, b]: [usize; 2], options: &CheckOptions) -> Moved {
    let rule = assembly.rules.of(a, b);
    match track::Pair::new(assembly, [a, b]) {
        Some(pair) => moving::check(&pair, boxes, &rule, options),
        None => Moved { finding: rest::check(assembly, [a, b], &rule), clearance: None },
    }
}
