//! Searching steps of the separating vector algorithm: figures 6.3, 6.4 and 6.5 of Q_COLLIDE, section 6.2.1.
//!
//! The environment is that of `q_collide`: 500 bodies of one shape; a pair is tested when its tight boxes
//! overlap, warm if they did in the frame before. k is the number of directions tried. The algorithm is asked alone: what it leaves open
//! counts with its steps, and the verb tells whether the bodies touch, so that the motion goes on.
//!
//! At one number of vertices the rules for the next direction, (3.2), (3.5) and between them (3.9), and both tests of existence
//! (sections 4.2.1 and 4.2.2) are asked in environments of their own.

use clearance::narrow::separating_vector::STEP_LIMIT;
use clearance::study::PairCache;
use clearance::study::separating_vector::{Existence, Options, Rule, Steps, overlap_by};
use clearance::{Cache, End, overlap};
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
/// The largest k of figure 6.5 up to the largest n; read off a text that gives "around 22", "25 to 55" for rods and "20 to 40" for plates.
fn largest_of(figure: Figure) -> u32 {
    match figure {
        Figure::Ellipsoid => 22,
        Figure::Rod | Figure::RodCylinder | Figure::RodBox => 55,
        Figure::Plate | Figure::PlateCylinder | Figure::PlateBox => 40,
    }
}

/// The other ways to search, beside (3.2) with the hemisphere.
const OTHERS: [(&str, Options); 4] = [
    ("(3.5), hemisphere", Options { rule: Rule::Conservative, existence: Existence::Hemisphere }),
    ("(3.9) by halves, hemisphere", Options { rule: Rule::Blended(0.5), existence: Existence::Hemisphere }),
    ("(3.2), half planes", Options { rule: Rule::Greedy, existence: Existence::HalfPlanes }),
    ("(3.5), half planes", Options { rule: Rule::Conservative, existence: Existence::HalfPlanes }),
];
const USUAL: &str = "(3.2), hemisphere";

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
    progress.start((Figure::EVERY.len() * (sizes.vertices.len() + OTHERS.len())) as u64, "environments");
    let mut cells = Vec::new();
    for figure in Figure::EVERY {
        for &n in sizes.vertices {
            cells.push(measure(settings, sizes, figure, n, (USUAL, Options::default()))?);
            progress.advance(1);
        }
        for way in OTHERS {
            cells.push(measure(settings, sizes, figure, SHOWN, way)?);
            progress.advance(1);
        }
    }
    Ok(report(&cells))
}

