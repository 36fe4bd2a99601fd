//! Islands of calm bodies sleep, cost nothing and wake up together.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::scenes::{Stack, stacking};
use clearance_sim::{RigidBody, Simulation, SimulationOptions, Velocity};

fn asleep(count: usize) -> Simulation {
    let mut simulation = stacking(&Stack { count, round: false, seed: 3 }, SimulationOptions::default()).unwrap();
    for _ in 0..300 {
        simulation.step().unwrap();
    }
    assert!(simulation.bodies().skip(1).all(|body| simulation.is_asleep(body).unwrap()));
    simulation
}

#[test]
fn a_stack_falls_asleep_as_one_and_keeps_its_contacts() {
    let mut simulation = asleep(5);
    let places: Vec<_> = simulation.bodies().map(|body| simulation.pose(body).unwrap()).collect();
    let report = simulation.step().unwrap();
    assert_eq!((report.awake, report.pairs), (0, 5));
    assert_eq!(simulation.fastest(), 0.0);
    assert!(simulation.bodies().zip(places).all(|(body, pose)| simulation.pose(body).unwrap() == pose));
}

#[test]
fn a_push_or_a_hit_wakes_the_whole_stack() {
    let mut simulation = asleep(4);
    let top = simulation.bodies().last().unwrap();
    simulation.push(top, Vec3::X, Vec3::ZERO).unwrap();
    assert_eq!(simulation.step().unwrap().awake, 4);
    let mut simulation = asleep(4);
    let ball = RigidBody::dynamic(Shape::sphere(0.5).unwrap(), Pose::from_translation([0.0, 0.0, 9.0]).unwrap());
    simulation.add(ball).unwrap();
    assert_eq!(simulation.step().unwrap().awake, 1);
    let most = (0..60).map(|_| simulation.step().unwrap().awake).max();
    assert_eq!(most, Some(5));
}

#[test]
fn a_lift_carries_what_sleeps_on_it() {
    let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
    let lift = RigidBody::kinematic(Shape::cuboid([2.0, 2.0, 0.1]).unwrap(), Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO);
    let lift = simulation.add(lift).unwrap();
    let cube = Shape::cuboid([0.5, 0.5, 0.5]).unwrap();
    let cube = simulation.add(RigidBody::dynamic(cube, Pose::from_translation([0.0, 0.0, 0.6]).unwrap())).unwrap();
    for _ in 0..120 {
        simulation.step().unwrap();
    }
    assert!(simulation.is_asleep(cube).unwrap());
    simulation.set_velocity(lift, Velocity { linear: Vec3::Z * 0.5, angular: Vec3::ZERO }).unwrap();
    for _ in 0..120 {
        simulation.step().unwrap();
    }
    let [lift, cube] = [lift, cube].map(|body| simulation.pose(body).unwrap().translation().z);
    assert!((lift - 1.0).abs() < 1e-3 && (cube - lift - 0.6).abs() < 5e-3, "{lift} {cube}");
    let calm: Real = simulation.velocity(simulation.bodies().last().unwrap()).unwrap().linear.z;
    assert!((calm - 0.5).abs() < 1e-2, "{calm}");
}
