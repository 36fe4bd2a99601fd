//! How bodies are to each other where a cast starts: the contact of an overlap, and a way out of it.

use arrayvec::ArrayVec;

use super::features::of_distance;
use crate::answer::{Closest, Contact, ContactPoint};
use crate::concave::{BodyCache, closest};
use crate::math::{Pose, Real, Vec3, length};
use crate::shape::Geometry;
use crate::tolerance::{IMPACT_SIGMAS, sigma};

/// Two bodies at rest.
pub(super) struct Resting<'b> {
    pub bodies: [Geometry<'b>; 2],
    pub poses: [&'b Pose; 2],
    pub clearance: Real,
}

impl Resting<'_> {
    pub fn near(&self) -> Closest {
        self.near_at(self.poses[1])
    }

    fn near_at(&self, pose_b: &Pose) -> Closest {
        closest(self.bodies[0], self.poses[0], self.bodies[1], pose_b, &mut BodyCache::default())
    }

    /// What counts as touching.
    pub fn rounding(&self) -> Real {
        let between = (self.poses[1].translation() - self.poses[0].translation()).abs().element_sum();
        IMPACT_SIGMAS * sigma(size(self.bodies) + between)
    }

    /// The nearest or deepest place of the bodies as a contact.
    pub fn contact(&self, near: &Closest) -> ContactPoint {
        let features = [0, 1].map(|side| of_distance(self.bodies[side], near.features[side]));
        ContactPoint { points: near.points, normal: near.normal, distance: near.distance, features }
    }

    /// A translation of B after which the bodies do not overlap: along the normal of the deepest place, one found elsewhere, or out of
    /// A's box.
    pub fn way_out(&self, near: &Closest, found: Option<Vec3>) -> Vec3 {
        let ([a, b], [pose_a, pose_b]) = (self.bodies, self.poses);
        if [a, b].iter().any(|body| matches!(body, Geometry::Mesh(mesh) if mesh.is_room())) {
            // Distances do not see the rock about a room.
            return found.unwrap_or(Vec3::ZERO);
        }
        let (around_a, around_b) = (a.aabb(pose_a), b.aabb(pose_b));
        let margin = Vec3::splat(self.clearance);
        let (up, down) = (around_a.max - around_b.min + margin, around_b.max - around_a.min + margin);
        let mut tries = ArrayVec::<Vec3, 8>::new();
        tries.push(near.normal * (self.clearance - near.distance).max(0.0));
        tries.extend(found);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            tries.extend([axis * axis.dot(up), -axis * axis.dot(down)]);
        }
        tries.retain(|by| by.is_finite());
        tries.sort_by(|a, b| a.length().total_cmp(&b.length()));
        // Out of the box is out, but for the rounding of the place.
        let last = tries.last().copied().unwrap_or_default();
        tries.into_iter().find(|by| self.is_free_after(*by)).unwrap_or(last)
    }

    fn is_free_after(&self, by: Vec3) -> bool {
        let pose = self.poses[1];
        Pose::new(pose.translation() + by, pose.rotation().to_array()).is_ok_and(|moved| {
            let near = self.near_at(&moved);
            let above = near.distance - self.clearance;
            above >= -self.rounding() && (self.clearance > 0.0 || near.contact != Contact::Overlapping)
        })
    }
}

/// The sum of the bodies' radii; a half-space has none.
pub(super) fn size(bodies: [Geometry<'_>; 2]) -> Real {
    bodies.map(|body| body.bounding_radius()).into_iter().filter(|radius| radius.is_finite()).sum()
}

/// Whether bodies may be within a distance of each other, by their balls and then by their boxes, which take supports.
pub(super) fn may_be_near([a, b]: [Geometry<'_>; 2], [pose_a, pose_b]: [&Pose; 2], distance: Real) -> bool {
    let between = length(pose_b.translation() - pose_a.translation());
    let reach = a.bounding_radius() + b.bounding_radius();
    // Room for the rounding of both.
    let apart = between - reach - sigma(between + reach);
    !(apart > distance) && a.aabb(pose_a).grown(distance).overlaps(&b.aabb(pose_b))
}
