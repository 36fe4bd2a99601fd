//! The six pairs of the thesis against parry: overlap, nearest points, penetration, in both precisions.
//!
//! Offsets are uniform in a cube sized so that half of the configurations overlap; times are averages over all of them.
//! The verb `closest` gives the depth of overlapping bodies as well, which the rival's query for nearest points does not,
//! so the library's GJK alone is timed beside it, and `penetration` sets `closest` against the rival's contact query.

use clearance_testkit::Rng;

use crate::precision::{Double, Precision, Single};
use crate::workload::{Pair, Scene, calibrate, calls, offset_in_cube, race, six_pairs};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-pairs",
    title: "six pairs of shapes against parry: overlap, closest and penetration",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Configurations of each pair.
    pub configurations: usize,
    /// Configurations that size the cube.
    pub calibration: usize,
}

const FULL: Sizes = Sizes { configurations: 100_000, calibration: 20_000 };
const QUICK: Sizes = Sizes { configurations: 5_000, calibration: 5_000 };

/// Signed distances beyond this, relative to the size of the pair, leave no doubt about the boolean: well above the rounding
/// of single precision.
const TOUCHING: f64 = 1e-5;
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
    progress.start(2 * pairs.len() as u64, "pairs");
    let mut cells = Vec::new();
    for pair in &pairs {
        let half = calibrate(pair, 0.5, sizes.calibration, settings.seed, offset_in_cube)?;
        let configurations: Vec<_> = (0..sizes.configurations).map(|_| offset_in_cube(&mut rng, half)).collect();
        let scene = Scene::<Double>::new(&pair.bodies, &configurations)?;
        let truth: Vec<f64> = (0..scene.len())
            .map(|i| Double::near(&scene.closest(i, &mut Default::default())).distance / scene.size(i))
            .collect();
        cells.push(measure::<Double>(settings, pair, &scene, &truth));
        progress.advance(1);
        let scene = Scene::<Single>::new(&pair.bodies, &configurations)?;
        cells.push(measure::<Single>(settings, pair, &scene, &truth));
        progress.advance(1);
    }
    Ok(report(&cells))
}

/// A query, with the library's time and the rival's.
struct Time {
    query: &'static str,
    ours: f64,
    rival: f64,
}

struct Cell {
    precision: &'static str,
    pair: &'static str,
    times: [Time; 4],
    hit_rate: f64,
    /// Booleans of the library and of the rival that are wrong though the bodies do not touch.
    wrong: [usize; 2],
    /// The largest difference of distances and depths, relative to the size of the pair.
    off: f64,
}

fn measure<P: Precision>(settings: &Settings, pair: &Pair, scene: &Scene<P>, truth: &[f64]) -> Cell {
    let cold = P::Cache::default;
    let [overlap, rival_overlap, distance, closest, rival_closest, rival_contact] = race(
        scene.len(),
        [
            ("overlap", calls!(i => scene.overlap(i, &mut cold()))),
            ("rival overlap", calls!(i => scene.rival_overlap(i))),
            ("distance", calls!(i => scene.distance(i))),
            ("closest", calls!(i => scene.closest(i, &mut cold()))),
            ("rival closest", calls!(i => scene.rival_closest(i))),
            ("rival contact", calls!(i => scene.rival_contact(i))),
        ],
        settings,
    );
    let times = [
        Time { query: "overlap", ours: overlap, rival: rival_overlap },
        Time { query: "closest, GJK only", ours: distance, rival: rival_closest },
        Time { query: "closest with depth", ours: closest, rival: rival_closest },
        Time { query: "penetration", ours: closest, rival: rival_contact },
    ];
    let (mut hits, mut wrong, mut off) = (0, [0; 2], 0.0_f64);
    for (i, &truth) in truth.iter().enumerate() {
        let hit = P::hit(&scene.overlap(i, &mut cold())).overlap;
        hits += u32::from(hit);
        if truth.abs() > TOUCHING {
            wrong[0] += usize::from(hit != (truth < 0.0));
            wrong[1] += usize::from(scene.rival_overlap(i) != (truth < 0.0));
        }
        let near = P::near(&scene.closest(i, &mut cold()));
        let rival = if hit { depth(scene, i) } else { apart(scene, i) };
        off = off.max(rival.map_or(0.0, |rival| (near.distance - rival).abs() / scene.size(i)));
    }
    let hit_rate = f64::from(hits) / scene.len().max(1) as f64;
    Cell { precision: P::NAME, pair: pair.name, times, hit_rate, wrong, off }
}

/// The rival's signed distance of overlapping bodies.
fn depth<P: Precision>(scene: &Scene<P>, i: usize) -> Option<f64> {
    scene.rival_contact(i).map(|contact| P::rival_depth(&contact))
}

/// The rival's distance.
fn apart<P: Precision>(scene: &Scene<P>, i: usize) -> Option<f64> {
    scene.rival_closest(i).and_then(|points| P::rival_distance(&points))
}

fn report(cells: &[Cell]) -> Report {
    let columns = ["precision", "pair", "query", "ours_ns", "parry_ns", "ratio"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        for time in &cell.times {
            let ratio = time.rival / time.ours;
            let labels = [cell.precision.into(), cell.pair.into(), time.query.into()];
            report.row(labels.into_iter().chain([time.ours.into(), time.rival.into(), ratio.into()]));
        }
    }
    claims(&mut report, cells);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    let goal = "goal: three times faster in every cell";
    for query in 0..4 {
        let ratio = |cell: &Cell| cell.times[query].rival / cell.times[query].ours;
        let Some(worst) = cells.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { continue };
        let text = format!("{:.2} at {} {}", ratio(worst), worst.pair, worst.precision);
        let name = worst.times[query].query;
        report.claim(format!("{name}: at least {GOAL} times faster than parry"), goal, text, ratio(worst) >= GOAL);
    }
    let rates = || cells.iter().map(|cell| cell.hit_rate);
    let (low, high) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
    let close = low > 0.45 && high < 0.55;
    report.claim("half of the configurations overlap", "50 %", format!("{low:.3} to {high:.3}"), close);
    let [ours, rival] = [0, 1].map(|who| cells.iter().map(|cell| cell.wrong[who]).sum::<usize>());
    let text = format!("{ours} wrong, of parry {rival}");
    report.claim("the boolean is right unless the bodies touch", "–", text, ours == 0);
    for (precision, most) in [(Double::NAME, 1e-4), (Single::NAME, 1e-2)] {
        let chosen = cells.iter().filter(|cell| cell.precision == precision);
        let Some(worst) = chosen.max_by(|a, b| a.off.total_cmp(&b.off)) else { continue };
        let text = format!("{:.2e} at {}", worst.off, worst.pair);
        let claim = format!("{precision}: distances and depths differ by at most {most:e} of the pair's size");
        report.claim(claim, "–", text, worst.off <= most);
    }
}
