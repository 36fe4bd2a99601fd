//! A body among obstacles: sliding along them, and moving as far as it is free.

use super::Cache;
use crate::ccd::polyhedra::{CastError, Rotation};
use crate::ccd::{self, CastOptions, Moved, Slid};
use crate::math::{Pose, Vec3};
use crate::shape::BodyRef;

/// Moves a body along a translation as far as it is free of all obstacles, and on along what it meets, as characters of games move.
///
/// # Errors
/// As [`cast`](crate::cast()).
///
/// ```
/// use clearance::{BodyRef, Cache, CastOptions, Pose, Shape, SlideEnd, Vec3, slide};
/// let (floor, ball) = (Shape::cuboid([10.0, 10.0, 1.0])?, Shape::sphere(0.5)?);
/// let obstacles = [(BodyRef::from(&floor), Pose::IDENTITY)];
/// let start = Pose::from_translation([0.0, 0.0, 3.0])?;
/// let way = Vec3::new(4.0, 0.0, -6.0);
/// let slid = slide(&obstacles, &ball, &start, way, &mut Cache::default(), &CastOptions::default())?;
/// assert_eq!(slid.end, SlideEnd::Slid);
/// assert!((slid.pose.translation() - Vec3::new(4.0, 0.0, 1.5)).length() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slide<'b>(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: impl Into<BodyRef<'b>>,
    pose: &Pose,
    translation: Vec3,
    cache: &mut Cache,
    options: &CastOptions,
) -> Result<Slid, CastError> {
    ccd::slide_among(obstacles, body, pose, translation, options, &mut cache.more().scratch)
}

/// Moves a body along a translation and then turns it, each until an obstacle is in the way. The rotation's origin moves with the body.
///
/// # Errors
/// As [`cast`](crate::cast()), and if the rotation has no axis.
///
/// ```
/// use clearance::{BodyRef, Cache, CastOptions, Pose, Rotation, Shape, Vec3, move_body};
/// let (floor, rod) = (Shape::cuboid([10.0, 10.0, 1.0])?, Shape::cuboid([2.0, 0.25, 0.25])?);
/// let obstacles = [(BodyRef::from(&floor), Pose::IDENTITY)];
/// let start = Pose::from_translation([0.0, 0.0, 3.0])?;
/// let turn = Rotation { origin: Vec3::new(0.0, 0.0, 3.0), axis: Vec3::Y, angle: 1.0 };
/// let down = Vec3::new(0.0, 0.0, -1.0);
/// let moved = move_body(&obstacles, &rod, &start, down, turn, &mut Cache::default(), &CastOptions::default())?;
/// assert_eq!(moved.translation.1.fraction, 1.0);
/// assert!(moved.rotation.1.fraction < 1.0); // an end of the rod meets the floor
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn move_body<'b>(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: impl Into<BodyRef<'b>>,
    pose: &Pose,
    translation: Vec3,
    rotation: Rotation,
    cache: &mut Cache,
    options: &CastOptions,
) -> Result<Moved, CastError> {
    ccd::move_among(obstacles, body, pose, translation, rotation, options, &mut cache.more().scratch)
}
