//! Four algorithms at faster motion and in denser crowds: figures 6.6 to 6.11 of Q_COLLIDE, section 6.2.2.
//!
//! A hundred bodies, the three shapes of `q_collide` mixed, move in a closed cube. The motion and the pairs
//! whose tight boxes overlap are recorded first; then each algorithm is asked about the same pairs at the same poses, with
//! its own cache per pair, which starts cold when boxes begin to overlap. Only these questions are timed, not the boxes.
//!
//! The thesis plots the simulation time, which in a denser crowd grows with the number of pairs; here it is the time of all tests of a
//! frame, and the time per test is given beside it. Every algorithm is asked alone, but for closest features, which hand over to GJK what
//! does not check, as I_COLLIDE hands over to a linear program. Bodies that overlap get their depth from the improved Gilbert algorithm and from
//! closest features, which a boolean does not need; so the times of the tests of pairs apart, replayed alone, are given too.
//! The thesis gives no scale for its density: here it is the share of the cube that is filled.

use clearance::broad::{BroadPhase, Grid};
use clearance::study::closest_features::{FeatureCache, of_shapes};
use clearance::study::combined::{CombinedCache, frame};
use clearance::study::separating_vector::{Options, overlap_by};
use clearance::study::{PairCache, gilbert};
use clearance::{Cache, End, Overlap, Pose, Shape, overlap};
use clearance_testkit::Rng;
use std::collections::HashMap;
use std::hint::black_box;

use crate::q_collide::{Figure, MOTION};
use crate::q_collide_speed_report::report;
use crate::trajectory::{Motion, Recording, per_visit, visits};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "q-collide-speed",
    title: "separating vectors, Gilbert, both combined and closest features against velocity, turn and density",
    reproduces: "q-collide figures 6.6 to 6.11",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Vertices of the bodies.
    pub vertices: &'static [usize],
    /// Bodies in the environment.
    pub bodies: usize,
    /// Frames recorded at each point.
    pub frames: usize,
    /// Replays of each algorithm.
    pub rounds: usize,
}

const FULL: Sizes = Sizes { vertices: &[20, 500], bodies: 100, frames: 400, rounds: 15 };
const QUICK: Sizes = Sizes { vertices: &[20, 500], bodies: 100, frames: 100, rounds: 5 };

/// Frames before the recording.
const SETTLING: usize = 40;
/// Different hulls of each shape.
const HULLS: usize = 10;
/// Frames timed together, so that reading the clock does not count.
const CHUNK: usize = 10;

/// What is varied, with its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sweep {
    /// Way per frame, in % of the radius.
    Translation,
    /// Turn per frame, in degrees.
    Rotation,
    /// Room per body: the edge of its cell in radii, from much to little.
    Density,
}

impl Sweep {
    pub(crate) const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Density];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Density => "density",
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Translation => "% of the radius per frame",
            Self::Rotation => "degrees per frame",
            Self::Density => "% of the cube filled",
        }
    }

    fn values(self) -> &'static [f64] {
        match self {
            Self::Translation => &[2.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0],
            Self::Rotation => &[5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0],
            Self::Density => &[4.5, 4.0, 3.5, 3.0, 2.5, 2.25, 2.0],
        }
    }

    fn motion(self, value: f64) -> Motion {
        match self {
            Self::Translation => Motion { speed: value / 100.0, ..MOTION },
            Self::Rotation => Motion { turn_degrees: value, ..MOTION },
            Self::Density => Motion { cell: value, ..MOTION },
        }
    }
}

/// The algorithms, in the order of the times.
pub(crate) const ALGORITHMS: [&str; 4] = ["separating vectors", "combined", "Gilbert", "closest features"];

