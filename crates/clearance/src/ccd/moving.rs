//! Two moving pieces seen from the first one's axes at a time, and how long a gap between them stays open.
//!
//! Along a fixed unit direction n a point x of a body that turns with ω moves with the speed `n·v + (n×ω)·(x − o)`, and that speed
//! changes by no more than its acceleration towards the axis, `|n×ω| (|ω| ρ + drift)` for points within ρ of the piece's origin. So
//! for a gap g that closes with the speed s nothing happens for the time until `g = s τ + a τ²/2`. Where bodies turn slowly or
//! not at all this is as good as exact; a bound by the largest speed alone would creep up to a grazing contact.

use glam::{DMat3, DVec3};

use crate::bvh::{Frame, OrientedBox};
use crate::math::{Pose, widen};
use crate::motion::{Instant, Steady, wide_matrix};

/// A piece of a moving body: the body's motion, and the piece's place in the body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover<'m> {
    pub motion: &'m Steady,
    part: Option<(Pose, DMat3, DVec3)>,
    /// The speed of the piece's origin across the axis of the turn, at all times.
    drift: f64,
    spin: f64,
}

impl<'m> Mover<'m> {
    pub fn new(motion: &'m Steady) -> Self {
        Self { motion, part: None, drift: motion.drift(), spin: motion.omega().length() }
    }

    /// A part of the same body.
    pub fn part(&self, pose: &Pose) -> Self {
        let (turn, place) = (wide_matrix(pose.matrix()), widen(pose.translation()));
        let start = wide_matrix(self.motion.start().matrix());
        let drift = self.motion.drift() + self.motion.omega().cross(start * place).length();
        Self { part: Some((*pose, turn, place)), drift, ..*self }
    }

    /// The pose of the piece at a time, rounded to the build's precision.
    pub fn pose(&self, time: f64) -> Pose {
        let body = if time == 0.0 { *self.motion.start() } else { self.motion.pose_at(time) };
        self.part.as_ref().map_or(body, |(pose, ..)| body.compose(pose))
    }

    pub fn at(&self, time: f64) -> Instant {
        let body = self.motion.at(time);
        let Some((_, turn, place)) = self.part else {
            return body;
        };
        let arm = body.rotation * place;
        Instant {
            rotation: body.rotation * turn,
            origin: body.origin + arm,
            velocity: body.velocity + self.motion.omega().cross(arm),
        }
    }

    /// At most so large is the acceleration along a unit direction of a point within `reach` of the origin.
    fn bend(&self, across: DVec3, reach: f64) -> f64 {
        across.length() * (self.spin * reach + self.drift)
    }
}

/// Two movers at a time, in the axes of the first, whose origin is at rest there.
pub(super) struct Relative<'m> {
    movers: [Mover<'m>; 2],
    pub places: [Instant; 2],
    /// The second in the frame of the first.
    pub frame: Frame,
    /// The velocity of the second's origin seen from the first one's.
    velocity: DVec3,
    omegas: [DVec3; 2],
}

/// A gap along a direction and how fast it closes at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    pub gap: f64,
    pub speed: f64,
    /// At most so fast does the speed grow.
    pub bend: f64,
}

impl Closing {
    /// For how long the gap is certain to be above `floor`; nothing if it is not now.
    #[inline]
    pub fn lasts(&self, floor: f64) -> Option<f64> {
        let room = self.gap - floor;
        if !(room > 0.0) {
            return None;
        }
        let root = (self.speed * self.speed + 2.0 * self.bend * room).sqrt();
        let time = if self.speed > 0.0 { 2.0 * room / (self.speed + root) } else { (root - self.speed) / self.bend };
        // It neither moves nor could.
        Some(if time.is_nan() { f64::INFINITY } else { time })
    }
}

