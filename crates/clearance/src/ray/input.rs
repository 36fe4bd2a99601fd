//! A ray and what is asked of it.

use crate::real::short;
use thiserror::Error;

use crate::math::{Real, Vec3, length};
use crate::tolerance::LARGEST_SIZE;

/// Why a ray was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum RayError {
    /// A component of the origin is NaN, infinite or too large.
    #[error("origin: component {axis} is {value}; it must be finite and at most {limit:e} in magnitude", limit = LARGEST_SIZE, value = short(*.value))]
    Origin {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// A component of the direction is NaN or infinite.
    #[error("direction: component {axis} is {value}; it must be finite", value = short(*.value))]
    Direction {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// The direction is zero.
    #[error("the direction is zero; it must point somewhere")]
    Zero,
    /// The direction is so short that positions in units of its length could overflow.
    #[error("the direction's length is {length:e}; positions in units of it would overflow")]
    TooShort {
        /// Its length.
        length: Real,
    },
    /// The largest position is NaN or below zero.
    #[error("the largest position of a ray is {value}; it must not be negative", value = short(*.value))]
    Max {
        /// The offending number.
        value: Real,
    },
}

/// A half-line: the points `origin + t · direction` with `t ≥ 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// A ray from a point along a direction of any length. Positions on the ray are in units of that length.
    ///
    /// # Errors
    /// If a number is NaN or infinite, the origin is beyond the supported range, or the direction is zero or so short that positions
    /// could overflow.
    ///
    /// ```
    /// use clearance::Vec3;
    /// use clearance::ray::Ray;
    /// let ray = Ray::new(Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0))?;
    /// assert_eq!(ray.at(1.5), Vec3::new(0.0, 0.0, 3.0));
    /// assert!(Ray::new(Vec3::ZERO, Vec3::ZERO).is_err());
    /// # Ok::<(), clearance::ray::RayError>(())
    /// ```
    pub fn new(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Result<Self, RayError> {
        let (origin, direction): (Vec3, Vec3) = (origin.into(), direction.into());
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(origin.to_array()) {
            if !(value.abs() <= LARGEST_SIZE) {
                return Err(RayError::Origin { axis, value });
            }
        }
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(direction.to_array()) {
            if !value.is_finite() {
                return Err(RayError::Direction { axis, value });
            }
        }
        if direction == Vec3::ZERO {
            return Err(RayError::Zero);
        }
        let longest = direction.abs().max_element();
        // Distances are at most a few times the largest size.
        if longest < 16.0 * LARGEST_SIZE / Real::MAX {
            return Err(RayError::TooShort { length: length(direction) });
        }
        Ok(Self { origin, direction })
    }

    /// The ray from a point towards another; `t = 1` is there.
    ///
    /// # Errors
    /// As for [`Ray::new`]: above all if the two points are the same.
    pub fn between(from: impl Into<Vec3>, to: impl Into<Vec3>) -> Result<Self, RayError> {
        let (from, to): (Vec3, Vec3) = (from.into(), to.into());
        Self::new(from, to - from)
    }

    /// Where it starts.
    #[inline]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Its direction, of the length given.
    #[inline]
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The point at a position, rounded.
    #[inline]
    pub fn at(&self, t: Real) -> Vec3 {
        self.origin + self.direction * t
    }
}

/// How a ray is cast.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RayOptions {
    /// The largest position of interest, in units of the direction's length: what is beyond is not hit. Infinite by default.
    pub max: Real,
    /// Whether an origin inside of a solid matters, as it does by default: the hit is then where the ray leaves the solid for the first
    /// time, and `inside` is set. Otherwise the first piece of surface is the hit, whichever side it shows, and `inside` is never set.
    pub solid: bool,
}

impl Default for RayOptions {
    fn default() -> Self {
        Self { max: Real::INFINITY, solid: true }
    }
}

impl RayOptions {
    /// The default with a largest position.
    ///
    /// # Errors
    /// If it is NaN or below zero.
    pub fn up_to(max: Real) -> Result<Self, RayError> {
        if max >= 0.0 { Ok(Self { max, ..Self::default() }) } else { Err(RayError::Max { value: max }) }
    }

    /// The same for surfaces: whether the origin is inside of a solid does not matter.
    #[must_use]
    pub fn surface(self) -> Self {
        Self { solid: false, ..self }
    }
}
