//! A box and a triangle in closed form.
//!
//! Two convex polyhedra overlap by the least of their overlaps along the normals of their faces and the cross products of their
//! edges: for a triangle and a box thirteen axes, each both ways. Along any other direction they overlap by more. If an axis
//! separates them, its gap is a lower bound of the distance, no more.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::nearby::Close;
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, widen, widen_real};
use crate::shape::mesh::Surroundings;
use crate::shape::{Core, Shape};
use crate::tolerance::{FEATURE_TILT, PARALLEL_LINES, PARALLEL_MARCH, REFERENCE_TILT};

/// A box in the frame of a mesh.
pub(super) struct Block {
    center: DVec3,
    /// Its axes, as columns.
    axes: DMat3,
    half: DVec3,
}

/// The largest gap of a triangle and a box along any axis, negative if they overlap, and its unit direction from the triangle to the
/// box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub distance: f64,
    pub direction: DVec3,
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
        Some(Self { center: widen(pose.translation()), axes, half: widen(*half_extents) })
    }

    /// The least and the greatest height of the box along a unit direction.
    pub fn span(&self, along: DVec3) -> [f64; 2] {
        let middle = along.dot(self.center);
        let reach = self.half.dot((self.axes.transpose() * along).abs());
        [middle - reach, middle + reach]
    }

    /// The largest gap along the thirteen axes; of gaps equal within `slop` that of the first: the triangle's normal, the normals of
    /// the box, the cross products. Stops at a gap above `enough`.
    pub fn gap(&self, triangle: &Prepared, unit: DVec3, slop: f64, enough: f64) -> Gap {
        let back = self.axes.transpose();
        let corners = triangle.corners.map(|p| back * (p - self.center));
        let mut best = Gap { distance: f64::NEG_INFINITY, direction: DVec3::ZERO };
        // The gaps along a direction and against it, in the frame of the box.
        let mut offer = |axis: DVec3| {
            let [x, y, z] = corners.map(|p| axis.dot(p));
            let reach = self.half.dot(axis.abs());
            let (along, against) = (-reach - x.max(y).max(z), x.min(y).min(z) - reach);
            let (distance, direction) = if along >= against { (along, axis) } else { (against, -axis) };
            if distance > best.distance + slop {
                best = Gap { distance, direction };
            }
            best.distance > enough
        };
        let separated = unit != DVec3::ZERO && offer(back * unit) || DVec3::AXES.into_iter().any(&mut offer);
        if !separated {
            let [a, b, c] = corners;
            'edges: for edge in [b - a, c - b, a - c] {
                let scale = edge.length_squared();
                for across in [
                    DVec3::new(0.0, edge.z, -edge.y),
                    DVec3::new(-edge.z, 0.0, edge.x),
                    DVec3::new(edge.y, -edge.x, 0.0),
                ] {
                    let square = across.length_squared();
                    if square > PARALLEL_MARCH * PARALLEL_MARCH * scale && offer(across / square.sqrt()) {
                        break 'edges;
                    }
                }
            }
        }
        Gap { distance: best.distance, direction: self.axes * best.direction }
    }

    /// A point of the triangle where it is deepest in the box along a direction: on its feature farthest along it.
    pub fn touching_point(&self, triangle: &Prepared, direction: DVec3, slop: f64) -> DVec3 {
        let heights = triangle.corners.map(|p| direction.dot(p));
        let most = heights[0].max(heights[1]).max(heights[2]);
        let [a, b, c] = triangle.corners;
        let middle = self.feature_middle(-direction, slop);
        let on = |i: usize| heights[i] >= most - slop;
        // The corners that are not on the feature become one that is.
        let top = (0..3).find(|&i| on(i)).map_or(a, |i| triangle.corners[i]);
        let [p, q, r] = [a, b, c];
        let feature = [if on(0) { p } else { top }, if on(1) { q } else { top }, if on(2) { r } else { top }];
        if on(0) && on(1) && on(2) {
            return foot(triangle, middle);
        }
        foot(&Prepared { corners: feature, normal: DVec3::ZERO }, middle)
    }

    /// The middle of the feature of the box farthest along a direction.
    fn feature_middle(&self, direction: DVec3, slop: f64) -> DVec3 {
        let local = self.axes.transpose() * direction;
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
        slop: f64,
        add: &mut impl FnMut(DVec3, f64),
    ) -> bool {
        let slope = close.unit.dot(d);
        let local = self.axes.transpose() * -d;
        let (feature, face) = self.feature(local);
        let across = 1.0 - widen_real(REFERENCE_TILT) * widen_real(REFERENCE_TILT);
        let box_is_across = face.is_some_and(|(axis, _)| local[axis] * local[axis] >= across);
        if !(box_is_across || slope * slope >= across) {
            return false;
        }
        let corners = close.face.corners;
        let points: ArrayVec<DVec3, 4> = feature.into_iter().map(|p| self.center + self.axes * p).collect();
        let tilt = widen_real(FEATURE_TILT);
        let is_face = slope * slope >= 1.0 - tilt * tilt;
        if is_face {
            let over = points.iter().filter(|&&p| is_over(close, p, d * slope.signum(), slop));
            for &p in over {
                let depth = close.unit.dot(corners[0] - p) / slope;
                add(p + d * depth, depth);
            }
        }
        // Of a steep triangle only what faces the direction counts.
        let most = corners.map(|p| d.dot(p)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let counts = |p: DVec3| is_face || d.dot(p) >= most - slop;
        if let Some((axis, height)) = face {
            for q in (0..3).filter(|&i| !around.goes_on_around(i)).map(|i| corners[i]).filter(|&q| counts(q)) {
                if let Some(depth) = self.depth_behind(q, local, axis, height, slop) {
                    add(q, depth);
                }
            }
        }
        let count = [0, 0, 1, 0, 4][points.len()];
        for i in (0..3).filter(|&i| !around.goes_on_across(i)) {
            let side = [corners[i], corners[(i + 1) % 3]];
            for k in (0..count).filter(|_| side.into_iter().all(counts)) {
                if let Some([p, q]) = crossing(side, [points[k], points[(k + 1) % points.len()]], d, slop) {
                    add(p, d.dot(p - q));
                }
            }
        }
        true
    }

    /// How deep a point is behind a face of the box, against the direction `local` that the face looks along in the frame of the
    /// box; nothing if it is not over the face.
    fn depth_behind(&self, point: DVec3, local: DVec3, axis: usize, height: f64, slop: f64) -> Option<f64> {
        let at = self.axes.transpose() * (point - self.center);
        let depth = (height - at[axis]) / local[axis];
        let out = (at + local * depth).abs() - self.half;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (out[u] <= slop && out[v] <= slop).then_some(depth)
    }
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
