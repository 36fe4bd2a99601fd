//! Stairs, slopes, walls and corners are walked the same at any frame rate; nothing is entered and the offset is held.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Real, Vec3};
use clearance_sim::walk::Walk;

use super::walk_scene::{Game, RATES, block, bodies, floor, least_distance, prism, world};

/// What is kept of the skin, but for rounding.
const HELD: Real = 0.98 * 0.02;

#[test]
fn stairs_are_climbed_at_any_rate_and_speed() {
    let mut world = world();
    floor(&mut world);
    let (rise, tread) = (0.2, 0.3);
    for step in 0..10 {
        let x = 2.0 + tread * step as Real;
        block(&mut world, [x, -2.0, 0.0], [x + tread, 2.0, rise * (step + 1) as Real]);
    }
    block(&mut world, [5.0, -2.0, 0.0], [20.0, 2.0, 2.0]);
    for body in &bodies() {
        for speed in [0.25, 3.0, 6.0] {
            let mut ends = Vec::new();
            for rate in RATES {
                let mut game = Game::new(body, [0.0, 0.1, 0.92], Walk::default(), rate);
                game.run(&world, 0.2, [0.0, 0.0], |_| {});
                assert!(game.last.unwrap().ground.is_some(), "{} {rate}", body.0);
                let (mut airborne, mut least) = (0, Real::INFINITY);
                let seconds = 6.0 / speed;
                let frames = (seconds * rate as Real).round() as u32;
                for _ in 0..frames {
                    let walked = game.frame(&world, [speed, 0.0], None);
                    airborne += u32::from(walked.ground.is_none());
                    least = least.min(least_distance(&world, &game.walker));
                }
                assert_eq!(airborne, 0, "{} {rate} {speed}", body.0);
                assert!(least >= HELD, "{} {rate} {speed}: {least}", body.0);
                ends.push(game.place());
            }
            for end in &ends {
                assert!((*end - Vec3::new(6.0, 0.1, 2.92)).length() < 0.01, "{} {speed}: {ends:?}", body.0);
            }
        }
    }
}

#[test]
fn stairs_are_descended_without_leaving_the_ground() {
    let mut world = world();
    floor(&mut world);
    for step in 0..10 {
        let x = 0.3 * step as Real;
        block(&mut world, [x, -2.0, 0.0], [x + 0.3, 2.0, 0.2 * (10 - step) as Real]);
    }
    block(&mut world, [-4.0, -2.0, 0.0], [0.0, 2.0, 2.0]);
    for body in &bodies() {
        let mut ends = Vec::new();
        for rate in RATES {
            let mut game = Game::new(body, [-2.0, 0.1, 2.93], Walk::default(), rate);
            game.run(&world, 0.2, [0.0, 0.0], |_| {});
            let mut airborne = 0;
            game.run(&world, 2.0, [3.0, 0.0], |walked| airborne += u32::from(walked.ground.is_none()));
            assert_eq!(airborne, 0, "{} {rate}", body.0);
            ends.push(game.place());
        }
        for end in &ends {
            assert!((*end - Vec3::new(4.0, 0.1, 0.92)).length() < 0.01, "{}: {ends:?}", body.0);
        }
    }
}

#[test]
fn slopes_are_walked_up_and_down_without_jitter() {
    let mut world = world();
    floor(&mut world);
    // Thirty degrees up, a flat top, and down again.
    let tan = Real::to_radians(30.0).tan();
    prism(&mut world, &[[1.0, 0.0], [5.0, 4.0 * tan], [9.0, 4.0 * tan], [13.0, 0.0]], [-3.0, 3.0]);
    for body in &bodies() {
        let mut ends = Vec::new();
        for rate in RATES {
            let mut game = Game::new(body, [-1.0, 0.0, 0.93], Walk::default(), rate);
            game.run(&world, 0.2, [0.0, 0.0], |_| {});
            let (mut airborne, mut least, mut heights) = (0, Real::INFINITY, Vec::new());
            for _ in 0..4 * rate {
                airborne += u32::from(game.frame(&world, [4.0, 0.0], None).ground.is_none());
                least = least.min(least_distance(&world, &game.walker));
                heights.push(game.place());
            }
            assert_eq!(airborne, 0, "{} {rate}", body.0);
            assert!(least >= HELD, "{} {rate}: {least}", body.0);
            // Never down on the way up, never up on the way down, and always as fast as wanted.
            for pair in heights.windows(2) {
                let (rise, x) = (pair[1].z - pair[0].z, pair[1].x);
                assert!(if x < 7.0 { rise > -1e-4 } else { rise < 1e-4 }, "{} {rate} at {x}: {rise}", body.0);
                assert!((pair[1].x - pair[0].x - 4.0 * game.dt).abs() < 1e-3, "{} {rate} at {x}", body.0);
            }
            ends.push(game.place());
        }
        for end in &ends {
            assert!((*end - Vec3::new(15.0, 0.0, 0.92)).length() < 0.01, "{}: {ends:?}", body.0);
        }
    }
}

