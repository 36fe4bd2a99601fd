//! Contact manifolds: where two bodies touch, as a few points with depths, for a simulator to push on.
//!
//! Normal and depth are those of [`closest`], with its contract. Two ways lead from there to points: [`Method::Clip`] cuts the
//! actual contact features of the two bodies against each other, and [`Method::Perturbed`] is section 2.6 of the
//! implicit-objects thesis, which knows the features by samples of the support mapping only. The thesis reports that cones,
//! cylinders and sharp edges next to curved surfaces defeat its method; clipping is the answer to that.
//!
//! Everything happens in a *contact frame*: its origin is between the two points of `closest`, its z axis is the normal from A
//! to B. There a feature's outline is its x and y, its height is z, and a contact is a place (x, y) with a point of A and a
//! point of B above each other; their difference in height is the depth there.
//!
//! **Made for solvers.** A solver starts each frame with the impulses of the last one, so the same points have to come again, under
//! the same names and in the same order. Points are in the order of their feature ids, whatever their depths. Where several features
//! coincide (a box on an equal one: at each corner two vertices, four edges) a place has several names, and where there are more
//! places than asked for several choices are equally good: both would change with every rounding. So the cache remembers the names of the
//! last points. A place keeps the name it had as long as the named features are there to within `SAME_PLACE`, and the chosen places
//! stay as long as they are nearly as good (`reduce`). A name kept is true to that tolerance, whichever pair the cache comes from.
//!
//! With a margin the points of the touching features that are up to that far apart are there before they touch (speculative contacts), each
//! with its own distance.
//!
//! Invariants: `on_b − on_a = −depth · normal` by construction; no point is deeper than the upper bound of the depth; one point is
//! as deep as the whole, since the points of `closest` join the others when no other reaches their depth (to within `SAME_DEPTH` where those
//! of the last frame stay, or a circle lies nearly flat); no two points have the same features.
//! It ends: every loop runs over corners of features, of which there are at most `CORNERS`; nothing is allocated.

mod clip;
mod contact;
mod options;
mod outline;
mod patch;
mod perturbed;
mod reduce;

pub use options::{MAX_POINTS, ManifoldOptions, Method};

use arrayvec::ArrayVec;

use self::contact::{Candidate, Candidates, Contact};
use crate::answer::{Closest, ContactPoint, ContactPoints, Element, Feature, Manifold};
use crate::math::{Pose, Real, pair_size};
use crate::narrow::{Names, PairCache, closest, last_bound};
use crate::shape::Shape;
use crate::tolerance::{CONTACT_SIGMAS, sigma};

/// The contact of two bodies, or nothing if they are farther apart than `options.margin`.
pub fn manifold(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
    options: &ManifoldOptions,
) -> Option<Manifold> {
    manifold_or_bound(a, pose_a, b, pose_b, cache, options).ok()
}

/// The contact of two bodies, or if they are farther apart than `options.margin` a lower bound of their distance.
pub(crate) fn manifold_or_bound(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
    options: &ManifoldOptions,
) -> Result<Manifold, Real> {
    let options = options.checked();
    let known = cache.names;
    let near = closest(a, pose_a, b, pose_b, cache);
    if !(near.lower <= options.margin && near.distance <= options.margin + slop([a, b], [pose_a, pose_b])) {
        return Err(near.lower);
    }
    let contact = Contact::new(a, pose_a, b, pose_b, &near);
    let chosen = choose(&contact, &options, true, &known);
    cache.names = Names::NONE;
    chosen.iter().for_each(|c| cache.names.add(c.feature));
    Ok(told(&contact, pose_a, &near, &chosen))
}

/// A lower bound of the distance of two bodies of which the plane of the last frame says for certain that they have no contact: that they
/// are farther apart than the margin by more than rounding.
pub(crate) fn still_beyond(
    shapes: [&Shape; 2],
    poses: [&Pose; 2],
    cache: &PairCache,
    options: &ManifoldOptions,
) -> Option<Real> {
    let bound = last_bound(shapes[0], poses[0], shapes[1], poses[1], cache)?;
    (bound > options.checked().margin + slop(shapes, poses)).then_some(bound)
}

/// What of a distance is rounding.
fn slop(shapes: [&Shape; 2], poses: [&Pose; 2]) -> Real {
    let between = poses[1].translation() - poses[0].translation();
    CONTACT_SIGMAS * sigma(pair_size(shapes.map(Shape::bounding_radius), between))
}

/// The contact of two bodies along a direction that they need not be nearest along; `whole` says that the points given with it are
/// a contact, too.
pub(crate) fn along(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    near: &Closest,
    options: &ManifoldOptions,
    whole: bool,
) -> Manifold {
    let contact = Contact::new(a, pose_a, b, pose_b, near);
    let chosen = choose(&contact, options, whole, &Names::NONE);
    told(&contact, pose_a, near, &chosen)
}

/// The places of a contact, those of the last frame if they are as good.
fn choose(
    contact: &Contact<'_>,
    options: &ManifoldOptions,
    whole: bool,
    known: &Names,
) -> ArrayVec<Candidate, MAX_POINTS> {
    let mut candidates = Candidates::new();
    let features = match options.method {
        Method::Clip => clip::candidates(contact, known, &mut candidates),
        Method::Perturbed => {
            let (found, features) = perturbed::candidates(contact, options.samples, options.angle);
            candidates.extend(found);
            features
        }
    };
    let mut added = false;
    if whole {
        added = contact.complete(&mut candidates, options.margin, features, !known.is_empty());
    } else {
        candidates.retain(|c| c.depth >= -options.margin - contact.slop);
    }
    let choice = reduce::Choice { count: options.max_points, added, slop: contact.slop, still: contact.still(), known };
    reduce::best(&candidates, &choice)
}

/// The answer in the world, in the order of the features.
fn told(contact: &Contact<'_>, pose_a: &Pose, near: &Closest, chosen: &[Candidate]) -> Manifold {
    let [a, b] = contact.shapes.map(Shape::core);
    let mut order: ArrayVec<(u128, [Feature; 2], usize), MAX_POINTS> = ArrayVec::new();
    for (i, c) in chosen.iter().enumerate().take(MAX_POINTS) {
        let features = c.feature.features(a, b);
        order.push((key(features), features, i));
    }
    order.sort_unstable_by_key(|(key, ..)| *key);
    let world = |&(_, features, i): &(u128, [Feature; 2], usize)| {
        let c = &chosen[i];
        let on_a = pose_a.point(contact.axes * c.at + contact.origin);
        ContactPoint { points: [on_a, on_a - near.normal * c.depth], normal: near.normal, distance: -c.depth, features }
    };
    let points: ContactPoints = order.iter().map(world).collect();
    Manifold { normal: near.normal, distance: -contact.depth, points, end: near.end }
}

/// A number in the order of the features of two convex bodies: cheaper to compare.
fn key(features: [Feature; 2]) -> u128 {
    let of = |feature: Feature| match feature.element {
        Element::Vertex(v) => u64::from(v),
        Element::Edge([v, w]) => 1 << 62 | u64::from(v) << 31 | u64::from(w),
        Element::Face(face) => 2 << 62 | u64::from(face),
        Element::Smooth | Element::Whole => 3 << 62,
    };
    u128::from(of(features[0])) << 64 | u128::from(of(features[1]))
}
