//! Answers of batches against those of the verbs for one pair, on many pairs of all families.
//!
//! Shapes that lanes know in each combination, rounded ones and families of awkward hulls; at random poses, nearly touching, one in the other,
//! far away, tiny and huge. Booleans must be equal, and the bounds of two distances must have a value in common. Newton's method stops curved pairs
//! at a relative gap, so that an estimate may be beyond the other's bounds though each is within its own; how often is told, too.

use clearance::{Cache, Closest, Contact, End, Polytope, Pose, Shape, batch, closest, overlap, within};
use clearance_testkit::{Cloud, PairFamily, Rng};
use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "batch-agreement",
    title: "answers of batches against the verbs for one pair",
    reproduces: "trust",
    run,
};

/// How much is asked.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Pairs of shapes with a place each.
    pub pairs: usize,
}

const FULL: Sizes = Sizes { pairs: 10_000_000 };
const QUICK: Sizes = Sizes { pairs: 60_000 };

/// Poses of each pair of bodies.
const POSES: usize = 100;
/// Kinds of shapes beside the families of hulls.
const KINDS: [&str; 7] = ["cuboid", "ellipsoid", "cone", "cylinder", "round box", "round cone", "hull"];

/// What became of some pairs.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: usize,
    overlapping: usize,
    /// Booleans of `overlap` and `within`, and kinds of contact, that differ.
    booleans: usize,
    /// Distances whose bounds have no value in common.
    values: usize,
    /// Distances of which one is beyond the bounds of the other.
    beyond: usize,
    /// Answers of the batch that did not converge though the verb's did.
    ends: usize,
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            overlapping: self.overlapping + other.overlapping,
            booleans: self.booleans + other.booleans,
            values: self.values + other.values,
            beyond: self.beyond + other.beyond,
            ends: self.ends + other.ends,
        }
    }

    fn ask(&mut self, [a, b]: [&Shape; 2], pose_a: &Pose, poses: &[Pose]) {
        let reach = 0.1 * a.bounding_radius();
        let overlaps = batch::overlap_at(a, pose_a, b, poses);
        let signed = batch::closest_at(a, pose_a, b, poses);
        let apart = batch::distance_at(a, pose_a, b, poses);
        let withins = batch::within_at(a, pose_a, b, poses, reach);
        for (nth, pose_b) in poses.iter().enumerate() {
            let one = overlap(a, pose_a, b, pose_b, &mut Cache::default());
            let near = closest(a, pose_a, b, pose_b, &mut Cache::default());
            let is_within = within(a, pose_a, b, pose_b, reach, &mut Cache::default()).within;
            self.pairs += 1;
            self.overlapping += usize::from(one.overlap);
            let same = overlaps[nth].overlap == one.overlap
                && withins[nth].within == is_within
                && signed[nth].contact == near.contact
                && apart[nth].is_some() == (near.contact == Contact::Apart);
            self.booleans += usize::from(!same);
            let agree = |found: &Closest| found.lower <= near.upper && near.lower <= found.upper;
            let is_within = |found: &Closest| {
                (found.lower..=found.upper).contains(&near.distance)
                    && (near.lower..=near.upper).contains(&found.distance)
            };
            let both = || std::iter::once(&signed[nth]).chain(&apart[nth]);
            self.values += usize::from(!both().all(agree));
            self.beyond += usize::from(!both().all(is_within));
            let ended = |end: End| end == End::Converged;
            let worse = ended(one.end) && !ended(overlaps[nth].end) || ended(near.end) && !ended(signed[nth].end);
            self.ends += usize::from(worse);
        }
    }
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a pose or body is refused.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let rows: Vec<Row> = (0..KINDS.len() * KINDS.len())
        .map(|nth| Row::Kinds(nth / KINDS.len(), nth % KINDS.len()))
        .chain(PairFamily::ALL.into_iter().map(Row::Family))
        .collect();
    let chunks = sizes.pairs.div_ceil(rows.len() * POSES);
    progress.start((rows.len() * chunks) as u64, "bodies at a hundred poses");
    let header = [
        "pair",
        "pairs",
        "overlapping",
        "booleans that differ",
        "bounds that differ",
        "estimates beyond the other's bounds",
        "ends that are worse",
    ];
    let mut report = Report::new(EXPERIMENT.name, &header);
    let mut all = Tally::default();
    for (number, row) in rows.into_iter().enumerate() {
        let parts = (0..chunks).into_par_iter().map(|chunk| -> Result<Tally, Failure> {
            let seed = settings.seed.wrapping_mul(1 << 40).wrapping_add(((number << 32) + chunk) as u64);
            let mut tally = Tally::default();
            row.ask(&mut Rng::new(seed), &mut tally)?;
            progress.advance(1);
            Ok(tally)
        });
        let sum = parts.collect::<Result<Vec<Tally>, Failure>>()?.into_iter().fold(Tally::default(), Tally::plus);
        let Tally { pairs, overlapping, booleans, values, beyond, ends } = sum;
        report.row([
            row.name().into(),
            pairs.into(),
            overlapping.into(),
            booleans.into(),
            values.into(),
            beyond.into(),
            ends.into(),
        ]);
        all = all.plus(sum);
    }
    let of = |count: usize| format!("{count} of {} differ", all.pairs);
    report.claim("booleans are those of the verbs", "goal: 0 of 10,000,000", of(all.booleans), all.booleans == 0);
    report.claim("the bounds of both have a value in common", "goal: 0", of(all.values), all.values == 0);
    report.claim("a batch converges where the verb does", "goal: 0", of(all.ends), all.ends == 0);
    Ok(report)
}

