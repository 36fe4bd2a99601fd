//! Why a motion was refused.

use crate::real::short;
use thiserror::Error;

use crate::math::{PoseError, Real, Vec3};

/// Why a motion was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A component of a velocity is NaN or infinite.
    #[error("{name} velocity: component {axis} is {value}; it must be finite", value = short(*.value))]
    Velocity {
        /// `"linear"` or `"angular"`.
        name: &'static str,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// The axis of a rotation is zero or not finite, or its angle is not finite.
    #[error("the rotation has no axis: it is [{}, {}, {}], and the angle is {angle}; both must be finite, and the axis not zero", short(.axis.x), short(.axis.y), short(.axis.z), angle = short(*.angle))]
    Axis {
        /// The axis as given.
        axis: Vec3,
        /// The angle as given.
        angle: Real,
    },
    /// The motion leaves the range of poses.
    #[error("the motion ends out of range: {0}")]
    Range(#[from] PoseError),
}
