//! The verbs for many pairs at once.
//!
//! Pairs come in two forms: as index pairs into a table of bodies, each with its pose ([`overlap`], [`closest`], [`distance`], [`within`]);
//! or as two bodies of which the second is at many poses ([`overlap_at`], [`closest_at`], [`distance_at`], [`within_at`]). The answers are
//! those of the verbs for one pair, with witnesses, bounds and ends, in the order of the pairs: booleans and kinds of contact are the same, distances
//! agree within the bounds of both. Bodies of every kind are taken, in any mix.
//!
//! Boxes, ellipsoids, cylinders and cones, and hulls of up to 224 vertices at many poses, are answered for several pairs at once in the lanes of
//! vectors, where that is certain: overlaps, rounded bodies included, and distances of bodies that are apart. Depths start from what lanes found, and
//! are the work of the verb for one pair, as is all else.
//!
//! With the feature `parallel` the work is shared among threads. An answer depends on its pair alone: it has the same bits whichever other
//! pairs are in the batch, for any number of threads, on every processor.
//!
//! ```
//! use clearance::{Pose, Shape, batch};
//! let bodies = [Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?, Shape::cone(2.0, 1.0)?];
//! let poses = [[0.0, 0.0, 0.0], [1.4, 0.0, 0.0], [5.0, 0.0, 0.0]].map(Pose::from_translation);
//! let poses = poses.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let answers = batch::overlap(&bodies, &poses, &[[0, 1], [0, 2], [1, 2]])?;
//! assert_eq!(answers.iter().map(|answer| answer.overlap).collect::<Vec<_>>(), [true, false, false]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binned;
mod block;
mod boxes;
mod distance;
mod error;
mod finish;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod forced;
mod frame;
mod group;
mod job;
mod lane;
mod nearest;
mod newton;
mod overlap;
mod pairs;
mod portal;
mod simplex;
mod support;
mod vectors;
mod version;

pub use error::BatchError;

use crate::answer::{Closest, Overlap, Within};
use crate::math::{Pose, Real};
use crate::shape::BodyRef;
use crate::verbs;
use binned::answers;
use distance::{Distance, Signed};
use job::Job;
use overlap::Overlapping;
use pairs::{AtPoses, OfTable, Pairs, each};

/// Whether the bodies of each pair have a point in common, as [`overlap`](crate::overlap()) says of one pair. The pairs are indices into the
/// tables of bodies and of their poses.
///
/// # Errors
/// If there are not as many poses as bodies, or an index names no body.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let bodies = [Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?];
/// let poses = [Pose::IDENTITY, Pose::from_translation([1.5, 0.0, 0.0])?];
/// assert!(batch::overlap(&bodies, &poses, &[[0, 1]])?[0].overlap);
/// assert!(batch::overlap(&bodies, &poses, &[[0, 1], [1, 2]]).is_err_and(|error| error.to_string().starts_with("pair 1: body 2")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap<'a, T: Sync>(
    bodies: &'a [T],
    poses: &'a [Pose],
    pairs: &'a [[u32; 2]],
) -> Result<Vec<Overlap>, BatchError>
where
    &'a T: Into<BodyRef<'a>>,
{
    Ok(answers::<Overlapping>(&OfTable::new(bodies, poses, pairs)?))
}

/// The distance of each pair of bodies that do not overlap, as [`distance`](crate::distance()) says of one pair; nothing for those that do.
///
/// # Errors
/// If there are not as many poses as bodies, or an index names no body.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let bodies = [Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?];
/// let poses = [Pose::IDENTITY, Pose::from_translation([2.5, 0.0, 0.0])?];
/// let answers = batch::distance(&bodies, &poses, &[[0, 1], [0, 0]])?;
/// assert!(answers[0].is_some_and(|near| (near.distance - 0.5).abs() < 1e-6) && answers[1].is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance<'a, T: Sync>(
    bodies: &'a [T],
    poses: &'a [Pose],
    pairs: &'a [[u32; 2]],
) -> Result<Vec<Option<Closest>>, BatchError>
where
    &'a T: Into<BodyRef<'a>>,
{
    Ok(answers::<Distance>(&OfTable::new(bodies, poses, pairs)?))
}

/// The signed distance of each pair of bodies, as [`closest`](crate::closest()) says of one pair.
///
/// # Errors
/// If there are not as many poses as bodies, or an index names no body.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let bodies = [Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?];
/// let poses = [Pose::IDENTITY, Pose::from_translation([1.5, 0.0, 0.0])?];
/// let answers = batch::closest(&bodies, &poses, &[[0, 1]])?;
/// assert!((answers[0].distance + 0.5).abs() < 1e-6 && answers[0].lower <= -0.5 && -0.5 <= answers[0].upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest<'a, T: Sync>(
    bodies: &'a [T],
    poses: &'a [Pose],
    pairs: &'a [[u32; 2]],
) -> Result<Vec<Closest>, BatchError>
where
    &'a T: Into<BodyRef<'a>>,
{
    Ok(answers::<Signed>(&OfTable::new(bodies, poses, pairs)?))
}

