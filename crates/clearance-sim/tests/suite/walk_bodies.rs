//! Jumps, lifts, turntables, doors, crouching and bad input.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::world::{NewBody, World};
use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::walk::{Walk, WalkError, Walker};

use super::walk_scene::{GRAVITY, Game, RATES, at, block, bodies, floor, least_distance, prism, world};

#[test]
fn a_jump_leaves_the_ground_at_once_and_lands_again() {
    let mut world = world();
    floor(&mut world);
    let tan = Real::to_radians(40.0).tan();
    prism(&mut world, &[[2.0, 0.0], [12.0, 10.0 * tan], [12.0, 0.0]], [-9.0, 9.0]);
    // A snap that is higher than the jump.
    let walk = Walk { snap: 2.0, ..Walk::default() };
    for body in &bodies() {
        for rate in RATES {
            for (place, wish) in
                [([0.0, 0.0, 1.0], [0.0, 0.0]), ([5.0, 0.0, 4.0], [2.0, 0.0]), ([7.0, 0.0, 6.0], [-2.0, 0.0])]
            {
                let mut game = Game::new(body, place, walk, rate);
                game.run(&world, 1.0, [0.0, 0.0], |_| {});
                let start = game.place();
                let first = game.frame(&world, wish, Some(4.0));
                assert!(first.ground.is_none(), "{} {rate} {wish:?}", body.0);
                let rise = first.pose.translation().z - start.z;
                assert!((rise - 4.0 * game.dt).abs() < 1e-4, "{} {rate} {wish:?}: {rise}", body.0);
                let (mut highest, mut landed) = (0.0 as Real, false);
                game.run(&world, 1.5, [0.0, 0.0], |walked| {
                    highest = highest.max(walked.pose.translation().z - start.z);
                    landed = walked.ground.is_some();
                });
                let exact = 0.5 * 16.0 / GRAVITY;
                assert!((highest - exact).abs() < 0.1, "{} {rate} {wish:?}: {highest} of {exact}", body.0);
                assert!(landed, "{} {rate} {wish:?}", body.0);
            }
        }
    }
}

#[test]
fn a_jump_under_a_ceiling_falls_back() {
    let mut world = world();
    floor(&mut world);
    block(&mut world, [-5.0, -5.0, 2.0], [5.0, 5.0, 3.0]);
    for body in &bodies() {
        for rate in RATES {
            let mut game = Game::new(body, [0.0, 0.0, 0.93], Walk::default(), rate);
            game.run(&world, 0.2, [0.0, 0.0], |_| {});
            game.frame(&world, [1.0, 0.0], Some(5.0));
            let mut airborne = 0;
            game.run(&world, 1.0, [1.0, 0.0], |walked| airborne += u32::from(walked.ground.is_none()));
            let seconds = airborne as Real * game.dt;
            // Up 0.16 at 5 m/s, and down again from rest.
            assert!((0.1..0.35).contains(&seconds), "{} {rate}: {seconds}", body.0);
            assert!(least_distance(&world, &game.walker) > 0.014);
        }
    }
}

/// A floor, and a platform that moves.
fn with_platform(half: [Real; 3]) -> (World, clearance::world::BodyId) {
    let mut world = world();
    floor(&mut world);
    let platform = world.add(NewBody::new(Shape::cuboid(half).unwrap(), at(0.0, 0.0, 0.2))).unwrap();
    (world, platform)
}

#[test]
fn platforms_are_ridden_up_down_sideways_and_round() {
    for body in &bodies() {
        for rate in RATES {
            let (mut world, platform) = with_platform([3.0, 3.0, 0.1]);
            let mut game = Game::new(body, [2.0, 0.0, 1.3], Walk::default(), rate);
            game.run(&world, 0.3, [0.0, 0.0], |_| {});
            let start = *game.walker.pose();
            // Up by 3, along by 2, half round, in two seconds, and back down.
            let frames = 2 * rate;
            for frame in 1..=2 * frames {
                let t = frame.min(2 * frames - frame) as Real / frames as Real;
                let half = 0.5 * Real::to_radians(180.0) * t;
                let pose = Pose::new([2.0 * t, 0.0, 0.2 + 3.0 * t], [0.0, 0.0, half.sin(), half.cos()]).unwrap();
                world.set_pose(platform, pose).unwrap();
                if frame % 7 == 0 {
                    world.step();
                }
                let walked = game.frame(&world, [0.0, 0.0], None);
                assert_eq!(walked.ground.map(|ground| ground.body), Some(platform), "{} {rate} {frame}", body.0);
                let exact = pose.point(Vec3::new(2.0, 0.0, start.translation().z - 0.2));
                assert!((game.place() - exact).length() < 2e-3, "{} {rate} {frame}: {} {exact}", body.0, game.place());
                assert!(!walked.crushed);
                let turned = walked.pose.direction(start.direction_to_local(Vec3::X));
                assert!(turned.dot(pose.direction(Vec3::X)) > 0.999, "{} {rate} {frame}", body.0);
            }
        }
    }
}

