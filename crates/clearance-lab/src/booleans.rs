//! Do the two bodies meet? Every boolean algorithm against the exact truth, on ordinary pairs and on the awkward ones.
//!
//! Pairs of polytopes of all families of the testkit: random, touching, parallel, sharing vertices, needles and plates, one
//! inside the other, far from the origin, of all sizes. The truth is the explicit Minkowski difference of the bodies as stored, decided
//! exactly for every pair. An answer that is not strictly right is counted; it is an error if the pair is farther from
//! touching than rounding: four errors of a support, as in the library's own tests.
//!
//! The separating vector algorithm is also asked without its way out, and what it gives as proof is checked in exact
//! arithmetic: that its direction separates the bodies, or that its four points have the origin inside. The other rules and
//! tests of existence are asked about a part of the pairs.

use clearance::math::Relative;
use clearance::narrow::PairCache;
use clearance::narrow::closest_features::{FeatureCache, closest_features};
use clearance::narrow::gjk::Start;
use clearance::narrow::minkowski::Minkowski;
use clearance::narrow::sa_gjk::Answer;
use clearance::narrow::separating_vector::{Existence, Options, Rule, decide, overlap_by};
use clearance::narrow::{linear_program, mpr};
use clearance::{Cache, Polytope, Pose, Shape, VertexId, distance, overlap, tolerance};
use clearance_testkit::exact::posed;
use clearance_testkit::{
    Exact3, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Separation, SignedDistance, Solid,
};
use glam::DVec3;
use rayon::prelude::*;

use crate::precision::{Double, Precision};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "booleans",
    title: "six boolean algorithms against the exact truth on pairs of all families, with proofs checked",
    reproduces: "agreement",
    run,
};

/// How much is judged.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Pairs of each family.
    pub pairs: usize,
}

const FULL: Sizes = Sizes { pairs: 125_000 };
const QUICK: Sizes = Sizes { pairs: 2_000 };

/// Pairs judged by one thread at a time, with a seed of their own.
const CHUNK: usize = 250;
/// Errors of a support within which a pair is as good as touching.
const ROUNDING: f64 = 4.0;
/// Every so many pairs all rules and tests of existence are asked.
const PART: usize = 8;

/// The algorithms; the last are the separating vector algorithm with other rules and tests.
const ALGORITHMS: [&str; 11] = [
    "overlap",
    "GJK distance",
    "MPR",
    "separating vectors",
    "closest features",
    "linear program",
    "vectors: greedy, half planes",
    "vectors: conservative, hemisphere",
    "vectors: conservative, half planes",
    "vectors: blended, hemisphere",
    "vectors: blended, half planes",
];
/// How many of them are asked about every pair.
const ALWAYS: usize = 6;

/// The other ways to search, in the order of the names.
const OTHERS: [Options; 5] = [
    Options { rule: Rule::Greedy, existence: Existence::HalfPlanes },
    Options { rule: Rule::Conservative, existence: Existence::Hemisphere },
    Options { rule: Rule::Conservative, existence: Existence::HalfPlanes },
    Options { rule: Rule::Blended(0.5), existence: Existence::Hemisphere },
    Options { rule: Rule::Blended(0.5), existence: Existence::HalfPlanes },
];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a pose is refused.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let chunks = sizes.pairs.div_ceil(CHUNK);
    progress.start((PairFamily::ALL.len() * chunks) as u64, "chunks of pairs");
    let mut tallies = Vec::new();
    for (number, family) in PairFamily::ALL.into_iter().enumerate() {
        let parts = (0..chunks).into_par_iter().map(|chunk| -> Result<Tally, Failure> {
            let pairs = CHUNK.min(sizes.pairs - chunk * CHUNK);
            let seed = settings.seed.wrapping_mul(1 << 40).wrapping_add(((number << 32) + chunk) as u64);
            let tally = judge(family, &mut Rng::new(seed), pairs);
            progress.advance(1);
            tally
        });
        let parts = parts.collect::<Result<Vec<Tally>, Failure>>()?;
        tallies.push((family, parts.into_iter().fold(Tally::default(), Tally::plus)));
    }
    Ok(report(&tallies))
}

