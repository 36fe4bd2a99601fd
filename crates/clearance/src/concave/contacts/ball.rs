//! A ball around a convex shape beside a mesh: what is certain of their distance at little cost.

use glam::DVec3;

use crate::bvh::NodeBox;
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, Real, narrow_real, widen, widen_real};
use crate::shape::Shape;
use crate::shape::mesh::Mesh;

/// A ball around a shape, in the frame of the mesh.
pub(super) struct Ball {
    center: DVec3,
    radius: f64,
}

impl Ball {
    pub fn around(shape: &Shape, pose: &Pose) -> Self {
        Self { center: widen(pose.translation()), radius: widen_real(shape.bounding_radius()) }
    }

    /// At most the distance of the shape from a triangle.
    pub fn beside(&self, face: &Prepared) -> f64 {
        foot(face, self.center).distance(self.center) - self.radius
    }

    /// The distance of the ball from a mesh, but no more than its diameter, and the nearest triangle. What is no nearer than one that is
    /// `known`, as that of the last frame, is not looked at; the answer does not depend on it.
    pub fn gap(&self, mesh: &Mesh, known: Option<u32>) -> (Real, Option<u32>) {
        let beside = |triangle| narrow_real(self.beside(&Prepared::new(mesh.wide_triangle(triangle))));
        let of_box = |_, node: &NodeBox| {
            let [low, high] = [node.min(), node.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            narrow_real(self.center.clamp(low, high).distance(self.center) - self.radius)
        };
        let mut nearest = known.filter(|&triangle| (triangle as usize) < mesh.triangle_count());
        let farthest = narrow_real(2.0 * self.radius);
        let bound = nearest.map_or(farthest, |triangle| farthest.min(beside(triangle)));
        let gap = mesh.tree().nearest(bound, of_box, |triangle, bound| {
            let gap = beside(triangle);
            nearest = if gap < bound { Some(triangle) } else { nearest };
            bound.min(gap)
        });
        (gap, nearest)
    }
}
