//! Rays and points against half-spaces.

use super::input::{Ray, RayOptions};
use crate::answer::{Contact, End, Feature, Projection, RayHit, Side};
use crate::math::{Pose, Vec3, narrow_real, widen, widen_real};
use crate::shape::HalfSpace;
use crate::tolerance::{RAY_TURN, sigma};

/// Where a ray first meets a half-space; nothing if it does not, or only beyond the largest position.
pub fn cast_ray_half_space(half_space: &HalfSpace, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let (normal, offset) = (half_space.normal(), half_space.offset());
    let world = pose.direction(normal);
    let (n, o, d) = (widen(world), widen(ray.origin()) - widen(pose.translation()), widen(ray.direction()));
    let (height, slope) = (n.dot(o) - widen_real(offset), n.dot(d));
    let error = widen_real(RAY_TURN) * (o.length() + widen_real(offset).abs());
    let tilt = widen_real(RAY_TURN) * d.length();
    let inside = height < -error;
    let hit = |t: f64, slack: f64, side: Side, inside: bool| {
        let at = narrow_real(t);
        let hit = RayHit {
            t: at.max(0.0),
            lower: narrow_real(t - slack).next_down().max(0.0),
            upper: narrow_real(t + slack).next_up().max(0.0),
            point: ray.at(at),
            normal: world,
            feature: Feature::face(0),
            side,
            inside,
            end: End::Converged,
        };
        (hit.t <= options.max).then_some(hit)
    };
    if !inside && height <= error {
        return hit(0.0, 0.0, if slope > 0.0 { Side::Back } else { Side::Front }, false);
    }
    let t = -height / slope;
    // Nearly along the plane, or away from it.
    if !(t >= 0.0 && t.is_finite()) {
        return None;
    }
    let slack = if slope.abs() > 2.0 * tilt { 2.0 * (error + t * tilt) / slope.abs() } else { f64::INFINITY };
    hit(t, slack, if inside { Side::Back } else { Side::Front }, inside && options.solid)
}

/// The signed distance of a point from a half-space, and the nearest point of its plane.
pub fn project_on_half_space(half_space: &HalfSpace, pose: &Pose, point: Vec3) -> Projection {
    let (normal, offset) = (half_space.normal(), half_space.offset());
    let world = pose.direction(normal);
    let from = point - pose.translation();
    let distance = narrow_real(widen(world).dot(widen(from)) - widen_real(offset));
    let error = sigma(from.abs().element_sum() + offset.abs());
    Projection {
        distance,
        lower: distance - error,
        upper: distance + error,
        nearest: point - world * distance,
        normal: world,
        feature: Feature::face(0),
        contact: Contact::of(distance, distance - error, error),
        end: End::Converged,
    }
}
