//! Common points of a segment, or of a side of a plate, and a body with sharp edges that it cuts by a hair.
//!
//! A segment has no room for a point that is off it by more than rounding, and behind a sharp edge the deepest point of the segment need not
//! be in the body. So the segment itself is searched. Its distance from the body is a convex function of the place along it: where a point of
//! it is outside, the plane through the nearest point of the body cuts off a part of the segment that is outside too, and the search goes on
//! at the cut. It never passes what they have in common, since that is never cut off. It ends after `CUTS` cuts.

use arrayvec::ArrayVec;

use super::PairCache;
use super::closest::distance;
use super::pair::Pair;
use crate::math::{Pose, Real, Vec3, unit_or};
use crate::shape::{Core, Shape};

/// Cuts there may be; each is a step of Newton's method.
const CUTS: usize = 24;

/// A common point of a sharp segment, or of a side of a sharp plate, and the other shape in the frame of A, searched for from `near`;
/// nothing if neither shape is one, or no point within `tolerance` of the other shape is found.
#[cold]
pub(super) fn common_point(shapes: [&Shape; 2], pair: &Pair<'_>, near: Vec3, tolerance: Real) -> Option<Vec3> {
    let (turn, back) = (pair.m.rotation, pair.m.rotation.transpose());
    let shift = pair.m.translation;
    let in_b = back * (near - shift);
    (0..2).filter(|&side| shapes[side].radius() == 0.0).find_map(|side| {
        sides(shapes[side].core()).into_iter().find_map(|own| {
            // In the frame of the other shape.
            let ends = own.map(|p| if side == 0 { back * (p - shift) } else { turn * p + shift });
            let share = search(shapes[1 - side], ends, [in_b, near][side], tolerance)?;
            let found = own[0].lerp(own[1], share);
            Some(if side == 0 { found } else { turn * found + shift })
        })
    })
}

/// The segment itself, or the sides of a plate.
fn sides(core: &Core) -> ArrayVec<[Vec3; 2], 4> {
    match *core {
        Core::Segment { half_length } => ArrayVec::from_iter([[-Vec3::X * half_length, Vec3::X * half_length]]),
        Core::Triangle([a, b, c]) => ArrayVec::from_iter([[a, b], [b, c], [c, a]]),
        Core::Rectangle { half_extents: [x, y] } => {
            let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| Vec3::new(x, y, 0.0));
            (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]).collect()
        }
        _ => ArrayVec::new(),
    }
}

/// The share of a segment at which it is in the shape.
fn search(shape: &Shape, [from, to]: [Vec3; 2], near: Vec3, tolerance: Real) -> Option<Real> {
    let along = to - from;
    let mut share = along.dot(near - from) / along.length_squared();
    for _ in 0..CUTS {
        share = share.clamp(0.0, 1.0);
        let point = from + along * share;
        let at = Pose::IDENTITY.moved_to(point);
        let near = distance(&Shape::point(), &at, shape, &Pose::IDENTITY, &mut PairCache::default());
        let Some(near) = near.filter(|near| near.distance > tolerance) else { return Some(share) };
        // From the point to the shape: the segment has to go that way.
        let inward = unit_or(near.points[1] - point, near.normal);
        let next = share + near.distance / inward.dot(along);
        if !next.is_finite() || next.clamp(0.0, 1.0) == share {
            return None;
        }
        share = next;
    }
    None
}
