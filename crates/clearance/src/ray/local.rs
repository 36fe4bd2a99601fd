//! A ray in the frame of a body, in f64.
//!
//! What is answered about a body is answered for this ray, which is the given one up to the rounding of the change of frame; its bounds
//! are widened by what that rounding moves the hit along the ray. Under the identity the ray is the given one, exactly.

use glam::DVec3;

use super::input::Ray;
use crate::answer::{End, Feature, RayHit, Side};
use crate::math::{Mat3, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::tolerance::{RAY_GAP, RAY_RANGE_LOG2, RAY_TURN};

/// A ray in a body's frame. Its parameter is that of the given ray times `scale`, a power of two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalRay {
    pub origin: DVec3,
    /// The largest component is between a half and four.
    pub direction: DVec3,
    scale: f64,
    /// How far the origin may be off, and the direction at a parameter of one.
    origin_error: f64,
    direction_error: f64,
    /// The size of the body and the distance of its origin from the ray's: what is large and small is relative to it.
    pub size: f64,
}

/// A hit in the body's frame, on its way to the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalHit {
    /// The parameter and its bounds.
    pub t: [f64; 3],
    /// The parameters between which the piece of surface lies that is hit, whatever its slope.
    pub piece: [f64; 2],
    pub point: DVec3,
    /// Outward, of unit length.
    pub normal: DVec3,
    pub feature: Feature,
    pub side: Side,
    pub inside: bool,
}

impl LocalRay {
    /// The ray in the frame of a body with that bounding radius.
    pub fn new(ray: &Ray, pose: &Pose, reach: Real) -> Self {
        let given = widen(ray.direction());
        let scale = power_of_two_below(given.abs().max_element());
        let scaled = given / scale;
        let from = widen(ray.origin()) - widen(pose.translation());
        let moved = pose.translation() != Vec3::ZERO;
        let mut local = Self {
            origin: from,
            direction: scaled,
            scale,
            origin_error: if moved { f64::EPSILON * from.abs().max_element() } else { 0.0 },
            direction_error: 0.0,
            size: widen_real(reach) + from.abs().element_sum(),
        };
        if pose.matrix() != Mat3::IDENTITY {
            let m = pose.matrix();
            let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(widen);
            let turned = |v: DVec3| DVec3::new(x.dot(v), y.dot(v), z.dot(v));
            (local.origin, local.direction) = (turned(from), turned(scaled));
            local.origin_error = widen_real(RAY_TURN) * from.abs().element_sum();
            local.direction_error = widen_real(RAY_TURN) * scaled.abs().element_sum();
        }
        let tiny = power(-RAY_RANGE_LOG2);
        let flushed = |v: DVec3, size: f64| DVec3::select(v.abs().cmplt(DVec3::splat(tiny * size)), DVec3::ZERO, v);
        local.direction = flushed(local.direction, 1.0);
        local.origin = flushed(local.origin, local.size);
        local
    }

    #[inline]
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// The parameter of this ray for a position on the given one.
    #[inline]
    pub fn parameter(&self, t: Real) -> f64 {
        widen_real(t) * self.scale
    }

    /// The position on the given ray, rounded.
    #[inline]
    pub fn position(&self, t: f64) -> Real {
        narrow_real(t / self.scale)
    }

    /// How far the point at a parameter may be off because the ray was brought into the body's frame.
    #[inline]
    pub fn drift(&self, t: f64) -> f64 {
        self.origin_error + self.direction_error * t.abs()
    }

    /// The parameter at a position of one on the given ray: a power of two.
    #[inline]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The hit in world space, if it is not behind the origin.
    pub fn in_the_world(&self, hit: &LocalHit, pose: &Pose) -> RayHit {
        let hit = self.signed_in_the_world(hit, pose);
        RayHit { t: hit.t.max(0.0), lower: hit.lower.max(0.0), upper: hit.upper.max(0.0), ..hit }
    }

    /// The hit in world space. The bounds are widened by what the rounding of the ray moves a plane through the point along the ray.
    pub fn signed_in_the_world(&self, hit: &LocalHit, pose: &Pose) -> RayHit {
        let [t, mut lower, mut upper] = hit.t;
        let slope = hit.normal.dot(self.direction).abs();
        let drift = self.drift(t);
        if drift > 0.0 {
            let shift = if slope > 0.0 { drift / slope } else { f64::INFINITY };
            let along = 4.0 * drift;
            lower = f64::max(lower - shift, hit.piece[0].min(lower) - along);
            upper = f64::min(upper + shift, hit.piece[1].max(upper) + along);
        }
        let wide = upper - lower > RAY_GAP * self.size;
        let m = pose.matrix();
        let turned = |v: DVec3| widen(m.x_axis) * v.x + widen(m.y_axis) * v.y + widen(m.z_axis) * v.z;
        // Half an ulp of a narrowed position is what it may be off; subnormal positions are off by more.
        let outward = |x: f64, up: bool| {
            let near = self.position(x);
            if up { near.next_up() } else { near.next_down() }
        };
        RayHit {
            t: self.position(t),
            lower: outward(lower, false),
            upper: outward(upper, true),
            point: narrow(turned(hit.point) + widen(pose.translation())),
            normal: narrow(turned(hit.normal)),
            feature: hit.feature,
            side: hit.side,
            inside: hit.inside,
            end: if wide { End::Degenerate } else { End::Converged },
        }
    }
}

/// Two to a power between −1022 and 1023.
pub(crate) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023).clamp(1, 2046) as u64) << 52)
}

/// The power of two at or below a positive number; the smallest normal number for one below it.
pub(crate) fn power_of_two_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52)).max(f64::MIN_POSITIVE)
}
