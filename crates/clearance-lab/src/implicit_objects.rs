//! The randomised benchmark of the implicit-objects thesis, section 4.1: figures 4 to 17.
//!
//! Five shapes in six pairs, both bodies uniform in a cube whose size sets the probability that they overlap. Every algorithm is the one of
//! its name and nothing else (`clearance::study`); the verbs of the library stand beside them as `overlap`, `distance` and `closest`. For
//! each: support calls on average and at worst (the mean of the highest 0.1 %), failures, time.
//!
//! A *failure* is the thesis's: no answer (a cutoff was met, or numbers that are none), or a depth that points the wrong way, against the line
//! between the centres; which right answers do, too, of bodies without symmetry, and those are counted beside the others. An answer is *unsound* if the gap between the bodies along its own normal is not within its bounds, which the
//! thesis could not measure.
//!
//! Departures: the thesis draws another sequence for each precision; here both see the same. Its clock is that of 2010. Distances end at a relative gap of 1e-9 in
//! f64, the thesis does not say its own. MPR's first point costs no support call there; ours counts one for the plane that proves the answer.

use std::ops::Range;

use clearance_testkit::Rng;
use rayon::prelude::*;

use crate::implicit_objects_manifolds as manifolds;
use crate::implicit_objects_report::report;
use crate::precision::{Double, End, GAP_SIGMAS, Hit, Near, Precision, Single};
use crate::workload::{Pair, Scene, both_in_cube, calibrate, calls, race, thesis_pairs};
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
    /// Configurations of each pair at each probability in each precision.
    pub configurations: usize,
    /// Configurations that size the cube.
    pub calibration: usize,
    /// Configurations of each cell that are timed.
    pub timed: usize,
    /// From 5 % to 95 % in steps of this many percent.
    pub step: usize,
}

const FULL: Sizes = Sizes { configurations: 100_000, calibration: 10_000, timed: 5_000, step: 5 };
const QUICK: Sizes = Sizes { configurations: 10_000, calibration: 2_000, timed: 500, step: 10 };

/// Configurations that one thread asks at a time, with a seed of their own.
const CHUNK: usize = 10_000;
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
    let pairs = thesis_pairs(&mut Rng::new(settings.seed));
    let probabilities: Vec<f64> =
        (5..=95).step_by(sizes.step.max(1)).map(|percent| f64::from(percent) / 100.0).collect();
    progress.start(2 * (pairs.len() * probabilities.len()) as u64, "cells");
    let mut cells = Vec::new();
    for pair in &pairs {
        for &probability in &probabilities {
            let half = calibrate(pair, probability, sizes.calibration, settings.seed, both_in_cube)?;
            let seed = settings.seed.wrapping_mul(1 << 40).wrapping_add((cells.len() as u64) << 20);
            let drawn = Drawn { seed, half, count: sizes.configurations };
            cells.push(measure::<Double>(settings, sizes, pair, probability, &drawn)?);
            progress.advance(1);
            cells.push(measure::<Single>(settings, sizes, pair, probability, &drawn)?);
            progress.advance(1);
        }
    }
    let mut report = report(&cells);
    manifolds::claims(&mut report, settings, sizes.timed)?;
    Ok(report)
}

/// The configurations of a cell.
struct Drawn {
    seed: u64,
    half: f64,
    count: usize,
}

impl Drawn {
    /// Those of a chunk.
    fn scene<P: Precision>(&self, pair: &Pair, chunk: usize) -> Result<Scene<P>, Failure> {
        let mut rng = Rng::new(self.seed.wrapping_add(chunk as u64));
        let count = CHUNK.min(self.count - chunk * CHUNK);
        let drawn: Vec<_> = (0..count).map(|_| both_in_cube(&mut rng, self.half)).collect();
        Scene::new(&pair.bodies, &drawn)
    }
}

/// What an algorithm is for: the figures that it appears in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Intersection,
    Distance,
    Depth,
    /// A verb of the library, which is in no figure of the thesis.
    Verb,
}

