//! The Minkowski difference M = B − A of two bodies, in the frame of A, known by its supports.
//!
//! The bodies meet exactly if M contains the origin; the point of M nearest to the origin is the shortest vector from A to
//! B; and for any direction d, `g(d) = min over M of d·m` bounds the distance from below by `g(d)/|d|`. Everything is relative
//! to A: the translations are subtracted before anything else, so nothing depends on how far both are from the origin.

use crate::math::{Mat3, Real, Relative, Vec3};
use crate::support::{Support, VertexId};

/// A point of M with the points of A and B it is the difference of.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// `b − a`.
    pub m: Vec3,
    /// On A; the point on B is `a + m`.
    pub a: Vec3,
    /// The vertices they are, if the shapes have vertices.
    pub ids: [VertexId; 2],
}

impl Vertex {
    /// A vertex at the origin, to fill arrays with.
    pub const ZERO: Self = Self { m: Vec3::ZERO, a: Vec3::ZERO, ids: [VertexId::NONE; 2] };
}

/// B − A.
#[derive(Debug, Clone, Copy)]
pub struct Minkowski<'a, A, B> {
    /// The first body, in its own frame.
    pub a: &'a A,
    /// The second body, in its own frame.
    pub b: &'a B,
    /// From the frame of B to that of A.
    pub rotation: Mat3,
    /// The origin of B in the frame of A.
    pub translation: Vec3,
}

impl<'a, A: Support, B: Support> Minkowski<'a, A, B> {
    /// The difference of two bodies that lie so.
    #[inline]
    pub fn new(a: &'a A, b: &'a B, relative: &Relative) -> Self {
        Self { a, b, rotation: relative.rotation, translation: relative.translation }
    }

    /// A direction of A's frame in that of B.
    #[inline]
    pub fn to_b(&self, d: Vec3) -> Vec3 {
        let r = &self.rotation;
        Vec3::new(r.x_axis.dot(d), r.y_axis.dot(d), r.z_axis.dot(d))
    }

    /// A point of A's frame in that of B.
    #[inline]
    pub fn into_b(&self, point: Vec3) -> Vec3 {
        self.to_b(point - self.translation)
    }

    /// The point of M *lowest* along `d`: A's farthest point along `d` and B's farthest against it.
    #[inline]
    pub fn lowest(&self, d: Vec3, hints: [VertexId; 2]) -> Vertex {
        let a = self.a.support(d, hints[0]);
        let b = self.b.support(-self.to_b(d), hints[1]);
        let b_point = self.rotation * b.point + self.translation;
        Vertex { m: b_point - a.point, a: a.point, ids: [a.vertex, b.vertex] }
    }

    /// `g(d)`: the lowest value of `d·m` over M.
    #[inline]
    pub fn gap(&self, d: Vec3) -> Real {
        d.dot(self.lowest(d, [VertexId::NONE; 2]).m)
    }
}