/// What is paired.
#[derive(Clone, Copy)]
enum Row {
    Kinds(usize, usize),
    Family(PairFamily),
}

impl Row {
    fn name(self) -> String {
        match self {
            Self::Kinds(a, b) => format!("{}, {}", KINDS[a], KINDS[b]),
            Self::Family(family) => family.name().to_owned(),
        }
    }

    /// A hundred pairs: two shapes at many poses, or as many cases of a family.
    fn ask(self, rng: &mut Rng, tally: &mut Tally) -> Result<(), Failure> {
        match self {
            Self::Kinds(a, b) => of_kinds(rng, [a, b], tally),
            Self::Family(family) => {
                for _ in 0..POSES {
                    let case = family.generate(rng);
                    let hulls = [&case.a, &case.b].map(|points| Polytope::from_points(points));
                    let [Ok(a), Ok(b)] = hulls else { continue };
                    let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(turn, at)| Pose::new(at, turn));
                    tally.ask([&a.into(), &b.into()], &pose_a?, &[pose_b?]);
                }
                Ok(())
            }
        }
    }
}

fn of_kinds(rng: &mut Rng, kinds: [usize; 2], tally: &mut Tally) -> Result<(), Failure> {
    let scale = rng.pick(&[1.0, 1.0, 1.0, 1e-6, 1e5, 30.0]);
    let other = scale * rng.log_uniform(0.3, 2.0);
    let (a, b) = (shape(rng, kinds[0], scale)?, shape(rng, kinds[1], other)?);
    let from = if rng.chance(0.15) { rng.in_ball(100.0 * scale) } else { DVec3::ZERO };
    let is_aligned = rng.chance(0.1);
    let turn = |rng: &mut Rng| if is_aligned { DQuat::IDENTITY } else { rng.rotation() };
    let pose_a = Pose::new(from, turn(rng))?;
    let reach = a.bounding_radius() + b.bounding_radius();
    let mut poses = Vec::with_capacity(POSES);
    for nth in 0..POSES {
        let at = match nth % 10 {
            0 => DVec3::ZERO,
            1 => rng.in_ball(0.1 * reach),
            _ => rng.in_ball(1.2 * reach),
        };
        let mut pose = Pose::new(from + at, turn(rng))?;
        if nth % 4 == 3 {
            // Moved along the normal until little is left between them, on either side.
            let near = closest(&a, &pose_a, &b, &pose, &mut Cache::default());
            let wanted = rng.sign() * rng.log_uniform(1e-16, 1e-6) * reach;
            pose = pose.with_translation(pose.translation() + near.normal * (wanted - near.distance))?;
        }
        poses.push(pose);
    }
    tally.ask([&a, &b], &pose_a, &poses);
    Ok(())
}

fn shape(rng: &mut Rng, kind: usize, scale: f64) -> Result<Shape, Failure> {
    let mut size = || rng.log_uniform(0.2, 1.5) * scale;
    let [x, y, z] = [size(), size(), size()];
    Ok(match kind {
        0 => Shape::cuboid([x, y, z])?,
        1 => Shape::ellipsoid([x, y, z])?,
        2 => Shape::cone(x, y)?,
        3 => Shape::cylinder(x, y)?,
        4 => Shape::round_box([x, y, z], 0.3 * x)?,
        5 => Shape::cone(x, y)?.rounded(0.2 * z)?,
        _ => {
            let count = 6 + rng.index(50);
            let points: Vec<DVec3> = Cloud::Ball.generate(rng, count).into_iter().map(|p| p * scale).collect();
            Polytope::from_points(&points)?.into()
        }
    })
}