fn measure(
    settings: &Settings,
    sizes: &Sizes,
    figure: Figure,
    n: usize,
    (way, options): (&'static str, Options),
) -> Result<Cell, Failure> {
    let mut rng = Rng::new(settings.seed);
    let mut cell = Cell::new(figure, n, way);
    let mut environment = Environment::<PairCache>::new(&mut rng, figure, n, sizes.bodies)?;
    for _ in 0..sizes.frames {
        environment.frame(|a, pose_a, b, pose_b, cache| {
            let (answer, steps) = overlap_by(&options, a, pose_a, b, pose_b, cache);
            let open = answer.end != End::Converged;
            let touching =
                if open { overlap(a, pose_a, b, pose_b, &mut Cache::default()).overlap } else { answer.overlap };
            cell.record(touching, open, &steps);
            touching
        })?;
    }
    Ok(cell)
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

    fn mean(&self) -> f64 {
        let sum: u64 = self.0.iter().enumerate().map(|(k, count)| k as u64 * count).sum();
        sum as f64 / self.total().max(1) as f64
    }

    fn largest(&self) -> u32 {
        self.0.iter().rposition(|count| *count > 0).unwrap_or(0) as u32
    }
}

/// One shape with one number of vertices.
struct Cell {
    figure: Figure,
    n: usize,
    way: &'static str,
    /// Tests of pairs apart, and all of them.
    apart: Histogram,
    all: Histogram,
    /// Of the tests of pairs apart, those with a restart.
    restarted: u64,
    /// Tests that the algorithm left open.
    open: u64,
}

impl Cell {
    fn new(figure: Figure, n: usize, way: &'static str) -> Self {
        let empty = || Histogram([0; STEP_LIMIT + 1]);
        Self { figure, n, way, apart: empty(), all: empty(), restarted: 0, open: 0 }
    }

    fn record(&mut self, overlap: bool, open: bool, steps: &Steps) {
        let k = (steps.k as usize).min(STEP_LIMIT);
        self.all.0[k] += 1;
        self.open += u64::from(open);
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
        "search",
        "tests",
        "apart",
        "apart_within_1",
        "apart_within_2",
        "apart_within_3",
        "apart_within_4",
        "all_within_3",
        "mean_k",
        "largest_k",
        "share_of_largest",
        "largest_k_apart",
        "restarted_apart",
        "left_open",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let within = [1, 2, 3, 4].map(|k| cell.apart.within(k).into());
        let labels = [cell.figure.name().into(), cell.n.into(), cell.way.into()];
        let counts = [cell.all.total().into(), cell.apart.total().into()];
        let rest = [
            cell.all.within(3).into(),
            cell.all.mean().into(),
            cell.all.largest().into(),
            cell.all.share(cell.all.largest() as usize).into(),
            cell.apart.largest().into(),
            cell.restarted.into(),
            cell.open.into(),
        ];
        report.row(labels.into_iter().chain(counts).chain(within).chain(rest));
    }
    claims(&mut report, cells);
    plots(&mut report, cells);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    let usual = || cells.iter().filter(|cell| cell.way == USUAL);
    let shown = || usual().filter(|cell| cell.n == SHOWN);
    for cell in shown() {
        let claim = format!("figure 6.3: more than 95 % of the tests apart end within 3 steps, {}", cell.figure.name());
        let within = cell.apart.within(3);
        report.claim(claim, "more than 95 %", within, within > 0.95);
        report.why_not(
            "the thesis gives its rods and plates as shapes without a formula; of the three that they are here the ellipsoids hold it, and \
             those with flat ends and sharp edges do not",
        );
    }
    for cell in shown().filter(|cell| cell.figure == Figure::Ellipsoid) {
        let within = cell.apart.within(4);
        let claim = "figure 6.3: more than 99 % of the tests of ellipsoids apart end within 4 steps";
        report.claim(claim, "more than 99 %", within, within > 0.99);
    }
    let mean = |share: &dyn Fn(&Cell) -> f64| shown().map(share).sum::<f64>() / shown().count().max(1) as f64;
    let within = mean(&|cell| cell.all.within(3));
    let claim = "figure 6.4: on average more than 80 % of all tests end within 3 steps";
    report.claim(claim, "more than 80 %", within, within > 0.8);
    for figure in Figure::EVERY {
        let most = largest_of(figure);
        let worst = usual().filter(|cell| cell.figure == figure).max_by_key(|cell| cell.all.largest());
        let Some(worst) = worst else { continue };
        let k = worst.all.largest();
        let share = worst.all.share(k as usize);
        let claim = format!("figure 6.5: the largest k, {}", figure.name());
        let text = format!("{k} at n = {}, in {:.4} % of the tests", worst.n, 100.0 * share);
        report.claim(claim, format!("up to {most}, in at most 0.01 %"), text, k <= most && share <= 1e-4);
    }
    restarts(report, cells);
    let least = usual().map(|cell| cell.apart.within(3)).fold(1.0, f64::min);
    let most = usual().map(|cell| cell.apart.within(3)).fold(0.0, f64::max);
    let claim = "6.2.1: other numbers of vertices give a similar curve: shares within 3 steps differ by less than 0.05";
    report.claim(claim, "similar", format!("{least:.3} to {most:.3}"), most - least < 0.05);
    report
        .why_not("the lowest shares are those of rods and plates with flat ends; the thesis does not say how similar");
    others(report, cells);
}

/// How often a pair of vertices is seen again, by shape, and what that depends on.
fn restarts(report: &mut Report, cells: &[Cell]) {
    let usual = || cells.iter().filter(|cell| cell.way == USUAL);
    let shown = || usual().filter(|cell| cell.n == SHOWN);
    let percent = |cell: &Cell| format!("{:.2} %", 100.0 * cell.restarts());
    let worst = shown().map(Cell::restarts).fold(0.0, f64::max);
    let text = shown().map(|cell| format!("{}: {}", cell.figure.name(), percent(cell))).collect::<Vec<_>>().join("; ");
    let claim = "6.2.1: fewer than 0.1 % of the tests apart see a pair of vertices again";
    report.claim(claim, "less than 0.1 %", text, worst < 0.001);
    let round = usual().filter(|cell| cell.figure == Figure::Ellipsoid);
    let by_size = round.map(|cell| format!("{} at n = {}", percent(cell), cell.n)).collect::<Vec<_>>().join(", ");
    let [least, most] = shown()
        .map(|cell| 100.0 * (1.0 - cell.apart.within(3)))
        .fold([100.0, 0.0], |[low, high], x| [f64::min(low, x), f64::max(high, x)]);
    report.why(format!(
        "a pair comes back at the third direction at the earliest, so that only tests of more than three see one, {least:.1} to {most:.1} %; in \
         these it depends on how many vertices there are near the contact. Where every point is a vertex the share falls as vertices are added \
         (ellipsoids: {by_size}); on the flat ends and sides of cylinders and boxes the hull keeps few, whatever n is, and the search goes to \
         and fro between them. The thesis does not say which bodies its figure is of"
    ));
}

/// The other rules and tests at the number of vertices shown.
fn others(report: &mut Report, cells: &[Cell]) {
    let of = |way: &str| {
        let chosen = cells.iter().filter(|cell| cell.n == SHOWN && cell.way == way);
        let (k, count) = chosen.fold((0.0, 0), |(sum, count), cell| (sum + cell.all.mean(), count + 1));
        k / f64::from(count.max(1))
    };
    let text = OTHERS.map(|(way, _)| format!("{way}: {:.2}", of(way))).join(", ");
    let claim = "3.2: the greedy rule (3.2) takes fewer steps on average than (3.5)";
    let holds = of(USUAL) < of(OTHERS[0].0);
    report.claim(claim, "greedy", format!("{USUAL}: {:.2}, {text}", of(USUAL)), holds);
}

fn plots(report: &mut Report, cells: &[Cell]) {
    let axes = ["steps", "% of tests"];
    let mut apart = Plot::new("figure-6-3", "Figure 6.3: steps when there is no collision, n = 500", axes[0], axes[1]);
    let mut all = Plot::new("figure-6-4", "Figure 6.4: steps of all tests, n = 500", axes[0], axes[1]);
    let mut largest =
        Plot::new("figure-6-5", "Figure 6.5: largest number of steps", "vertices", "steps").log(true, false);
    for figure in Figure::EVERY {
        let own = || cells.iter().filter(|cell| cell.figure == figure && cell.way == USUAL);
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
