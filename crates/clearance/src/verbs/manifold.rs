//! The contact points of two bodies.

use super::Cache;
use crate::answer::{ContactPoint, ContactPoints, Manifold};
use crate::concave;
use crate::manifold::{self, ManifoldOptions};
use crate::math::{Pose, Real, Vec3};
use crate::shape::{BodyRef, Geometry};

/// The contact points of two bodies, or nothing if they are farther apart than `options.margin`.
///
/// Two convex bodies have at most `options.max_points` points along one normal. Concave bodies have as many for each region of contact,
/// with a normal for each point.
///
/// Made for solvers: points are in the order of their features, and with one cache for each pair, kept from frame to frame, a point that
/// stays where it is keeps its features, and the points chosen out of many stay while they are nearly as good, however the bodies jitter.
/// So the impulse of a point can be looked up by `features` in the next frame (`examples/stack.rs`). The deepest point is
/// [`Manifold::deepest`]. With `options.margin` points are there before they touch.
///
/// ```
/// use clearance::{Cache, ManifoldOptions, Pose, Shape, manifold};
/// let (table, mug) = (Shape::cuboid([2.0, 1.0, 0.5])?, Shape::cylinder(0.5, 0.3)?);
/// let pose = Pose::from_translation([0.0, 0.0, 0.99])?; // a hundredth into the table
/// let contact = manifold(&table, &Pose::IDENTITY, &mug, &pose, &mut Cache::default(), &ManifoldOptions::default());
/// let contact = contact.ok_or("the mug stands on the table")?;
/// assert!((contact.distance + 0.01).abs() < 1e-9 && contact.normal.z > 0.999);
/// assert_eq!(contact.points.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A table on four legs has contacts at each of them:
///
/// ```
/// use clearance::{Body, Cache, Compound, ManifoldOptions, Pose, Shape, manifold};
/// let leg = Body::from(Shape::cuboid([0.1, 0.1, 0.5])?);
/// let places = [[-1.0, -1.0, 0.5], [1.0, -1.0, 0.5], [-1.0, 1.0, 0.5], [1.0, 1.0, 0.5]];
/// let legs = places.into_iter().map(|at| Ok((leg.clone(), Pose::from_translation(at)?)));
/// let table = Compound::new(legs.collect::<Result<Vec<_>, clearance::PoseError>>()?)?;
/// let floor = Shape::cuboid([5.0, 5.0, 1.0])?;
/// let below = Pose::from_translation([0.0, 0.0, -0.99])?; // a hundredth into the table's legs
/// let found = manifold(&floor, &below, &table, &Pose::IDENTITY, &mut Cache::default(), &ManifoldOptions::default());
/// assert_eq!(found.ok_or("in contact")?.points.len(), 16); // four corners of each leg
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn manifold<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
    options: &ManifoldOptions,
) -> Option<Manifold> {
    let (a, b) = (a.into(), b.into());
    match (a.geometry(), b.geometry()) {
        (Geometry::Convex(a), Geometry::Convex(b)) => {
            manifold::manifold(a, pose_a, b, pose_b, &mut cache.convex, options)
        }
        _ => any_or_bound(&a, pose_a, &b, pose_b, cache, options).ok(),
    }
}

/// The contact of bodies of any kind, or if they are farther apart than `options.margin` a lower bound of their distance. Padding is a margin
/// that moves the points out and makes them deeper.
pub(crate) fn any_or_bound(
    a: &BodyRef<'_>,
    pose_a: &Pose,
    b: &BodyRef<'_>,
    pose_b: &Pose,
    cache: &mut Cache,
    options: &ManifoldOptions,
) -> Result<Manifold, Real> {
    let both = a.padding + b.padding;
    let asked = concave::BodyManifoldOptions { max_points: options.max_points, margin: options.margin.max(0.0) + both };
    let mut found = concave::BodyManifold::none();
    let more = cache.more();
    let known = (&mut more.body, &mut more.names);
    let bound = concave::find_contacts([a.geometry(), b.geometry()], [pose_a, pose_b], known, &asked, &mut found);
    let points: ContactPoints = found
        .contacts
        .iter()
        .map(|contact| ContactPoint {
            points: [contact.on_a + contact.normal * a.padding, contact.on_b - contact.normal * b.padding],
            normal: contact.normal,
            distance: -contact.depth - both,
            features: contact.features,
        })
        .collect();
    let mut whole = Manifold { normal: Vec3::ZERO, distance: 0.0, points, end: found.end };
    let deepest = whole.deepest().map(|deepest| (deepest.normal, deepest.distance));
    (whole.normal, whole.distance) = deepest.ok_or(bound - both)?;
    Ok(whole)
}
