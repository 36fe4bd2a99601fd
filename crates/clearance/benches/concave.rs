//! What queries of concave bodies cost: the distances of a Panda's links as meshes, two large meshes, a box on a terrain.
//!
//! `cargo bench -p clearance --bench concave [-- flat|hilly|panda|fields|rings]`. The links' STL files are those of the shared data; if they are not
//! there, the rows of the Panda are left out. Times are minima over repetitions of the mean over all queries, in microseconds.
#![allow(missing_docs)] // the macro-free main of a bench

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use clearance::{
    Body, Cache, Closest, Compound, HalfSpace, HeightField, ManifoldOptions, Mesh, MeshOptions, PointCloud, Polytope,
    Pose, Shape, Vec3, closest, manifold, overlap, within,
};
use clearance_testkit::{Polyhedron, Rng};
use glam::{DMat3, DQuat, DVec3};

type Failure = Box<dyn std::error::Error>;

/// Processor time of this thread so far where the system tells it, in seconds; otherwise the time by the clock.
fn processor_time(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// Microseconds of one query of `work`, which does `count` of them: the least mean of some repetitions.
fn timed(count: usize, mut work: impl FnMut()) -> f64 {
    let origin = Instant::now();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = processor_time(origin);
        let mut rounds = 0;
        while processor_time(origin) - start < 0.02 {
            work();
            rounds += 1;
        }
        best = best.min((processor_time(origin) - start) / f64::from(rounds));
    }
    best * 1e6 / count as f64
}

fn pose(at: DVec3, turn: DQuat) -> Result<Pose, Failure> {
    Ok(Pose::new(at, turn.normalize().to_array())?)
}

/// The triangles of a binary STL file.
fn stl(path: &Path) -> Result<Mesh, Failure> {
    let bytes = std::fs::read(path)?;
    let number = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(f32::from_le_bytes);
    let mut vertices = Vec::new();
    for triangle in (84..bytes.len()).step_by(50) {
        for corner in 0..3 {
            let at = triangle + 12 + corner * 12;
            let [x, y, z] = [number(at), number(at + 4), number(at + 8)].map(|v| v.map(f64::from).unwrap_or_default());
            vertices.push(Vec3::new(x, y, z));
        }
    }
    let faces: Vec<[u32; 3]> = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let options = MeshOptions { weld: true, drop_degenerate: true, drop_unused: true, ..MeshOptions::default() };
    Ok(Mesh::with_options(&vertices, &faces, &options)?)
}

const LINKS: [&str; 11] =
    ["link0", "link1", "link2", "link3", "link4", "link5", "link6", "link7", "hand", "finger", "finger"];
/// Pairs of links that panda.srdf leaves out, by their numbers above.
const DISABLED: [[usize; 2]; 34] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [2, 6],
    [3, 4],
    [3, 5],
    [3, 6],
    [3, 7],
    [4, 5],
    [4, 6],
    [4, 7],
    [5, 6],
    [6, 7],
    [8, 9],
    [8, 10],
    [9, 10],
    [3, 8],
    [4, 8],
    [6, 8],
    [7, 8],
    [3, 9],
    [4, 9],
    [6, 9],
    [7, 9],
    [3, 10],
    [4, 10],
    [6, 10],
    [7, 10],
];

/// The poses of the links at joint angles, as panda.urdf has them.
fn forward(q: &[f64; 7]) -> Vec<(DVec3, DQuat)> {
    let half = std::f64::consts::FRAC_PI_2;
    let joints: [(DVec3, f64); 7] = [
        (DVec3::new(0.0, 0.0, 0.333), 0.0),
        (DVec3::ZERO, -half),
        (DVec3::new(0.0, -0.316, 0.0), half),
        (DVec3::new(0.0825, 0.0, 0.0), half),
        (DVec3::new(-0.0825, 0.384, 0.0), -half),
        (DVec3::ZERO, half),
        (DVec3::new(0.088, 0.0, 0.0), half),
    ];
    let mut all = vec![(DVec3::ZERO, DQuat::IDENTITY)];
    let (mut at, mut turn) = all[0];
    for ((offset, roll), angle) in joints.into_iter().zip(q) {
        at += turn * offset;
        turn *= DQuat::from_rotation_x(roll) * DQuat::from_rotation_z(*angle);
        all.push((at, turn));
    }
    at += turn * DVec3::new(0.0, 0.0, 0.107);
    turn *= DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_4);
    all.push((at, turn));
    let tip = |y: f64| at + turn * DVec3::new(0.0, y, 0.0584);
    all.extend([(tip(0.02), turn), (tip(-0.02), turn * DQuat::from_rotation_z(std::f64::consts::PI))]);
    all
}

