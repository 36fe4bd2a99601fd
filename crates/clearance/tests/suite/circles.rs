//! Cones, cylinders, tapered ones and discs with each other, against the same bodies known by their support functions only, and against
//! proofs that share no code with the library: points that are in the bodies bound a distance from above, the reach of the bodies along the normal
//! from below.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use std::sync::Arc;

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::{RELATIVE_GAP, STALL_SIGMAS, STATED_SIGMAS, sigma};
use clearance::{Cache, Closest, Contact, Core, End, Pose, Shape, closest, distance, overlap};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, pose_of, unposed};
use glam::{DQuat, DVec3};

/// The hull of two circles about the z axis, with all within `round` of it: heights and radii.
#[derive(Debug, Clone)]
struct Body {
    shape: Shape,
    circles: [[f64; 2]; 2],
    round: f64,
}

impl Body {
    /// Of random sizes about the scale, or thin one way or the other.
    fn random(rng: &mut Rng, scale: f64) -> Self {
        let mut size = || narrow_real(scale * if rng.chance(0.15) { 1e-3 } else { rng.uniform(0.3, 1.0) });
        let [first, second, third] = [size(), size(), size()];
        let [one, two, three] = [first, second, third].map(widen_real);
        let (sharp, circles) = match rng.index(4) {
            0 => (Shape::cylinder(first, second), [[-one, two], [one, two]]),
            1 => (Shape::disc(first), [[0.0, one], [0.0, one]]),
            2 => {
                let tapered = Shape::tapered_cylinder(first, narrow_real(two * 1.5), third);
                let low = match tapered.as_ref().unwrap().core() {
                    Core::TaperedCylinder { heights, .. } => widen_real(heights[0]),
                    _ => -0.5 * three,
                };
                (tapered, [[low, one], [low + three, two * 1.5]])
            }
            _ => (Shape::cone(first, second), [[-0.25 * one, two], [0.75 * one, 0.0]]),
        };
        let round = narrow_real(if rng.chance(0.25) { scale * rng.uniform(0.05, 0.5) } else { 0.0 });
        let shape = if round > 0.0 { sharp.unwrap().rounded(round).unwrap() } else { sharp.unwrap() };
        Self { shape, circles, round: widen_real(round) }
    }

    /// How far it reaches along a direction of its own frame.
    fn reach(&self, d: DVec3) -> f64 {
        let of = |[z, radius]: [f64; 2]| z * d.z + radius * d.x.hypot(d.y);
        of(self.circles[0]).max(of(self.circles[1])) + self.round * d.length()
    }

    /// Signed: how far a point of its own frame is beyond its profile, a trapezoid.
    fn beyond(&self, p: DVec3) -> f64 {
        let [[low, below], [high, above]] = self.circles;
        let rho = p.x.hypot(p.y);
        let corners = [[0.0, low], [below, low], [above, high], [0.0, high]];
        let mut nearest = f64::INFINITY;
        for side in corners.windows(2) {
            let ([x, z], [to_x, to_z]) = (side[0], side[1]);
            let along = [to_x - x, to_z - z];
            let square = along[0] * along[0] + along[1] * along[1];
            let share = if square > 0.0 { ((rho - x) * along[0] + (p.z - z) * along[1]) / square } else { 0.0 };
            let t = share.clamp(0.0, 1.0);
            nearest = nearest.min((rho - x - along[0] * t).hypot(p.z - z - along[1] * t));
        }
        let width = if high > low { below + (above - below) * (p.z - low) / (high - low) } else { below };
        let is_inside = p.z >= low && p.z <= high && rho <= width;
        (if is_inside { -nearest } else { nearest }) - self.round
    }
}

#[derive(Debug, Clone)]
struct Case {
    bodies: [Body; 2],
    poses: [Pose; 2],
}

impl Case {
    fn ask<T>(&self, verb: impl Fn(&Shape, &Pose, &Shape, &Pose, &mut Cache) -> T) -> T {
        let [a, b] = &self.bodies;
        verb(&a.shape, &self.poses[0], &b.shape, &self.poses[1], &mut Cache::default())
    }

    fn closest(&self) -> Closest {
        self.ask(|a, at_a, b, at_b, cache| closest(a, at_a, b, at_b, cache))
    }

    /// The same bodies, known by their support functions only.
    fn twin(&self) -> Self {
        let custom = |body: &Body| {
            let sharp = Shape::custom(Arc::new(body.shape.core().clone())).unwrap();
            let round = body.shape.radius();
            Body { shape: if round > 0.0 { sharp.rounded(round).unwrap() } else { sharp }, ..body.clone() }
        };
        Self { bodies: self.bodies.each_ref().map(custom), poses: self.poses }
    }

    fn swapped(&self) -> Self {
        let ([a, b], [at_a, at_b]) = (self.bodies.clone(), self.poses);
        Self { bodies: [b, a], poses: [at_b, at_a] }
    }

    fn between(&self) -> DVec3 {
        widen(self.poses[1].translation()) - widen(self.poses[0].translation())
    }

    /// The error of a support value.
    fn sigma(&self) -> f64 {
        let reach: f64 = self.bodies.iter().map(|body| widen_real(body.shape.bounding_radius())).sum();
        widen_real(sigma(narrow_real(reach + self.between().length())))
    }

