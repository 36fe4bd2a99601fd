//! A user's own motion: certified like any other, and a promise of speed that its poses break is noticed.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use std::sync::Arc;

use clearance::ccd::{Impact, ImpactOptions, bodies};
use clearance::concave::{BodyCache, closest};
use clearance::math::{narrow, narrow_real, widen_real};
use clearance::tolerance::{IMPACT_SIGMAS, IMPACT_TOLERANCE, sigma};
use clearance::{Body, Compound, End, Motion, Pose, Real, Shape, Trajectory};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{pose_of, u};
use glam::{DQuat, DVec3};
use meshes::body;

/// A motion of the library, or a share of its speed promised, as a user's own.
#[derive(Debug)]
struct Wrapped(Motion, Real);

impl Trajectory for Wrapped {
    fn pose(&self, time: Real) -> Pose {
        self.0.pose(time)
    }

    fn speed(&self, radius: Real, _from: Real, _to: Real) -> Real {
        self.0.speed(radius) * self.1
    }
}

/// The outer link of an arm of two, whose joints turn from one angle to another, the speed highest in the middle of the time.
#[derive(Debug)]
struct Arm {
    from: [f64; 2],
    by: [f64; 2],
    upper: f64,
}

impl Arm {
    /// A smooth step, and the most that it grows by from one time to another, per time.
    fn share(time: f64) -> f64 {
        time * time * (3.0 - 2.0 * time)
    }

    fn rate(from: f64, to: f64) -> f64 {
        let at = |t: f64| 6.0 * t * (1.0 - t);
        if from <= 0.5 && to >= 0.5 { at(0.5) } else { at(from).max(at(to)) }
    }
}

impl Trajectory for Arm {
    fn pose(&self, time: Real) -> Pose {
        let share = Self::share(widen_real(time));
        let [first, second] = [0, 1].map(|i| self.from[i] + self.by[i] * share);
        let elbow = DVec3::new(first.cos(), first.sin(), 0.0) * self.upper;
        pose_of(elbow, DQuat::from_rotation_z(first + second))
    }

    fn speed(&self, radius: Real, from: Real, to: Real) -> Real {
        let [first, second] = self.by.map(f64::abs);
        let rate = Self::rate(widen_real(from), widen_real(to));
        // A little more than the sum of what the joints do, for the rounding of it.
        narrow_real(rate * (first * self.upper + (first + second) * widen_real(radius)) * 1.0001)
    }
}

fn catalogue(rng: &mut Rng) -> Vec<Body> {
    let mut seeds = Rng::new(rng.index(1 << 30) as u64);
    let ball = Body::from(Shape::sphere(0.3).unwrap());
    let rod = Body::from(Shape::cuboid([0.9, 0.1, 0.1]).unwrap());
    let place = |x: f64| pose_of(DVec3::new(x, 0.2, 0.0), DQuat::from_rotation_z(x));
    vec![
        body(&Polyhedron::star(1, |_| seeds.uniform(0.4, 1.0))),
        body(&Polyhedron::notched().mapped(|p| p * 0.6)),
        Compound::new([(ball.clone(), place(0.5)), (rod.clone(), place(-0.4))]).unwrap().into(),
        ball,
        rod,
        Body::from(Shape::cone(0.8, 0.4).unwrap()),
    ]
}

fn random_motion(rng: &mut Rng, from: DVec3, to: DVec3) -> Motion {
    let start = pose_of(from, rng.rotation());
    match rng.index(4) {
        0 => Motion::between(start, pose_of(to, rng.rotation())),
        1 => Motion::with_velocity(start, narrow(to - from), narrow(rng.in_ball(4.0))).unwrap(),
        2 => Motion::translation(start, narrow(to - from)).unwrap(),
        _ => {
            let angle = narrow_real(rng.uniform(-4.0, 4.0));
            Motion::rotation(start, narrow(from * 0.5 + rng.in_ball(0.5)), narrow(rng.unit_vector()), angle).unwrap()
        }
    }
}

/// How near bodies of a size, so far apart at the start, have met: the tolerance, or what rounding needs.
fn nearness(size: f64, between: f64) -> f64 {
    let rounding = widen_real(IMPACT_SIGMAS * sigma(narrow_real(size + between))) + 512.0 * u() * (size + between);
    rounding.max(widen_real(IMPACT_TOLERANCE) * size) * 1.01
}

fn distance_at(a: &Body, of_a: &Motion, b: &Body, of_b: &Motion, time: Real) -> f64 {
    widen_real(closest(a, &of_a.pose(time), b, &of_b.pose(time), &mut BodyCache::default()).distance)
}