/// The most that a face rises above the plane of its neighbour, relative to the size of the mesh.
fn concavity(mesh: &Mesh) -> f64 {
    let inner = mesh.edges().iter().filter(|edge| !edge.is_dangling());
    let over = |[f, g]: [u32; 2]| {
        let plane = mesh.plane(f);
        mesh.face_vertices(g)
            .iter()
            .map(move |&v| plane.normal.dot(mesh.vertices()[v as usize]) - plane.offset)
            .fold(0.0, f64::max)
    };
    inner.map(|edge| over(edge.faces)).fold(0.0, f64::max) / mesh.bounding_radius()
}

/// The robot's links as bodies, and the pairs of them that are asked about.
struct Robot {
    bodies: Vec<Body>,
    pairs: Vec<[usize; 2]>,
}

/// Two links at their places.
type Placed = (usize, usize, Pose, Pose);

/// The limits of the joints, with a little room.
const LIMITS: [(f64, f64); 7] =
    [(-2.9, 2.9), (-1.76, 1.76), (-2.9, 2.9), (-3.0, -0.07), (-2.9, 2.9), (-0.02, 3.7), (-2.9, 2.9)];

impl Robot {
    fn new(directory: &Path) -> Result<Self, Failure> {
        let link = |name: &&str| Ok(stl(&directory.join(format!("{name}.stl")))?.into());
        let bodies: Vec<Body> = LINKS.iter().map(link).collect::<Result<_, Failure>>()?;
        let all = (0..LINKS.len()).flat_map(|i| (i + 1..LINKS.len()).map(move |j| [i, j]));
        Ok(Self { bodies, pairs: all.filter(|pair| !DISABLED.contains(pair)).collect() })
    }

    /// All pairs of links at joint angles.
    fn placed(&self, q: &[f64; 7]) -> Result<Vec<Placed>, Failure> {
        let poses = forward(q).into_iter().map(|(at, turn)| pose(at, turn)).collect::<Result<Vec<_>, Failure>>()?;
        Ok(self.pairs.iter().map(|&[i, j]| (i, j, poses[i], poses[j])).collect())
    }

    fn closest(&self, (i, j, pose_a, pose_b): &Placed, cache: &mut Cache) -> Closest {
        closest(&self.bodies[*i], pose_a, &self.bodies[*j], pose_b, cache)
    }
}

fn panda(directory: &Path) -> Result<(), Failure> {
    let robot = Robot::new(directory)?;
    for (name, body) in LINKS.iter().zip(&robot.bodies).take(10) {
        if let Body::Mesh(mesh) = body {
            let (count, dent) = (mesh.triangle_count(), concavity(mesh));
            println!("{name}: {count} triangles, convex {}, concave by {dent:.1e} of its size", mesh.is_convex());
        }
    }
    let mut rng = Rng::new(3);
    let mut all = Vec::new();
    for _ in 0..100 {
        all.extend(robot.placed(&LIMITS.map(|(low, high)| rng.uniform(low, high)))?);
    }
    let is_apart = |placed: &&Placed| robot.closest(placed, &mut Cache::default()).distance > 0.0;
    let (apart, meeting): (Vec<&Placed>, Vec<&Placed>) = all.iter().partition(is_apart);
    for (name, list) in [("apart", &apart), ("meeting", &meeting)] {
        let one = timed(list.len(), || {
            list.iter().for_each(|placed| _ = black_box(robot.closest(placed, &mut Cache::default())));
        });
        println!("panda, {} pairs that are {name}, cold: {one:.2} µs each", list.len());
    }
    let count = robot.pairs.len();
    let distances = timed(100, || {
        all.iter().for_each(|placed| _ = black_box(robot.closest(placed, &mut Cache::default())));
    });
    println!("panda, {count} distances of one configuration, cold: {distances:.1} µs");
    let booleans = timed(100, || {
        for (i, j, pose_a, pose_b) in &all {
            black_box(overlap(&robot.bodies[*i], pose_a, &robot.bodies[*j], pose_b, &mut Cache::default()));
        }
    });
    println!("panda, {count} booleans of one configuration, cold: {booleans:.1} µs");
    along_path(&robot, &mut rng)
}

