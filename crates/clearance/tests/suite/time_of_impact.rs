//! Moving bodies: never later than the first contact, no earlier than the tolerance allows, no meeting missed.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::{Impact, ImpactOptions, Motion, STEP_LIMIT, time_of_impact};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{IMPACT_SIGMAS, sigma};
use clearance::{Cache, End, Pose, Real, Shape, closest};
use clearance_testkit::{HitRate, Rng};
use common::bodies::catalogue;
use common::{SINGLE, pose_of};
use glam::DVec3;

fn ask(a: &Shape, of_a: &Motion, b: &Shape, of_b: &Motion) -> Impact {
    time_of_impact(a, of_a, b, of_b, &ImpactOptions::default())
}

fn distance_at(a: &Shape, of_a: &Motion, b: &Shape, of_b: &Motion, time: Real) -> f64 {
    widen_real(closest(a, &of_a.pose(time), b, &of_b.pose(time), &mut Cache::default()).distance)
}

fn random_motion(rng: &mut Rng, from: DVec3, to: DVec3) -> Motion {
    let start = pose_of(from, rng.rotation());
    if rng.chance(0.5) {
        return Motion::between(start, pose_of(to, rng.rotation()));
    }
    let fastest = if rng.chance(0.2) { 30.0 } else { 4.0 };
    let angular = rng.in_ball(fastest);
    Motion::with_velocity(start, narrow(to - from), narrow(angular)).unwrap()
}

/// Every pair of the catalogue under both kinds of motion, against a dense sampling of the distance.
#[test]
fn never_late_and_nothing_missed() {
    let mut rng = Rng::new(61);
    let bodies = catalogue(1.0);
    let (mut hits, mut converged) = (HitRate::new("meetings"), HitRate::new("converged"));
    let mut gaps = 0;
    for case in 0..2000 {
        let (a, b) = (&bodies[rng.index(bodies.len())], &bodies[rng.index(bodies.len())]);
        let size = widen_real(a.shape.bounding_radius()) + widen_real(b.shape.bounding_radius());
        let mut place = || rng.unit_vector() * size * 1.5;
        let (first, second) = ([place(), place() * 0.3], [place(), place() * 0.3]);
        let of_a = random_motion(&mut rng, first[0], first[1]);
        let of_b = random_motion(&mut rng, second[0], second[1]);
        let what = format!("{case}: {} {}", a.name, b.name);
        let impact = ask(&a.shape, &of_a, &b.shape, &of_b);
        let at = |time: Real| distance_at(&a.shape, &of_a, &b.shape, &of_b, time);
        let start = at(0.0);
        gaps += u64::from(impact.iterations);
        converged.record(impact.end == End::Converged);
        assert!(impact.iterations <= STEP_LIMIT + 32, "{what}: {impact:?}");
        // Depths of curved bodies come with bounds; a distance above the rounding is enough to be free.
        let rounding = 1e3 * common::u() * (size + 3.0 * size);
        if impact.at_start {
            assert!(start <= nearness(size, 4.0 * size), "{what}: {start} at the start: {impact:?}");
            continue;
        }
        let until = impact.time.unwrap_or(1.0);
        for i in 0..=200 {
            let time = until * narrow_real(f64::from(i) / 200.0);
            let distance = at(time.min(1.0));
            assert!(distance > -rounding, "{what}: {distance} at {time}: {impact:?}");
        }
        if let Some(time) = impact.time {
            let there = at(time);
            assert!(there <= nearness(size, 6.0 * size), "{what}: {there} at {time}: {impact:?}");
            assert!(impact.lower <= time);
        }
        hits.record(impact.time.is_some());
    }
    println!("{} of {} meet, {} gaps each", hits.hits(), hits.trials(), gaps as f64 / 2000.0);
    hits.assert_between(0.3, 0.9);
    converged.assert_between(if SINGLE { 0.97 } else { 0.99 }, 1.0);
}

const IMPACT: Real = clearance::tolerance::IMPACT_TOLERANCE;

