//! Ground of every kind: half-spaces, terrain, compounds, meshes, padded and curved bodies.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::world::{NewBody, World};
use clearance::{Body, Compound, HalfSpace, HeightField, Pose, Real, Shape, Vec3};
use clearance_sim::walk::Walk;

use super::walk_scene::{Game, at, bodies, floor, least_distance, world};

/// Walks for a time, and is always on the ground but for the first frames, and at the full distance from everything.
fn walked(world: &World, body: &(&str, Shape, [Real; 4]), seconds: Real, wish: [Real; 2], kept: Real) -> Vec3 {
    let mut game = Game::new(body, [0.0, 0.0, 1.2], Walk::default(), 60);
    game.run(world, 0.5, [0.0, 0.0], |_| {});
    for frame in 0..(60.0 * seconds) as u32 {
        let walked = game.frame(world, wish, None);
        assert!(walked.ground.is_some(), "{} {frame}: {}", body.0, game.place());
        let least = least_distance(world, &game.walker);
        assert!(least > kept * 0.02, "{} {frame}: {least} at {}", body.0, game.place());
    }
    game.place()
}

#[test]
fn a_half_space() {
    let mut world = world();
    let tilt = Vec3::new(-0.3, 0.0, 1.0);
    world.add(NewBody::fixed(HalfSpace::new(tilt, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
    for body in &bodies() {
        let end = walked(&world, body, 1.0, [2.0, 1.0], 0.9);
        assert!((end.x - 2.0).abs() < 0.01 && (end.y - 1.0).abs() < 0.01 && end.z > 1.4, "{}: {end}", body.0);
    }
}

#[test]
fn hills() {
    let mut world = world();
    let height = |i: i32, j: i32| 0.15 * (((i * 7 + j * 3) % 5) as Real - 2.0);
    let rows: Vec<Vec<Real>> = (0..24).map(|j| (0..24).map(|i| height(i, j)).collect()).collect();
    let hills = Body::from(HeightField::new(&rows, [0.8, 0.8]).unwrap());
    let middle = hills.aabb(&Pose::IDENTITY).center();
    world.add(NewBody::fixed(hills, at(-middle.x, -middle.y, 0.0))).unwrap();
    for body in &bodies() {
        let end = walked(&world, body, 1.0, [2.0, 1.5], 0.5);
        assert!((end.x - 2.0).abs() < 0.05 && (end.y - 1.5).abs() < 0.05, "{}: {end}", body.0);
    }
}

#[test]
fn a_compound_of_steps_and_a_round_stone() {
    let mut world = world();
    floor(&mut world);
    let steps = (0..5).map(|step| {
        let half = 0.1 * (step + 1) as Real;
        (Body::from(Shape::cuboid([0.2, 2.0, half]).unwrap()), at(1.5 + 0.4 * step as Real, 0.0, half))
    });
    world.add(NewBody::fixed(Compound::new(steps.collect::<Vec<_>>()).unwrap(), Pose::IDENTITY)).unwrap();
    world.add(NewBody::fixed(Shape::sphere(0.2).unwrap(), at(0.8, 0.1, 0.05))).unwrap();
    for body in &bodies() {
        let end = walked(&world, body, 1.5, [2.0, 0.0], 0.7);
        assert!((end.x - 3.0).abs() < 0.05 && (end.z - 1.92).abs() < 0.05, "{}: {end}", body.0);
    }
}
