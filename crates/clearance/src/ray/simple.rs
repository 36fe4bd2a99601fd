//! Rays against half-spaces and clouds of balls, and points against half-spaces.

use super::convex::cast_ray_convex;
use super::input::{Ray, RayOptions};
use super::local::LocalRay;
use crate::answer::{Contact, End, Feature, Projection, RayHit, Side};
use crate::bvh::{Bvh, RayPath};
use crate::math::{Pose, Real, Vec3, narrow_real, widen, widen_real};
use crate::shape::Shape;
use crate::tolerance::{RAY_TURN, sigma};

/// Where a ray first meets the half-space `normal · x ≤ offset` (unit normal, in the frame of the pose).
pub fn cast_ray_half_space(normal: Vec3, offset: Real, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
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

/// The signed distance of a point from the half-space `normal · x ≤ offset` (unit normal, in the frame of the pose).
pub fn project_on_half_space(normal: Vec3, offset: Real, pose: &Pose, point: Vec3) -> Projection {
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

/// Where a ray first meets one of many balls of one radius about points, whose boxes are in a tree by the points' numbers.
///
/// The feature is the point. An origin in several balls leaves the one that reaches farthest along the ray.
pub fn cast_ray_points(
    points: &[Vec3],
    radius: Real,
    tree: &Bvh,
    pose: &Pose,
    ray: &Ray,
    options: &RayOptions,
) -> Option<RayHit> {
    let ball = if radius > 0.0 { Shape::sphere(radius).ok()? } else { Shape::point() };
    let [middle, half] = tree.bounds().middle_and_half();
    let reach = narrow_real(middle.length() + half.length());
    let local = LocalRay::new(ray, pose, reach);
    let error = local.drift(4.0 * local.size);
    let path = RayPath::new(tree, local.origin, local.direction, local.size, error)?;
    let mut best: Option<RayHit> = None;
    let mut limit = path.limit(local.parameter(options.max));
    tree.along_ray(&path, limit, |index, _| {
        let Some(&point) = points.get(index as usize) else {
            return limit;
        };
        let Ok(place) = Pose::from_translation(pose.point(point)) else {
            return limit;
        };
        if let Some(hit) = cast_ray_convex(&ball, &place, 0.0, ray, options) {
            let hit = RayHit { feature: Feature::vertex(index), ..hit };
            let is_better = best.is_none_or(|old| match (old.inside, hit.inside) {
                (true, true) => hit.t > old.t,
                (false, false) => hit.t < old.t,
                (_, is_inside) => is_inside,
            });
            if is_better {
                best = Some(hit);
            }
            if !hit.inside {
                limit = path.limit(local.parameter(best.map_or(hit.upper, |best| best.upper)));
            }
        }
        limit
    });
    best
}
