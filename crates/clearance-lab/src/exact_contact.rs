//! Exact mode on degenerate configurations: touching faces, edges and vertices, coincident solids, nested ones, all with small integers.
//!
//! Convex bodies are judged by the explicit Minkowski difference in exact arithmetic, unions of cells of a grid by counting. Both orders of
//! the bodies are asked, and of one pair in eight the integers without the filter. Beside it the cost: [`clearance::exact::contact`] against
//! [`clearance::closest`] where the filter decides.

use std::hint::black_box;

use clearance::exact::{contact, distance, in_integers};
use clearance::{BodyRef, Cache, Contact, Mesh, Polytope, Pose, Shape, closest};
use clearance_testkit::{Cells, MinkowskiDifference, PosedSolid, Rng, Separation, Solid};
use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::precision::{Double, Precision};
use crate::timing::interleaved;
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "exact-contact",
    title: "exact mode on degenerate integer configurations against exact oracles, and its cost",
    reproduces: "trust",
    run,
};

/// How much is judged.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Configurations of each family.
    pub pairs: usize,
}

const FULL: Sizes = Sizes { pairs: 250_000 };
const QUICK: Sizes = Sizes { pairs: 2_000 };

/// Configurations judged by one thread at a time, with a seed of their own.
const CHUNK: usize = 250;
/// One of so many pairs is asked without the filter as well: that takes most of the time, and the filter leaves to it what it cannot tell.
const UNFILTERED: usize = 8;
/// Pairs that are timed.
const TIMED: usize = 512;

/// Families of configurations.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// Boxes, octahedra, tetrahedra and other hulls at integer places.
    Convex,
    /// The same at simple turns, quarter turns as rounded among them, a quarter of them moved by a last place.
    Turned,
    /// Solid meshes of cells of a grid, at one pose.
    Meshes,
    /// Solids in holes that they fit exactly, equal solids, and nested ones.
    Fits,
}

const FAMILIES: [(Family, &str); 4] = [
    (Family::Convex, "convex"),
    (Family::Turned, "turned"),
    (Family::Meshes, "meshes"),
    (Family::Fits, "fits and nests"),
];

/// What became of some configurations.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: usize,
    /// Apart, touching and overlapping.
    kinds: [usize; 3],
    /// Answers of exact mode that differ from the oracle's.
    wrong: usize,
    /// Exact distances that differ.
    distances: usize,
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            kinds: std::array::from_fn(|i| self.kinds[i] + other.kinds[i]),
            wrong: self.wrong + other.wrong,
            distances: self.distances + other.distances,
        }
    }

    /// Asks in both orders, and of some without the filter.
    fn ask(&mut self, bodies: [BodyRef<'_>; 2], poses: [&Pose; 2], truth: Separation) {
        let ([a, b], [at_a, at_b]) = (bodies, poses);
        let (expected, kind) = match truth {
            Separation::Apart => (Contact::Apart, 0),
            Separation::Touching => (Contact::Touching, 1),
            Separation::Overlapping => (Contact::Overlapping, 2),
        };
        let first = contact(&a, at_a, &b, at_b, &mut Cache::default());
        let swapped = contact(&b, at_b, &a, at_a, &mut Cache::default());
        let unfiltered = self.pairs.is_multiple_of(UNFILTERED).then(|| in_integers(&a, at_a, &b, at_b));
        let mut answers = [first, swapped].into_iter().chain(unfiltered);
        self.pairs += 1;
        self.kinds[kind] += 1;
        self.wrong += usize::from(answers.any(|answer| answer != Ok(expected)));
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
    let chunks = sizes.pairs.div_ceil(CHUNK);
    progress.start((FAMILIES.len() * chunks) as u64, "chunks of pairs");
    let mut report = Report::new(EXPERIMENT.name, &["family", "pairs", "apart", "touching", "overlapping", "wrong"]);
    let mut all = Tally::default();
    for (number, (family, name)) in FAMILIES.into_iter().enumerate() {
        let parts = (0..chunks).into_par_iter().map(|chunk| -> Result<Tally, Failure> {
            let pairs = CHUNK.min(sizes.pairs - chunk * CHUNK);
            let seed = settings.seed.wrapping_mul(1 << 40).wrapping_add(((number << 32) + chunk) as u64);
            let (mut tally, mut rng) = (Tally::default(), Rng::new(seed));
            while tally.pairs < pairs {
                match family {
                    Family::Convex => convex(&mut rng, false, &mut tally)?,
                    Family::Turned => convex(&mut rng, true, &mut tally)?,
                    Family::Meshes => meshes(&mut rng, &mut tally)?,
                    Family::Fits => fits(&mut rng, &mut tally)?,
                }
            }
            progress.advance(1);
            Ok(tally)
        });
        let sum = parts.collect::<Result<Vec<Tally>, Failure>>()?.into_iter().fold(Tally::default(), Tally::plus);
        let [apart, touching, overlapping] = sum.kinds;
        report.row([
            name.into(),
            sum.pairs.into(),
            apart.into(),
            touching.into(),
            overlapping.into(),
            sum.wrong.into(),
        ]);
        all = all.plus(sum);
    }
    let text = format!("{} of {} differ", all.wrong, all.pairs);
    report.claim("exact::contact agrees with the oracle", "goal: 0 of 1,000,000", text, all.wrong == 0);
    let text = format!("{} differ", all.distances);
    report.claim("exact distances agree with the oracle", "goal: 0", text, all.distances == 0);
    let ratio = cost(settings)?;
    report.claim("where the filter decides it costs what closest does", "goal: 1.2", ratio, ratio <= 1.2);
    Ok(report)
}

fn integers(rng: &mut Rng, reach: i64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.integer(-reach, reach) as f64))
}

