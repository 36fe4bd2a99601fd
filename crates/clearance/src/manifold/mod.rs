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
//! Invariants: `on_b − on_a = −depth · normal` by construction; no point is deeper than the upper bound of the depth; one point is
//! as deep as the whole, since the points of `closest` join the others when no other reaches their depth.
//! It ends: every loop runs over corners of features, of which there are at most `CORNERS`; nothing is allocated.

mod clip;
mod outline;
mod patch;
mod perturbed;
mod reduce;

use arrayvec::ArrayVec;

use crate::answer::{ContactPoint, Manifold};
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow::{Closest, PairCache, closest};
use crate::narrow::{Label, Labels};
use crate::shape::Shape;
use crate::tolerance::{CONTACT_SIGMAS, FLAT_DIRECTION, PERTURBATION, RELATIVE_DEPTH_GAP, sigma};

/// The most points a manifold holds.
pub const MAX_POINTS: usize = 16;

/// The most corners of one feature; a face with more is thinned.
const CORNERS: usize = 32;

/// Two convex outlines of so many corners meet in one of at most their sum; and the point of `closest`.
const CANDIDATES: usize = 2 * CORNERS + 1;

/// How the contact points are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Method {
    /// Cut the contact features against each other.
    #[default]
    Clip,
    /// The thesis's perturbed sampling: every point gets the depth of the whole.
    Perturbed,
}

/// What to ask of [`manifold`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ManifoldOptions {
    /// How the points are found.
    pub method: Method,
    /// At most so many points, from 1 to [`MAX_POINTS`].
    pub max_points: usize,
    /// Bodies up to this far apart count as in contact; their points have negative depths.
    pub margin: Real,
    /// Samples per body of [`Method::Perturbed`], from 3 to 32.
    pub samples: usize,
    /// The angle (radians) by which [`Method::Perturbed`] turns the normal, up to a half.
    pub angle: Real,
}

impl Default for ManifoldOptions {
    fn default() -> Self {
        Self { method: Method::Clip, max_points: 4, margin: 0.0, samples: 8, angle: PERTURBATION }
    }
}

impl ManifoldOptions {
    /// Numbers out of range, NaN among them, become the nearest that make sense.
    fn checked(&self) -> Self {
        Self {
            method: self.method,
            max_points: self.max_points.clamp(1, MAX_POINTS),
            margin: self.margin.max(0.0),
            samples: self.samples.clamp(3, CORNERS),
            angle: if self.angle > FLAT_DIRECTION { self.angle.min(0.5) } else { PERTURBATION },
        }
    }
}

/// A contact place in the contact frame: a point of A, and how far below it (along z) B's is.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    at: Vec3,
    depth: Real,
    feature: Labels,
}

type Candidates = ArrayVec<Candidate, CANDIDATES>;

/// Pushes if there is room, which there is by the count of corners.
fn add<T, const N: usize>(list: &mut ArrayVec<T, N>, item: T) {
    let pushed = list.try_push(item).is_ok();
    debug_assert!(pushed, "more corners than counted");
}

/// The rigid map from a body's frame to the contact frame.
#[derive(Debug, Clone, Copy)]
struct Placement {
    rotation: Mat3,
    translation: Vec3,
}

impl Placement {
    fn point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }
}

/// Lengths below this are rounding.
fn slop(a: &Shape, b: &Shape, b_in_a: &Pose) -> Real {
    CONTACT_SIGMAS * sigma(a.bounding_radius() + b.bounding_radius() + b_in_a.translation().abs().element_sum())
}

/// Two bodies with the answer of `closest`, seen from the contact frame.
struct Contact<'a> {
    shapes: [&'a Shape; 2],
    /// Unit directions toward the other body, each in its body's frame.
    toward: [Vec3; 2],
    placements: [Placement; 2],
    /// The contact frame's axes in A's frame and its origin there.
    axes: Mat3,
    origin: Vec3,
    depth: Real,
    /// Lengths below this are rounding.
    slop: Real,
}