/// How near bodies of that size and so far apart at the start may be when they have met: the tolerance, or what rounding allows.
fn nearness(size: f64, apart: f64) -> f64 {
    let rounding = widen_real(IMPACT_SIGMAS * sigma(narrow_real(size + apart)));
    (widen_real(IMPACT) * size).max(rounding) * 1.01
}

/// Two balls: the time is the root of a quadratic.
#[test]
fn balls_meet_when_the_formula_says() {
    let mut rng = Rng::new(67);
    let mut hits = HitRate::new("meetings");
    for _ in 0..2000 {
        let radii = [rng.uniform(0.2, 2.0), rng.uniform(0.2, 2.0)].map(common::held);
        let from = rng.unit_vector() * rng.uniform(4.5, 9.0);
        let velocity = -from * rng.uniform(0.3, 2.5) + rng.in_ball(4.0);
        let [from, velocity] = [from, velocity].map(|v| widen(narrow(v)));
        let [a, b] = radii.map(|radius| Shape::sphere(narrow_real(radius)).unwrap());
        let spin = narrow(rng.in_ball(3.0));
        let of_a = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], spin).unwrap();
        let of_b = Motion::with_velocity(pose_of(from, rng.rotation()), narrow(velocity), spin).unwrap();
        let impact = ask(&a, &of_a, &b, &of_b);
        let reach = radii[0] + radii[1];
        let (square, along) = (velocity.length_squared(), from.dot(velocity));
        let discriminant = along * along - square * (from.length_squared() - reach * reach);
        let truth = (discriminant > 0.0 && along < 0.0).then(|| (-along - discriminant.sqrt()) / square);
        let truth = truth.filter(|&time| time <= 1.0);
        hits.record(truth.is_some());
        match (truth, impact.time.map(widen_real)) {
            (Some(truth), Some(time)) => {
                // Grazing passes spend long within the tolerance.
                let normal_speed = discriminant.sqrt() / reach;
                let early = nearness(reach, from.abs().element_sum()) / normal_speed + 1e3 * common::u();
                assert!(time <= truth + 1e3 * common::u(), "late: {time} after {truth}");
                assert!(truth - time <= early * 1.1, "early: {time} before {truth}");
            }
            (None, None) => {}
            (truth, _) => {
                // Only a pass within the tolerance may be told either way.
                let nearest = (from + velocity * (-along / square).clamp(0.0, 1.0)).length() - reach;
                assert!(
                    nearest.abs() <= nearness(reach, from.abs().element_sum()) + 1e4 * common::u(),
                    "{truth:?} but {impact:?}"
                );
            }
        }
    }
    hits.assert_between(0.3, 0.8);
}

#[test]
fn starts_that_touch_overlap_or_are_near() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let at = |x: Real| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let moving = |x: Real, speed: Real| Motion::with_velocity(at(x), [speed, 0.0, 0.0], [0.0; 3]).unwrap();
    let rest = Motion::still(Pose::IDENTITY);
    let inside = ask(&cube, &rest, &cube, &moving(1.0, 5.0));
    assert!(inside.at_start && inside.time == Some(0.0) && inside.distance < 0.0, "{inside:?}");
    let touching = ask(&cube, &rest, &cube, &moving(2.0, -1.0));
    assert!(touching.at_start && touching.time == Some(0.0), "{touching:?}");
    // Nearer than the tolerance, but not touching: moving away is free, moving in is a hit before the gap is gone.
    let gap = 0.01 * IMPACT;
    let away = ask(&cube, &rest, &cube, &moving(2.0 + gap, 1.0));
    assert!(away.time.is_none() || SINGLE && away.at_start, "{away:?}");
    let inwards = ask(&cube, &rest, &cube, &moving(2.0 + gap, -1.0));
    assert!(inwards.time.is_some_and(|time| time <= gap), "{inwards:?}");
    // Sliding along at a distance.
    let over = Pose::from_translation([-3.0, 2.1, 0.0]).unwrap();
    let sliding = ask(&cube, &rest, &cube, &Motion::with_velocity(over, [6.0, 0.0, 0.0], [0.0; 3]).unwrap());
    assert!(sliding.time.is_none() && sliding.iterations < 8, "{sliding:?}");
}

