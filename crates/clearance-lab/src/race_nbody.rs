//! Many bodies in a closed box, frame after frame, against parry's tree: boxes, pairs of boxes and the exact boolean.
//!
//! Hulls of random points on an ellipsoid 2 : 4 : 5 fill 5 % of the cube, move by 5 % of their radius and turn by 10° per
//! frame. Twenty different hulls are shared by all bodies, on both sides. The motion is recorded first; a frame of the library is
//! `set_pose` of every body and `step` of a boolean [`World`], one of the rival is in
//! `rival_world`. Poses are ready in each side's own form before the clock runs. Times are of one thread
//! but where it says two; only those need a machine with nothing else to do, since waiting for a processor is left out of the
//! others.

use clearance::world::{BodyId, EventKind, World};
use clearance::{Cache, Pose, Shape, closest, tolerance};
use clearance_testkit::Rng;
use glam::DVec3;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;

use crate::q_collide::{Figure, MOTION};
use crate::rival_world::{RivalBodies, RivalWorld, Upkeep};
use crate::trajectory::{Motion, Recording, advance, cells_along, forth_and_back, long_visits, per_visit, visits};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-nbody",
    title: "bodies in a closed box against parry's tree: boxes, pairs and booleans per frame, growth and threads",
    reproduces: "race",
    run,
};

/// One environment.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Bodies in the box.
    pub bodies: usize,
    /// Vertices of each.
    pub vertices: usize,
    /// Frames recorded; each is visited twice.
    pub frames: usize,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The environments.
    pub cases: &'static [Case],
    /// Frames before the recording.
    pub settling: usize,
    /// Replays of each competitor.
    pub rounds: usize,
}

const fn case(bodies: usize, vertices: usize, frames: usize) -> Case {
    Case { bodies, vertices, frames }
}

const FULL: Sizes = Sizes {
    cases: &[case(500, 20, 100), case(100, 500, 100), case(10_000, 20, 30), case(1_000, 20, 60), case(100_000, 20, 6)],
    settling: 60,
    rounds: 15,
};
const QUICK: Sizes = Sizes {
    cases: &[case(500, 20, 40), case(100, 500, 40), case(10_000, 20, 8), case(1_000, 20, 20), case(100_000, 20, 2)],
    settling: 20,
    rounds: 4,
};

/// The share of the cube that the bodies fill.
const FILLED: f64 = 0.05;
/// Different hulls among the bodies.
const HULLS: usize = 20;
/// Bodies, vertices and the ratio to reach.
const GOALS: [(usize, usize, f64); 3] = [(500, 20, 3.0), (10_000, 20, 3.0), (100, 500, 6.0)];
/// The environments whose times are compared for growth, and how much it may be.
const GROWTH: ([usize; 2], f64) = ([1_000, 100_000], 130.0);
/// The environment in which two threads are compared with one, and how much they must gain.
const THREADS: (usize, f64) = (10_000, 1.6);
/// Errors of a support within which two answers about one pair may differ.
const ROUNDING: f64 = 64.0;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made, or no threads.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    progress.start(sizes.cases.len() as u64, "environments");
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [pool(1)?, pool(2)?];
    let mut cells = Vec::new();
    for case in sizes.cases {
        cells.push(measure(settings, sizes, case, &pools)?);
        progress.advance(1);
    }
    Ok(report(&cells))
}

struct Cell {
    case: Case,
    /// Pairs of overlapping boxes, exact tests and touching pairs per frame.
    pairs: f64,
    tested: f64,
    touching: f64,
    /// Microseconds per frame: one thread, two threads.
    ours: [f64; 2],
    /// The same of the rival, by upkeep.
    rival: [f64; Upkeep::ALL.len()],
    /// Pairs on which the two disagree by more than rounding.
    differ: usize,
}

impl Cell {
    /// The rival's best.
    fn best(&self) -> (f64, Upkeep) {
        let times = self.rival.into_iter().zip(Upkeep::ALL);
        times.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, Upkeep::Refit))
    }

    fn ratio(&self) -> f64 {
        self.best().0 / self.ours[0]
    }
}

