//! The verbs at many poses by one version of the lanes, for comparison: answers have the same bits by all of them.

use super::binned::answers_by;
use super::distance::{Distance, Signed};
use super::overlap::Overlapping;
use super::pairs::AtPoses;
pub use super::version::Version;
use crate::answer::{Closest, Overlap};
use crate::math::Pose;
use crate::shape::BodyRef;

/// [`overlap_at`](super::overlap_at) by one version. One that the processor lacks leaves every pair to the verb for one.
pub fn overlaps_by(version: Version, a: BodyRef<'_>, pose_a: &Pose, b: BodyRef<'_>, poses_b: &[Pose]) -> Vec<Overlap> {
    answers_by::<Overlapping>(version, &AtPoses { a, pose_a, b, poses_b })
}

/// [`distance_at`](super::distance_at) by one version.
pub fn distances_by(
    version: Version,
    a: BodyRef<'_>,
    pose_a: &Pose,
    b: BodyRef<'_>,
    poses_b: &[Pose],
) -> Vec<Option<Closest>> {
    answers_by::<Distance>(version, &AtPoses { a, pose_a, b, poses_b })
}

/// [`closest_at`](super::closest_at) by one version.
pub fn closest_by(version: Version, a: BodyRef<'_>, pose_a: &Pose, b: BodyRef<'_>, poses_b: &[Pose]) -> Vec<Closest> {
    answers_by::<Signed>(version, &AtPoses { a, pose_a, b, poses_b })
}