/// What an algorithm says about one configuration.
struct Outcome {
    meets: bool,
    supports: u32,
    end: End,
    /// Whether the gap between the bodies along the normal bears the answer out.
    sound: bool,
    /// A number that is none, or a depth that points from A to where B is not.
    absurd: bool,
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
pub(crate) const ALGORITHMS: usize = 9;
/// The places of those that are compared with each other.
pub(crate) const SA_GJK: usize = 0;
pub(crate) const MPR: usize = 1;
pub(crate) const GJK: usize = 2;
pub(crate) const JOHNSON: usize = 3;
pub(crate) const EPA: usize = 4;
pub(crate) const MPR_DEPTH: usize = 5;

/// The algorithms of the thesis, in the order of the rows, and the verbs of the library.
fn algorithms<P: Precision>() -> [Algorithm<P>; ALGORITHMS] {
    macro_rules! algorithm {
        ($name:literal, $task:ident, $ask:expr, $i:ident, $scene:ident => $call:expr) => {
            Algorithm { name: $name, task: Task::$task, ask: $ask, time: |$scene, range| calls!($i => $call)(range) }
        };
    }
    [
        algorithm!("SA-GJK", Intersection, |s, i| by_boolean(s, i, &P::hit(&s.sa_gjk(i))), i, s => s.sa_gjk(i)),
        algorithm!("MPR", Intersection, |s, i| by_boolean(s, i, &P::hit(&s.mpr_overlap(i))), i, s => s.mpr_overlap(i)),
        algorithm!("GJK", Distance, |s, i| by_gjk(s, i, s.gjk(false, i)), i, s => s.gjk(false, i)),
        algorithm!("GJK Johnson", Distance, |s, i| by_gjk(s, i, s.gjk(true, i)), i, s => s.gjk(true, i)),
        algorithm!("SA-GJK+EPA", Depth, by_epa, i, s => s.epa(i)),
        algorithm!("MPR depth", Depth, by_portal, i, s => s.mpr_depth(i)),
        algorithm!(
            "overlap", Verb, |s, i| by_boolean(s, i, &P::hit(&s.overlap(i, &mut Default::default()))),
            i, s => s.overlap(i, &mut Default::default())
        ),
        algorithm!(
            "distance", Verb, |s, i| by_gjk(s, i, s.distance(i, &mut Default::default()).ok_or(0)),
            i, s => s.distance(i, &mut Default::default())
        ),
        algorithm!(
            "closest", Verb, |s, i| by_distance(s, i, &P::near(&s.closest(i, &mut Default::default()))),
            i, s => s.closest(i, &mut Default::default())
        ),
    ]
}

/// A boolean; a separating plane has to separate.
fn by_boolean<P: Precision>(scene: &Scene<P>, i: usize, hit: &Hit) -> Outcome {
    let apart = |normal| P::gap(scene.bodies(), scene.poses(i), normal) >= -GAP_SIGMAS * P::sigma(scene.size(i));
    let sound = hit.normal.map_or(hit.overlap, |normal| !hit.overlap && apart(normal));
    Outcome { meets: hit.overlap, supports: hit.supports, end: hit.end, sound, absurd: false, depth: None }
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
    let [a, b] = scene.poses(i).each_ref().map(|pose| P::stored(pose).1);
    let numbers = near.normal.is_finite() && near.distance.is_finite();
    Outcome {
        meets: near.distance <= 0.0,
        supports: near.supports,
        end: near.end,
        sound: narrow && ordered && confirmed,
        absurd: !numbers || near.normal.dot(b - a) < 0.0,
        depth: Some((-near.distance).max(0.0)),
    }
}

fn by_gjk<P: Precision>(scene: &Scene<P>, i: usize, answer: Result<P::Closest, u32>) -> Outcome {
    match answer {
        Ok(answer) => Outcome { depth: None, ..by_distance(scene, i, &P::near(&answer)) },
        Err(supports) => {
            Outcome { meets: true, supports, end: End::Converged, sound: true, absurd: false, depth: None }
        }
    }
}

fn by_epa<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    match scene.epa(i) {
        Ok(answer) => by_distance(scene, i, &P::near(&answer)),
        Err(boolean) => Outcome { depth: Some(0.0), ..by_boolean(scene, i, &P::hit(&boolean)) },
    }
}

