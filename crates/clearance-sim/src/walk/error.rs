//! Why a walker refuses a call.

use clearance::brush::MapError;
use clearance::world::WorldError;
use clearance::{CastError, DirectionError, MotionError, PoseError, Real, ShapeError};
use thiserror::Error;

/// Why a walker refused a call; it is where it was.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WalkError {
    /// A number is negative, NaN, infinite or out of its range.
    #[error("{name} is {value}; it must be {range}")]
    Number {
        /// Which one.
        name: &'static str,
        /// The number given.
        value: Real,
        /// What it may be.
        range: &'static str,
    },
    /// A vector has a component that is NaN or infinite, or is a direction without a length.
    #[error("{name} is ({}, {}, {}); {wants}", .value[0], .value[1], .value[2])]
    Vector {
        /// Which one.
        name: &'static str,
        /// The vector given.
        value: [Real; 3],
        /// What it must be.
        wants: &'static str,
    },
    /// The walker is so far from the origin that its skin is lost in rounding.
    #[error(
        "a skin of {skin} is lost in rounding at {at} from the origin: use double precision, a larger skin or another origin"
    )]
    TooFar {
        /// The skin.
        skin: Real,
        /// The largest coordinate.
        at: Real,
    },
    /// A pose is out of range.
    #[error("pose: {0}")]
    Pose(#[from] PoseError),
    /// A motion is out of range.
    #[error("motion: {0}")]
    Motion(#[from] MotionError),
    /// A cast could not be made.
    #[error("cast: {0}")]
    Cast(#[from] CastError),
    /// A direction could not be used.
    #[error("direction: {0}")]
    Direction(#[from] DirectionError),
    /// A shape could not be made.
    #[error("shape: {0}")]
    Shape(#[from] ShapeError),
    /// A map has nothing to walk on.
    #[error("map: {0}")]
    Map(#[from] MapError),
    /// A body of the world could not be asked.
    #[error("world: {0}")]
    World(#[from] WorldError),
}

/// A number that is finite and not negative.
pub(super) fn not_negative(name: &'static str, value: Real) -> Result<Real, WalkError> {
    let is_valid = value.is_finite() && value >= 0.0;
    is_valid.then_some(value).ok_or(WalkError::Number { name, value, range: "finite and not negative" })
}

/// A number that is finite and above zero.
pub(super) fn positive(name: &'static str, value: Real) -> Result<Real, WalkError> {
    let is_valid = value.is_finite() && value > 0.0;
    is_valid.then_some(value).ok_or(WalkError::Number { name, value, range: "finite and above zero" })
}
