//! Moving a body as the paper does (section 2): first the translation, then the rotation, each as far as it is free.

use super::answer::{Cast, TrajectoryOptions};
use super::error::CastError;
use super::polyhedron::Polyhedron;
use super::rotation::{Rotation, cast_rotation};
use super::scratch::CastScratch;
use super::translation::cast_translation;
use crate::math::{Pose, Vec3};

/// How far a body was moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedPolyhedron {
    /// Where it is now.
    pub pose: Pose,
    /// How the translation went.
    pub translation: Cast,
    /// How the rotation went, from where the translation ended.
    pub rotation: Cast,
}

/// Moves the body along the translation and then turns it, each until something is in the way. The rotation's origin moves with the
/// body.
///
/// # Errors
/// As [`cast_translation`] and [`cast_rotation`].
///
/// ```
/// use clearance::ccd::polyhedra::{TrajectoryOptions, CastScratch, Polyhedron, Rotation, move_body};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let cube = Polyhedron::from(&Polytope::from_points(&corners)?);
/// let (start, down) = (Pose::from_translation([0.0, 0.0, 3.0])?, Vec3::new(0.0, 0.0, -4.0));
/// let spin = Rotation { origin: Vec3::new(0.5, 0.5, 3.0), axis: Vec3::Z, angle: 1.0 };
/// let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
/// let moved = move_body(&cube, &Pose::IDENTITY, &cube, &start, down, spin, &options, &mut scratch)?;
/// assert!((moved.translation.fraction - 0.5).abs() < 1e-5);
/// assert_eq!(moved.rotation.fraction, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(clippy::too_many_arguments)] // two bodies, two motions, options and memory
pub fn move_body(
    world: &Polyhedron,
    pose_w: &Pose,
    body: &Polyhedron,
    pose_b: &Pose,
    translation: Vec3,
    rotation: Rotation,
    options: &TrajectoryOptions,
    scratch: &mut CastScratch,
) -> Result<MovedPolyhedron, CastError> {
    let first = cast_translation(world, pose_w, body, pose_b, translation, options, scratch)?;
    let travelled = first.pose.translation() - pose_b.translation();
    let carried = Rotation { origin: rotation.origin + travelled, ..rotation };
    let second = cast_rotation(world, pose_w, body, &first.pose, carried, options, scratch)?;
    Ok(MovedPolyhedron { pose: second.pose, translation: first, rotation: second })
}
