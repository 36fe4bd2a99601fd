//! The answer does not depend on which body is called A, where the pair is in the world, or in what unit it is measured.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::narrow::mpr;
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::{Cache, Closest, Pose, Shape, closest, overlap};
use clearance_testkit::{HitRate, Rng};
use common::bodies::{Body, catalogue};
use common::{SINGLE, pose_of, posed, u};
use glam::{DQuat, DVec3};

struct Case<'a> {
    a: &'a Body,
    b: &'a Body,
    at: [(DVec3, DQuat); 2],
}

struct Answer {
    near: Closest,
    /// Whether each algorithm says that they meet.
    meet: [bool; 2],
    /// The error of a support value.
    error: f64,
    margin: f64,
}

fn ask(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Answer {
    let apart = widen(pose_b.translation() - pose_a.translation()).length();
    let size = widen_real(a.bounding_radius() + b.bounding_radius()) + apart;
    Answer {
        near: closest(a, pose_a, b, pose_b, &mut Cache::default()),
        meet: [
            overlap(a, pose_a, b, pose_b, &mut Cache::default()).overlap,
            mpr::overlap(a, pose_a, b, pose_b).overlap,
        ],
        error: widen_real(sigma(narrow_real(size))),
        margin: widen_real(a.radius() + b.radius()),
    }
}

impl Answer {
    fn distance(&self) -> f64 {
        widen_real(self.near.distance)
    }

    /// What the distance may be off by: the stated gap of the cores and rounding.
    fn tolerance(&self) -> f64 {
        let core = self.distance() + self.margin;
        let relative = if core > 0.0 { widen_real(STALL_SIGMAS * RELATIVE_GAP) } else { widen_real(COARSE_DEPTH_GAP) };
        relative * core.abs() + 40.0 * self.error
    }

    /// The same answer up to a factor; `slack` is what the inputs were rounded by.
    fn check_same(&self, other: &Self, factor: f64, slack: f64, what: &str) {
        let (scaled, tolerance) = (other.distance() / factor, self.tolerance() + slack);
        let off = (self.distance() - scaled).abs();
        assert!(off <= tolerance, "{what}: {:?} and {:?} differ by {off:e}", self.near, other.near);
        for meet in self.meet.into_iter().chain(other.meet) {
            let decided = self.distance().abs() > tolerance;
            assert!(!decided || meet == (self.distance() < 0.0), "{what}: {meet} but {:?}", self.near);
        }
    }
}

impl Case<'_> {
    fn ask(&self) -> Answer {
        let [pose_a, pose_b] = self.at.map(|(at, turn)| pose_of(at, turn));
        ask(&self.a.shape, &pose_a, &self.b.shape, &pose_b)
    }
}

/// Runs a check on random pairs of all shapes, half of them overlapping.
fn on_pairs(seed: u64, count: usize, check: impl Fn(&Case, &Answer, &mut Rng, &str)) {
    let bodies = catalogue(1.0);
    let mut rng = Rng::new(seed);
    let mut hits = HitRate::new("pairs that meet");
    for i in 0..count {
        let (a, b) = (&bodies[rng.index(bodies.len())], &bodies[rng.index(bodies.len())]);
        let offset = rng.in_ball(1.1 * (a.size + b.size) + 0.1);
        let at = rng.in_ball(2.0);
        let case = Case { a, b, at: [(at, rng.rotation()), (at + offset, rng.rotation())] };
        let answer = case.ask();
        hits.record(answer.near.distance < 0.0);
        check(&case, &answer, &mut rng, &format!("{} {} {i}", a.name, b.name));
    }
    hits.assert_between(0.15, 0.7);
}

#[test]
fn swapping_the_bodies() {
    on_pairs(80, 20_000, |case, answer, _, what| {
        let swapped = Case { a: case.b, b: case.a, at: [case.at[1], case.at[0]] }.ask();
        answer.check_same(&swapped, 1.0, 0.0, what);
        let core = answer.distance() + answer.margin;
        if core > 0.0 {
            let off = widen(answer.near.normal + swapped.near.normal).length();
            let angle = (8.0 * answer.tolerance() / core).sqrt();
            assert!(off <= angle, "{what}: normals {:?} and {:?}", answer.near, swapped.near);
        }
    });
}

#[test]
fn moving_both() {
    on_pairs(81, 20_000, |case, answer, rng, what| {
        // Near, and so far that the poses round by more than the supports.
        let far = if rng.chance(0.5) { 3.0 } else { 1e4 };
        let motion = pose_of(rng.in_ball(far), rng.rotation());
        let turn = motion.rotation().to_array().map(widen_real);
        let moved = case.at.map(|(at, own)| (posed(&motion, at), DQuat::from_array(turn) * own));
        let moved = Case { at: moved, ..*case }.ask();
        // Positions round at their distance from the origin, rotations at the reach of the bodies.
        let slack = 8.0 * u() * (far + 4.0 * (case.a.size + case.b.size + 2.0));
        answer.check_same(&moved, 1.0, slack, what);
    });
}

fn scaled(factor: f64, seed: u64, slack: f64) {
    let large = catalogue(factor);
    let small = catalogue(1.0);
    let index = |body: &Body| small.iter().position(|other| other.name == body.name).unwrap();
    on_pairs(seed, 6000, |case, answer, _, what| {
        let at = case.at.map(|(at, turn)| (common::widened(&common::narrowed(&[at]))[0] * factor, turn));
        let other = Case { a: &large[index(case.a)], b: &large[index(case.b)], at }.ask();
        answer.check_same(
            &other,
            factor,
            slack * (case.a.size + case.b.size + 4.0),
            &format!("{what} times {factor:e}"),
        );
    });
}

#[test]
fn scaling_by_powers_of_two() {
    let exponents: &[i32] = if SINGLE { &[-14, 3, 14] } else { &[-60, 3, 60] };
    for (i, &exponent) in exponents.iter().enumerate() {
        scaled(2.0_f64.powi(exponent), 90 + i as u64, 0.0);
    }
}

#[test]
fn scaling_by_millions() {
    for (i, factor) in [1e-6, 1e6].into_iter().enumerate() {
        // Sizes and positions are rounded after the scaling.
        scaled(factor, 95 + i as u64, 16.0 * u());
    }
}
