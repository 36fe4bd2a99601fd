//! The surface that casts see of a shape with flat faces: kept with meshes and polytopes, and in the scratch memory for simple shapes.

use std::sync::Arc;

use super::polyhedron::Polyhedron;
use crate::math::{Real, Vec3};
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Shape};

/// A surface, once for each side that is free: one for a solid, two for a sheet.
pub(in crate::ccd) type Sides = Arc<Vec<Polyhedron>>;

/// Simple shapes that are remembered.
const MOST: usize = 16;

/// Surfaces of simple shapes made lately, by what tells these apart.
#[derive(Debug, Clone, Default)]
pub(in crate::ccd) struct Flats {
    kept: Vec<(Key, Sides)>,
    next: usize,
}

/// The kind of a simple shape and its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key(u8, [Real; 9]);

/// The surface of a mesh, made when it is first asked for.
pub(in crate::ccd) fn mesh_sides(mesh: &Mesh) -> Sides {
    mesh.cast_surface.get_or_make(|| {
        let front = Polyhedron::from(mesh);
        if mesh.is_solid() || mesh.is_room() || mesh.face_count() == 0 {
            return vec![front];
        }
        vec![front, Polyhedron::other_side(mesh)]
    })
}

impl Flats {
    /// The surface of a shape with flat faces only; nothing for others.
    pub fn sides(&mut self, shape: &Shape) -> Option<Sides> {
        if shape.radius() > 0.0 {
            return None;
        }
        let (kind, numbers) = match shape.core() {
            Core::Polytope(polytope) => {
                return Some(polytope.cast_surface().get_or_make(|| vec![Polyhedron::from(polytope)]));
            }
            Core::Polygon(polygon) => return Some(Arc::new(sheet(polygon.vertices()))),
            Core::Point => (0, [0.0; 9]),
            Core::Cuboid { half_extents: Vec3 { x, y, z } } => (1, [*x, *y, *z, 0., 0., 0., 0., 0., 0.]),
            Core::Frustum { bottom, top, bottom_z, top_z } => {
                (2, [bottom[0], bottom[1], top[0], top[1], *bottom_z, *top_z, 0., 0., 0.])
            }
            Core::Rectangle { half_extents: [x, y] } => (3, [*x, *y, 0., 0., 0., 0., 0., 0., 0.]),
            Core::Triangle([a, b, c]) => (4, [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]),
            _ => return None,
        };
        let key = Key(kind, numbers);
        if let Some((_, sides)) = self.kept.iter().find(|(other, _)| *other == key) {
            return Some(Arc::clone(sides));
        }
        let sides = Arc::new(simple_sides(shape.core()));
        let entry = (key, Arc::clone(&sides));
        if self.kept.len() < MOST {
            self.kept.push(entry);
        } else {
            self.kept[self.next % MOST] = entry;
            self.next = self.next.wrapping_add(1);
        }
        Some(sides)
    }
}

fn simple_sides(core: &Core) -> Vec<Polyhedron> {
    match core {
        Core::Cuboid { half_extents } => boxed(|x, y, z| Vec3::new(x, y, z) * *half_extents),
        Core::Frustum { bottom, top, bottom_z, top_z } => boxed(|x, y, z| {
            let ([half_x, half_y], height) = if z < 0.0 { (*bottom, *bottom_z) } else { (*top, *top_z) };
            Vec3::new(x * half_x, y * half_y, height)
        }),
        Core::Rectangle { half_extents: [x, y] } => {
            sheet(&[[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[u, v]| Vec3::new(u * x, v * y, 0.0)))
        }
        Core::Triangle(corners) => sheet(corners),
        _ => Mesh::new::<[u32; 3]>(&[Vec3::ZERO], &[]).map(|mesh| Polyhedron::from(&mesh)).into_iter().collect(),
    }
}

/// A box with its corners in the order of their bits, a bit for each negative sign.
fn boxed(corner: impl Fn(Real, Real, Real) -> Vec3) -> Vec<Polyhedron> {
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