#[test]
fn a_screw_ends_where_it_should_and_keeps_its_axis() {
    let mut rng = Rng::new(71);
    for case in 0..2000 {
        let start = pose_of(rng.in_ball(5.0), rng.rotation());
        let end = match case % 4 {
            0 => pose_of(
                rng.in_ball(5.0),
                glam::DQuat::from_xyzw(
                    widen_real(start.rotation().x),
                    widen_real(start.rotation().y),
                    widen_real(start.rotation().z),
                    widen_real(start.rotation().w),
                ),
            ),
            _ => pose_of(rng.in_ball(5.0), rng.rotation()),
        };
        let screw = Motion::between(start, end);
        let slack = 400.0 * common::u();
        for (time, pose) in [(0.0, start), (1.0, end)] {
            let there = screw.pose(time);
            assert!(widen(there.translation() - pose.translation()).length() <= 100.0 * slack, "{case}");
            let turn = (there.rotation().dot(pose.rotation()).abs() - 1.0).abs();
            assert!(widen_real(turn) <= slack, "{case}");
        }
        // The bound on speeds holds for every point at every time.
        let (point, direction) = (rng.unit_vector(), narrow(rng.unit_vector()));
        let bound = widen_real(screw.speed_along(direction, 1.0));
        assert!(bound <= widen_real(screw.speed(1.0)) * (1.0 + slack));
        let step = 1.0 / 64.0;
        for i in 0..64 {
            let time = f64::from(i) * step;
            let along = |time: f64| {
                let pose = screw.pose(narrow_real(time));
                widen(pose.point(narrow(point))).dot(widen(direction))
            };
            let speed = (along(time + step) - along(time)) / step;
            assert!(speed <= bound + 64.0 * 100.0 * slack, "{case}: {speed} above {bound}");
        }
    }
}

#[test]
fn a_motion_that_is_no_number_is_refused() {
    for bad in [Real::NAN, Real::INFINITY] {
        assert!(Motion::with_velocity(Pose::IDENTITY, [bad, 0.0, 0.0], [0.0; 3]).is_err());
        assert!(Motion::with_velocity(Pose::IDENTITY, [0.0; 3], [0.0, bad, 0.0]).is_err());
    }
    assert!(Motion::with_velocity(Pose::IDENTITY, [Real::MAX, 0.0, 0.0], [0.0; 3]).is_err());
}

/// Bodies of some roundings of the way that they go meet near its start as exactly as on a short way.
#[test]
fn small_bodies_on_long_ways() {
    let mut rng = Rng::new(66);
    let bodies = catalogue(16.0 * common::u());
    let mut hits = HitRate::new("meetings");
    for case in 0..1500 {
        let (a, b) = (&bodies[rng.index(bodies.len())], &bodies[rng.index(bodies.len())]);
        let size = widen_real(a.shape.bounding_radius()) + widen_real(b.shape.bounding_radius());
        let towards = rng.unit_vector();
        let aside = rng.in_ball(1.5 * size);
        let start = pose_of(towards * (1.5 * size) + aside, rng.rotation());
        let of_a = Motion::with_velocity(pose_of(DVec3::ZERO, rng.rotation()), [0.0; 3], narrow(rng.in_ball(2.0)));
        let of_b = Motion::with_velocity(start, narrow(-towards), narrow(rng.in_ball(2.0)));
        let (of_a, of_b) = (of_a.unwrap(), of_b.unwrap());
        let impact = ask(&a.shape, &of_a, &b.shape, &of_b);
        if impact.at_start || !hits.record(impact.time.is_some()) {
            continue;
        }
        let met = impact.time.map_or(0.0, |time| distance_at(&a.shape, &of_a, &b.shape, &of_b, time));
        let what = format!("{case}: {} {}", a.name, b.name);
        assert!(met.abs() <= nearness(size, 3.0 * size), "{what}: {met:e} of {size:e}: {impact:?}");
    }
    hits.assert_between(0.2, 0.95);
}
