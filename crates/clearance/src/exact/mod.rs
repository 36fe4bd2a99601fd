//! Exact answers for bodies with flat faces: apart, touching or overlapping without any tolerance, and the exact distance.
//!
//! **What is exact.** The answer is that for the numbers as given: each vertex as stored, moved by the pose as stored, `matrix · vertex +
//! translation`, without rounding. The rotation is the nine numbers of [`Pose::matrix`]. [`Pose::new`] makes them of a quaternion once, in
//! floating point: it is brought to unit length, and the matrix is glam's `DMat3::from_quat` of that, rounded to the precision; both round.
//! So a matrix is a rotation to rounding only, and a body under it is the image of that linear map. Identities and quarter turns given as (0, 0, 1, 0) and the like have
//! exact matrices; `sqrt(0.5)` is not a number of the machine, and a quarter turn about z made of it is off by rounding, which exact
//! answers see. Parts of a compound are moved by their own pose first and then by that of the compound, both without rounding; the parts of
//! a compound in a compound have the pose that was computed for them, with rounding, when the outer one was made.
//!
//! **What is meant.** Bodies are closed: their surface belongs to them.
//! - [`Contact::Apart`]: they have no point in common.
//! - [`Contact::Overlapping`]: a point of one is in the interior of the other. For two solids: their interiors meet.
//! - [`Contact::Touching`]: they have points in common, and none of these is in the interior of either.
//!
//! So nested and coincident solids overlap, and solids that share a face, an edge or a vertex only touch. A sheet (a triangle, a
//! rectangle, a segment, a point, a mesh that is a surface or a room) has no interior: it overlaps a solid that it enters, and two sheets
//! touch at most, however they cross. A solid mesh has its triangles for a surface, also where two of its parts rest on each other, and
//! a compound is taken part by part: a sheet that lies in a face between two parts touches them.
//!
//! **How.** First the ordinary [`closest`](crate::closest()) is asked: bounds that leave no doubt are the answer, at its cost. What is left is
//! decided in integers of any size, which allocate. That is for pairs within a few rounding errors of touching, for sheets that meet, and for
//! [`distance`]; it takes from tens of microseconds for two boxes to milliseconds for meshes.

mod cells;
mod certificate;
mod distance;
mod error;
mod nearest;
mod solid;
mod surfaces;
mod vector;
mod winding;

use crate::answer::{Closest, Contact, Witness};
use crate::concave;
use crate::math::integer::{Int, power_of_two};
use crate::math::{Pose, Real, Vec3, widen_real};
use crate::shape::BodyRef;
use crate::tolerance::{EXACT_ROUGHNESS, TOUCHING_SIGMAS, sigma};
use crate::verbs::{Cache, closest, overlap, project};
use solid::{Scene, Solid};
use surfaces::Surfaces;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub use certificate::certify_unchecked;
pub use certificate::{Certificate, NotCertified, Refused, certify, certify_cast, certify_within};
pub use distance::Distance;
pub use error::NotExact;

