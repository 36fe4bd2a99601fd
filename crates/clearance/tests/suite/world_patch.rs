//! What a world keeps of a mesh around a convex shape, frame after frame, changes no answer: bodies touch exactly if `overlap`, asked
//! cold, says so. Over smooth, thin and dense triangles, in and out of solids, at all sizes, near the origin and far from it.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::{narrow, narrow_real, widen_real};
use clearance::world::{EventKind, NewBody, World, WorldOptions};
use clearance::{Body, Cache, Mesh, Pose, Real, Shape, closest, overlap};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};
use world_twin::scene::shapes;

/// A mesh and the shapes that move around it.
struct Scene {
    mesh: Body,
    shapes: Vec<Body>,
    /// How far from the middle of the mesh the shapes move.
    room: DVec3,
    origin: DVec3,
    scale: f64,
}

struct Hits {
    touching: HitRate,
    changed: HitRate,
    doubtful: HitRate,
}

/// The scene with everything larger by a factor and moved away.
fn scene(polyhedron: &Polyhedron, room: DVec3, scale: f64, origin: DVec3) -> Scene {
    let points: Vec<DVec3> = polyhedron.vertices.iter().map(|v| *v * scale).collect();
    let mesh: Body = Mesh::new(&narrowed(&points), &polyhedron.faces).unwrap().into();
    let own = shapes(&mut Rng::new(601));
    let length = |x: f64| narrow_real(x * scale);
    let mut shapes: Vec<Body> = vec![
        Shape::sphere(length(0.4)).unwrap().into(),
        Shape::cuboid([0.3, 0.5, 0.2].map(length)).unwrap().into(),
        Shape::capsule(length(0.4), length(0.2)).unwrap().into(),
        Shape::cone(length(0.8), length(0.4)).unwrap().into(),
    ];
    for count in [8, 30] {
        let mut rng = Rng::new(602 + count);
        let hull: Vec<DVec3> = (0..count).map(|_| rng.unit_vector() * (0.5 * scale)).collect();
        // One about its origin, one beside it.
        shapes.push(Shape::polytope(&narrowed(&hull)).unwrap().into());
        let beside: Vec<DVec3> = hull.iter().map(|p| *p + DVec3::new(2.0, -1.0, 0.5) * scale).collect();
        shapes.push(Shape::polytope(&narrowed(&beside)).unwrap().into());
    }
    if scale == 1.0 {
        shapes.extend(own.into_iter().map(Body::from));
    }
    Scene { mesh, shapes, room, origin, scale }
}

/// Each shape has a world of its own with the mesh, which turns in some of them, and walks at random.
fn follow(scene: &Scene, seed: u64, hits: &mut Hits) {
    for (nth, shape) in scene.shapes.iter().enumerate() {
        let mut rng = Rng::new(seed + nth as u64);
        let turns = nth % 3 == 0;
        let mut ground = pose_of(scene.origin, DQuat::IDENTITY);
        let mut world = World::new(WorldOptions::default());
        let mesh = NewBody { fixed: !turns, ..NewBody::new(scene.mesh.clone(), ground) };
        let mesh = world.add(mesh).unwrap();
        let id = world.add(NewBody::new(shape.clone(), ground)).unwrap();
        let middle = shape.aabb(&Pose::IDENTITY).center();
        let (mut at, mut turn) = (rng.in_box(scene.room), rng.rotation());
        let mut velocity = rng.unit_vector() * 0.05;
        let mut was = false;
        for frame in 0..400 {
            if rng.chance(0.02) {
                (at, turn) = (rng.in_box(scene.room), rng.rotation());
            }
            velocity = (velocity + rng.unit_vector() * 0.02).clamp_length_max(0.1) - at * 0.002;
            at += velocity;
            turn = (DQuat::from_axis_angle(rng.unit_vector(), 0.05) * turn).normalize();
            // Where the middle of the shape is, not its origin.
            let place = scene.origin + at * scene.scale - turn * clearance::math::widen(middle);
            let pose = pose_of(place, turn);
            if turns {
                ground = pose_of(scene.origin, DQuat::from_axis_angle(DVec3::Z, 0.01 * f64::from(frame)));
                world.set_pose(mesh, ground).unwrap();
            }
            world.set_pose(id, pose).unwrap();
            let events = world.step().events;
            let touching = events.iter().any(|event| event.kind != EventKind::End);
            let cold = overlap(&scene.mesh, &ground, shape, &pose, &mut Cache::default()).overlap;
            if touching != cold {
                let near = closest(&scene.mesh, &ground, shape, &pose, &mut Cache::default());
                let size = scene.mesh.bounding_radius() + shape.bounding_radius() + narrow_real(4.0 * scene.scale);
                let tolerance = 8.0 * 24.0 * (Real::EPSILON / 2.0) * size;
                assert!(near.distance.abs() <= tolerance, "shape {nth}, frame {frame}: {touching}, {cold}, {near:?}");
            }
            hits.doubtful.record(touching != cold);
            hits.touching.record(touching);
            hits.changed.record(touching != was);
            was = touching;
        }
    }
}

