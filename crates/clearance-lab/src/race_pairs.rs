//! The six pairs of the thesis against parry: overlap, nearest points, penetration, in both precisions.
//!
//! Offsets are uniform in a cube sized so that half of the configurations overlap; times are averages over all of them.
//!
//! The rival's query for nearest points says only "intersecting" of overlapping bodies. Like for like, "closest" is the verb
//! `distance`, which does the same; "closest with depth" is the verb `closest` against the same query, and "penetration"
//! against the rival's contact query.
//!
//! Depths of curved bodies carry bounds that may differ by a stated 0.1 %. So the accuracy is judged by these bounds, once
//! they have stood up to the gaps along both sides' normals: see `Counts`.

use clearance_testkit::Rng;
use glam::DVec3;

use crate::precision::{Double, Precision, Single};
use crate::verdict::{Counts, Said};
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
    /// Booleans judged: those of bodies that do not touch.
    judged: usize,
    /// Booleans of the library and of the rival that are wrong though the bodies do not touch.
    wrong: [usize; 2],
    /// Distances of bodies that are apart.
    apart: Counts,
    /// Depths of bodies that overlap.
    deep: Counts,
}

fn measure<P: Precision>(settings: &Settings, pair: &Pair, scene: &Scene<P>, truth: &[f64]) -> Cell {
    let cold = P::Cache::default;
    let [overlap, rival_overlap, distance, closest, rival_closest, rival_contact] = race(
        scene.len(),
        [
            ("overlap", calls!(i => scene.overlap(i, &mut cold()))),
            ("rival overlap", calls!(i => scene.rival_overlap(i))),
            ("distance", calls!(i => scene.distance(i, &mut cold()))),
            ("closest", calls!(i => scene.closest(i, &mut cold()))),
            ("rival closest", calls!(i => scene.rival_closest(i))),
            ("rival contact", calls!(i => scene.rival_contact(i))),
        ],
        settings,
    );
    let times = [
        Time { query: "overlap", ours: overlap, rival: rival_overlap },
        Time { query: "closest", ours: distance, rival: rival_closest },
        Time { query: "closest with depth", ours: closest, rival: rival_closest },
        Time { query: "penetration", ours: closest, rival: rival_contact },
    ];
    let mut cell = Cell {
        precision: P::NAME,
        pair: pair.name,
        times,
        hit_rate: 0.0,
        judged: 0,
        wrong: [0; 2],
        apart: Counts::default(),
        deep: Counts::default(),
    };
    for (i, &truth) in truth.iter().enumerate() {
        let hit = P::hit(&scene.overlap(i, &mut cold())).overlap;
        cell.hit_rate += f64::from(u8::from(hit)) / scene.len() as f64;
        if truth.abs() <= TOUCHING {
            continue;
        }
        cell.judged += 1;
        cell.wrong[0] += usize::from(hit != (truth < 0.0));
        cell.wrong[1] += usize::from(scene.rival_overlap(i) != (truth < 0.0));
        let near = P::near(&scene.closest(i, &mut cold()));
        if near.distance <= 0.0 {
            cell.deep.judge(scene, i, &near, depth(scene, i));
        } else {
            cell.apart.judge(scene, i, &near, apart(scene, i));
        }
    }
    cell
}

/// The rival's signed distance of overlapping bodies.
fn depth<P: Precision>(scene: &Scene<P>, i: usize) -> Option<Said> {
    let (distance, normal) = P::rival_depth(&scene.rival_contact(i)?);
    Some((distance, (normal != DVec3::ZERO).then_some(normal)))
}

/// The rival's distance.
fn apart<P: Precision>(scene: &Scene<P>, i: usize) -> Option<Said> {
    let points = scene.rival_closest(i)?;
    Some((P::rival_distance(&points)?, P::rival_direction(&points)))
}

impl Cell {
    /// Of a query: configurations judged, those where the library is wrong, where the rival is outside its bounds, where by
    /// more than 0.1 %, and where it has no answer. Of a boolean, outside is wrong.
    fn accuracy(&self, query: &str) -> [usize; 5] {
        let of = |counts: &Counts| [counts.compared, counts.broken, counts.outside, counts.off, counts.missing];
        match query {
            "overlap" => [self.judged, self.wrong[0], self.wrong[1], self.wrong[1], 0],
            "closest" => of(&self.apart),
            "penetration" => of(&self.deep),
            _ => of(&self.apart.plus(self.deep)),
        }
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns = [
        "precision",
        "pair",
        "query",
        "ours_ns",
        "parry_ns",
        "ratio",
        "judged",
        "ours_wrong",
        "parry_outside",
        "parry_off",
        "parry_missing",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        for time in &cell.times {
            let ratio = time.rival / time.ours;
            let labels = [cell.precision.into(), cell.pair.into(), time.query.into()];
            let times = [time.ours.into(), time.rival.into(), ratio.into()];
            report.row(labels.into_iter().chain(times).chain(cell.accuracy(time.query).map(Into::into)));
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
    for precision in [Double::NAME, Single::NAME] {
        let chosen = || cells.iter().filter(|cell| cell.precision == precision);
        accuracy(
            report,
            format!("{precision} distances"),
            chosen().fold(Counts::default(), |sum, c| sum.plus(c.apart)),
        );
        accuracy(report, format!("{precision} depths"), chosen().fold(Counts::default(), |sum, c| sum.plus(c.deep)));
    }
}

/// Who is right about one kind of number.
fn accuracy(report: &mut Report, what: String, counts: Counts) {
    let Counts { compared, outside, off, missing, broken, unresolved, wide, worst } = counts;
    let text = format!("{broken} of {compared} do not");
    report.claim(format!("{what}: our bounds verify along our normal and parry's"), "–", text, broken == 0);
    let text = format!("{wide} of {compared} are wider");
    report.claim(format!("{what}: our bounds are as close as stated"), "curved depths: 0.1 %", text, wide == 0);
    let text = format!(
        "parry outside our bounds: {outside}, by more than 0.1 %: {off}, at worst by {worst:.1e} of the size, \
         without an answer: {missing}; where our bounds do not verify: {unresolved}"
    );
    report.claim(format!("{what}: where parry disagrees, our bounds stand"), "–", text, unresolved == 0);
}
