//! Meshes of a hundred thousand triangles at rest, against parry's: nearest points and the boolean.
//!
//! Knots, rings and bumpy balls are brought to a gap of a hundredth of their size, in random orientations, by moving one
//! towards the other by what is left of their distance. For the boolean of bodies that overlap they are moved on by twice that.
//! The rival's mesh is a surface; all bodies here are outside each other or cross, so that both answer the same question.

use std::hint::black_box;
use std::time::Instant;

use clearance::Body;
use clearance::concave::{BodyCache, closest, overlap};
use clearance::math::{widen, widen_real};
use clearance::{Mesh, Pose, Quat, Vec3};
use clearance_testkit::{Polyhedron, Rng};
use parry3d_f64::math::{Pose as RivalPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::TriMesh;

use crate::{Experiment, Failure, Progress, Report, Settings, interleaved};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "mesh-queries",
    title: "meshes of 100,000 triangles at a gap of 1 % against parry: closest and overlap",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Triangles of each mesh, about.
    pub triangles: u32,
    /// Configurations of each pair of meshes.
    pub configurations: usize,
}

const FULL: Sizes = Sizes { triangles: 100_000, configurations: 6 };
const QUICK: Sizes = Sizes { triangles: 5_000, configurations: 3 };

/// The gap, relative to the size of a body.
const GAP: f64 = 0.01;
/// The ratio to reach.
const GOAL: f64 = 2.0;
/// Milliseconds that the nearest points and the boolean may take.
const LIMITS: [f64; 2] = [5.0, 1.0];
/// Distances of both sides may differ by this, relative.
const AGREEMENT: f64 = 1e-6;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// A mesh on both sides.
struct Both {
    name: &'static str,
    body: Body,
    rival: TriMesh,
}

