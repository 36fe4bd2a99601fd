//! Why a world refuses a call.

use crate::real::short;
use thiserror::Error;

use super::id::{BodyId, GROUPS};
use crate::broad::BroadError;
use crate::ccd::polyhedra::CastError;
use crate::math::Real;
use crate::shape::ShapeError;

/// Why a world refused a call; nothing has changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The body was removed, or is of another world.
    #[error("body {id:?} does not exist: it has been removed, or belongs to another world")]
    UnknownBody {
        /// The id given.
        id: BodyId,
    },
    /// A margin or distance is negative, NaN or infinite.
    #[error("margin {value}: it must be finite and not negative", value = short(*.value))]
    Margin {
        /// The number given.
        value: Real,
    },
    /// The margin makes the body larger than a body may be.
    #[error("margin: {0}")]
    Shape(#[from] ShapeError),
    /// A bound on motion is negative, NaN or infinite.
    #[error("motion: {name} is {value}; it must be finite and not negative", value = short(*.value))]
    Motion {
        /// Which bound.
        name: &'static str,
        /// The number given.
        value: Real,
    },
    /// There is no such group.
    #[error("group {number}: groups are numbered below {count}", count = GROUPS)]
    Group {
        /// The number given.
        number: usize,
    },
    /// A pair of a body with itself.
    #[error("body {id:?} was paired with itself")]
    SameBody {
        /// The body.
        id: BodyId,
    },
    /// A cast could not be made.
    #[error("cast: {0}")]
    Cast(#[from] CastError),
    /// More boxes overlap than a step keeps pairs.
    #[error(
        "more than {most} pairs of boxes overlap, the most that a step keeps (most_pairs); are many bodies in one place?"
    )]
    TooManyPairs {
        /// How many are kept.
        most: usize,
    },
    /// The broad phase has no room for another body.
    #[error("broad phase: {0}")]
    Broad(#[from] BroadError),
}

/// A margin or a distance, checked.
pub(super) fn checked_margin(value: Real) -> Result<Real, WorldError> {
    (value.is_finite() && value >= 0.0).then_some(value).ok_or(WorldError::Margin { value })
}