/// Boxes, octahedra, tetrahedra and other hulls of a few small integers.
fn small(rng: &mut Rng) -> (Shape, Solid) {
    loop {
        let points: Vec<DVec3> = match rng.index(10) {
            0..3 => {
                let half = DVec3::from_array([0; 3].map(|_| rng.integer(1, 3) as f64));
                (0..8)
                    .map(|i| half * DVec3::from_array([0, 1, 2].map(|axis| f64::from((i >> axis & 1) * 2 - 1))))
                    .collect()
            }
            3..6 => {
                let (middle, reach) = (integers(rng, 1), rng.integer(1, 2) as f64);
                [DVec3::X, DVec3::Y, DVec3::Z]
                    .iter()
                    .flat_map(|&axis| [middle + axis * reach, middle - axis * reach])
                    .collect()
            }
            _ => (0..rng.integer(4, 7)).map(|_| integers(rng, 2)).collect(),
        };
        let Ok(polytope) = Polytope::from_points(&points) else { continue };
        let face = |face| polytope.face_vertices(face).map(|vertex| vertex as usize).collect();
        let faces = (0..polytope.face_count() as u32).map(face).collect();
        let solid = Solid { vertices: polytope.vertices().to_vec(), faces };
        return (polytope.into(), solid);
    }
}

/// Half turns, thirds of a turn, quarter turns as rounded, turns by 3, 4 and 5, and none.
fn simple_turn(rng: &mut Rng) -> DQuat {
    let root = 0.5f64.sqrt();
    DQuat::from_array(rng.pick(&[
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.5, 0.5, 0.5, 0.5],
        [0.5, -0.5, 0.5, 0.5],
        [0.0, 0.0, root, root],
        [root, 0.0, 0.0, root],
        [0.6, 0.0, 0.0, 0.8],
        [0.0, 0.8, 0.0, 0.6],
    ]))
}

fn convex(rng: &mut Rng, turned: bool, tally: &mut Tally) -> Result<(), Failure> {
    let [(a, solid_a), (b, solid_b)] = [small(rng), small(rng)];
    let mut pose = |reach: i64| -> Result<Pose, Failure> {
        let mut at = integers(rng, reach).to_array();
        let turn = if turned { simple_turn(rng) } else { DQuat::IDENTITY };
        if turned && rng.chance(0.25) {
            at = at.map(|x| if rng.chance(0.5) { x.next_up() } else { x.next_down() });
        }
        Ok(Pose::new(at, turn)?)
    };
    let (pose_a, pose_b) = (pose(1)?, pose(3)?);
    let placed = |solid: &Solid, pose: &Pose| {
        let (matrix, translation) = Double::stored(pose);
        PosedSolid::new(solid, matrix, translation)
    };
    let truth = MinkowskiDifference::new(&placed(&solid_a, &pose_a), &placed(&solid_b, &pose_b)).signed_distance();
    tally.ask([(&a).into(), (&b).into()], [&pose_a, &pose_b], truth.kind);
    let found = distance(&a, &pose_a, &b, &pose_b, &mut Cache::default());
    let right = found.is_ok_and(|found| {
        let [below, above] = found.bounds();
        let apart = truth.kind == Separation::Apart;
        found.is_zero() != apart && (!apart || truth.compare(below).is_ge() && truth.compare(above).is_le())
    });
    tally.distances += usize::from(!right);
    Ok(())
}

