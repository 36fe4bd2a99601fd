//! Straight casts of hulls against parry: hits and misses apart, cold, in f64.
//!
//! Two different hulls of random points on an ellipsoid with semi-axes 2, 4 and 5, in random orientations. The second starts where
//! it does not touch and moves past the first, aimed to hit five times out of six; some of the rest fall short. Hits are
//! verified on both sides: moved by the fraction, the bodies must touch.

use std::hint::black_box;

use clearance::{Cache, Cast, CastOptions, Motion, Polytope, Pose, Shape, Vec3, cast, closest};
use clearance_testkit::Rng;
use glam::DVec3;
use parry3d_f64::math::{Pose as RivalPose, Rotation};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::SharedShape;

use crate::race_size::SEMI_AXES;
use crate::workload::{calls, race};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-cast",
    title: "straight casts of hulls of 20 to 5,000 vertices against parry, hits and misses apart",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Numbers of vertices.
    pub vertices: &'static [usize],
    /// Casts of each at most; fewer of large hulls.
    pub casts: usize,
}

const FULL: Sizes = Sizes { vertices: &[20, 100, 1_000, 5_000], casts: 5_000 };
const QUICK: Sizes = Sizes { vertices: &[20, 100, 1_000], casts: 600 };

/// Vertices times casts at most: the rival looks at all of them many times.
const LOOKS: usize = 2_500_000;
/// The ratios to reach.
const GOALS: [(usize, f64); 2] = [(100, 3.0), (1_000, 20.0)];
/// How far from the first body's middle the second is aimed, at most: five hits in six.
const AIM: f64 = 8.5;
/// Distances at a hit within this, relative to the size of the pair, are contact.
const CONTACT: f64 = 1e-12;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start(sizes.vertices.len() as u64, "sizes");
    let mut cells = Vec::new();
    for &n in sizes.vertices {
        let scene = Scene::new(&mut rng, n, sizes.casts.min(LOOKS / n).max(20))?;
        cells.extend(scene.measure(settings, n));
        progress.advance(1);
    }
    Ok(report(&cells))
}

/// One cast, for the library and for the rival.
#[derive(Clone, Copy)]
struct Throw {
    pose: Pose,
    translation: Vec3,
    rival_pose: RivalPose,
}

struct Scene {
    shapes: [Shape; 2],
    rivals: [SharedShape; 2],
    throws: Vec<Throw>,
}

impl Scene {
    fn new(rng: &mut Rng, n: usize, count: usize) -> Result<Self, Failure> {
        let clouds: [Vec<DVec3>; 2] = [0; 2].map(|_| (0..n).map(|_| rng.unit_vector() * SEMI_AXES).collect());
        let [a, b] = &clouds;
        let shapes = [Polytope::from_points(a)?.into(), Polytope::from_points(b)?.into()];
        let rival = |points: &[DVec3]| {
            let points: Vec<_> = points.iter().map(|p| p.to_array().into()).collect();
            SharedShape::convex_hull(&points).ok_or("the rival makes no hull of these points")
        };
        let rivals = [rival(a)?, rival(b)?];
        let throws = (0..count).map(|_| throw(rng)).collect::<Result<_, Failure>>()?;
        Ok(Self { shapes, rivals, throws })
    }

    fn ours(&self, throw: &Throw) -> Option<Cast> {
        let [a, b] = black_box(&self.shapes);
        let motion = Motion::translation(throw.pose, throw.translation).ok()?;
        cast(a, &Pose::IDENTITY, b, &motion, &mut Cache::default(), &CastOptions::default()).ok()
    }

    fn theirs(&self, throw: &Throw) -> Option<f64> {
        let [a, b] = black_box(&self.rivals);
        let still = DVec3::ZERO.to_array().into();
        let moving = throw.translation.to_array().into();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = cast_shapes(&RivalPose::IDENTITY, still, &**a, &throw.rival_pose, moving, &**b, options);
        hit.ok().flatten().map(|hit| hit.time_of_impact)
    }

    /// How far apart the bodies are when the second has gone that far, relative to the size of the pair.
    fn off(&self, throw: &Throw, fraction: f64) -> f64 {
        let [a, b] = &self.shapes;
        let q = throw.pose.rotation().to_array();
        let Ok(pose) = Pose::new(throw.pose.translation() + throw.translation * fraction, q) else { return f64::NAN };
        let near = closest(a, &Pose::IDENTITY, b, &pose, &mut Cache::default());
        near.distance.abs() / (a.bounding_radius() + b.bounding_radius())
    }