#[test]
fn one_who_stands_on_a_slope_stays_there() {
    let mut world = world();
    let tan = Real::to_radians(40.0).tan();
    prism(&mut world, &[[-5.0, -5.0 * tan], [5.0, 5.0 * tan], [5.0, -9.0], [-5.0, -9.0]], [-3.0, 3.0]);
    for body in &bodies() {
        for rate in RATES {
            let mut game = Game::new(body, [0.0, 0.0, 2.0], Walk::default(), rate);
            game.run(&world, 2.0, [0.0, 0.0], |_| {});
            let first = game.place();
            assert!(first.x.abs() < 1e-3, "{} {rate}: it slid while it fell: {first}", body.0);
            game.run(&world, 5.0, [0.0, 0.0], |walked| assert!(walked.ground.is_some(), "{} {rate}", body.0));
            assert_eq!(game.place(), first, "{} {rate}", body.0);
        }
    }
}

#[test]
fn steep_slopes_are_not_climbed() {
    let mut world = world();
    floor(&mut world);
    for degrees in [52.0, 60.0, 75.0] {
        let tan = Real::to_radians(degrees).tan();
        let mut world = self::world();
        floor(&mut world);
        prism(&mut world, &[[1.0, 0.0], [6.0, 5.0 * tan], [6.0, 0.0]], [-30.0, 30.0]);
        for body in &bodies() {
            for rate in RATES {
                for way in [[4.0, 0.0], [20.0, 0.0], [3.0, 3.0], [0.3, 0.0]] {
                    let mut game = Game::new(body, [0.0, -8.0, 0.93], Walk::default(), rate);
                    let (mut highest, mut least): (Real, Real) = (0.0, Real::INFINITY);
                    game.run(&world, 5.0, way, |walked| highest = highest.max(walked.pose.translation().z));
                    least = least.min(least_distance(&world, &game.walker));
                    assert!(highest < 1.0, "{} {rate} {degrees} {way:?}: climbed to {highest}", body.0);
                    assert!(least >= HELD, "{} {rate} {degrees} {way:?}: {least}", body.0);
                    let slid = game.place().y + 8.0;
                    assert!((slid - 5.0 * way[1]).abs() < 0.1, "{} {rate} {degrees} {way:?}: slid {slid}", body.0);
                }
            }
        }
    }
}

#[test]
fn one_who_lands_on_a_steep_slope_slides_down() {
    let mut world = world();
    floor(&mut world);
    let tan = Real::to_radians(60.0).tan();
    prism(&mut world, &[[1.0, 0.0], [6.0, 5.0 * tan], [6.0, 0.0]], [-30.0, 30.0]);
    for body in &bodies() {
        for rate in RATES {
            // Into the slope all the while.
            let mut game = Game::new(body, [3.0, 0.0, 8.0], Walk::default(), rate);
            game.run(&world, 4.0, [2.0, 0.0], |_| {});
            assert!(game.place().z < 1.0 && game.last.unwrap().ground.is_some(), "{} {rate} {}", body.0, game.place());
        }
    }
}