    /// How far apart the bodies are along a direction.
    fn gap_along(&self, normal: DVec3) -> f64 {
        let reach = |i: usize, d: DVec3| {
            let m = self.poses[i].matrix();
            self.bodies[i].reach(DVec3::new(widen(m.x_axis).dot(d), widen(m.y_axis).dot(d), widen(m.z_axis).dot(d)))
        };
        (self.between().dot(normal) - reach(0, normal) - reach(1, -normal)) / normal.length()
    }

    /// The second body moved so that the signed distance becomes about `wanted`.
    fn moved_to(mut self, wanted: f64) -> Self {
        let near = self.closest();
        let by = widen(near.normal) * (wanted - widen_real(near.distance));
        let turn = DQuat::from_array(self.poses[1].rotation().to_array().map(widen_real));
        self.poses[1] = pose_of(widen(self.poses[1].translation()) + by, turn);
        self
    }

    /// What a distance says, by proofs of its own: bounds as stated, points in the bodies, and no point nearer along the normal. `far` is how much
    /// the rounding of world coordinates is.
    fn check(&self, near: &Closest, far: f64) {
        let [told, lower, upper] = [near.distance, near.lower, near.upper].map(widen_real);
        let core = told + self.bodies.iter().map(|body| body.round).sum::<f64>();
        let stated = widen_real(STALL_SIGMAS * RELATIVE_GAP) * core + widen_real(STATED_SIGMAS) * self.sigma();
        assert_eq!(near.end, End::Converged, "{near:?} {self:?}");
        assert!(lower <= told && told <= upper && upper - lower <= stated, "{near:?} {self:?}");
        let room = stated + far;
        assert!(self.gap_along(widen(near.normal)) >= lower - room, "{near:?} {self:?}");
        for i in 0..2 {
            let beyond = self.bodies[i].beyond(unposed(&self.poses[i], widen(near.points[i])));
            assert!(beyond <= room, "{beyond:e} {near:?} {self:?}");
        }
        let apart = widen(near.points[1] - near.points[0]).length();
        assert!((apart - told.abs()).abs() <= room, "{near:?} {self:?}");
    }
}

/// Two bodies in a way that is likely to be difficult, and how far from the origin.
fn case(rng: &mut Rng, i: usize) -> (Case, f64) {
    let scale = if SINGLE { rng.log_uniform(1e-3, 1e3) } else { rng.log_uniform(1e-6, 1e6) };
    let sizes = [0; 2].map(|_| scale * if rng.chance(0.1) { 1e-2 } else { 1.0 });
    let bodies = sizes.map(|size| Body::random(rng, size));
    let far = if rng.chance(0.2) { scale * 1e3 } else { 0.0 };
    let first = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
    let at = rng.unit_vector() * far;
    let spread = rng.unit_vector() * scale * rng.uniform(0.0, 4.0);
    let half_turn = DQuat::from_rotation_x(std::f64::consts::PI);
    let (turn, offset) = match i % 6 {
        // Axes parallel, or the same; one may be upside down.
        0 => (if rng.chance(0.5) { first } else { first * half_turn }, spread),
        1 => {
            (if rng.chance(0.5) { first } else { first * half_turn }, first * DVec3::Z * rng.uniform(-3.0, 3.0) * scale)
        }
        // Axes at a right angle, and one towards the other.
        2 => (first * DQuat::from_rotation_x(0.5 * std::f64::consts::PI), spread),
        // Nearly parallel.
        3 => (first * DQuat::from_scaled_axis(rng.unit_vector() * rng.log_uniform(1e-12, 1e-2)), spread),
        _ => (rng.rotation(), spread),
    };
    let case = Case { bodies, poses: [pose_of(at, first), pose_of(at + offset, turn)] };
    (case, far)
}

#[test]
fn distances_are_proved_and_those_of_the_general_way() {
    let mut rng = Rng::new(1501);
    let (mut apart, mut touching) = (HitRate::new("apart"), HitRate::new("nearly touching"));
    for i in 0..6000 {
        let (mut case, far) = case(&mut rng, i);
        let size = case.sigma() / common::u();
        if i % 5 == 0 {
            case = case
                .moved_to(size * rng.log_uniform(4.0 * common::u(), 1e-3) * if rng.chance(0.8) { 1.0 } else { -1.0 });
        }
        let rounding = 16.0 * common::u() * (far + size);
        let (near, twin) = (case.closest(), case.twin().closest());
        let [lower, upper] = [near.lower, near.upper].map(widen_real);
        let slack = case.sigma();
        assert!(
            lower <= widen_real(twin.upper) + slack && widen_real(twin.lower) <= upper + slack,
            "{near:?} but {twin:?} {case:?}"
        );
        touching.record(near.distance.abs() < narrow_real(1e-4 * size));
        let alone = case.ask(|a, at_a, b, at_b, cache| distance(a, at_a, b, at_b, cache));
        if apart.record(near.contact == Contact::Apart) {
            case.check(&near, rounding);
            let alone = alone.unwrap();
            assert_eq!((alone.distance, alone.points, alone.end), (near.distance, near.points, near.end), "{case:?}");
            let meet = case.ask(|a, at_a, b, at_b, cache| overlap(a, at_a, b, at_b, cache));
            assert!(!meet.overlap || near.lower <= narrow_real(slack), "{near:?} {case:?}");
            let back = case.swapped().closest();
            assert!(
                widen_real(back.lower) <= upper + slack && lower <= widen_real(back.upper) + slack,
                "{near:?} but {back:?} {case:?}"
            );
        }
    }
    apart.assert_between(0.4, 0.9);
    touching.assert_between(0.1, 0.5);
}
