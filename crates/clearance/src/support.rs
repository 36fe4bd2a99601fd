//! The seam between shapes and algorithms: a support mapping.
//!
//! Section 2.2 of the implicit-objects thesis: anything that can name its farthest point along a direction is a convex body. Sums, hulls
//! and differences of such bodies are kinds of [`Shape`](crate::Shape).

use crate::math::{Pose, Vec3};
use crate::piece::{Cap, Piece};

/// Names a vertex of a shape, to start the next search from. Shapes without vertices use [`VertexId::NONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VertexId(pub u32);

impl VertexId {
    /// No vertex: a search starts cold.
    pub const NONE: Self = Self(u32::MAX);

    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for VertexId {
    fn default() -> Self {
        Self::NONE
    }
}

/// A farthest point and the vertex it is, if it is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportPoint {
    /// A point of the shape.
    pub point: Vec3,
    /// Its vertex, or [`VertexId::NONE`].
    pub vertex: VertexId,
}

impl From<Vec3> for SupportPoint {
    #[inline]
    fn from(point: Vec3) -> Self {
        Self { point, vertex: VertexId::NONE }
    }
}

/// A convex body known by its farthest points.
pub trait Support {
    /// A point of the shape farthest along `direction` (any length but zero), near the vertex `hint` if the shape has
    /// vertices; and its vertex id. Which of several equally far points is returned is up to the shape, and always the same.
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint;

    /// How the farthest point moves when the unit direction turns towards `tangent`: the derivative of the support mapping, and
    /// the second derivative of the support value. Zero where it does not move, and where it is not known.
    fn curvature(&self, _direction: Vec3, _tangent: Vec3) -> Vec3 {
        Vec3::ZERO
    }

    /// The vertex of that id, if the shape has one: what lets a query start from the vertices of the last one.
    fn vertex(&self, _id: VertexId) -> Option<Vec3> {
        None
    }

    /// The smooth piece of the surface that a farthest point belongs to, where it is known.
    fn piece(&self, _of: Vec3) -> Option<Piece> {
        None
    }

    /// The flat round face that looks along `direction` rather than against it, if there is one.
    fn cap(&self, _direction: Vec3) -> Option<Cap> {
        None
    }
}

impl<S: Support + ?Sized> Support for &S {
    #[inline]
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        (**self).support(direction, hint)
    }

    #[inline]
    fn curvature(&self, direction: Vec3, tangent: Vec3) -> Vec3 {
        (**self).curvature(direction, tangent)
    }

    #[inline]
    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        (**self).vertex(id)
    }

    #[inline]
    fn piece(&self, of: Vec3) -> Option<Piece> {
        (**self).piece(of)
    }

    #[inline]
    fn cap(&self, direction: Vec3) -> Option<Cap> {
        (**self).cap(direction)
    }
}

/// A body moved by a pose.
#[derive(Debug, Clone, Copy)]
pub struct Posed<S>(pub S, pub Pose);

impl<S: Support> Support for Posed<S> {
    #[inline]
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        let local = self.0.support(self.1.direction_to_local(direction), hint);
        SupportPoint { point: self.1.point(local.point), vertex: local.vertex }
    }
}
