//! Motions of rigid bodies over the time from 0 to 1, with bounds on how fast their points move.
//!
//! [`Motion`] is a translation, a rotation about an axis, the screw between two poses, a motion with constant velocities, or a user's
//! own [`Trajectory`]. The first four have a constant angular velocity (`steady`) and are kept in f64 in both builds.

mod error;
mod steady;
mod trajectory;

use std::sync::Arc;

use crate::math::{Pose, Real, Vec3};

pub use error::MotionError;
pub(crate) use steady::{Instant, Simple, Steady, wide_matrix};
pub use trajectory::Trajectory;

/// How a body moves from time 0 to time 1. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Motion(Way);

#[derive(Debug, Clone)]
enum Way {
    Steady(Steady),
    Custom { start: Pose, trajectory: Arc<dyn Trajectory> },
}

impl PartialEq for Motion {
    /// The same numbers, or the same user's trajectory.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Way::Steady(a), Way::Steady(b)) => a == b,
            (Way::Custom { trajectory: a, .. }, Way::Custom { trajectory: b, .. }) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Motion {
    /// A body at rest.
    pub fn still(pose: Pose) -> Self {
        Self(Way::Steady(Steady::still(pose)))
    }

    /// A translation at constant speed, without a turn.
    ///
    /// # Errors
    /// If a component is not finite, or the end is out of the range of poses.
    ///
    /// ```
    /// use clearance::{Motion, Pose};
    /// let motion = Motion::translation(Pose::IDENTITY, [2.0, 0.0, 0.0])?;
    /// assert_eq!(motion.pose(0.5).translation().x, 1.0);
    /// # Ok::<(), clearance::MotionError>(())
    /// ```
    pub fn translation(start: Pose, by: impl Into<Vec3>) -> Result<Self, MotionError> {
        Self::with_velocity(start, by, [0.0; 3])
    }

    /// A turn by an angle of any size, right-handed, about an axis of the world through a point.
    ///
    /// # Errors
    /// If a number is not finite, the axis is zero, or the origin is out of the range of poses.
    ///
    /// ```
    /// use clearance::{Motion, Pose};
    /// let start = Pose::from_translation([1.0, 0.0, 0.0])?;
    /// let motion = Motion::rotation(start, [0.0; 3], [0.0, 0.0, 2.0], 3.0)?;
    /// assert!((motion.pose(0.5).translation().y - (1.5 as clearance::Real).sin()).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rotation(
        start: Pose,
        origin: impl Into<Vec3>,
        axis: impl Into<Vec3>,
        angle: Real,
    ) -> Result<Self, MotionError> {
        Steady::rotation(start, origin, axis, angle).map(|steady| Self(Way::Steady(steady)))
    }

    /// The constant screw from one pose to the other, by the shorter turn. Without a turn, the straight line.
    pub fn between(start: Pose, end: Pose) -> Self {
        Self(Way::Steady(Steady::between(start, end)))
    }

    /// The origin moves with the linear velocity, and the body turns about it with the angular one (an axis of the world, with
    /// the angle per unit of time as its length).
    ///
    /// # Errors
    /// If a velocity is not finite, or takes the body out of the range of poses.
    ///
    /// ```
    /// use clearance::{Motion, Pose};
    /// let motion = Motion::with_velocity(Pose::IDENTITY, [2.0, 0.0, 0.0], [0.0, 0.0, 1.0])?;
    /// assert_eq!(motion.pose(0.5).translation().x, 1.0);
    /// # Ok::<(), clearance::MotionError>(())
    /// ```
    pub fn with_velocity(start: Pose, linear: impl Into<Vec3>, angular: impl Into<Vec3>) -> Result<Self, MotionError> {
        Steady::with_velocity(start, linear, angular).map(|steady| Self(Way::Steady(steady)))
    }

    /// A user's own motion.
    pub fn custom(trajectory: Arc<dyn Trajectory>) -> Self {
        Self(Way::Custom { start: trajectory.pose(0.0), trajectory })
    }

    /// The pose at time 0.
    pub fn start(&self) -> &Pose {
        match &self.0 {
            Way::Steady(steady) => steady.start(),
            Way::Custom { start, .. } => start,
        }
    }

    /// The pose at a time from 0 to 1.
    pub fn pose(&self, time: Real) -> Pose {
        match &self.0 {
            Way::Steady(steady) => steady.pose(time),
            Way::Custom { start, trajectory } => {
                if time == 0.0 {
                    *start
                } else {
                    trajectory.pose(time)
                }
            }
        }
    }

    /// A bound on the speed of every point within `radius` of the body's origin, over the whole motion.
    pub fn speed(&self, radius: Real) -> Real {
        self.speed_between(radius, 0.0, 1.0)
    }

    /// The same over a part of the time.
    pub fn speed_between(&self, radius: Real, from: Real, to: Real) -> Real {
        match &self.0 {
            Way::Steady(steady) => steady.speed(radius),
            Way::Custom { trajectory, .. } => trajectory.speed(radius, from, to),
        }
    }

    /// A bound on how fast such a point moves along a unit direction, over the whole motion.
    pub fn speed_along(&self, direction: Vec3, radius: Real) -> Real {
        match &self.0 {
            Way::Steady(steady) => steady.speed_along(direction, radius),
            Way::Custom { trajectory, .. } => trajectory.speed(radius, 0.0, 1.0),
        }
    }

    /// The motion if its angular velocity is constant; nothing for a user's own.
    pub(crate) fn steady(&self) -> Option<&Steady> {
        match &self.0 {
            Way::Steady(steady) => Some(steady),
            Way::Custom { .. } => None,
        }
    }

    /// The motion up to a share of its time, for turns about an axis and motions with velocities; others as they are.
    pub(crate) fn cut(&self, share: f64) -> Self {
        match &self.0 {
            Way::Steady(steady) => Self(Way::Steady(steady.cut(share))),
            Way::Custom { .. } => self.clone(),
        }
    }
}
