//! Searching steps of the separating vector algorithm: figures 6.3, 6.4 and 6.5 of Q_COLLIDE, section 6.2.1.
//!
//! The environment is that of `q_collide`: 500 bodies of one shape; a pair is tested when its tight boxes
//! overlap, warm if they did in the frame before. k is the number of directions tried.

use clearance::narrow::PairCache;
use clearance::narrow::separating_vector::{Options, STEP_LIMIT, Steps, overlap_by};
use clearance_testkit::Rng;

use crate::q_collide::{Environment, Figure};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "q-collide-steps",
    title: "searching steps of the separating vector algorithm in a moving environment",
    reproduces: "q-collide figures 6.3 to 6.5",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Vertices of the bodies.
    pub vertices: &'static [usize],
    /// Bodies in the environment.
    pub bodies: usize,
    /// Frames per shape and number of vertices.
    pub frames: usize,
}

const FULL: Sizes = Sizes { vertices: &[10, 20, 50, 100, 200, 500, 1000], bodies: 500, frames: 400 };
const QUICK: Sizes = Sizes { vertices: &[10, 100, 500], bodies: 500, frames: 60 };

/// The histograms are those of bodies with this many vertices.
const SHOWN: usize = 500;
/// The largest k of figure 6.5 at the largest n, by shape; read off a text that gives "around 22", "20 to 40", "25 to 55".
const LARGEST: [u32; 3] = [25, 55, 40];
/// Steps shown one by one.
const BINS: usize = 12;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    progress.start((Figure::ALL.len() * sizes.vertices.len()) as u64, "environments");
    let mut cells = Vec::new();
    for figure in Figure::ALL {
        for &n in sizes.vertices {
            let mut rng = Rng::new(settings.seed);
            let mut cell = Cell::new(figure, n);
            let mut environment = Environment::<PairCache>::new(&mut rng, figure, n, sizes.bodies)?;
            for _ in 0..sizes.frames {
                environment.frame(|a, pose_a, b, pose_b, cache| {
                    let (answer, steps) = overlap_by(&Options::default(), a, pose_a, b, pose_b, cache);
                    cell.record(answer.overlap, &steps);
                    answer.overlap
                })?;
            }
            cells.push(cell);
            progress.advance(1);
        }
    }
    Ok(report(&cells))
}

/// Tests by k.
struct Histogram([u64; STEP_LIMIT + 1]);

impl Histogram {
    fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Share of the tests that took at most `k` steps.
    fn within(&self, k: usize) -> f64 {
        self.0[..=k].iter().sum::<u64>() as f64 / self.total().max(1) as f64
    }

    /// Share of the tests that took `k` steps.
    fn share(&self, k: usize) -> f64 {
        self.0[k] as f64 / self.total().max(1) as f64
    }

    fn largest(&self) -> u32 {
        self.0.iter().rposition(|count| *count > 0).unwrap_or(0) as u32
    }
}

/// One shape with one number of vertices.
struct Cell {
    figure: Figure,
    n: usize,
    /// Tests of pairs apart, and all of them.
    apart: Histogram,
    all: Histogram,
    /// Of the tests of pairs apart, those with a restart.
    restarted: u64,
    /// Tests that were too close to call.
    by_distance: u64,
}

impl Cell {
    fn new(figure: Figure, n: usize) -> Self {
        let empty = || Histogram([0; STEP_LIMIT + 1]);
        Self { figure, n, apart: empty(), all: empty(), restarted: 0, by_distance: 0 }
    }

    fn record(&mut self, overlap: bool, steps: &Steps) {
        let k = (steps.k as usize).min(STEP_LIMIT);
        self.all.0[k] += 1;
        self.by_distance += u64::from(steps.by_distance);
        if !overlap {
            self.apart.0[k] += 1;
            self.restarted += u64::from(steps.restarts > 0);
        }
    }

