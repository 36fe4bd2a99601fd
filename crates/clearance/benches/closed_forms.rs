//! Instruction counts of the closed forms and of the general algorithms on the same pairs: `make counts-closed`.
//!
//! Each benchmark asks about 50 configurations that depend on a seed alone, of which about half overlap.
#![allow(clippy::expect_used, missing_docs)] // fixed inputs; the macros make undocumented items

use std::hint::black_box;

use clearance::narrow::PairCache;
use clearance::narrow::{closest_by, gjk::SubAlgorithm};
use clearance::{Cache, Pose, Shape, closest};
use clearance_testkit::Rng;
use glam::{DQuat, DVec3};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

struct Scene {
    bodies: [Shape; 2],
    poses: Vec<[Pose; 2]>,
}

fn shape(name: &str) -> Shape {
    let made = match name {
        "sphere" => Shape::sphere(0.5),
        "capsule" => Shape::capsule(1.0, 0.4),
        "lozenge" => Shape::lozenge([1.0, 0.7], 0.3),
        "box" => Shape::cuboid([1.0, 0.8, 0.6]),
        "round_box" => Shape::round_box([1.0, 0.8, 0.6], 0.3),
        "wheel" => Shape::wheel(1.0, 0.3),
        "cylinder" => Shape::cylinder(1.0, 0.7),
        "cone" => Shape::cone(2.0, 1.0),
        _ => Shape::triangle([[1.0, 0.0, 0.0], [-0.5, 0.9, 0.0], [-0.5, -0.9, 0.0]].map(Into::into)),
    };
    made.expect("positive sizes")
}

fn scene(names: [&str; 2]) -> Scene {
    let bodies = names.map(shape);
    let mut rng = Rng::new(2027);
    let reach = 0.75 * (bodies[0].bounding_radius() + bodies[1].bounding_radius());
    let pose = |at: DVec3, turn: DQuat| Pose::new(at, turn.to_array()).expect("a unit quaternion");
    let draw = |_| [pose(DVec3::ZERO, rng.rotation()), pose(rng.in_box(DVec3::splat(reach)), rng.rotation())];
    Scene { poses: (0..50).map(draw).collect(), bodies }
}

#[library_benchmark(setup = scene)]
#[bench::sphere_sphere(["sphere", "sphere"])]
#[bench::sphere_capsule(["sphere", "capsule"])]
#[bench::sphere_lozenge(["sphere", "lozenge"])]
#[bench::sphere_box(["sphere", "box"])]
#[bench::sphere_wheel(["sphere", "wheel"])]
#[bench::sphere_cylinder(["sphere", "cylinder"])]
#[bench::sphere_cone(["sphere", "cone"])]
#[bench::sphere_triangle(["sphere", "triangle"])]
#[bench::capsule_capsule(["capsule", "capsule"])]
#[bench::capsule_lozenge(["capsule", "lozenge"])]
#[bench::capsule_box(["capsule", "box"])]
#[bench::lozenge_lozenge(["lozenge", "lozenge"])]
#[bench::box_box(["box", "box"])]
#[bench::round_box_round_box(["round_box", "round_box"])]
fn formula(scene: Scene) -> Scene {
    let [a, b] = &scene.bodies;
    for [pose_a, pose_b] in &scene.poses {
        black_box(closest(black_box(a), pose_a, black_box(b), pose_b, &mut Cache::default()));
    }
    scene
}

#[library_benchmark(setup = scene)]
#[bench::sphere_sphere(["sphere", "sphere"])]
#[bench::sphere_capsule(["sphere", "capsule"])]
#[bench::sphere_lozenge(["sphere", "lozenge"])]
#[bench::sphere_box(["sphere", "box"])]
#[bench::sphere_wheel(["sphere", "wheel"])]
#[bench::sphere_cylinder(["sphere", "cylinder"])]
#[bench::sphere_cone(["sphere", "cone"])]
#[bench::sphere_triangle(["sphere", "triangle"])]
#[bench::capsule_capsule(["capsule", "capsule"])]
#[bench::capsule_lozenge(["capsule", "lozenge"])]
#[bench::capsule_box(["capsule", "box"])]
#[bench::lozenge_lozenge(["lozenge", "lozenge"])]
#[bench::box_box(["box", "box"])]
#[bench::round_box_round_box(["round_box", "round_box"])]
fn general(scene: Scene) -> Scene {
    let [a, b] = &scene.bodies;
    for [pose_a, pose_b] in &scene.poses {
        black_box(closest_by(
            SubAlgorithm::Regions,
            black_box(a),
            pose_a,
            black_box(b),
            pose_b,
            &mut PairCache::default(),
        ));
    }
    scene
}

library_benchmark_group!(name = closest_of, benchmarks = [formula, general]);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = closest_of
);
