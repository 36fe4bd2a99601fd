//! The pipeline of Q_COLLIDE, section 3.1: a partition of space and sweep and prune in each region, beside the other broad phases.
//!
//! The environment is the thesis's (`q_collide`): ellipsoids of 20 vertices in a closed cube, the same room for each, 5 % of the radius and
//! 10° per frame. The thesis proposes the pipeline and gives no figures for it; its first step is to "eliminate non-interference
//! objects that belong to different regions". What that can save are exchanges of ends: along an axis of the whole room a body passes
//! all those in its slab, whose number grows with n^(2/3), and in a region only those of the region.

use clearance::Aabb;
use clearance::broad::{BroadPhase, Grid, PartitionedSweep, SweepAndPrune, Tree};
use clearance_testkit::Rng;

use crate::q_collide::{Figure, MOTION};
use crate::trajectory::{Recording, per_visit, visits};
use crate::verdict::exponent;
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "broad-phases",
    title: "sweep and prune by regions against sweep and prune, tree and grid",
    reproduces: "q-collide section 3.1",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bodies of the environments.
    pub bodies: &'static [usize],
    /// Frames of an environment.
    pub frames: usize,
    /// Replays of each broad phase.
    pub rounds: usize,
}

const FULL: Sizes = Sizes { bodies: &[250, 500, 1000, 2000, 4000, 8000], frames: 100, rounds: 7 };
const QUICK: Sizes = Sizes { bodies: &[250, 1000, 4000], frames: 20, rounds: 3 };

/// The broad phases, in the order of the times.
const PHASES: [&str; 4] = ["sweep and prune", "sweep by regions", "tree", "grid"];
/// Vertices of the bodies.
const VERTICES: usize = 20;
/// Frames before a recording.
const SETTLING: usize = 20;

/// What was found at one number of bodies.
struct Point {
    n: usize,
    pairs: f64,
    regions: usize,
    /// Exchanges per body and frame: of the whole axes, and of the axes of regions.
    exchanges: [f64; 2],
    /// Nanoseconds per update.
    times: [f64; 4],
    /// Frames in which a broad phase found other pairs than the first.
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
    progress.start(sizes.bodies.len() as u64, "environments");
    let mut points = Vec::new();
    for &n in sizes.bodies {
        points.push(measure(settings, sizes, n)?);
        progress.advance(1);
    }
    Ok(report(&points))
}

/// The boxes of all frames, forth and back, so that no frame is a jump.
fn boxes(settings: &Settings, sizes: &Sizes, n: usize) -> Result<Vec<Vec<Aabb>>, Failure> {
    let mut rng = Rng::new(settings.seed);
    let points = (0..20).map(|_| Figure::Ellipsoid.points(&mut rng, VERTICES)).collect();
    let recording = Recording::new(&mut rng, points, n, &MOTION, [SETTLING, sizes.frames])?;
    let of = |poses: &Vec<_>| (0..n).map(|body| recording.shape(body).aabb(&poses[body])).collect();
    let forth: Vec<Vec<Aabb>> = recording.frames.iter().map(of).collect();
    Ok(forth.iter().chain(forth.iter().rev()).cloned().collect())
}

fn filled<B: BroadPhase>(mut broad: B, boxes: &[Aabb]) -> Result<B, Failure> {
    for (body, bounds) in boxes.iter().enumerate() {
        broad.add(body as u32, *bounds)?;
    }
    broad.update();
    Ok(broad)
}

fn set(broad: &mut impl BroadPhase, boxes: &[Aabb]) {
    for (body, bounds) in boxes.iter().enumerate() {
        // The bodies are there and the boxes are boxes: there is nothing to refuse.
        let set = broad.set(body as u32, *bounds);
        debug_assert!(set.is_ok(), "{set:?}");
    }
}

