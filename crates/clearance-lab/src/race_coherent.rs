//! Two hulls of 500 vertices that pass each other, step by step, against parry: the library remembers, the rival does not.
//!
//! Each pass is straight, 100 steps of 5 % of the radius, its middle nearest to the first body, 7 to 8.5 away; both bodies
//! turn by 10° per step about axes of their own. One [`Cache`](clearance::Cache) serves a pass and starts it cold.
//! "Closest" is the verb `distance`, which like the rival's query gives no depth; "closest with depth" is the verb `closest`.
//! The boolean is asked of hulls of 20 vertices as well, which must not be much faster, and of all passes at once in a
//! [`World`](clearance::World), boxes and pairs included, against the rival's tree.

use clearance_testkit::Rng;
use glam::{DQuat, DVec3};

use crate::precision::{Double, Precision, Single};
use crate::race_coherent_world::{self, WorldCell};
use crate::race_size::SEMI_AXES;
use crate::workload::{Configuration, Placement, Recipe, Scene, calls, race};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-coherent",
    title: "two 500-vertex hulls passing each other against parry: warm overlap and closest, alone and in a world",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Vertices of each hull.
    pub vertices: usize,
    /// Vertices of small hulls, to compare with.
    pub small: usize,
    /// Passes of 100 steps.
    pub passes: usize,
}

const FULL: Sizes = Sizes { vertices: 500, small: 20, passes: 200 };
const QUICK: Sizes = Sizes { vertices: 500, small: 20, passes: 20 };

/// Steps of a pass.
pub(crate) const STEPS: usize = 100;
/// Of the largest semi-axis, per step.
const SPEED: f64 = 0.05;
const TURN_DEGREES: f64 = 10.0;
/// How near the straight way comes to the first body.
const IMPACT: [f64; 2] = [7.0, 8.5];
/// The ratios to reach in f64 and f32: overlap, closest, and closest with depth.
const GOALS: [[f64; 2]; 3] = [[40.0, 15.0], [10.0, 10.0], [10.0, 10.0]];

/// How much longer large hulls may take than small ones.
const WITHIN: f64 = 2.0;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start(4, "hulls");
    let hulls = [0; 2].map(|_| Recipe::random_hull(&mut rng, sizes.vertices, SEMI_AXES));
    let steps: Vec<Configuration> = (0..sizes.passes).flat_map(|_| pass(&mut rng)).collect();
    let double = measure::<Double>(settings, sizes.vertices, &Scene::new(&hulls, &steps)?);
    progress.advance(1);
    let single = measure::<Single>(settings, sizes.vertices, &Scene::new(&hulls, &steps)?);
    progress.advance(1);
    let small = [0; 2].map(|_| Recipe::random_hull(&mut rng, sizes.small, SEMI_AXES));
    let few = measure::<Double>(settings, sizes.small, &Scene::new(&small, &steps)?);
    progress.advance(1);
    let worlds = [(&hulls, sizes.vertices), (&small, sizes.small)];
    let worlds = worlds.map(|(hulls, n)| race_coherent_world::measure(settings, hulls, n, &steps));
    progress.advance(1);
    let [of_large, of_small] = worlds;
    Ok(report(&[double, single], &few, &[of_large?, of_small?]))
}

/// One straight pass.
fn pass(rng: &mut Rng) -> Vec<Configuration> {
    pass_of(rng, 1.0)
}

/// One straight pass with steps and turns of `pace` times the usual ones.
pub(crate) fn pass_of(rng: &mut Rng, pace: f64) -> Vec<Configuration> {
    let way = rng.unit_vector();
    let aside = way.cross(rng.unit_vector()).normalize_or(way.any_orthonormal_vector());
    let nearest = aside * rng.uniform(IMPACT[0], IMPACT[1]);
    let [first, second] = [0; 2].map(|_| (rng.rotation(), rng.unit_vector()));
    let turned = |(start, axis): (DQuat, DVec3), step: usize| {
        DQuat::from_axis_angle(axis, pace * TURN_DEGREES.to_radians() * step as f64) * start
    };
    let step = |step: usize| {
        let travelled = pace * SPEED * SEMI_AXES.z * (step as f64 - 0.5 * STEPS as f64);
        let b = Placement { rotation: turned(second, step), translation: nearest + way * travelled };
        [Placement { rotation: turned(first, step), translation: DVec3::ZERO }, b]
    };
    (0..STEPS).map(step).collect()
}

/// The library's times, warm and cold, and the rival's.
struct Time {
    query: &'static str,
    warm: f64,
    cold: f64,
    rival: f64,
}

struct Cell {
    n: usize,
    precision: &'static str,
    times: [Time; 3],
    hit_rate: f64,
    /// Steps where the warm answer differs from the cold one: booleans, and distances beyond the error.
    differ: usize,
}

