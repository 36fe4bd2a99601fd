//! Convex bodies over a terrain of triangles, frame after frame, against parry's tree and its test of a shape and a mesh, in f64 and f32.
//!
//! Hulls of 20 vertices, boxes and balls drift over hills, rise and fall so that about half of them touch the ground, and turn. The
//! motion is recorded first. A frame of the library is `set_pose` of every body and `step` of a boolean `World` in which the
//! terrain is a fixed body; a frame of the rival updates its tree of boxes, with the terrain as one more leaf, and asks
//! `intersection_test` for each pair of overlapping boxes. Poses are ready in each side's own form before the clock runs; times
//! are of one thread.
//!
//! In every frame the touching pairs of the world, with one, two and eight threads, are those of brute force: `overlap` of all pairs,
//! cold.

use clearance_testkit::{Cloud, Polyhedron as Solid, Rng};
use glam::{DQuat, DVec3};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::trajectory::{forth_and_back, long_visits, per_visit};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-terrain",
    title: "500 convex bodies over a terrain of 100,000 triangles against parry: touching pairs per frame",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bodies.
    pub bodies: usize,
    /// Cells along each side of the terrain: twice its square are triangles.
    pub cells: u32,
    /// Frames recorded; each is visited twice.
    pub frames: usize,
    /// Replays of each competitor.
    pub rounds: usize,
}

const FULL: Sizes = Sizes { bodies: 500, cells: 224, frames: 100, rounds: 10 };
const QUICK: Sizes = Sizes { bodies: 500, cells: 224, frames: 20, rounds: 4 };

/// The ratio to reach.
const GOAL: f64 = 3.0;
/// Numbers of threads with which the world is compared with brute force.
const THREADS: [usize; 3] = [1, 2, 8];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made, or no threads.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    progress.start(2, "precisions");
    let scene = Scene::new(settings, sizes);
    let mut pools = Vec::new();
    for threads in THREADS {
        pools.push(ThreadPoolBuilder::new().num_threads(threads).build()?);
    }
    let mut cells = vec![double::measure(&scene, sizes, &pools)?];
    progress.advance(1);
    cells.push(single::measure(&scene, sizes, &pools)?);
    progress.advance(1);
    Ok(report(&cells))
}

/// What a body is.
enum Thing {
    Hull(Vec<DVec3>),
    Cuboid(DVec3),
    Ball(f64),
}

/// A body under way.
struct Mover {
    thing: Thing,
    at: DVec3,
    velocity: DVec3,
    spin: DVec3,
    turn: DQuat,
    /// How high it floats over the ground on average, how far it rises and falls, and when.
    height: [f64; 3],
}

/// The terrain and the bodies' poses, by frame and body.
struct Scene {
    terrain: Solid,
    things: Vec<Thing>,
    frames: Vec<Vec<(DVec3, DQuat)>>,
}

fn ground(x: f64, y: f64) -> f64 {
    3.0 * (0.11 * x).sin() * (0.13 * y).cos() + 1.5 * (0.31 * x + 0.2 * y).sin()
}

impl Scene {
    fn new(settings: &Settings, sizes: &Sizes) -> Self {
        let mut rng = Rng::new(settings.seed);
        let half = 0.5 * f64::from(sizes.cells);
        let terrain = Solid::terrain(&mut rng, sizes.cells).mapped(|p| {
            let (x, y) = (p.x * half, p.y * half);
            DVec3::new(x, y, ground(x, y) + 2.0 * p.z)
        });
        let mut movers: Vec<Mover> = (0..sizes.bodies).map(|nth| Mover::new(&mut rng, nth, half)).collect();
        let mut frames = Vec::new();
        for frame in 0..sizes.frames {
            movers.iter_mut().for_each(|mover| mover.advance(frame, half));
            frames.push(movers.iter().map(|mover| (mover.at, mover.turn)).collect());
        }
        Self { terrain, things: movers.into_iter().map(|mover| mover.thing).collect(), frames }
    }
}