/// Whether the bodies of each pair are within a distance of each other, as [`within`](crate::within()) says of one pair.
///
/// # Errors
/// If there are not as many poses as bodies, or an index names no body.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let bodies = [Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?];
/// let poses = [Pose::IDENTITY, Pose::from_translation([2.5, 0.0, 0.0])?];
/// assert!(batch::within(&bodies, &poses, &[[0, 1]], 0.6)?[0].within);
/// assert!(!batch::within(&bodies, &poses, &[[0, 1]], 0.4)?[0].within);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within<'a, T: Sync>(
    bodies: &'a [T],
    poses: &'a [Pose],
    pairs: &'a [[u32; 2]],
    distance: Real,
) -> Result<Vec<Within>, BatchError>
where
    &'a T: Into<BodyRef<'a>>,
{
    Ok(within_of(&OfTable::new(bodies, poses, pairs)?, distance))
}

/// Whether A and B have a point in common, for B at each of many poses.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let (rod, plate) = (Shape::cuboid([0.1, 0.1, 2.0])?, Shape::cuboid([1.0, 1.0, 0.1])?);
/// let poses = [Pose::from_translation([0.5, 0.0, 0.0])?, Pose::from_translation([1.5, 0.0, 0.0])?];
/// let answers = batch::overlap_at(&rod, &Pose::IDENTITY, &plate, &poses);
/// assert!(answers[0].overlap && !answers[1].overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_at<'a>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'a>>,
    poses_b: &[Pose],
) -> Vec<Overlap> {
    answers::<Overlapping>(&AtPoses { a: a.into(), pose_a, b: b.into(), poses_b })
}

/// The distance of A and B, for B at each of many poses; nothing where they overlap.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let (ball, cube) = (Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?);
/// let poses = [Pose::from_translation([2.5, 0.0, 0.0])?, Pose::IDENTITY];
/// let answers = batch::distance_at(&ball, &Pose::IDENTITY, &cube, &poses);
/// assert!(answers[0].is_some_and(|near| (near.distance - 0.5).abs() < 1e-6) && answers[1].is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_at<'a>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'a>>,
    poses_b: &[Pose],
) -> Vec<Option<Closest>> {
    answers::<Distance>(&AtPoses { a: a.into(), pose_a, b: b.into(), poses_b })
}

/// The signed distance of A and B, for B at each of many poses.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let (ball, cube) = (Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?);
/// let poses = [Pose::from_translation([2.5, 0.0, 0.0])?, Pose::from_translation([0.0, 1.5, 0.0])?];
/// let answers = batch::closest_at(&ball, &Pose::IDENTITY, &cube, &poses);
/// assert!((answers[0].distance - 0.5).abs() < 1e-6 && (answers[1].distance + 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_at<'a>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'a>>,
    poses_b: &[Pose],
) -> Vec<Closest> {
    answers::<Signed>(&AtPoses { a: a.into(), pose_a, b: b.into(), poses_b })
}

/// Whether A and B are within a distance of each other, for B at each of many poses.
///
/// ```
/// use clearance::{Pose, Shape, batch};
/// let (ball, cube) = (Shape::sphere(1.0)?, Shape::cuboid([1.0, 1.0, 1.0])?);
/// let poses = [Pose::from_translation([2.5, 0.0, 0.0])?, Pose::from_translation([0.0, 3.0, 0.0])?];
/// let answers = batch::within_at(&ball, &Pose::IDENTITY, &cube, &poses, 0.75);
/// assert!(answers[0].within && !answers[1].within);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within_at<'a>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'a>>,
    poses_b: &[Pose],
    distance: Real,
) -> Vec<Within> {
    within_of(&AtPoses { a: a.into(), pose_a, b: b.into(), poses_b }, distance)
}

fn within_of(pairs: &impl Pairs, distance: Real) -> Vec<Within> {
    let (lower, upper) = (Real::NEG_INFINITY, Real::INFINITY);
    let Overlap { witness, end, .. } = Overlapping::BLANK;
    let blank = Within { within: false, witness, lower, upper, end, iterations: 0 };
    each(pairs, blank, |asked, cache| {
        let [a, b] = asked.bodies();
        verbs::within(a, asked.pose_a, b, asked.pose_b, distance, cache)
    })
}
