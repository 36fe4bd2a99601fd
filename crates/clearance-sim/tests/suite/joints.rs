//! Joints hold what they hold and leave free what they leave free.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::{BodyHandle, Joint, JointHandle, RigidBody, Simulation, SimulationOptions};

/// A post at the origin and a rod that lies along x from it, joined there.
fn rod(joint: impl Fn([BodyHandle; 2]) -> Joint) -> (Simulation, BodyHandle, JointHandle) {
    let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
    let post = simulation.add(RigidBody::fixed(Shape::sphere(0.1).unwrap(), Pose::IDENTITY)).unwrap();
    let shape = Shape::cuboid([0.5, 0.1, 0.1]).unwrap();
    let rod = RigidBody::dynamic(shape, Pose::from_translation([0.5, 0.0, 0.0]).unwrap());
    let rod = simulation.add(rod).unwrap();
    let joint = simulation.add_joint(joint([post, rod])).unwrap();
    (simulation, rod, joint)
}

/// The lowest the rod has hung in two seconds, and the angle of its end.
fn swing(simulation: &mut Simulation, rod: BodyHandle, joint: JointHandle) -> (Real, Vec3) {
    let mut lowest: Real = 0.0;
    for _ in 0..240 {
        simulation.step().unwrap();
        assert!(simulation.joint_error(joint).unwrap() < 1e-3);
        lowest = lowest.min(simulation.pose(rod).unwrap().translation().z);
    }
    (lowest, simulation.pose(rod).unwrap().direction(Vec3::X))
}

#[test]
fn a_ball_joint_and_a_hinge_swing() {
    let (mut simulation, body, joint) = rod(|pair| Joint::ball(pair, Vec3::ZERO));
    let first = simulation.energy().total();
    let (lowest, _) = swing(&mut simulation, body, joint);
    assert!(lowest < -0.49, "{lowest}");
    let lost = first - simulation.energy().total();
    assert!((-1e-3 * 392.0..0.2 * 196.0).contains(&lost), "{lost}");
    let (mut simulation, body, joint) = rod(|pair| Joint::hinge(pair, Vec3::ZERO, Vec3::Y));
    let (lowest, end) = swing(&mut simulation, body, joint);
    assert!(lowest < -0.49 && end.y.abs() < 1e-3, "{lowest} {end:?}");
}

#[test]
fn a_hinge_across_gravity_and_a_fixed_joint_hold() {
    // About z: gravity pulls across the axis.
    let (mut simulation, body, joint) = rod(|pair| Joint::hinge(pair, Vec3::ZERO, Vec3::Z));
    let (lowest, _) = swing(&mut simulation, body, joint);
    assert!(lowest > -0.01, "{lowest}");
    let (mut simulation, body, joint) = rod(|pair| Joint::fixed(pair, Vec3::ZERO));
    let (lowest, end) = swing(&mut simulation, body, joint);
    assert!(lowest > -0.01 && end.x > 0.999, "{lowest} {end:?}");
}

#[test]
fn limits_hold() {
    // Downward is a positive rotation about y.
    let (mut simulation, body, joint) = rod(|pair| Joint::hinge(pair, Vec3::ZERO, Vec3::Y).with_limits(-0.5, 0.5));
    let (_, end) = swing(&mut simulation, body, joint);
    let angle = (-end.z).atan2(end.x);
    assert!((angle - 0.5).abs() < 0.01, "{angle}");
    let cone = |pair| Joint::ball(pair, Vec3::ZERO).with_cone(Vec3::X, 0.4, 0.2);
    let (mut simulation, body, joint) = rod(cone);
    let (_, end) = swing(&mut simulation, body, joint);
    let angle = end.x.clamp(-1.0, 1.0).acos();
    assert!((angle - 0.4).abs() < 0.01, "{angle}");
    // Spun about its axis it stops at the twist.
    let (mut simulation, body, joint) = rod(cone);
    simulation.push(body, Vec3::Z * 100.0, Vec3::new(0.5, 0.1, 0.0)).unwrap();
    swing(&mut simulation, body, joint);
    let up = simulation.pose(body).unwrap().direction(Vec3::Z);
    assert!(up.z > (0.2 as Real + 0.4 + 0.05).cos(), "{up:?}");
}

#[test]
fn joined_bodies_do_not_collide_unless_asked() {
    for (collide, touching) in [(false, 0), (true, 1)] {
        let (mut simulation, ..) = rod(|pair| Joint { collide, ..Joint::fixed(pair, Vec3::ZERO) });
        assert_eq!(simulation.step().unwrap().pairs, touching);
    }
}
