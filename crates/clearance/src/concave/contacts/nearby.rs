//! The triangles of a mesh near a convex shape, gathered once and asked many times.
//!
//! One descent of the tree with the shape's box finds them. The nearest, the contacts of each and what the surface is like around a
//! contact are then answered from the list, without the tree. Every triangle within the margin of the shape is in the list, and so is
//! every triangle around a point of the surface within the margin: whatever is asked about contacts is in there.

use std::cell::Cell;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::close::Close;
use crate::bvh::NodeBox;
use crate::math::{Aabb, Vec3, narrow, narrow_real};
use crate::shape::mesh::Mesh;
use crate::tolerance::EDGE_WEDGE;

/// The most triangles of a list; a shape with more near it is answered by the tree.
const NEARBY: usize = 256;

/// Room for a list of triangles, and for their boxes in the tree. It is large: whoever wants a list brings the room, so that it is never
/// moved.
#[derive(Default)]
pub(super) struct Room {
    list: ArrayVec<Close, NEARBY>,
    boxes: ArrayVec<NodeBox, NEARBY>,
}

/// The triangles of a mesh whose boxes meet a box.
#[derive(Clone, Copy)]
pub(super) struct Nearby<'m> {
    mesh: &'m Mesh,
    pub list: &'m [Close],
    boxes: &'m [NodeBox],
}

impl<'m> Nearby<'m> {
    /// The triangles whose boxes meet the given one, in the frame of the mesh, completed by `fill`; nothing if there are too many.
    pub fn gather(mesh: &'m Mesh, bounds: &NodeBox, room: &'m mut Room, fill: impl Fn(&mut Close)) -> Option<Self> {
        let (full, last) = (Cell::new(false), Cell::new(*bounds));
        let Room { list, boxes } = room;
        list.clear();
        boxes.clear();
        mesh.tree().descend(
            |_, node| {
                last.set(*node);
                !full.get() && node.overlaps(bounds)
            },
            |triangle| {
                if list.is_full() {
                    full.set(true);
                    return;
                }
                list.push(Close::without_normal(triangle, mesh.wide_triangle(triangle)));
                list.last_mut().into_iter().for_each(&fill);
                boxes.push(last.get());
            },
        );
        if full.get() {
            return None;
        }
        Some(Self { mesh, list, boxes })
    }

    /// Whether the surface around a point of it ends there along a direction: no triangle rises along it, and one of a solid's faces
    /// that way.
    pub fn ends(&self, point: DVec3, along: DVec3, slop: f64) -> bool {
        let mut faces = !self.mesh.is_solid();
        let at = around(point, slop);
        let beside = self.boxes.iter().zip(self.list).filter(|(node, _)| node.overlaps(&at));
        for (_, close) in beside {
            let whole;
            let close = if close.unit == DVec3::ZERO {
                whole = Close::new(self.mesh, close.triangle);
                &whole
            } else {
                close
            };
            let rises = close.rises(point, along, slop);
            if (rises || !faces && close.unit.dot(along) > EDGE_WEDGE) && close.holds(point, slop) {
                if rises {
                    return false;
                }
                faces = true;
            }
        }
        faces
    }

    /// How far the triangles reach along a direction.
    pub fn most(&self, along: DVec3) -> f64 {
        let values = self.list.iter().flat_map(|close| close.face.corners).map(|p| along.dot(p));
        values.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The least and the greatest coordinates of the triangles.
    pub fn span(&self) -> [DVec3; 2] {
        let corners = self.list.iter().flat_map(|close| close.face.corners);
        corners.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
    }
}

/// The box of what is within rounding of a point.
pub(super) fn around(point: DVec3, slop: f64) -> NodeBox {
    let (at, slop) = (narrow(point), Vec3::splat(narrow_real(slop * 2.0)));
    NodeBox::enclosing(&Aabb { min: at - slop, max: at + slop })
}