impl<'a> Contact<'a> {
    fn new(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose, near: &Closest) -> Self {
        let b_in_a = pose_b.relative_to(pose_a);
        let normal = pose_a.direction_to_local(near.normal);
        let across = normal.any_orthonormal_vector();
        let axes = Mat3::from_cols(across, normal.cross(across), normal);
        let middle = near.points[0] + (near.points[1] - near.points[0]) / 2.0;
        let origin = pose_a.point_to_local(middle);
        let back = axes.transpose();
        Self {
            shapes: [a, b],
            toward: [normal, -b_in_a.direction_to_local(normal)],
            placements: [
                Placement { rotation: back, translation: -(back * origin) },
                Placement { rotation: back * b_in_a.matrix(), translation: back * (b_in_a.translation() - origin) },
            ],
            axes,
            origin,
            depth: -near.distance,
            slop: slop(a, b, &b_in_a),
        }
    }

    /// Drops the points that have not met, and adds that of `closest` if no other is as deep; whether it was added.
    fn complete(&self, candidates: &mut Candidates, margin: Real, whole: Labels) -> bool {
        candidates.retain(|c| c.depth >= -margin - self.slop);
        let deepest = candidates.iter().map(|c| c.depth).fold(Real::NEG_INFINITY, Real::max);
        let missing = !(deepest >= self.depth - self.slop - RELATIVE_DEPTH_GAP * self.depth.abs());
        if missing {
            let at = Vec3::new(0.0, 0.0, self.depth / 2.0);
            add(candidates, Candidate { at, depth: self.depth, feature: whole });
        }
        missing
    }
}

/// The contact of two bodies, or nothing if they are farther apart than `options.margin`.
///
/// ```
/// use clearance::{ManifoldOptions, PairCache, Pose, Shape, manifold};
/// let (table, mug) = (Shape::cuboid([2.0, 1.0, 0.5])?, Shape::cylinder(0.5, 0.3)?);
/// let pose = Pose::from_translation([0.0, 0.0, 0.99])?; // a hundredth into the table
/// let mut cache = PairCache::default();
/// let contact = manifold(&table, &Pose::IDENTITY, &mug, &pose, &mut cache, &ManifoldOptions::default());
/// let contact = contact.ok_or("the mug stands on the table")?;
/// assert!((contact.distance + 0.01).abs() < 1e-9 && contact.normal.z > 0.999);
/// assert_eq!(contact.points.len(), 4);
/// for point in &contact.points {
///     assert!((point.points[0].z - 0.5).abs() < 1e-9 && (point.points[1].z - 0.49).abs() < 1e-9);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn manifold(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
    options: &ManifoldOptions,
) -> Option<Manifold> {
    let options = options.checked();
    let near = closest(a, pose_a, b, pose_b, cache);
    let slop = slop(a, b, &pose_b.relative_to(pose_a));
    if !(near.lower <= options.margin && near.distance <= options.margin + slop) {
        return None;
    }
    Some(along(a, pose_a, b, pose_b, &near, &options, true))
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
    let (mut candidates, feature) = match options.method {
        Method::Clip => clip::candidates(&contact),
        Method::Perturbed => perturbed::candidates(&contact, options.samples, options.angle),
    };
    let mut added = false;
    if whole {
        added = contact.complete(&mut candidates, options.margin, feature);
    } else {
        candidates.retain(|c| c.depth >= -options.margin - contact.slop);
    }
    let chosen = reduce::best(&candidates, added, options.max_points, contact.slop);
    let world = |c: Candidate| {
        let on_a = pose_a.point(contact.axes * c.at + contact.origin);
        ContactPoint {
            points: [on_a, on_a - near.normal * c.depth],
            normal: near.normal,
            distance: -c.depth,
            features: c.feature.features(a.core(), b.core()),
        }
    };
    Manifold {
        normal: near.normal,
        distance: -contact.depth,
        points: chosen.into_iter().map(world).collect(),
        end: near.end,
    }
}
