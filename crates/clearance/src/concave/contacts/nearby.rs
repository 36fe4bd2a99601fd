//! The triangles of a mesh near a convex shape, gathered once and asked many times.
//!
//! One descent of the tree with the shape's box finds them. The nearest, the contacts of each and what the surface is like around a
//! contact are then answered from the list, without the tree. Every triangle within the margin of the shape is in the list, and so is
//! every triangle around a point of the surface within the margin: whatever is asked about contacts is in there.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::bvh::NodeBox;
use crate::math::Aabb;
use crate::math::triangle::{Prepared, foot};
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
}

/// Room for a list of triangles. It is large: whoever wants a list brings the room, so that it is never moved.
pub(super) type Room = ArrayVec<Close, NEARBY>;

/// The triangles of a mesh whose boxes meet a box.
#[derive(Clone, Copy)]
pub(super) struct Nearby<'m> {
    mesh: &'m Mesh,
    pub list: &'m [Close],
}

impl<'m> Nearby<'m> {
    /// The triangles whose boxes meet the given one, in the frame of the mesh; nothing if there are too many.
    pub fn gather(mesh: &'m Mesh, bounds: &Aabb, room: &'m mut Room) -> Option<Self> {
        let bounds = NodeBox::enclosing(bounds);
        room.clear();
        let full = std::cell::Cell::new(false);
        mesh.tree().descend(
            |_, node| !full.get() && node.overlaps(&bounds),
            |triangle| full.set(full.get() || !Close::push(room, mesh, triangle)),
        );
        if full.get() {
            return None;
        }
        Some(Self { mesh, list: room })
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
        let unit = face.normal.normalize_or_zero();
        Self { triangle, face, unit }
    }

    /// Adds a triangle to a list; false if there is no room for it.
    #[inline]
    fn push(room: &mut Room, mesh: &Mesh, triangle: u32) -> bool {
        if room.is_full() {
            return false;
        }
        room.push(Self::new(mesh, triangle));
        true
    }

    fn may_hold(&self, point: DVec3, slop: f64) -> bool {
        let [a, b, c] = self.face.corners;
        (a.min(b).min(c) - point).max(point - a.max(b).max(c)).max_element() <= slop
    }
}
