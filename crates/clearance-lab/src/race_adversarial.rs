//! Pairs that all but touch, against the exact truth: who is wrong, and how often.
//!
//! Nearly aligned unit boxes with gaps of ±10^U(−7, −1), and 50-vertex hulls with signed distances of ±10^U(−7, −2). The truth
//! is the explicit Minkowski difference of the bodies as stored in the precision at hand, decided exactly.
//!
//! In f32 such gaps are below the rounding of a support, so two counts are given: every answer that is not strictly right, and
//! those wrong by more than 64 roundings of the pair's size. In f64 the two hardly differ.

use clearance_testkit::{MinkowskiDifference, PosedSolid, Rng, Separation, SignedDistance};
use glam::{DQuat, DVec3};

use crate::precision::{Double, Precision, Single};
use crate::workload::{Configuration, Placement, Recipe, Scene, at_distance};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-adversarial",
    title: "pairs that all but touch: wrong booleans, wrong depths and missing depths, ours and parry's",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Cases of each family.
    pub cases: usize,
}

const FULL: Sizes = Sizes { cases: 2_000 };
const QUICK: Sizes = Sizes { cases: 100 };

/// Roundings of the pair's size within which an answer in the other direction is rounding.
const ROUNDINGS: f64 = 64.0;
/// How far off a depth may be, relative.
const DEPTH: f64 = 0.01;
/// The angle between nearly aligned boxes, radians.
const ANGLES: [f64; 2] = [1e-7, 1e-1];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    progress.start(4 * sizes.cases as u64, "cases");
    let mut tallies = Vec::new();
    for (family, draw) in [("boxes", boxes as Draw), ("hulls", hulls)] {
        let mut rng = Rng::new(settings.seed);
        let cases = (0..sizes.cases).map(|_| draw(&mut rng)).collect::<Result<Vec<Case>, Failure>>()?;
        tallies.extend(judge::<Double>(family, &cases, progress)?);
        tallies.extend(judge::<Single>(family, &cases, progress)?);
    }
    Ok(report(&tallies, sizes))
}

/// Two bodies and where they are.
struct Case {
    bodies: [Recipe; 2],
    configuration: Configuration,
}

type Draw = fn(&mut Rng) -> Result<Case, Failure>;

/// Two unit boxes, face to face but for a small turn.
fn boxes(rng: &mut Rng) -> Result<Case, Failure> {
    let bodies = [Recipe::Cuboid([0.5; 3]), Recipe::Cuboid([0.5; 3])];
    let rotation = rng.rotation();
    let turn = DQuat::from_axis_angle(rng.unit_vector(), rng.log_uniform(ANGLES[0], ANGLES[1]));
    let wanted = rng.sign() * rng.log_uniform(1e-7, 1e-1);
    // Aside by less than an edge, so that faces meet; the way is mostly along the face's normal.
    let way = DVec3::new(1.0, rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5));
    let placement = |rotation| Placement { rotation, translation: DVec3::ZERO };
    let drawn = [placement(rotation), placement(rotation * turn)];
    settled(bodies, drawn, rotation * way, wanted)
}

/// Two hulls of 50 points on the unit sphere.
fn hulls(rng: &mut Rng) -> Result<Case, Failure> {
    let bodies = [0; 2].map(|_| Recipe::random_hull(rng, 50, DVec3::ONE));
    let wanted = rng.sign() * rng.log_uniform(1e-7, 1e-2);
    let drawn = [0; 2].map(|_| Placement { rotation: rng.rotation(), translation: DVec3::ZERO });
    settled(bodies, drawn, rng.unit_vector(), wanted)
}

fn settled(bodies: [Recipe; 2], drawn: Configuration, way: DVec3, wanted: f64) -> Result<Case, Failure> {
    let [a, b] = [Double::shape(&bodies[0])?, Double::shape(&bodies[1])?];
    let configuration = at_distance([&a, &b], &drawn, way, wanted, 2.0)?;
    Ok(Case { bodies, configuration })
}

/// What one competitor said.
struct Answer {
    overlap: bool,
    /// Its signed distance of bodies that overlap; nothing if it gave none.
    depth: Option<f64>,
}

/// What went wrong; each count strictly and beyond rounding.
#[derive(Default)]
struct Tally {
    who: &'static str,
    precision: &'static str,
    family: &'static str,
    booleans: [usize; 2],
    depths: [usize; 2],
    missing: [usize; 2],
    /// Answers whose bounds do not hold; only the library gives bounds.
    bounds: Option<usize>,
    overlapping: usize,
}