/// Distances along a straight path in joint space, with caches kept.
fn along_path(robot: &Robot, rng: &mut Rng) -> Result<(), Failure> {
    let [from, to] = [0; 2].map(|_| LIMITS.map(|(low, high)| rng.uniform(low, high)));
    let at = |k: i32| robot.placed(&std::array::from_fn(|i| from[i] + (to[i] - from[i]) * f64::from(k) / 200.0));
    let path = (0..200).map(at).collect::<Result<Vec<_>, Failure>>()?;
    let count = robot.pairs.len();
    let warm = timed(path.len(), || {
        let mut caches = vec![Cache::default(); count];
        for placed in path.iter().flat_map(|step| step.iter().enumerate()) {
            black_box(robot.closest(placed.1, &mut caches[placed.0]));
        }
    });
    println!("panda, {count} distances along a path of 200 steps, warm: {warm:.1} µs");
    Ok(())
}

fn two(name: &str, a: &Body, b: &Body, gap: f64) -> Result<(), Failure> {
    let mut rng = Rng::new(7);
    let mut places = Vec::new();
    for _ in 0..20 {
        let (turn_a, turn_b, direction) = (rng.rotation(), rng.rotation(), rng.unit_vector());
        let pose_a = pose(DVec3::ZERO, turn_a)?;
        let mut at = direction * 8.0;
        for _ in 0..40 {
            let near = closest(a, &pose_a, b, &pose(at, turn_b)?, &mut Cache::default()).distance;
            at -= direction * (near - gap).max(0.0);
        }
        places.push((pose_a, at, turn_b));
    }
    let cold = timed(places.len(), || {
        for (pose_a, at, turn) in &places {
            if let Ok(pose_b) = pose(*at, *turn) {
                black_box(closest(a, pose_a, b, &pose_b, &mut Cache::default()));
            }
        }
    });
    let step = |k: i32| DQuat::from_rotation_x(1e-3 * f64::from(k));
    let walk = |boolean: bool, depth: f64| {
        timed(places.len() * 20, || {
            for (pose_a, at, turn) in &places {
                let mut cache = Cache::default();
                for k in 0..20 {
                    if let Ok(pose_b) = pose(*at * (1.0 - depth), step(k) * *turn) {
                        if boolean {
                            black_box(overlap(a, pose_a, b, &pose_b, &mut cache));
                        } else {
                            black_box(closest(a, pose_a, b, &pose_b, &mut cache));
                        }
                    }
                }
            }
        })
    };
    let (warm, apart, met) = (walk(false, 0.0), walk(true, 0.0), walk(true, 0.02));
    println!(
        "{name}: closest cold {cold:.1} µs, warm {warm:.1} µs; overlap apart, warm {apart:.1} µs; meeting, warm {met:.1} µs"
    );
    Ok(())
}

/// A box's half edge, its place on the ground, and a direction along the ground.
struct Resting {
    at: DVec3,
    turn: DQuat,
    along: DVec3,
}

