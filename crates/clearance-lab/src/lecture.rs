//! The proximity-queries lecture: what sweep and prune, its boxes, the scheduling scheme, the linear program and GJK cost.
//!
//! The environment is Q_COLLIDE's (`q_collide`): bodies of 20 vertices in a closed cube, the same room for each, so that pairs are in
//! proportion to bodies. The lecture says "linear", "constant" and "expected" without figures of its own, but for GJK's 3 to 6 steps;
//! exponents and factors below are this experiment's reading of these words and are given with each claim. Voronoi marching, whose
//! cost the lecture expects to be constant, has an experiment of its own: `closest-features`.

use std::hint::black_box;
use std::time::Instant;

use clearance::broad::{BoxTracker, BroadPhase, SweepAndPrune};
use clearance::study::gjk::{SubAlgorithm, distance_by};
use clearance::study::{PairCache, linear_program};
use clearance::world::{EventKind, MotionBounds, NewBody, World, WorldOptions};
use clearance::{Pose, Shape};
use clearance_testkit::Rng;
use glam::DVec3;

use crate::q_collide::{Figure, MOTION};
use crate::trajectory::{Motion, Recording};
use crate::verdict::exponent;
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "lecture",
    title: "cost of sweep and prune, boxes, scheduling, the linear program and GJK",
    reproduces: "proximity-queries lecture",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bodies of the environments.
    pub bodies: &'static [usize],
    /// Vertices of single bodies.
    pub vertices: &'static [usize],
    /// Frames of an environment.
    pub frames: usize,
    /// Pairs of single bodies.
    pub pairs: usize,
}

const FULL: Sizes = Sizes {
    bodies: &[250, 500, 1000, 2000, 4000],
    vertices: &[10, 30, 100, 300, 1000, 3000],
    frames: 200,
    pairs: 2_000,
};
const QUICK: Sizes = Sizes { bodies: &[125, 250, 500], vertices: &[10, 100, 1000], frames: 40, pairs: 200 };

/// Vertices of the bodies of an environment.
const VERTICES: usize = 20;
/// An exponent up to this counts as linear.
const LINEAR: f64 = 1.15;
/// A growth up to this, over all sizes, counts as nearly constant.
const NEARLY: f64 = 2.0;
/// Frames before a recording.
const SETTLING: usize = 20;
/// Motion as a share of the thesis's.
const PACES: [f64; 4] = [0.01, 0.1, 1.0, 4.0];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let steps = sizes.bodies.len() + PACES.len() + Figure::ALL.len() + 3 * sizes.vertices.len() + PACES.len();
    progress.start(steps as u64, "settings");
    let mut report = Report::new(EXPERIMENT.name, &["part", "setting", "value", "what", "result"]);
    sweep(settings, progress, sizes, &mut report)?;
    boxes(settings, progress, sizes, &mut report)?;
    schedule(settings, progress, sizes, &mut report)?;
    program(settings, progress, sizes, &mut report)?;
    gjk(settings, progress, sizes, &mut report)?;
    Ok(report)
}

fn row(report: &mut Report, part: &str, setting: &str, value: f64, what: &str, result: f64) {
    report.row([part.into(), setting.into(), value.into(), what.into(), result.into()]);
}

fn recording(seed: u64, figure: Figure, count: usize, pace: f64, frames: usize) -> Result<Recording, Failure> {
    let mut rng = Rng::new(seed);
    let points = (0..20).map(|_| figure.points(&mut rng, VERTICES)).collect();
    let motion = Motion { speed: pace * MOTION.speed, turn_degrees: pace * MOTION.turn_degrees, ..MOTION };
    Recording::new(&mut rng, points, count, &motion, [SETTLING, frames])
}