fn measure<P: Precision>(settings: &Settings, n: usize, scene: &Scene<P>) -> Cell {
    let cold = P::Cache::default;
    let (mut first, mut second, mut third) = (cold(), cold(), cold());
    macro_rules! warm {
        ($cache:ident, $i:ident => $call:expr) => {
            calls!($i => {
                if $i % STEPS == 0 {
                    $cache = cold();
                }
                $call
            })
        };
    }
    let times = race(
        scene.len(),
        [
            ("warm overlap", warm!(first, i => scene.overlap(i, &mut first))),
            ("cold overlap", calls!(i => scene.overlap(i, &mut cold()))),
            ("rival overlap", calls!(i => scene.rival_overlap(i))),
            ("warm distance", warm!(second, i => scene.distance(i, &mut second))),
            ("cold distance", calls!(i => scene.distance(i, &mut cold()))),
            ("rival closest", calls!(i => scene.rival_closest(i))),
            ("warm closest", warm!(third, i => scene.closest(i, &mut third))),
            ("cold closest", calls!(i => scene.closest(i, &mut cold()))),
        ],
        settings,
    );
    let time = |query, warm: usize, rival: usize| Time {
        query,
        warm: times[warm],
        cold: times[warm + 1],
        rival: times[rival],
    };
    let times = [time("overlap", 0, 2), time("closest", 3, 5), time("closest with depth", 6, 5)];
    let (hits, differ) = compare(scene);
    Cell { n, precision: P::NAME, times, hit_rate: hits as f64 / scene.len().max(1) as f64, differ }
}

/// How many steps overlap, and in how many the warm answer differs from the cold one.
fn compare<P: Precision>(scene: &Scene<P>) -> (usize, usize) {
    let (mut hits, mut differ) = (0, 0);
    let mut caches = [P::Cache::default(), P::Cache::default()];
    for i in 0..scene.len() {
        if i % STEPS == 0 {
            caches = [P::Cache::default(), P::Cache::default()];
        }
        let error = 8.0 * P::sigma(scene.size(i));
        let near = P::near(&scene.closest(i, &mut Default::default()));
        let warm_near = P::near(&scene.closest(i, &mut caches[0]));
        let hit = P::hit(&scene.overlap(i, &mut Default::default())).overlap;
        let warm_hit = P::hit(&scene.overlap(i, &mut caches[1])).overlap;
        hits += usize::from(hit);
        let far = !((near.distance - warm_near.distance).abs() <= error);
        differ += usize::from(far || hit != warm_hit && near.distance.abs() > error);
    }
    (hits, differ)
}

fn report(cells: &[Cell], few: &Cell, worlds: &[WorldCell; 2]) -> Report {
    let columns = ["n", "precision", "query", "warm_ns", "cold_ns", "parry_ns", "ratio_warm", "ratio_cold"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells.iter().chain([few]) {
        for time in &cell.times {
            let figures = [time.warm, time.cold, time.rival, time.rival / time.warm, time.rival / time.cold];
            let labels = [cell.n.into(), cell.precision.into(), time.query.into()];
            report.row(labels.into_iter().chain(figures.map(Into::into)));
        }
    }
    for world in worlds {
        let labels = [world.n.into(), Double::NAME.into(), "overlap in a world".into()];
        let figures =
            [world.ours.into(), "–".into(), world.rival.into(), (world.rival / world.ours).into(), "–".into()];
        report.row(labels.into_iter().chain(figures));
    }
    for (query, goals) in GOALS.into_iter().enumerate() {
        for (cell, goal) in cells.iter().zip(goals) {
            let time = &cell.times[query];
            let ratio = time.rival / time.warm;
            let claim = format!("warm {} in {}: at least {goal} times faster than parry", time.query, cell.precision);
            report.claim(claim, format!("goal: {goal} times"), ratio, ratio >= goal);
        }
    }
    growth_claims(&mut report, cells, few, worlds);
    let cells = || cells.iter().chain([few]);
    let rates = || cells().map(|cell| cell.hit_rate);
    let (low, high) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
    let text = format!("{low:.3} to {high:.3}");
    report.claim("a few steps overlap", "about 8 %", text, low > 0.02 && high < 0.2);
    let differ: usize = cells().map(|cell| cell.differ).sum();
    report.claim("warm answers are the cold ones", "–", format!("{differ} differ"), differ == 0);
    report
}

/// The boolean of large and small hulls, alone and in a world.
fn growth_claims(report: &mut Report, cells: &[Cell], few: &Cell, [world, small_world]: &[WorldCell; 2]) {
    let goal = GOALS[0][0];
    let ratio = world.rival / world.ours;
    let claim = format!("overlap in a world: at least {goal} times faster than parry's tree");
    let text =
        format!("{ratio:.2}; parry's boolean alone takes {:.2} times as long", cells[0].times[0].rival / world.ours);
    report.claim(claim, format!("goal: {goal} times"), text, ratio >= goal);
    let grown = [
        ("overlap", cells[0].times[0].warm / few.times[0].warm),
        ("overlap in a world", world.ours / small_world.ours),
    ];
    for (query, grown) in grown {
        let claim = format!("warm {query} at {} vertices: within {WITHIN} times of {}", cells[0].n, few.n);
        report.claim(claim, format!("goal: {WITHIN} times"), grown, grown <= WITHIN);
    }
    let differ = world.differ + small_world.differ;
    report.claim("the same steps overlap as parry's tree says", "–", format!("{differ} differ"), differ == 0);
}
