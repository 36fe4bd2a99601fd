//! Features of casts by their names in the input.

use super::super::polyhedra::{self, Polyhedron};
use crate::answer::{ContactPoint, Element, Feature};
use crate::math::{Real, Vec3};
use crate::mesh_query::{self, Body};
use crate::narrow;
use crate::shape::{Core, Shape};

/// A feature of a cast surface.
pub(super) fn of_polyhedron(polyhedron: &Polyhedron, feature: polyhedra::Feature, part: u32) -> Feature {
    let element = match feature {
        polyhedra::Feature::Vertex(vertex) => Element::Vertex(vertex),
        polyhedra::Feature::Edge(edge) => polyhedron.edge_vertices(edge).map_or(Element::Whole, edge_between),
        polyhedra::Feature::Face(face) => polyhedron.given_face(face).map_or(Element::Whole, Element::Face),
    };
    Feature { part, element }
}

/// A contact at a point of two features: that of B if B's is a vertex, or else that of A.
pub(super) fn contact_point(point: Vec3, normal: Vec3, distance: Real, features: [Feature; 2]) -> ContactPoint {
    let apart = normal * distance;
    let on_b = matches!(features[1].element, Element::Vertex(_));
    let points = if on_b { [point - apart, point] } else { [point, point + apart] };
    ContactPoint { points, normal, distance, features }
}

/// A feature of a convex shape.
pub(super) fn of_shape(shape: &Shape, feature: narrow::Feature, part: u32) -> Feature {
    let element = match feature {
        narrow::Feature::Vertex(vertex) => Element::Vertex(vertex),
        narrow::Feature::Face(face) => Element::Face(face),
        narrow::Feature::Smooth => Element::Smooth,
        narrow::Feature::Edge(edge) => match shape.core() {
            // Eight times the axis, and the corner on its positive side.
            Core::Cuboid { .. } => edge_between([edge % 8, edge % 8 | 1 << (edge / 8 % 3)]),
            Core::Polytope(polytope) => polytope.half_edges().get(edge as usize).map_or(Element::Whole, |half_edge| {
                let twin = polytope.half_edges()[half_edge.twin as usize];
                edge_between([half_edge.origin, twin.origin])
            }),
            _ => Element::Smooth,
        },
    };
    Feature { part, element }
}

/// What advancement names: a face of a mesh, or a convex shape as a whole; curved ones are smooth.
pub(super) fn of_element(element: mesh_query::Element, curved: bool, part: u32) -> Feature {
    let element = match element.face() {
        Some(face) => Element::Face(face),
        None if curved => Element::Smooth,
        None => Element::Whole,
    };
    Feature { part, element }
}

/// Whether a part of a body is a convex shape with a curved surface.
pub(super) fn is_curved(body: &Body) -> bool {
    let Body::Convex(shape) = body else { return false };
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

fn edge_between([a, b]: [u32; 2]) -> Element {
    Element::Edge(if a < b { [a, b] } else { [b, a] })
}
