//! The hunt's bodies in one precision, made from plain numbers.

use clearance_testkit::Polyhedron;
use glam::DVec3;

use super::super::solid::{Part, Place, Solid};
use super::library;
use library::math::{narrow, narrow_real, widen_real};
use library::{Body, Compound, HalfSpace, HeightField, Mesh, PointCloud, Pose, Quat, Shape, Vec3};

fn vectors(points: &[DVec3]) -> Vec<Vec3> {
    points.iter().map(|&p| narrow(p)).collect()
}

/// The body; nothing if the numbers make none in this precision.
pub(crate) fn body(solid: &Solid) -> Option<Body> {
    let r = narrow_real;
    match solid {
        Solid::Mesh(Polyhedron { vertices, faces, .. }) => Mesh::new(&vectors(vertices), faces).ok().map(Body::from),
        Solid::Field(heights, cell) => {
            let rows: Vec<Vec<_>> = heights.iter().map(|row| row.iter().map(|&height| r(height)).collect()).collect();
            HeightField::new(&rows, cell.map(r)).ok().map(Body::from)
        }
        Solid::Cloud(points, radius) => PointCloud::new(&vectors(points), r(*radius)).ok().map(Body::from),
        Solid::HalfSpace(normal, offset) => HalfSpace::new(narrow(*normal), r(*offset)).ok().map(Body::from),
        Solid::Compound(parts) => {
            let of = |part: &Part| Some((body(&part.solid)?, pose(&part.place)?));
            Compound::new(parts.iter().map(of).collect::<Option<Vec<_>>>()?).ok().map(Body::from)
        }
        Solid::Padded(solid, padding) => body(solid)?.padded(r(*padding)).ok(),
        convex => shape(convex).map(Body::from),
    }
}

fn shape(solid: &Solid) -> Option<Shape> {
    let r = narrow_real;
    let shape = match solid {
        Solid::Hull(points) => Shape::polytope(&vectors(points)),
        Solid::Cuboid(half) => Shape::cuboid(narrow(*half).to_array()),
        Solid::Ball(radius) => Shape::sphere(r(*radius)),
        Solid::Capsule([half, radius]) => Shape::capsule(r(*half), r(*radius)),
        Solid::RoundBox(half, radius) => Shape::round_box(narrow(*half).to_array(), r(*radius)),
        Solid::Ellipsoid(radii) => Shape::ellipsoid(narrow(*radii).to_array()),
        Solid::Cylinder([half, radius]) => Shape::cylinder(r(*half), r(*radius)),
        Solid::Cone([height, radius]) => Shape::cone(r(*height), r(*radius)),
        Solid::Disc(radius) => Shape::disc(r(*radius)),
        Solid::Segment(half) => Shape::segment(r(*half)),
        Solid::Point => return Some(Shape::point()),
        Solid::Rectangle(half) => Shape::rectangle(half.map(r)),
        Solid::Ellipse(radii) => Shape::ellipse(radii.map(r)),
        Solid::Lozenge(half, radius) => Shape::lozenge(half.map(r), r(*radius)),
        Solid::Wheel([disc, radius]) => Shape::wheel(r(*disc), r(*radius)),
        Solid::Frustum([bottom, top], height) => Shape::frustum(bottom.map(r), top.map(r), r(*height)),
        Solid::Triangle(points) => Shape::triangle(points.map(narrow)),
        Solid::TaperedCapsule(half, radii) => Shape::tapered_capsule(r(*half), radii.map(r)),
        Solid::Sum(of) => return combined(&of[..], Shape::sum),
        Solid::HullOf(of) => return combined(&of[..], Shape::hull),
        _ => return None,
    };
    shape.ok()
}

fn combined(of: &[Part], combine: fn(library::Part, library::Part) -> Shape) -> Option<Shape> {
    let part = |part: &Part| Some(library::Part { shape: shape(&part.solid)?, pose: pose(&part.place)? });
    let [a, b] = of else { return None };
    Some(combine(part(a)?, part(b)?))
}

pub(crate) fn pose(place: &Place) -> Option<Pose> {
    let rotation = place.rotation.normalize().to_array().map(narrow_real);
    let rotation = Quat::from_array(rotation).normalize();
    Pose::new(narrow(place.at), rotation.to_array()).ok()
}

/// The radius of a ball about the origin that contains a body, or of a half-space the distance of its plane.
pub(crate) fn reach(body: &Body) -> f64 {
    match body {
        Body::HalfSpace(half_space) => widen_real(half_space.offset().abs()),
        body => widen_real(body.bounding_radius()),
    }
}