impl Mover {
    fn new(rng: &mut Rng, nth: usize, half: f64) -> Self {
        let size = rng.log_uniform(0.5, 1.5);
        let thing = match nth % 5 {
            0..3 => Thing::Hull(Cloud::Sphere.generate(rng, 20).iter().map(|p| *p * size).collect()),
            3 => Thing::Cuboid(DVec3::from_array([0; 3].map(|_| size * rng.uniform(0.3, 0.7)))),
            _ => Thing::Ball(0.7 * size),
        };
        let at = rng.in_box(DVec3::splat(0.95 * half));
        let velocity = DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0) * 0.1;
        let height = [0.8 * size, 0.6 * size, rng.uniform(0.0, 7.0)];
        Self { thing, at, velocity, spin: rng.unit_vector() * 0.1, turn: rng.rotation(), height }
    }

    fn advance(&mut self, frame: usize, half: f64) {
        for axis in 0..2 {
            if self.at[axis].abs() > 0.95 * half {
                self.velocity[axis] = -self.velocity[axis].abs() * self.at[axis].signum();
            }
        }
        self.at += self.velocity;
        self.turn = (DQuat::from_scaled_axis(self.spin) * self.turn).normalize();
        let [middle, swing, phase] = self.height;
        self.at.z = ground(self.at.x, self.at.y) + 0.2 + middle + swing * (phase + 0.1 * frame as f64).sin();
    }
}

struct Cell {
    precision: &'static str,
    bodies: usize,
    triangles: usize,
    frames: usize,
    /// Pairs of overlapping boxes, touching pairs and those of them with the ground, per frame.
    pairs: f64,
    touching: f64,
    grounded: f64,
    /// Microseconds per frame.
    ours: f64,
    /// The rival's, refitted and optimised.
    rival: [f64; 2],
    /// Touching pairs on which world and brute force disagree, in all frames and with all numbers of threads.
    differ: usize,
    /// Those on which brute force and the rival disagree.
    rival_differs: usize,
}

impl Cell {
    fn best(&self) -> f64 {
        self.rival[0].min(self.rival[1])
    }

    fn ratio(&self) -> f64 {
        self.best() / self.ours
    }
}

/// How many are in one of two sorted lists only.
fn differences(a: &[[u32; 2]], b: &[[u32; 2]]) -> usize {
    let only = |of: &[[u32; 2]], other: &[[u32; 2]]| of.iter().filter(|x| other.binary_search(x).is_err()).count();
    only(a, b) + only(b, a)
}

