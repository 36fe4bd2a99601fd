//! Bad input is an error that names the body, and changes nothing.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{HalfSpace, HeightField, Mesh, Pose, Real, Shape, Vec3};
use clearance_sim::{Joint, RigidBody, SimError, Simulation, SimulationOptions, SoftStep, Solver, Thesis, Velocity};

fn simulation() -> Simulation {
    let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
    simulation.add(ball()).unwrap();
    simulation
}

fn ball() -> RigidBody {
    RigidBody::dynamic(Shape::sphere(0.5).unwrap(), Pose::IDENTITY)
}

const NONSENSE: [Real; 4] = [0.0, -1.0, Real::NAN, Real::INFINITY];

#[test]
fn masses_that_are_none() {
    for value in NONSENSE {
        for body in [ball().with_mass(value), ball().with_density(value)] {
            let mut simulation = simulation();
            let error = simulation.add(body).unwrap_err();
            assert!(matches!(error, SimError::Mass { body: 1, .. }), "{error}");
            assert!(error.to_string().starts_with("body 1: "), "{error}");
            assert_eq!(simulation.bodies().count(), 1);
            // A fixed body needs none.
            simulation.add(RigidBody::fixed(Shape::sphere(0.5).unwrap(), Pose::IDENTITY).with_mass(value)).unwrap();
        }
    }
}

#[test]
fn moving_bodies_that_are_no_solids() {
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    let open = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3]]).unwrap();
    let closed = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    let mut simulation = simulation();
    let error = simulation.add(RigidBody::dynamic(open.clone(), Pose::IDENTITY)).unwrap_err();
    assert_eq!(error, SimError::OpenMesh { body: 1 });
    let flat = Shape::rectangle([1.0, 1.0]).unwrap();
    let plane = HalfSpace::new(Vec3::Z, 0.0).unwrap();
    let field = HeightField::new(&[[0.0, 0.0], [0.0, 1.0]], [1.0, 1.0]).unwrap();
    let bodies: [clearance::Body; 4] = [flat.into(), Shape::point().into(), plane.into(), field.into()];
    for body in bodies {
        let error = simulation.add(RigidBody::dynamic(body.clone(), Pose::IDENTITY)).unwrap_err();
        assert!(matches!(error, SimError::NoVolume { body: 1, .. }), "{error}");
    }
    simulation.add(RigidBody::dynamic(closed, Pose::IDENTITY)).unwrap();
    simulation.add(RigidBody::fixed(open, Pose::IDENTITY)).unwrap();
}

#[test]
fn velocities_and_coefficients_that_are_none() {
    let mut simulation = simulation();
    for value in [Real::NAN, Real::INFINITY] {
        for (linear, angular) in [(Vec3::X * value, Vec3::ZERO), (Vec3::ZERO, Vec3::Y * value)] {
            let error = simulation.add(ball().with_velocity(linear, angular)).unwrap_err();
            assert!(matches!(error, SimError::Velocity { body: 1, .. }), "{error}");
            let first = simulation.bodies().next().unwrap();
            let error = simulation.set_velocity(first, Velocity { linear, angular }).unwrap_err();
            assert!(matches!(error, SimError::Velocity { body: 0, .. }), "{error}");
            assert!(simulation.push(first, Vec3::X * value, Vec3::ZERO).is_err());
        }
    }
    for (friction, restitution) in [(-1.0, 0.0), (Real::NAN, 0.0), (0.5, -0.1), (0.5, 1.5), (0.5, Real::NAN)] {
        let error = simulation.add(ball().with_surface(friction, restitution)).unwrap_err();
        assert!(matches!(error, SimError::Coefficient { body: 1, .. }), "{error}");
    }
    let moving_floor = RigidBody::fixed(Shape::sphere(1.0).unwrap(), Pose::IDENTITY).with_velocity(Vec3::X, Vec3::ZERO);
    assert!(simulation.add(moving_floor).is_err());
}

#[test]
fn steps_and_options_that_are_none() {
    for value in NONSENSE {
        let options = SimulationOptions { step: value, ..SimulationOptions::default() };
        assert!(matches!(Simulation::new(options), Err(SimError::Step { .. })));
        let solvers = [
            Solver::SoftStep(SoftStep { contact_hertz: value, ..SoftStep::default() }),
            Solver::SoftStep(SoftStep { sub_steps: 0, ..SoftStep::default() }),
            Solver::Thesis(Thesis { iterations: 0, ..Thesis::default() }),
        ];
        for solver in solvers {
            let options = SimulationOptions { solver, ..SimulationOptions::default() };
            assert!(matches!(Simulation::new(options), Err(SimError::Option { .. })));
        }
    }
    let options = SimulationOptions { gravity: Vec3::X * Real::NAN, ..SimulationOptions::default() };
    assert!(matches!(Simulation::new(options), Err(SimError::Option { name: "gravity", .. })));
}

