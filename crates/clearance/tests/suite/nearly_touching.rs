//! `Converged` means what `tolerance.rs` states, just before touching too: bounds no farther apart than sixteen relative gaps of the
//! distance and 128 support errors. Distances from a thousandth to a billionth of the bodies' size, where the errors are most of the width.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, STATED_SIGMAS, sigma};
use clearance::{Cache, Closest, Contact, End, Pose, Shape, closest, distance};
use clearance_testkit::{HitRate, Rng};
use common::{pose_of, wide_matrix};
use glam::DVec3;

/// A shape and how far it reaches along a direction of its own frame, in f64.
struct Body {
    name: &'static str,
    shape: Shape,
    reach: fn(DVec3) -> f64,
}

fn real<const N: usize>(values: [f64; N]) -> [clearance::Real; N] {
    values.map(narrow_real)
}

fn bodies() -> [Body; 4] {
    [
        Body {
            name: "cone",
            shape: Shape::cone(2.0, 1.0).unwrap(),
            reach: |d| (1.5 * d.z).max(d.x.hypot(d.y) - 0.5 * d.z),
        },
        Body {
            name: "cylinder",
            shape: Shape::cylinder(1.0, 0.5).unwrap(),
            reach: |d| d.z.abs() + 0.5 * d.x.hypot(d.y),
        },
        Body {
            name: "ellipsoid",
            shape: Shape::ellipsoid(real([1.0, 2.0, 1.5])).unwrap(),
            reach: |d| (d * DVec3::new(1.0, 2.0, 1.5)).length(),
        },
        Body { name: "capsule", shape: Shape::capsule(1.0, 0.5).unwrap(), reach: |d| d.x.abs() + 0.5 * d.length() },
    ]
}

/// Two bodies at their places.
struct Case<'a> {
    bodies: [&'a Body; 2],
    poses: [Pose; 2],
}

impl Case<'_> {
    fn closest(&self, cache: &mut Cache) -> Closest {
        closest(&self.bodies[0].shape, &self.poses[0], &self.bodies[1].shape, &self.poses[1], cache)
    }

    /// The error of a support.
    fn error(&self) -> f64 {
        let [a, b] = self.bodies.map(|body| body.shape.bounding_radius());
        let between = (self.poses[1].translation() - self.poses[0].translation()).length();
        widen_real(sigma(a + b + between))
    }

    /// How far apart the bodies are along a direction: a lower bound on their signed distance that owes the library nothing.
    fn gap(&self, d: DVec3) -> f64 {
        let between = d.dot(widen(self.poses[1].translation()) - widen(self.poses[0].translation()));
        let reach = |i: usize, d: DVec3| (self.bodies[i].reach)(wide_matrix(&self.poses[i]).transpose() * d);
        between - reach(0, d) - reach(1, -d)
    }

    /// How far a point of the world is outside of a body, along the directions given.
    fn outside(&self, i: usize, point: DVec3, along: &[DVec3]) -> f64 {
        let (matrix, from) = (wide_matrix(&self.poses[i]).transpose(), widen(self.poses[i].translation()));
        let beyond = |d: &DVec3| d.dot(point - from) - (self.bodies[i].reach)(matrix * *d);
        along.iter().map(beyond).fold(f64::MIN, f64::max)
    }

    /// Whether the answer converged; all that it says holds either way.
    fn check(&self, near: &Closest, what: &str) -> bool {
        let (error, normal) = (self.error(), widen(near.normal).normalize());
        let [lower, at, upper] = [near.lower, near.distance, near.upper].map(widen_real);
        assert!(lower <= at && at <= upper, "{what}: {near:?}");
        let core = at + self.bodies.iter().map(|body| widen_real(body.shape.radius())).sum::<f64>();
        let relative = if core > 0.0 { STALL_SIGMAS * RELATIVE_GAP } else { COARSE_DEPTH_GAP };
        let stated = widen_real(relative) * core.abs() + widen_real(STATED_SIGMAS) * error * 1.01;
        // The plane across the normal, and the points, as an observer finds them. The lower bound may be that of another plane, which
        // is better by no more than is stated.
        let gap = self.gap(normal);
        assert!(gap <= upper + error, "{what}: apart by {gap} along the normal: {near:?}");
        assert!(gap >= lower - stated, "{what}: apart by {gap} along the normal: {near:?}");
        let around = [normal, -normal, DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
        for i in 0..2 {
            let outside = self.outside(i, widen(near.points[i]), &around);
            assert!(outside <= 16.0 * error + (upper - lower), "{what}: off by {} errors: {near:?}", outside / error);
        }
        if near.end != End::Converged {
            return false;
        }
        let width = upper - lower;
        assert!(width <= stated, "{what}: {width:e} wide, {stated:e} stated, error {error:e}: {near:?}");
        true
    }
}

/// The case moved along its normal until the distance is about this.
fn moved_to(case: &mut Case, rotation: glam::DQuat, from: DVec3, target: f64) {
    let mut at = from;
    for _ in 0..4 {
        case.poses[1] = pose_of(at, rotation);
        let near = case.closest(&mut Cache::default());
        at -= widen(near.normal) * (widen_real(near.distance) - target);
    }
    case.poses[1] = pose_of(at, rotation);
}

#[test]
fn converged_means_what_is_stated() {
    let bodies = bodies();
    let mut rng = Rng::new(14);
    let [mut converged, mut apart] = ["nearly touching pairs that converge", "pairs apart"].map(HitRate::new);
    for a in &bodies {
        for b in &bodies {
            for i in 0..120 {
                let (rotation, from) = (rng.rotation(), rng.unit_vector() * 6.0);
                let pose = pose_of(rng.in_ball(3.0), rng.rotation());
                let mut case = Case { bodies: [a, b], poses: [pose, pose] };
                let mut warm = Cache::default();
                for decade in 3..10 {
                    let target = 3.0 * 10.0_f64.powi(-decade) * rng.uniform(0.3, 3.0);
                    moved_to(&mut case, rotation, widen(pose.translation()) + from, target);
                    let what = format!("{} {} {i} at {target:e}", a.name, b.name);
                    let near = case.closest(&mut Cache::default());
                    converged.record(case.check(&near, &what));
                    converged.record(case.check(&case.closest(&mut warm), &format!("{what}, warm")));
                    apart.record(near.contact == Contact::Apart);
                    if let Some(alone) = distance(&a.shape, &pose, &b.shape, &case.poses[1], &mut Cache::default()) {
                        converged.record(case.check(&alone, &format!("{what}, distance alone")));
                    }
                }
            }
        }
    }
    converged.assert_between(0.999, 1.0);
    apart.assert_between(if common::SINGLE { 0.2 } else { 0.95 }, 1.0);
}

/// Cones alone, whose sides make the flattest simplices: the pair of the report was one of some ten thousand.
#[test]
fn many_cones() {
    let cone = &bodies()[0];
    let mut rng = Rng::new(15);
    let mut converged = HitRate::new("cones that converge");
    for i in 0..6000 {
        let (rotation, from) = (rng.rotation(), rng.unit_vector() * 6.0);
        let pose = pose_of(DVec3::ZERO, rng.rotation());
        let mut case = Case { bodies: [cone, cone], poses: [pose, pose] };
        let target = rng.log_uniform(3.0e-9, 3.0e-3);
        moved_to(&mut case, rotation, from, target);
        converged.record(case.check(&case.closest(&mut Cache::default()), &format!("{i} at {target:e}")));
    }
    converged.assert_between(0.999, 1.0);
}
