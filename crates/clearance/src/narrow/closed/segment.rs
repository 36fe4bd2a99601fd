//! A segment or a point with a box, flat or thin as it may be.
//!
//! The square of the distance of `centre + s·axis` from a box is convex in s and a parabola between the at most six values
//! of s at which the line enters or leaves a slab of the box. Half its derivative, the product of the axis with the vector from
//! the box, never falls; its sign at the six values leaves one piece, on which it is a straight line. In exact
//! arithmetic the result is exact; in floating point an error of s hardly moves the vector, however small the angle, because
//! that is what the derivative measures.

use super::found::{Cores, Found};
use crate::math::{Real, Vec3, length, unit_or};
use crate::tolerance::PARALLEL_EDGES;

/// A segment in the frame of a box; a point if its half length is zero.
pub(super) struct Rod {
    pub centre: Vec3,
    /// Unit vector.
    pub axis: Vec3,
    pub half: Real,
}

impl Rod {
    fn at(&self, s: Real) -> Vec3 {
        self.centre + self.axis * s
    }

    /// Half the derivative of the squared distance from the box.
    #[inline]
    fn slope(&self, half: Vec3, s: Real) -> Real {
        let point = self.at(s);
        self.axis.dot(point - point.clamp(-half, half))
    }

    /// The parameter of a point nearest to the box; where a stretch is equally near, its middle.
    #[inline]
    fn nearest(&self, half: Vec3) -> Real {
        let (mut low, mut high) = (-self.half, self.half);
        let (mut at_low, mut at_high) = (self.slope(half, low), self.slope(half, high));
        if at_low > 0.0 {
            return low;
        }
        if at_high < 0.0 {
            return high;
        }
        let mut level = [Real::INFINITY, -Real::INFINITY];
        let mut is_level = |s: Real| level = [level[0].min(s), level[1].max(s)];
        if at_low == 0.0 {
            is_level(low);
        }
        if at_high == 0.0 {
            is_level(high);
        }
        let inverse = self.axis.recip();
        let (first, second) = ((-half - self.centre) * inverse, (half - self.centre) * inverse);
        for s in first.to_array().into_iter().chain(second.to_array()) {
            // A line along a slab never enters it: infinite or not a number, and passed over.
            if !(s > low && s < high) {
                continue;
            }
            let slope = self.slope(half, s);
            if slope < 0.0 {
                (low, at_low) = (s, slope);
            } else if slope > 0.0 {
                (high, at_high) = (s, slope);
            } else {
                is_level(s);
            }
        }
        if level[0] <= level[1] {
            return 0.5 * (level[0] + level[1]);
        }
        low + (high - low) * (at_low / (at_low - at_high))
    }
}

/// How a segment or a point lies to a box. Vectors shorter than `near` have their direction from the edges, if two edges cross.
pub(super) fn nearest(half: Vec3, rod: &Rod, near: Real) -> Cores {
    let s = if rod.half > 0.0 { rod.nearest(half) } else { 0.0 };
    let on_rod = rod.at(s);
    let on_box = on_rod.clamp(-half, half);
    let between = on_rod - on_box;
    let length = length(between);
    if !(length > 0.0) {
        return Cores::Meeting(on_box);
    }
    let mut normal = unit_or(between, Vec3::X);
    if length < near && s.abs() < rod.half {
        normal = across_edges(half, on_rod, rod.axis, between).unwrap_or(normal);
    }
    let reach = normal.abs().dot(half) + normal.dot(rod.axis).abs() * rod.half;
    Cores::Apart(Found {
        points: [on_box, on_rod],
        normal,
        distance: normal.dot(between),
        bound: normal.dot(rod.centre) - reach,
    })
}

/// The normal of an edge of the box and the segment, towards the segment, if it is an edge that is nearest.
fn across_edges(half: Vec3, on_rod: Vec3, axis: Vec3, between: Vec3) -> Option<Vec3> {
    let edge = match on_rod.abs().cmplt(half).bitmask() {
        0b001 => Vec3::X,
        0b010 => Vec3::Y,
        0b100 => Vec3::Z,
        _ => return None,
    };
    let normal = edge.cross(axis);
    let sine = length(normal);
    (sine > PARALLEL_EDGES).then(|| normal * ((1.0 as Real).copysign(normal.dot(between)) / sine))
}