impl Resting {
    /// Set down at a place until it is a hundredth deep, turned at random about the normal there.
    fn new(rng: &mut Rng, ground: &Body, half: f64, z: impl Fn(f64, f64) -> f64) -> Result<Self, Failure> {
        let block: Body = Shape::cuboid([half; 3])?.into();
        let (x, y) = (rng.uniform(-40.0, 40.0), rng.uniform(-40.0, 40.0));
        let (du, dv) = (z(x + 0.5, y) - z(x - 0.5, y), z(x, y + 0.5) - z(x, y - 0.5));
        let up = DVec3::new(-du, -dv, 1.0).normalize();
        let side = DQuat::from_rotation_z(rng.uniform(0.0, 6.0)) * DVec3::X;
        let along = side.reject_from(up).normalize();
        let turn = DQuat::from_mat3(&DMat3::from_cols(along, up.cross(along), up));
        let mut at = DVec3::new(x, y, z(x, y)) + up * (half + 2.0);
        for _ in 0..60 {
            let near = closest(ground, &Pose::IDENTITY, &block, &pose(at, turn)?, &mut Cache::default());
            at -= up * (near.distance + 0.01) * if near.distance > 0.0 { 0.9 } else { 0.3 };
        }
        Ok(Self { at, turn, along })
    }
}

/// A square of terrain with 20,000 triangles, each with sides of length one.
fn terrain(z: impl Fn(f64, f64) -> f64) -> Result<Body, Failure> {
    let cells = 100_u32;
    let place = |i: u32| f64::from(i) - 50.0;
    let vertex = |i: u32, j: u32| DVec3::new(place(i), place(j), z(place(i), place(j)));
    let vertices: Vec<DVec3> =
        (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))).map(|(i, j)| vertex(i, j)).collect();
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    let square =
        |i: u32, j: u32| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
    let faces: Vec<[u32; 3]> = (0..cells).flat_map(|i| (0..cells).flat_map(move |j| square(i, j))).collect();
    Ok(Mesh::new(&vertices, &faces)?.into())
}

fn box_on_terrain(wanted: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let mut rng = Rng::new(11);
    let waves = [0; 6].map(|_| (rng.unit_vector() * rng.uniform(0.1, 0.6), rng.uniform(0.0, 6.0)));
    let hills = |x: f64, y: f64| waves.iter().map(|(k, phase)| 0.3 * (k.x * x + k.y * y + phase).sin()).sum::<f64>();
    let options = ManifoldOptions { margin: 0.02, ..ManifoldOptions::default() };
    for (name, steep) in [("flat", 0.0), ("hilly", 1.0)].into_iter().filter(|(name, _)| wanted(name)) {
        let z = |x: f64, y: f64| steep * hills(x, y);
        let ground = terrain(z)?;
        for half in [0.4, 1.0, 2.0] {
            let block: Body = Shape::cuboid([half; 3])?.into();
            let places =
                (0..50).map(|_| Resting::new(&mut rng, &ground, half, z)).collect::<Result<Vec<_>, Failure>>()?;
            let ask = |place: &Resting, moved: f64, cache: &mut Cache| {
                let pose = pose(place.at + place.along * moved, place.turn).ok()?;
                black_box(manifold(&ground, &Pose::IDENTITY, &block, &pose, cache, &options))
            };
            let count = |place: &Resting| ask(place, 0.0, &mut Cache::default()).map_or(0, |m| m.points.len());
            let points: usize = places.iter().map(count).sum();
            let cold = timed(places.len(), || {
                places.iter().for_each(|place| drop(ask(place, 0.0, &mut Cache::default())));
            });
            let warm = timed(places.len() * 20, || {
                for place in &places {
                    let mut cache = Cache::default();
                    (0..20).for_each(|k| drop(ask(place, 1e-3 * f64::from(k), &mut cache)));
                }
            });
            let (edge, mean) = (2.0 * half, points as f64 / places.len() as f64);
            println!(
                "box of {edge} on a {name} terrain: manifold of {mean:.1} points, cold {cold:.2} µs, warm {warm:.2} µs"
            );
        }
    }
    Ok(())
}

