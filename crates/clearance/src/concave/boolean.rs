//! Whether a mesh and a convex shape have a point in common: no more than that, for worlds in which shapes move over terrain.
//!
//! The triangle that was met last is asked first. Then the tree of the mesh is descended with the box of the shape in the mesh's frame, in
//! single precision and four lanes at a time, and each triangle left is a convex body for the narrow phase, which ends at the first
//! that meets the shape. A shape that meets no triangle is inside of a solid with all its points or with none.

use super::meeting::BodyCache;
use crate::answer::{End, Overlap, Witness};
use crate::bvh::NodeBox;
use crate::math::{Pose, Real, Vec3, pair_size};
use crate::narrow::{self, PairCache};
use crate::shape::mesh::{Mesh, Side};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{REACH_ERROR, sigma};

/// A mesh and a shape in the mesh's frame.
pub(super) struct Posed<'m> {
    pub mesh: &'m Mesh,
    pub shape: &'m Shape,
    pub pose: Pose,
}

impl Posed<'_> {
    pub fn test(&self, triangle: u32, cache: &mut PairCache) -> Overlap {
        let body = Shape::sharp(Core::Triangle(self.mesh.triangle(triangle).0));
        narrow::overlap(&body, &Pose::IDENTITY, self.shape, &self.pose, cache)
    }

    /// A point well inside of the shape in its own frame, the mean of its ends along the axes, and how far the shape reaches from it at most.
    pub fn ball(&self) -> (Vec3, Real) {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
        let middle = axes.into_iter().map(|axis| self.shape.support(axis, VertexId::NONE).point / 6.0).sum::<Vec3>();
        let bounds = self.shape.aabb(&Pose::IDENTITY);
        let corner = (bounds.max - middle).max(middle - bounds.min).length();
        (middle, corner.min(middle.length() + self.shape.bounding_radius()) * (1.0 + REACH_ERROR))
    }

    /// A point of the shape, where it is if it is inside of the solid.
    pub fn inside(&self) -> Option<Vec3> {
        if !self.mesh.is_solid() {
            return None;
        }
        let point = self.pose.point(self.shape.support(Vec3::X, VertexId::NONE).point);
        (self.mesh.locate(point) == Side::Inside).then_some(point)
    }

    /// A point of the shape and of a triangle that it meets, and how that ended. Where two plates cross by a hair none is found that is on
    /// both to rounding; then the deepest of the shape's points, if it is inside of the solid.
    fn shown(&self, triangle: u32, answer: &Overlap) -> (Vec3, End) {
        let found = (common(answer, self), answer.end);
        let [a, b, c] = self.mesh.triangle(triangle).0;
        let inward = (c - a).cross(b - a);
        if answer.end == End::Converged || !self.mesh.is_solid() || inward == Vec3::ZERO {
            return found;
        }
        let deepest = self.shape.support(self.pose.direction_to_local(inward), VertexId::NONE).point;
        let point = self.pose.point(deepest);
        if self.mesh.locate(point) == Side::Inside { (point, End::Converged) } else { found }
    }
}

/// Whether a mesh and a convex shape have a point in common.
pub(crate) fn meets(mesh: &Mesh, pose_mesh: &Pose, shape: &Shape, pose_shape: &Pose, cache: &mut BodyCache) -> Overlap {
    let pair = Posed { mesh, shape, pose: pose_shape.relative_to(pose_mesh) };
    let met = |(point, end): (Vec3, End), iterations: u32| {
        let witness = Witness::Point(pose_mesh.point(point));
        Overlap { overlap: true, witness, end, iterations }
    };
    let known = cache.triangles.map(|[triangle, _]| triangle).filter(|&t| (t as usize) < mesh.triangle_count());
    let size = pair_size([mesh.bounding_radius(), shape.bounding_radius()], pair.pose.translation());
    let error = sigma(size);
    let gap = std::cell::Cell::new(Real::INFINITY);
    let (mut tested, mut found) = (0, None);
    if let Some(triangle) = known {
        let answer = pair.test(triangle, &mut cache.convex);
        tested += answer.iterations.max(1);
        if answer.overlap {
            return met(pair.shown(triangle, &answer), tested);
        }
        gap.set(apart(&answer, error));
    }
    let bounds = NodeBox::enclosing(&shape.aabb(&pair.pose).grown(2.0 * error));
    let done = std::cell::Cell::new(false);
    mesh.tree().descend(
        |_, node| {
            let apart = node.separation(&bounds);
            if apart > 0.0 {
                gap.set(gap.get().min(Real::from(apart)));
            }
            !(apart > 0.0 || done.get())
        },
        |triangle| {
            if done.get() || known == Some(triangle) {
                return;
            }
            let answer = pair.test(triangle, &mut cache.convex);
            tested += answer.iterations.max(1);
            if answer.overlap {
                done.set(true);
                found = Some((triangle, answer));
            } else {
                gap.set(gap.get().min(apart(&answer, error)));
            }
        },
    );
    if let Some((triangle, answer)) = found {
        cache.triangles = Some([triangle; 2]);
        return met(pair.shown(triangle, &answer), tested);
    }
    if let Some(point) = pair.inside() {
        return met((point, End::Converged), tested);
    }
    Overlap { overlap: false, witness: Witness::Gap(gap.get().max(0.0)), end: End::Converged, iterations: tested }
}

/// A point of both in the mesh's frame.
fn common(answer: &Overlap, pair: &Posed<'_>) -> Vec3 {
    match answer.witness {
        Witness::Point(point) => point,
        Witness::Points([a, b]) => a + (b - a) * 0.5,
        // The narrow phase shows a point of bodies that meet.
        Witness::Plane { .. } | Witness::Gap(_) => pair.pose.translation(),
    }
}

/// How far a triangle and the shape are apart at least.
fn apart(answer: &Overlap, error: Real) -> Real {
    match answer.witness {
        Witness::Plane { offset_a, offset_b, .. } => offset_b - offset_a - error,
        Witness::Gap(gap) => gap,
        Witness::Point(_) | Witness::Points(_) => 0.0,
    }
}
