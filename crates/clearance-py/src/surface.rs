//! Triangles of bodies to look at: exact where faces are flat, hulls of many points where they are curved.

use clearance::{Body, Core, Polytope, Shape, Support, Vec3};

/// Steps of a quarter turn in which directions are asked for points of curved shapes.
const QUARTER: u32 = 6;
/// Half the side of the square that stands for a half-space, in lengths.
const PLANE: f64 = 10.0;

/// The triangles of a body's surface, in its frame. Points of a cloud without a size have none.
pub fn triangles_of(body: &Body) -> Vec<[Vec3; 3]> {
    match body {
        Body::Convex(shape) => of_shape(shape),
        Body::Mesh(mesh) => (0..mesh.triangle_count() as u32).map(|triangle| mesh.triangle(triangle).0).collect(),
        Body::Compound(compound) => (0..compound.part_count() as u32)
            .filter_map(|part| compound.part(part))
            .flat_map(|(body, pose)| {
                triangles_of(&body).into_iter().map(move |triangle| triangle.map(|corner| pose.point(corner)))
            })
            .collect(),
        Body::HeightField(field) => {
            let cells = (field.columns() - 1) * (field.rows() - 1);
            (0..2 * cells).filter_map(|triangle| field.triangle(triangle)).collect()
        }
        Body::PointCloud(cloud) => {
            let ball = Shape::sphere(cloud.radius()).map(|ball| of_shape(&ball)).unwrap_or_default();
            let moved = |(_, place): (u32, Vec3)| ball.iter().map(move |t| t.map(|c| c + place)).collect::<Vec<_>>();
            cloud.points().flat_map(moved).collect()
        }
        Body::HalfSpace(half_space) => {
            let normal = half_space.normal();
            let (x, y) = normal.any_orthonormal_pair();
            let at = |a: f64, b: f64| normal * half_space.offset() + x * (PLANE * a) + y * (PLANE * b);
            let corners = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            vec![[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
        }
        Body::Padded(padded) => triangles_of(padded.body()),
        _ => Vec::new(),
    }
}

/// Directions around the ball, and those to its eight corners.
fn directions() -> impl Iterator<Item = Vec3> {
    let turn = std::f64::consts::FRAC_PI_2 / f64::from(QUARTER);
    let rings = (0..=2 * QUARTER).flat_map(move |ring| {
        let (z, r) = (f64::from(ring) * turn).cos_sin();
        (0..4 * QUARTER).map(move |step| {
            let (x, y) = (f64::from(step) * turn).cos_sin();
            Vec3::new(r * x, r * y, z)
        })
    });
    rings
        .chain((0..8).map(|i| Vec3::from_array([1, 2, 4].map(|bit| if i & bit == 0 { 1.0 } else { -1.0 })).normalize()))
}

trait CosSin {
    fn cos_sin(self) -> (f64, f64);
}

impl CosSin for f64 {
    fn cos_sin(self) -> (f64, f64) {
        (self.cos(), self.sin())
    }
}

fn of_shape(shape: &Shape) -> Vec<[Vec3; 3]> {
    if let Core::Polytope(polytope) = shape.core()
        && shape.radius() == 0.0
    {
        return of_polytope(polytope);
    }
    if let Core::Triangle(corners) = shape.core()
        && shape.radius() == 0.0
    {
        return vec![*corners];
    }
    let points: Vec<Vec3> = directions().map(|d| Body::Convex(shape.clone()).support(d)).collect();
    Polytope::from_points(&points).map_or_else(|_| flat(shape), |polytope| of_polytope(&polytope))
}

/// A flat shape in the plane of x and y: a fan around its middle.
fn flat(shape: &Shape) -> Vec<[Vec3; 3]> {
    if shape.extent(Vec3::Z) != [0.0; 2] {
        return Vec::new();
    }
    let turn = std::f64::consts::FRAC_PI_2 / f64::from(QUARTER);
    let points: Vec<Vec3> = (0..4 * QUARTER)
        .map(|step| {
            let (x, y) = (f64::from(step) * turn).cos_sin();
            shape.support(Vec3::new(x, y, 0.0), clearance::VertexId::default()).point
        })
        .collect();
    let middle = points.iter().sum::<Vec3>() / points.len() as f64;
    let corners = points.iter().zip(points.iter().cycle().skip(1));
    corners.filter(|(a, b)| a != b).map(|(a, b)| [middle, *a, *b]).collect()
}

fn of_polytope(polytope: &Polytope) -> Vec<[Vec3; 3]> {
    let vertices = polytope.vertices();
    let fan = |face: u32| {
        let corners: Vec<Vec3> = polytope.face_vertices(face).map(|vertex| vertices[vertex as usize]).collect();
        corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]).collect::<Vec<_>>()
    };
    (0..polytope.face_count() as u32).flat_map(fan).collect()
}
