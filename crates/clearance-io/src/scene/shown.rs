//! Surfaces of shapes, for viewers: exact for flat faces, an approximation for curved ones. Nothing is computed with them.

use clearance::{Body, Core, Polytope, Pose, Shape, Vec3};
use serde_json::Value;

use super::tree::pose_of;
use crate::model::Surface;
use crate::triangulate::add_polygon;

/// Rings of directions between the poles, for curved shapes.
const RINGS: usize = 16;

/// The surface of a body that was made of a value.
pub(super) fn surface(
    value: &Value,
    body: &Body,
    make: &dyn Fn(&Value) -> Result<Body, String>,
) -> Result<Surface, String> {
    match body {
        Body::Convex(shape) => Ok(convex(shape)),
        Body::Mesh(mesh) => {
            let mut shown = Surface { vertices: mesh.vertices().to_vec(), ..Surface::default() };
            for face in 0..mesh.face_count() as u32 {
                add_polygon(&shown.vertices, mesh.face_vertices(face), &mut shown.triangles);
            }
            Ok(shown)
        }
        Body::Compound(_) => compound(value, make),
        Body::HeightField(field) => {
            let mut shown = Surface::default();
            for corners in (0..field.triangle_count() as u32).filter_map(|triangle| field.triangle(triangle)) {
                let first = shown.vertices.len() as u32;
                shown.vertices.extend(corners);
                shown.triangles.push([first, first + 1, first + 2]);
            }
            Ok(shown)
        }
        Body::Padded(padded) => surface(value, padded.body(), make),
        _ => Err("half-spaces and point clouds cannot be parts of a scene".to_owned()),
    }
}

/// The parts of a compound, each in its place.
fn compound(value: &Value, make: &dyn Fn(&Value) -> Result<Body, String>) -> Result<Surface, String> {
    let mut whole = Surface::default();
    for part in value["parts"].as_array().into_iter().flatten() {
        let mut own = part.clone();
        let pose = own.as_object_mut().and_then(|members| members.remove("pose"));
        let entry = pose.map(serde_json::from_value).transpose().map_err(|error| error.to_string())?;
        let pose: Pose = pose_of(entry.as_ref())?;
        let shown = surface(&own, &make(&own)?, make)?;
        let first = whole.vertices.len() as u32;
        whole.vertices.extend(shown.vertices.into_iter().map(|vertex| pose.point(vertex)));
        whole.triangles.extend(shown.triangles.into_iter().map(|corners| corners.map(|v| v + first)));
    }
    Ok(whole)
}

/// The hull of supports in many directions.
fn convex(shape: &Shape) -> Surface {
    if let (Core::Polytope(polytope), true) = (shape.core(), shape.radius() == 0.0) {
        return hull(polytope);
    }
    let body = Body::Convex(shape.clone());
    let mut points: Vec<Vec3> = directions().into_iter().map(|direction| body.support(direction)).collect();
    let size = shape.bounding_radius();
    if let Ok(polytope) = Polytope::from_points(&points) {
        return hull(&polytope);
    }
    // A flat shape is shown as a thin solid.
    let thin = size / 1000.0;
    let moved: Vec<Vec3> =
        points.iter().flat_map(|p| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| *p + axis * thin)).collect();
    points.extend(moved);
    Polytope::from_points(&points).map_or_else(|_| Surface::default(), |polytope| hull(&polytope))
}

/// The faces of a polytope as triangles.
pub(super) fn hull(polytope: &Polytope) -> Surface {
    let mut surface = Surface { vertices: polytope.vertices().to_vec(), ..Surface::default() };
    for face in 0..polytope.face_count() as u32 {
        let corners: Vec<u32> = polytope.face_vertices(face).collect();
        add_polygon(&surface.vertices, &corners, &mut surface.triangles);
    }
    surface
}

/// Directions all around, those of the corners of a box among them.
fn directions() -> Vec<Vec3> {
    let mut all = Vec::new();
    for corner in 0..8 {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { 1.0 } else { -1.0 };
        all.push(Vec3::new(sign(0), sign(1), sign(2)));
    }
    for ring in 0..=RINGS {
        let polar = std::f64::consts::PI * ring as f64 / RINGS as f64;
        for step in 0..2 * RINGS {
            let around = std::f64::consts::PI * step as f64 / RINGS as f64;
            all.push(Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos()));
        }
    }
    all
}
