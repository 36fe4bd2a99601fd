//! Bodies that move one by one: nothing overlaps, the energy never grows, nothing is lost, everything comes to rest, at any rate.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::doom::experiment::{brick_wall, figure_on_stairs};
use clearance_sim::doom::{NewMoving, Room, RoomOptions};

const RATES: [u32; 4] = [30, 60, 120, 240];

/// What one step may add to the energy by rounding, relative to that at the start.
const ROUNDING: Real = 64.0 * Real::EPSILON;

/// Steps that are not divided: what is promised holds for long ones, too.
fn plain() -> RoomOptions {
    RoomOptions { longest_step: Real::INFINITY, ..RoomOptions::default() }
}

fn at(x: Real, y: Real, z: Real) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

fn cuboid(x: Real, y: Real, z: Real) -> Shape {
    Shape::cuboid([x, y, z]).unwrap()
}

fn with_floor(options: RoomOptions) -> Room {
    let mut room = Room::new(options).unwrap();
    room.add_fixed(cuboid(10.0, 10.0, 0.5), at(0.0, 0.0, -0.5)).unwrap();
    room
}

#[test]
fn a_wall_is_shot_at() {
    for rate in RATES {
        let mut scene = brick_wall(3, 3, 15.0, plain()).unwrap();
        let report = scene.run(rate as Real, 3.0, true).unwrap();
        assert_eq!((report.penetration, report.lost), (0.0, 0), "{rate}: {report:?}");
        // A millionth: energy of height that a body held in the air has won in one step and could not give back.
        assert!(report.growth < 1e-6, "{rate}: {report:?}");
        assert!((3..=9).contains(&report.moved), "{rate}: {report:?}");
        let again = brick_wall(3, 3, 15.0, plain()).unwrap().run(rate as Real, 3.0, false).unwrap();
        assert_eq!(again.path, report.path, "{rate}: the same again");
    }
}

#[test]
fn the_outcome_does_not_depend_on_the_rate() {
    let outcome = |rate: u32| {
        let mut scene = brick_wall(4, 3, 15.0, RoomOptions::default()).unwrap();
        let report = scene.run(rate as Real, 2.0, rate == 30).unwrap();
        let ball = scene.room.pose(*scene.bodies.last().unwrap()).unwrap().translation();
        (report, ball)
    };
    let outcomes = RATES.map(outcome);
    let (first, ball) = outcomes[2];
    for (rate, (report, there)) in RATES.into_iter().zip(outcomes) {
        assert_eq!((report.penetration, report.lost), (0.0, 0), "{rate}: {report:?}");
        assert!((report.energy - first.energy).abs() < 0.05, "{rate}: {report:?} {first:?}");
        // The first three are divided into the same steps; at the last rate the ball bounces off other corners of the bricks.
        let most = if rate == 240 { 0.75 } else { 0.01 };
        assert!((there - ball).length() < most, "{rate}: {there} {ball}");
        assert!(report.moved.abs_diff(first.moved) <= 2, "{rate}: {report:?} {first:?}");
    }
}

#[test]
fn a_wall_that_nothing_hits_stands_and_rests() {
    for rate in RATES {
        let mut scene = brick_wall(6, 3, -1.0, plain()).unwrap();
        let report = scene.run(rate as Real, 2.0, true).unwrap();
        assert_eq!((report.penetration, report.lost, report.moved), (0.0, 0, 1), "{rate}: {report:?}");
        assert!(report.growth <= ROUNDING && report.resting >= 21, "{rate}: {report:?}");
    }
}

#[test]
fn a_figure_falls_down_stairs() {
    for rate in RATES {
        let mut scene = figure_on_stairs(plain()).unwrap();
        let report = scene.run(rate as Real, 2.0, true).unwrap();
        assert_eq!((report.penetration, report.lost), (0.0, 0), "{rate}: {report:?}");
        assert!(report.joint_error < 3e-4 && report.growth < 1e-4, "{rate}: {report:?}");
        assert!(report.energy < 0.75, "{rate}: it has fallen: {report:?}");
    }
}

#[test]
fn flight_is_exact_at_any_rate_and_spin_keeps_its_energy() {
    for rate in RATES {
        let mut room = Room::new(plain()).unwrap();
        let body = NewMoving {
            velocity: Vec3::new(3.0, 1.0, 5.0),
            angular: Vec3::new(0.1, 4.0, 0.2),
            ..NewMoving::new(cuboid(0.3, 0.2, 0.1), at(0.0, 0.0, 0.0), 2.0)
        };
        let id = room.add(body).unwrap();
        let start = room.energy();
        for _ in 0..rate {
            room.step(1.0 / rate as Real).unwrap();
        }
        let exact = Vec3::new(3.0, 1.0, 5.0 - 0.5 * 9.81);
        assert!((room.pose(id).unwrap().translation() - exact).length() < 1e-4, "{rate}");
        let energy = room.energy() / start;
        assert!(energy < 1.0 + 1e-5 && energy > 0.98, "{rate}: {energy}");
    }
}

