//! The positions along a direction at which one body meets another.

use super::Cache;
use crate::concave;
use crate::math::{Pose, Vec3};
use crate::narrow::contact_range::{self, DirectionError, Range};
use crate::shape::{BodyRef, Geometry};

/// The positions along a direction at which B meets A, moved by that multiple of the direction: from the first contact to the last;
/// nothing if it never does. A range with a half-space is infinite on one side, or on both along its plane. Two convex bodies are in contact at every position in between; concave ones may be apart at some.
///
/// Bodies are closed: a line along which they touch without entering each other has a range too, within the tolerance of touching.
/// A unit direction is not required; positions are in units of its length.
///
/// # Errors
/// If the direction is zero, not finite, or so short that positions would overflow.
///
/// ```
/// use clearance::{Cache, Pose, Shape, Vec3, contact_range};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([5.0, 0.5, 0.0])?;
/// let step = Vec3::new(-2.0, 0.0, 0.0);
/// let range = contact_range(&cube, &Pose::IDENTITY, &cube, &pose, step, &mut Cache::default())?;
/// assert_eq!(range.map(|range| (range.lo(), range.hi())), Some((1.5, 3.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact_range<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    direction: Vec3,
    cache: &mut Cache,
) -> Result<Option<Range>, DirectionError> {
    let (a, b) = (a.into(), b.into());
    match (a.geometry(), b.geometry()) {
        (Geometry::Convex(a), Geometry::Convex(b)) => {
            contact_range::contact_range(a, pose_a, b, pose_b, direction, &mut cache.more().range)
        }
        (of_a, of_b) => concave::range([of_a, of_b], [pose_a, pose_b], [a.padding, b.padding], direction, cache.body()),
    }
}
