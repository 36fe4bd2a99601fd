//! Instruction counts of the ten main queries, by callgrind: a regression shows without noise.
//!
//! Each benchmark runs its query once on each of a fixed list of configurations that depend on a seed alone. Bodies and poses are
//! made in the set-up, which does not count. `make counts` runs this and compares with `counts.txt`.
#![allow(clippy::expect_used, missing_docs)] // fixed inputs; the macros make undocumented items

use std::hint::black_box;

use clearance::{Cache, ManifoldOptions, Pose, Shape, Vec3, closest, manifold, overlap};
use clearance_testkit::Rng;
use glam::{DQuat, DVec3};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

/// Two bodies and where they are, again and again.
struct Scene {
    bodies: [Shape; 2],
    poses: Vec<[Pose; 2]>,
}

#[derive(Clone, Copy)]
enum Bodies {
    Boxes,
    Ellipsoids,
    /// Hulls of 50 points on a sphere.
    Hulls,
    Cones,
}

const CONFIGURATIONS: usize = 50;
const SEED: u64 = 2026;

fn pose(translation: DVec3, rotation: DQuat) -> Pose {
    Pose::new(translation, rotation.to_array()).expect("a unit quaternion and a small translation")
}

fn random_hull(rng: &mut Rng, count: usize, semi_axes: DVec3) -> Shape {
    let points: Vec<Vec3> = (0..count).map(|_| rng.unit_vector() * semi_axes).collect();
    Shape::polytope(&points).expect("points in general position")
}

impl Bodies {
    fn shape(self, rng: &mut Rng) -> Shape {
        match self {
            Self::Boxes => Shape::cuboid([1.0; 3]).expect("positive sizes"),
            Self::Ellipsoids => Shape::ellipsoid([1.0, 2.0, 1.5]).expect("positive sizes"),
            Self::Hulls => random_hull(rng, 50, DVec3::ONE),
            Self::Cones => Shape::cone(2.0, 1.0).expect("positive sizes"),
        }
    }

    /// The half edge of the cube for the second body's origin in which about half of the configurations overlap.
    fn half_edge(self) -> f64 {
        match self {
            Self::Boxes => 2.7,
            Self::Ellipsoids => 3.1,
            Self::Hulls => 1.85,
            Self::Cones => 1.1,
        }
    }
}

/// Random orientations, the second body in a cube about the first; those that `keep` says.
fn drawn(bodies: Bodies, keep: fn(&[Shape; 2], &[Pose; 2]) -> bool) -> Scene {
    let mut rng = Rng::new(SEED);
    let shapes = [0; 2].map(|_| bodies.shape(&mut rng));
    let mut poses = Vec::with_capacity(CONFIGURATIONS);
    while poses.len() < CONFIGURATIONS {
        let offset = rng.in_box(DVec3::splat(bodies.half_edge()));
        let drawn = [pose(DVec3::ZERO, rng.rotation()), pose(offset, rng.rotation())];
        if keep(&shapes, &drawn) {
            poses.push(drawn);
        }
    }
    Scene { bodies: shapes, poses }
}

fn meet([a, b]: &[Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> bool {
    overlap(a, pose_a, b, pose_b, &mut Cache::default()).overlap
}

/// Hits and misses, about as many.
fn mixed(bodies: Bodies) -> Scene {
    let scene = drawn(bodies, |_, _| true);
    let hits = scene.poses.iter().filter(|poses| meet(&scene.bodies, poses)).count();
    assert!((CONFIGURATIONS / 3..=CONFIGURATIONS * 2 / 3).contains(&hits), "{hits} hits");
    scene
}

/// Hits only.
fn overlapping(bodies: Bodies) -> Scene {
    drawn(bodies, meet)
}

/// Two hulls of 500 points passing each other, as in the lab's `race-coherent`: each pass straight, 100 steps of 5 % of the
/// radius, its middle 7 to 8.5 from the first body; both turn by 10° per step.
fn motion() -> Scene {
    let mut rng = Rng::new(SEED);
    let semi_axes = DVec3::new(2.0, 4.0, 5.0);
    let bodies = [0; 2].map(|_| random_hull(&mut rng, 500, semi_axes));
    let way = rng.unit_vector();
    let nearest = way.cross(rng.unit_vector()).normalize() * rng.uniform(7.0, 8.5);
    let [first, second] = [0; 2].map(|_| (rng.rotation(), rng.unit_vector()));
    let turned = |(start, axis): (DQuat, DVec3), step: i32| {
        DQuat::from_axis_angle(axis, 10f64.to_radians() * f64::from(step)) * start
    };
    let at = |step: i32| {
        let travelled = 0.05 * semi_axes.z * (f64::from(step) - 50.0);
        [pose(DVec3::ZERO, turned(first, step)), pose(nearest + way * travelled, turned(second, step))]
    };
    Scene { bodies, poses: (0..100).map(at).collect() }
}

/// Asks about every configuration. The scene goes back to the caller, so that freeing it does not count.
fn ask<T>(scene: Scene, mut query: impl FnMut(&Shape, &Pose, &Shape, &Pose) -> T) -> Scene {
    let [a, b] = &scene.bodies;
    for [pose_a, pose_b] in &scene.poses {
        black_box(query(black_box(a), black_box(pose_a), black_box(b), black_box(pose_b)));
    }
    scene
}

#[library_benchmark(setup = mixed)]
#[bench::boxes(Bodies::Boxes)]
#[bench::ellipsoids(Bodies::Ellipsoids)]
#[bench::hulls(Bodies::Hulls)]
fn overlap_of(scene: Scene) -> Scene {
    ask(scene, |a, pose_a, b, pose_b| overlap(a, pose_a, b, pose_b, &mut Cache::default()))
}

#[library_benchmark(setup = mixed)]
#[bench::boxes(Bodies::Boxes)]
#[bench::ellipsoids(Bodies::Ellipsoids)]
#[bench::hulls(Bodies::Hulls)]
fn closest_of(scene: Scene) -> Scene {
    ask(scene, |a, pose_a, b, pose_b| closest(a, pose_a, b, pose_b, &mut Cache::default()))
}

#[library_benchmark(setup = overlapping)]
#[bench::hulls(Bodies::Hulls)]
#[bench::cones(Bodies::Cones)]
fn depth_of(scene: Scene) -> Scene {
    ask(scene, |a, pose_a, b, pose_b| closest(a, pose_a, b, pose_b, &mut Cache::default()))
}

#[library_benchmark(setup = overlapping)]
#[bench::boxes(Bodies::Boxes)]
fn manifold_of(scene: Scene) -> Scene {
    let options = ManifoldOptions::default();
    ask(scene, |a, pose_a, b, pose_b| manifold(a, pose_a, b, pose_b, &mut Cache::default(), &options))
}

#[library_benchmark(setup = motion)]
#[bench::passing_hulls()]
fn warm_overlap_of(scene: Scene) -> Scene {
    let mut cache = Cache::default();
    ask(scene, |a, pose_a, b, pose_b| overlap(a, pose_a, b, pose_b, &mut cache))
}

library_benchmark_group!(name = counts, benchmarks = [overlap_of, closest_of, depth_of, manifold_of, warm_overlap_of]);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = counts
);
