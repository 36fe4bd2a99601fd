//! The randomised benchmark of the implicit-objects thesis, section 4.1: figures 4 to 17.
//!
//! Five shapes in six pairs, both bodies uniform in a cube whose size sets the probability that they overlap. For each
//! algorithm: support calls on average and at worst (the mean of the highest 0.1 %), failures, time, and booleans that
//! contradict the signed distance. Every algorithm is one entry of `algorithms`.
//!
//! A failure is an answer that did not converge, is not made of numbers, or is not borne out by its own normal: along it, the
//! gap between the bodies must lie within the answer's bounds, and these no farther apart than the library states.
//!
//! Departures: the thesis compares a depth vector with the vector between the centres, which can fail for right answers of
//! bodies without symmetry; here the gap is measured. `closest` and the depth by portals compute the distance of bodies that
//! are apart, where the thesis's depth runs stop at the boolean. And `distance` says nothing of bodies that meet, so the
//! support calls of GJK are those of bodies that are apart; its time is that of all.

use std::ops::Range;

use clearance_testkit::Rng;

use crate::implicit_objects_report::report;
use crate::precision::{Double, End, GAP_SIGMAS, Hit, Near, Precision, Single};
use crate::workload::{Configuration, Pair, Scene, both_in_cube, calibrate, calls, race, six_pairs};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "implicit-objects",
    title: "support calls, failures, time and disagreement of SA-GJK, MPR, GJK and EPA on random pairs",
    reproduces: "implicit-objects figures 4–17",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Configurations of each pair in each precision, spread over the probabilities.
    pub configurations: usize,
    /// Configurations that size the cube.
    pub calibration: usize,
    /// Configurations of each cell that are timed.
    pub timed: usize,
    /// From 5 % to 95 % in steps of this many percent.
    pub step: usize,
}

const FULL: Sizes = Sizes { configurations: 1_000_000, calibration: 10_000, timed: 5_000, step: 5 };
const QUICK: Sizes = Sizes { configurations: 20_000, calibration: 2_000, timed: 500, step: 10 };

/// Of the configurations, those with the most support calls that make up the maximum.
const HIGHEST: f64 = 0.001;
/// Signed distances within this many support errors are touching: both booleans are right.
const TOUCHING_SIGMAS: f64 = 4.0;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the benchmark with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    let pairs = six_pairs(&mut rng);
    let probabilities: Vec<f64> =
        (5..=95).step_by(sizes.step.max(1)).map(|percent| f64::from(percent) / 100.0).collect();
    progress.start(2 * (pairs.len() * probabilities.len()) as u64, "cells");
    let count = sizes.configurations.div_ceil(probabilities.len());
    let mut cells = Vec::new();
    for pair in &pairs {
        for &probability in &probabilities {
            let half = calibrate(pair, probability, sizes.calibration, settings.seed, both_in_cube)?;
            let drawn: Vec<_> = (0..count).map(|_| both_in_cube(&mut rng, half)).collect();
            cells.push(measure::<Double>(settings, sizes, pair, probability, &drawn)?);
            progress.advance(1);
            cells.push(measure::<Single>(settings, sizes, pair, probability, &drawn)?);
            progress.advance(1);
        }
    }
    Ok(report(&cells))
}

/// What an algorithm is for: the figures that it appears in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Intersection,
    Distance,
    Depth,
}

/// What an algorithm says about one configuration.
struct Outcome {
    meets: bool,
    /// Not known of every query.
    supports: Option<u32>,
    end: End,
    /// Whether the answer is made of numbers and its normal bears it out.
    sound: bool,
    /// How deep, of bodies that overlap, if that was asked.
    depth: Option<f64>,
}

/// One competitor.
struct Algorithm<P: Precision> {
    name: &'static str,
    task: Task,
    ask: fn(&Scene<P>, usize) -> Outcome,
    /// All configurations of a range, their answers thrown away.
    time: fn(&Scene<P>, Range<usize>),
}

/// How many algorithms there are.
pub(crate) const ALGORITHMS: usize = 5;

