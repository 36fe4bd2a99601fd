//! Momentum and energy.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Body, HalfSpace, Mesh, Pose, Quat, Real, Shape, Vec3};
use clearance_sim::{RigidBody, Simulation, SimulationOptions};

fn weightless(step: Real) -> SimulationOptions {
    SimulationOptions { step, gravity: Vec3::ZERO, sleeping: false, ..SimulationOptions::default() }
}

#[test]
fn a_tumbling_body_keeps_its_angular_momentum_and_never_gains_energy() {
    let mut simulation = Simulation::new(weightless(1.0 / 240.0)).unwrap();
    let half = Vec3::new(0.6, 0.25, 0.1);
    let mass: Real = 3.0;
    let brick = RigidBody::dynamic(Shape::cuboid(half.to_array()).unwrap(), Pose::IDENTITY).with_mass(mass);
    // About the middle axis, which is unstable: the body turns over.
    let brick = simulation.add(brick.with_velocity(Vec3::ZERO, [0.01, 5.0, 0.02])).unwrap();
    let square = half * half;
    let inertia = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 3.0);
    let momentum = |turn: Quat, angular: Vec3| turn * (inertia * (turn.conjugate() * angular));
    let first = momentum(Quat::IDENTITY, simulation.velocity(brick).unwrap().angular);
    let mut energy = simulation.energy().total();
    let mut turned_over = false;
    for _ in 0..2400 {
        simulation.step().unwrap();
        let now = simulation.energy().total();
        assert!(now <= energy * (1.0 + 64.0 * Real::EPSILON), "{now} {energy}");
        energy = now;
        let turn = simulation.pose(brick).unwrap().rotation();
        turned_over |= (turn * Vec3::Y).dot(Vec3::Y) < -0.5;
        let drift = momentum(turn, simulation.velocity(brick).unwrap().angular).distance(first) / first.length();
        assert!(drift < 0.05, "{drift}");
    }
    assert!(turned_over);
}

#[test]
fn a_collision_keeps_linear_and_angular_momentum() {
    let mut simulation = Simulation::new(weightless(1.0 / 60.0)).unwrap();
    let cube = Shape::cuboid([0.5, 0.5, 0.5]).unwrap();
    let bodies: Vec<_> = [([-2.0, 0.2, 0.1], [3.0, 0.0, 0.0], 1.0), ([1.0, -0.1, 0.0], [-1.0, 0.5, 0.0], 2.0)]
        .into_iter()
        .map(|(at, linear, mass)| {
            let body = RigidBody::dynamic(cube.clone(), Pose::from_translation(at).unwrap()).with_mass(mass);
            (simulation.add(body.with_velocity(linear, [0.3, 0.1, -0.2]).with_surface(0.4, 0.5)).unwrap(), mass)
        })
        .collect();
    let momentum = |simulation: &Simulation| {
        bodies.iter().fold([Vec3::ZERO; 2], |[linear, angular], &(body, mass)| {
            let velocity = simulation.velocity(body).unwrap();
            let at = simulation.pose(body).unwrap().translation();
            let spin = velocity.angular * (mass / 6.0);
            [linear + velocity.linear * mass, angular + spin + at.cross(velocity.linear) * mass]
        })
    };
    let first = momentum(&simulation);
    let mut touched = false;
    for _ in 0..120 {
        touched |= simulation.step().unwrap().pairs > 0;
    }
    let last = momentum(&simulation);
    assert!(touched);
    assert!(first[0].distance(last[0]) < 100.0 * Real::EPSILON.sqrt() * 1e-2 + 1e-5, "{first:?} {last:?}");
    // Contacts act at the place where the step began.
    assert!(first[1].distance(last[1]) < 0.05, "{first:?} {last:?}");
    assert!(simulation.velocity(bodies[0].0).unwrap().linear.x < 0.0, "it has bounced back");
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    for restitution in [0.0, 0.5, 0.8] {
        let step = 1.0 / 240.0;
        let mut simulation = Simulation::new(SimulationOptions { step, ..SimulationOptions::default() }).unwrap();
        simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
        let ball = RigidBody::dynamic(Shape::sphere(0.25).unwrap(), Pose::from_translation([0.0, 0.0, 2.25]).unwrap());
        let ball = simulation.add(ball.with_surface(0.5, restitution)).unwrap();
        let mut highest: Real = 0.0;
        for step in 0..480 {
            simulation.step().unwrap();
            // Down by 0.64 seconds.
            if step > 170 {
                highest = highest.max(simulation.pose(ball).unwrap().translation().z - 0.25);
            }
        }
        let expected = 2.0 * restitution * restitution;
        assert!((highest - expected).abs() < 0.06, "{restitution}: {highest} for {expected}");
    }
}

/// A level floor that is a mesh, with many triangles.
fn tiles() -> Body {
    let corner = |at: u32| Vec3::new((at % 9) as Real - 4.0, (at / 9) as Real - 4.0, 0.0);
    let vertices: Vec<Vec3> = (0..81).map(corner).collect();
    let squares = (0..64).map(|at| at / 8 * 9 + at % 8);
    let faces: Vec<[u32; 3]> = squares.flat_map(|at| [[at, at + 1, at + 10], [at, at + 10, at + 9]]).collect();
    Mesh::new(&vertices, &faces).unwrap().into()
}

#[test]
fn what_rolls_on_a_level_floor_goes_no_faster() {
    let lying = Quat::from_rotation_x(-(90.0 as Real).to_radians());
    let rolling: [(Shape, Real, Quat); 3] = [
        (Shape::sphere(0.5).unwrap(), 0.5, Quat::IDENTITY),
        (Shape::capsule(0.4, 0.25).unwrap(), 0.25, Quat::from_rotation_z((90.0 as Real).to_radians())),
        (Shape::cylinder(0.4, 0.25).unwrap(), 0.25, lying),
    ];
    let floors = [Body::from(HalfSpace::new(Vec3::Z, 0.0).unwrap()), tiles()];
    for (shape, radius, turn) in rolling {
        for (floor, speed) in floors.iter().flat_map(|floor| [0.01, 0.1, 0.4].map(|speed: Real| (floor, speed))) {
            let options = SimulationOptions { sleeping: false, ..SimulationOptions::default() };
            let mut simulation = Simulation::new(options).unwrap();
            simulation.add(RigidBody::fixed(floor.clone(), Pose::IDENTITY)).unwrap();
            // All axes along y: they roll along x.
            let pose = Pose::new([-2.0, 0.3, radius], turn.to_array()).unwrap();
            let body = RigidBody::dynamic(shape.clone(), pose);
            let body = simulation.add(body.with_velocity([speed, 0.0, 0.0], [0.0, speed / radius, 0.0])).unwrap();
            for _ in 0..300 {
                simulation.step().unwrap();
            }
            let now = simulation.velocity(body).unwrap().linear;
            let gain = now.x / speed - 1.0;
            assert!((-0.05..0.01).contains(&gain), "{shape:?} at {speed} gains {gain}");
        }
    }
}
