//! Rigid motions over the time from 0 to 1.
//!
//! Two kinds: a body's origin moves straight while the body turns about it at a constant rate; or the whole body follows the one
//! screw that takes it from its first pose to its last. Each knows its pose at any time, and a bound on how fast any of its points
//! moves along a direction at any time: what conservative advancement needs.

use thiserror::Error;

use crate::math::{Pose, PoseError, Quat, Real, Vec3, length, unit_or};
use crate::tolerance::STRAIGHT_SCREW;

/// Why a motion was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A component of a velocity is NaN or infinite.
    #[error("{name} velocity: component {axis} is {value}; it must be finite")]
    Velocity {
        /// `"linear"` or `"angular"`.
        name: &'static str,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// The motion leaves the range of poses.
    #[error("the motion ends out of range: {0}")]
    Range(#[from] PoseError),
}

/// How a body moves from time 0 to time 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    start: Pose,
    way: Way,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The origin moves straight, the body turns about it; both per unit of time.
    Straight { linear: Vec3, angular: Vec3 },
    /// A turn about an axis through a point, and a slide along it.
    Screw { axis: Vec3, through: Vec3, angle: Real, slide: Real },
}

impl Motion {
    /// No motion.
    pub fn still(pose: Pose) -> Self {
        Self { start: pose, way: Way::Straight { linear: Vec3::ZERO, angular: Vec3::ZERO } }
    }

    /// The origin moves with the linear velocity, and the body turns about it with the angular one (an axis of the world, with
    /// the angle per unit of time as its length).
    ///
    /// # Errors
    /// If a velocity is not finite, or takes the body out of the range of poses.
    ///
    /// ```
    /// use clearance::{Pose, ccd::Motion};
    /// let motion = Motion::with_velocity(Pose::IDENTITY, [2.0, 0.0, 0.0], [0.0, 0.0, 1.0])?;
    /// assert_eq!(motion.pose(0.5).translation().x, 1.0);
    /// # Ok::<(), clearance::ccd::MotionError>(())
    /// ```
    pub fn with_velocity(start: Pose, linear: impl Into<Vec3>, angular: impl Into<Vec3>) -> Result<Self, MotionError> {
        let (linear, angular) = (linear.into(), angular.into());
        for (name, velocity) in [("linear", linear), ("angular", angular)] {
            for (axis, value) in ['x', 'y', 'z'].into_iter().zip(velocity.to_array()) {
                if !value.is_finite() {
                    return Err(MotionError::Velocity { name, axis, value });
                }
            }
        }
        Pose::from_translation(start.translation() + linear)?;
        Ok(Self { start, way: Way::Straight { linear, angular } })
    }

    /// The constant screw from one pose to the other, by the shorter turn. Without a turn, the straight line.
    pub fn between(start: Pose, end: Pose) -> Self {
        let linear = end.translation() - start.translation();
        let turn = end.rotation() * start.rotation().conjugate();
        // The shorter way round: of the two quaternions of a rotation the one with a positive real part.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let half = Vec3::new(turn.x, turn.y, turn.z);
        let sine = length(half);
        if !(sine > STRAIGHT_SCREW) {
            return Self { start, way: Way::Straight { linear, angular: half * 2.0 } };
        }
        let angle = 2.0 * sine.atan2(turn.w);
        let axis = unit_or(half, Vec3::Z);
        let slide = linear.dot(axis);
        // The chord from start to end, across the axis, seen from the axis under the angle: its middle is cot(angle/2)/2 chords
        // away from the axis.
        let chord = linear - axis * slide;
        let middle = start.translation() + chord * 0.5;
        let through = middle + axis.cross(chord) * (0.5 * turn.w / sine);
        Self { start, way: Way::Screw { axis, through, angle, slide } }
    }

    /// The pose at time 0.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// The pose at a time.
    pub fn pose(&self, time: Real) -> Pose {
        match self.way {
            Way::Straight { linear, angular } => {
                let turn = Quat::from_scaled_axis(angular * time);
                self.start.turned(turn, self.start.translation() + linear * time)
            }
            Way::Screw { axis, through, angle, slide } => {
                let turn = Quat::from_axis_angle(axis, angle * time);
                let arm = self.start.translation() - through;
                self.start.turned(turn, through + turn * arm + axis * (slide * time))
            }
        }
    }

    /// The fastest that any point within `radius` of the body's origin ever moves along the unit direction.
    #[inline]
    pub fn speed_along(&self, direction: Vec3, radius: Real) -> Real {
        match self.way {
            Way::Straight { linear, angular } => linear.dot(direction) + length(angular.cross(direction)) * radius,
            Way::Screw { axis, through, angle, slide } => {
                let arm = self.start.translation() - through;
                let reach = length(arm - axis * axis.dot(arm)) + radius;
                slide * axis.dot(direction) + angle.abs() * length(axis.cross(direction)) * reach
            }
        }
    }

    /// The fastest that any such point ever moves.
    pub fn speed(&self, radius: Real) -> Real {
        match self.way {
            Way::Straight { linear, angular } => length(linear) + length(angular) * radius,
            Way::Screw { axis, through, angle, slide } => {
                let arm = self.start.translation() - through;
                let reach = length(arm - axis * axis.dot(arm)) + radius;
                length(Vec3::new(angle * reach, slide, 0.0))
            }
        }
    }
}
