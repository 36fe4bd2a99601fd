//! The signed distance of two bodies.

use super::Cache;
use crate::answer::{Closest, Contact};
use crate::concave;
use crate::math::{Pose, Real};
use crate::narrow;
use crate::shape::{BodyRef, Geometry};
use crate::tolerance::sigma;

/// The signed distance of two bodies with their nearest or deepest points, from far apart to deep inside.
///
/// The depth of two convex bodies is the length of the shortest translation that separates them. That of concave bodies is a local measure:
/// the deepest of their convex pieces and of some inner points; the shortest translation is between `−upper` and `−lower`.
///
/// ```
/// use clearance::{Cache, Pose, Shape, closest};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = Cache::default();
/// for x in [2.5, 1.5] {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     let near = closest(&cube, &Pose::IDENTITY, &cube, &pose, &mut cache);
///     assert!((near.distance - (x - 2.0)).abs() < 1e-6);
///     assert!(near.lower <= near.distance && near.distance <= near.upper);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Meshes and compounds are asked the same way; the answer names the part and the face:
///
/// ```
/// use clearance::{Cache, Mesh, Pose, Shape, Vec3, closest};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let ball = Shape::sphere(0.5)?;
/// let pose = Pose::from_translation([-1.0, 0.25, 0.25])?;
/// let near = closest(&mesh, &Pose::IDENTITY, &ball, &pose, &mut Cache::default());
/// assert!((near.distance - 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn closest<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Closest {
    let (a, b) = (a.into(), b.into());
    match (a.geometry(), b.geometry()) {
        (Geometry::Convex(a), Geometry::Convex(b)) => narrow::closest(a, pose_a, b, pose_b, &mut cache.convex),
        _ => any(&a, pose_a, &b, pose_b, cache),
    }
}

/// The distance of two bodies that do not overlap; nothing if they do. For those who do not need depths: bodies that overlap cost no
/// more than a boolean.
///
/// ```
/// use clearance::{Cache, Pose, Shape, distance};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let pose = Pose::from_translation([2.0, 0.0, 0.0])?;
/// let near = distance(&cube, &Pose::IDENTITY, &ball, &pose, &mut Cache::default());
/// assert!(near.is_some_and(|near| (near.distance - 0.5).abs() < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn distance<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Option<Closest> {
    let (a, b) = (a.into(), b.into());
    match (a.geometry(), b.geometry()) {
        (Geometry::Convex(a), Geometry::Convex(b)) => narrow::distance(a, pose_a, b, pose_b, &mut cache.convex),
        _ => Some(any(&a, pose_a, &b, pose_b, cache)),
    }
    // Rounded bodies overlap where their cores are still apart.
    .filter(|near| near.contact == Contact::Apart)
}

/// Bodies of any kind, padded or not.
pub(super) fn any(a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose, cache: &mut Cache) -> Closest {
    let near = concave::closest(a.geometry(), pose_a, b.geometry(), pose_b, cache.body());
    let padding = [a.padding, b.padding];
    if padding == [0.0; 2] { near } else { padded(near, a, pose_a, b, pose_b) }
}

/// The answer for two padded bodies from that of the bodies without padding.
///
/// Distances of bodies that are apart and depths of convex ones shift by the padding exactly. Of concave bodies that overlap the shifted
/// depth is still a lower bound of the separating translation, so that `upper` holds; `lower` is asked again of the padded extents.
fn padded(near: Closest, a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose) -> Closest {
    let both = a.padding + b.padding;
    let error = sigma(concave::pair_size(a.geometry(), pose_a, b.geometry(), pose_b) + both);
    let shifted = |x: Real, slack: Real| x - both + slack;
    let mut padded = Closest {
        distance: near.distance - both,
        lower: shifted(near.lower, -error),
        upper: shifted(near.upper, error),
        points: [near.points[0] + near.normal * a.padding, near.points[1] - near.normal * b.padding],
        ..near
    };
    padded.contact = Contact::of(padded.distance, padded.lower, error);
    if padded.contact != Contact::Apart {
        let (best, _) = concave::least_overlap(padded.normal, a.geometry(), pose_a, b.geometry(), pose_b);
        padded.lower = (best - both).min(padded.distance) - 2.0 * error;
    }
    padded
}