#[test]
fn joints_that_are_none() {
    let mut simulation = simulation();
    let wall = simulation.add(RigidBody::fixed(Shape::sphere(1.0).unwrap(), Pose::IDENTITY)).unwrap();
    let post = simulation.add(RigidBody::fixed(Shape::sphere(1.0).unwrap(), Pose::IDENTITY)).unwrap();
    let ball = simulation.bodies().next().unwrap();
    let error = simulation.add_joint(Joint::ball([ball, ball], Vec3::ZERO)).unwrap_err();
    assert_eq!(error, SimError::JointWithItself { joint: 0, body: 0 });
    let error = simulation.add_joint(Joint::fixed([wall, post], Vec3::ZERO)).unwrap_err();
    assert_eq!(error, SimError::JointWithoutMotion { joint: 0, bodies: [1, 2] });
    let good = Joint::hinge([ball, wall], Vec3::ZERO, Vec3::Z);
    let bad = [
        Joint::ball([ball, wall], Vec3::X * Real::NAN),
        Joint::hinge([ball, wall], Vec3::ZERO, Vec3::ZERO),
        good.with_limits(1.0, 0.0),
        good.with_limits(Real::NAN, 0.0),
        Joint::ball([ball, wall], Vec3::ZERO).with_cone(Vec3::Z, -1.0, 0.0),
    ];
    for joint in bad {
        assert!(matches!(simulation.add_joint(joint), Err(SimError::JointGeometry { joint: 0, .. })));
    }
    assert_eq!(simulation.joints().count(), 0);
    simulation.add_joint(good).unwrap();
    let thesis = Solver::Thesis(Thesis::default());
    let mut without = Simulation::new(SimulationOptions { solver: thesis, ..SimulationOptions::default() }).unwrap();
    let pair = [(); 2].map(|()| without.add(self::ball()).unwrap());
    assert_eq!(without.add_joint(Joint::ball(pair, Vec3::ZERO)), Err(SimError::JointWithThesis { joint: 0 }));
    let mut other = Simulation::new(SimulationOptions::default()).unwrap();
    assert!(matches!(other.add_joint(good), Err(SimError::UnknownBody { .. })));
    assert!(matches!(other.pose(ball), Err(SimError::UnknownBody { body: 0 })));
}

#[test]
fn a_body_far_outside_is_reported_and_held() {
    let mut simulation = Simulation::new(SimulationOptions { bounds: 50.0, ..SimulationOptions::default() }).unwrap();
    let faller = simulation.add(ball()).unwrap();
    let other = simulation.add(ball().with_velocity(Vec3::ZERO, Vec3::ZERO)).unwrap();
    simulation.set_pose(other, Pose::from_translation([5.0, 0.0, 30.0]).unwrap()).unwrap();
    let mut reported = None;
    for step in 0..600 {
        let report = simulation.step().unwrap();
        if reported.is_none() && report.outside.contains(&faller) {
            reported = Some(step);
        }
    }
    // 50 lengths of free fall take 3.2 seconds.
    assert!(reported.is_some_and(|step| (180..200).contains(&step)), "{reported:?}");
    assert_eq!(simulation.step().unwrap().outside, [faller, other]);
    let at = simulation.pose(faller).unwrap().translation();
    assert!((-51.0..-50.0).contains(&at.z), "{at:?}");
    simulation.set_pose(faller, Pose::IDENTITY).unwrap();
    assert_eq!(simulation.step().unwrap().outside, [other]);
}

/// Speeds near the end of the range: impulses leave it, and no step panics. What is no number any more is held and reported.
#[test]
fn speeds_at_the_end_of_the_range_do_not_panic() {
    let mut held = 0;
    for share in [1e-2, 0.25, 1.0] {
        for spin in [Vec3::Z, Vec3::X, Vec3::ONE] {
            let fast = Real::MAX * share as Real;
            let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
            simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
            let at = Pose::from_translation([0.0, 0.0, 0.499]).unwrap();
            let ball = RigidBody::dynamic(Shape::sphere(0.5).unwrap(), at).with_mass(fast.sqrt());
            let ball = simulation.add(ball).unwrap();
            simulation.set_velocity(ball, Velocity { linear: Vec3::Z * -fast, angular: spin * fast }).unwrap();
            for _ in 0..4 {
                held += simulation.step().unwrap().outside.len();
            }
            assert!(simulation.pose(ball).unwrap().translation().is_finite());
        }
    }
    assert!(held > 0, "no body was held");
}