/// What became of the answers about some pairs.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: usize,
    apart: usize,
    /// Exactly touching.
    touching: usize,
    /// Pairs within rounding of touching.
    close: usize,
    /// By algorithm: asked, not strictly right, and wrong beyond rounding.
    asked: [usize; ALGORITHMS.len()],
    strictly: [usize; ALGORITHMS.len()],
    wrong: [usize; ALGORITHMS.len()],
    /// Pairs about which the algorithms did not all say the same: all, and those farther from touching than rounding.
    split: [usize; 2],
    /// Proofs by a plane, by a tetrahedron, by a point within the error, none given, and refuted.
    proofs: [usize; 5],
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        let sum = |a: &[usize], i: usize, b: &[usize]| a[i] + b[i];
        Self {
            pairs: self.pairs + other.pairs,
            apart: self.apart + other.apart,
            touching: self.touching + other.touching,
            close: self.close + other.close,
            asked: std::array::from_fn(|i| sum(&self.asked, i, &other.asked)),
            strictly: std::array::from_fn(|i| sum(&self.strictly, i, &other.strictly)),
            wrong: std::array::from_fn(|i| sum(&self.wrong, i, &other.wrong)),
            split: std::array::from_fn(|i| sum(&self.split, i, &other.split)),
            proofs: std::array::from_fn(|i| sum(&self.proofs, i, &other.proofs)),
        }
    }
}

/// Two polytopes at their places, with the truth about them.
struct Scene {
    polytopes: [Polytope; 2],
    shapes: [Shape; 2],
    poses: [Pose; 2],
    difference: MinkowskiDifference,
    truth: SignedDistance,
    size: f64,
}

impl Scene {
    /// Nothing if a cloud is flat.
    fn new(case: &PairCase) -> Result<Option<Self>, Failure> {
        let [Ok(a), Ok(b)] = [&case.a, &case.b].map(|points| Polytope::from_points(points)) else { return Ok(None) };
        let pose = |(rotation, translation): (glam::DQuat, DVec3)| Pose::new(translation, rotation.normalize());
        let (polytopes, poses) = ([a, b], [pose(case.pose_a)?, pose(case.pose_b)?]);
        let solid = |i: usize| {
            let (matrix, translation) = Double::stored(&poses[i]);
            PosedSolid::new(&solid_of(&polytopes[i]), matrix, translation)
        };
        let difference = MinkowskiDifference::new(&solid(0), &solid(1));
        let truth = difference.signed_distance();
        let shapes = polytopes.clone().map(Shape::from);
        let size = Double::size([&shapes[0], &shapes[1]], &poses);
        Ok(Some(Self { polytopes, shapes, poses, difference, truth, size }))
    }

    /// What the algorithms say, those that are asked.
    fn answers(&self, all: bool) -> [Option<bool>; ALGORITHMS.len()] {
        let ([a, b], [at_a, at_b]) = (&self.shapes, &self.poses);
        let [of_a, of_b] = &self.polytopes;
        let cold = Cache::default;
        let vectors = |options: &Options| overlap_by(options, a, at_a, b, at_b, &mut PairCache::default()).0.overlap;
        let features = closest_features(of_a, at_a, of_b, at_b, &mut FeatureCache::default());
        let mut answers = [None; ALGORITHMS.len()];
        answers[0] = Some(overlap(a, at_a, b, at_b, &mut cold()).overlap);
        answers[1] = Some(distance(a, at_a, b, at_b, &mut cold()).is_none_or(|near| near.lower <= 0.0));
        answers[2] = Some(mpr::overlap(a, at_a, b, at_b).overlap);
        answers[3] = Some(vectors(&Options::default()));
        answers[4] = Some(features.closest.lower <= 0.0);
        answers[5] = linear_program::overlap(a, at_a, b, at_b).map(|program| program.overlap.overlap);
        if all {
            for (answer, options) in answers[ALWAYS..].iter_mut().zip(&OTHERS) {
                *answer = Some(vectors(options));
            }
        }
        answers
    }

    /// What the separating vector algorithm proves by itself, as a place in [`Tally::proofs`].
    fn proof(&self) -> usize {
        let [a, b] = &self.polytopes;
        let radii = [a.bounding_radius(), b.bounding_radius()];
        let relative = Relative::new(radii, &self.poses[0], &self.poses[1]);
        let start = Start { direction: relative.translation, hints: [VertexId::NONE; 2] };
        let error = tolerance::sigma(self.size);
        let verdict = decide(&Minkowski::new(a, b, &relative), &start, &Options::default(), error, self.size);
        match verdict.answer {
            Answer::Unclear(_) => 3,
            Answer::Apart(plane) => {
                let holds = self.difference.gap(self.poses[0].direction(plane.direction)) > 0.0;
                if holds { 0 } else { 4 }
            }
            Answer::Meeting(simplex) => match simplex.vertices() {
                [w] if w.m.length() <= error => 2,
                [p, q, r, s] if has_origin(&[p, q, r, s].map(|corner| self.corner(corner.ids))) => 1,
                _ => 4,
            },
        }
    }

