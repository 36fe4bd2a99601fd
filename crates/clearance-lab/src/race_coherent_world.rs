//! All passes of the coherent race at once, each at its own place in one world, against the rival's tree.

use clearance::world::EventKind;
use glam::DVec3;
use rayon::ThreadPoolBuilder;
use std::hint::black_box;

use crate::precision::{Double, Precision};
use crate::race_coherent::STEPS;
use crate::rival_world::{RivalBodies, RivalWorld, Upkeep};
use crate::trajectory::{Recording, advance, cells_along, forth_and_back, long_visits, per_visit};
use crate::workload::{Configuration, Placement, Recipe};
use crate::{Failure, Settings};

/// So far apart that passes never meet: a way of 25, at most 8.5 off, by bodies that reach 5.
const PLACE: f64 = 60.0;
const ROUNDS: usize = 15;
const ROUNDS_QUICK: usize = 5;

/// One size of hulls.
pub(crate) struct WorldCell {
    pub(crate) n: usize,
    /// Nanoseconds per pass and step; the rival's best.
    pub(crate) ours: f64,
    pub(crate) rival: f64,
    /// Steps on which the two disagree.
    pub(crate) differ: usize,
}

pub(crate) fn measure(
    settings: &Settings,
    hulls: &[Recipe; 2],
    n: usize,
    steps: &[Configuration],
) -> Result<WorldCell, Failure> {
    let recording = recording(hulls, steps)?;
    let rivals = RivalBodies::new(&recording.points, &recording.hull_of, &recording.frames)?;
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut world = recording.world()?;
    let mut trees = [Upkeep::Refit, Upkeep::InPlace].map(|upkeep| RivalWorld::new(&rivals, upkeep));
    let [refit, in_place] = &mut trees;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let frames = recording.frames.len();
    let [ours, refit, in_place] = per_visit(
        [
            &mut || {
                let frame = |at: usize| _ = black_box(advance(&mut world, &recording.frames[at]));
                pool.install(|| long_visits(forth_and_back(frames), frame))
            },
            &mut || long_visits(forth_and_back(frames), |at| refit.frame(black_box(at), &mut first)),
            &mut || long_visits(forth_and_back(frames), |at| in_place.frame(black_box(at), &mut second)),
        ],
        if settings.quick { ROUNDS_QUICK } else { ROUNDS },
    );
    let passes = (steps.len() / STEPS).max(1) as f64;
    let differ = compare(&recording, &rivals)?;
    Ok(WorldCell { n, ours: ours / passes, rival: refit.min(in_place) / passes, differ })
}

/// Frame by frame, all passes side by side.
fn recording(hulls: &[Recipe; 2], steps: &[Configuration]) -> Result<Recording, Failure> {
    let passes = steps.len() / STEPS;
    let cells = cells_along(passes);
    let mut frames = vec![Vec::new(); STEPS];
    for (i, configuration) in steps.iter().enumerate() {
        let pass = i / STEPS;
        let cell = DVec3::new((pass % cells) as f64, (pass / cells % cells) as f64, (pass / cells / cells) as f64);
        for placement in configuration {
            let translation = placement.translation + cell * PLACE;
            frames[i % STEPS].push(Double::pose(&Placement { translation, ..*placement })?);
        }
    }
    let shapes = [Double::shape(&hulls[0])?, Double::shape(&hulls[1])?];
    Ok(Recording {
        points: hulls.iter().map(Recipe::corners).collect(),
        hulls: shapes.into(),
        hull_of: (0..2 * passes).map(|body| body % 2).collect(),
        frames,
    })
}

/// On how many pairs of how many frames the two disagree.
fn compare(recording: &Recording, rivals: &RivalBodies) -> Result<usize, Failure> {
    let (mut world, ids) = recording.world()?;
    let mut tree = RivalWorld::new(rivals, Upkeep::Refit);
    let (mut theirs, mut differ) = (Vec::new(), 0);
    for (at, poses) in recording.frames.iter().enumerate() {
        for (id, pose) in ids.iter().zip(poses) {
            world.set_pose(*id, *pose)?;
        }
        let events = world.step().events.iter().filter(|event| event.kind != EventKind::End);
        let ours: Vec<[u32; 2]> = events.map(|event| event.bodies.map(|id| id.index() as u32)).collect();
        tree.frame(at, &mut theirs);
        let shared = ours.iter().filter(|pair| theirs.contains(pair)).count();
        differ += ours.len() + theirs.len() - 2 * shared;
    }
    Ok(differ)
}
