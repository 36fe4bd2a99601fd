//! A box and a triangle in closed form.
//!
//! Two convex polyhedra overlap by the least of their overlaps along the normals of their faces and the cross products of their
//! edges: for a triangle and a box thirteen axes, each both ways. Along any other direction they overlap by more. If an axis
//! separates them, its gap is a lower bound of the distance, no more.

use glam::{DMat3, DVec3};

use crate::math::{Pose, widen};
use crate::mesh_query::triangle::{Prepared, foot};
use crate::shape::{Core, Shape};
use crate::tolerance::PARALLEL_MARCH;

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
}
