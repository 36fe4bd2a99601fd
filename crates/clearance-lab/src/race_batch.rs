//! Many pairs of the same two bodies at once, in lanes, beside the verbs for one pair and parry, in both precisions.
//!
//! The pairs of `race-pairs`, half of which overlap, and the hulls of `race-size` of up to 200 vertices; the first body stays, the second is at
//! many poses. Batches have 256 pairs, once by each version of the lanes that the processor has. "depth" asks a boolean of all and the signed
//! distance of those that overlap, as the peers' contact queries do; "closest" the signed distance of all.

use clearance_testkit::Rng;
use glam::DVec3;

use crate::precision::{Double, Precision, Single};
use crate::race_size::configurations;
use crate::workload::{Configuration, Placement, Recipe, Scene, calibrate, calls, offset_in_cube, race_by, six_pairs};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-batch",
    title: "batches in lanes against one pair at a time and parry",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Numbers of vertices.
    pub vertices: &'static [usize],
    /// Configurations of each pair.
    pub configurations: usize,
}

const FULL: Sizes = Sizes { vertices: &[20, 50, 100, 200], configurations: 40 * BATCH };
const QUICK: Sizes = Sizes { vertices: &[20, 50, 100, 200], configurations: 8 * BATCH };

/// Pairs of a batch.
const BATCH: usize = 256;
/// Configurations that size the cube.
const CALIBRATION: usize = 5_000;
/// Versions of the lanes at most.
const VERSIONS: usize = 3;
/// The ratio to reach.
const GOAL: f64 = 3.0;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    let pairs = six_pairs(&mut rng);
    progress.start(2 * (pairs.len() + sizes.vertices.len()) as u64, "pairs");
    let mut cells = Vec::new();
    let mut measured = |name: &str, bodies: &[Recipe; 2], mut places: Vec<Configuration>| -> Result<(), Failure> {
        let still = places.first().map(|place| place[0].rotation).unwrap_or_default();
        for place in &mut places {
            place[0] = Placement { rotation: still, translation: DVec3::ZERO };
        }
        cells.extend(measure::<Double>(settings, name, &Scene::new(bodies, &places)?));
        progress.advance(1);
        cells.extend(measure::<Single>(settings, name, &Scene::new(bodies, &places)?));
        progress.advance(1);
        Ok(())
    };
    for pair in &pairs {
        let half = calibrate(pair, 0.5, CALIBRATION, settings.seed, offset_in_cube)?;
        let places = (0..sizes.configurations).map(|_| offset_in_cube(&mut rng, half)).collect();
        measured(pair.name, &pair.bodies, places)?;
    }
    for &n in sizes.vertices {
        let hulls = [0; 2].map(|_| Recipe::random_hull(&mut rng, n, crate::race_size::SEMI_AXES));
        // Moved along a random direction from where the first one is: it may stay as it is turned.
        let places = configurations(&hulls, sizes.configurations, &mut rng)?;
        let places = places.into_iter().map(seen_from_first).collect();
        measured(&format!("Hull {n}"), &hulls, places)?;
    }
    Ok(report(&cells))
}

/// The same two bodies with the first at rest.
fn seen_from_first([a, b]: Configuration) -> Configuration {
    let back = a.rotation.inverse();
    let b = Placement { rotation: back * b.rotation, translation: back * (b.translation - a.translation) };
    [Placement { rotation: glam::DQuat::IDENTITY, translation: DVec3::ZERO }, b]
}

struct Cell {
    pair: String,
    precision: &'static str,
    query: &'static str,
    /// Of a batch by each version, of the verb for one pair, and of the rival; nanoseconds a pair.
    batch: [f64; VERSIONS],
    alone: f64,
    rival: f64,
}

fn measure<P: Precision>(settings: &Settings, name: &str, scene: &Scene<P>) -> [Cell; 4] {
    let cold = P::Cache::default;
    let poses: Vec<P::Pose> = (0..scene.len()).map(|i| scene.poses(i)[1]).collect();
    let (bodies, count) = (scene.bodies(), scene.len());
    let cell = |query, batch: [f64; VERSIONS], [alone, rival]: [f64; 2]| {
        let pair = name.to_owned();
        Cell { pair, precision: P::NAME, query, batch, alone, rival }
    };
    let mut cells = Vec::new();
    let at = &scene.poses(0)[0];
    let depths = |version, range: std::ops::Range<usize>| {
        let poses = &poses[range];
        let overlaps = P::batch_overlap(version, bodies, at, poses);
        let hits = poses.iter().zip(&overlaps).filter(|(_, hit)| P::hit(hit).overlap).map(|(pose, _)| *pose);
        P::batch_closest(version, bodies, at, &hits.collect::<Vec<_>>())
    };
    macro_rules! raced {
        ($query:literal, $one:expr, $rival:expr, $many:expr) => {
            let [alone, rival, plain, narrow, wide] = race_by(
                BATCH,
                count,
                [
                    ("alone", $one),
                    ("rival", $rival),
                    ("plain", &mut |range| drop(std::hint::black_box($many(0, range)))),
                    ("narrow", &mut |range| drop(std::hint::black_box($many(1, range)))),
                    ("wide", &mut |range| drop(std::hint::black_box($many(2, range)))),
                ],
                settings,
            );
            cells.push(cell($query, [plain, narrow, wide], [alone, rival]));
        };
    }
    type Range = std::ops::Range<usize>;
    raced!(
        "overlap",
        calls!(i => scene.overlap(i, &mut cold())),
        calls!(i => scene.rival_overlap(i)),
        |version, range: Range| P::batch_overlap(version, bodies, at, &poses[range])
    );
    raced!(
        "distance",
        calls!(i => scene.distance(i, &mut cold())),
        calls!(i => scene.rival_closest(i)),
        |version, range: Range| P::batch_distance(version, bodies, at, &poses[range])
    );
    raced!(
        "depth",
        calls!(i => {
            let mut cache = cold();
            P::hit(&scene.overlap(i, &mut cache)).overlap.then(|| scene.closest(i, &mut cache))
        }),
        calls!(i => scene.rival_contact(i)),
        depths
    );
    raced!(
        "closest",
        calls!(i => scene.closest(i, &mut cold())),
        calls!(i => scene.rival_contact(i)),
        |version, range: Range| P::batch_closest(version, bodies, at, &poses[range])
    );
    cells.try_into().unwrap_or_else(|_| unreachable!("four cells"))
}

fn report(cells: &[Cell]) -> Report {
    let columns = ["pair", "query", "precision", "plain", "avx2", "avx512", "alone", "parry", "to_parry", "to_alone"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    let best = |cell: &Cell| cell.batch.iter().copied().fold(f64::INFINITY, f64::min);
    for cell in cells {
        let Cell { batch: [plain, narrow, wide], alone, rival, .. } = *cell;
        let labels = [cell.pair.as_str().into(), cell.query.into(), cell.precision.into()];
        let times = [plain, narrow, wide, alone, rival, rival / best(cell), alone / best(cell)];
        report.row(labels.into_iter().chain(times.map(Into::into)));
    }
    for query in ["overlap", "distance", "depth"] {
        let chosen = cells.iter().filter(|cell| cell.query == query);
        let ratio = |cell: &Cell| cell.rival / best(cell);
        let Some(worst) = chosen.min_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { continue };
        let text = format!("{:.2} at {} {}", ratio(worst), worst.pair, worst.precision);
        let goal = if query == "depth" { GOAL - 1.0 } else { GOAL };
        let claim = format!("{query}: at least {goal} times faster than parry");
        report.claim(claim, "goal of the fastest peer", text, ratio(worst) >= goal);
    }
    report
}
