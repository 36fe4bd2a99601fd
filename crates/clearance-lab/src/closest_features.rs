//! Closest features by Voronoi marching under coherence: steps and time per warm query against the number of vertices.
//!
//! The lecture's claim is a constant expected time, whatever the size of the bodies, for features tracked from frame to frame.
//! Two hulls of random points on an ellipsoid pass each other as in `race-coherent` (5 % of the radius and 10° per step), and at
//! a tenth of that. A fixed turn passes over more features the nearer they are to each other, so the steps grow like the root
//! of the number of vertices; what is constant is the work per feature passed. The third pace shows it: the turn shrinks like the
//! spacing of the vertices. Passes without an overlap show marching alone; GJK is asked the same, warm.

use clearance::narrow::closest_features::{FeatureCache, Found, closest_features};
use clearance::{Cache, Polytope, Pose, Shape, distance, overlap, tolerance};
use clearance_testkit::Rng;

use crate::precision::{Double, Precision};
use crate::race_coherent::{STEPS, pass_of};
use crate::race_size::SEMI_AXES;
use crate::workload::{Recipe, calls, race};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "closest-features",
    title: "steps and time of warm closest-feature queries against the number of vertices",
    reproduces: "proximity-queries lecture, Voronoi marching",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Vertices of each hull.
    pub vertices: &'static [usize],
    /// Passes of 100 steps without an overlap.
    pub passes: usize,
}

const FULL: Sizes = Sizes { vertices: &[20, 100, 500, 2_000], passes: 60 };
const QUICK: Sizes = Sizes { vertices: &[20, 100, 500, 2_000], passes: 10 };

/// How fast the bodies move.
#[derive(Clone, Copy)]
struct Pace {
    name: &'static str,
    /// As a part of the step of `race-coherent`: 5 % of the radius and 10°.
    part: f64,
    /// Whether it shrinks like the spacing of the vertices, from 20 on.
    shrinks: bool,
}

const PACES: [Pace; 3] = [
    Pace { name: "5 %, 10°", part: 1.0, shrinks: false },
    Pace { name: "0.5 %, 1°", part: 0.1, shrinks: false },
    Pace { name: "by spacing", part: 1.0, shrinks: true },
];

impl Pace {
    fn at(self, n: usize) -> f64 {
        if self.shrinks { self.part * (20.0 / n as f64).sqrt() } else { self.part }
    }
}

/// Two bodies and their poses, pass after pass.
struct Track {
    bodies: [Polytope; 2],
    poses: Vec<[Pose; 2]>,
}

/// A size at a pace.
struct Cell {
    n: usize,
    pace: &'static str,
    /// Mean steps of a warm and of a cold march.
    steps: [f64; 2],
    /// Nanoseconds: warm and cold marching, warm GJK.
    times: [f64; 3],
    queries: usize,
    by_gjk: usize,
    /// Answers that differ from GJK's by more than the error, or warm from cold.
    differ: usize,
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start((PACES.len() * sizes.vertices.len()) as u64, "sizes");
    let mut cells = Vec::new();
    for pace in PACES {
        for &n in sizes.vertices {
            let track = track(&mut rng, n, sizes.passes, pace.at(n))?;
            cells.push(measure(settings, &track, pace.name));
            progress.advance(1);
        }
    }
    Ok(report(&cells))
}

/// Passes without an overlap.
fn track(rng: &mut Rng, n: usize, passes: usize, pace: f64) -> Result<Track, Failure> {
    let hulls = [0; 2].map(|_| Recipe::random_hull(rng, n, SEMI_AXES).corners());
    let bodies = [Polytope::from_points(&hulls[0])?, Polytope::from_points(&hulls[1])?];
    let [a, b] = bodies.clone().map(Shape::from);
    let mut poses = Vec::new();
    while poses.len() < passes * STEPS {
        let placed: Result<Vec<[Pose; 2]>, Failure> =
            pass_of(rng, pace).iter().map(|[a, b]| Ok([Double::pose(a)?, Double::pose(b)?])).collect();
        let placed = placed?;
        if !placed.iter().any(|[pose_a, pose_b]| overlap(&a, pose_a, &b, pose_b, &mut Cache::default()).overlap) {
            poses.extend(placed);
        }
    }
    Ok(Track { bodies, poses })
}

