//! How far a body may move before it meets another.

use super::Cache;
use crate::answer::Cast;
use crate::ccd::{self, CastOptions, polyhedra::CastError};
use crate::math::Pose;
use crate::motion::Motion;
use crate::shape::BodyRef;

/// Moves B along a motion and finds its first contact with A, which rests.
///
/// Two convex bodies that translate are answered by their contact range, bodies with flat faces by the trajectories of their features,
/// everything else by conservative advancement. In every case the exact first contact is between `lower` and `upper`. With
/// `options.clearance` the motion ends where the bodies come as near as that.
///
/// # Errors
/// If a number of the options is negative or not finite, the motion of a part leaves the range of poses, or coordinates are too large for
/// the precision.
///
/// ```
/// use clearance::{Cache, CastOptions, Motion, Pose, Shape, Vec3, cast};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let motion = Motion::translation(Pose::from_translation([5.0, 0.0, 0.0])?, [-7.0, 0.0, 0.0])?;
/// let stop = cast(&cube, &Pose::IDENTITY, &ball, &motion, &mut Cache::default(), &CastOptions::default())?;
/// let hit = stop.hit.ok_or("the ball meets the cube")?;
/// assert!((stop.fraction - 0.5).abs() < 1e-6 && (hit.points[0] - Vec3::X).length() < 1e-6);
/// let keep = CastOptions { clearance: 0.7, ..CastOptions::default() };
/// let stop = cast(&cube, &Pose::IDENTITY, &ball, &motion, &mut Cache::default(), &keep)?;
/// assert!((stop.fraction - 0.4).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    motion: &Motion,
    cache: &mut Cache,
    options: &CastOptions,
) -> Result<Cast, CastError> {
    ccd::cast_body(a, pose_a, b, motion, options, &mut cache.more().scratch)
}

/// Moves B along a motion and gives the first contact of each of its parts with each part of A, the earliest first. The list is
/// cleared first.
///
/// # Errors
/// As [`cast`].
pub fn cast_all<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    motion: &Motion,
    cache: &mut Cache,
    options: &CastOptions,
    hits: &mut Vec<Cast>,
) -> Result<(), CastError> {
    hits.clear();
    ccd::cast_all(a, pose_a, b, motion, options, &mut cache.more().scratch, hits)
}

/// When two moving bodies meet, from time 0 to time 1; `fraction` is the time.
///
/// The time is never later than the exact first contact, and early by no more than what it takes the bodies to cross the tolerance. Bodies
/// that touch at time 0 may part or slide along each other; they have met only when they get deeper.
///
/// # Errors
/// If a number of the options is negative or not finite.
///
/// ```
/// use clearance::{Cache, CastOptions, Motion, Pose, Shape, time_of_impact};
/// let rod = Shape::cuboid([2.0, 0.1, 0.1])?;
/// let turning = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], [0.0, 0.0, 3.0])?;
/// let ball = Shape::sphere(0.5)?;
/// let resting = Motion::still(Pose::from_translation([0.0, 2.0, 0.0])?);
/// let impact = time_of_impact(&rod, &turning, &ball, &resting, &mut Cache::default(), &CastOptions::default())?;
/// assert!(impact.hit.is_some() && (0.4..0.5).contains(&impact.fraction));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    motion_a: &Motion,
    b: impl Into<BodyRef<'b>>,
    motion_b: &Motion,
    _cache: &mut Cache,
    options: &CastOptions,
) -> Result<Cast, CastError> {
    ccd::impact_body(a, motion_a, b, motion_b, options)
}