/// Two meshes at a gap, and where they overlap.
struct Configuration {
    poses: [Pose; 2],
    deeper: Pose,
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    let meshes = meshes(&mut rng, sizes.triangles)?;
    progress.start(meshes.len() as u64, "pairs of meshes");
    let columns =
        ["pair", "query", "triangles", "ours_ms", "parry_ms", "ratio", "ours_worst_ms", "triangle_pairs", "disagree"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    let mut rows = Vec::new();
    for (i, a) in meshes.iter().enumerate() {
        let b = &meshes[(i + 1) % meshes.len()];
        let configurations = (0..sizes.configurations).map(|_| Configuration::new(&mut rng, a, b));
        let configurations = configurations.collect::<Result<Vec<_>, Failure>>()?;
        rows.extend(measure(settings, a, b, &configurations)?);
        progress.advance(1);
    }
    for row in &rows {
        let times = [row.ours.into(), row.rival.into(), (row.rival / row.ours).into(), row.worst.into()];
        let labels = [row.pair.as_str().into(), row.query.into(), sizes.triangles.into()];
        report.row(labels.into_iter().chain(times).chain([row.tested.into(), row.disagree.into()]));
    }
    claims(&mut report, &rows, sizes);
    Ok(report)
}

fn meshes(rng: &mut Rng, triangles: u32) -> Result<Vec<Both>, Failure> {
    let side = f64::from(triangles / 2).sqrt();
    let (long, short) = ((side * 2.0) as u32, (side / 2.0).max(3.0) as u32);
    let levels = (f64::from(triangles) / 8.0).log(4.0).round() as u32;
    let waves = [0; 6].map(|_| (rng.unit_vector() * rng.uniform(3.0, 9.0), rng.uniform(0.0, 6.0)));
    let bumps = |v: glam::DVec3| 1.0 + waves.iter().map(|(k, phase)| 0.03 * (k.dot(v) + phase).sin()).sum::<f64>();
    [
        ("knot", Polyhedron::trefoil(0.4, long, short)),
        ("ring", Polyhedron::torus(2.0, 0.8, long, short)),
        ("ball", Polyhedron::star(levels, bumps)),
    ]
    .into_iter()
    .map(|(name, polyhedron)| Both::new(name, &polyhedron))
    .collect()
}

impl Both {
    fn new(name: &'static str, polyhedron: &Polyhedron) -> Result<Self, Failure> {
        let body = Mesh::new(&polyhedron.vertices, &polyhedron.faces)?.into();
        let vertices = polyhedron.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let faces = polyhedron.faces.iter().map(|face| [face[0], face[1], face[2]]).collect();
        Ok(Self { name, body, rival: TriMesh::new(vertices, faces)? })
    }
}

impl Configuration {
    fn new(rng: &mut Rng, a: &Both, b: &Both) -> Result<Self, Failure> {
        let turned = |rng: &mut Rng, at: Vec3| {
            let [x, y, z, w] = rng.rotation().to_array();
            Pose::new(at, Quat::from_xyzw(x, y, z, w).normalize().to_array())
        };
        let size = a.body.bounding_radius() + b.body.bounding_radius();
        let direction = rng.unit_vector();
        let pose_a = turned(rng, Vec3::ZERO)?;
        let mut pose_b = turned(rng, direction * size * 1.5)?;
        let gap = GAP * size;
        for _ in 0..200 {
            let near = closest(&a.body, &pose_a, &b.body, &pose_b, &mut BodyCache::default());
            if near.distance < gap * 1.001 {
                break;
            }
            // Not by the whole of it: the last steps would be as long as rounding.
            let step = direction * (near.distance - gap).max(gap * 1e-3);
            pose_b = Pose::new(pose_b.translation() - step, pose_b.rotation().to_array())?;
            // A ball may pass through a ring: then it is turned back half-way, in the ring.
            if pose_b.translation().dot(direction) < 0.0 {
                pose_b = Pose::new(Vec3::ZERO, pose_b.rotation().to_array())?;
                break;
            }
        }
        let near = closest(&a.body, &pose_a, &b.body, &pose_b, &mut BodyCache::default());
        let deeper = Pose::new(pose_b.translation() - near.normal * (2.0 * gap), pose_b.rotation().to_array())?;
        Ok(Self { poses: [pose_a, pose_b], deeper })
    }
}

fn rival_pose(pose: &Pose) -> RivalPose {
    let (t, q) = (widen(pose.translation()), pose.rotation());
    RivalPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

struct Row {
    pair: String,
    query: &'static str,
    /// Milliseconds per call, the mean over all configurations.
    ours: f64,
    rival: f64,
    /// Of the slowest configuration.
    worst: f64,
    /// Pairs of triangles looked at, the mean.
    tested: f64,
    disagree: usize,
}

/// A query that takes the rival longer than this (nanoseconds) is put to it once: noise only adds to a time, and there is
/// little doubt about such a ratio.
const PATIENCE: f64 = 1e8;

/// Times one query on each configuration by itself, so that the slowest is known too.
fn timed(settings: &Settings, count: usize, ours: impl Fn(usize), rival: impl Fn(usize)) -> (f64, f64, f64) {
    let settings = Settings { quick: true, ..settings.clone() };
    let (mut sums, mut worst) = ([0.0; 2], 0.0);
    for i in 0..count {
        let start = Instant::now();
        rival(i);
        let mut other = start.elapsed().as_nanos() as f64;
        let mut times = interleaved(&mut [("ours", &mut || ours(i))], 1, &settings);
        if other < PATIENCE {
            times = interleaved(&mut [("ours", &mut || ours(i)), ("parry", &mut || rival(i))], 1, &settings);
            other = times[1].best;
        }
        let own = times[0].best;
        sums = [sums[0] + own * 1e-6, sums[1] + other * 1e-6];
        worst = f64::max(worst, own * 1e-6);
    }
    let n = count.max(1) as f64;
    (sums[0] / n, sums[1] / n, worst)
}

/// Keeps the compiler from leaving a query out.
fn keep<T>(answer: T) {
    black_box(&answer);
}

fn measure(settings: &Settings, a: &Both, b: &Both, all: &[Configuration]) -> Result<Vec<Row>, Failure> {
    let near = |i: usize| closest(&a.body, &all[i].poses[0], &b.body, &all[i].poses[1], &mut BodyCache::default());
    let rival_poses: Vec<[RivalPose; 3]> =
        all.iter().map(|c| [c.poses[0], c.poses[1], c.deeper].map(|pose| rival_pose(&pose))).collect();
    let rival_near = |i: usize| query::distance(&rival_poses[i][0], &a.rival, &rival_poses[i][1], &b.rival);
    let meets = |i: usize, pose: &Pose| overlap(&a.body, &all[i].poses[0], &b.body, pose, &mut BodyCache::default());
    let rival_meets = |i: usize, which: usize| {
        query::intersection_test(&rival_poses[i][0], &a.rival, &rival_poses[i][which], &b.rival)
    };
    let pair = format!("{} and {}", a.name, b.name);
    let (mut disagree, mut tested) = ([0; 3], [0.0; 3]);
    for (i, configuration) in all.iter().enumerate() {
        let answers = [meets(i, &configuration.poses[1]), meets(i, &configuration.deeper)];
        let counts = [near(i).iterations, answers[0].iterations, answers[1].iterations];
        tested.iter_mut().zip(counts).for_each(|(sum, count)| *sum += f64::from(count) / all.len() as f64);
        let (own, other) = (widen_real(near(i).distance), rival_near(i)?.distance);
        disagree[0] += usize::from(!((own - other).abs() <= AGREEMENT * own.abs()));
        disagree[1] += usize::from(answers[0].overlap() != rival_meets(i, 1)?.intersecting);
        disagree[2] += usize::from(answers[1].overlap() != rival_meets(i, 2)?.intersecting);
    }
    let distance = timed(settings, all.len(), |i| keep(near(i)), |i| keep(rival_near(i)));
    let apart = timed(settings, all.len(), |i| keep(meets(i, &all[i].poses[1])), |i| keep(rival_meets(i, 1)));
    let deep = timed(settings, all.len(), |i| keep(meets(i, &all[i].deeper)), |i| keep(rival_meets(i, 2)));
    let rows = [("closest", distance), ("overlap, apart", apart), ("overlap, overlapping", deep)];
    let row = |((query, (ours, rival, worst)), (disagree, tested))| Row {
        pair: pair.clone(),
        query,
        ours,
        rival,
        worst,
        tested,
        disagree,
    };
    Ok(rows.into_iter().zip(disagree.into_iter().zip(tested)).map(row).collect())
}

fn claims(report: &mut Report, rows: &[Row], sizes: &Sizes) {
    for (query, limit) in [("closest", LIMITS[0]), ("overlap, apart", LIMITS[1]), ("overlap, overlapping", LIMITS[1])] {
        let of_query = || rows.iter().filter(|row| row.query == query);
        let worst = of_query().map(|row| row.worst).fold(0.0, f64::max);
        let ratio = of_query().map(|row| row.rival / row.ours).fold(f64::INFINITY, f64::min);
        let claim = format!("{query}: at most {limit} ms for {} triangles each", sizes.triangles);
        report.claim(claim, "goal", format!("{worst:.3} ms at worst"), worst <= limit);
        let claim = format!("{query}: at least {GOAL} times faster than parry");
        report.claim(claim, "goal", format!("{ratio:.1} at worst"), ratio >= GOAL);
    }
    let disagree: usize = rows.iter().map(|row| row.disagree).sum();
    report.claim("both sides agree", "distances to 1e-6, booleans", format!("{disagree} differ"), disagree == 0);
}