#[test]
fn walls_and_acute_corners_hold_without_jitter() {
    let mut world = world();
    floor(&mut world);
    // Two walls that meet at thirty degrees, open to −x.
    let tan = Real::to_radians(15.0).tan();
    for sign in [-1.0, 1.0] {
        let points = [[-8.0, 8.0 * tan], [0.0, 0.0], [0.0, 9.0], [-8.0, 9.0]];
        let points: Vec<Vec3> =
            points.iter().flat_map(|&[x, y]| [0.0, 3.0].map(|z| Vec3::new(x, sign * y, z))).collect();
        let wall = clearance::Shape::polytope(&points).unwrap();
        world.add(clearance::world::NewBody::fixed(wall, clearance::Pose::IDENTITY)).unwrap();
    }
    for body in &bodies() {
        for rate in RATES {
            for wish in [[4.0, 0.0], [4.0, 0.5], [4.0, -1.0]] {
                let mut game = Game::new(body, [-7.0, 0.2, 0.93], Walk::default(), rate);
                game.run(&world, 5.0, wish, |_| {});
                let first = game.place();
                game.run(&world, 2.0, wish, |walked| {
                    let way = (walked.pose.translation() - first).length();
                    assert!(way < 1e-3, "{} {rate} {wish:?}: {way}", body.0);
                });
                assert!(first.x < -1.0 && first.x > -3.5, "{} {rate} {wish:?}: {first}", body.0);
                assert!(least_distance(&world, &game.walker) >= HELD);
                // Out again at once.
                game.run(&world, 1.0, [-2.0, 0.0], |_| {});
                assert!((game.place().x - first.x + 2.0).abs() < 0.05, "{} {rate} {wish:?}", body.0);
            }
        }
    }
}

#[test]
fn a_floor_of_many_bodies_is_one_floor() {
    let mut world = world();
    for i in 0..30 {
        for j in -2..2 {
            let (x, y) = (i as Real * 0.5 - 1.0, j as Real);
            block(&mut world, [x, y, -1.0], [x + 0.5, y + 1.0, 0.0]);
            // A wall along the way, of many bodies too.
            if j == 1 {
                block(&mut world, [x, 1.0, 0.0], [x + 0.5, 2.0, 3.0]);
            }
        }
    }
    for body in &bodies() {
        for rate in RATES {
            let mut game = Game::new(body, [0.0, 0.0, 0.93], Walk::default(), rate);
            game.run(&world, 0.5, [0.0, 2.0], |_| {});
            game.run(&world, 2.0, [5.0, 1.0], |walked| assert!(walked.ground.is_some()));
            let end = game.place();
            assert!((end - Vec3::new(10.0, 0.68, 0.92)).length() < 0.01, "{} {rate}: {end}", body.0);
        }
    }
}

#[test]
fn steps_that_are_too_high_and_ledges_that_are_too_deep() {
    let mut world = world();
    floor(&mut world);
    block(&mut world, [2.0, -2.0, 0.0], [4.0, 2.0, 0.45]);
    block(&mut world, [-4.0, -2.0, 0.0], [-2.0, 2.0, 0.39]);
    block(&mut world, [-9.0, -2.0, 0.0], [-4.0, 2.0, 1.5]);
    for body in &bodies() {
        for rate in RATES {
            let mut game = Game::new(body, [0.0, 0.0, 0.93], Walk::default(), rate);
            game.run(&world, 3.0, [2.0, 0.0], |_| {});
            assert!(game.place().z < 0.93 && game.place().x < 1.7, "{} {rate}: {}", body.0, game.place());
            game.run(&world, 2.5, [-2.0, 0.0], |_| {});
            assert!((game.place().z - 1.31).abs() < 0.01, "{} {rate}: {}", body.0, game.place());
            game.walker.teleport(super::walk_scene::at(-5.0, 0.0, 2.5).with_translation([-5.0, 0.0, 2.5]).unwrap());
            let mut game = Game::new(body, [-5.0, 0.0, 2.43], Walk::default(), rate);
            let mut airborne = 0;
            game.run(&world, 0.1, [0.0, 0.0], |_| {});
            // Down 1.1 to the block before it: a fall, not a snap.
            game.run(&world, 0.9, [2.5, 0.0], |walked| airborne += u32::from(walked.ground.is_none()));
            let seconds = airborne as Real * game.dt;
            assert!((0.2..0.6).contains(&seconds), "{} {rate}: {seconds}", body.0);
        }
    }
}