macro_rules! in_precision {
    ($module:ident, $ours:ident, $rival:ident, $real:ty, $name:literal) => {
        mod $module {
            use super::*;
            use std::hint::black_box;
            use $ours::math::{narrow, narrow_real};
            use $ours::world::{BodyId, EventKind, NewBody, World, WorldOptions};
            use $ours::{Body, Cache, Mesh, Pose, Quat, Shape, Vec3, overlap};
            use $rival::bounding_volume::Aabb;
            use $rival::math::{Pose as RivalPose, Rotation, Vector};
            use $rival::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
            use $rival::query::intersection_test;
            use $rival::shape::{SharedShape, TriMesh};

            struct Bodies {
                ours: Vec<Body>,
                poses: Vec<Vec<Pose>>,
                rival: Vec<SharedShape>,
                rival_poses: Vec<Vec<RivalPose>>,
            }

            fn vector(v: Vec3) -> Vector {
                Vector::from_array(v.to_array())
            }

            impl Bodies {
                /// The terrain comes first and does not move.
                fn new(scene: &Scene) -> Result<Self, Failure> {
                    let vertices: Vec<Vec3> = scene.terrain.vertices.iter().map(|&v| narrow(v)).collect();
                    let faces = scene.terrain.faces.iter().map(|f| [f[0], f[1], f[2]]).collect();
                    let corners = vertices.iter().map(|&v| vector(v)).collect();
                    let mut ours: Vec<Body> = vec![Mesh::new(&vertices, &scene.terrain.faces)?.into()];
                    let mut rival = vec![SharedShape::new(TriMesh::new(corners, faces)?)];
                    for thing in &scene.things {
                        let (shape, other) = match thing {
                            Thing::Hull(points) => {
                                let points: Vec<Vec3> = points.iter().map(|&p| narrow(p)).collect();
                                let others: Vec<Vector> = points.iter().map(|&p| vector(p)).collect();
                                let hull = SharedShape::convex_hull(&others).ok_or("the rival refuses the hull")?;
                                (Shape::polytope(&points)?, hull)
                            }
                            Thing::Cuboid(half) => {
                                let [x, y, z] = half.to_array().map(narrow_real);
                                (Shape::cuboid([x, y, z])?, SharedShape::cuboid(x, y, z))
                            }
                            Thing::Ball(radius) => {
                                let radius = narrow_real(*radius);
                                (Shape::sphere(radius)?, SharedShape::ball(radius))
                            }
                        };
                        ours.push(shape.into());
                        rival.push(other);
                    }
                    let mut poses = Vec::new();
                    for frame in &scene.frames {
                        let placed = frame.iter().map(|(at, turn)| {
                            let turn = Quat::from_array(turn.to_array().map(narrow_real)).normalize();
                            Pose::new(narrow(*at), turn)
                        });
                        poses.push(std::iter::once(Ok(Pose::IDENTITY)).chain(placed).collect::<Result<Vec<_>, _>>()?);
                    }
                    let of_rival = |pose: &Pose| {
                        let turn = Rotation::from_array(pose.rotation().to_array());
                        RivalPose::from_parts(vector(pose.translation()), turn)
                    };
                    let rival_poses = poses.iter().map(|poses| poses.iter().map(of_rival).collect()).collect();
                    Ok(Self { ours, poses, rival, rival_poses })
                }

                fn world(&self) -> Result<(World, Vec<BodyId>), Failure> {
                    let mut world = World::new(WorldOptions { queries: false, ..WorldOptions::default() });
                    let mut ids = Vec::new();
                    for (nth, (body, pose)) in self.ours.iter().zip(&self.poses[0]).enumerate() {
                        ids.push(world.add(NewBody { fixed: nth == 0, ..NewBody::new(body.clone(), *pose) })?);
                    }
                    Ok((world, ids))
                }

                /// Every pair, cold.
                fn brute_force(&self, frame: usize) -> Vec<[u32; 2]> {
                    let poses = &self.poses[frame];
                    let mut touching = Vec::new();
                    for i in 0..self.ours.len() {
                        for j in i + 1..self.ours.len() {
                            let (a, b) = (&self.ours[i], &self.ours[j]);
                            if overlap(a, &poses[i], b, &poses[j], &mut Cache::default()).overlap {
                                touching.push([i as u32, j as u32]);
                            }
                        }
                    }
                    touching
                }
            }

            /// One frame of the library.
            fn advance<'w>((world, ids): &'w mut (World, Vec<BodyId>), poses: &[Pose]) -> $ours::world::Step<'w> {
                for (id, pose) in ids.iter().zip(poses).skip(1) {
                    // The ids are the world's own: there is nothing to refuse.
                    let set = world.set_pose(*id, *pose);
                    debug_assert!(set.is_ok(), "{set:?}");
                }
                world.step()
            }

            /// The rival's tree.
            struct RivalWorld<'a> {
                bodies: &'a Bodies,
                optimised: bool,
                bvh: Bvh,
                workspace: BvhWorkspace,
                touching: Vec<[u32; 2]>,
            }

            impl<'a> RivalWorld<'a> {
                fn new(bodies: &'a Bodies, optimised: bool) -> Self {
                    let placed = bodies.rival.iter().zip(&bodies.rival_poses[0]);
                    let boxes: Vec<Aabb> = placed.map(|(shape, pose)| shape.compute_aabb(pose)).collect();
                    let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
                    Self { bodies, optimised, bvh, workspace: BvhWorkspace::default(), touching: Vec::new() }
                }

                fn frame(&mut self, frame: usize) {
                    let Bodies { rival, rival_poses, .. } = self.bodies;
                    let poses = &rival_poses[frame];
                    for (body, pose) in poses.iter().enumerate().skip(1) {
                        self.bvh.insert_or_update_partially(rival[body].compute_aabb(pose), body as u32, 0.0);
                    }
                    if self.optimised {
                        self.bvh.optimize_incremental(&mut self.workspace);
                    }
                    self.bvh.refit(&mut self.workspace);
                    let touching = &mut self.touching;
                    touching.clear();
                    self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
                        let [a, b] = [i, j].map(|body| &*rival[body as usize]);
                        let answer = intersection_test(&poses[i as usize], a, &poses[j as usize], b);
                        if answer.is_ok_and(|answer| answer.intersecting) {
                            touching.push([i.min(j), i.max(j)]);
                        }
                    });
                }
            }

            pub(super) fn measure(scene: &Scene, sizes: &Sizes, pools: &[ThreadPool]) -> Result<Cell, Failure> {
                let bodies = Bodies::new(scene)?;
                let mut cell = compare(&bodies, pools)?;
                let mut world = bodies.world()?;
                let (mut refitted, mut optimised) = (RivalWorld::new(&bodies, false), RivalWorld::new(&bodies, true));
                let way = || forth_and_back(sizes.frames);
                let times = per_visit(
                    [
                        &mut || {
                            let frame = |at: usize| _ = black_box(advance(&mut world, &bodies.poses[at]).statistics);
                            pools[0].install(|| long_visits(way(), frame))
                        },
                        &mut || long_visits(way(), |at| refitted.frame(black_box(at))),
                        &mut || long_visits(way(), |at| optimised.frame(black_box(at))),
                    ],
                    sizes.rounds,
                );
                let [ours, refitted, optimised] = times.map(|nanoseconds| nanoseconds * 1e-3);
                (cell.ours, cell.rival) = (ours, [refitted, optimised]);
                Ok(cell)
            }

            /// Counts pairs, and those on which world, brute force and the rival disagree.
            fn compare(bodies: &Bodies, pools: &[ThreadPool]) -> Result<Cell, Failure> {
                let mut worlds = Vec::new();
                for _ in pools {
                    worlds.push(bodies.world()?);
                }
                let mut rival = RivalWorld::new(bodies, false);
                let triangles = if let Body::Mesh(mesh) = &bodies.ours[0] { mesh.triangle_count() } else { 0 };
                let frames = bodies.poses.len();
                let mut cell = Cell {
                    precision: $name,
                    bodies: bodies.ours.len() - 1,
                    triangles,
                    frames,
                    pairs: 0.0,
                    touching: 0.0,
                    grounded: 0.0,
                    ours: 0.0,
                    rival: [0.0; 2],
                    differ: 0,
                    rival_differs: 0,
                };
                let share = 1.0 / frames as f64;
                for (at, poses) in bodies.poses.iter().enumerate() {
                    let expected = bodies.brute_force(at);
                    for (world, pool) in worlds.iter_mut().zip(pools) {
                        let (mut told, pairs) = pool.install(|| {
                            let step = advance(world, poses);
                            let touching = step.events.iter().filter(|event| event.kind != EventKind::End);
                            let told: Vec<_> = touching.map(|e| e.bodies.map(|id| id.index() as u32)).collect();
                            (told, step.statistics.pairs)
                        });
                        told.sort_unstable();
                        cell.differ += differences(&told, &expected);
                        cell.pairs += pairs as f64 * share / pools.len() as f64;
                    }
                    rival.frame(at);
                    rival.touching.sort_unstable();
                    cell.rival_differs += differences(&rival.touching, &expected);
                    cell.touching += expected.len() as f64 * share;
                    cell.grounded += expected.iter().filter(|pair| pair[0] == 0).count() as f64 * share;
                }
                Ok(cell)
            }
        }
    };
}