/// What an update of sweep and prune takes on average: exchanges, pairs, and nanoseconds; the first frame does not count.
fn updates(recording: &Recording, tracker: BoxTracker) -> Result<[f64; 3], Failure> {
    let mut broad = SweepAndPrune::new();
    let mut trackers = vec![tracker; recording.hull_of.len()];
    let mut sums = [0.0; 3];
    for (frame, poses) in recording.frames.iter().enumerate() {
        let boxes: Vec<_> =
            trackers.iter_mut().enumerate().map(|(i, box_of)| box_of.aabb(recording.shape(i), &poses[i])).collect();
        let start = Instant::now();
        for (body, bounds) in boxes.into_iter().enumerate() {
            if frame == 0 { broad.add(body as u32, bounds)? } else { broad.set(body as u32, bounds)? }
        }
        let pairs = broad.update().pairs.len();
        let time = start.elapsed().as_nanos() as f64;
        if frame > 0 {
            let found = [broad.exchanges() as f64, pairs as f64, time];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        }
    }
    Ok(sums.map(|sum| sum / (recording.frames.len().max(2) - 1) as f64))
}

fn sweep(settings: &Settings, progress: &Progress, sizes: &Sizes, report: &mut Report) -> Result<(), Failure> {
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for &n in sizes.bodies {
        let found = updates(&recording(settings.seed, Figure::Ellipsoid, n, 1.0, sizes.frames)?, BoxTracker::DYNAMIC)?;
        for ((curve, value), what) in curves.iter_mut().zip(found).zip(["exchanges", "pairs", "nanoseconds"]) {
            curve.push((n as f64, value));
            row(report, "sweep and prune", "bodies", n as f64, what, value);
        }
        progress.advance(1);
    }
    let [exchanges, pairs, time] = curves.each_ref().map(|curve| exponent(curve));
    let text = format!("exponents: exchanges {exchanges:.2}, pairs {pairs:.2}, time {time:.2}");
    let claim =
        format!("updating by insertion is linear in bodies and pairs under coherence (exponents at most {LINEAR})");
    report.claim(claim, "O(n + m)", text, exchanges <= LINEAR && time <= LINEAR);
    report.why_not(
        "at the same density an interval overlaps those of a whole slab of bodies on each axis, about n to the power 2/3: motion exchanges ends \
         of n to the power 5/3 pairs, of which few overlap in space",
    );
    let mut plot = Plot::new("sweep", "Sweep and prune: an update", "bodies", "microseconds").log(true, true);
    plot.line("time", curves[2].iter().map(|(n, time)| (*n, time * 1e-3)));
    report.plot(plot);
    let n = sizes.bodies[sizes.bodies.len() / 2];
    let mut by_pace = Vec::new();
    for pace in PACES {
        let recording = recording(settings.seed, Figure::Ellipsoid, n, pace, sizes.frames)?;
        let found = updates(&recording, BoxTracker::DYNAMIC)?;
        by_pace.push((pace, found[0] / n as f64));
        row(
            report,
            "sweep and prune",
            "motion relative to 5 % and 10°",
            pace,
            "exchanges per body",
            found[0] / n as f64,
        );
        progress.advance(1);
    }
    let [slow, usual] = [by_pace[0].1, by_pace[2].1];
    let claim = "a hundredth of the motion takes less than a tenth of the exchanges";
    report.claim(claim, "the swaps are what moved", format!("{slow:.3} and {usual:.2} per body"), slow < 0.1 * usual);
    let mut plot = Plot::new("pace", "Sweep and prune: exchanges", "motion relative to 5 % and 10°", "per body");
    plot = plot.log(true, true);
    plot.line("exchanges", by_pace);
    report.plot(plot);
    Ok(())
}