fn measure(settings: &Settings, sizes: &Sizes, n: usize) -> Result<Point, Failure> {
    let frames = boxes(settings, sizes, n)?;
    let first = frames.first().map_or(&[][..], Vec::as_slice);
    let (mut whole, mut regions) = (filled(SweepAndPrune::new(), first)?, filled(PartitionedSweep::new(), first)?);
    let (mut tree, mut grid) = (filled(Tree::new(), first)?, filled(Grid::new(), first)?);
    let (mut exchanges, mut pairs, mut differ) = ([0; 2], 0, 0);
    for boxes in &frames {
        set(&mut whole, boxes);
        set(&mut regions, boxes);
        set(&mut tree, boxes);
        set(&mut grid, boxes);
        let found = whole.update().pairs.to_vec();
        let same =
            [regions.update().pairs, tree.update().pairs, grid.update().pairs].iter().all(|other| *other == found);
        differ += usize::from(!same);
        pairs += found.len();
        exchanges[0] += whole.exchanges();
        exchanges[1] += regions.exchanges();
    }
    macro_rules! replay {
        ($broad:ident) => {
            &mut || {
                visits(0..frames.len(), |at| {
                    set(&mut $broad, &frames[at]);
                    std::hint::black_box($broad.update().pairs.len());
                })
            }
        };
    }
    let times = per_visit([replay!(whole), replay!(regions), replay!(tree), replay!(grid)], sizes.rounds);
    let count = frames.len().max(1) as f64;
    Ok(Point {
        n,
        pairs: pairs as f64 / count,
        regions: regions.regions(),
        exchanges: exchanges.map(|all| all as f64 / count / n as f64),
        times,
        differ,
    })
}

fn report(points: &[Point]) -> Report {
    let columns = ["bodies", "broad phase", "pairs", "regions", "exchanges per body", "nanoseconds per update"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for point in points {
        for (i, phase) in PHASES.into_iter().enumerate() {
            let regions = if i == 1 { point.regions } else { 1 };
            let exchanges = point.exchanges.get(i).copied().unwrap_or(0.0);
            let time = point.times[i];
            report.row([
                point.n.into(),
                phase.into(),
                point.pairs.into(),
                regions.into(),
                exchanges.into(),
                time.into(),
            ]);
        }
    }
    let differ: usize = points.iter().map(|point| point.differ).sum();
    report.claim(
        "all broad phases find the same pairs in every frame",
        "–",
        format!("{differ} frames differ"),
        differ == 0,
    );
    let by = |value: fn(&Point) -> f64| points.iter().map(|point| (point.n as f64, value(point))).collect::<Vec<_>>();
    let grows = [exponent(&by(|point| point.exchanges[0])), exponent(&by(|point| point.exchanges[1]))];
    let text = format!("exponents of n: {:.2} in regions, {:.2} along whole axes", grows[1], grows[0]);
    let claim = "exchanges per body grow more slowly in regions than along whole axes";
    report.claim(claim, "objects of different regions are eliminated", text, grows[1] < grows[0]);
    if let Some(last) = points.last() {
        let text =
            format!("{:.2} times at {} bodies in {} regions", last.times[0] / last.times[1], last.n, last.regions);
        let claim = "in the largest environment sweep and prune is faster by regions";
        report.claim(claim, "more efficient in a large-scale environment", text, last.times[1] < last.times[0]);
        let fastest = last.times[2].min(last.times[3]);
        let text = format!("{:.2} times the time of the faster of grid and tree", last.times[1] / fastest);
        report.claim("the pipeline is the fastest broad phase there", "–", text, last.times[1] < fastest);
        report.why(
            "not the thesis's claim, but why the library's default is another: a grid sorted anew keeps no order up",
        );
    }
    let mut plot = Plot::new("exchanges", "Sweep and prune: exchanges", "bodies", "per body and frame").log(true, true);
    plot.line("whole axes", by(|point| point.exchanges[0]));
    plot.line("by regions", by(|point| point.exchanges[1]));
    report.plot(plot);
    let mut plot = Plot::new("time", "An update of a broad phase", "bodies", "microseconds").log(true, true);
    for (i, phase) in PHASES.into_iter().enumerate() {
        plot.line(phase, points.iter().map(|point| (point.n as f64, point.times[i] * 1e-3)));
    }
    report.plot(plot);
    report
}