/// One point of a figure.
pub(crate) struct Point {
    pub(crate) sweep: Sweep,
    pub(crate) n: usize,
    /// On the axis of the sweep.
    pub(crate) value: f64,
    pub(crate) frames: usize,
    pub(crate) tests: usize,
    pub(crate) touching: usize,
    /// Nanoseconds per test, by algorithm: of all tests, and of those of pairs apart.
    pub(crate) all: [f64; 4],
    pub(crate) apart: [f64; 4],
    /// Tests on which the algorithms do not agree.
    pub(crate) differ: usize,
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let count: usize = Sweep::ALL.iter().map(|sweep| sweep.values().len()).sum();
    progress.start((sizes.vertices.len() * count) as u64, "points");
    let mut points = Vec::new();
    for sweep in Sweep::ALL {
        for &n in sizes.vertices {
            for &value in sweep.values() {
                points.push(measure(settings, sizes, sweep, n, value)?);
                progress.advance(1);
            }
        }
    }
    Ok(report(&points))
}

/// A question about a pair.
#[derive(Clone, Copy)]
struct Test {
    bodies: [u32; 2],
    frame: u32,
    /// Where its cache is.
    slot: u32,
    /// Whether the boxes begin to overlap.
    fresh: bool,
    touching: bool,
}

fn measure(settings: &Settings, sizes: &Sizes, sweep: Sweep, n: usize, value: f64) -> Result<Point, Failure> {
    let mut rng = Rng::new(settings.seed);
    let points = (0..HULLS).flat_map(|_| Figure::ALL).map(|figure| figure.points(&mut rng, n)).collect();
    let motion = sweep.motion(value);
    let recording = Recording::new(&mut rng, points, sizes.bodies, &motion, [SETTLING, sizes.frames])?;
    let tests = tests(&recording)?;
    let value = if sweep == Sweep::Density { filled(&recording, &motion) } else { value };
    let apart = only_apart(&tests);
    Ok(Point {
        sweep,
        n,
        value,
        frames: sizes.frames,
        tests: tests.len(),
        touching: tests.len() - apart.len(),
        all: times(&recording, &tests, sizes),
        apart: times(&recording, &apart, sizes),
        differ: compare(&recording, &tests),
    })
}

/// The share of the cube that the bodies fill, in %.
fn filled(recording: &Recording, motion: &Motion) -> f64 {
    let count = recording.hull_of.len();
    let volume: f64 = (0..count).map(|body| recording.shape(body).volume()).sum();
    let edge = motion.cell * crate::trajectory::cells_along(count) as f64;
    100.0 * volume / (edge * edge * edge)
}

/// All pairs of overlapping boxes, frame by frame.
fn tests(recording: &Recording) -> Result<Vec<Test>, Failure> {
    let mut broad = Grid::new();
    let mut tests = Vec::new();
    let (mut slots, mut free, mut used) = (HashMap::new(), Vec::new(), 0);
    for (frame, poses) in recording.frames.iter().enumerate() {
        for (body, pose) in poses.iter().enumerate() {
            let bounds = recording.shape(body).aabb(pose);
            if frame == 0 { broad.add(body as u32, bounds)? } else { broad.set(body as u32, bounds)? }
        }
        let update = broad.update();
        free.extend(update.left.iter().filter_map(|pair| slots.remove(pair)));
        for &bodies in update.pairs {
            let fresh = !slots.contains_key(&bodies);
            let slot = *slots.entry(bodies).or_insert_with(|| {
                free.pop().unwrap_or_else(|| {
                    used += 1;
                    used - 1
                })
            });
            let [i, j] = bodies.map(|body| body as usize);
            let (a, b) = (recording.shape(i), recording.shape(j));
            let touching = overlap(a, &poses[i], b, &poses[j], &mut Cache::default()).overlap;
            tests.push(Test { bodies, frame: frame as u32, slot, fresh, touching });
        }
    }
    Ok(tests)
}

/// Those of pairs apart; a pair that was to start cold at one left out starts cold later.
fn only_apart(tests: &[Test]) -> Vec<Test> {
    let slots = tests.iter().map(|test| test.slot as usize + 1).max().unwrap_or(0);
    let mut cold = vec![false; slots];
    let mut kept = Vec::new();
    for test in tests {
        let cold = &mut cold[test.slot as usize];
        *cold |= test.fresh;
        if !test.touching {
            kept.push(Test { fresh: std::mem::take(cold), ..*test });
        }
    }
    kept
}