/// The algorithms of the thesis, in the order of the rows.
fn algorithms<P: Precision>() -> [Algorithm<P>; ALGORITHMS] {
    [
        Algorithm {
            name: "SA-GJK",
            task: Task::Intersection,
            ask: |scene, i| by_boolean(scene, i, &P::hit(&scene.overlap(i, &mut Default::default()))),
            time: |scene, range| calls!(i => scene.overlap(i, &mut Default::default()))(range),
        },
        Algorithm {
            name: "MPR",
            task: Task::Intersection,
            ask: |scene, i| by_boolean(scene, i, &P::hit(&scene.mpr_overlap(i))),
            time: |scene, range| calls!(i => scene.mpr_overlap(i))(range),
        },
        Algorithm {
            name: "GJK",
            task: Task::Distance,
            ask: ask_distance,
            time: |scene, range| calls!(i => scene.distance(i, &mut Default::default()))(range),
        },
        Algorithm {
            name: "GJK+EPA",
            task: Task::Depth,
            ask: |scene, i| by_distance(scene, i, &P::near(&scene.closest(i, &mut Default::default()))),
            time: |scene, range| calls!(i => scene.closest(i, &mut Default::default()))(range),
        },
        Algorithm {
            name: "MPR depth",
            task: Task::Depth,
            ask: ask_portal_depth,
            time: |scene, range| calls!(i => scene.mpr_depth(i))(range),
        },
    ]
}

/// A boolean; a separating plane has to separate.
fn by_boolean<P: Precision>(scene: &Scene<P>, i: usize, hit: &Hit) -> Outcome {
    let apart = |normal| P::gap(scene.bodies(), scene.poses(i), normal) >= -GAP_SIGMAS * P::sigma(scene.size(i));
    let sound = hit.normal.map_or(hit.overlap, |normal| !hit.overlap && apart(normal));
    Outcome { meets: hit.overlap, supports: Some(hit.supports), end: hit.end, sound, depth: None }
}

/// A signed distance with bounds on both sides.
fn by_distance<P: Precision>(scene: &Scene<P>, i: usize, near: &Near) -> Outcome {
    let narrow = near.upper - near.lower <= P::stated(scene.bodies(), scene.size(i), near.distance).width;
    by_bounds(scene, i, near, narrow)
}

/// A signed distance within bounds that the gap along the normal confirms; comparisons with NaN are false.
fn by_bounds<P: Precision>(scene: &Scene<P>, i: usize, near: &Near, narrow: bool) -> Outcome {
    let error = P::stated(scene.bodies(), scene.size(i), near.distance).gap;
    let gap = P::gap(scene.bodies(), scene.poses(i), near.normal);
    let ordered = near.lower <= near.distance && near.distance <= near.upper;
    let confirmed = near.lower - error <= gap && gap <= near.upper + error;
    Outcome {
        meets: near.distance <= 0.0,
        supports: Some(near.supports),
        end: near.end,
        sound: narrow && ordered && confirmed,
        depth: Some((-near.distance).max(0.0)),
    }
}

fn ask_distance<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    match scene.distance(i, &mut Default::default()) {
        Some(answer) => Outcome { depth: None, ..by_distance(scene, i, &P::near(&answer)) },
        None => Outcome { meets: true, supports: None, end: End::Converged, sound: true, depth: None },
    }
}

/// The estimate is the gap along its normal; nothing is stated about how far from the depth it is.
fn ask_portal_depth<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    let near = P::near(&scene.mpr_depth(i));
    if near.distance > 0.0 {
        return by_distance(scene, i, &near);
    }
    let gap = P::gap(scene.bodies(), scene.poses(i), near.normal);
    let exact = (gap - near.distance).abs() <= GAP_SIGMAS * P::sigma(scene.size(i));
    by_bounds(scene, i, &near, exact)
}

/// What one algorithm needed in one cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) name: &'static str,
    pub(crate) task: Option<Task>,
    pub(crate) mean: f64,
    pub(crate) highest: f64,
    pub(crate) failures: usize,
    /// Of the failures, those that met the iteration limit.
    pub(crate) limits: usize,
    /// Booleans that contradict the signed distance of bodies that do not touch.
    pub(crate) disagreements: usize,
    /// Those of bodies that touch, where both answers are right.
    pub(crate) touching: usize,
    /// Depths below the certified lower bound.
    pub(crate) too_shallow: usize,
    /// By how much depths exceed those of `closest`, on average over all configurations.
    pub(crate) excess: f64,
    pub(crate) nanoseconds: f64,
    /// The first failure, iteration limit, disagreement and depth below the bound, as they can be asked again.
    pub(crate) examples: [Option<String>; 4],
}

