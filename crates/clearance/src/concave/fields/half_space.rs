//! Half-spaces: the signed distance of anything is the height of its lowest point above the plane, exactly, for concave bodies too.

use crate::answer::{Closest, Contact, End, Feature, Witness};
use crate::concave::meeting::Meeting;
use crate::math::{Pose, Real, Vec3, length, narrow, narrow_real, widen, widen_real};
use crate::shape::{Geometry, HalfSpace};
use crate::support::{Support, VertexId};
use crate::tolerance::{FLAT_DIRECTION, sigma};

/// A half-space at its place, and a body.
pub(in crate::concave) struct Below<'b> {
    /// The unit normal in world space.
    pub normal: Vec3,
    pub half_space: &'b HalfSpace,
    pub pose: &'b Pose,
    pub body: Geometry<'b>,
    pub pose_body: &'b Pose,
    pub sigma: Real,
}

impl<'b> Below<'b> {
    pub fn new(half_space: &'b HalfSpace, pose: &'b Pose, body: Geometry<'b>, pose_body: &'b Pose) -> Self {
        let between = (pose_body.translation() - pose.translation()).abs().element_sum();
        let reach = body.bounding_radius();
        let reach = if reach.is_finite() { reach } else { 0.0 };
        let size = reach + between + half_space.offset().abs();
        Self { normal: pose.direction(half_space.normal()), half_space, pose, body, pose_body, sigma: sigma(size) }
    }

    /// How far a point in the frame of the body is above the plane.
    pub fn height(&self, local: Vec3) -> f64 {
        let turn = self.pose_body.matrix();
        let p = widen(local);
        let turned = widen(turn.x_axis) * p.x + widen(turn.y_axis) * p.y + widen(turn.z_axis) * p.z;
        let between = widen(self.pose_body.translation()) - widen(self.pose.translation());
        widen(self.normal).dot(turned + between) - widen_real(self.half_space.offset())
    }

    /// The lowest point of the body in its own frame.
    fn lowest(&self) -> (Vec3, Feature) {
        let down = self.pose_body.direction_to_local(-self.normal);
        match self.body {
            Geometry::Convex(shape) => (shape.support(down, VertexId::NONE).point, Feature::WHOLE),
            Geometry::Mesh(mesh) => {
                let (point, vertex) = mesh.support(down);
                (point, Feature::vertex(vertex))
            }
            Geometry::HeightField(field) => {
                let (point, vertex) = field.support(down);
                (point, Feature::vertex(vertex))
            }
            Geometry::PointCloud(cloud) => {
                let (point, number) = cloud.support(down);
                (point, Feature::vertex(number))
            }
            Geometry::Compound(compound) => {
                let (point, part) = compound.support_part(down);
                (point, Feature::WHOLE.of_part(part))
            }
            Geometry::HalfSpace(other) => (other.normal() * other.offset(), Feature::WHOLE),
        }
    }

    /// The signed distance, with the half-space as A.
    pub fn closest(&self) -> Closest {
        if let Geometry::HalfSpace(other) = self.body
            && length(self.normal + self.pose_body.direction(other.normal())) > FLAT_DIRECTION
        {
            return self.without_end();
        }
        let (lowest, feature) = self.lowest();
        let distance = narrow_real(self.height(lowest));
        let on_body = self.pose_body.point(lowest);
        Closest {
            distance,
            lower: distance - self.sigma,
            upper: distance + self.sigma,
            points: [on_body - self.normal * distance, on_body],
            normal: self.normal,
            features: [Feature::WHOLE, feature],
            contact: Contact::of(distance, distance - self.sigma, self.sigma),
            end: End::Converged,
            iterations: 1,
        }
    }

    /// Half-spaces whose planes are not parallel, or face the same way: no translation separates them.
    fn without_end(&self) -> Closest {
        let point = self.common_point();
        Closest {
            distance: Real::NEG_INFINITY,
            lower: Real::NEG_INFINITY,
            upper: Real::NEG_INFINITY,
            points: [point; 2],
            normal: self.normal,
            features: [Feature::WHOLE; 2],
            contact: Contact::Overlapping,
            end: End::Converged,
            iterations: 1,
        }
    }

    /// A point of two half-spaces that are not opposite each other: below both planes.
    fn common_point(&self) -> Vec3 {
        let Geometry::HalfSpace(other) = self.body else { return Vec3::ZERO };
        let normals = [widen(self.normal), widen(self.pose_body.direction(other.normal()))];
        let origin = widen(self.pose.translation());
        let between = widen(self.pose_body.translation()) - origin;
        let offsets = [widen_real(self.half_space.offset()), widen_real(other.offset()) + normals[1].dot(between)];
        // Along the sum of both normals, which goes down in both as it is followed backwards.
        let down = normals[0] + normals[1];
        let slope = 1.0 + normals[0].dot(normals[1]);
        let on_first = normals[0] * offsets[0];
        let above = f64::max(0.0, normals[1].dot(on_first) - offsets[1]);
        let step = if slope > 0.0 { above / slope } else { 0.0 };
        narrow(origin + on_first - down * step)
    }

    /// Whether they share a point, with the half-space as A.
    pub fn overlap(&self) -> Meeting {
        let near = self.closest();
        let witness = if near.contact == Contact::Apart {
            let offset_a = narrow_real(
                widen(self.normal).dot(widen(self.pose.translation())) + widen_real(self.half_space.offset()),
            );
            Witness::Plane { normal: self.normal, offset_a, offset_b: offset_a + near.distance }
        } else {
            Witness::Point(near.points[1])
        };
        Meeting { contact: near.contact, witness, features: near.features, end: near.end, iterations: 1 }
    }
}

/// The answer seen from the other body.
pub(super) fn swapped(near: Closest) -> Closest {
    let ([p, q], [of_a, of_b]) = (near.points, near.features);
    Closest { points: [q, p], normal: -near.normal, features: [of_b, of_a], ..near }
}

/// The boolean seen from the other body.
pub(super) fn swapped_meeting(found: Meeting) -> Meeting {
    let [of_a, of_b] = found.features;
    let witness = match found.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            Witness::Plane { normal: -normal, offset_a: -offset_b, offset_b: -offset_a }
        }
        Witness::Points([p, q]) => Witness::Points([q, p]),
        other => other,
    };
    Meeting { witness, features: [of_b, of_a], ..found }
}