fn measure(settings: &Settings, track: &Track, pace: &'static str) -> Cell {
    let [a, b] = &track.bodies;
    let shapes = track.bodies.clone().map(Shape::from);
    let (mut warm, mut pair) = (FeatureCache::default(), Cache::default());
    let poses = &track.poses;
    let times = race(
        poses.len(),
        [
            (
                "warm",
                calls!(i => {
                    if i % STEPS == 0 {
                        warm = FeatureCache::default();
                    }
                    closest_features(a, &poses[i][0], b, &poses[i][1], &mut warm)
                }),
            ),
            ("cold", calls!(i => closest_features(a, &poses[i][0], b, &poses[i][1], &mut FeatureCache::default()))),
            (
                "gjk",
                calls!(i => {
                    if i % STEPS == 0 {
                        pair = Cache::default();
                    }
                    distance(&shapes[0], &poses[i][0], &shapes[1], &poses[i][1], &mut pair)
                }),
            ),
        ],
        settings,
    );
    let mut cell =
        Cell { n: a.vertices().len(), pace, steps: [0.0; 2], times, queries: poses.len(), by_gjk: 0, differ: 0 };
    compare(track, &shapes, &mut cell);
    cell
}

/// Counts steps and looks for answers that differ.
fn compare(track: &Track, shapes: &[Shape; 2], cell: &mut Cell) {
    let [a, b] = &track.bodies;
    let mut cache = FeatureCache::default();
    for (i, [pose_a, pose_b]) in track.poses.iter().enumerate() {
        if i % STEPS == 0 {
            cache = FeatureCache::default();
        }
        let warm = closest_features(a, pose_a, b, pose_b, &mut cache);
        let cold = closest_features(a, pose_a, b, pose_b, &mut FeatureCache::default());
        let near = distance(&shapes[0], pose_a, &shapes[1], pose_b, &mut Cache::default());
        let size = a.bounding_radius() + b.bounding_radius() + pose_b.translation().length();
        let error = 32.0 * tolerance::sigma(size);
        let off = |answer: f64| near.is_none_or(|near| !((near.distance - answer).abs() <= error));
        cell.differ += usize::from(off(warm.closest.distance) || off(cold.closest.distance));
        cell.by_gjk += usize::from(warm.found != Found::Marching) + usize::from(cold.found != Found::Marching);
        for (sum, steps) in cell.steps.iter_mut().zip([warm.steps, cold.steps]) {
            *sum += f64::from(steps) / track.poses.len() as f64;
        }
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns =
        ["pace", "n", "queries", "warm_steps", "cold_steps", "warm_ns", "cold_ns", "gjk_warm_ns", "ratio_to_gjk"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let [warm, cold, gjk] = cell.times;
        let figures = [cell.steps[0], cell.steps[1], warm, cold, gjk, gjk / warm];
        let labels = [cell.pace.into(), cell.n.into(), cell.queries.into()];
        report.row(labels.into_iter().chain(figures.map(Into::into)));
    }
    claims(&mut report, cells);
    plots(&mut report, cells);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    for Pace { name: pace, .. } in PACES {
        let of_pace = || cells.iter().filter(|cell| cell.pace == pace);
        if let (Some(small), Some(large)) = (of_pace().min_by_key(|c| c.n), of_pace().max_by_key(|c| c.n)) {
            let growth = [large.steps[0] / small.steps[0], large.times[0] / small.times[0]];
            for (what, growth) in ["steps", "time"].into_iter().zip(growth) {
                let claim =
                    format!("at the pace {pace}, warm {what} grow less than twice from {} to {}", small.n, large.n);
                report.claim(claim, "constant under coherence", growth, growth < 2.0);
                report.why_not(
                    "features shrink as vertices are added: at the same pace a body passes more of them in a frame. At a pace that shrinks like their \
                     spacing the steps are constant; the time is not, as 2,000 vertices with their features leave the first cache",
                );
            }
        }
    }
    let by_gjk: usize = cells.iter().map(|cell| cell.by_gjk).sum();
    let queries: usize = cells.iter().map(|cell| 2 * cell.queries).sum();
    let text = format!("{by_gjk} of {queries}");
    report.claim("marching needs help from GJK less than once in 1,000", "–", text, by_gjk * 1_000 < queries);
    let differ: usize = cells.iter().map(|cell| cell.differ).sum();
    report.claim("warm, cold and GJK agree", "–", format!("{differ} differ"), differ == 0);
}

fn plots(report: &mut Report, cells: &[Cell]) {
    let mut steps = Plot::new("steps", "Steps per warm query", "vertices", "steps").log(true, false);
    let mut time = Plot::new("time", "Time per warm query", "vertices", "nanoseconds").log(true, false);
    for Pace { name: pace, .. } in PACES {
        let of_pace = || cells.iter().filter(|cell| cell.pace == pace);
        steps.line(format!("marching, {pace}"), of_pace().map(|cell| (cell.n as f64, cell.steps[0])));
        time.line(format!("marching, {pace}"), of_pace().map(|cell| (cell.n as f64, cell.times[0])));
        time.line(format!("GJK, {pace}"), of_pace().map(|cell| (cell.n as f64, cell.times[2])));
    }
    report.plot(steps).plot(time);
}
