//! The collision bodies of links, from geometry and meshes.

use std::collections::HashMap;

use clearance::{Body, Mesh, MeshOptions, Polygon, Polytope, Pose, Shape, ShapeError, Vec3, decompose};
use clearance_io::Surface;

use crate::error::{RobotError, RobotFault};
use crate::read::{Collision, Geometry, LinkDescription, Urdf};
use crate::robot::{MeshLoader, MeshUse, RobotOptions};
use crate::tolerance::PART_TOLERANCE;

/// Convex parts of a mesh, at most.
const MOST_PARTS: usize = 64;

/// A body on a link.
#[derive(Debug, Clone)]
pub struct LinkBody {
    /// The link.
    pub link: usize,
    /// Where the body is in the link's frame.
    pub origin: Pose,
    /// What it is, padded.
    pub body: Body,
    /// A convex shape around it; the body itself if that is convex.
    pub hull: Option<Shape>,
    /// Whether the hull is the body.
    pub is_convex: bool,
}

/// The bodies of all links, in their order.
pub fn bodies_of(urdf: &Urdf, meshes: MeshLoader<'_>, options: &RobotOptions) -> Result<Vec<LinkBody>, RobotError> {
    let names = options.meshes_of.iter().map(|(name, _)| name).chain(options.padding_of.iter().map(|(name, _)| name));
    for name in names {
        if !urdf.links.iter().any(|link| link.name == *name) {
            let fault = RobotFault::UnknownLink { name: name.clone() };
            return Err(RobotError {
                file: String::new(),
                line: 0,
                element: "options".to_owned(),
                fault: Box::new(fault),
            });
        }
    }
    let mut read: HashMap<String, Surface> = HashMap::new();
    let mut bodies = Vec::new();
    for (index, link) in urdf.links.iter().enumerate() {
        let usage = of_link(&options.meshes_of, link).unwrap_or(options.meshes);
        let padding = of_link(&options.padding_of, link).unwrap_or(options.padding);
        for collision in &link.collisions {
            let made = body_of(collision, meshes, &mut read, usage);
            let made = made.and_then(|bodies| {
                bodies
                    .into_iter()
                    .map(|body| padded(body, padding).map_err(RobotFault::from))
                    .collect::<Result<Vec<_>, _>>()
            });
            let made = made.map_err(|fault| RobotError {
                file: String::new(),
                line: collision.line,
                element: format!("collision of link '{}'", link.name),
                fault: Box::new(fault),
            })?;
            bodies.extend(made.into_iter().map(|(body, hull, origin)| {
                let is_convex = matches!(body, Body::Convex(_));
                LinkBody { link: index, origin, body, hull, is_convex }
            }));
        }
    }
    Ok(bodies)
}

/// What is said about a link, the last of several.
fn of_link<T: Copy>(list: &[(String, T)], link: &LinkDescription) -> Option<T> {
    list.iter().rev().find(|(name, _)| *name == link.name).map(|(_, value)| *value)
}

type Made = (Body, Option<Shape>, Pose);

fn padded((body, hull, origin): Made, padding: f64) -> Result<Made, ShapeError> {
    let hull = match hull {
        Some(hull) if padding != 0.0 => Some(hull.rounded(padding)?),
        hull => hull,
    };
    Ok((body.padded(padding)?, hull, origin))
}

fn body_of(
    collision: &Collision,
    meshes: MeshLoader<'_>,
    read: &mut HashMap<String, Surface>,
    usage: MeshUse,
) -> Result<Vec<Made>, RobotFault> {
    // Capsules of the library are along x: a quarter turn about y.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let along_z = Pose::new(Vec3::ZERO, [0.0, -half, 0.0, half])?;
    let (shape, origin) = match &collision.geometry {
        Geometry::Box { size } => (Shape::cuboid(size.map(|edge| 0.5 * edge))?, collision.origin),
        Geometry::Cylinder { radius, length } => (Shape::cylinder(0.5 * length, *radius)?, collision.origin),
        Geometry::Sphere { radius } => (Shape::sphere(*radius)?, collision.origin),
        Geometry::Capsule { radius, length } => {
            (Shape::capsule(0.5 * length, *radius)?, collision.origin.compose(&along_z))
        }
        Geometry::Mesh { file, scale } => {
            if !read.contains_key(file) {
                let surface = meshes(file).map_err(|reason| RobotFault::Mesh { file: file.clone(), reason })?;
                read.insert(file.clone(), surface);
            }
            let surface = &read[file];
            return mesh_body(surface, *scale, &collision.origin, usage).map_err(|fault| in_file(fault, file));
        }
    };
    Ok(vec![(Body::Convex(shape.clone()), Some(shape), origin)])
}

