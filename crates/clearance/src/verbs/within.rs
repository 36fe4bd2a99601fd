//! Whether two bodies are within a distance of each other.

use super::{Cache, closest};
use crate::answer::{Closest, Within, Witness};
use crate::concave;
use crate::math::{Pose, Real};
use crate::narrow;
use crate::shape::{BodyRef, Geometry, Shape};

/// Whether two bodies are within a distance of each other: nearer, at it, or overlapping. A distance within the error of the one asked
/// for counts as within. A negative distance asks whether they overlap by at least so much; NaN is never reached.
///
/// ```
/// use clearance::{Cache, Pose, Shape, within};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let pose = Pose::from_translation([2.0, 0.0, 0.0])?; // half a unit apart
/// let mut cache = Cache::default();
/// assert!(within(&cube, &Pose::IDENTITY, &ball, &pose, 0.6, &mut cache).within);
/// assert!(!within(&cube, &Pose::IDENTITY, &ball, &pose, 0.4, &mut cache).within);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    distance: Real,
    cache: &mut Cache,
) -> Within {
    any(&a.into(), pose_a, &b.into(), pose_b, distance, cache)
}

pub(super) fn any(
    a: &BodyRef<'_>,
    pose_a: &Pose,
    b: &BodyRef<'_>,
    pose_b: &Pose,
    distance: Real,
    cache: &mut Cache,
) -> Within {
    if let (Geometry::Convex(a), Geometry::Convex(b)) = (a.geometry(), b.geometry()) {
        return separated([a, b], [pose_a, pose_b], distance, cache)
            .unwrap_or_else(|| of_distance(&narrow::closest(a, pose_a, b, pose_b, &mut cache.convex), distance));
    }
    if (a.geometry().is_field() || b.geometry().is_field()) && a.padding + b.padding == 0.0 {
        return concave::fields::within(a.geometry(), pose_a, b.geometry(), pose_b, distance);
    }
    let near = closest::any(a, pose_a, b, pose_b, cache);
    of_distance(&near, distance)
}

/// Two convex shapes that a plane keeps farther apart than the distance: a boolean query of the one grown by it.
fn separated([a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2], distance: Real, cache: &mut Cache) -> Option<Within> {
    if !(distance >= 0.0) {
        return None;
    }
    let grown = a.clone().rounded(distance).ok()?;
    let answer = narrow::overlap(&grown, pose_a, b, pose_b, &mut cache.convex);
    let Witness::Plane { normal, offset_a, offset_b } = answer.witness else {
        return None;
    };
    let offset_a = offset_a - distance;
    let [of_a, of_b] = [pose_a.translation(), pose_b.translation()];
    Some(Within {
        within: false,
        witness: Witness::Plane { normal, offset_a, offset_b },
        lower: distance,
        // Any two points of the bodies are no farther apart than this.
        upper: (of_b - of_a).length() + a.bounding_radius() + b.bounding_radius(),
        end: answer.end,
        iterations: answer.iterations,
    })
}

/// The boolean of a signed distance.
fn of_distance(near: &Closest, distance: Real) -> Within {
    let within = near.lower <= distance;
    let witness = if within { Witness::Points(near.points) } else { Witness::Gap(near.lower) };
    Within { within, witness, lower: near.lower, upper: near.upper, end: near.end, iterations: near.iterations }
}