/// Whether two bodies with flat faces are apart, touch or overlap, exactly; see the [module](self) for what that means.
///
/// # Errors
/// If a body is curved, rounded or padded, a field, or a combined shape whose faces are not known.
///
/// ```
/// use clearance::{Cache, Contact, Pose, Shape, exact};
/// let (cube, mut cache) = (Shape::cuboid([1.0, 1.0, 1.0])?, Cache::default());
/// let mut contact = |x| {
///     let pose = Pose::from_translation([x, 2.0, 0.0])?;
///     Ok::<_, Box<dyn std::error::Error>>(exact::contact(&cube, &Pose::IDENTITY, &cube, &pose, &mut cache)?)
/// };
/// assert_eq!(contact(2.0)?, Contact::Touching); // along an edge
/// assert_eq!(contact(clearance::Real::next_up(2.0))?, Contact::Apart);
/// assert!(exact::contact(&cube, &Pose::IDENTITY, &Shape::sphere(1.0)?, &Pose::IDENTITY, &mut cache).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Solids of any shape, and sheets, are asked the same way:
///
/// ```
/// use clearance::{Cache, Contact, Mesh, Pose, Shape, Vec3, exact};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let sheet = Shape::rectangle([4.0, 4.0])?;
/// let mut cache = Cache::default();
/// let on_top = Pose::from_translation([0.0, 0.0, 1.0])?;
/// assert_eq!(exact::contact(&mesh, &Pose::IDENTITY, &sheet, &on_top, &mut cache)?, Contact::Touching);
/// let through = Pose::from_translation([0.0, 0.0, 0.5])?;
/// assert_eq!(exact::contact(&mesh, &Pose::IDENTITY, &sheet, &through, &mut cache)?, Contact::Overlapping);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Result<Contact, NotExact> {
    let (a, b) = (a.into(), b.into());
    let convex = [solid::check(&a, 'A')?, solid::check(&b, 'B')?];
    let (near, margin) = filtered(&a, pose_a, &b, pose_b, cache);
    if near.lower > margin {
        return Ok(Contact::Apart);
    }
    // What is deep in a convex solid is inside of it. A closed mesh may have places that enclose nothing, and sheets never do.
    let mut is_deep = || convex.contains(&true) || shares_a_ball(&near, [&a, &b], [pose_a, pose_b], margin, cache);
    if near.upper < -margin && is_deep() {
        return Ok(Contact::Overlapping);
    }
    decided(&a, pose_a, &b, pose_b)
}

/// The exact distance of two bodies with flat faces; zero if they have a point in common.
///
/// # Errors
/// If a body is curved, rounded or padded, a field, or a combined shape whose faces are not known.
///
/// ```
/// use clearance::{Cache, Pose, Shape, exact};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([3.0, 3.0, 3.0])?;
/// let distance = exact::distance(&cube, &Pose::IDENTITY, &cube, &pose, &mut Cache::default())?;
/// assert_eq!(distance.square_bounds(), [3.0, 3.0]);
/// let [below, above] = distance.bounds();
/// assert!(below < above && below.next_up() == above && below <= 3f64.sqrt() && 3f64.sqrt() <= above);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Result<Distance, NotExact> {
    let (a, b) = (a.into(), b.into());
    solid::check(&a, 'A')?;
    solid::check(&b, 'B')?;
    let (near, margin) = filtered(&a, pose_a, &b, pose_b, cache);
    if near.upper < -margin {
        return Ok(Distance::zero());
    }
    let scene = Scene::new([&a, &b], [pose_a, pose_b])?;
    let bound = widen_real(near.upper.max(0.0)) + widen_real(margin);
    Ok(least(&scene, bound))
}

/// The ordinary answer, and how much more than its bounds must be for it to be certain: its errors are counted in the same units, and
/// this is several of them, because a stored matrix is a rotation to a few of them only.
#[inline]
fn filtered(a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose, cache: &mut Cache) -> (Closest, Real) {
    let near = closest(a.geometry(), pose_a, b.geometry(), pose_b, cache);
    (near, TOUCHING_SIGMAS * sigma(concave::pair_size(a.geometry(), pose_a, b.geometry(), pose_b)))
}