in_precision!(double, clearance, parry3d_f64, f64, "f64");
in_precision!(single, clearance_f32, parry3d, f32, "f32");

fn report(cells: &[Cell]) -> Report {
    let labels = ["precision", "bodies", "triangles", "frames", "pairs", "touching", "grounded", "ours_us", "parry_us"];
    let others = ["ratio", "parry_refit_us", "parry_optimised_us", "differ", "parry_differs"];
    let columns: Vec<&str> = labels.into_iter().chain(others).collect();
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let counts = [cell.bodies, cell.triangles, cell.frames].map(Into::into);
        let figures = [cell.pairs, cell.touching, cell.grounded, cell.ours, cell.best(), cell.ratio()].map(Into::into);
        let rest = cell.rival.map(Into::into);
        let differ = [cell.differ, cell.rival_differs].map(Into::into);
        let row = std::iter::once(cell.precision.into()).chain(counts).chain(figures).chain(rest).chain(differ);
        report.row(row);
    }
    for cell in cells {
        let Cell { precision, bodies, triangles, .. } = cell;
        let claim = format!("{precision}: {bodies} bodies over {triangles} triangles at least {GOAL} times as fast");
        let text = format!("{:.2}: {:.1} µs to {:.1} µs", cell.ratio(), cell.ours, cell.best());
        report.claim(claim, format!("goal: {GOAL} times"), text, cell.ratio() >= GOAL);
        let claim =
            format!("{precision}: the same pairs touch as in brute force, in every frame, with 1, 2 and 8 threads");
        report.claim(claim, "0 differ", format!("{} differ", cell.differ), cell.differ == 0);
    }
    report
}