/// The motion in a cube that is filled as wanted.
fn motion(hulls: &[Vec<DVec3>], bodies: usize) -> Result<Motion, Failure> {
    let mut volume = 0.0;
    for points in hulls {
        volume += Shape::polytope(points)?.volume() / hulls.len() as f64;
    }
    let edge = (volume * bodies as f64 / FILLED).cbrt();
    Ok(Motion { cell: edge / cells_along(bodies) as f64, ..MOTION })
}

fn measure(settings: &Settings, sizes: &Sizes, case: &Case, pools: &[ThreadPool; 2]) -> Result<Cell, Failure> {
    let mut rng = Rng::new(settings.seed);
    let points: Vec<_> = (0..HULLS).map(|_| Figure::Ellipsoid.points(&mut rng, case.vertices)).collect();
    let motion = motion(&points, case.bodies)?;
    let recording = Recording::new(&mut rng, points, case.bodies, &motion, [sizes.settling, case.frames])?;
    let rivals = RivalBodies::new(&recording.points, &recording.hull_of, &recording.frames)?;
    let mut cell = compare(&recording, &rivals, *case)?;
    let mut worlds = [recording.world()?, recording.world()?];
    let mut found = Vec::new();
    let mut of_rival = Upkeep::ALL.map(|upkeep| RivalWorld::new(&rivals, upkeep));
    let [one, two] = &mut worlds;
    let [refit, optimised, in_place, turned] = &mut of_rival;
    let replay = |world: &mut (World, Vec<BodyId>), pool: &ThreadPool| {
        let way = forth_and_back(case.frames);
        let frame = |at: usize| _ = black_box(advance(world, &recording.frames[at]));
        // A thread that waits for another one looks as if it waited for a processor.
        pool.install(|| if pool.current_num_threads() == 1 { long_visits(way, frame) } else { visits(way, frame) })
    };
    let mut rival = |world: &mut RivalWorld<'_>| {
        long_visits(forth_and_back(case.frames), |at| world.frame(black_box(at), &mut found))
    };
    let rival = std::cell::RefCell::new(&mut rival);
    let times = per_visit(
        [
            &mut || replay(one, &pools[0]),
            &mut || replay(two, &pools[1]),
            &mut || (rival.borrow_mut())(refit),
            &mut || (rival.borrow_mut())(optimised),
            &mut || (rival.borrow_mut())(in_place),
            &mut || (rival.borrow_mut())(turned),
        ],
        sizes.rounds,
    );
    let [ours, shared, of_rival @ ..] = times.map(|nanoseconds| nanoseconds * 1e-3);
    (cell.ours, cell.rival) = ([ours, shared], of_rival);
    Ok(cell)
}

/// Counts pairs, and those on which the two disagree.
fn compare(recording: &Recording, rivals: &RivalBodies, case: Case) -> Result<Cell, Failure> {
    let (mut world, ids) = recording.world()?;
    let mut rival = RivalWorld::new(rivals, Upkeep::Refit);
    let mut cell =
        Cell { case, pairs: 0.0, tested: 0.0, touching: 0.0, ours: [0.0; 2], rival: Default::default(), differ: 0 };
    let mut theirs = Vec::new();
    for (at, poses) in recording.frames.iter().enumerate() {
        for (id, pose) in ids.iter().zip(poses) {
            world.set_pose(*id, *pose)?;
        }
        let step = world.step();
        let touching = step.events.iter().filter(|event| event.kind != EventKind::End);
        let mut ours: Vec<[u32; 2]> = touching.map(|event| event.bodies.map(|id| id.index() as u32)).collect();
        ours.sort_unstable();
        rival.frame(at, &mut theirs);
        theirs.sort_unstable();
        let only = |of: &[[u32; 2]], other: &[[u32; 2]]| -> usize {
            let alone = of.iter().filter(|pair| other.binary_search(pair).is_err());
            alone.filter(|pair| is_clear(recording, poses, **pair)).count()
        };
        cell.differ += only(&ours, &theirs) + only(&theirs, &ours);
        let share = 1.0 / recording.frames.len() as f64;
        cell.pairs += step.statistics.pairs as f64 * share;
        cell.tested += step.statistics.tested as f64 * share;
        cell.touching += ours.len() as f64 * share;
    }
    Ok(cell)
}