/// Whether a ball of a radius is inside of one body and has a point of the other in it: at one of some places around their deepest
/// points, or a little behind both surfaces at a point where these cross. Radii are more than rounding.
fn shares_a_ball(
    near: &Closest,
    [a, b]: [&BodyRef<'_>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    radius: Real,
    cache: &mut Cache,
) -> bool {
    if solid::has_room(a) || solid::has_room(b) {
        return false;
    }
    let seen = |body: &BodyRef<'_>, pose: &Pose, at| project(body.geometry(), pose, at, &mut Cache::default());
    let holds = |at: Vec3| {
        let of_a = seen(a, pose_a, at).upper;
        let of_b = if of_a < 0.5 * radius { seen(b, pose_b, at).upper } else { Real::INFINITY };
        of_a.max(of_b) < 0.5 * radius && of_a.min(of_b) < -radius
    };
    let [p, q] = near.points;
    if [0.5, 0.0, 1.0].into_iter().any(|share: Real| holds(p + (q - p) * share)) {
        return true;
    }
    let Witness::Point(common) = overlap(a.geometry(), pose_a, b.geometry(), pose_b, cache).witness else {
        return false;
    };
    let inward = -(seen(a, pose_a, common).normal + seen(b, pose_b, common).normal);
    [16.0, 256.0, 65536.0].into_iter().any(|steps: Real| holds(common + inward * (steps * radius)))
}

/// The same as [`contact`] without its filter, for tests.
///
/// # Errors
/// As [`contact`].
#[cfg(feature = "internals")]
#[doc(hidden)]
pub fn in_integers(a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose) -> Result<Contact, NotExact> {
    decided(a, pose_a, b, pose_b)
}

#[cold]
fn decided(a: &BodyRef<'_>, pose_a: &Pose, b: &BodyRef<'_>, pose_b: &Pose) -> Result<Contact, NotExact> {
    let scene = Scene::new([a, b], [pose_a, pose_b])?;
    let mut found = Contact::Apart;
    for [a, b] in pairs(&scene) {
        match of_parts(a, b, scene.scale) {
            Contact::Overlapping => return Ok(Contact::Overlapping),
            Contact::Touching => found = Contact::Touching,
            Contact::Apart => {}
        }
    }
    Ok(found)
}

fn pairs(scene: &Scene) -> impl Iterator<Item = [&Solid; 2]> {
    let [of_a, of_b] = &scene.parts;
    of_a.iter().flat_map(move |a| of_b.iter().map(move |b| [a, b]))
}

/// How far the boxes of two parts are apart at least, in units of the scale; not positive if they may meet.
fn gap(a: &Solid, b: &Solid) -> f64 {
    let bounds = |part: &Solid| {
        let nothing = [glam::DVec3::INFINITY, glam::DVec3::NEG_INFINITY];
        part.rough.iter().fold(nothing, |[low, high], &p| [low.min(p), high.max(p)])
    };
    let ([low_a, high_a], [low_b, high_b]) = (bounds(a), bounds(b));
    (low_a - high_b).max(low_b - high_a).max_element() - EXACT_ROUGHNESS
}

fn of_parts(a: &Solid, b: &Solid, scale: u64) -> Contact {
    if gap(a, b) > 0.0 {
        return Contact::Apart;
    }
    if !(a.convex && b.convex) {
        return Surfaces { bodies: [a, b], scale }.contact();
    }
    if !square_between(a, b)[0].is_zero() {
        return Contact::Apart;
    }
    if nearest::enters(a.cloud(), b.cloud()) { Contact::Overlapping } else { Contact::Touching }
}

fn square_between(a: &Solid, b: &Solid) -> [Int; 2] {
    let [from, to] = [a, b].map(|part| part.points.first().cloned().unwrap_or_default());
    nearest::square_distance(a.cloud(), b.cloud(), &to.minus(&from))
}

/// The least distance of two parts; `bound` is not less than it.
fn least(scene: &Scene, bound: f64) -> Distance {
    let units = bound * power_of_two(-i64::from(scene.power) - scene.scale as i64);
    let bound = units * (1.0 + EXACT_ROUGHNESS);
    let near = pairs(scene).filter(|[a, b]| gap(a, b) <= bound).filter_map(|[a, b]| {
        let square = if a.convex && b.convex {
            Some(square_between(a, b))
        } else {
            Surfaces { bodies: [a, b], scale: scene.scale }.square_distance(bound)
        };
        square.map(|square| Distance::new(square, scene.power))
    });
    near.reduce(|old, new| if new.is_less(&old) { new } else { old }).unwrap_or_else(Distance::zero)
}
