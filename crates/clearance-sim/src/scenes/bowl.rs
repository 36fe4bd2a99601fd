//! Mixed bodies poured into a bowl, which is a mesh.

use clearance::{Body, Compound, Mesh, Pose, Real, Shape, Vec3};

use super::floor;
use super::random::Random;
use crate::body::RigidBody;
use crate::error::SimError;
use crate::options::SimulationOptions;
use crate::simulation::Simulation;

/// The radius of the bowl's rim.
pub const BOWL_RADIUS: Real = 7.0;
/// How deep the bowl is.
pub const BOWL_DEPTH: Real = 5.0;

/// Thickness of the bowl.
const WALL: Real = 0.4;
/// Rings and segments of its surface.
const RINGS: u32 = 16;
const SEGMENTS: u32 = 48;
/// Bodies along each side of a layer, and the distance of their centres.
const SIDE: usize = 10;
const PITCH: Real = 0.8;

/// Builds a bowl that stands on the floor and bodies of seven kinds in layers above it, which fall into it. Body 0 is the floor, body 1
/// the bowl.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// let mut simulation = clearance_sim::scenes::bowl(20, 1, SimulationOptions::default())?;
/// assert_eq!(simulation.bodies().count(), 2 + 20);
/// simulation.step()?;
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn bowl(count: usize, seed: u64, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?)?;
    simulation.add(RigidBody::fixed(dish()?, Pose::from_translation([0.0, 0.0, WALL])?))?;
    let mut random = Random::new(seed);
    let shapes = kinds()?;
    for number in 0..count {
        let [column, row, layer] = [number % SIDE, number / SIDE % SIDE, number / (SIDE * SIDE)];
        let aside = |place: usize| (place as Real - 0.5 * (SIDE as Real - 1.0)) * PITCH;
        let jitter = [(); 2].map(|()| random.uniform(-0.05, 0.05));
        let at = [aside(column) + jitter[0], aside(row) + jitter[1], BOWL_DEPTH + 1.0 + layer as Real * PITCH];
        let pose = Pose::new(at, random.rotation())?;
        simulation.add(RigidBody::dynamic(shapes[number % shapes.len()].clone(), pose))?;
    }
    Ok(simulation)
}

/// The kinds of bodies that are poured; each fits into a ball of radius 0.35.
fn kinds() -> Result<Vec<Body>, SimError> {
    let gem = [
        [0.3, 0.0, 0.0],
        [-0.25, 0.1, 0.05],
        [0.0, 0.28, 0.0],
        [0.05, -0.3, 0.02],
        [0.0, 0.05, 0.25],
        [0.02, 0.0, -0.3],
        [0.15, 0.15, 0.15],
        [-0.15, -0.15, 0.12],
    ];
    let arm = Body::from(Shape::cuboid([0.25, 0.08, 0.08])?);
    let angle = Compound::new([
        (arm.clone(), Pose::from_translation([0.0, -0.08, 0.0])?),
        (Body::from(Shape::cuboid([0.08, 0.16, 0.08])?), Pose::from_translation([-0.17, 0.16, 0.0])?),
    ])?;
    Ok(vec![
        Shape::cuboid([0.25, 0.18, 0.14])?.into(),
        Shape::sphere(0.22)?.into(),
        Shape::capsule(0.18, 0.14)?.into(),
        Shape::cylinder(0.16, 0.2)?.into(),
        Shape::round_box([0.14, 0.12, 0.1], 0.06)?.into(),
        Shape::polytope(&gem.map(Vec3::from))?.into(),
        angle.into(),
    ])
}

/// A closed mesh between two paraboloids.
fn dish() -> Result<Mesh, SimError> {
    let profile = |ring: u32| {
        let radius = BOWL_RADIUS * ring as Real / RINGS as Real;
        (radius, BOWL_DEPTH * (radius / BOWL_RADIUS).powi(2))
    };
    // The middle of each side, then its rings.
    let mut vertices = vec![Vec3::ZERO, Vec3::new(0.0, 0.0, -WALL)];
    for lower in [0.0, 1.0] {
        for ring in 1..=RINGS {
            let (radius, height) = profile(ring);
            for segment in 0..SEGMENTS {
                let angle = 2.0 * std::f64::consts::PI as Real * segment as Real / SEGMENTS as Real;
                let (sine, cosine) = angle.sin_cos();
                let out = radius + lower * WALL * ring as Real / RINGS as Real;
                vertices.push(Vec3::new(out * cosine, out * sine, height - lower * WALL));
            }
        }
    }
    let vertex =
        |side: u32, ring: u32, segment: u32| 2 + side * RINGS * SEGMENTS + (ring - 1) * SEGMENTS + segment % SEGMENTS;
    let mut faces: Vec<[u32; 3]> = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
    for segment in 0..SEGMENTS {
        let next = segment + 1;
        for ring in 1..RINGS {
            let on = |side: u32| {
                let (inner, outer) = (ring, ring + 1);
                [
                    vertex(side, inner, segment),
                    vertex(side, outer, segment),
                    vertex(side, outer, next),
                    vertex(side, inner, next),
                ]
            };
            quad(on(0));
            let [a, b, c, d] = on(1);
            quad([d, c, b, a]);
        }
        let rim = |side: u32, segment: u32| vertex(side, RINGS, segment);
        quad([rim(0, segment), rim(1, segment), rim(1, next), rim(0, next)]);
    }
    for segment in 0..SEGMENTS {
        let next = segment + 1;
        faces.push([0, vertex(0, 1, segment), vertex(0, 1, next)]);
        faces.push([1, vertex(1, 1, next), vertex(1, 1, segment)]);
    }
    Ok(Mesh::new(&vertices, &faces)?)
}
