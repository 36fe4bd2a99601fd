//! What a world keeps of one body.

use super::body::Group;
use super::id::BodyId;
use super::schedule::Envelope;
use crate::broad::BoxTracker;
use crate::math::{Aabb, Pose, Quat, Real, Vec3};
use crate::shape::{Body, BodyRef, Core};
use crate::tolerance::{REACH_ERROR, sigma};

/// A ball around a body: all that is read of most pairs. The balls of all bodies are a table of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: Real,
}

impl Ball {
    pub const NONE: Self = Self { center: Vec3::ZERO, radius: 0.0 };
}

/// The place of a body, in use if there is a body. In the order in which a frame reads it: what every frame needs is in the first
/// lines of memory.
#[derive(Debug, Clone)]
#[repr(C)]
pub(super) struct Slot {
    pub generation: u32,
    pub group: Group,
    pub is_fixed: bool,
    pub is_convex: bool,
    /// The last frame whose step must follow the body, because it is new, has moved or has other rules.
    pub listed: u64,
    /// The body, its margin included.
    pub body: Option<Body>,
    pub pose: Pose,
    /// How far the box reaches beyond the body.
    pub reach: Real,
    tracker: BoxTracker,
    /// The radius about the origin.
    pub radius: Real,
    /// Of a body that is not a convex shape.
    extent: Option<Box<Extent>>,
    pub envelope: Option<Envelope>,
    /// The pose of the last step.
    pub previous: Pose,
    /// The generation of the last step: its pairs are of that body.
    pub seen: u32,
    /// The frame in which the body is looked at first.
    pub born: u64,
}

/// The local box of a body that is not a convex shape, and a ball around the body.
#[derive(Debug, Clone, Copy)]
struct Extent {
    middle: Vec3,
    half: Vec3,
    center: Vec3,
    radius: Real,
}

impl Extent {
    /// A mesh may be far from its local origin: the ball is that about the middle of the box where it is the smaller one.
    fn of(body: &Body) -> Self {
        let bounds = body.aabb(&Pose::IDENTITY);
        let (middle, half) = (bounds.center(), bounds.half_extents());
        let (radius, about_origin) = (half.length() * (1.0 + REACH_ERROR), body.bounding_radius());
        let (center, radius) = if radius < about_origin { (middle, radius) } else { (Vec3::ZERO, about_origin) };
        Self { middle, half, center, radius }
    }
}

impl Slot {
    pub const EMPTY: Self = Self {
        body: None,
        pose: Pose::IDENTITY,
        generation: 0,
        group: Group::FIRST,
        is_fixed: false,
        is_convex: true,
        listed: 0,
        tracker: BoxTracker::DYNAMIC,
        reach: 0.0,
        radius: 0.0,
        extent: None,
        envelope: None,
        previous: Pose::IDENTITY,
        seen: 0,
        born: 0,
    };

    /// A place for the body; generations and lists are the caller's.
    pub fn new(body: Body, pose: Pose, tracker: Option<BoxTracker>) -> Self {
        let is_convex = matches!(body, Body::Convex(_));
        let automatic = match &body {
            Body::Convex(shape) => match shape.core() {
                Core::Polytope(polytope) if polytope.search().is_climbed() => BoxTracker::Casing,
                _ => BoxTracker::DYNAMIC,
            },
            // The local box turned: looking at all vertices of a mesh would take longer than what it saves.
            _ => BoxTracker::Casing,
        };
        Self {
            pose,
            previous: pose,
            is_convex,
            tracker: tracker.unwrap_or(automatic),
            radius: body.bounding_radius(),
            extent: (!is_convex).then(|| Box::new(Extent::of(&body))),
            body: Some(body),
            ..Self::EMPTY
        }
    }

    #[inline]
    pub fn ball(&self) -> Ball {
        let t = self.pose.translation();
        let Some(Extent { center, radius, .. }) = self.extent.as_deref().copied() else {
            return Ball { center: t, radius: self.radius };
        };
        // The centre of a convex body's ball is its translation, exactly; this one is rounded.
        let error = sigma(t.abs().element_sum() + center.abs().element_sum());
        Ball { center: self.pose.point(center), radius: radius + error }
    }

    /// How far a point of the body moves at most from its pose to another.
    #[inline]
    pub fn travel_to(&self, pose: &Pose) -> Real {
        let turn = turn_between(self.pose.rotation(), pose.rotation());
        // A half-space has no end, and does not turn as long as it only moves along.
        let around = if turn > 0.0 { turn * self.radius } else { 0.0 };
        (pose.translation() - self.pose.translation()).length() + around
    }

    /// The box of the body where it is, with its reach; nothing if there is no body.
    #[inline]
    pub fn follow(&mut self) -> Option<Aabb> {
        let mut tracker = self.tracker;
        let bounds = self.bounds(&mut tracker);
        if tracker != self.tracker {
            self.tracker = tracker;
        }
        bounds
    }

    /// The same, for those who only look.
    pub fn current_box(&self) -> Option<Aabb> {
        let mut tracker = self.tracker;
        self.bounds(&mut tracker)
    }

    #[inline]
    fn bounds(&self, tracker: &mut BoxTracker) -> Option<Aabb> {
        match self.body.as_ref()? {
            Body::Convex(shape) => Some(tracker.aabb_within(shape, &self.pose, self.reach)),
            body => Some(self.bounds_of_any(body, *tracker)),
        }
    }

    fn bounds_of_any(&self, body: &Body, tracker: BoxTracker) -> Aabb {
        if !self.radius.is_finite() {
            // A half-space: its distance from a body far along the plane has a larger error than any margin covers.
            return Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        }
        let matrix = self.pose.matrix();
        let extent = self.extent.as_deref().copied();
        let Extent { middle, half, center, radius } = extent.unwrap_or_else(|| Extent::of(body));
        let around = |middle: Vec3, half: Vec3| Aabb { min: middle - half, max: middle + half }.grown(self.reach);
        let turned = match tracker {
            BoxTracker::Fixed => around(matrix * center, Vec3::splat(radius)),
            BoxTracker::Casing => {
                let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::abs);
                around(matrix * middle, x * half.x + y * half.y + z * half.z)
            }
            BoxTracker::Dynamic(_) => body.aabb(&self.pose.moved_to(Vec3::ZERO)).grown(self.reach),
        };
        // The translation is added last: see `BoxTracker::aabb_within`.
        let t = self.pose.translation();
        Aabb { min: t + turned.min, max: t + turned.max }
    }

    pub fn id(&self, slot: u32) -> BodyId {
        BodyId { slot, generation: self.generation }
    }
}

/// How far a point at a distance of one from the axis moves in the turn from the one rotation to the other: twice the sine of half the angle.
#[inline]
pub(super) fn turn_between(from: Quat, to: Quat) -> Real {
    2.0 * (from.conjugate() * to).xyz().length()
}

/// How far the box of a body reaches beyond it to be met by all that is within twice `reach` of it, rounding included.
pub(super) fn rounded_reach(radius: Real, reach: Real) -> Real {
    reach + (radius + reach) * REACH_ERROR
}

/// The box of a body that is not of the world.
pub(super) fn box_of(body: &BodyRef<'_>, pose: &Pose) -> Aabb {
    let (geometry, padding) = (body.geometry(), body.padding);
    let radius = geometry.bounding_radius() + padding;
    if !radius.is_finite() {
        return Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    }
    let reach = rounded_reach(radius, 0.0) + padding;
    let (t, turned) = (pose.translation(), geometry.aabb(&pose.moved_to(Vec3::ZERO)).grown(reach));
    Aabb { min: t + turned.min, max: t + turned.max }
}
