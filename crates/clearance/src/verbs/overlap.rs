//! Whether two bodies have a point in common.

use super::Cache;
use crate::answer::{Overlap, Witness};
use crate::concave;
use crate::math::Pose;
use crate::narrow;
use crate::shape::{BodyRef, Geometry};

/// Whether two bodies have a point in common. Touching counts; the answer carries a separating plane, a gap or a common point.
///
/// ```
/// use clearance::{Cache, Pose, Shape, overlap};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let mut cache = Cache::default();
/// let pose = Pose::from_translation([1.4, 0.0, 0.0])?;
/// assert!(overlap(&cube, &Pose::IDENTITY, &ball, &pose, &mut cache).overlap);
/// let pose = Pose::from_translation([1.6, 0.0, 0.0])?;
/// assert!(!overlap(&cube, &Pose::IDENTITY, &ball, &pose, &mut cache).overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn overlap<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Overlap {
    let (a, b) = (a.into(), b.into());
    match (a.geometry(), b.geometry()) {
        (Geometry::Convex(a), Geometry::Convex(b)) => narrow::overlap(a, pose_a, b, pose_b, &mut cache.convex),
        _ => any(&a, pose_a, &b, pose_b, cache),
    }
}

fn any(a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose, cache: &mut Cache) -> Overlap {
    if a.padding + b.padding > 0.0 {
        let found = super::within::any(a, pose_a, b, pose_b, 0.0, cache);
        let witness = match found.witness {
            Witness::Points([on_a, on_b]) => Witness::Point(on_a + (on_b - on_a) * 0.5),
            other => other,
        };
        return Overlap { overlap: found.within, witness, end: found.end, iterations: found.iterations };
    }
    match (a.geometry(), b.geometry()) {
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