#[test]
fn a_ball_bounces_to_the_same_height_at_any_rate_and_rests() {
    for rate in RATES {
        let mut room = with_floor(plain());
        let ball =
            NewMoving { restitution: 0.8, ..NewMoving::new(Shape::sphere(0.25).unwrap(), at(0.0, 0.0, 2.25), 1.0) };
        let ball = room.add(ball).unwrap();
        let (mut highest, mut has_bounced): (Real, bool) = (0.0, false);
        for _ in 0..12 * rate {
            room.step(1.0 / rate as Real).unwrap();
            has_bounced |= room.velocity(ball).unwrap()[0].z > 1.0;
            let height = room.pose(ball).unwrap().translation().z - 0.25;
            highest = if has_bounced { highest.max(height) } else { highest };
        }
        // 0.8² of two metres, less what the rest of the first step after the collision takes.
        assert!((highest - 1.28).abs() < 0.2, "{rate}: {highest}");
        let (pose, velocity) = (room.pose(ball).unwrap().translation(), room.velocity(ball).unwrap());
        assert!(room.is_resting(ball).unwrap(), "{rate}: {pose} {velocity:?}");
        let height = room.pose(ball).unwrap().translation().z;
        assert!(height > 0.25 && height < 0.255, "{rate}: {height}");
    }
}

#[test]
fn nothing_passes_a_thin_floor_however_fast() {
    for rate in RATES {
        for (shape, turn) in
            [(cuboid(0.1, 0.1, 0.1), 9.0), (Shape::sphere(0.1).unwrap(), 0.0), (cuboid(0.5, 0.02, 0.02), 20.0)]
        {
            let mut room = Room::new(plain()).unwrap();
            let floor = room.add_fixed(cuboid(30.0, 30.0, 0.001), at(0.0, 0.0, 0.0)).unwrap();
            let body = NewMoving {
                velocity: Vec3::new(5.0, 1.0, -200.0),
                angular: Vec3::new(turn, 0.5 * turn, 0.0),
                ..NewMoving::new(shape, at(0.0, 0.0, 3.0), 1.0)
            };
            let id = room.add(body).unwrap();
            for _ in 0..rate {
                room.step(1.0 / rate as Real).unwrap();
                let world = room.world();
                let bodies = [id, floor].map(|id| (world.body(id).unwrap(), *world.pose(id).unwrap()));
                let cache = &mut clearance::Cache::default();
                let near = clearance::closest(bodies[0].0, &bodies[0].1, bodies[1].0, &bodies[1].1, cache);
                assert!(near.distance > 0.0 && room.pose(id).unwrap().translation().z > 0.0, "{rate}");
            }
        }
    }
}

#[test]
fn a_body_that_leaves_is_reported() {
    let mut room = Room::new(RoomOptions { reach: 20.0, ..RoomOptions::default() }).unwrap();
    let id = room.add(NewMoving::new(cuboid(0.1, 0.1, 0.1), at(0.0, 0.0, 0.0), 1.0)).unwrap();
    let outside: Vec<u32> = (0..180).map(|_| room.step(1.0 / 60.0).unwrap().outside).collect();
    assert!(outside[0] == 0 && outside[179] == 1);
    let place = room.pose(id).unwrap().translation();
    assert!(place.z < -20.0 && place.z > -21.0, "{place}");
}

#[test]
fn a_pendulum_keeps_its_length() {
    for rate in RATES {
        let mut room = Room::new(plain()).unwrap();
        let mut last = room.add_fixed(Shape::sphere(0.05).unwrap(), at(0.0, 0.0, 0.0)).unwrap();
        let mut joints = Vec::new();
        for link in 0..5 {
            let x = 0.1 + 0.5 * link as Real;
            let new = NewMoving::new(cuboid(0.2, 0.03, 0.03), at(x + 0.25, 0.0, 0.0), 1.0);
            let id = room.add(new).unwrap();
            joints.push(room.join(last, id, Vec3::new(x, 0.0, 0.0)).unwrap());
            last = id;
        }
        for _ in 0..2 * rate {
            let stepped = room.step(1.0 / rate as Real).unwrap();
            assert!(stepped.joint_error < 5e-4, "{rate}: {stepped:?}");
        }
        assert!(joints.iter().all(|&joint| room.joint_error(joint).unwrap() < 5e-4));
    }
}

#[test]
fn bad_input_is_refused_and_names_the_body() {
    let mut room = with_floor(RoomOptions::default());
    let new = || NewMoving::new(cuboid(0.5, 0.5, 0.5), at(0.0, 0.0, 2.0), 1.0);
    for mass in [0.0, -1.0, Real::NAN, Real::INFINITY] {
        let message = room.add(NewMoving { mass, ..new() }).unwrap_err().to_string();
        assert!(message.contains("body 1") && message.contains("mass"), "{message}");
    }
    let message = room.add(NewMoving { velocity: Vec3::new(0.0, Real::NAN, 0.0), ..new() }).unwrap_err().to_string();
    assert!(message.contains("body 1") && message.contains("velocity"), "{message}");
    let message = room.add(NewMoving { restitution: 1.5, ..new() }).unwrap_err().to_string();
    assert!(message.contains("body 1") && message.contains("restitution"), "{message}");
    let triangle = Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
    let message = room.add(NewMoving::new(triangle, at(0.0, 0.0, 2.0), 1.0)).unwrap_err().to_string();
    assert!(message.contains("body 1") && message.contains("solids"), "{message}");
    let body = room.add(new()).unwrap();
    assert!(room.set_velocity(body, Vec3::INFINITY, Vec3::ZERO).unwrap_err().to_string().contains("body 1"));
    for dt in [0.0, -1.0, Real::NAN] {
        assert!(room.step(dt).unwrap_err().to_string().contains("step of"));
    }
    assert!(room.join(body, body, Vec3::ZERO).unwrap_err().to_string().contains("itself"));
    assert!(Room::new(RoomOptions { zone: -1.0, ..RoomOptions::default() }).is_err());
}