fn ask(a: &Body, of_a: &Motion, b: &Body, of_b: &Motion, clearance: Real) -> Impact {
    let options = ImpactOptions { clearance, ..ImpactOptions::default() };
    bodies::time_of_impact(a, of_a, b, of_b, &options).impact
}

fn custom(motion: impl Trajectory + 'static) -> Motion {
    Motion::custom(Arc::new(motion))
}

/// The library's motions as a user's own: the same first contact, to within the tolerance, and nothing nearer before it.
#[test]
fn wrapped_motions_meet_when_the_motions_do() {
    let mut rng = Rng::new(17);
    let mut hits = HitRate::new("meetings");
    for case in 0..400 {
        let all = catalogue(&mut rng);
        let (a, b) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        let from = rng.unit_vector() * 3.0;
        let motion = random_motion(&mut rng, from, -from * 0.5);
        let still = Motion::still(pose_of(DVec3::ZERO, rng.rotation()));
        let clearance = if rng.chance(0.3) { narrow_real(rng.uniform(0.01, 0.4)) } else { 0.0 };
        let own = custom(Wrapped(motion.clone(), 1.0));
        let [wrapped, known] = [&own, &motion].map(|motion| ask(a, &still, b, motion, clearance));
        let what = format!("{case}: {wrapped:?} {known:?}");
        let size = widen_real(a.bounding_radius() + b.bounding_radius());
        // What the other one calls a meeting is within twice the tolerance; nothing is before either's lower bound.
        for (ours, theirs) in [(&wrapped, &known), (&known, &wrapped)] {
            let Some(time) = ours.time else { continue };
            assert!(
                ours.end != End::Converged || widen_real(ours.distance - clearance) <= nearness(size, 6.0),
                "{what}"
            );
            let there = distance_at(a, &still, b, &motion, time);
            assert!(theirs.lower >= time || there <= widen_real(clearance) + 2.0 * nearness(size, 6.0), "{what}");
        }
        for i in 0..64 {
            let time = wrapped.lower * i as Real / 64.0;
            let there = distance_at(a, &still, b, &motion, time) - widen_real(clearance);
            assert!(there > -nearness(size, 6.0) || wrapped.at_start, "{what}: {there} at {time}");
        }
        // Nothing is found broken; a distance itself may be degenerate.
        assert!(wrapped.end != End::Degenerate || wrapped.time.is_some(), "{what}");
        hits.record(wrapped.time.is_some());
    }
    hits.assert_between(0.2, 0.9);
}

/// An arm along a path in joint space, against a dense sampling.
#[test]
fn paths_in_joint_space_are_certified() {
    let mut rng = Rng::new(23);
    let mut hits = HitRate::new("meetings");
    let link = Body::from(Shape::cuboid([0.8, 0.05, 0.1]).unwrap());
    for case in 0..200 {
        let all = catalogue(&mut rng);
        let obstacle = &all[rng.index(all.len())];
        let still = Motion::still(pose_of(rng.unit_vector() * DVec3::new(1.8, 1.8, 0.4), rng.rotation()));
        let from = [rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0)];
        let by = [rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0)];
        let arm = custom(Arm { from, by, upper: 1.0 });
        let impact = ask(obstacle, &still, &link, &arm, 0.0);
        let what = format!("{case}: {impact:?}");
        if impact.at_start {
            continue;
        }
        assert_eq!(impact.end, End::Converged, "{what}");
        for i in 0..=256 {
            let time = impact.lower * i as Real / 256.0;
            assert!(distance_at(obstacle, &still, &link, &arm, time) > -nearness(2.0, 4.0), "{what}: at {time}");
        }
        if let Some(time) = impact.time {
            let size = widen_real(obstacle.bounding_radius() + link.bounding_radius());
            assert!(distance_at(obstacle, &still, &link, &arm, time) <= nearness(size, 4.0), "{what}");
        }
        hits.record(impact.time.is_some());
    }
    hits.assert_between(0.2, 0.95);
}

/// A motion that is elsewhere for a while.
#[derive(Debug)]
struct Jump {
    motion: Motion,
    at: Real,
    by: DVec3,
}

impl Trajectory for Jump {
    fn pose(&self, time: Real) -> Pose {
        let pose = self.motion.pose(time);
        if time < self.at {
            return pose;
        }
        Pose::new(pose.translation() + narrow(self.by), pose.rotation().to_array()).unwrap()
    }