    fn restarts(&self) -> f64 {
        self.restarted as f64 / self.apart.total().max(1) as f64
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns = [
        "shape",
        "n",
        "tests",
        "apart",
        "apart_within_1",
        "apart_within_2",
        "apart_within_3",
        "apart_within_4",
        "all_within_3",
        "largest_k",
        "largest_k_apart",
        "restarted_apart",
        "by_distance",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let within = [1, 2, 3, 4].map(|k| cell.apart.within(k).into());
        let counts = [cell.figure.name().into(), cell.n.into(), cell.all.total().into(), cell.apart.total().into()];
        let rest = [
            cell.all.within(3).into(),
            cell.all.largest().into(),
            cell.apart.largest().into(),
            cell.restarted.into(),
            cell.by_distance.into(),
        ];
        report.row(counts.into_iter().chain(within).chain(rest));
    }
    claims(&mut report, cells);
    plots(&mut report, cells);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    let shown = || cells.iter().filter(|cell| cell.n == SHOWN);
    for cell in shown() {
        let claim = format!("more than 95 % of the tests of {}s apart end within 3 steps", cell.figure.name());
        let within = cell.apart.within(3);
        report.claim(claim, "figure 6.3: more than 95 %", within, within > 0.95);
    }
    for cell in shown().filter(|cell| cell.figure == Figure::Ellipsoid) {
        let within = cell.apart.within(4);
        let claim = "more than 99 % of the tests of ellipsoids apart end within 4 steps";
        report.claim(claim, "figure 6.3: more than 99 %", within, within > 0.99);
    }
    let mean = |share: &dyn Fn(&Cell) -> f64| shown().map(share).sum::<f64>() / shown().count().max(1) as f64;
    let within = mean(&|cell| cell.all.within(3));
    let claim = "on average more than 80 % of all tests end within 3 steps";
    report.claim(claim, "figure 6.4: more than 80 %", within, within > 0.8);
    for (figure, largest) in Figure::ALL.into_iter().zip(LARGEST) {
        let k = cells.iter().filter(|cell| cell.figure == figure).map(|cell| cell.all.largest()).max().unwrap_or(0);
        let claim = format!("{}s never take more than {largest} steps", figure.name());
        report.claim(claim, format!("figure 6.5: up to {largest}"), k, k <= largest);
    }
    let worst = shown().map(Cell::restarts).fold(0.0, f64::max);
    let claim = "fewer than 0.1 % of the tests of pairs apart see a pair of vertices again";
    report.claim(claim, "section 6.2.1: less than 0.1 %", worst, worst < 0.001);
    let least = cells.iter().map(|cell| cell.apart.within(3)).fold(1.0, f64::min);
    let claim = "for every shape and number of vertices more than 90 % of the tests apart end within 3 steps";
    report.claim(claim, "a similar curve for other numbers", least, least > 0.9);
}

fn plots(report: &mut Report, cells: &[Cell]) {
    let axes = ["steps", "% of tests"];
    let mut apart = Plot::new("apart", "Steps when there is no collision, n = 500", axes[0], axes[1]);
    let mut all = Plot::new("all", "Steps of all tests, n = 500", axes[0], axes[1]);
    let mut largest = Plot::new("largest", "Largest number of steps", "vertices", "steps").log(true, false);
    for figure in Figure::ALL {
        let own = || cells.iter().filter(|cell| cell.figure == figure);
        for cell in own().filter(|cell| cell.n == SHOWN) {
            let curve = |histogram: &Histogram| (0..=BINS).map(|k| (k as f64, 100.0 * histogram.share(k))).collect();
            let [of_apart, of_all]: [Vec<_>; 2] = [curve(&cell.apart), curve(&cell.all)];
            apart.line(figure.name(), of_apart);
            all.line(figure.name(), of_all);
        }
        largest.line(figure.name(), own().map(|cell| (cell.n as f64, f64::from(cell.all.largest()))));
    }
    report.plot(apart).plot(all).plot(largest);
}
