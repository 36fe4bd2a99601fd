//! Rays against compounds: the parts along the ray, nearest first.
//!
//! A compound is the union of its parts. A ray that starts inside of a part is followed until it is inside of none: where parts overlap it
//! goes on, where they only touch it stops.

use super::convex::cast_ray_convex;
use super::input::{Ray, RayOptions};
use super::local::LocalRay;
use super::mesh::cast_ray_mesh;
use crate::answer::{End, RayHit, Side};
use crate::bvh::RayPath;
use crate::math::{Pose, Real, length};
use crate::shape::{Compound, Leaf};

use crate::tolerance::{RAY_TURN, UNIT_ROUNDOFF};

/// Where a ray first meets a compound; nothing if it does not, or only beyond the largest position. The feature names the part.
pub fn cast_ray_compound(compound: &Compound, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let first = first_part(compound, pose, ray, options)?;
    if !first.inside {
        return Some(first).filter(|hit| hit.t <= options.max);
    }
    way_out(compound, pose, ray, first).filter(|hit| hit.t <= options.max)
}

/// The hit of the nearest part; of the parts that the origin is inside of, that which the ray leaves last.
fn first_part(compound: &Compound, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let local = LocalRay::new(ray, pose, compound.bounding_radius());
    // Boxes of parts are made by composed poses, which are a few roundings off.
    let error = local.drift(4.0 * local.size) + crate::math::widen_real(RAY_TURN) * local.size;
    let path = RayPath::new(&compound.tree, local.origin, local.direction, local.size, error)?;
    // A part that the origin is inside of may be left beyond the largest position, and still counts.
    let unbounded = RayOptions { max: Real::INFINITY, ..*options };
    let mut best: Option<RayHit> = None;
    let mut limit = path.limit(local.parameter(options.max));
    compound.tree.along_ray(&path, limit, |part, _| {
        let Some((leaf, own)) = compound.parts.get(part as usize) else {
            return limit;
        };
        let place = pose.compose(own);
        let hit = match leaf {
            Leaf::Convex(shape) => cast_ray_convex(shape, &place, 0.0, ray, &unbounded),
            Leaf::Mesh(mesh) => cast_ray_mesh(mesh, &place, ray, &unbounded),
        };
        if let Some(hit) = hit {
            let hit = RayHit { feature: hit.feature.of_part(part), ..hit };
            let best = best.insert(best.map_or(hit, |old| better(hit, old)));
            if !best.inside {
                limit = limit.min(path.limit(local.parameter(best.upper)));
            }
        }
        limit
    });
    best
}

/// Leaving a part that the origin is inside of comes before all else, the last of several; otherwise the nearest, by number if tied.
fn better(a: RayHit, b: RayHit) -> RayHit {
    let key = |hit: &RayHit| hit.feature.part;
    match (a.inside, b.inside) {
        (true, false) => a,
        (false, true) => b,
        (true, true) if a.t > b.t || (a.t == b.t && key(&a) < key(&b)) => a,
        (true, true) => b,
        (false, false) => {
            let a_first = a.t < b.t || (a.t == b.t && key(&a) < key(&b));
            let first = if a_first { a } else { b };
            RayHit { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper), ..first }
        }
    }
}

/// Follows a ray from inside of one part into others that overlap it.
fn way_out(compound: &Compound, pose: &Pose, ray: &Ray, first: RayHit) -> Option<RayHit> {
    let mut last = first;
    let speed = length(ray.direction());
    for _ in 0..=compound.part_count() {
        let Ok(rest) = Ray::new(ray.at(last.t), ray.direction()) else {
            return Some(last);
        };
        // Where the rest starts is rounded; it matters as much as the surface met is slanted.
        let rounding = 4.0 * UNIT_ROUNDOFF * (rest.origin().abs().max_element() + speed * last.t);
        let next = first_part(compound, pose, &rest, &RayOptions::default())
            .filter(|next| next.inside && next.feature.part != last.feature.part && next.t * speed > rounding);
        let Some(next) = next else {
            return Some(last);
        };
        let slope = next.normal.dot(ray.direction()).abs();
        let slack = if slope > 0.0 { rounding / slope } else { Real::INFINITY };
        let width = [next.t - next.lower + slack, next.upper - next.t + slack];
        let t = last.t + next.t;
        last = RayHit { t, lower: (t - width[0]).next_down().max(0.0), upper: (t + width[1]).next_up(), ..next };
        last.side = Side::Back;
    }
    // Ray and parts keep entering each other within rounding: the place is right for what was looked at.
    Some(RayHit { end: End::IterationLimit, ..last })
}
