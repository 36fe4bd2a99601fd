//! Why a broad phase refuses a body.

use crate::real::short;
use thiserror::Error;

use crate::math::Real;

/// The largest number a body may have: tables are indexed by it.
pub const MAX_BODY: u32 = (1 << 28) - 1;

/// Why a call was refused; nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum BroadError {
    /// There is no body with this number.
    #[error("body {id} does not exist: it was never added or has been removed")]
    UnknownBody {
        /// The number.
        id: u32,
    },
    /// There is a body with this number already.
    #[error("body {id} exists already")]
    DuplicateBody {
        /// The number.
        id: u32,
    },
    /// The number is too large to index a table.
    #[error("body {id}: numbers must be at most {MAX_BODY}")]
    NumberTooLarge {
        /// The number.
        id: u32,
    },
    /// The box is no box: a bound is not a number, or the lower one is above the upper one.
    #[error("body {id}: the box runs from {min} to {max} along {axis}", min = short(*.min), max = short(*.max))]
    BadBox {
        /// The body's number.
        id: u32,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The lower bound.
        min: Real,
        /// The upper bound.
        max: Real,
    },
}
