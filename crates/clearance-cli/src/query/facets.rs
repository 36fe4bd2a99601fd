//! Shapes with flat faces as polyhedra for casts and contacts, prepared once for each definition.

use std::sync::{Arc, OnceLock};

use clearance::Body;
use clearance::ccd::polyhedra::Polyhedron;
use clearance::{Core, Mesh, Pose, Shape, Vec3};

/// A part of a body: what it is, where it is in the body, and its faces if they are flat.
#[derive(Debug)]
pub struct Part {
    /// A convex shape or a mesh.
    pub body: Body,
    /// Its place.
    pub pose: Pose,
    /// Its surface, once for each side that is free: one for a solid, two for a sheet. None for what is curved.
    pub sides: Vec<Polyhedron>,
}

/// The parts of a body, made when they are asked for and shared by all that name it.
#[derive(Clone, Debug, Default)]
pub struct Parts(Arc<OnceLock<Vec<Part>>>);

impl Parts {
    /// The parts of the body that this belongs to.
    pub fn of(&self, body: &Body) -> &[Part] {
        self.0.get_or_init(|| match body {
            Body::Compound(compound) => {
                let parts = (0..compound.part_count() as u32).filter_map(|part| compound.part(part));
                parts.map(|(body, pose)| part(body, pose)).collect()
            }
            other => vec![part(other.clone(), Pose::IDENTITY)],
        })
    }
}

fn part(body: Body, pose: Pose) -> Part {
    match &body {
        Body::Mesh(mesh) => {
            let sides = mesh_sides(mesh);
            Part { body, pose, sides }
        }
        Body::Convex(shape) => {
            let (shape, pose) = placed(shape, pose);
            let sides = shape_sides(&shape);
            Part { body: Body::Convex(shape), pose, sides }
        }
        _ => Part { body, pose, sides: Vec::new() },
    }
}

/// A moved shape as what it is and where.
fn placed(shape: &Shape, pose: Pose) -> (Shape, Pose) {
    match shape.core() {
        Core::Posed(part) if shape.radius() == 0.0 => placed(&part.shape, pose.compose(&part.pose)),
        _ => (shape.clone(), pose),
    }
}

fn mesh_sides(mesh: &Mesh) -> Vec<Polyhedron> {
    if mesh.is_solid() || mesh.is_room() || mesh.face_count() == 0 {
        return vec![Polyhedron::from(mesh)];
    }
    vec![Polyhedron::from(mesh), Polyhedron::other_side(mesh)]
}

fn shape_sides(shape: &Shape) -> Vec<Polyhedron> {
    if shape.radius() > 0.0 {
        return Vec::new();
    }
    match shape.core() {
        Core::Polytope(polytope) => vec![Polyhedron::from(polytope)],
        Core::Cuboid { half_extents } => boxed(|x, y, z| Vec3::new(x, y, z) * *half_extents),
        Core::Frustum { bottom, top, bottom_z, top_z } => boxed(|x, y, z| {
            let ([half_x, half_y], height) = if z < 0.0 { (*bottom, *bottom_z) } else { (*top, *top_z) };
            Vec3::new(x * half_x, y * half_y, height)
        }),
        Core::Rectangle { half_extents: [x, y] } => {
            sheet(&[[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[u, v]| Vec3::new(u * x, v * y, 0.0)))
        }
        Core::Triangle(corners) => sheet(corners),
        Core::Polygon(polygon) => sheet(polygon.vertices()),
        Core::Point => {
            Mesh::new::<[u32; 3]>(&[Vec3::ZERO], &[]).map(|mesh| Polyhedron::from(&mesh)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A box with its corners in the order of their bits, a bit for each negative sign.
fn boxed(corner: impl Fn(f64, f64, f64) -> Vec3) -> Vec<Polyhedron> {
    const FACES: [[u32; 4]; 6] = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
    let sign = |i: u32, bit: u32| if i & bit == 0 { 1.0 } else { -1.0 };
    let corners: Vec<Vec3> = (0..8).map(|i| corner(sign(i, 1), sign(i, 2), sign(i, 4))).collect();
    Polyhedron::from_faces(&corners, &FACES).into_iter().collect()
}

/// A convex polygon, seen from both sides.
fn sheet(corners: &[Vec3]) -> Vec<Polyhedron> {
    let face: Vec<u32> = (0..corners.len() as u32).collect();
    let mesh = Mesh::new(corners, &[face]).ok();
    mesh.iter().flat_map(|mesh| [Polyhedron::from(mesh), Polyhedron::other_side(mesh)]).collect()
}