/// A fault of a mesh with the name of its file.
fn in_file(fault: RobotFault, name: &str) -> RobotFault {
    match fault {
        RobotFault::Surface { error, .. } => RobotFault::Surface { file: name.to_owned(), error },
        RobotFault::Shape(error) => RobotFault::Mesh { file: name.to_owned(), reason: error.to_string() },
        other => other,
    }
}

/// A mesh in the axes of the link, about the middle of its hull: queries begin with the line between two middles.
fn mesh_body(surface: &Surface, scale: [f64; 3], origin: &Pose, usage: MeshUse) -> Result<Vec<Made>, RobotFault> {
    let by = Vec3::from(scale);
    let mut points: Vec<Vec3> = surface.vertices.iter().map(|&vertex| origin.point(vertex * by)).collect();
    let middle = middle(&points);
    points.iter_mut().for_each(|point| *point -= middle);
    let at = Pose::from_translation(middle)?;
    let hull = hull_of(&points);
    if usage == MeshUse::Hull {
        let hull = hull?;
        return Ok(vec![(Body::Convex(hull.clone()), Some(hull), at)]);
    }
    let mirrored = scale.iter().filter(|factor| **factor < 0.0).count() % 2 == 1;
    let turn = |[a, b, c]: &[u32; 3]| if mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
    let faces: Vec<[u32; 3]> = surface.triangles.iter().map(turn).collect();
    let options = MeshOptions {
        weld: true,
        drop_degenerate: true,
        drop_unused: true,
        turn_outward: true,
        ..MeshOptions::default()
    };
    let mesh = Mesh::with_options(&points, &faces, &options)
        .map_err(|error| RobotFault::Surface { file: String::new(), error })?;
    let hull = hull.ok();
    let body = match &hull {
        Some(hull) if mesh.is_convex() => Body::Convex(hull.clone()),
        _ if usage == MeshUse::Parts => return parts_of(&mesh, middle),
        _ => mesh.into(),
    };
    Ok(vec![(body, hull, at)])
}

/// The convex parts of a mesh, each about the middle of its own.
fn parts_of(mesh: &Mesh, origin: Vec3) -> Result<Vec<Made>, RobotFault> {
    let bounds = mesh.bounds();
    let tolerance = PART_TOLERANCE * (bounds.max - bounds.min).max_element();
    let found =
        decompose(mesh, tolerance, MOST_PARTS).map_err(|error| RobotFault::Surface { file: String::new(), error })?;
    let place = |part: &Polytope| {
        let own = middle(part.vertices());
        let points: Vec<Vec3> = part.vertices().iter().map(|vertex| *vertex - own).collect();
        let hull = hull_of(&points)?;
        Ok((Body::Convex(hull.clone()), Some(hull), Pose::from_translation(origin + own)?))
    };
    found.parts.iter().map(place).collect()
}

/// The convex hull of points; of points in a plane, a polygon.
fn hull_of(points: &[Vec3]) -> Result<Shape, ShapeError> {
    match Polytope::from_points(points) {
        Ok(hull) => Ok(hull.into()),
        Err(error) => Polygon::from_points(points).map(Shape::from).map_err(|_| error.into()),
    }
}

/// About the centre of the smallest ball around points: steps towards the farthest point that become shorter.
fn middle(points: &[Vec3]) -> Vec3 {
    let mut middle = points.first().copied().unwrap_or_default();
    for step in 1..200 {
        let farthest = points.iter().max_by(|a, b| {
            let [a, b] = [a, b].map(|p| (**p - middle).length_squared());
            a.total_cmp(&b)
        });
        if let Some(farthest) = farthest {
            middle += (*farthest - middle) / f64::from(step + 1);
        }
    }
    if middle.is_finite() { middle } else { Vec3::ZERO }
}
