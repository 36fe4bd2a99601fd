//! The triangles of a mesh near a convex shape, gathered once and asked many times.
//!
//! One descent of the tree with the shape's box finds them. The nearest, the contacts of each and what the surface is like around a
//! contact are then answered from the list, without the tree. Every triangle within the margin of the shape is in the list, and so is
//! every triangle around a point of the surface within the margin: whatever is asked about contacts is in there.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::bvh::NodeBox;
use crate::math::Aabb;
use crate::mesh_query::triangle::{Prepared, foot};
use crate::shape::mesh::Mesh;
use crate::tolerance::EDGE_WEDGE;

/// The most triangles of a list; a shape with more near it is answered by the tree.
pub(super) const NEARBY: usize = 256;

/// A triangle near the shape, in the frame of the mesh.
pub(super) struct Close {
    pub triangle: u32,
    pub face: Prepared,
    /// The unit normal; zero if there is no area.
    pub unit: DVec3,
    low: DVec3,
    high: DVec3,
}

/// The triangles of a mesh whose boxes meet a box.
pub(super) struct Nearby<'m> {
    mesh: &'m Mesh,
    pub list: ArrayVec<Close, NEARBY>,
}

impl<'m> Nearby<'m> {
    /// The triangles whose boxes meet the given one, in the frame of the mesh; nothing if there are too many.
    pub fn gather(mesh: &'m Mesh, bounds: &Aabb) -> Option<Self> {
        let bounds = NodeBox::enclosing(bounds);
        let mut found = ArrayVec::<u32, NEARBY>::new();
        let full = std::cell::Cell::new(false);
        mesh.tree().descend(
            |_, node| !full.get() && node.overlaps(&bounds),
            |triangle| full.set(full.get() || found.try_push(triangle).is_err()),
        );
        if full.get() {
            return None;
        }
        let mut nearby = Self { mesh, list: ArrayVec::new() };
        nearby.list.extend(found.into_iter().map(|triangle| Close::new(mesh, triangle)));
        Some(nearby)
    }

    /// Whether the surface around a point of it ends there along a direction: no triangle rises along it, and one of a solid's faces
    /// that way.
    pub fn ends(&self, point: DVec3, along: DVec3, slop: f64) -> bool {
        let (mut ends, mut faces) = (true, !self.mesh.is_solid());
        for close in self.list.iter().filter(|close| close.may_hold(point, slop)) {
            if foot(&close.face, point).distance_squared(point) <= slop * slop {
                let rises = |corner: DVec3| along.dot(corner - point) > slop + EDGE_WEDGE * corner.distance(point);
                ends &= !close.face.corners.into_iter().any(rises);
                faces |= close.unit.dot(along) > EDGE_WEDGE;
            }
        }
        ends && faces
    }

    /// How far the triangles reach along a direction: least and most.
    pub fn span(&self, along: DVec3) -> [f64; 2] {
        let values = self.list.iter().flat_map(|close| close.face.corners).map(|p| along.dot(p));
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    }
}

impl Close {
    pub fn new(mesh: &Mesh, triangle: u32) -> Self {
        let face = Prepared::new(mesh.wide_triangle(triangle));
        let [a, b, c] = face.corners;
        let unit = face.normal.normalize_or_zero();
        Self { triangle, face, unit, low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    fn may_hold(&self, point: DVec3, slop: f64) -> bool {
        (self.low - point).max(point - self.high).max_element() <= slop
    }
}
