//! How bodies are to each other where a cast starts: the contact of an overlap, and a way out of it.

use arrayvec::ArrayVec;

use super::features::{is_curved, of_element};
use super::parts::part_of;
use crate::answer::ContactPoint;
use crate::math::{Aabb, Pose, Real, Vec3};
use crate::mesh_query::{Body, BodyCache, Contact, Near, closest};
use crate::tolerance::{IMPACT_SIGMAS, sigma};

/// Two bodies at rest.
pub(super) struct Resting<'b> {
    pub bodies: [&'b Body; 2],
    pub poses: [&'b Pose; 2],
    pub clearance: Real,
}

impl Resting<'_> {
    pub fn near(&self) -> Near {
        self.near_at(self.poses[1])
    }

    fn near_at(&self, pose_b: &Pose) -> Near {
        closest(self.bodies[0], self.poses[0], self.bodies[1], pose_b, &mut BodyCache::default())
    }

    /// What counts as touching.
    pub fn rounding(&self) -> Real {
        let between = (self.poses[1].translation() - self.poses[0].translation()).abs().element_sum();
        IMPACT_SIGMAS * sigma(self.bodies[0].bounding_radius() + self.bodies[1].bounding_radius() + between)
    }

    /// The nearest or deepest place of the bodies as a contact.
    pub fn contact(&self, near: &Near) -> ContactPoint {
        let features = [0, 1].map(|side| {
            let element = near.elements[side];
            let curved = part_of(self.bodies[side], element.part).is_some_and(|body| is_curved(&body));
            of_element(element, curved, element.part)
        });
        let (points, normal, distance) = (near.closest.points, near.closest.normal, near.closest.distance);
        ContactPoint { points, normal, distance, features }
    }

    /// A translation of B after which the bodies do not overlap: along the normal of the deepest place, one found elsewhere, or out of
    /// A's box.
    pub fn way_out(&self, near: &Near, found: Option<Vec3>) -> Vec3 {
        let ([a, b], [pose_a, pose_b]) = (self.bodies, self.poses);
        if matches!(a, Body::Mesh(mesh) if mesh.is_room()) || matches!(b, Body::Mesh(mesh) if mesh.is_room()) {
            // Distances do not see the rock about a room.
            return found.unwrap_or(Vec3::ZERO);
        }
        let (around_a, around_b) = (a.aabb(pose_a), b.aabb(pose_b));
        let margin = Vec3::splat(self.clearance);
        let (up, down) = (around_a.max - around_b.min + margin, around_b.max - around_a.min + margin);
        let mut tries = ArrayVec::<Vec3, 8>::new();
        tries.push(near.closest.normal * (self.clearance - near.closest.distance).max(0.0));
        tries.extend(found);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            tries.extend([axis * axis.dot(up), -axis * axis.dot(down)]);
        }
        tries.sort_by(|a, b| a.length().total_cmp(&b.length()));
        // Out of the box is out, but for the rounding of the place.
        let last = tries.last().copied().unwrap_or_default();
        tries.into_iter().find(|by| self.is_free_after(*by)).unwrap_or(last)
    }

    fn is_free_after(&self, by: Vec3) -> bool {
        let pose = self.poses[1];
        Pose::new(pose.translation() + by, pose.rotation().to_array()).is_ok_and(|moved| {
            let near = self.near_at(&moved);
            let above = near.closest.distance - self.clearance;
            above >= -self.rounding() && (self.clearance > 0.0 || near.contact != Contact::Overlapping)
        })
    }
}

/// Whether boxes are within a distance of each other.
pub(super) fn are_near(a: &Aabb, b: &Aabb, distance: Real) -> bool {
    let by = Vec3::splat(distance);
    Aabb { min: a.min - by, max: a.max + by }.overlaps(b)
}