/// One pair at one probability in one precision.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) precision: &'static str,
    pub(crate) pair: &'static str,
    pub(crate) probability: f64,
    pub(crate) count: usize,
    pub(crate) hit_rate: f64,
    /// Bodies that are apart count as depth zero.
    pub(crate) mean_depth: f64,
    /// Bodies that overlap count as distance zero.
    pub(crate) mean_distance: f64,
    pub(crate) figures: [Figures; ALGORITHMS],
}

fn measure<P: Precision>(
    settings: &Settings,
    sizes: &Sizes,
    pair: &Pair,
    probability: f64,
    drawn: &[Configuration],
) -> Result<Cell, Failure> {
    let scene = Scene::<P>::new(&pair.bodies, drawn)?;
    let truth: Vec<Near> = (0..scene.len()).map(|i| P::near(&scene.closest(i, &mut Default::default()))).collect();
    let algorithms = algorithms::<P>();
    let mut figures = algorithms.each_ref().map(|algorithm| count(algorithm, &scene, &truth, drawn));
    let timed = sizes.timed.min(scene.len());
    let mut batches = algorithms.each_ref().map(|algorithm| |range| (algorithm.time)(&scene, range));
    let mut entries = batches.each_mut().map(|batch| ("", batch as &mut dyn FnMut(Range<usize>)));
    let times = race(timed, entries.each_mut().map(|(name, batch)| (*name, &mut **batch)), settings);
    for (figures, time) in figures.iter_mut().zip(times) {
        figures.nanoseconds = time;
    }
    let mean = |value: fn(f64) -> f64| truth.iter().map(|t| value(t.distance)).sum::<f64>() / truth.len().max(1) as f64;
    Ok(Cell {
        precision: P::NAME,
        pair: pair.name,
        probability,
        count: scene.len(),
        hit_rate: mean(|distance| f64::from(u8::from(distance <= 0.0))),
        mean_depth: mean(|distance| (-distance).max(0.0)),
        mean_distance: mean(|distance| distance.max(0.0)),
        figures,
    })
}

/// Everything but the time.
fn count<P: Precision>(algorithm: &Algorithm<P>, scene: &Scene<P>, truth: &[Near], drawn: &[Configuration]) -> Figures {
    let mut figures = Figures { name: algorithm.name, task: Some(algorithm.task), ..Figures::default() };
    let mut supports = Vec::with_capacity(scene.len());
    for (i, truth) in truth.iter().enumerate() {
        let outcome = (algorithm.ask)(scene, i);
        supports.extend(outcome.supports);
        let error = TOUCHING_SIGMAS * P::sigma(scene.size(i));
        let touching = truth.distance.abs() <= error;
        let contradicts = outcome.meets != (truth.distance <= 0.0);
        let failed = outcome.end != End::Converged || !outcome.sound;
        let limit = outcome.end == End::Limit;
        let disagrees = contradicts && !touching;
        // The upper bound of a signed distance is the lower one of the depth.
        let too_shallow = outcome.depth.is_some_and(|depth| !(depth >= -truth.upper - error));
        figures.failures += usize::from(failed);
        figures.limits += usize::from(limit);
        figures.disagreements += usize::from(disagrees);
        figures.touching += usize::from(contradicts && touching);
        figures.too_shallow += usize::from(too_shallow);
        figures.excess += outcome.depth.map_or(0.0, |depth| depth - (-truth.distance).max(0.0));
        for (found, example) in [failed, limit, disagrees, too_shallow].into_iter().zip(&mut figures.examples) {
            if found && example.is_none() {
                let [a, b] = &drawn[i];
                *example = Some(format!("{:?}, sound {}, {a:?}, {b:?}", outcome.end, outcome.sound));
            }
        }
    }
    supports.sort_unstable();
    let average = |values: &[u32]| values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64;
    let few = (supports.len() as f64 * HIGHEST).ceil() as usize;
    figures.mean = average(&supports);
    figures.highest = average(&supports[supports.len() - few..]);
    figures.excess /= scene.len().max(1) as f64;
    figures
}