/// Bodies that follow the ground along a slow path: height fields, clouds and half-spaces, with caches that are new and caches that are kept.
fn fields() -> Result<(), Failure> {
    let mut rng = Rng::new(23);
    let wave = |x: f64, y: f64| 0.4 * (0.7 * x).sin() + 0.3 * (0.9 * y + 1.0).cos();
    let rows: Vec<Vec<f64>> =
        (0..129).map(|j| (0..129).map(|i| wave(f64::from(i) * 0.25, f64::from(j) * 0.25)).collect()).collect();
    let field: Body = HeightField::new(&rows, [0.25; 2])?.into();
    let mut scan = |count: usize| -> Vec<Vec3> {
        let mut place = || [rng.uniform(0.0, 32.0), rng.uniform(0.0, 32.0)];
        (0..count).map(|_| place()).map(|[x, y]| Vec3::new(x, y, wave(x, y))).collect()
    };
    let cloud: Body = PointCloud::new(&scan(20_000), 0.05)?.into();
    let floor: Body = HalfSpace::new(Vec3::new(0.1, 0.2, 1.0), 0.0)?.into();
    let ball: Vec<DVec3> = (0..400).map(|_| rng.unit_vector() * 0.6).collect();
    let rock: Body = Polytope::from_points(&ball)?.into();
    let ring = Polyhedron::torus(0.6, 0.25, 24, 12);
    let ring: Body = Mesh::new(&ring.vertices, &ring.faces)?.into();
    let block: Body = Shape::cuboid([0.5, 0.4, 0.3])?.into();
    let parts = (0..8).map(|i| {
        Ok((block.clone(), Pose::from_translation(DQuat::from_rotation_z(f64::from(i) * 0.78) * DVec3::X * 2.0)?))
    });
    let wheel: Body = Compound::new(parts.collect::<Result<Vec<_>, Failure>>()?)?.into();
    let grounds = [("field", &field), ("cloud", &cloud), ("half-space", &floor)];
    let movers = [("box", &block), ("hull", &rock), ("ring", &ring), ("compound", &wheel), ("field", &field)];
    for (ground_name, ground) in grounds {
        for (name, mover) in movers {
            for (place, height) in [("apart", 2.0), ("meeting", 0.3)] {
                let step = |k: i32| {
                    let t = f64::from(k) * 0.002;
                    let at = DVec3::new(11.0 + t, 13.0 + 0.5 * t, height);
                    pose(at, DQuat::from_rotation_y(0.3 + 0.2 * t) * DQuat::from_rotation_x(0.2))
                };
                let path = (0..100).map(step).collect::<Result<Vec<_>, Failure>>()?;
                one_field([ground_name, name, place], [ground, mover], &path);
            }
        }
    }
    Ok(())
}

/// The verbs of one pair along a path.
fn one_field([ground_name, name, place]: [&str; 3], [ground, mover]: [&Body; 2], path: &[Pose]) {
    type Ask<'a> = (&'a str, &'a dyn Fn(&Pose, &mut Cache));
    let options = ManifoldOptions { margin: 0.02, ..ManifoldOptions::default() };
    let still = Pose::IDENTITY;
    let asks: [Ask<'_>; 4] = [
        ("closest", &|at, cache| _ = black_box(closest(ground, &still, mover, at, cache))),
        ("overlap", &|at, cache| _ = black_box(overlap(ground, &still, mover, at, cache))),
        ("within", &|at, cache| _ = black_box(within(ground, &still, mover, at, 0.5, cache))),
        ("manifold", &|at, cache| _ = black_box(manifold(ground, &still, mover, at, cache, &options))),
    ];
    print!("{ground_name} and {name}, {place}:");
    for (verb, ask) in asks {
        // The same memory in both: a new cache of concave bodies would ask for some.
        let mut cache = Cache::default();
        let cold = timed(path.len(), || {
            for at in path {
                cache.clear();
                ask(at, &mut cache);
            }
        });
        let warm = timed(path.len(), || path.iter().for_each(|at| ask(at, &mut cache)));
        print!(" {verb} {cold:.2} / {warm:.2} µs,");
    }
    println!(" cold / warm");
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|a| a == name);
    let directory = Path::new("../../../shared/data/robots/panda/meshes");
    box_on_terrain(wanted)?;
    if wanted("panda") && directory.is_dir() {
        panda(directory)?;
    }
    if wanted("fields") {
        fields()?;
    }
    if wanted("rings") {
        let ring = Polyhedron::torus(2.0, 0.8, 140, 36);
        let ring: Body = Mesh::new(&ring.vertices, &ring.faces)?.into();
        two("two rings of 10,080 triangles, gap 0.03", &ring, &ring, 0.03)?;
        two("two rings of 10,080 triangles, gap 1", &ring, &ring, 1.0)?;
    }
    Ok(())
}
