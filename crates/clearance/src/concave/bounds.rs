//! The error of a pair of bodies, and what bounds the depth of concave ones.

use crate::answer::{Closest, Contact};
use crate::math::{Pose, Real, Vec3};
use crate::shape::Geometry;
use crate::tolerance::sigma;

/// The error of a support value of the pair.
pub(super) fn pair_error(a: Geometry<'_>, pose_a: &Pose, b: Geometry<'_>, pose_b: &Pose) -> Real {
    let between = (pose_b.translation() - pose_a.translation()).abs().element_sum();
    sigma(a.bounding_radius() + b.bounding_radius() + between)
}

/// The lower bound of bodies that meet: however they are moved out of each other along the normal or an axis of A, it takes no
/// more than what they overlap along it.
pub(super) fn bounded(mut near: Closest, a: Geometry<'_>, pose_a: &Pose, b: Geometry<'_>, pose_b: &Pose) -> Closest {
    if near.contact == Contact::Apart {
        return near;
    }
    let between = pose_b.translation() - pose_a.translation();
    let gap = |d: Vec3| {
        let of_a = pose_a.direction(a.support(pose_a.direction_to_local(d)));
        let of_b = pose_b.direction(b.support(pose_b.direction_to_local(-d)));
        d.dot(of_b - of_a + between)
    };
    let m = pose_a.matrix();
    let axes = [near.normal, m.x_axis, m.y_axis, m.z_axis, -m.x_axis, -m.y_axis, -m.z_axis];
    let best = axes.into_iter().map(gap).fold(Real::NEG_INFINITY, Real::max);
    near.lower = best.min(near.distance) - 2.0 * pair_error(a, pose_a, b, pose_b);
    near.upper = near.upper.max(near.distance);
    near
}