#[test]
fn a_jump_from_a_rising_lift_is_higher() {
    for body in &bodies() {
        for rate in RATES {
            let (mut world, lift) = with_platform([3.0, 3.0, 0.1]);
            let mut game = Game::new(body, [0.0, 0.0, 1.25], Walk::default(), rate);
            game.run(&world, 0.3, [0.0, 0.0], |_| {});
            let mut velocity = Vec3::ZERO;
            for frame in 1..=rate {
                world.set_pose(lift, at(0.0, 0.0, 0.2 + 2.0 * frame as Real * game.dt)).unwrap();
                let jump = (frame == rate).then_some(3.0);
                velocity = game.frame(&world, [0.0, 0.0], jump).velocity;
            }
            assert!((velocity.z - 5.0).abs() < 1e-3, "{} {rate}: {velocity}", body.0);
        }
    }
}

#[test]
fn doors_push_and_crush() {
    for body in &bodies() {
        for rate in RATES {
            for speed in [0.5, 3.0, 12.0] {
                let mut world = world();
                floor(&mut world);
                let wall = block(&mut world, [4.0, -5.0, 0.0], [5.0, 5.0, 3.0]);
                let shape = Shape::cuboid([0.05, 2.0, 1.5]).unwrap();
                let door = world.add(NewBody::new(shape, at(-1.0, 0.0, 1.5))).unwrap();
                let mut game = Game::new(body, [0.0, 0.0, 0.93], Walk::default(), rate);
                game.run(&world, 0.1, [0.0, 0.0], |_| {});
                let (mut x, mut crushed): (Real, bool) = (-1.0, false);
                while x < 3.0 {
                    x += speed * game.dt;
                    world.set_pose(door, at(x, 0.0, 1.5)).unwrap();
                    // It walks against the door.
                    let walked = game.frame(&world, [-1.0, 0.0], None);
                    let gap = game.place().x - 0.3 - (x + 0.05);
                    let to_wall = 4.0 - 0.3 - game.place().x;
                    assert!(to_wall > 0.014, "{} {rate} {speed}: in the wall by {to_wall}", body.0);
                    if x < 3.0 {
                        assert!(!walked.crushed && gap > 0.009, "{} {rate} {speed} at {x}: {gap}", body.0);
                    }
                    crushed = walked.crushed;
                }
                world.set_pose(door, at(3.6, 0.0, 1.5)).unwrap();
                crushed |= game.frame(&world, [0.0, 0.0], None).crushed;
                assert!(crushed, "{} {rate} {speed}: no room", body.0);
                world.set_pose(door, at(1.0, 0.0, 1.5)).unwrap();
                assert!(!game.frame(&world, [0.0, 0.0], None).crushed);
                game.run(&world, 0.5, [-2.0, 0.0], |_| {});
                assert!(game.place().x < 3.4, "{} {rate} {speed}: free again", body.0);
                assert!(world.pose(wall).is_ok());
            }
        }
    }
}

#[test]
fn a_swinging_door_pushes_to_the_side_it_came_from() {
    for body in &bodies() {
        for rate in RATES {
            let mut world = world();
            floor(&mut world);
            let hinge = Vec3::new(0.0, -1.0, 1.5);
            let shape = Shape::cuboid([0.05, 1.0, 1.5]).unwrap();
            let pose = |angle: Real| {
                let turn = Pose::from_axis_angle(Vec3::Z, angle).unwrap();
                turn.with_translation(hinge + turn.direction(Vec3::Y)).unwrap()
            };
            let door = world.add(NewBody::new(shape, pose(0.0))).unwrap();
            // Before the door, which opens towards it by a quarter turn in a fifth of a second.
            let mut game = Game::new(body, [-0.5, 0.2, 0.93], Walk::default(), rate);
            game.run(&world, 0.1, [0.0, 0.0], |_| {});
            let frames = rate / 5;
            for frame in 1..=frames {
                world.set_pose(door, pose(Real::to_radians(90.0) * frame as Real / frames as Real)).unwrap();
                let walked = game.frame(&world, [0.0, 0.0], None);
                assert!(!walked.crushed && least_distance(&world, &game.walker) > 0.004, "{} {rate}", body.0);
            }
            // The open door lies along −x at y = −1, and the walker is before it.
            assert!(game.place().y < -1.0 - 0.05 - 0.3, "{} {rate}: {}", body.0, game.place());
        }
    }
}

