//! Why a shape could not be made.

use thiserror::Error;

use crate::math::Real;
use crate::polytope::PolytopeError;
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

/// Why a shape was refused; the message names the field.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size is NaN, infinite, zero, negative or out of range.
    #[error("{field} is {value}; it must be positive and finite, {low:e} to {high:e}", low = SMALLEST_SIZE, high = LARGEST_SIZE)]
    Size {
        /// The field of the shape, with its component.
        field: &'static str,
        /// The offending number.
        value: Real,
    },
    /// A padding is negative, NaN or infinite, or makes the body too large.
    #[error("padding is {value}; it must not be negative, and the padded body no larger than {high:e}", high = LARGEST_SIZE)]
    Padding {
        /// The offending number.
        value: Real,
    },
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