/// The estimate is the gap along its normal; nothing is stated about how far from the depth it is. Bodies that are apart have a plane.
fn by_portal<P: Precision>(scene: &Scene<P>, i: usize) -> Outcome {
    let near = P::near(&scene.mpr_depth(i));
    let gap = P::gap(scene.bodies(), scene.poses(i), near.normal);
    let exact = (gap - near.distance).abs() <= GAP_SIGMAS * P::sigma(scene.size(i));
    if near.distance > 0.0 {
        let hit = Hit { overlap: false, normal: Some(near.normal), end: End::Converged, supports: near.supports };
        return Outcome { depth: Some(0.0), ..by_boolean(scene, i, &hit) };
    }
    by_bounds(scene, i, &near, exact)
}

/// What one algorithm needed in one cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) name: &'static str,
    pub(crate) task: Option<Task>,
    pub(crate) mean: f64,
    pub(crate) highest: f64,
    /// The thesis's failures: no answer, or one that cannot be true.
    pub(crate) failures: usize,
    /// Of the failures, those that met the iteration limit, and those that point the wrong way.
    pub(crate) limits: usize,
    pub(crate) absurd: usize,
    /// Answers that converged and that their own normal does not bear out.
    pub(crate) unsound: usize,
    /// Booleans that contradict the signed distance of bodies that do not touch.
    pub(crate) wrong: usize,
    /// Depths below the certified lower bound.
    pub(crate) too_shallow: usize,
    /// By how much depths exceed those of `closest`, on average over all configurations.
    pub(crate) excess: f64,
    pub(crate) nanoseconds: f64,
    /// Support calls of each configuration.
    supports: Vec<u16>,
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
    /// Configurations about which SA-GJK and MPR disagree; and those about which they do with depths, where a failure counts as apart.
    pub(crate) disagree: [usize; 2],
    pub(crate) figures: [Figures; ALGORITHMS],
}

fn measure<P: Precision>(
    settings: &Settings,
    sizes: &Sizes,
    pair: &Pair,
    probability: f64,
    drawn: &Drawn,
) -> Result<Cell, Failure> {
    let algorithms = algorithms::<P>();
    let chunks: Vec<usize> = (0..drawn.count.div_ceil(CHUNK)).collect();
    let parts: Vec<Cell> = chunks
        .par_iter()
        .map(|&chunk| {
            let scene = drawn.scene::<P>(pair, chunk)?;
            Ok(counted(&algorithms, &scene, pair.name, probability))
        })
        .collect::<Result<_, Failure>>()?;
    let mut parts = parts.into_iter();
    let mut cell = parts.next().ok_or("no configurations")?;
    parts.for_each(|part| cell.add(part));
    cell.finish();
    let scene = drawn.scene::<P>(pair, 0)?;
    let timed = sizes.timed.min(scene.len());
    let mut batches = algorithms.each_ref().map(|algorithm| |range| (algorithm.time)(&scene, range));
    let mut entries = batches.each_mut().map(|batch| ("", batch as &mut dyn FnMut(Range<usize>)));
    let times = race(timed, entries.each_mut().map(|(name, batch)| (*name, &mut **batch)), settings);
    for (figures, time) in cell.figures.iter_mut().zip(times) {
        figures.nanoseconds = time;
    }
    Ok(cell)
}

