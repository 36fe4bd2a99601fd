//! The contacts of a mesh and a convex shape, triangle by triangle.

use glam::DVec3;

use super::found::{Found, Limits, REGION_POINTS};
use crate::answer::Feature;
use crate::answer::Manifold;
use crate::bvh::{Frame, OrientedBox};
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::manifold::{ManifoldOptions, along};
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::{Closest, End, PairCache, closest};
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::EDGE_WEDGE;

/// Gives every contact, from the mesh to the shape, with its face.
pub(super) fn contacts(
    mesh: &Mesh,
    pose_mesh: &Pose,
    shape: &Shape,
    pose_shape: &Pose,
    limits: &Limits,
    end: &mut End,
    mut add: impl FnMut(Found, u32),
) {
    let frame = Frame::of(pose_shape, pose_mesh);
    let bounds = OrientedBox::from_aabb(&shape.aabb(&Pose::IDENTITY));
    let pair = Pair { mesh, pose_mesh, shape, pose_shape, limits };
    let mut tested = 0;
    mesh.tree().descend(
        |id, _| mesh.oriented_boxes().get(id).separation(&bounds, &frame) <= limits.margin + limits.slop,
        |triangle| {
            tested += 1;
            if tested <= CONTACT_PAIRS {
                pair.triangle(triangle, &mut |found| add(found, mesh.given_face(triangle)));
            }
        },
    );
    if tested > CONTACT_PAIRS {
        *end = End::IterationLimit;
    }
}

struct Pair<'m> {
    mesh: &'m Mesh,
    pose_mesh: &'m Pose,
    shape: &'m Shape,
    pose_shape: &'m Pose,
    limits: &'m Limits,
}

const NOWHERE: [Feature; 2] = [Feature::WHOLE; 2];

impl Pair<'_> {
    fn triangle(&self, triangle: u32, add: &mut impl FnMut(Found)) {
        let face = Shape::sharp(Core::Triangle(self.mesh.triangle(triangle).0));
        let near = closest(&face, self.pose_mesh, self.shape, self.pose_shape, &mut PairCache::default());
        if !self.limits.accepts(-widen_real(near.distance)) && !(near.distance < 0.0) {
            return;
        }
        let normal = Prepared::new(self.mesh.wide_triangle(triangle)).normal.try_normalize();
        let outward = normal.map(|normal| self.outward(narrow(normal), triangle));
        if self.ends(widen(near.points[0]), widen(near.normal)) {
            return self.give(&face, &near, true, add);
        }
        // The way out leads along the surface: what counts is how deep the shape is behind the face.
        let Some(out) = outward else { return };
        let reach = self.shape.support(self.pose_shape.direction_to_local(-out), VertexId::NONE).point;
        let (on_b, corner) = (self.pose_shape.point(reach), self.pose_mesh.point(self.mesh.triangle(triangle).0[0]));
        let distance = (on_b - corner).dot(out);
        let over = Closest { distance, points: [on_b - out * distance, on_b], normal: out, ..near };
        if self.limits.accepts(-widen_real(distance)) {
            self.give(&face, &over, false, add);
        }
    }

    /// The direction out of the solid, or to the side of the surface that the shape is on, in world space.
    fn outward(&self, normal: Vec3, triangle: u32) -> Vec3 {
        let out = self.pose_mesh.direction(normal);
        if self.mesh.is_solid() {
            return out;
        }
        let bounds = self.shape.aabb(self.pose_shape);
        let corner = self.pose_mesh.point(self.mesh.triangle(triangle).0[0]);
        if (bounds.center() - corner).dot(out) < 0.0 { -out } else { out }
    }

    fn give(&self, face: &Shape, near: &Closest, whole: bool, add: &mut impl FnMut(Found)) {
        let options = ManifoldOptions {
            max_points: REGION_POINTS,
            margin: narrow_real(self.limits.margin),
            ..ManifoldOptions::default()
        };
        let Manifold { points, normal, .. } =
            along(face, self.pose_mesh, self.shape, self.pose_shape, near, &options, whole);
        for point in &points {
            let depth = widen_real(point.depth());
            add(Found { on_a: widen(point.points[0]), normal: widen(normal), depth, features: NOWHERE });
        }
    }

    /// Whether the mesh around a point of it, in world space, ends there along a direction, and not with what is behind it.
    fn ends(&self, point: DVec3, direction: DVec3) -> bool {
        let local = widen(self.pose_mesh.point_to_local(narrow(point)));
        let along = widen(self.pose_mesh.direction_to_local(narrow(direction)));
        let slop = self.limits.slop;
        let (mut ends, mut faces) = (true, !self.mesh.is_solid());
        self.mesh.tree().descend(
            |_, bounds| {
                let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
                (low - local).max(local - high).max_element() <= slop
            },
            |triangle| {
                let t = Prepared::new(self.mesh.wide_triangle(triangle));
                if foot(&t, local).distance(local) <= slop {
                    let rises = |corner: DVec3| along.dot(corner - local) > slop + EDGE_WEDGE * corner.distance(local);
                    ends &= !t.corners.into_iter().any(rises);
                    faces |= t.normal.normalize_or_zero().dot(along) > EDGE_WEDGE;
                }
            },
        );
        ends && faces
    }
}
