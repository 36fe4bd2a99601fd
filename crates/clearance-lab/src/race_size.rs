//! Hulls of 20 to 5,000 vertices against parry: overlap and nearest points, cold, in both precisions.
//!
//! Two different hulls of random points on an ellipsoid with semi-axes 2, 4 and 5, in random orientations, moved apart along a
//! random direction to a signed distance uniform in −1.5 … 1.5. The rival looks at every vertex for a support; the library
//! climbs. The rival's query for nearest points says only "intersecting" of overlapping bodies: like for like, "closest" is the
//! verb `distance`, which does the same; "closest with depth" is the verb `closest`, which adds their depth.

use clearance_testkit::Rng;
use glam::DVec3;

use crate::precision::{Double, Precision, Single};
use crate::workload::{Configuration, Recipe, Scene, at_distance, calls, offset_in_cube, race};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-size",
    title: "hulls of 20 to 5,000 vertices against parry: overlap and closest, cold",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Numbers of vertices.
    pub vertices: &'static [usize],
    /// Configurations of each at most; fewer of large hulls.
    pub configurations: usize,
}

const FULL: Sizes = Sizes { vertices: &[20, 50, 100, 200, 500, 1_000, 5_000], configurations: 5_000 };
const QUICK: Sizes = Sizes { vertices: &[20, 100, 1_000, 5_000], configurations: 500 };

/// The semi-axes of the ellipsoid.
pub(crate) const SEMI_AXES: DVec3 = DVec3::new(2.0, 4.0, 5.0);
/// The largest signed distance, either way.
const FARTHEST: f64 = 1.5;
/// Vertices times configurations at most: the rival looks at all of them many times.
const LOOKS: usize = 2_500_000;
/// The ratios to reach.
const GOALS: [(usize, f64); 3] = [(100, 4.0), (1_000, 15.0), (5_000, 40.0)];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start(2 * sizes.vertices.len() as u64, "sizes");
    let mut cells = Vec::new();
    for &n in sizes.vertices {
        let hulls = [0; 2].map(|_| Recipe::random_hull(&mut rng, n, SEMI_AXES));
        let count = sizes.configurations.min(LOOKS / n).max(1);
        let configurations = configurations(&hulls, count, &mut rng)?;
        cells.extend(measure::<Double>(settings, n, &Scene::new(&hulls, &configurations)?));
        progress.advance(1);
        cells.extend(measure::<Single>(settings, n, &Scene::new(&hulls, &configurations)?));
        progress.advance(1);
    }
    Ok(report(&cells))
}

pub(crate) fn configurations(hulls: &[Recipe; 2], count: usize, rng: &mut Rng) -> Result<Vec<Configuration>, Failure> {
    let [a, b] = [Double::shape(&hulls[0])?, Double::shape(&hulls[1])?];
    (0..count)
        .map(|_| {
            let drawn = offset_in_cube(rng, 0.0);
            let direction = rng.unit_vector();
            at_distance([&a, &b], &drawn, direction, rng.uniform(-FARTHEST, FARTHEST), 2.0 * SEMI_AXES.z)
        })
        .collect()
}

struct Cell {
    n: usize,
    precision: &'static str,
    query: &'static str,
    ours: f64,
    rival: f64,
    hit_rate: f64,
}

impl Cell {
    fn ratio(&self) -> f64 {
        self.rival / self.ours
    }
}

fn measure<P: Precision>(settings: &Settings, n: usize, scene: &Scene<P>) -> [Cell; 3] {
    let cold = P::Cache::default;
    let [overlap, rival_overlap, distance, closest, rival_closest] = race(
        scene.len(),
        [
            ("overlap", calls!(i => scene.overlap(i, &mut cold()))),
            ("rival overlap", calls!(i => scene.rival_overlap(i))),
            ("distance", calls!(i => scene.distance(i, &mut cold()))),
            ("closest", calls!(i => scene.closest(i, &mut cold()))),
            ("rival closest", calls!(i => scene.rival_closest(i))),
        ],
        settings,
    );
    let hits = (0..scene.len()).filter(|&i| P::hit(&scene.overlap(i, &mut cold())).overlap).count();
    let hit_rate = hits as f64 / scene.len() as f64;
    let cell = |query, ours, rival| Cell { n, precision: P::NAME, query, ours, rival, hit_rate };
    [
        cell("overlap", overlap, rival_overlap),
        cell("closest", distance, rival_closest),
        cell("closest with depth", closest, rival_closest),
    ]
}

fn report(cells: &[Cell]) -> Report {
    let columns = ["n", "precision", "query", "ours_ns", "parry_ns", "ratio"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let labels = [cell.n.into(), cell.precision.into(), cell.query.into()];
        report.row(labels.into_iter().chain([cell.ours.into(), cell.rival.into(), cell.ratio().into()]));
    }
    for (n, goal) in GOALS {
        for query in ["overlap", "closest", "closest with depth"] {
            let chosen = cells.iter().filter(|cell| cell.n == n && cell.query == query);
            let Some(worst) = chosen.min_by(|a, b| a.ratio().total_cmp(&b.ratio())) else { continue };
            let text = format!("{:.2} in {}", worst.ratio(), worst.precision);
            let claim = format!("{query} at {n} vertices: at least {goal} times faster than parry");
            report.claim(claim, format!("goal: {goal} times"), text, worst.ratio() >= goal);
        }
    }
    let rates = || cells.iter().map(|cell| cell.hit_rate);
    let (low, high) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
    let text = format!("{low:.3} to {high:.3}");
    report.claim("about half of the configurations overlap", "50 %", text, low > 0.4 && high < 0.6);
    plots(&mut report, cells);
    report
}

fn plots(report: &mut Report, cells: &[Cell]) {
    for precision in [Double::NAME, Single::NAME] {
        let title = format!("Time against the number of vertices, {precision}");
        let mut plot = Plot::new(precision, &title, "vertices", "nanoseconds").log(true, true);
        for query in ["overlap", "closest", "closest with depth"] {
            let chosen = || cells.iter().filter(|cell| cell.precision == precision && cell.query == query);
            plot.line(format!("{query}, ours"), chosen().map(|cell| (cell.n as f64, cell.ours)));
            if query != "closest with depth" {
                plot.line(format!("{query}, parry"), chosen().map(|cell| (cell.n as f64, cell.rival)));
            }
        }
        report.plot(plot);
    }
}
