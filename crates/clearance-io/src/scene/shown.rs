//! Surfaces of shapes, for viewers: exact for flat faces, an approximation for curved ones. Nothing is computed with them.

use clearance::{Body, Core, Polytope, Pose, Shape, Vec3};

use crate::model::Surface;
use crate::triangulate::add_polygon;

/// Rings of directions between the poles, for curved shapes.
const RINGS: usize = 16;

impl Surface {
    /// The surface of a body, for viewers: exact for flat faces, an approximation for curved ones, without padding. Half-spaces and clouds
    /// of points have none.
    ///
    /// ```
    /// use clearance::Shape;
    /// use clearance_io::Surface;
    /// let cube = Surface::of_body(&Shape::cuboid([1.0, 1.0, 1.0])?.into()).expect("a cube has a surface");
    /// assert_eq!((cube.vertices.len(), cube.triangles.len()), (8, 12));
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn of_body(body: &Body) -> Option<Self> {
        match body {
            Body::Convex(shape) => Some(convex(shape)),
            Body::Mesh(mesh) => {
                let mut shown = Self { vertices: mesh.vertices().to_vec(), ..Self::default() };
                for face in 0..mesh.face_count() as u32 {
                    add_polygon(&shown.vertices, mesh.face_vertices(face), &mut shown.triangles);
                }
                Some(shown)
            }
            Body::Compound(compound) => {
                let mut whole = Self::default();
                for (part, pose) in (0..compound.part_count() as u32).filter_map(|number| compound.part(number)) {
                    whole.add(&Self::of_body(&part)?, &pose);
                }
                Some(whole)
            }
            Body::HeightField(field) => {
                let mut shown = Self::default();
                for corners in (0..field.triangle_count() as u32).filter_map(|triangle| field.triangle(triangle)) {
                    let first = shown.vertices.len() as u32;
                    shown.vertices.extend(corners);
                    shown.triangles.push([first, first + 1, first + 2]);
                }
                Some(shown)
            }
            Body::Padded(padded) => Self::of_body(padded.body()),
            _ => None,
        }
    }

    /// Adds another surface at its place.
    pub(crate) fn add(&mut self, other: &Self, pose: &Pose) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices.iter().map(|&vertex| pose.point(vertex)));
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|v| v + first)));
    }
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
