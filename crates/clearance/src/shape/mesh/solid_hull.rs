//! The hull that a convex mesh is answered by.

use crate::shape::Shape;

/// The convex hull of a mesh that is convex or nearly so.
#[derive(Debug, Clone)]
pub(crate) struct Hull {
    pub shape: Shape,
    /// Whether the mesh's solid is the hull, exactly.
    pub exact: bool,
}
