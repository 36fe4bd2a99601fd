//! Contacts as they are found, and as they are told.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::answer::{Closest, End, Feature};
use crate::math::{Real, Vec3, narrow, narrow_real, widen_real};

/// The most regions of a contact.
pub const REGIONS: usize = 16;
/// How many times deeper than the depth of the bodies a contact along the normal of a face may be.
pub(super) const DEEPER: Real = 4.0;
/// The most points of a region.
pub const REGION_POINTS: usize = 8;

/// What to ask of [`manifold`](super::manifold()).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BodyManifoldOptions {
    /// At most so many points for each region, from 1 to [`REGION_POINTS`].
    pub max_points: usize,
    /// What is up to this far apart counts as in contact; its points have negative depths.
    pub margin: Real,
}

impl Default for BodyManifoldOptions {
    fn default() -> Self {
        Self { max_points: 4, margin: 0.0 }
    }
}

/// One place of contact, in world space: `on_b − on_a = −depth · normal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// On A.
    pub on_a: Vec3,
    /// On B.
    pub on_b: Vec3,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// How far the surfaces have passed each other here along the normal; negative if they have not met.
    pub depth: Real,
    /// The pieces that are in contact.
    pub features: [Feature; 2],
}

impl BodyContact {
    /// The place that `closest` names.
    pub(super) fn of(near: &Closest) -> Self {
        let (on_a, normal, depth) = (near.points[0], near.normal, -near.distance);
        Self { on_a, on_b: on_a - normal * depth, normal, depth, features: near.features }
    }
}

/// The contact of two bodies of any shape.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyManifold {
    /// The contacts, region after region, in the order of their features, which stays from frame to frame.
    pub contacts: ArrayVec<BodyContact, { REGIONS * REGION_POINTS }>,
    /// How it ended.
    pub end: End,
}

impl BodyManifold {
    /// No contacts.
    #[inline]
    pub(crate) fn none() -> Self {
        Self { contacts: ArrayVec::new(), end: End::Converged }
    }
}

/// How near and how deep a contact may be, and what is rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub margin: f64,
    pub deepest: f64,
    pub slop: f64,
}

impl Limits {
    /// For bodies that are so near. The depth is that of single pieces, which are left sideways if they are small: the whole may be a
    /// few times as deep, and of bodies at rest whose outlines coincide deeper by what they jitter (`still`).
    pub fn of([distance, lower]: [Real; 2], margin: Real, slop: Real, still: Real) -> Self {
        let depth = Real::max(0.0, -distance);
        let deepest = Real::max(depth, Real::min(-lower, DEEPER * depth + still)) + slop;
        Self { margin: widen_real(margin), deepest: widen_real(deepest), slop: widen_real(slop) }
    }

    /// How far the two points of a contact may be apart at most.
    pub fn farthest(&self) -> f64 {
        self.deepest.max(self.margin) + 2.0 * self.slop
    }

    pub fn accepts(&self, depth: f64) -> bool {
        depth >= -self.margin - self.slop && depth <= self.deepest
    }
}

/// A contact in world space, in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub on_a: DVec3,
    pub normal: DVec3,
    pub depth: f64,
    pub features: [Feature; 2],
}

impl Found {
    pub fn contact(&self) -> BodyContact {
        let on_a = narrow(self.on_a);
        let (normal, depth) = (narrow(self.normal), narrow_real(self.depth));
        BodyContact { on_a, on_b: on_a - normal * depth, normal, depth, features: self.features }
    }
}
