//! Every pair of features of two bodies within a distance of each other.

use super::Cache;
use crate::answer::ContactPoint;
use crate::ccd::{self, polyhedra::CastError};
use crate::math::{Pose, Real};
use crate::shape::BodyRef;

/// Every vertex of one body over a face of the other, and every two edges across each other, that are within a distance. The list is
/// cleared first. For the few points that a simulator needs see [`manifold`](crate::manifold()).
///
/// # Errors
/// If the distance is negative or not finite, a body is curved or padded, or coordinates are too large for the precision.
///
/// ```
/// use clearance::{Cache, Pose, Shape, Vec3, contacts};
/// let (cube, floor) = (Shape::cuboid([0.5, 0.5, 0.5])?, Shape::cuboid([4.0, 4.0, 1.0])?);
/// let (above, mut list) = (Pose::from_translation([0.0, 0.0, 1.75])?, Vec::new());
/// contacts(&floor, &Pose::IDENTITY, &cube, &above, 0.5, &mut Cache::default(), &mut list)?;
/// assert!(list.len() == 4 && list.iter().all(|contact| contact.normal == Vec3::Z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    distance: Real,
    cache: &mut Cache,
    list: &mut Vec<ContactPoint>,
) -> Result<(), CastError> {
    list.clear();
    ccd::contacts_between(a, pose_a, b, pose_b, distance, &mut cache.more().scratch, list)
}
