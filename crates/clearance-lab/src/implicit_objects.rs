//! The randomised benchmark of the implicit-objects thesis, section 4.1: figures 4 to 17.
//!
//! Five shapes in six pairs, both bodies uniform in a cube whose size sets the probability that they overlap. For each
//! algorithm: support calls on average and at worst (the mean of the highest 0.1 %), failures, time, and booleans that
//! contradict the signed distance. Every algorithm is one entry of [`algorithms`].
//!
//! Departures: a depth vector that "points the wrong way" is one along which the bodies are not as the answer says — the
//! gap measured along it must be the answer to within its bounds and the stated tolerance — since the thesis's test, against the vector between
//! the centres, can fail for right answers of bodies without symmetry. And `closest` computes the distance of bodies that
//! are apart, where the thesis's depth run stops at the boolean.

use std::ops::Range;

use clearance_testkit::Rng;

use crate::implicit_objects_report::report;
use crate::precision::{Double, End, Precision, Single};
use crate::workload::{Configuration, Pair, Scene, both_in_cube, calibrate, calls, race, six_pairs};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "implicit-objects",
    title: "support calls, failures, time and disagreement of GJK and EPA on random pairs",
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
/// Support errors by which the gap along a normal may miss the answer: two supports and two poses.
const GAP_SIGMAS: f64 = 8.0;

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
    supports: u32,
    end: End,
    /// Whether the answer is made of numbers and its normal bears it out.
    sound: bool,
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
pub(crate) const ALGORITHMS: usize = 3;

/// The algorithms of the thesis, in the order of the rows.
fn algorithms<P: Precision>() -> [Algorithm<P>; ALGORITHMS] {
    [
        Algorithm {
            name: "SA-GJK",
            task: Task::Intersection,
            ask: ask_overlap,
            time: |scene, range| calls!(i => scene.overlap(i, &mut Default::default()))(range),
        },
        Algorithm {
            name: "GJK",
            task: Task::Distance,
            ask: ask_distance,
            time: |scene, range| calls!(i => scene.distance(i))(range),
        },
        Algorithm {
            name: "GJK+EPA",
            task: Task::Depth,
            ask: ask_closest,
            time: |scene, range| calls!(i => scene.closest(i, &mut Default::default()))(range),
        },
    ]
}

fn ask_overlap<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    let hit = P::hit(&scene.overlap(i, &mut Default::default()));
    Outcome { meets: hit.overlap, supports: hit.supports, end: hit.end, sound: true }
}

fn ask_distance<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    let length = P::length(&scene.distance(i));
    let sound = length.finite && length.distance.is_finite();
    Outcome { meets: length.distance <= 0.0, supports: length.supports, end: length.end, sound }
}

fn ask_closest<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    let near = P::near(&scene.closest(i, &mut Default::default()));
    let slack = near.upper - near.lower + P::depth_gap() * near.distance.abs() + GAP_SIGMAS * P::sigma(scene.size(i));
    let gap = P::gap(scene.bodies(), scene.poses(i), near.normal);
    Outcome {
        meets: near.distance <= 0.0,
        supports: near.supports,
        end: near.end,
        // Comparisons with NaN are false.
        sound: near.lower <= near.distance && near.distance <= near.upper && (gap - near.distance).abs() <= slack,
    }
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
    pub(crate) nanoseconds: f64,
    /// The first failure, iteration limit and disagreement, as they can be asked again.
    pub(crate) examples: [Option<String>; 3],
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
    let distances: Vec<f64> =
        (0..scene.len()).map(|i| P::near(&scene.closest(i, &mut Default::default())).distance).collect();
    let algorithms = algorithms::<P>();
    let mut figures = algorithms.each_ref().map(|algorithm| count(algorithm, &scene, &distances, drawn));
    let timed = sizes.timed.min(scene.len());
    let mut batches = algorithms.each_ref().map(|algorithm| |range| (algorithm.time)(&scene, range));
    let mut entries = batches.each_mut().map(|batch| ("", batch as &mut dyn FnMut(Range<usize>)));
    let times = race(timed, entries.each_mut().map(|(name, batch)| (*name, &mut **batch)), settings);
    for (figures, time) in figures.iter_mut().zip(times) {
        figures.nanoseconds = time;
    }
    let mean = |value: fn(f64) -> f64| distances.iter().map(|&d| value(d)).sum::<f64>() / distances.len().max(1) as f64;
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
fn count<P: Precision>(
    algorithm: &Algorithm<P>,
    scene: &Scene<P>,
    distances: &[f64],
    drawn: &[Configuration],
) -> Figures {
    let mut figures = Figures { name: algorithm.name, task: Some(algorithm.task), ..Figures::default() };
    let mut supports = Vec::with_capacity(scene.len());
    for (i, &distance) in distances.iter().enumerate() {
        let outcome = (algorithm.ask)(scene, i);
        supports.push(outcome.supports);
        let failed = outcome.end != End::Converged || !outcome.sound;
        let touching = distance.abs() <= TOUCHING_SIGMAS * P::sigma(scene.size(i));
        let disagrees = outcome.meets != (distance <= 0.0) && !touching;
        if failed || disagrees {
            eprintln!(
                "DBG {} {} {:?} sound {} d {} size {} sup {} {:?}",
                P::NAME,
                algorithm.name,
                outcome.end,
                outcome.sound,
                distance,
                scene.size(i),
                outcome.supports,
                drawn[i]
            );
        }
        let limit = outcome.end == End::Limit;
        figures.failures += usize::from(failed);
        figures.limits += usize::from(limit);
        figures.disagreements += usize::from(disagrees);
        for (found, example) in [failed, limit, disagrees].into_iter().zip(&mut figures.examples) {
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
    figures
}
