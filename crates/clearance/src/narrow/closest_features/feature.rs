//! Names of the features that are marched over.

use crate::polytope::Polytope;

/// A vertex, an edge or a face of a polytope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolytopeFeature {
    /// By its index.
    Vertex(u32),
    /// By one of its two half-edges; in answers the lower one.
    Edge(u32),
    /// By its index.
    Face(u32),
}

impl PolytopeFeature {
    /// Whether a polytope has it.
    pub(super) fn exists_in(self, polytope: &Polytope) -> bool {
        match self {
            Self::Vertex(i) => (i as usize) < polytope.vertices().len(),
            Self::Edge(i) => (i as usize) < polytope.half_edges().len(),
            Self::Face(i) => (i as usize) < polytope.face_count(),
        }
    }

    /// An edge by the lower of its half-edges.
    pub(super) fn canonical(self, polytope: &Polytope) -> Self {
        match self {
            Self::Edge(i) => Self::Edge(i.min(polytope.half_edges()[i as usize].twin)),
            other => other,
        }
    }
}
