//! Why a polyhedron or a cast was refused.

use thiserror::Error;

use crate::math::Real;
use crate::polytope::PolytopeError;

/// Why a polyhedron was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PolyhedronError {
    /// A point is out of range.
    #[error(transparent)]
    Points(#[from] PolytopeError),
    /// There are no polygons.
    #[error("faces: none given")]
    NoFaces,
    /// A polygon has fewer than three corners.
    #[error("faces[{face}] has {count} vertices; it needs at least three")]
    ShortFace {
        /// Which polygon.
        face: usize,
        /// How many corners it has.
        count: usize,
    },
    /// A polygon names a point that does not exist.
    #[error("faces[{face}] refers to vertex {vertex}, but there are {count} vertices")]
    VertexIndex {
        /// Which polygon.
        face: usize,
        /// The index it gives.
        vertex: u32,
        /// How many points there are.
        count: usize,
    },
    /// A polygon has no area.
    #[error("faces[{face}] has no area")]
    NoArea {
        /// Which polygon.
        face: usize,
    },
    /// A polygon is not convex.
    #[error("faces[{face}] is not convex at vertex {vertex}")]
    NotConvex {
        /// Which polygon.
        face: usize,
        /// The corner at which it turns the wrong way.
        vertex: u32,
    },
    /// Two polygons run along an edge in the same direction.
    #[error("the edge from vertex {from} to {to} of faces[{face}] is in another face in the same direction")]
    EdgeTwice {
        /// Where the edge starts.
        from: u32,
        /// Where it ends.
        to: u32,
        /// The second polygon found.
        face: usize,
    },
}

/// Why a cast was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CastError {
    /// A number of the motion is NaN or infinite.
    #[error("the motion has a component that is not finite")]
    NotFinite,
    /// The axis of a rotation is zero.
    #[error("the axis of the rotation is zero")]
    NoAxis,
    /// The expel zone would be as thick as the body: the precision does not suffice for coordinates so large.
    #[error(
        "coordinates are too large for the precision: the expel zone would be {zone} thick, the body's radius is {radius}"
    )]
    TooLarge {
        /// The thickness of the zone.
        zone: Real,
        /// The body's radius.
        radius: Real,
    },
    /// The motion leaves the range of poses.
    #[error("the motion leaves the range of poses")]
    Range,
}