/// Whether the pair is farther from touching than rounding.
fn is_clear(recording: &Recording, poses: &[Pose], pair: [u32; 2]) -> bool {
    let [i, j] = pair.map(|body| body as usize);
    let (a, b) = (recording.shape(i), recording.shape(j));
    let near = closest(a, &poses[i], b, &poses[j], &mut Cache::default());
    let size = a.bounding_radius() + b.bounding_radius() + poses[i].translation().distance(poses[j].translation());
    near.distance.abs() > ROUNDING * tolerance::sigma(size)
}

fn report(cells: &[Cell]) -> Report {
    let labels = ["bodies", "n", "frames", "pairs", "tested", "touching", "ours_us", "two_threads_us", "parry_us"];
    let others =
        ["ratio", "parry_best", "parry_refit_us", "parry_optimised_us", "parry_in_place_us", "parry_turned_us"];
    let columns: Vec<&str> = labels.into_iter().chain(others).collect();
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let counts = [cell.case.bodies, cell.case.vertices, cell.case.frames].map(Into::into);
        let figures = [cell.pairs, cell.tested, cell.touching, cell.ours[0], cell.ours[1], cell.best().0, cell.ratio()];
        let figures = figures.map(Into::into);
        let rest = cell.rival.map(Into::into);
        report.row(counts.into_iter().chain(figures).chain([cell.best().1.name().into()]).chain(rest));
    }
    claims(&mut report, cells);
    let mut plot = Plot::new("growth", "Time per frame, 20 vertices", "bodies", "microseconds").log(true, true);
    let mut shown: Vec<&Cell> = cells.iter().filter(|cell| cell.case.vertices == 20).collect();
    shown.sort_by_key(|cell| cell.case.bodies);
    plot.line("ours", shown.iter().map(|cell| (cell.case.bodies as f64, cell.ours[0])));
    plot.line("ours, two threads", shown.iter().map(|cell| (cell.case.bodies as f64, cell.ours[1])));
    plot.line("parry's best", shown.iter().map(|cell| (cell.case.bodies as f64, cell.best().0)));
    report.plot(plot);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    for (bodies, vertices, goal) in GOALS {
        let chosen = cells.iter().find(|cell| (cell.case.bodies, cell.case.vertices) == (bodies, vertices));
        if let Some(cell) = chosen {
            let (best, upkeep) = cell.best();
            let text = format!("{:.2}: {:.1} µs to {best:.1} µs ({})", cell.ratio(), cell.ours[0], upkeep.name());
            let claim =
                format!("{bodies} bodies of {vertices} vertices: at least {goal} times faster than parry's best");
            report.claim(claim, format!("goal: {goal} times"), text, cell.ratio() >= goal);
        }
    }
    let of_size = |bodies| cells.iter().find(|cell| cell.case.bodies == bodies && cell.case.vertices == 20);
    let ([small, large], goal) = GROWTH;
    if let (Some(few), Some(many)) = (of_size(small), of_size(large)) {
        let growth = many.ours[0] / few.ours[0];
        let claim = format!("from {small} to {large} bodies a frame costs at most {goal} times as much");
        report.claim(claim, format!("goal: {goal} times"), growth, growth <= goal);
    }
    let (bodies, goal) = THREADS;
    if let Some(cell) = of_size(bodies) {
        let gain = cell.ours[0] / cell.ours[1];
        let claim = format!("{bodies} bodies: two threads are at least {goal} times as fast as one");
        report.claim(claim, format!("goal: {goal} times"), gain, gain >= goal);
    }
    let differ: usize = cells.iter().map(|cell| cell.differ).sum();
    let text = format!("{differ} pairs differ");
    report.claim("the same pairs touch as parry says, to rounding", "–", text, differ == 0);
}