/// Fixed cubes against dynamic boxes, and what a dynamic box costs.
fn boxes(settings: &Settings, progress: &Progress, sizes: &Sizes, report: &mut Report) -> Result<(), Failure> {
    let n = sizes.bodies[0];
    let mut texts = Vec::new();
    let mut fewer = true;
    for figure in Figure::ALL {
        let recording = recording(settings.seed, figure, n, 1.0, sizes.frames)?;
        let [fixed, dynamic] =
            [updates(&recording, BoxTracker::Fixed)?[1], updates(&recording, BoxTracker::DYNAMIC)?[1]];
        row(report, "boxes", figure.name(), n as f64, "pairs with fixed cubes", fixed);
        row(report, "boxes", figure.name(), n as f64, "pairs with dynamic boxes", dynamic);
        texts.push(format!("{}: {:.1} times", figure.name(), fixed / dynamic));
        fewer &= dynamic < fixed;
        progress.advance(1);
    }
    let claim = "dynamic boxes leave fewer pairs than fixed cubes";
    report.claim(claim, "fixed vs. dynamic", texts.join(", "), fewer);
    let mut times = Vec::new();
    for &vertices in sizes.vertices {
        let mut rng = Rng::new(settings.seed);
        let shape = Shape::polytope(&Figure::Ellipsoid.points(&mut rng, vertices))?;
        let turn = glam::DQuat::from_axis_angle(rng.unit_vector(), 0.02);
        let mut rotation = rng.rotation();
        let poses: Vec<Pose> = (0..sizes.pairs)
            .map(|_| {
                rotation = (turn * rotation).normalize();
                Pose::new(DVec3::ZERO, rotation)
            })
            .collect::<Result<_, _>>()?;
        let mut tracker = BoxTracker::DYNAMIC;
        let time = least_time(poses.len(), || {
            for pose in &poses {
                black_box(tracker.aabb(black_box(&shape), pose));
            }
        });
        row(report, "boxes", "vertices", vertices as f64, "nanoseconds per dynamic box", time);
        times.push(time);
        progress.advance(1);
    }
    let grown = times.last().zip(times.first()).map_or(f64::NAN, |(last, first)| last / first);
    let claim = format!(
        "updating a dynamic box takes nearly constant time, 1.1° per frame (at most {NEARLY} times over all sizes)"
    );
    report.claim(claim, "nearly constant", grown, grown <= NEARLY);
    report.why_not("the extreme vertex moves over vertices whose spacing shrinks; up to 100 vertices a scan in lanes takes the place of the climb");
    Ok(())
}

/// Nanoseconds per call in the fastest of some batches.
fn least_time(calls: usize, mut batch: impl FnMut()) -> f64 {
    let times = (0..9).map(|_| {
        let start = Instant::now();
        batch();
        start.elapsed().as_nanos() as f64
    });
    times.fold(f64::INFINITY, f64::min) / calls.max(1) as f64
}

/// The scheduling scheme: tests saved by the time before which a pair cannot meet, with the same events.
fn schedule(settings: &Settings, progress: &Progress, sizes: &Sizes, report: &mut Report) -> Result<(), Failure> {
    let n = sizes.bodies[0];
    let (mut same, mut texts) = (true, Vec::new());
    for pace in PACES {
        let recording = recording(settings.seed, Figure::Ellipsoid, n, pace, sizes.frames)?;
        let [plain, scheduled] = [false, true].map(|schedule| looks(&recording, pace, schedule));
        let ((plain, events), (scheduled, others)) = (plain?, scheduled?);
        same &= events == others;
        let saved = 1.0 - scheduled as f64 / plain.max(1) as f64;
        row(report, "scheduling", "motion relative to 5 % and 10°", pace, "share of looks saved", saved);
        texts.push(format!("{:.0} % at {pace}", 100.0 * saved));
        progress.advance(1);
    }
    report.claim(
        "scheduling saves looks at pairs and changes no event",
        "critical events first",
        texts.join(", "),
        same,
    );
    Ok(())
}

/// An event: its frame, its kind and the bodies.
type Told = (usize, EventKind, [usize; 2]);

/// Pairs of boxes that a world looked at over all frames, and its events.
fn looks(recording: &Recording, pace: f64, schedule: bool) -> Result<(u64, Vec<Told>), Failure> {
    let mut world = World::new(WorldOptions { schedule, queries: false, ..WorldOptions::default() });
    let bounds = MotionBounds {
        speed: 1.001 * pace * MOTION.speed,
        spin: 1.001 * (pace * MOTION.turn_degrees).to_radians(),
        ..MotionBounds::default()
    };
    let mut ids = Vec::new();
    for (body, pose) in recording.frames[0].iter().enumerate() {
        let id = world.add(NewBody::new(recording.shape(body).clone(), *pose))?;
        world.set_motion(id, Some(bounds))?;
        ids.push(id);
    }
    let (mut looks, mut events) = (0, Vec::new());
    for (frame, poses) in recording.frames.iter().enumerate() {
        for (id, pose) in ids.iter().zip(poses) {
            world.set_pose(*id, *pose)?;
        }
        let step = world.step();
        looks += step.statistics.tested + step.statistics.beyond_spheres;
        events.extend(step.events.iter().map(|event| (frame, event.kind, event.bodies.map(|id| id.index()))));
    }
    Ok((looks, events))
}

