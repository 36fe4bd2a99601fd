//! Common points of a segment and a body with sharp edges that it cuts by a hair.
//!
//! A segment has no room for a point that is off it by more than rounding, and behind a sharp edge the deepest point of the segment need not
//! be in the body. So the segment itself is searched. Its distance from the body is a convex function of the place along it: where a point of
//! it is outside, the plane through the nearest point of the body cuts off a part of the segment that is outside too, and the search goes on
//! at the cut. It never passes what they have in common, since that is never cut off. It ends after `CUTS` cuts.

use super::closest::distance;
use super::pair::Pair;
use super::PairCache;
use crate::math::{Pose, Real, Vec3, unit_or};
use crate::shape::{Core, Shape};

/// Cuts there may be; each is a step of Newton's method.
const CUTS: usize = 24;

/// A common point of a sharp segment and the other shape in the frame of A, searched for from `near`; nothing if none is a segment, or no
/// point of it is found within `tolerance` of the other shape.
#[cold]
pub(super) fn common_point(shapes: [&Shape; 2], pair: &Pair<'_>, near: Vec3, tolerance: Real) -> Option<Vec3> {
    (0..2).find_map(|side| {
        let Core::Segment { half_length } = *shapes[side].core() else { return None };
        if shapes[side].radius() > 0.0 {
            return None;
        }
        // The segment in the frame of the other shape.
        let back = pair.m.rotation.transpose();
        let [centre, axis] = [[-(back * pair.m.translation), back.x_axis], [pair.m.translation, pair.m.rotation.x_axis]][side];
        let start = [near.x, pair.m.rotation.x_axis.dot(near - pair.m.translation)][side];
        let along = search(shapes[1 - side], [centre, axis], half_length, start, tolerance)?;
        Some([Vec3::X * along, centre + axis * along][side])
    })
}

/// A place along a segment at which it is in the shape.
fn search(shape: &Shape, [centre, axis]: [Vec3; 2], half: Real, start: Real, tolerance: Real) -> Option<Real> {
    let mut along = start.clamp(-half, half);
    for _ in 0..CUTS {
        let point = centre + axis * along;
        let at = Pose::IDENTITY.moved_to(point);
        let near = distance(&Shape::point(), &at, shape, &Pose::IDENTITY, &mut PairCache::default());
        let Some(near) = near.filter(|near| near.distance > tolerance) else { return Some(along) };
        // From the point to the shape: the segment has to go that way.
        let inward = unit_or(near.points[1] - point, near.normal);
        let next = (along + near.distance / inward.dot(axis)).clamp(-half, half);
        if !next.is_finite() || next == along {
            return None;
        }
        along = next;
    }
    None
}
