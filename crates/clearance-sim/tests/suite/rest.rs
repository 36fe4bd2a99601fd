//! Stacks come to rest, with sleeping switched off so that nothing is held still by decree.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{HalfSpace, Pose, Real, Shape, Vec3};
use clearance_sim::scenes::{Stack, stack_end, stacking};
use clearance_sim::{RigidBody, Simulation, SimulationOptions, SoftStep, Solver};

fn awake(step: Real) -> SimulationOptions {
    SimulationOptions {
        step,
        sleeping: false,
        solver: Solver::SoftStep(SoftStep::for_step(step)),
        ..Default::default()
    }
}

/// What is at rest in this precision: single precision rounds places 20 lengths up to 2e-6, sixty times a second.
const REST: Real = if size_of::<Real>() == 8 { 1e-6 } else { 2e-3 };

#[test]
fn a_box_comes_to_rest_on_a_plane() {
    let mut simulation = Simulation::new(awake(1.0 / 60.0)).unwrap();
    simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
    let pose = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 0.5), 0.7).unwrap().with_translation([0.0, 0.0, 2.0]).unwrap();
    let cube = simulation.add(RigidBody::dynamic(Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), pose)).unwrap();
    for _ in 0..600 {
        simulation.step().unwrap();
    }
    assert!(simulation.fastest() < REST, "{}", simulation.fastest());
    assert!((simulation.pose(cube).unwrap().translation().z - 0.5).abs() < 1e-3);
}

#[test]
fn ten_boxes_rest_after_ten_seconds() {
    for round in [false, true] {
        let mut simulation = stacking(&Stack { count: 10, round, seed: 1 }, awake(1.0 / 60.0)).unwrap();
        for _ in 0..600 {
            simulation.step().unwrap();
        }
        assert!(simulation.fastest() < REST, "round: {round}, {}", simulation.fastest());
    }
}

#[test]
fn forty_boxes_stand() {
    // Five minutes take a minute; the lab's experiment does that.
    let end = stack_end(&Stack { count: 40, round: false, seed: 1 }, awake(1.0 / 200.0), 10.0).unwrap();
    assert!(end.stands && end.fastest < 0.2, "{end:?}");
}

#[test]
fn a_box_on_a_slope_stays_or_slides_by_its_friction() {
    // The tangent of the slope is 0.5.
    for (friction, stays) in [(0.6, true), (0.4, false)] {
        let mut simulation = Simulation::new(awake(1.0 / 60.0)).unwrap();
        let normal = Vec3::new(-0.5, 0.0, 1.0);
        let slope = HalfSpace::new(normal, 0.0).unwrap();
        simulation.add(RigidBody::fixed(slope, Pose::IDENTITY).with_surface(friction, 0.0)).unwrap();
        let lying = Pose::from_axis_angle(Vec3::Y, (-0.5 as Real).atan()).unwrap();
        let pose = lying.with_translation(normal.normalize() * 0.25).unwrap();
        let slab = RigidBody::dynamic(Shape::cuboid([0.5, 0.5, 0.25]).unwrap(), pose).with_surface(friction, 0.0);
        let slab = simulation.add(slab).unwrap();
        for _ in 0..120 {
            simulation.step().unwrap();
        }
        let moved = simulation.pose(slab).unwrap().translation().distance(pose.translation());
        // Sliding for two seconds at g (sin − 0.4 cos) would be 1.75.
        assert!(if stays { moved < 0.01 } else { (1.6..1.9).contains(&moved) }, "friction {friction}: {moved}");
    }
}
