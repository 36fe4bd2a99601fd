//! Islands of calm bodies sleep, cost nothing and wake up together.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::world::Filter;
use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::scenes::{Stack, bowl, stacking};
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

#[test]
fn while_all_sleep_time_passes_and_what_is_added_counts() {
    let mut simulation = asleep(3);
    let (time, contacts) = (simulation.time(), simulation.contacts().count());
    for _ in 0..60 {
        simulation.step().unwrap();
    }
    assert!((simulation.time() - time - 1.0).abs() < 1e-3);
    assert_eq!(simulation.contacts().count(), contacts);
    // A fixed body wakes nobody, and is there for queries after a step.
    let wall = Shape::cuboid([0.5, 5.0, 5.0]).unwrap();
    simulation.add(RigidBody::fixed(wall, Pose::from_translation([20.0, 0.0, 5.0]).unwrap())).unwrap();
    assert_eq!(simulation.step().unwrap().awake, 0);
    let mut found = Vec::new();
    let (probe, at) = (Shape::sphere(0.1).unwrap(), Pose::from_translation([20.0, 0.0, 5.0]).unwrap());
    simulation.world().overlapping(&probe, &at, &Filter::default(), &mut found);
    assert_eq!(found.len(), 1);
    // A body put elsewhere wakes what it stood on.
    let top = simulation.bodies().nth(3).unwrap();
    simulation.step().unwrap();
    simulation.set_pose(top, Pose::from_translation([0.0, 0.0, 12.0]).unwrap()).unwrap();
    assert_eq!(simulation.step().unwrap().awake, 3);
}

/// One contact point resists a spin about its normal as the patch does that it stands for: a ball stops spinning in place, and sleeps.
#[test]
fn what_spins_on_one_point_comes_to_rest() {
    let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
    let floor = Shape::cuboid([9.0, 9.0, 0.5]).unwrap();
    simulation.add(RigidBody::fixed(floor, Pose::from_translation([0.0, 0.0, -0.5]).unwrap())).unwrap();
    let at = Pose::from_translation([0.0, 0.0, 0.2]).unwrap();
    let ball = simulation.add(RigidBody::dynamic(Shape::sphere(0.2).unwrap(), at)).unwrap();
    let spin = Velocity { linear: Vec3::ZERO, angular: Vec3::Z * 4.0 };
    simulation.set_velocity(ball, spin).unwrap();
    let (mut last, mut seconds) = (4.0, 0.0);
    while !simulation.is_asleep(ball).unwrap() && seconds < 20.0 {
        simulation.step().unwrap();
        let now = simulation.velocity(ball).unwrap().angular.length();
        assert!(now <= last + 1e-4, "{last} to {now}");
        (last, seconds) = (now, simulation.time());
    }
    // Friction of 0.6 in a patch of 4 mm against the inertia of a ball, and half a second of calm.
    let stops = 4.0 / (0.6 * 9.81 * 0.004 / (0.4 * 0.2 * 0.2)) + 0.5;
    assert!((seconds - stops).abs() < 0.3, "{seconds} s, {stops} expected");
}

/// A heap sleeps although some of it jitters: what counts is how far it goes. One heap in some goes on rolling for longer, which a last place
/// of a contact decides.
#[test]
fn heaps_in_a_bowl_fall_asleep() {
    let steps: Vec<Option<usize>> = (1..=5)
        .map(|seed| {
            let mut simulation = bowl(150, seed, SimulationOptions::default()).unwrap();
            (0..1200).position(|_| simulation.step().unwrap().awake == 0)
        })
        .collect();
    assert!(steps.iter().flatten().all(|steps| *steps > 60), "{steps:?}");
    assert!(steps.iter().flatten().count() >= 3, "{steps:?}");
}
