//! Why a mesh could not be made.

use crate::real::short;
use thiserror::Error;

use crate::math::Real;
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

/// Why a mesh was refused; the message names the vertex, the edge or the face at fault, by its number in the input.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A scale factor is zero, NaN or infinite.
    #[error("the factor along {axis} is {value}; it must be finite and not zero", value = short(*.value))]
    Factor {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// A weld distance is negative, NaN or infinite.
    #[error("the weld distance is {value}; it must be zero or positive, and finite", value = short(*.value))]
    WeldDistance {
        /// The offending number.
        value: Real,
    },
    /// No vertices.
    #[error("vertices: none are given")]
    Empty,
    /// A mesh that is to be decomposed encloses no volume.
    #[error("the mesh is not a closed solid; only solids have convex parts")]
    NotSolid,
    /// The tolerance of a decomposition is not a positive number.
    #[error("the tolerance is {value}; it must be positive and finite", value = short(*.value))]
    Tolerance {
        /// The offending number.
        value: Real,
    },
    /// A decomposition may have no parts.
    #[error("most_parts is 0; a solid has at least one part")]
    NoParts,
    /// More vertices or corners than a 32-bit index can name.
    #[error("{what}: {count} are too many")]
    TooMany {
        /// `vertices` or `faces`.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN, infinite or beyond the supported range.
    #[error("vertices[{index}].{axis} is {value}; it must be finite and at most {limit:e} in magnitude", limit = LARGEST_SIZE, value = short(*.value))]
    Coordinate {
        /// Which vertex.
        index: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// The largest coordinate is so small that exact predicates would underflow.
    #[error("vertices: the largest coordinate is {size}; it must be at least {limit:e}", limit = SMALLEST_SIZE, size = short(*.size))]
    TooSmall {
        /// Its magnitude.
        size: f64,
    },
    /// A face has fewer than three corners.
    #[error("faces[{face}] has {count} vertices; it needs at least three")]
    ShortFace {
        /// Which face.
        face: usize,
        /// How many vertices it has.
        count: usize,
    },
    /// A face names a vertex that does not exist.
    #[error("faces[{face}] refers to vertex {vertex}, but there are {count} vertices")]
    VertexIndex {
        /// Which face.
        face: usize,
        /// The index it gives.
        vertex: usize,
        /// How many vertices there are.
        count: usize,
    },
    /// A face passes a vertex twice.
    #[error("faces[{face}] passes vertex {vertex} twice")]
    RepeatedVertex {
        /// Which face.
        face: usize,
        /// The vertex.
        vertex: usize,
    },
    /// A face without area.
    #[error("faces[{face}] is degenerate: its corners are on one line")]
    DegenerateFace {
        /// Which face.
        face: usize,
    },
    /// A face is not flat.
    #[error("faces[{face}] is not flat: vertex {vertex} is {off} off its plane; give it as triangles", off = short(*.off))]
    NotFlat {
        /// Which face.
        face: usize,
        /// Which of its vertices.
        vertex: usize,
        /// Its distance from the plane.
        off: f64,
    },
    /// A face has a corner that points inwards, or crosses itself.
    #[error("faces[{face}] is not convex at vertex {vertex}; give it as triangles")]
    NotConvexFace {
        /// Which face.
        face: usize,
        /// The corner.
        vertex: usize,
    },
    /// No face uses a vertex.
    #[error("vertices[{vertex}] belongs to no face")]
    UnusedVertex {
        /// Which vertex.
        vertex: usize,
    },
    /// Two faces run along an edge in the same direction.
    #[error(
        "the edge from vertex {from} to {to} is in faces[{first}] and, in the same direction, in faces[{second}]: one of them is turned over"
    )]
    TurnedOver {
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// One face.
        first: usize,
        /// The other.
        second: usize,
    },
    /// More than two faces share an edge.
    #[error(
        "the edge of vertices {from} and {to} is shared by {count} faces, among them faces[{first}] and faces[{second}]; at most two may share one"
    )]
    NonManifoldEdge {
        /// One end.
        from: usize,
        /// The other.
        to: usize,
        /// How many faces there are.
        count: usize,
        /// One face.
        first: usize,
        /// Another.
        second: usize,
    },
    /// A solid or a room was asked for, and an edge has a face on one side only.
    #[error("the surface is open: the edge from vertex {from} to {to} of faces[{face}] has no face on its other side ({count} such edges){}", if *.unwelded { "; other vertices lie at the same place: ask for them to be welded" } else { "" })]
    OpenEdge {
        /// Which face.
        face: usize,
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// How many open edges there are.
        count: usize,
        /// Whether another vertex lies at the same place as one of its ends.
        unwelded: bool,
    },
    /// A solid or a room was asked for, and there are no faces.
    #[error("faces: none are given, but a solid or a room is asked for")]
    NoFaces,
    /// A closed part of the surface has its faces clockwise seen from outside.
    #[error(
        "the closed surface that faces[{face}] belongs to is inside out: faces must list their vertices counter-clockwise seen from outside"
    )]
    InsideOut {
        /// A face of that part.
        face: usize,
    },
    /// A room was asked for, and no part of the surface has its faces seen from within.
    #[error(
        "a room is asked for, but all closed surfaces are solid: the faces of a room are counter-clockwise seen from within"
    )]
    NoRoom,
}
