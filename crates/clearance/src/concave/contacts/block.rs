//! A box and a triangle in closed form.
//!
//! Two convex polyhedra overlap by the least of their overlaps along the normals of their faces and the cross products of their
//! edges: for a triangle and a box thirteen axes, each both ways. Along any other direction they overlap by more. If an axis
//! separates them, its gap is a lower bound of the distance, no more.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::box_distance;
use super::close::{Close, Gap};
use super::found::Limits;
use crate::math::triangle::{foot, foot_on_segment};
use crate::math::{Pose, widen, widen_real};
use crate::shape::mesh::{Mesh, Surroundings};
use crate::shape::{Core, Shape};
use crate::tolerance::{FEATURE_TILT, PARALLEL_LINES, PARALLEL_MARCH, REFERENCE_TILT};

/// A box in the frame of a mesh.
pub(super) struct Block {
    center: DVec3,
    /// Its axes, as columns and as rows.
    axes: DMat3,
    back: DMat3,
    half: DVec3,
}

impl Block {
    /// The shape at a pose in the frame of the mesh, if it is a sharp box.
    pub fn of(shape: &Shape, pose: &Pose) -> Option<Self> {
        let Core::Cuboid { half_extents } = shape.core() else {
            return None;
        };
        if shape.radius() != 0.0 {
            return None;
        }
        let m = pose.matrix();
        let axes = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
        Some(Self { center: widen(pose.translation()), axes, back: axes.transpose(), half: widen(*half_extents) })
    }

    /// A triangle of a mesh beside the box. Of one that is farther away than `reach` along an axis of the box nothing else is known.
    pub fn close(&self, mesh: &Mesh, triangle: u32, reach: f64) -> Close {
        let mut close = Close::without_normal(triangle, mesh.wide_triangle(triangle));
        close.local = close.face.corners.map(|p| self.back * (p - self.center));
        let [a, b, c] = close.local;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        close.beside = (low.max(-high) - self.half).max_element();
        if close.beside <= reach {
            close.find_normal();
            let [low, high] = self.span(close.unit);
            let height = close.unit.dot(close.face.corners[0]);
            close.over = f64::max(low - height, height - high);
        }
        close
    }

    /// The least and the greatest height of the box along a unit direction.
    pub fn span(&self, along: DVec3) -> [f64; 2] {
        let middle = along.dot(self.center);
        let reach = self.half.dot((self.back * along).abs());
        [middle - reach, middle + reach]
    }