/// Both at one pose: what it does to them, as stored, it does to both.
fn any_pose(rng: &mut Rng) -> Result<Pose, Failure> {
    let turn = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
    Ok(Pose::new(integers(rng, 5), turn)?)
}

fn mesh(cells: &Cells) -> Option<Mesh> {
    let (points, faces) = cells.surface();
    Mesh::new(&points, &faces).ok().filter(Mesh::is_solid)
}

fn meshes(rng: &mut Rng, tally: &mut Tally) -> Result<(), Failure> {
    let (one, two) = (Cells::random(rng, 2), Cells::random(rng, 4));
    let (Some(a), Some(b)) = (mesh(&one), mesh(&two)) else { return Ok(()) };
    let pose = any_pose(rng)?;
    let (kind, square) = one.separation(&two);
    tally.ask([(&a).into(), (&b).into()], [&pose, &pose], kind);
    if pose.matrix() == Pose::IDENTITY.matrix() {
        let found = distance(&a, &pose, &b, &pose, &mut Cache::default());
        let right = found.is_ok_and(|found| found.square_bounds() == [square as f64 / 4.0; 2]);
        tally.distances += usize::from(!right);
    }
    Ok(())
}

/// A block of cells with a few taken out, and what is put there: what was taken out, a part of it, itself, or something larger.
fn fits(rng: &mut Rng, tally: &mut Tally) -> Result<(), Failure> {
    let full: Vec<[i64; 3]> = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]).collect();
    let mut hole = vec![[1; 3]];
    for _ in 0..rng.index(3) {
        let mut next = rng.pick(&hole);
        next[rng.index(3)] += rng.sign() as i64;
        if !hole.contains(&next) && full.contains(&next) {
            hole.push(next);
        }
    }
    let block = Cells { cells: full.iter().copied().filter(|cell| !hole.contains(cell)).collect(), offset: [0; 3] };
    let cells = match rng.index(4) {
        0 => hole,
        1 => vec![rng.pick(&hole)],
        2 => block.cells.clone(),
        _ => vec![rng.pick(&full)],
    };
    let offset = if rng.chance(0.7) { [0; 3] } else { [0; 3].map(|_| rng.integer(-1, 1)) };
    let peg = Cells { cells, offset };
    let (Some(a), Some(b)) = (mesh(&block), mesh(&peg)) else { return Ok(()) };
    let pose = any_pose(rng)?;
    tally.ask([(&a).into(), (&b).into()], [&pose, &pose], block.separation(&peg).0);
    Ok(())
}

/// The time of `exact::contact` over that of `closest`, for pairs in general position.
fn cost(settings: &Settings) -> Result<f64, Failure> {
    let mut rng = Rng::new(settings.seed);
    let mut pairs = Vec::new();
    while pairs.len() < TIMED {
        let cloud = |rng: &mut Rng| (0..20).map(|_| rng.in_ball(1.0)).collect::<Vec<DVec3>>();
        let [Ok(a), Ok(b)] = [0; 2].map(|_| Polytope::from_points(&cloud(&mut rng))) else { continue };
        let pose = Pose::new(rng.in_ball(3.0), rng.rotation())?;
        pairs.push((Shape::from(a), Shape::from(b), pose));
    }
    let times = interleaved(
        &mut [
            ("exact", &mut || {
                for (a, b, pose) in black_box(&pairs) {
                    let _ = black_box(contact(a, &Pose::IDENTITY, b, pose, &mut Cache::default()));
                }
            }),
            ("closest", &mut || {
                for (a, b, pose) in black_box(&pairs) {
                    black_box(closest(a, &Pose::IDENTITY, b, pose, &mut Cache::default()));
                }
            }),
        ],
        TIMED,
        settings,
    );
    Ok(times[0].best / times[1].best)
}
