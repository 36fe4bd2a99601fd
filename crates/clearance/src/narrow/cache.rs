//! What makes the next query of a pair cheaper, and its contact points the same ones.

use super::feature::Names;
use super::minkowski::Vertex;
use crate::math::Vec3;
use crate::support::VertexId;

/// What a pair of bodies remembers from one query to the next: a direction, the vertices of a simplex and the names of contact points. A
/// cache changes the speed of an answer, never the answer; of contact points that are equally good it keeps the last ones. Cold by
/// default; 96 bytes, in single precision 80.
#[derive(Debug, Clone, Copy)]
pub struct PairCache {
    /// In world space: there the vector between two bodies turns more slowly than in the frame of one that turns itself.
    pub(super) direction: Vec3,
    /// Vertices of A and B of each corner of the last simplex.
    pub(super) corners: [[VertexId; 2]; 4],
    pub(super) len: u8,
    pub(super) warm: bool,
    /// Of the contact points of the last manifold.
    pub(crate) names: Names,
}

impl Default for PairCache {
    fn default() -> Self {
        Self { direction: Vec3::ZERO, corners: [[VertexId::NONE; 2]; 4], len: 0, warm: false, names: Names::NONE }
    }
}

impl PairCache {
    /// What a pair knows of which nothing is known but a direction from A towards B, in world space, that may separate them.
    #[inline]
    pub(crate) fn along(direction: Vec3) -> Self {
        Self { direction, warm: true, ..Self::default() }
    }

    #[inline]
    pub(super) fn remember(&mut self, direction: Vec3, corners: &[Vertex], hints: [VertexId; 2]) {
        self.direction = direction;
        self.warm = true;
        self.len = 0;
        self.corners[0] = hints;
        for (slot, vertex) in self.corners.iter_mut().zip(corners) {
            if vertex.ids[0] != VertexId::NONE && vertex.ids[1] != VertexId::NONE {
                *slot = vertex.ids;
                self.len += 1;
            }
        }
    }
}