/// Two hulls of so many points with random poses.
fn pair(rng: &mut Rng, vertices: usize) -> Result<[Shape; 2], Failure> {
    let mut hull = || Shape::polytope(&Figure::Ellipsoid.points(rng, vertices));
    Ok([hull()?, hull()?])
}

/// Seidel's linear program: expected time linear in the number of constraints.
fn program(settings: &Settings, progress: &Progress, sizes: &Sizes, report: &mut Report) -> Result<(), Failure> {
    let mut times = Vec::new();
    let (mut handed, mut asked) = (0, 0);
    for &vertices in sizes.vertices {
        let mut rng = Rng::new(settings.seed);
        let [a, b] = pair(&mut rng, vertices)?;
        let mut poses = Vec::new();
        for _ in 0..sizes.pairs.min(500) {
            poses.push([Pose::new(DVec3::ZERO, rng.rotation())?, Pose::new(rng.in_ball(2.5), rng.rotation())?]);
        }
        let mut programs = 0;
        for [at_a, at_b] in &poses {
            if let Some(answer) = linear_program::overlap(&a, at_a, &b, at_b) {
                programs += u64::from(answer.overlap.iterations);
                (handed, asked) = (handed + usize::from(answer.handed_over), asked + 1);
            }
        }
        let time = least_time(poses.len(), || {
            for [at_a, at_b] in &poses {
                black_box(linear_program::overlap(black_box(&a), at_a, &b, at_b));
            }
        });
        row(report, "linear program", "vertices", vertices as f64, "nanoseconds", time);
        row(report, "linear program", "vertices", vertices as f64, "programs", programs as f64 / poses.len() as f64);
        times.push((vertices as f64, time));
        progress.advance(1);
    }
    let power = exponent(&times);
    let claim = format!("Seidel's program takes expected linear time (exponent at most {LINEAR})");
    report.claim(
        claim,
        "O(n)",
        format!("exponent {power:.2}; {handed} of {asked} handed to the verb"),
        power <= LINEAR,
    );
    Ok(())
}

/// GJK's steps for any problem size, of bodies that are apart, from a cold start.
fn gjk(settings: &Settings, progress: &Progress, sizes: &Sizes, report: &mut Report) -> Result<(), Failure> {
    let mut means = Vec::new();
    for &vertices in sizes.vertices {
        let mut rng = Rng::new(settings.seed);
        let [a, b] = pair(&mut rng, vertices)?;
        let (mut sum, mut count) = (0, 0);
        while count < sizes.pairs {
            let (at_a, at_b) = (Pose::new(DVec3::ZERO, rng.rotation())?, Pose::new(rng.in_ball(4.0), rng.rotation())?);
            let answer = distance_by(SubAlgorithm::Johnson, &a, &at_a, &b, &at_b, &mut PairCache::default());
            if let Ok(near) = answer {
                (sum, count) = (sum + near.iterations, count + 1);
            }
        }
        let mean = f64::from(sum) / count.max(1) as f64;
        row(report, "GJK", "vertices", vertices as f64, "steps", mean);
        means.push((vertices as f64, mean));
        progress.advance(1);
    }
    let low = means.iter().map(|(_, mean)| *mean).fold(f64::INFINITY, f64::min);
    let high = means.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
    let claim = "GJK takes 3 to 6 steps on average for any problem size";
    report.claim(claim, "3 to 6", format!("{low:.1} to {high:.1}"), low >= 3.0 && high <= 6.0);
    report.why_not("steps grow slowly with the number of vertices and pass 6 at a thousand of them; the last step, which proves the end, is counted");
    let mut plot = Plot::new("gjk", "Steps of GJK, bodies apart", "vertices", "steps").log(true, false);
    plot.line("mean", means);
    report.plot(plot);
    Ok(())
}
