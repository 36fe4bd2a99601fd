//! What the boolean query of concave bodies finds, and what a pair remembers.

use crate::answer::{Contact, End, Feature, Overlap, Witness};
use crate::math::Real;
use crate::narrow::PairCache;
use crate::support::VertexId;

/// Whether two bodies share a point, and whether they only touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// Apart, touching or overlapping.
    pub contact: Contact,
    /// Why: a plane or a gap between them, or a point of both.
    pub witness: Witness,
    /// The pieces that meet; of no meaning for bodies that are apart.
    pub features: [Feature; 2],
    /// How it ended.
    pub end: End,
    /// Pairs of pieces examined.
    pub iterations: u32,
}

impl Meeting {
    /// Whether they share a point; touching counts.
    pub fn overlap(&self) -> bool {
        self.contact != Contact::Apart
    }

    /// How far apart they are at least; nothing if they share a point.
    pub fn gap(&self) -> Option<Real> {
        match self.witness {
            Witness::Plane { offset_a, offset_b, .. } => Some(offset_b - offset_a),
            Witness::Gap(gap) => Some(gap),
            Witness::Point(_) | Witness::Points(_) => None,
        }
    }
}

impl From<Meeting> for Overlap {
    fn from(found: Meeting) -> Self {
        let Meeting { witness, end, iterations, .. } = found;
        Self { overlap: found.overlap(), witness, end, iterations }
    }
}

/// What a pair of bodies remembers from one query to the next. Cold by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodyCache {
    /// The nearest or meeting triangles of two meshes, or that of a mesh beside a shape.
    pub(crate) triangles: Option<[u32; 2]>,
    /// The nearest or meeting parts of compounds.
    pub(crate) parts: Option<[u32; 2]>,
    /// The nearest or meeting leaves of two trees of which one is a height field or a cloud, by their nodes' numbers.
    pub(crate) leaves: Option<[u64; 2]>,
    /// What was lowest above a half-space: a vertex of a convex shape, a triangle, a point of a cloud or a part, by its number.
    pub(crate) lowest: VertexId,
    /// The last direction and simplex of two convex shapes.
    pub(crate) convex: PairCache,
}
