//! Names for the parts of bodies that touch.

/// A part of a body's surface.
///
/// Indices are the body's own and never change: vertices of a polytope, polygon or triangle by their index, its faces too, an
/// edge by the lower of its two half-edges (of a polygon: by its first corner). Box and frustum corners have one bit per
/// axis, set if on the negative side; their faces are `2 · axis + (1 if negative)`, their edges `8 · axis + lower corner`.
/// Caps and discs have 16 corners at fixed angles, one more (index 16) at their deepest place when tilted, and 32 added
/// below; side lines are edge 64 from vertex 64 (top, apex) to 65. A sampled body's corners count its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// A line.
    Edge(u32),
    /// A flat part; of several that lie in one plane the lowest index.
    Face(u32),
    /// A place on a curved part.
    Smooth,
}

/// Which features of the two bodies make a contact point: a vertex over a face, an edge over an edge, a face under a vertex; for
/// the point of [`closest`](crate::closest()) itself, the two contact features. The same contact has the same id in the next frame as long
/// as it is made by the same features, and with the bodies swapped its two halves are swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId {
    /// Of A.
    pub a: Feature,
    /// Of B.
    pub b: Feature,
}