impl Tally {
    fn record(&mut self, truth: &SignedDistance, answer: &Answer, rounding: f64) {
        let meet = truth.kind != Separation::Apart;
        let certain = truth.distance.abs() > rounding;
        let mut count = |counts: fn(&mut Self) -> &mut [usize; 2], wrong: bool, also_beyond: bool| {
            counts(self)[0] += usize::from(wrong);
            counts(self)[1] += usize::from(wrong && also_beyond);
        };
        count(|tally| &mut tally.booleans, answer.overlap != meet, certain);
        if truth.kind != Separation::Overlapping {
            return;
        }
        let missing = answer.overlap && !answer.depth.is_some_and(|depth| depth < 0.0);
        count(|tally| &mut tally.missing, missing, certain);
        if let Some(depth) = answer.depth {
            let off = (depth - truth.distance).abs();
            let allowed = DEPTH * truth.distance.abs();
            count(|tally| &mut tally.depths, !(off <= allowed), !(off <= allowed + rounding));
        }
        self.overlapping += 1;
    }
}

fn judge<P: Precision>(family: &'static str, cases: &[Case], progress: &Progress) -> Result<[Tally; 2], Failure> {
    let tally = |who| Tally { who, precision: P::NAME, family, ..Tally::default() };
    let (mut ours, mut rival) = (tally("clearance"), tally("parry"));
    let mut broken = 0;
    for case in cases {
        let scene = Scene::<P>::new(&case.bodies, &[case.configuration])?;
        let truth = truth::<P>(case, scene.poses(0))?;
        let rounding = ROUNDINGS * P::ROUNDOFF * scene.size(0);
        let near = P::near(&scene.closest(0, &mut Default::default()));
        let hit = P::hit(&scene.overlap(0, &mut Default::default()));
        ours.record(&truth, &Answer { overlap: hit.overlap, depth: Some(near.distance) }, rounding);
        broken += usize::from(truth.compare(near.lower).is_lt() || truth.compare(near.upper).is_gt());
        let depth = scene.rival_contact(0).map(|contact| P::rival_depth(&contact).0);
        rival.record(&truth, &Answer { overlap: scene.rival_overlap(0), depth }, rounding);
        progress.advance(1);
    }
    ours.bounds = Some(broken);
    Ok([ours, rival])
}

/// The exact signed distance of the bodies as they are stored.
fn truth<P: Precision>(case: &Case, poses: &[P::Pose; 2]) -> Result<SignedDistance, Failure> {
    let posed = |recipe: &Recipe, pose: &P::Pose| -> Result<PosedSolid, Failure> {
        let (matrix, translation) = P::stored(pose);
        Ok(PosedSolid::new(&P::solid(recipe)?, matrix, translation))
    };
    let (a, b) = (posed(&case.bodies[0], &poses[0])?, posed(&case.bodies[1], &poses[1])?);
    Ok(MinkowskiDifference::new(&a, &b).signed_distance())
}

fn report(tallies: &[Tally], sizes: &Sizes) -> Report {
    let columns = [
        "who",
        "precision",
        "family",
        "cases",
        "overlapping",
        "wrong_booleans",
        "beyond_rounding",
        "depths_off",
        "depths_off_beyond",
        "no_depth",
        "no_depth_beyond",
        "bounds_broken",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for tally in tallies {
        let labels = [tally.who.into(), tally.precision.into(), tally.family.into()];
        let counts = [tally.booleans, tally.depths, tally.missing].concat();
        let counts = [sizes.cases, tally.overlapping].into_iter().chain(counts).map(Into::into);
        let bounds = tally.bounds.map_or("–".into(), Into::into);
        report.row(labels.into_iter().chain(counts).chain([bounds]));
    }
    claims(&mut report, tallies);
    report
}

/// One of the counts of a tally.
type Count<'a> = &'a dyn Fn(&Tally) -> usize;

fn claims(report: &mut Report, tallies: &[Tally]) {
    let sum = |precision: &str, count: Count<'_>| -> usize {
        let ours = tallies.iter().filter(|tally| tally.who == "clearance" && tally.precision == precision);
        ours.map(count).sum()
    };
    // Column 0 is strict, column 1 forgives rounding.
    for (precision, column, how) in [(Double::NAME, 0, ""), (Single::NAME, 1, " beyond rounding")] {
        let counts: [(&str, Count<'_>); 3] = [
            ("wrong booleans", &|tally| tally.booleans[column]),
            ("depths more than 1 % off", &|tally| tally.depths[column]),
            ("hits without a depth", &|tally| tally.missing[column]),
        ];
        for (what, count) in counts {
            let count = sum(precision, count);
            report.claim(format!("{precision}: no {what}{how}"), "goal: 0", count, count == 0);
        }
        let broken = sum(precision, &|tally| tally.bounds.unwrap_or(0));
        report.claim(format!("{precision}: every bound holds"), "goal: 0", broken, broken == 0);
    }
}