#[test]
fn lifts_crush_against_ceilings_and_nothing_is_entered_that_did_not_come() {
    for body in &bodies() {
        for rate in RATES {
            let (mut world, lift) = with_platform([1.0, 1.0, 0.1]);
            let ceiling = block(&mut world, [-5.0, -5.0, 4.0], [5.0, 5.0, 5.0]);
            let mut game = Game::new(body, [0.0, 0.0, 1.25], Walk::default(), rate);
            game.run(&world, 0.3, [0.0, 0.0], |_| {});
            let mut crushed = None;
            for frame in 0..2 * rate {
                let z = 0.2 + 2.0 * frame as Real * game.dt;
                world.set_pose(lift, at(0.0, 0.0, z)).unwrap();
                let walked = game.frame(&world, [0.0, 0.0], None);
                if walked.crushed && crushed.is_none() {
                    crushed = Some(z);
                }
                let (up, pose) = (world.body(ceiling).unwrap(), world.pose(ceiling).unwrap());
                let shape = game.walker.shape();
                let near = clearance::distance(up, pose, shape, game.walker.pose(), &mut clearance::Cache::default());
                assert!(near.is_some_and(|near| near.distance > 0.014), "{} {rate} {z}", body.0);
            }
            // There is room for 1.8 between the lift's top and the ceiling.
            let at = crushed.unwrap();
            assert!((at - 2.1).abs() < 0.12, "{} {rate}: crushed at {at}", body.0);
        }
    }
}

#[test]
fn a_crouched_walker_stands_up_only_where_there_is_room() {
    let mut world = world();
    floor(&mut world);
    block(&mut world, [2.0, -5.0, 1.2], [4.0, 5.0, 3.0]);
    for (body, low) in bodies().iter().zip([Shape::capsule(0.2, 0.3).unwrap(), Shape::cuboid([0.3, 0.3, 0.5]).unwrap()])
    {
        for rate in RATES {
            let mut game = Game::new(body, [0.0, 0.0, 0.93], Walk::default(), rate);
            game.run(&world, 0.1, [0.0, 0.0], |_| {});
            game.run(&world, 1.5, [2.0, 0.0], |_| {});
            assert!(game.place().x < 1.7, "{} {rate}: too high to pass", body.0);
            let pose = *game.walker.pose();
            game.walker = Walker::new(body.1.clone(), pose, Walk::default()).unwrap().with_low_shape(low.clone());
            game.last = None;
            game.walker.crouch(true);
            game.run(&world, 1.0, [2.0, 0.0], |walked| assert!(walked.crouched, "{} {rate}", body.0));
            let inside = game.place();
            assert!(inside.x > 2.3 && inside.x < 4.0, "{} {rate}: {inside}", body.0);
            game.walker.crouch(false);
            game.run(&world, 0.3, [0.0, 0.0], |walked| assert!(walked.crouched, "{} {rate}", body.0));
            let mut stood = None;
            game.run(&world, 2.0, [2.0, 0.0], |walked| {
                if !walked.crouched && stood.is_none() {
                    stood = Some(walked.pose.translation());
                }
            });
            let stood = stood.unwrap();
            assert!((stood.x - 4.3).abs() < 0.15, "{} {rate}: {stood}", body.0);
            assert!((game.place().z - 0.92).abs() < 1e-3 && least_distance(&world, &game.walker) > 0.014);
        }
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let shape = || Shape::cuboid([0.3, 0.3, 0.9]).unwrap();
    let new = |walk: Walk| Walker::new(shape(), at(0.0, 0.0, 1.0), walk).map(|_| ());
    let bad = |result: Result<(), WalkError>| result.unwrap_err().to_string();
    assert!(bad(new(Walk { skin: 0.0, ..Walk::default() })).contains("skin is 0"));
    assert!(bad(new(Walk { skin: Real::NAN, ..Walk::default() })).contains("skin is NaN"));
    assert!(bad(new(Walk { step_height: -1.0, ..Walk::default() })).contains("step_height is -1"));
    assert!(bad(new(Walk { snap: Real::INFINITY, ..Walk::default() })).contains("snap is inf"));
    assert!(bad(new(Walk { max_slope: 2.0, ..Walk::default() })).contains("max_slope is 2"));
    assert!(bad(new(Walk { up: Vec3::ZERO, ..Walk::default() })).contains("up is (0, 0, 0)"));
    let world = world();
    let mut walker = Walker::new(shape(), at(0.0, 0.0, 1.0), Walk::default()).unwrap();
    let step = |walker: &mut Walker, v: Vec3, dt: Real| walker.step(&world, v, dt).unwrap_err().to_string();
    assert!(step(&mut walker, Vec3::ZERO, 0.0).contains("time of a step is 0"));
    assert!(step(&mut walker, Vec3::ZERO, -1.0).contains("time of a step is -1"));
    assert!(step(&mut walker, Vec3::new(0.0, Real::NAN, 0.0), 0.1).contains("wanted velocity"));
    assert!(walker.turn(&world, Real::NAN).unwrap_err().to_string().contains("angle"));
    assert_eq!(*walker.pose(), at(0.0, 0.0, 1.0));
    let far = 16.0 / (Real::EPSILON * 256.0) * 0.02;
    walker.teleport(at(far, 0.0, 0.0));
    assert!(step(&mut walker, Vec3::ZERO, 0.1).contains("lost in rounding"));
}