fn check(polyhedron: &Polyhedron, room: DVec3, seed: u64, places: &[(f64, DVec3)]) {
    let mut hits = Hits {
        touching: HitRate::new("touching"),
        changed: HitRate::new("begins or ends"),
        doubtful: HitRate::new("differs where both are right"),
    };
    for (nth, (scale, origin)) in places.iter().enumerate() {
        follow(&scene(polyhedron, room, *scale, *origin), seed + 1000 * nth as u64, &mut hits);
    }
    hits.touching.assert_between(0.15, 0.9);
    hits.changed.assert_between(0.01, 0.5);
    hits.doubtful.assert_between(0.0, 2e-4);
}

const PLACES: [(f64, DVec3); 4] =
    [(1.0, DVec3::ZERO), (1e-5, DVec3::ZERO), (1e5, DVec3::ZERO), (1.0, DVec3::new(300.0, -2000.0, 700.0))];

#[test]
fn over_a_terrain() {
    let mut rng = Rng::new(610);
    let terrain = Polyhedron::terrain(&mut rng, 20).mapped(|v| v * DVec3::new(5.0, 5.0, 3.0));
    check(&terrain, DVec3::new(4.0, 4.0, 1.2), 611, &PLACES);
}

/// A body covers more triangles than a patch has room for.
#[test]
fn over_a_dense_terrain() {
    let mut rng = Rng::new(620);
    let terrain = Polyhedron::terrain(&mut rng, 60).mapped(|v| v * DVec3::new(3.0, 3.0, 2.0));
    check(&terrain, DVec3::new(2.5, 2.5, 1.0), 621, &PLACES[..1]);
}

/// Ribs a hundred thousand times as long as they are wide, beside each other, some of them steep.
#[test]
fn over_thin_triangles() {
    let mut rng = Rng::new(630);
    let mut ribs = Polyhedron { vertices: Vec::new(), faces: Vec::new() };
    for nth in 0..24 {
        let (y, first) = (f64::from(nth) * 0.2 - 2.4, ribs.vertices.len() as u32);
        let width = if nth % 2 == 0 { 4e-5 } else { 0.2 };
        for (x, y) in [(-4.0, y), (4.0, y), (4.0, y + width), (-4.0, y + width)] {
            ribs.vertices.push(DVec3::new(x, y, rng.uniform(-0.2, 0.2)));
        }
        ribs.faces.extend([vec![first, first + 1, first + 2], vec![first, first + 2, first + 3]]);
    }
    check(&ribs, DVec3::new(3.0, 2.0, 1.0), 631, &PLACES);
}

/// Inside of a solid that meets none of its triangles, too.
#[test]
fn in_and_out_of_a_torus() {
    check(&Polyhedron::torus(2.5, 1.0, 24, 12), DVec3::new(3.5, 3.5, 1.5), 641, &PLACES);
}

/// Balls and boxes that rest on a face of the terrain, up to rounding: touching is what `overlap` says, at every gap.
#[test]
fn resting_bodies() {
    let mut apart = HitRate::new("apart");
    let mut rng = Rng::new(650);
    let plateau = Polyhedron::terrain(&mut rng, 10).mapped(|v| v * DVec3::new(4.0, 4.0, 0.0));
    let ground: Body = Mesh::new(&narrowed(&plateau.vertices), &plateau.faces).unwrap().into();
    let bodies: [Body; 2] = [
        Shape::sphere(narrow_real(0.5)).unwrap().into(),
        Shape::cuboid([0.3, 0.4, 0.5].map(narrow_real)).unwrap().into(),
    ];
    for body in bodies {
        let mut world = World::new(WorldOptions::default());
        world.add(NewBody::fixed(ground.clone(), Pose::IDENTITY)).unwrap();
        let id = world.add(NewBody::new(body.clone(), Pose::IDENTITY)).unwrap();
        for trial in 0..400 {
            let unit = widen_real(Real::EPSILON);
            let gap = rng.uniform(-1.0, 1.0) * unit * [100.0, 400.0, 1e4][trial % 3];
            let at = DVec3::new(0.013 * trial as f64 - 2.6, 0.1, 0.5 + gap);
            let pose = Pose::from_translation(narrow(at)).unwrap();
            world.set_pose(id, pose).unwrap();
            let touching = world.step().events.iter().any(|event| event.kind != EventKind::End);
            let cold = overlap(&ground, &Pose::IDENTITY, &body, &pose, &mut Cache::default()).overlap;
            assert_eq!(touching, cold, "trial {trial}: a gap of {gap}");
            apart.record(!cold);
        }
    }
    apart.assert_between(0.1, 0.8);
}