    /// The largest gap along the thirteen axes; of gaps equal within `slop` that of the first: the triangle's normal, the normals of
    /// the box, the cross products. Stops at a gap above `enough`.
    pub fn gap(&self, close: &Close, slop: f64, enough: f64) -> Gap {
        let [a, b, c] = close.local;
        let mut best = Gap { distance: f64::NEG_INFINITY, direction: DVec3::ZERO };
        // The gaps along a direction and against it, in the frame of the box.
        let mut offer = |axis: DVec3| {
            let [x, y, z] = [a, b, c].map(|p| axis.dot(p));
            let reach = self.half.dot(axis.abs());
            let (along, against) = (-reach - x.max(y).max(z), x.min(y).min(z) - reach);
            let (distance, direction) = if along >= against { (along, axis) } else { (against, -axis) };
            if distance > best.distance + slop {
                best = Gap { distance, direction };
            }
            best.distance > enough
        };
        let separated =
            close.unit != DVec3::ZERO && offer(self.back * close.unit) || DVec3::AXES.into_iter().any(offer);
        if !separated {
            for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
                self.gaps_across(from, to - from, third, slop, &mut best);
                if best.distance > enough {
                    break;
                }
            }
        }
        Gap { distance: best.distance, direction: self.axes * best.direction }
    }

    /// The gaps along the cross products of a side of the triangle with the axes of the box, in the frame of the box. Both ends
    /// of the side are equally high, and so is the box about its middle.
    fn gaps_across(&self, from: DVec3, side: DVec3, third: DVec3, slop: f64, best: &mut Gap) {
        let none = PARALLEL_MARCH * PARALLEL_MARCH * side.length_squared();
        for across in
            [DVec3::new(0.0, side.z, -side.y), DVec3::new(-side.z, 0.0, side.x), DVec3::new(side.y, -side.x, 0.0)]
        {
            let square = across.length_squared();
            let (x, y) = (across.dot(from), across.dot(third));
            let reach = self.half.dot(across.abs());
            let (along, against) = (-reach - x.max(y), x.min(y) - reach);
            let most = along.max(against);
            // The length of the direction is wanted only if there is something to gain.
            let limit = best.distance + slop;
            let (of_most, of_limit) = (most * most.abs(), limit * limit.abs() * square);
            if square > none && of_most > of_limit {
                let length = square.sqrt();
                let direction = if along >= against { across / length } else { -across / length };
                *best = Gap { distance: most / length, direction };
            }
        }
    }

    /// The nearest points of a triangle and the box that are apart, on the triangle and on the box, and a lower bound of their distance
    /// in the direction of the second from the first.
    pub fn nearest(&self, close: &Close) -> ([DVec3; 2], f64) {
        let [p, q] = box_distance::nearest(self.half, &close.local);
        let direction = (q - p).normalize_or_zero();
        let most = close.local.map(|p| direction.dot(p)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let lower = -self.half.dot(direction.abs()) - most;
        ([p, q].map(|p| self.center + self.axes * p), lower)
    }

    /// A point of the triangle where it is deepest in the box along a direction: on its feature farthest along it.
    pub fn touching_point(&self, close: &Close, direction: DVec3, slop: f64) -> DVec3 {
        let corners = close.face.corners;
        let heights = corners.map(|p| direction.dot(p));
        let most = heights[0].max(heights[1]).max(heights[2]) - slop;
        let middle = || self.feature_middle(-direction, slop);
        let side = |i: usize, j: usize| foot_on_segment([corners[i], corners[j]], middle());
        match heights.map(|height| height >= most) {
            [true, true, true] => foot(&close.face, middle()),
            [true, true, false] => side(0, 1),
            [false, true, true] => side(1, 2),
            [true, false, true] => side(2, 0),
            [false, true, false] => corners[1],
            [false, false, true] => corners[2],
            _ => corners[0],
        }
    }

    /// The middle of the feature of the box farthest along a direction.
    fn feature_middle(&self, direction: DVec3, slop: f64) -> DVec3 {
        let local = self.back * direction;
        let side = |along: f64, half: f64| if along.abs() * half <= slop { 0.0 } else { half.copysign(along) };
        let corner = DVec3::new(side(local.x, self.half.x), side(local.y, self.half.y), side(local.z, self.half.z));
        self.center + self.axes * corner
    }

    /// The corners of the feature of the box that faces a unit direction: a face (in order), an edge or a corner; and the axis and
    /// the side of the face, if it is one.
    fn feature(&self, local: DVec3) -> (ArrayVec<DVec3, 4>, Option<(usize, f64)>) {
        let tilt = widen_real(FEATURE_TILT);
        let (size, h) = (local.abs(), self.half);
        let far = DVec3::new(h.x.copysign(local.x), h.y.copysign(local.y), h.z.copysign(local.z));
        let most = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
        let mirrored = |axis: usize, p: DVec3| {
            let mut p = p;
            p[axis] = -p[axis];
            p
        };
        if size[most] * size[most] >= 1.0 - tilt * tilt {
            let (u, v) = ((most + 1) % 3, (most + 2) % 3);
            let [p, q] = [far, mirrored(u, far)];
            return (ArrayVec::from([p, q, mirrored(v, q), mirrored(v, p)]), Some((most, far[most])));
        }
        let least = if size.x <= size.y && size.x <= size.z { 0 } else { 1 + usize::from(size.z < size.y) };
        if size[least] <= tilt {
            return (ArrayVec::from_iter([far, mirrored(least, far)]), None);
        }
        (ArrayVec::from_iter([far]), None)
    }

    /// The contacts along a direction from the triangle to the box, each as its point on the triangle and its depth: corners of
    /// the box over the triangle, corners of the triangle over a face of the box, sides across edges. Corners and sides
    /// across which the surface goes on make none. False, and nothing is given, if neither has a face across the direction.
    pub fn cut(
        &self,
        close: &Close,
        around: Surroundings,
        d: DVec3,
        limits: &Limits,
        add: &mut impl FnMut(DVec3, f64),
    ) -> bool {
        let slope = close.unit.dot(d);
        let local = self.back * -d;
        let (feature, face) = self.feature(local);
        let across = 1.0 - widen_real(REFERENCE_TILT) * widen_real(REFERENCE_TILT);
        let box_is_across = face.is_some_and(|(axis, _)| local[axis] * local[axis] >= across);
        if !(box_is_across || slope * slope >= across) {
            return false;
        }
        let tilt = widen_real(FEATURE_TILT);
        let is_face = slope * slope >= 1.0 - tilt * tilt;
        // The two points of a contact are no farther apart than this.
        let far = limits.farthest();
        if is_face {
            self.corners_over(close, &feature, (d, slope), [far, limits.slop], add);
        }
        if !around.goes_on_everywhere() {
            let sides = Sides { corners: close.face.corners, local: close.local, around, is_face, d };
            self.sides_over(
                &sides,
                &feature,
                face.map(|(axis, height)| (local, axis, height)),
                [far, limits.slop],
                add,
            );
        }
        true
    }

    /// The corners of the box that are over the triangle.
    fn corners_over(
        &self,
        close: &Close,
        feature: &[DVec3],
        (d, slope): (DVec3, f64),
        [far, slop]: [f64; 2],
        add: &mut impl FnMut(DVec3, f64),
    ) {
        let [a, b, c] = close.local;
        let (low, high) = (a.min(b).min(c) - DVec3::splat(far), a.max(b).max(c) + DVec3::splat(far));
        for &corner in feature.iter().filter(|p| p.cmpge(low).all() && p.cmple(high).all()) {
            let p = self.center + self.axes * corner;
            if is_over(close, p, d * slope.signum(), slop) {
                let depth = close.unit.dot(close.face.corners[0] - p) / slope;
                add(p + d * depth, depth);
            }
        }
    }

    /// The corners of the triangle over the face of the box, given as the direction it is looked at, its axis and its height; and the
    /// sides across edges of the box.
    fn sides_over(
        &self,
        sides: &Sides,
        feature: &[DVec3],
        face: Option<(DVec3, usize, f64)>,
        [far, slop]: [f64; 2],
        add: &mut impl FnMut(DVec3, f64),
    ) {
        let Sides { corners, local, around, is_face, d } = sides;
        // Of a steep triangle only what faces the direction counts.
        let heights = corners.map(|p| d.dot(p));
        let most = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let counts = heights.map(|height| *is_face || height >= most - slop);
        if let Some((along, axis, height)) = face {
            for i in (0..3).filter(|&i| counts[i] && !around.goes_on_around(i)) {
                if let Some(depth) = self.depth_behind(local[i], along, axis, height, slop) {
                    add(corners[i], depth);
                }
            }
        }
        let count = [0, 0, 1, 0, 4][feature.len()];
        for i in (0..3).filter(|&i| !around.goes_on_across(i)) {
            let j = (i + 1) % 3;
            if !(counts[i] && counts[j]) {
                continue;
            }
            let (low, high) = (local[i].min(local[j]) - DVec3::splat(far), local[i].max(local[j]) + DVec3::splat(far));
            for [from, to] in (0..count).map(|k| [feature[k], feature[(k + 1) % feature.len()]]) {
                if !(from.max(to).cmpge(low).all() && from.min(to).cmple(high).all()) {
                    continue;
                }
                let edge = [from, to].map(|p| self.center + self.axes * p);
                if let Some([p, q]) = crossing([corners[i], corners[j]], edge, *d, slop) {
                    add(p, d.dot(p - q));
                }
            }
        }
    }

    /// How deep a point is behind a face of the box, against the direction `local` that the face looks along in the frame of the
    /// box; nothing if it is not over the face.
    fn depth_behind(&self, at: DVec3, local: DVec3, axis: usize, height: f64, slop: f64) -> Option<f64> {
        let depth = (height - at[axis]) / local[axis];
        let out = (at + local * depth).abs() - self.half;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (out[u] <= slop && out[v] <= slop).then_some(depth)
    }
}

