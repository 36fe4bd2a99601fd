//! Continuous collision detection of features that deform: given queries with their truth, and an exact oracle.

mod families;
mod oracle;
mod polynomial;
mod queries;

pub use families::FeatureFamily;
pub use oracle::{FirstContact, first_contact};
pub use queries::{FeatureQuery, QueryError, data_folder, feature_queries};

/// Which features a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureKind {
    /// A vertex, the first point, and a triangle.
    VertexFace,
    /// An edge, the first two points, and another.
    EdgeEdge,
}

impl FeatureKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::VertexFace, Self::EdgeEdge];

    /// The name of its folders in the data and in `clearance query`.
    pub fn name(self) -> &'static str {
        match self {
            Self::VertexFace => "vertex-face",
            Self::EdgeEdge => "edge-edge",
        }
    }
}
