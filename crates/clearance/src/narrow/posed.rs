//! Shapes that are others moved within their frame: asked as what was moved, for which closed forms and smooth pieces are known.

use crate::answer::Closest;
use crate::math::Pose;
use crate::shape::{Core, Shape};

/// Whether a shape is another one moved within its frame.
#[inline]
pub(super) fn is_posed(shape: &Shape) -> bool {
    matches!(shape.core(), Core::Posed(_))
}

/// Asks about what was moved within the frames of two shapes instead, in the frame of A. Moves within moves are taken off one at a time.
#[inline(never)]
pub(super) fn in_frame_of_a<T>(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    ask: impl FnOnce(&Shape, &Pose, &Shape, &Pose) -> T,
) -> T {
    let inner = |shape: &Shape, pose: &Pose| match shape.core() {
        Core::Posed(part) => (Shape::with_radius(part.shape.core().clone(), shape.radius()), pose.compose(&part.pose)),
        _ => (shape.clone(), *pose),
    };
    let ((a, of_a), (b, of_b)) = (inner(a, &Pose::IDENTITY), inner(b, &pose_b.relative_to(pose_a)));
    ask(&a, &of_a, &b, &of_b)
}

/// An answer in the frame of A, in world space.
pub(super) fn placed(near: Closest, pose_a: &Pose) -> Closest {
    let points = near.points.map(|point| pose_a.point(point));
    Closest { points, normal: pose_a.direction(near.normal), ..near }
}