/// The tests of each [`CHUNK`] of frames.
fn chunks(tests: &[Test]) -> Vec<&[Test]> {
    tests.chunk_by(|a, b| a.frame as usize / CHUNK == b.frame as usize / CHUNK).collect()
}

/// Asks about all tests of a chunk.
#[inline]
fn ask<Cache: Default, Answer>(
    recording: &Recording,
    tests: &[Test],
    caches: &mut [Cache],
    mut algorithm: impl FnMut(&Shape, &Pose, &Shape, &Pose, &mut Cache) -> Answer,
) {
    for test in tests {
        let cache = &mut caches[test.slot as usize];
        if test.fresh {
            *cache = Cache::default();
        }
        let poses = &recording.frames[test.frame as usize];
        let [i, j] = test.bodies.map(|body| body as usize);
        black_box(algorithm(recording.shape(i), &poses[i], recording.shape(j), &poses[j], cache));
    }
}

/// Nanoseconds per test of each algorithm.
fn times(recording: &Recording, tests: &[Test], sizes: &Sizes) -> [f64; 4] {
    let slots = tests.iter().map(|test| test.slot as usize + 1).max().unwrap_or(0);
    let (mut vectors, mut gilberts) = (vec![PairCache::default(); slots], vec![PairCache::default(); slots]);
    let (mut both, mut features) = (vec![CombinedCache::default(); slots], vec![FeatureCache::default(); slots]);
    let options = Options::default();
    let chunks = chunks(tests);
    macro_rules! replay {
        ($caches:ident, $algorithm:expr) => {
            &mut || visits(0..chunks.len(), |at| ask(recording, chunks[at], &mut $caches, $algorithm))
        };
    }
    let times = per_visit(
        [
            replay!(vectors, |a, at_a, b, at_b, cache| overlap_by(&options, a, at_a, b, at_b, cache)),
            replay!(both, frame),
            replay!(gilberts, gilbert::closest),
            replay!(features, of_shapes),
        ],
        sizes.rounds,
    );
    times.map(|per_chunk| per_chunk * chunks.len() as f64 / tests.len().max(1) as f64)
}

/// On how many tests the four differ about whether the pair touches, each with its cache.
fn compare(recording: &Recording, tests: &[Test]) -> usize {
    let slots = tests.iter().map(|test| test.slot as usize + 1).max().unwrap_or(0);
    let mut caches = vec![(PairCache::default(), CombinedCache::default(), FeatureCache::default()); slots];
    let mut gilberts = vec![PairCache::default(); slots];
    let mut differ = 0;
    let options = Options::default();
    for test in tests {
        let slot = test.slot as usize;
        if test.fresh {
            caches[slot] = Default::default();
            gilberts[slot] = Default::default();
        }
        let poses = &recording.frames[test.frame as usize];
        let [i, j] = test.bodies.map(|body| body as usize);
        let (a, at_a, b, at_b) = (recording.shape(i), &poses[i], recording.shape(j), &poses[j]);
        let (vectors, both, features) = &mut caches[slot];
        let near = gilbert::closest(a, at_a, b, at_b, &mut gilberts[slot]);
        let feature = of_shapes(a, at_a, b, at_b, features);
        // What an algorithm leaves open it does not contradict.
        let agrees = |answer: &Overlap| answer.end != End::Converged || answer.overlap == test.touching;
        let same = agrees(&overlap_by(&options, a, at_a, b, at_b, vectors).0)
            && agrees(&frame(a, at_a, b, at_b, both).overlap)
            && (near.end != End::Converged || (near.lower <= 0.0) == test.touching)
            && feature.is_some_and(|answer| (answer.closest.lower <= 0.0) == test.touching);
        differ += usize::from(!same);
    }
    differ
}
