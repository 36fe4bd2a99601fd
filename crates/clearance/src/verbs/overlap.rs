//! Whether two bodies have a point in common.

use super::{Cache, closest, meeting};
use crate::answer::{End, Overlap, Within, Witness};
use crate::concave;
use crate::math::{Pose, Real, Vec3};
use crate::narrow;
use crate::shape::{BodyRef, Geometry, Shape};
use crate::tolerance::{SHARED_SIGMAS, sigma};

/// How often a point goes from body to body; each time leaves about half of the way.
const MOST_ROUNDS: usize = 32;

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
        return of_padded([a, b], [pose_a, pose_b], cache);
    }
    meeting::overlap([a.geometry(), b.geometry()], [pose_a, pose_b], cache)
}

/// Bodies at least one of which is padded.
fn of_padded([a, b]: [&BodyRef<'_>; 2], [pose_a, pose_b]: [&Pose; 2], cache: &mut Cache) -> Overlap {
    let found = super::within::any(a, pose_a, b, pose_b, 0.0, cache);
    let Within { within, witness, end, iterations, .. } = found;
    let Witness::Points([on_a, on_b]) = witness else { return Overlap { overlap: within, witness, end, iterations } };
    let middle = on_a + (on_b - on_a) * 0.5;
    let size = concave::pair_size(a.geometry(), pose_a, b.geometry(), pose_b) + a.padding + b.padding;
    // Points of distances are off curved bodies by up to the width of the bounds.
    let shown = in_both([a, b], [pose_a, pose_b], middle, SHARED_SIGMAS * sigma(size));
    let (witness, end) = shown.map_or((witness, End::Degenerate), |point| (Witness::Point(point), end));
    Overlap { overlap: within, witness, end, iterations }
}

/// A point of both bodies near a point, by going from it to the nearest of one body, from there to that of the other, and so on.
fn in_both(bodies: [&BodyRef<'_>; 2], poses: [&Pose; 2], from: Vec3, error: Real) -> Option<Vec3> {
    let shape = Shape::point();
    let mut point = from;
    // In how many bodies in a row it is.
    let mut inside = 0;
    for step in 0..MOST_ROUNDS {
        let side = step % 2;
        let (at, body) = (Pose::IDENTITY.moved_to(point), bodies[side]);
        let near = closest::any(&BodyRef::from(&shape), &at, body, poses[side], &mut Cache::default());
        inside += 1;
        if near.distance > error {
            (point, inside) = (near.points[1], 1);
        } else if inside == 2 {
            return Some(point);
        }
    }
    None
}