/// A triangle in the frame of the mesh and in that of the box, seen along a direction.
struct Sides {
    corners: [DVec3; 3],
    local: [DVec3; 3],
    around: Surroundings,
    /// Whether all of the triangle faces the direction.
    is_face: bool,
    d: DVec3,
}

/// Whether a point is over a triangle, or beside it by rounding, seen along a direction on the side of its normal.
fn is_over(close: &Close, p: DVec3, d: DVec3, slop: f64) -> bool {
    let corners = close.face.corners;
    (0..3).all(|i| {
        let along = corners[(i + 1) % 3] - corners[i];
        let inside = d.cross(along).dot(p - corners[i]);
        inside >= 0.0 || inside * inside <= slop * slop * along.length_squared()
    })
}

/// Where two segments pass each other seen along a direction, if it is within both.
fn crossing([a, b]: [DVec3; 2], [c, e]: [DVec3; 2], d: DVec3, slop: f64) -> Option<[DVec3; 2]> {
    let (u, v, w) = (b - a, e - c, c - a);
    let area = u.cross(v).dot(d);
    let [long_u, long_v] = [u.length_squared(), v.length_squared()];
    let parallel = widen_real(PARALLEL_LINES);
    if !(area * area > parallel * parallel * long_u * long_v) {
        return None;
    }
    let (s, t) = (w.cross(v).dot(d) / area, w.cross(u).dot(d) / area);
    let within = |share: f64, square: f64| {
        let past = (share - 0.5).abs() - 0.5;
        past <= 0.0 || past * past * square <= slop * slop
    };
    (within(s, long_u) && within(t, long_v)).then(|| [a + u * s.clamp(0.0, 1.0), c + v * t.clamp(0.0, 1.0)])
}
