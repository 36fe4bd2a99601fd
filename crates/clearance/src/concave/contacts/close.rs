//! A triangle of a mesh near a convex shape, with what is known of the two.

use std::cell::Cell;

use glam::DVec3;

use crate::answer::Closest;
use crate::math::triangle::{Prepared, foot};
use crate::shape::mesh::Mesh;
use crate::tolerance::EDGE_WEDGE;

/// The largest gap of a triangle and a box along any axis, negative if they overlap, and its unit direction from the triangle to the
/// box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub distance: f64,
    pub direction: DVec3,
}

/// A triangle near the shape, in the frame of the mesh.
pub(super) struct Close {
    pub triangle: u32,
    pub face: Prepared,
    /// The unit normal; zero if there is no area.
    pub unit: DVec3,
    /// The corners in the frame of the shape, if it is a box.
    pub local: [DVec3; 3],
    /// At most the signed distance: the gap along the normal of the triangle.
    pub over: f64,
    /// At most the signed distance, too: the largest gap along the axes of a box, or that of the ball around another shape.
    pub beside: f64,
    /// The largest gap of all, once it was asked for.
    pub gap: Cell<Option<Gap>>,
    /// What the narrow phase has said of the triangle and the shape.
    pub near: Cell<Option<Closest>>,
}

impl Close {
    pub fn new(mesh: &Mesh, triangle: u32) -> Self {
        let corners = mesh.wide_triangle(triangle);
        let mut close = Self::without_normal(triangle, corners);
        close.find_normal();
        close
    }

    /// A triangle that nobody may want to know more about.
    #[inline]
    pub fn without_normal(triangle: u32, corners: [DVec3; 3]) -> Self {
        Self {
            triangle,
            face: Prepared { corners, normal: DVec3::ZERO },
            unit: DVec3::ZERO,
            local: [DVec3::ZERO; 3],
            over: f64::NEG_INFINITY,
            beside: f64::NEG_INFINITY,
            gap: Cell::new(None),
            near: Cell::new(None),
        }
    }

    #[inline]
    pub fn find_normal(&mut self) {
        self.face.normal = Prepared::new(self.face.corners).normal;
        self.unit = self.face.normal.normalize_or_zero();
    }

    /// Whether a corner is higher along a direction than a point of the triangle, by more than rounding and small angles.
    pub fn rises(&self, point: DVec3, along: DVec3, slop: f64) -> bool {
        self.face.corners.into_iter().any(|corner| {
            let way = corner - point;
            let height = along.dot(way) - slop;
            height > 0.0 && height * height > EDGE_WEDGE * EDGE_WEDGE * way.length_squared()
        })
    }

    /// Whether a point is on the triangle, within rounding.
    pub fn holds(&self, point: DVec3, slop: f64) -> bool {
        foot(&self.face, point).distance_squared(point) <= slop * slop
    }
}
