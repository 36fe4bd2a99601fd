//! Why a shape could not be made.

use crate::real::short;
use thiserror::Error;

use crate::math::Real;
use crate::polytope::PolytopeError;
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

/// Why a shape was refused; the message names the field.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size is NaN, infinite, zero, negative or out of range.
    #[error("{field} is {value}; it must be positive and finite, {low:e} to {high:e}", low = SMALLEST_SIZE, high = LARGEST_SIZE, value = short(*.value))]
    Size {
        /// The field of the shape, with its component.
        field: &'static str,
        /// The offending number.
        value: Real,
    },
    /// A padding is negative, NaN or infinite, or makes the body too large.
    #[error("padding is {value}; it must not be negative, and the padded body no larger than {high:e}", high = LARGEST_SIZE, value = short(*.value))]
    Padding {
        /// The offending number.
        value: Real,
    },
    /// A normal is zero, NaN or infinite.
    #[error("normal is {normal:?}; it must be finite and not zero")]
    Normal {
        /// The offending vector.
        normal: [Real; 3],
    },
    /// The offset of a half-space is NaN, infinite or out of range.
    #[error("offset is {value}; it must be finite and, divided by the length of the normal, at most {high:e}", high = LARGEST_SIZE, value = short(*.value))]
    Offset {
        /// The offending number.
        value: Real,
    },
    /// The radius of a point cloud is negative, NaN or infinite.
    #[error("radius is {value}; it must be zero or positive, and at most {high:e}", high = LARGEST_SIZE, value = short(*.value))]
    Radius {
        /// The offending number.
        value: Real,
    },
    /// A point cloud has no points, or more than can be numbered.
    #[error("points: {count} given; there must be at least one, and no more than {most}", most = u32::MAX / 8)]
    PointCount {
        /// How many there are.
        count: usize,
    },
    /// A height field has no cells.
    #[error("heights: {rows} rows of {columns} have no cells; there must be at least two of each")]
    NoCells {
        /// How many rows there are.
        rows: usize,
        /// How many heights the first row has.
        columns: usize,
    },
    /// A height field has more cells than can be numbered.
    #[error("heights: {rows} rows of {columns} are too many")]
    TooManyCells {
        /// How many rows there are.
        rows: usize,
        /// How many heights a row has.
        columns: usize,
    },
    /// A row of a height field has another length than the first.
    #[error("heights[{row}] has {count} numbers; the first row has {expected}")]
    Ragged {
        /// Which row.
        row: usize,
        /// How many it has.
        count: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A height is NaN, infinite or out of range.
    #[error("heights[{row}][{column}] is {value}; it must be finite and at most {high:e} in magnitude", high = LARGEST_SIZE, value = short(*.value))]
    Height {
        /// Its row.
        row: usize,
        /// Its place in the row.
        column: usize,
        /// The offending number.
        value: Real,
    },
    /// A height field has holes only: no triangle has heights at all three corners.
    #[error("heights: no triangle has heights at all of its corners")]
    OnlyHoles,
    /// The points of a polytope, a polygon or a triangle are at fault.
    #[error(transparent)]
    Points(#[from] PolytopeError),
    /// A compound has no parts.
    #[error("a compound must have at least one part")]
    NoParts,
    /// A part of a compound is padded, unbounded or a field.
    #[error(
        "part {index} of the compound is neither convex, a mesh nor a compound of these; pad the whole compound instead of a part"
    )]
    Part {
        /// The number of the part.
        index: usize,
    },
    /// A user's own support function returned something that is not a finite point.
    #[error("the custom shape's support point along {direction:?} is {point:?}; it must be finite")]
    Custom {
        /// The direction asked.
        direction: [Real; 3],
        /// The answer.
        point: [Real; 3],
    },
}