    /// A point of the difference, exactly.
    fn corner(&self, ids: [VertexId; 2]) -> Exact3 {
        let [on_a, on_b] = [0, 1].map(|i| {
            let (matrix, translation) = Double::stored(&self.poses[i]);
            posed(self.polytopes[i].vertices()[ids[i].index()], matrix, translation)
        });
        &on_b - &on_a
    }
}

/// Whether a tetrahedron has the origin inside, exactly.
fn has_origin([a, b, c, d]: &[Exact3; 4]) -> bool {
    let volume = |p: &Exact3, q: &Exact3, r: &Exact3| p.dot(&q.cross(r)).sign();
    let signs = [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)];
    signs == [1; 4] || signs == [-1; 4]
}

fn solid_of(polytope: &Polytope) -> Solid {
    let face = |face| polytope.face_vertices(face).map(|vertex| vertex as usize).collect();
    Solid { vertices: polytope.vertices().to_vec(), faces: (0..polytope.face_count() as u32).map(face).collect() }
}

/// Judges so many solid pairs of a family.
fn judge(family: PairFamily, rng: &mut Rng, pairs: usize) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    while tally.pairs < pairs {
        let Some(scene) = Scene::new(&family.generate(rng))? else { continue };
        let meet = scene.truth.kind != Separation::Apart;
        let clear = scene.truth.distance.abs() > ROUNDING * tolerance::sigma(scene.size);
        let answers = scene.answers(tally.pairs % PART == 0);
        tally.pairs += 1;
        tally.apart += usize::from(!meet);
        tally.touching += usize::from(scene.truth.kind == Separation::Touching);
        tally.close += usize::from(!clear);
        for (i, answer) in answers.iter().enumerate() {
            let Some(answer) = answer else { continue };
            tally.asked[i] += 1;
            tally.strictly[i] += usize::from(*answer != meet);
            tally.wrong[i] += usize::from(*answer != meet && clear);
        }
        let said = || answers.iter().flatten();
        let split = said().any(|answer| *answer) && said().any(|answer| !*answer);
        tally.split[0] += usize::from(split);
        tally.split[1] += usize::from(split && clear);
        tally.proofs[scene.proof()] += 1;
    }
    Ok(tally)
}

fn report(tallies: &[(PairFamily, Tally)]) -> Report {
    let columns =
        ["family", "algorithm", "pairs", "apart", "touching", "within_rounding", "not_strictly_right", "wrong"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for (family, tally) in tallies {
        for (i, algorithm) in ALGORITHMS.into_iter().enumerate() {
            let labels = [family.name().into(), algorithm.into()];
            let counts = [tally.asked[i], tally.apart, tally.touching, tally.close, tally.strictly[i], tally.wrong[i]];
            report.row(labels.into_iter().chain(counts.map(Into::into)));
        }
    }
    let all = tallies.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
    claims(&mut report, &all);
    report
}

fn claims(report: &mut Report, all: &Tally) {
    for (i, algorithm) in ALGORITHMS.into_iter().enumerate() {
        let [asked, strictly, wrong] = [all.asked[i], all.strictly[i], all.wrong[i]];
        let text = format!("{wrong} of {asked} wrong; {strictly} within rounding of touching not strictly right");
        report.claim(format!("{algorithm} agrees with the exact truth"), "goal: always", text, wrong == 0 && asked > 0);
    }
    let [planes, tetrahedra, points, none, refuted] = all.proofs;
    let text = format!(
        "{planes} planes and {tetrahedra} tetrahedra hold exactly, {points} points are the origin to the error, \
         {none} without a proof, {refuted} refuted"
    );
    let claim = "every proof of the separating vector algorithm holds in exact arithmetic";
    report.claim(claim, "goal: always", text, refuted == 0 && planes > 0 && tetrahedra > 0);
    let [split, clear] = all.split;
    let text = format!("{split} of {} split, {clear} of these beyond rounding; {} are within it", all.pairs, all.close);
    report.claim("they are unanimous but for pairs within rounding of touching", "–", text, clear == 0);
}