impl<'m> Relative<'m> {
    pub fn new(movers: [Mover<'m>; 2], time: f64) -> Self {
        let places = movers.map(|mover| mover.at(time));
        let [a, b] = &places;
        let back = a.rotation.transpose();
        let frame = Frame { rotation: back * b.rotation, translation: back * (b.origin - a.origin) };
        let omegas = movers.map(|mover| back * mover.motion.omega());
        Self { movers, places, frame, velocity: back * (b.velocity - a.velocity), omegas }
    }

    /// How the gap between two boxes, the second in its own frame, closes along the axis that tells them apart best.
    pub fn boxes(&self, a: &OrientedBox, b: &OrientedBox) -> Closing {
        let (gap, normal) = a.separating_axis(b, &self.frame);
        let [across_a, across_b] = self.omegas.map(|omega| normal.cross(omega));
        let [middle_a, half_a] = a.span(across_a);
        let [middle_b, half_b] = b.span(self.frame.rotation.transpose() * across_b);
        let speed = middle_a + half_a - (middle_b - half_b) - normal.dot(self.velocity);
        let bend = self.movers[0].bend(across_a, a.reach()) + self.movers[1].bend(across_b, b.reach());
        Closing { gap, speed, bend }
    }

    /// For how long every one of the points `a` stays behind every one of the points `b` along a unit direction, by more than
    /// `floor`. All are in the axes of the first. Nothing if they are not now.
    pub fn points(&self, normal: DVec3, a: &[DVec3; 3], b: &[DVec3; 3], floor: f64) -> Option<f64> {
        let [across_a, across_b] = self.omegas.map(|omega| normal.cross(omega));
        let at = self.frame.translation;
        let farthest = |points: &[DVec3; 3], from: DVec3| {
            points.iter().map(|p| p.distance_squared(from)).fold(0.0, f64::max).sqrt()
        };
        let bend =
            self.movers[0].bend(across_a, farthest(a, DVec3::ZERO)) + self.movers[1].bend(across_b, farthest(b, at));
        let of_a = a.map(|p| (normal.dot(p), across_a.dot(p)));
        let drift = normal.dot(self.velocity);
        let of_b = b.map(|p| (normal.dot(p), drift + across_b.dot(p - at)));
        let mut least = f64::INFINITY;
        for (height_a, speed_a) in of_a {
            for (height_b, speed_b) in of_b {
                let closing = Closing { gap: height_b - height_a, speed: speed_a - speed_b, bend };
                least = least.min(closing.lasts(floor)?);
            }
        }
        Some(least)
    }

    /// The direction in which the second point moves away from the first, if it does; both in the axes of the first.
    pub fn parting(&self, on_a: DVec3, on_b: DVec3) -> Option<DVec3> {
        let [omega_a, omega_b] = self.omegas;
        let speed = self.velocity + omega_b.cross(on_b - self.frame.translation) - omega_a.cross(on_a);
        speed.try_normalize()
    }

    /// A point or direction of the first one's axes in the world.
    pub fn point_out(&self, p: DVec3) -> DVec3 {
        self.places[0].rotation * p + self.places[0].origin
    }

    pub fn direction_out(&self, d: DVec3) -> DVec3 {
        self.places[0].rotation * d
    }
}

/// The bend of a shape's gap along a direction of the world, for shapes of these radii.
pub(super) fn bend_of(movers: &[Mover<'_>; 2], normal: DVec3, radii: [f64; 2]) -> f64 {
    let of = |mover: &Mover<'_>, radius: f64| mover.bend(normal.cross(mover.motion.omega()), radius);
    of(&movers[0], radii[0]) + of(&movers[1], radii[1])
}

/// For how long from a time the origins of two pieces are certain to be farther apart than `reach`; zero if they are not now.
pub(super) fn balls_apart(movers: &[Mover<'_>; 2], time: f64, reach: f64) -> f64 {
    let [a, b] = movers.map(|mover| mover.at(time));
    let between = b.origin - a.origin;
    let room = between.length() - reach;
    if !(room > 0.0) {
        return 0.0;
    }
    if movers.iter().any(|mover| mover.drift > 0.0) {
        let speed: f64 = movers.iter().map(|mover| mover.motion.length() + mover.drift).sum();
        return room / speed;
    }
    // Both origins move straight: a quadratic, of which the first root is asked for.
    let velocity = b.velocity - a.velocity;
    let (closing, square) = (-between.dot(velocity), room * (between.length() + reach));
    let inner = closing * closing - velocity.length_squared() * square;
    // Below the rounding of its terms the root may be there.
    if !(closing > 0.0) || inner < -4.0 * f64::EPSILON * closing * closing {
        return f64::INFINITY;
    }
    square / (closing + inner.max(0.0).sqrt()) * (1.0 - 8.0 * f64::EPSILON)
}
