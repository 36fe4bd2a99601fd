//! What a direction tells of two nodes: how far they are apart along it. The direction of the nearest leaves so far tells most others
//! apart, for a fraction of what the axes of two boxes cost, and of triangles it sees the corners, not the box.

use glam::DVec3;

use super::tree::{Node, Tree};
use super::walk::Trees;
use crate::math::{Vec3, narrow, widen};
use crate::support::{Support, VertexId};

/// A unit direction from A towards B, in both frames.
#[derive(Clone, Copy)]
pub(super) struct Along {
    in_a: DVec3,
    /// Seen from B, and the other way: towards A.
    in_b: DVec3,
    /// How far A's origin is from that of B, and what two nodes reach beyond their boxes.
    between: f64,
    /// How far convex bodies reach, each in its own direction.
    whole: [f64; 2],
}

impl Along {
    /// Nothing if the direction has no length.
    pub fn new(trees: &Trees<'_>, direction: Vec3) -> Option<Self> {
        let in_a = widen(direction).try_normalize()?;
        let in_b = -(trees.relation.frame.rotation.transpose() * in_a);
        let radii = trees.a.radius() + trees.b.radius();
        let between = in_a.dot(trees.relation.frame.translation) - radii - trees.error;
        Some(Self { in_a, in_b, between, whole: [whole(&trees.a, in_a), whole(&trees.b, in_b)] })
    }

    /// At most the signed distance of what is below two nodes.
    #[inline]
    pub fn gap(&self, trees: &Trees<'_>, a: Node, b: Node) -> f64 {
        self.between - reach(&trees.a, a, self.in_a, self.whole[0]) - reach(&trees.b, b, self.in_b, self.whole[1])
    }
}

/// At most the signed distance of two leaves of which one is a triangle and the other a triangle or a convex body: how far the one is from
/// the plane of the other. Nothing for other leaves. `hint` is a vertex of the body to start from.
pub(super) fn from_face(trees: &Trees<'_>, a: Node, b: Node, hint: &mut VertexId) -> Option<f64> {
    let frame = &trees.relation.frame;
    let (corners, shape, extent, is_second) = match (&trees.a, &trees.b) {
        (tree, Tree::Convex(shape, extent)) => (tree.corners(a)?, shape, extent, true),
        (Tree::Convex(shape, extent), tree) => (tree.corners(b)?, shape, extent, false),
        (of_a, of_b) => {
            let a = of_a.corners(a)?.map(widen);
            let b = of_b.corners(b)?.map(|corner| frame.point(widen(corner)));
            return Some(above(a, b)?.max(above(b, a)?) - trees.error);
        }
    };
    let [p, q, r] = corners.map(widen);
    let normal = (q - p).cross(r - p).try_normalize()?;
    // In the frame of the body.
    let (normal, corner) = if is_second {
        (frame.rotation.transpose() * normal, frame.point_back(p))
    } else {
        (frame.rotation * normal, frame.point(p))
    };
    let out = if normal.dot(extent.centre - corner) < 0.0 { -normal } else { normal };
    let lowest = shape.core().support(narrow(-out), *hint);
    *hint = lowest.vertex;
    Some(out.dot(widen(lowest.point) - corner) - trees.a.radius() - trees.b.radius() - trees.error)
}

/// How far a triangle is from the plane of another one; negative if it goes through.
fn above(face: [DVec3; 3], other: [DVec3; 3]) -> Option<f64> {
    let [p, q, r] = face;
    let normal = (q - p).cross(r - p).try_normalize()?;
    let [x, y, z] = other.map(|corner| normal.dot(corner - p));
    Some(f64::max(x.min(y).min(z), -x.max(y).max(z)))
}

/// How far a convex body reaches along a unit direction, without its radius.
fn whole(tree: &Tree<'_>, direction: DVec3) -> f64 {
    match tree {
        Tree::Convex(shape, _) => widen(shape.core().support(narrow(direction), VertexId::NONE).point).dot(direction),
        _ => 0.0,
    }
}

/// How far what is below a node reaches along a unit direction, without its radius.
#[inline]
fn reach(tree: &Tree<'_>, node: Node, direction: DVec3, whole: f64) -> f64 {
    if let Tree::Convex(..) = tree {
        return whole;
    }
    if let Some(corners) = tree.corners(node) {
        return corners.map(|corner| widen(corner).dot(direction)).into_iter().fold(f64::NEG_INFINITY, f64::max);
    }
    let extent = tree.extent(node);
    extent.centre.dot(direction) + extent.half.dot(direction.abs())
}
