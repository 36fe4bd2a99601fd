//! The contact feature of a body as plain corners, and the plane geometry on it.
//!
//! One corner is a point, two are a line, three or more a convex polygon. Corners are those of the core; the rounding radius
//! is kept beside them and added when the feature's use is known: a face moves out along its own normal, a line across itself.

use arrayvec::ArrayVec;

use crate::math::{Mat3, Pose, Real, Vec3, length, unit_or};
use crate::narrow::Label;

/// The most corners of one feature; a face with more is thinned.
pub(super) const CORNERS: usize = 32;

/// Pushes if there is room, which there is by the count of corners.
pub(super) fn add<T, const N: usize>(list: &mut ArrayVec<T, N>, item: T) {
    let pushed = list.try_push(item).is_ok();
    debug_assert!(pushed, "more corners than counted");
}

/// The rigid map from a body's frame to the contact frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub rotation: Mat3,
    pub translation: Vec3,
}

impl Placement {
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }
}

/// A corner, its index in the body, and that of the edge from it to the next corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub p: Vec3,
    pub vertex: u32,
    pub edge: u32,
}

pub(super) type Corners = ArrayVec<Corner, CORNERS>;

/// A contact feature.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    pub label: Label,
    pub corners: Corners,
    /// Unit, outward: of the face; for a line and a point the direction asked for, freed of its part along the line.
    pub normal: Vec3,
    pub radius: Real,
    /// The radius at which the surface curves beside a line, at either end of it; zero for a sharp edge.
    pub bends: [Real; 2],
    /// Whether the corners of a face may be off its plane by more than rounding.
    pub rough: bool,
    /// By how much the body may reach farther than the corners of a circle.
    pub lost: Real,
}

impl Outline {
    pub fn point(label: Label, p: Vec3, d: Vec3) -> Self {
        let vertex = if let Label::Vertex(vertex) = label { vertex } else { 0 };
        let mut corners = Corners::new();
        corners.push(Corner { p, vertex, edge: 0 });
        Self { label, corners, normal: unit_or(d, Vec3::Z), radius: 0.0, bends: [0.0; 2], rough: false, lost: 0.0 }
    }

    /// The line between two corners, whose edge is that of the first.
    pub fn line(ends: [Corner; 2], d: Vec3) -> Self {
        let along = unit_or(ends[1].p - ends[0].p, Vec3::ZERO);
        let mut corners = Corners::new();
        corners.extend(ends);
        let normal = unit_or(d - along * d.dot(along), Vec3::Z);
        Self {
            label: Label::Edge(ends[0].edge),
            corners,
            normal,
            radius: 0.0,
            bends: [0.0; 2],
            rough: false,
            lost: 0.0,
        }
    }

    /// A face from any number of corners in order, thinned to as many as there is room for; `d` is asked for.
    pub fn face(label: u32, corners: impl ExactSizeIterator<Item = Corner> + Clone, normal: Vec3, d: Vec3) -> Self {
        let count = corners.len();
        let reach = |c: &Corner| c.p.dot(d);
        let deepest = corners.clone().max_by(|a, b| reach(a).total_cmp(&reach(b))).map(|c| c.vertex);
        // Every so many corners, leaving room for the deepest.
        let steps = if count <= CORNERS { 1 } else { count.div_ceil(CORNERS - 1) };
        let mut kept = Corners::new();
        for (i, corner) in corners.enumerate() {
            if i % steps == 0 || deepest == Some(corner.vertex) {
                add(&mut kept, corner);
            }
        }
        Self {
            label: Label::Face(label),
            corners: kept,
            normal: unit_or(normal, d),
            radius: 0.0,
            bends: [0.0; 2],
            rough: false,
            lost: 0.0,
        }
    }

    pub fn round(&mut self, radius: Real) {
        self.radius += radius;
        self.bends = self.bends.map(|bend| bend + radius);
    }

    fn transform(&mut self, rotation: Mat3, translation: Vec3) {
        for corner in &mut self.corners {
            corner.p = rotation * corner.p + translation;
        }
        self.normal = rotation * self.normal;
    }

    pub fn place(&mut self, to: &Placement) {
        self.transform(to.rotation, to.translation);
    }

    #[must_use]
    pub fn posed(mut self, pose: &Pose) -> Self {
        self.transform(pose.matrix(), pose.translation());
        self
    }

    pub fn is_face(&self) -> bool {
        self.corners.len() > 2
    }

    /// Becomes the surface itself: moved out by the radius.
    pub fn inflate(&mut self) {
        let out = self.normal * self.radius;
        for corner in &mut self.corners {
            corner.p += out;
        }
        self.radius = 0.0;
    }

    /// Twice the area of the outline, positive if counter-clockwise.
    pub fn area(&self) -> Real {
        let Some(first) = self.corners.first() else { return 0.0 };
        self.corners.windows(2).map(|pair| cross(pair[0].p - first.p, pair[1].p - first.p)).sum()
    }

    /// Becomes counter-clockwise in the contact frame; twice its area.
    pub fn orient(&mut self) -> Real {
        let area = self.area();
        if !self.is_face() || !(area < 0.0) {
            return area;
        }
        self.corners.reverse();
        // The edge after a corner is now the one that was before it.
        let first = self.corners[0].edge;
        let len = self.corners.len();
        for i in 0..len {
            self.corners[i].edge = if i + 1 < len { self.corners[i + 1].edge } else { first };
        }
        -area
    }

