//! Whether two bodies are within a distance of each other.

use super::{Cache, closest, meeting};
use crate::answer::{Closest, End, Within, Witness};
use crate::concave;
use crate::math::{Pose, Real, length, pair_size};
use crate::narrow::{self, PairCache};
use crate::shape::mesh::Mesh;
use crate::shape::{BodyRef, Core, Geometry, Shape};
use crate::tolerance::{TOUCHING_SIGMAS, sigma};

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
    let padding = [a.padding, b.padding];
    let (of_a, of_b) = (solid(a.geometry()), solid(b.geometry()));
    let (bodies, poses) = ([of_a, of_b], [pose_a, pose_b]);
    let asked = distance + padding[0] + padding[1];
    let found = early(bodies, poses, asked, cache).unwrap_or_else(|| {
        let near = closest::any(&BodyRef::from(of_a), pose_a, &BodyRef::from(of_b), pose_b, cache);
        of_distance(&near, asked)
    });
    padded(shown(found, bodies, poses, asked, cache), padding)
}

/// Deepest points of bodies that overlap are apart by the depth: where that is more than was asked for, a point of both is shown.
fn shown(found: Within, bodies: [Geometry<'_>; 2], poses: [&Pose; 2], distance: Real, cache: &mut Cache) -> Within {
    let Witness::Points([on_a, on_b]) = found.witness else { return found };
    if !(distance >= 0.0) || length(on_b - on_a) <= distance {
        return found;
    }
    match meeting::overlap(bodies, poses, cache).witness {
        Witness::Point(point) => Within { witness: Witness::Points([point; 2]), ..found },
        _ => found,
    }
}

/// A convex mesh as the polytope that it is.
fn solid(body: Geometry<'_>) -> Geometry<'_> {
    match body {
        Geometry::Mesh(mesh) => mesh.convex().map_or(body, Geometry::Convex),
        _ => body,
    }
}

/// The answer for bodies without padding, if there is a way to it that ends as soon as either is certain.
fn early([a, b]: [Geometry<'_>; 2], poses: [&Pose; 2], distance: Real, cache: &mut Cache) -> Option<Within> {
    let [pose_a, pose_b] = poses;
    match (a, b) {
        (Geometry::Convex(a), Geometry::Convex(b)) => Some(
            separated([a, b], poses, distance, cache)
                .unwrap_or_else(|| of_distance(&narrow::closest(a, pose_a, b, pose_b, &mut cache.convex), distance)),
        ),
        (Geometry::Mesh(mesh), Geometry::Convex(shape)) => shaped(mesh, shape, poses, distance, cache),
        (Geometry::Convex(shape), Geometry::Mesh(mesh)) => {
            shaped(mesh, shape, [pose_b, pose_a], distance, cache).map(swapped)
        }
        // Depths of concave bodies are known to the distance only.
        _ if distance >= 0.0 && (a.is_field() || b.is_field()) => {
            Some(concave::fields::within([a, b], poses, distance, cache.body()))
        }
        _ => None,
    }
}

/// A mesh and a convex shape: a boolean query of the shape grown by the distance. Nothing if that did not tell, or asks for a depth.
fn shaped(mesh: &Mesh, shape: &Shape, poses: [&Pose; 2], distance: Real, cache: &mut Cache) -> Option<Within> {
    if !(distance >= 0.0) {
        return None;
    }
    let grown = shape.clone().rounded(distance).ok()?;
    let found = concave::meets(mesh, poses[0], &grown, poses[1], cache.body());
    if found.end != End::Converged {
        return None;
    }
    let between = poses[1].translation() - poses[0].translation();
    let radii = [mesh.bounding_radius(), shape.bounding_radius()];
    let within = Within {
        within: false,
        witness: found.witness,
        lower: distance,
        // Any two points of the bodies are no farther apart than this.
        upper: length(between) + radii[0] + radii[1],
        end: End::Converged,
        iterations: found.iterations,
    };
    match found.witness {
        Witness::Point(on_mesh) => {
            let at = poses[1].moved_to(on_mesh);
            let point = Shape::sharp(Core::Point);
            let near = narrow::closest(&point, &at, shape, poses[1], &mut PairCache::default());
            let on_shape = if near.distance > 0.0 { near.points[1] } else { on_mesh };
            let error = sigma(pair_size(radii, between) + distance);
            let upper = length(on_shape - on_mesh) + error;
            let is_shown = upper <= distance + TOUCHING_SIGMAS * error;
            // A translation by the sum of the radii separates what overlaps.
            let (witness, lower) = (Witness::Points([on_mesh, on_shape]), -(radii[0] + radii[1]));
            is_shown.then_some(Within { within: true, witness, lower, upper, ..within })
        }
        Witness::Gap(gap) => Some(Within { witness: Witness::Gap(distance + gap), lower: distance + gap, ..within }),
        Witness::Plane { .. } | Witness::Points(_) => None,
    }
}

/// The answer with the bodies in the other order.
fn swapped(found: Within) -> Within {
    let witness = match found.witness {
        Witness::Points([a, b]) => Witness::Points([b, a]),
        other => other,
    };
    Within { witness, ..found }
}

/// The answer about bodies without padding, for the padded ones: points of the one go towards those of the other.
fn padded(found: Within, padding: [Real; 2]) -> Within {
    let sum = padding[0] + padding[1];
    if sum == 0.0 {
        return found;
    }
    let witness = match found.witness {
        Witness::Points(points) => Witness::Points(narrow::grown_towards(points, padding)),
        Witness::Gap(gap) => Witness::Gap(gap - sum),
        Witness::Plane { normal, offset_a, offset_b } => {
            Witness::Plane { normal, offset_a: offset_a + padding[0], offset_b: offset_b - padding[1] }
        }
        other => other,
    };
    Within { witness, lower: found.lower - sum, upper: found.upper - sum, ..found }
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
