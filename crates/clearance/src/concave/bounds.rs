//! The size and the error of a pair of bodies, and what bounds the depth of concave ones.

use crate::answer::{Closest, Contact};
use crate::math::{self, Pose, Real, Vec3};
use crate::shape::Geometry;
use crate::tolerance::sigma;

/// The error of a support value of the pair.
pub(super) fn pair_error(a: Geometry<'_>, pose_a: &Pose, b: Geometry<'_>, pose_b: &Pose) -> Real {
    sigma(pair_size(a, pose_a, b, pose_b))
}

/// The size of a pair: both bounding radii and the distance of the origins.
pub(crate) fn pair_size(a: Geometry<'_>, pose_a: &Pose, b: Geometry<'_>, pose_b: &Pose) -> Real {
    math::pair_size([reach(a), reach(b)], pose_b.translation() - pose_a.translation())
}

/// How far a body reaches from its origin; a half-space, of which the plane counts only, as far as the plane is away.
fn reach(body: Geometry<'_>) -> Real {
    if let Geometry::HalfSpace(half_space) = body { half_space.offset().abs() } else { body.bounding_radius() }
}

/// The lower bound of bodies that meet: however they are moved out of each other along the normal or an axis of A, it takes no
/// more than what they overlap along it.
pub(super) fn bounded(mut near: Closest, a: Geometry<'_>, pose_a: &Pose, b: Geometry<'_>, pose_b: &Pose) -> Closest {
    if near.contact == Contact::Apart {
        return near;
    }
    let (best, _) = least_overlap(near.normal, a, pose_a, b, pose_b);
    near.lower = best.min(near.distance) - 2.0 * pair_error(a, pose_a, b, pose_b);
    near.upper = near.upper.max(near.distance);
    near
}

/// Minus the least overlap of the extents of two bodies along a normal and the axes of A, either way, and the direction in which B leaves A.
pub(crate) fn least_overlap(
    normal: Vec3,
    a: Geometry<'_>,
    pose_a: &Pose,
    b: Geometry<'_>,
    pose_b: &Pose,
) -> (Real, Vec3) {
    let between = pose_b.translation() - pose_a.translation();
    // A mesh may have a thousand vertices that are equally far: how far is all that counts here.
    let most = |body: Geometry<'_>, d: Vec3| match body {
        Geometry::Mesh(mesh) => mesh.reach_along(d),
        _ => d.dot(body.support(d)),
    };
    let gap = |d: Vec3| {
        let of_a = most(a, pose_a.direction_to_local(d));
        let of_b = most(b, pose_b.direction_to_local(-d));
        d.dot(between) - of_a - of_b
    };
    let m = pose_a.matrix();
    let axes = [m.x_axis, m.y_axis, m.z_axis];
    // How far A reaches along its own axes is known of bodies for which it would be a walk.
    let own = match a {
        Geometry::HeightField(field) => Some(*field.bounds()),
        Geometry::PointCloud(cloud) => Some(*cloud.bounds()),
        _ => None,
    };
    let along = |(axis, sign): (usize, Real)| {
        let d = axes[axis] * sign;
        let Some(own) = own else { return (gap(d), d) };
        let of_a = if sign > 0.0 { own.max[axis] } else { -own.min[axis] };
        (d.dot(between) - of_a - most(b, pose_b.direction_to_local(-d)), d)
    };
    // A half-space ends along its own normal only.
    let is_endless = |body: Geometry<'_>| matches!(body, Geometry::HalfSpace(_));
    if is_endless(a) || is_endless(b) {
        return (gap(normal), normal);
    }
    let both_ways = (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
    both_ways.map(along).fold((gap(normal), normal), |best, other| if other.0 > best.0 { other } else { best })
}
