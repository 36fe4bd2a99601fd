//! A user's own motion: where a body is at a time, and how fast its points may move.

use std::fmt::Debug;

use crate::math::{Pose, Real};

/// A user's own motion of a rigid body over the time from 0 to 1, such as a link of a robot along a path in joint space.
///
/// What is computed from it is as good as its [`speed`](Self::speed). A time step is free because no point can cross the distance
/// that was measured before it at the promised speed; a pose is asked for only at the ends of steps and at a few times between them.
/// At these times the poses are compared with the promise: a body that has moved farther than the speed allows has broken it, and the
/// answer says so with [`End::Degenerate`](crate::End::Degenerate) and what was proved until then. A motion that jumps and comes back
/// between two of these times cannot be noticed.
///
/// ```
/// use std::sync::Arc;
/// use clearance::{Motion, Trajectory};
/// use clearance::{Pose, Real};
///
/// /// A body that swings along x.
/// #[derive(Debug)]
/// struct Swing;
///
/// impl Trajectory for Swing {
///     fn pose(&self, time: Real) -> Pose {
///         Pose::from_translation([(6.0 * time).sin(), 0.0, 0.0]).unwrap_or_default()
///     }
///
///     fn speed(&self, _radius: Real, _from: Real, _to: Real) -> Real {
///         6.0
///     }
/// }
///
/// let motion = Motion::custom(Arc::new(Swing));
/// assert_eq!(motion.start(), &Pose::IDENTITY);
/// ```
pub trait Trajectory: Debug + Send + Sync {
    /// The pose at a time from 0 to 1. The same time must give the same pose.
    fn pose(&self, time: Real) -> Pose;

    /// A bound on the speed of every point within `radius` of the body's origin, at every time from `from` to `to`.
    ///
    /// A smaller bound gives longer steps; a bound over a short time may be smaller than that over a long one. It must be finite and not
    /// negative: anything else counts as broken.
    fn speed(&self, radius: Real, from: Real, to: Real) -> Real;
}