    /// The height of the face's plane above a place.
    pub fn height(&self, at: Vec3) -> Real {
        let p = self.corners[0].p;
        p.z - (self.normal.x * (at.x - p.x) + self.normal.y * (at.y - p.y)) / self.normal.z
    }

    /// The height above a place of a face so slender that its normal says little: between the two points of its outline on the shortest
    /// line across it. Both are points of the body, and so is what is between them. Nothing if the place is farther than `slop` from the face.
    pub fn height_across(&self, at: Vec3, slop: Real) -> Option<Real> {
        let sides = || (0..self.corners.len()).map(|i| self.edge(i).map(|c| c.p));
        let long = sides()
            .map(|[p, q]| flat(q - p))
            .fold(Vec3::ZERO, |long, side| if side.length_squared() > long.length_squared() { side } else { long });
        let long = unit_or(long, Vec3::X);
        let mut nearest = (Real::INFINITY, 0.0);
        // The points of the outline on the line across, the lowest and the highest along it, with their heights.
        let mut ends = [(Real::INFINITY, 0.0), (Real::NEG_INFINITY, 0.0)];
        for [p, q] in sides() {
            let foot = foot([p, q], at);
            let off = length(flat(foot - at));
            if off < nearest.0 {
                nearest = (off, foot.z);
            }
            let (from, to) = (long.dot(p - at), long.dot(q - at));
            if from.min(to) <= 0.0 && from.max(to) >= 0.0 && from != to {
                let crossing = p.lerp(q, from / (from - to));
                let place = (cross(long, crossing - at), crossing.z);
                ends = [
                    if place.0 < ends[0].0 { place } else { ends[0] },
                    if place.0 > ends[1].0 { place } else { ends[1] },
                ];
            }
        }
        if nearest.0 <= slop {
            return Some(nearest.1);
        }
        let [low, high] = ends;
        (low.0 < 0.0 && high.0 > 0.0).then(|| low.1 + (high.1 - low.1) * (low.0 / (low.0 - high.0)))
    }

    /// Whether a place, seen along the normal, is on the counter-clockwise face or within a distance of it. Beyond a sharp corner a place may
    /// be near to the lines of both sides and far from the face.
    pub fn covers(&self, at: Vec3, within: Real) -> bool {
        let sides = || (0..self.corners.len()).map(|i| self.edge(i).map(|c| c.p));
        sides().all(|[p, q]| cross(q - p, at - p) >= 0.0)
            || sides().any(|side| length(flat(foot(side, at) - at)) <= within)
    }

    /// Whether a feature of the body with this name is here at a place, seen along the normal, or within a distance of it.
    pub fn has(&self, label: Label, at: Vec3, within: Real) -> bool {
        match label {
            Label::Vertex(vertex) => {
                self.corners.iter().any(|c| c.vertex == vertex && length(flat(c.p - at)) <= within)
            }
            Label::Edge(edge) => (0..self.corners.len())
                .filter(|&i| self.corners[i].edge == edge)
                .any(|i| length(flat(foot(self.edge(i).map(|c| c.p), at) - at)) <= within),
            Label::Face(_) | Label::Smooth => self.label == label,
        }
    }

    /// The edge after corner `i`: its ends.
    pub fn edge(&self, i: usize) -> [Corner; 2] {
        [self.corners[i], self.corners[(i + 1) % self.corners.len()]]
    }
}

/// The place of a side nearest to a place, seen along the normal.
fn foot([p, q]: [Vec3; 2], at: Vec3) -> Vec3 {
    let along = flat(q - p);
    let share = (along.dot(at - p) / along.length_squared()).clamp(0.0, 1.0);
    p.lerp(q, if share.is_finite() { share } else { 0.0 })
}

/// The cross product of two vectors of the contact plane.
#[inline]
pub(super) fn cross(u: Vec3, v: Vec3) -> Real {
    u.x * v.y - u.y * v.x
}

/// The part of a vector in the contact plane.
#[inline]
pub(super) fn flat(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond the tip of a needle a place is near to the lines of both sides, and far from the needle.
    #[test]
    fn a_face_does_not_reach_beyond_its_sharp_corners() {
        let corner = |vertex, x: Real, y: Real| Corner { p: Vec3::new(x, y, 0.0), vertex, edge: vertex };
        let corners = [corner(0, 0.0, -5.0e-4), corner(1, 1.0, 0.0), corner(2, 0.0, 5.0e-4)];
        let needle = Outline::face(0, corners.iter().copied(), Vec3::Z, Vec3::Z);
        let within: Real = 1.0e-4;
        for (x, y, is_covered) in [(0.5, 0.0, true), (0.9, 0.0, true), (1.00005, 0.0, true), (1.05, 0.0, false)] {
            let near_lines = (0.0005 * (1.0 - x) as Real).abs() <= within || is_covered;
            assert!(near_lines && needle.covers(Vec3::new(x, y, 0.0), within) == is_covered, "{x} {y}");
        }
        assert!(
            needle.covers(Vec3::new(0.5, 3.0e-4, 0.0), within) && !needle.covers(Vec3::new(0.5, 4.0e-4, 0.0), within)
        );
    }
}