    fn speed(&self, radius: Real, _from: Real, _to: Real) -> Real {
        self.motion.speed(radius)
    }
}

/// A promise that is none, from a time on.
#[derive(Debug)]
struct Wild(Motion, Real);

impl Trajectory for Wild {
    fn pose(&self, time: Real) -> Pose {
        self.0.pose(time)
    }

    fn speed(&self, radius: Real, _from: Real, to: Real) -> Real {
        if to > 0.3 { self.1 } else { self.0.speed(radius) }
    }
}

/// A body that moves faster than it says, by any factor, is found out before it meets anything; so are jumps and speeds that are none.
#[test]
fn broken_promises_are_noticed() {
    let mut rng = Rng::new(31);
    let mut met = HitRate::new("broken promises on a way that meets something");
    for case in 0..400 {
        let all = catalogue(&mut rng);
        let (a, b) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        let from = rng.unit_vector() * 3.0;
        let still = Motion::still(pose_of(DVec3::ZERO, rng.rotation()));
        let turns = rng.chance(0.5);
        let motion = if !turns {
            Motion::translation(pose_of(from, rng.rotation()), narrow(-from * 1.5)).unwrap()
        } else {
            Motion::with_velocity(pose_of(from, rng.rotation()), narrow(-from), narrow(rng.in_ball(3.0))).unwrap()
        };
        let truth = ask(a, &still, b, &motion, 0.0);
        met.record(truth.time.is_some());
        // The speed of a turning ball is at least 0.7 of the sum of its two speeds.
        let share = narrow_real(rng.uniform(0.0, if turns { 0.65 } else { 0.9 }));
        let jump = Jump { motion: motion.clone(), at: narrow_real(rng.uniform(0.01, 0.3)), by: from * 0.5 };
        let wild = [Real::NAN, Real::INFINITY, -1.0][rng.index(3)];
        for (kind, broken) in [
            ("slow", custom(Wrapped(motion.clone(), share))),
            ("jump", custom(jump)),
            ("wild", custom(Wild(motion.clone(), wild))),
        ] {
            let impact = ask(a, &still, b, &broken, 0.0);
            let what = format!("{case} {kind} {share}: {impact:?} {truth:?}");
            if kind == "slow" {
                // Its speed is all but constant, so that already the first step tells, whatever its length.
                let moves_fast = motion.speed(b.bounding_radius()) * (1.0 - share) > 0.01;
                assert!(impact.end == End::Degenerate || impact.at_start || !moves_fast, "{what}");
                assert!(impact.time.is_none() && impact.lower < 1.0, "{what}");
            } else if impact.end == End::Degenerate {
                assert!(impact.time.is_none() && impact.lower < 1.0, "{what}");
            } else {
                // It met something before the promise was broken.
                assert!(impact.time.is_some(), "{what}");
            }
            if let Some(time) = truth.time.filter(|_| kind != "jump") {
                assert!(impact.lower <= time + IMPACT_TOLERANCE, "{what}");
            }
        }
    }
    met.assert_between(0.5, 1.0);
}

/// What rests may leave and may not enter; what is too near at the start is said.
#[test]
fn starts_that_touch() {
    let cube = Body::from(Shape::cuboid([1.0, 1.0, 1.0]).unwrap());
    let still = Motion::still(Pose::IDENTITY);
    let above = Pose::from_translation([0.25, 0.0, 2.0]).unwrap();
    let go = |by: [Real; 3]| custom(Wrapped(Motion::translation(above, by).unwrap(), 1.0));
    for other in [cube.clone(), body(&Polyhedron::cuboid(DVec3::ONE))] {
        let away = ask(&cube, &still, &other, &go([0.0, 0.0, 1.0]), 0.0);
        assert!(away.time.is_none() && away.end == End::Converged, "{away:?}");
        let into = ask(&cube, &still, &other, &go([0.0, 0.0, -1.0]), 0.0);
        assert!(into.time.is_some_and(|time| time < 1e-4), "{into:?}");
        let near = ask(&cube, &still, &other, &go([0.0, 0.0, 1.0]), 0.5);
        assert!(near.at_start && near.time == Some(0.0), "{near:?}");
        for motion in [go([0.0, 0.0, 1.0]), Motion::translation(above, [0.0, 0.0, 1.0]).unwrap()] {
            let deep = Motion::still(Pose::from_translation([0.0, 0.0, 0.5]).unwrap());
            let deep = ask(&cube, &deep, &other, &motion, 0.0);
            assert!(deep.at_start && deep.distance < -0.4, "{deep:?}");
        }
    }
}