    fn measure(&self, settings: &Settings, n: usize) -> [Cell; 2] {
        [true, false].map(|hits| {
            let is = |throw: &&Throw| self.ours(throw).is_some_and(|cast| cast.hit.is_some()) == hits;
            let chosen: Vec<Throw> = self.throws.iter().filter(is).copied().collect();
            let [ours, rival] = race(
                chosen.len(),
                [
                    ("ours", calls!(i => self.ours(black_box(&chosen[i])))),
                    ("rival", calls!(i => self.theirs(black_box(&chosen[i])))),
                ],
                settings,
            );
            let mut cell =
                Cell { n, hits, share: chosen.len() as f64 / self.throws.len() as f64, ours, rival, ..Cell::EMPTY };
            for throw in &chosen {
                let theirs = self.theirs(throw);
                cell.disagree += usize::from(theirs.is_some() != hits);
                if let Some(cast) = self.ours(throw).filter(|cast| cast.hit.is_some()) {
                    cell.worst = cell.worst.max(self.off(throw, cast.fraction));
                    cell.rival_worst = cell.rival_worst.max(theirs.map_or(0.0, |fraction| self.off(throw, fraction)));
                }
            }
            cell
        })
    }
}

/// The second body starts out of reach and is aimed at a point near the first.
fn throw(rng: &mut Rng) -> Result<Throw, Failure> {
    let rotation = rng.rotation();
    let from = rng.unit_vector() * rng.uniform(11.0, 16.0);
    let target = rng.in_ball(AIM);
    let translation = (target - from) * rng.uniform(0.8, 2.0);
    let pose = Pose::new(from, rotation.to_array())?;
    let [x, y, z, w] = rotation.to_array();
    let rival_pose = RivalPose { rotation: Rotation::from_xyzw(x, y, z, w), translation: from.to_array().into() };
    Ok(Throw { pose, translation, rival_pose })
}

struct Cell {
    n: usize,
    hits: bool,
    /// Of all casts.
    share: f64,
    ours: f64,
    rival: f64,
    /// Casts where the rival says otherwise.
    disagree: usize,
    /// The largest distance at a hit, relative, of either.
    worst: f64,
    rival_worst: f64,
}

impl Cell {
    const EMPTY: Self =
        Self { n: 0, hits: false, share: 0.0, ours: 0.0, rival: 0.0, disagree: 0, worst: 0.0, rival_worst: 0.0 };

    fn ratio(&self) -> f64 {
        self.rival / self.ours
    }

    fn name(&self) -> &'static str {
        if self.hits { "hits" } else { "misses" }
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns =
        ["n", "casts", "share", "ours_ns", "parry_ns", "ratio", "disagree", "ours_distance", "parry_distance"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let labels = [cell.n.into(), cell.name().into(), cell.share.into()];
        let times = [cell.ours.into(), cell.rival.into(), cell.ratio().into()];
        report.row(labels.into_iter().chain(times).chain([
            cell.disagree.into(),
            cell.worst.into(),
            cell.rival_worst.into(),
        ]));
    }
    for (n, goal) in GOALS {
        for cell in cells.iter().filter(|cell| cell.n == n) {
            let claim = format!("{} at {n} vertices: at least {goal} times faster than parry", cell.name());
            report.claim(claim, format!("goal: {goal} times"), format!("{:.2}", cell.ratio()), cell.ratio() >= goal);
        }
    }
    let worst = cells.iter().map(|cell| cell.worst).fold(0.0, f64::max);
    let text = format!("{worst:.1e} at worst");
    report.claim("at a hit the bodies touch", "1e-12 of their size", text, worst <= CONTACT);
    let mut plot = Plot::new("time", "Time of a cast", "vertices", "nanoseconds").log(true, true);
    for hits in [true, false] {
        let chosen = || cells.iter().filter(|cell| cell.hits == hits);
        let name = if hits { "hits" } else { "misses" };
        plot.line(format!("{name}, ours"), chosen().map(|cell| (cell.n as f64, cell.ours)));
        plot.line(format!("{name}, parry"), chosen().map(|cell| (cell.n as f64, cell.rival)));
    }
    report.plot(plot);
    report
}
