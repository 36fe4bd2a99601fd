//! Why a polytope could not be made.

use crate::real::short;
use thiserror::Error;

use crate::math::Real;
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

/// Why a polytope or a polygon was refused; the message names the point or the face at fault.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PolytopeError {
    /// A size is NaN, infinite, zero, negative or out of range.
    #[error("{field} is {value}; it must be positive and finite, {low:e} to {high:e}", low = SMALLEST_SIZE, high = LARGEST_SIZE, value = short(*.value))]
    Size {
        /// The argument, with its component.
        field: &'static str,
        /// The offending number.
        value: Real,
    },
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
    /// No points, or fewer than the shape needs.
    #[error("points: {count} given, at least {needed} are needed")]
    TooFewPoints {
        /// How many there are.
        count: usize,
        /// How many it takes.
        needed: usize,
    },
    /// More points than a 32-bit index can name.
    #[error("points: {count} are too many")]
    TooManyPoints {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN, infinite or beyond the supported range.
    #[error("points[{index}].{axis} is {value}; it must be finite and at most {limit:e} in magnitude", limit = LARGEST_SIZE, value = short(*.value))]
    Coordinate {
        /// Which point.
        index: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// A coordinate is so small against the largest that exact predicates would underflow.
    #[error(
        "points[{index}].{axis} is {value}, too small against the largest coordinate {largest} to compute with exactly", value = short(*.value), largest = short(*.largest))]
    CoordinateRange {
        /// Which point.
        index: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: f64,
        /// The largest magnitude of the cloud.
        largest: f64,
    },
    /// All points coincide.
    #[error("points: all {count} coincide")]
    Coincident {
        /// How many there are.
        count: usize,
    },
    /// All points are on one line.
    #[error("points: all {count} are on one line")]
    Collinear {
        /// How many there are.
        count: usize,
    },
    /// All points are in one plane.
    #[error(
        "points: all {count} are in one plane; a solid hull needs four that span space (a flat convex polygon is a shape of its own)"
    )]
    Coplanar {
        /// How many there are.
        count: usize,
    },
    /// The points of a polygon are not in one plane.
    #[error("points[{index}] is {off} away from the polygon's plane", off = short(*.off))]
    NotPlanar {
        /// Which point.
        index: usize,
        /// Its distance.
        off: Real,
    },
    /// A face has fewer than three vertices.
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
    /// Two vertices coincide.
    #[error("vertices {first} and {second} coincide")]
    DuplicateVertex {
        /// One vertex.
        first: usize,
        /// The other.
        second: usize,
    },
    /// No face uses a vertex.
    #[error("vertex {vertex} belongs to no face")]
    UnusedVertex {
        /// Which vertex.
        vertex: usize,
    },
    /// An edge has a face on one side only.
    #[error("the surface is open: the edge from vertex {from} to {to} of faces[{face}] has no face on its other side")]
    OpenEdge {
        /// Which face.
        face: usize,
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// Two faces run along an edge in the same direction.
    #[error(
        "the edge from vertex {from} to {to} is in faces[{first}] and, in the same direction, in faces[{second}]: one of them is turned over, or more than two faces meet there"
    )]
    EdgeTwice {
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// One face.
        first: usize,
        /// The other.
        second: usize,
    },
    /// The faces have clockwise vertices seen from outside.
    #[error("the surface is inside out: faces must list their vertices counter-clockwise seen from outside")]
    InsideOut,
    /// A face is not flat.
    #[error("faces[{face}] is not flat: vertex {vertex} is {off} off its plane", off = short(*.off))]
    NotFlat {
        /// Which face.
        face: usize,
        /// Which of its vertices.
        vertex: usize,
        /// Its distance from the plane.
        off: f64,
    },
    /// A vertex stands above a face.
    #[error("not convex: vertex {vertex} is {above} above the plane of faces[{face}]", above = short(*.above))]
    NotConvex {
        /// Which face.
        face: usize,
        /// The vertex above it.
        vertex: usize,
        /// How far.
        above: f64,
    },
    /// A vertex is no corner of the hull.
    #[error(
        "vertex {vertex} is no corner: it lies on an edge or a face of the hull, or inside; leave it out, or give the points without faces"
    )]
    NotACorner {
        /// Which vertex.
        vertex: usize,
    },
    /// A broken invariant: an error of this library.
    #[error("internal inconsistency: {0}; please report the points")]
    Internal(&'static str),
}
