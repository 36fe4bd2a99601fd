//! The two bodies of a march and what it measures on them, in f64 whatever the build's precision.
//!
//! Features are taken from the frame of the body they belong to; the other body's points come into that frame. The sidedness
//! of a point and an edge of a face is computed in one function, so that the face and the edge beside it never both disown
//! a point.

use glam::{DMat3, DVec3};

use crate::math::{Mat3, Vec3, widen, widen_real};
use crate::polytope::{HalfEdge, Polytope};

/// One body and the way from its frame to that of the other.
pub(super) struct Body<'p> {
    pub polytope: &'p Polytope,
    pub rotation: DMat3,
    pub translation: DVec3,
}

impl<'p> Body<'p> {
    /// A and B, of which B has this place in the frame of A.
    pub fn pair(a: &'p Polytope, b: &'p Polytope, rotation: &Mat3, translation: Vec3) -> [Self; 2] {
        let to_a = DMat3::from_cols(widen(rotation.x_axis), widen(rotation.y_axis), widen(rotation.z_axis));
        let (to_b, at) = (to_a.transpose(), widen(translation));
        [
            Self { polytope: a, rotation: to_b, translation: -(to_b * at) },
            Self { polytope: b, rotation: to_a, translation: at },
        ]
    }

    /// A vertex in the body's own frame.
    #[inline]
    pub fn own(&self, vertex: u32) -> DVec3 {
        widen(self.polytope.vertices()[vertex as usize])
    }

    /// A vertex in the frame of the other body.
    #[inline]
    pub fn moved(&self, vertex: u32) -> DVec3 {
        self.rotation * self.own(vertex) + self.translation
    }

    /// The vertices at which a half-edge starts and ends.
    #[inline]
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let half_edges = self.polytope.half_edges();
        let HalfEdge { origin, twin, .. } = half_edges[half_edge as usize];
        [origin, half_edges[twin as usize].origin]
    }

    /// The half-edge of the other side.
    #[inline]
    pub fn twin(&self, half_edge: u32) -> u32 {
        self.polytope.half_edges()[half_edge as usize].twin
    }

    /// The face on the left of a half-edge.
    #[inline]
    pub fn face_of(&self, half_edge: u32) -> u32 {
        self.polytope.half_edges()[half_edge as usize].face
    }

    /// The outward unit normal of a face.
    #[inline]
    pub fn normal(&self, face: u32) -> DVec3 {
        widen(self.polytope.plane(face).normal)
    }

    /// A vertex of a face.
    #[inline]
    pub fn corner(&self, face: u32) -> u32 {
        self.polytope.half_edges()[self.polytope.face_half_edges(face).start as usize].origin
    }

    /// In the plane of the half-edge's face, across the edge, away from the face; as long as the edge.
    #[inline]
    pub fn outward(&self, half_edge: u32) -> DVec3 {
        let [from, to] = self.ends(half_edge);
        (self.own(to) - self.own(from)).cross(self.normal(self.face_of(half_edge)))
    }

    /// How far a point is beyond the plane that stands on the edge of the half-edge's face, times the edge's length: negative
    /// on the side of the face.
    #[inline]
    pub fn beyond(&self, half_edge: u32, point: DVec3) -> f64 {
        (point - self.own(self.ends(half_edge)[0])).dot(self.outward(half_edge))
    }

    /// The neighbour of a vertex to which `direction` climbs steepest, if it climbs by more than `angle`.
    #[inline]
    pub fn ascent(&self, vertex: u32, direction: DVec3, angle: f64) -> Option<u32> {
        let here = self.own(vertex);
        let (mut steepest, mut best) = (None, angle * angle * direction.length_squared());
        for &neighbour in self.polytope.neighbours(vertex) {
            let along = self.own(neighbour) - here;
            let gain = direction.dot(along);
            if gain > 0.0 && gain * gain > best * along.length_squared() {
                (steepest, best) = (Some(neighbour), gain * gain / along.length_squared());
            }
        }
        steepest
    }

    /// The half-edge from one vertex to a neighbour of it.
    pub fn half_edge_between(&self, from: u32, to: u32) -> Option<u32> {
        let first = self.polytope.vertex_half_edge(from);
        let turn = |&half_edge: &u32| Some(self.polytope.next(self.twin(half_edge))).filter(|&next| next != first);
        // A vertex has no more half-edges than neighbours.
        let around = std::iter::successors(Some(first), turn).take(self.polytope.neighbours(from).len());
        around.into_iter().find(|&half_edge| self.ends(half_edge)[1] == to)
    }

    /// The face whose plane a point is farthest above, and how far.
    pub fn highest_above(&self, point: DVec3) -> (u32, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for face in 0..self.polytope.face_count() as u32 {
            let plane = self.polytope.plane(face);
            let height = widen(plane.normal).dot(point) - widen_real(plane.offset);
            if height > best.1 {
                best = (face, height);
            }
        }
        best
    }
}

/// Where on a segment the point nearest to another is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Start,
    Inside,
    Finish,
}

/// The vector from the nearest point of a segment to a point, and where that nearest point is.
#[inline]
pub(super) fn from_segment(start: DVec3, finish: DVec3, point: DVec3) -> (DVec3, Place) {
    let along = finish - start;
    let (before, after) = ((point - start).dot(along), (finish - point).dot(along));
    if !(before > 0.0) {
        return (point - start, Place::Start);
    }
    if !(after > 0.0) {
        return (point - finish, Place::Finish);
    }
    let inverse = 1.0 / along.length_squared();
    // From the nearer end, and once more at a right angle: what rounding left along the edge would turn a short vector.
    let away = if before < after {
        point - start - along * (before * inverse)
    } else {
        point - finish + along * (after * inverse)
    };
    (away - along * (away.dot(along) * inverse), Place::Inside)
}
