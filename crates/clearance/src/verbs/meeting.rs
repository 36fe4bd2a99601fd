//! Whether two bodies without padding have a point in common.

use super::Cache;
use crate::answer::Overlap;
use crate::concave;
use crate::math::Pose;
use crate::narrow;
use crate::shape::Geometry;

pub(super) fn overlap([a, b]: [Geometry<'_>; 2], [pose_a, pose_b]: [&Pose; 2], cache: &mut Cache) -> Overlap {
    match (a, b) {
        (Geometry::Convex(a), Geometry::Convex(b)) => narrow::overlap(a, pose_a, b, pose_b, &mut cache.convex),
        (Geometry::Mesh(mesh), Geometry::Convex(shape)) => match mesh.convex() {
            Some(hull) => narrow::overlap(hull, pose_a, shape, pose_b, &mut cache.convex),
            None => concave::meets(mesh, pose_a, shape, pose_b, cache.body()),
        },
        (Geometry::Convex(shape), Geometry::Mesh(mesh)) => match mesh.convex() {
            Some(hull) => narrow::overlap(shape, pose_a, hull, pose_b, &mut cache.convex),
            None => concave::meets(mesh, pose_b, shape, pose_a, cache.body()),
        },
        (a, b) => concave::overlap(a, pose_a, b, pose_b, cache.body()).into(),
    }
}
