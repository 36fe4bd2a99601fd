//! Features of casts by their names in the input.

use super::super::polyhedra::{self, Polyhedron};
use crate::answer::{ContactPoint, Element, Feature};
use crate::math::{Real, Vec3};
use crate::shape::{Core, Geometry, Leaf};

/// A feature of a cast surface.
pub(super) fn of_polyhedron(polyhedron: &Polyhedron, feature: polyhedra::Feature, part: u32) -> Feature {
    let named = match feature {
        polyhedra::Feature::Vertex(vertex) => Feature::vertex(vertex),
        polyhedra::Feature::Edge(edge) => {
            polyhedron.edge_vertices(edge).map_or(Feature::WHOLE, |[a, b]| Feature::edge(a, b))
        }
        polyhedra::Feature::Face(face) => polyhedron.given_face(face).map_or(Feature::WHOLE, Feature::face),
    };
    named.of_part(part)
}

/// A contact at a point of two features: that of B if B's is a vertex, or else that of A.
pub(super) fn contact_point(point: Vec3, normal: Vec3, distance: Real, features: [Feature; 2]) -> ContactPoint {
    let apart = normal * distance;
    let on_b = matches!(features[1].element, Element::Vertex(_));
    let points = if on_b { [point - apart, point] } else { [point, point + apart] };
    ContactPoint { points, normal, distance, features }
}

/// What distances and advancement name, of a body: a face of a mesh, or a convex part as a whole; curved ones are smooth.
pub(super) fn of_distance(body: Geometry<'_>, feature: Feature) -> Feature {
    let part = match body {
        Geometry::Compound(compound) => compound.parts.get(feature.part as usize).map(|(leaf, _)| leaf.geometry()),
        other => Some(other),
    };
    let is_smooth = feature.element == Element::Whole && part.is_some_and(is_curved);
    if is_smooth { Feature { element: Element::Smooth, ..feature } } else { feature }
}

/// Whether a part of a body is a convex shape with a curved surface.
pub(super) fn is_curved(body: Geometry<'_>) -> bool {
    let Geometry::Convex(shape) = body else { return false };
    let is_flat = matches!(
        shape.core(),
        Core::Point
            | Core::Cuboid { .. }
            | Core::Frustum { .. }
            | Core::Rectangle { .. }
            | Core::Triangle(_)
            | Core::Polygon(_)
            | Core::Polytope(_)
    );
    shape.radius() > 0.0 || !is_flat
}

impl Leaf {
    /// The part as a body.
    pub(super) fn geometry(&self) -> Geometry<'_> {
        match self {
            Self::Convex(shape) => Geometry::Convex(shape),
            Self::Mesh(mesh) => Geometry::Mesh(mesh),
        }
    }
}