/// Everything about some configurations but the time; sums where the cell has means.
fn counted<P: Precision>(
    algorithms: &[Algorithm<P>; ALGORITHMS],
    scene: &Scene<P>,
    pair: &'static str,
    probability: f64,
) -> Cell {
    let figures = algorithms.each_ref().map(|algorithm| Figures {
        name: algorithm.name,
        task: Some(algorithm.task),
        supports: Vec::with_capacity(scene.len()),
        ..Figures::default()
    });
    let mut cell = Cell {
        precision: P::NAME,
        pair,
        probability,
        count: scene.len(),
        hit_rate: 0.0,
        mean_depth: 0.0,
        mean_distance: 0.0,
        disagree: [0; 2],
        figures,
    };
    for i in 0..scene.len() {
        let truth = P::near(&scene.closest(i, &mut Default::default()));
        cell.hit_rate += f64::from(u8::from(truth.distance <= 0.0));
        cell.mean_depth += (-truth.distance).max(0.0);
        cell.mean_distance += truth.distance.max(0.0);
        let outcomes = algorithms.each_ref().map(|algorithm| (algorithm.ask)(scene, i));
        let error = TOUCHING_SIGMAS * P::sigma(scene.size(i));
        for (figures, outcome) in cell.figures.iter_mut().zip(&outcomes) {
            figures.record(outcome, &truth, error);
        }
        // A depth that failed takes the contact back, as the thesis's implementation does.
        let valid = |place: usize| outcomes[place].meets && !outcomes[place].failed();
        cell.disagree[0] += usize::from(outcomes[SA_GJK].meets != outcomes[MPR].meets);
        cell.disagree[1] += usize::from(valid(EPA) != valid(MPR_DEPTH));
    }
    cell
}

impl Outcome {
    fn failed(&self) -> bool {
        self.end != End::Converged || self.absurd
    }
}

impl Figures {
    fn record(&mut self, outcome: &Outcome, truth: &Near, error: f64) {
        self.supports.push(outcome.supports.min(u32::from(u16::MAX)) as u16);
        self.failures += usize::from(outcome.failed());
        self.limits += usize::from(outcome.end == End::Limit);
        self.absurd += usize::from(outcome.end == End::Converged && outcome.absurd);
        self.unsound += usize::from(outcome.end == End::Converged && !outcome.sound);
        let touching = truth.distance.abs() <= error;
        self.wrong += usize::from(outcome.meets != (truth.distance <= 0.0) && !touching);
        // The upper bound of a signed distance is the lower one of the depth.
        let too_shallow = |depth: f64| !outcome.failed() && !(depth >= -truth.upper - error);
        self.too_shallow += usize::from(outcome.depth.is_some_and(too_shallow));
        self.excess += outcome.depth.map_or(0.0, |depth| depth - (-truth.distance).max(0.0));
    }

    fn add(&mut self, other: Self) {
        self.supports.extend(other.supports);
        self.failures += other.failures;
        self.limits += other.limits;
        self.absurd += other.absurd;
        self.unsound += other.unsound;
        self.wrong += other.wrong;
        self.too_shallow += other.too_shallow;
        self.excess += other.excess;
    }

    fn finish(&mut self) {
        let mut supports = std::mem::take(&mut self.supports);
        supports.sort_unstable();
        let average = |values: &[u16]| values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64;
        let few = (supports.len() as f64 * HIGHEST).ceil() as usize;
        self.mean = average(&supports);
        self.highest = average(&supports[supports.len() - few..]);
        self.excess /= supports.len().max(1) as f64;
    }
}

impl Cell {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.hit_rate += other.hit_rate;
        self.mean_depth += other.mean_depth;
        self.mean_distance += other.mean_distance;
        self.disagree.iter_mut().zip(other.disagree).for_each(|(sum, more)| *sum += more);
        self.figures.iter_mut().zip(other.figures).for_each(|(sum, more)| sum.add(more));
    }

    fn finish(&mut self) {
        let count = self.count.max(1) as f64;
        for sum in [&mut self.hit_rate, &mut self.mean_depth, &mut self.mean_distance] {
            *sum /= count;
        }
        self.figures.iter_mut().for_each(Figures::finish);
    }
}
