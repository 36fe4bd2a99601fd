//! The bodies of the hunt as plain numbers, and how they are made at random.

use clearance_testkit::{Polyhedron, Rng};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// A body as plain numbers.
#[derive(Clone, Debug)]
pub(crate) enum Solid {
    Hull(Vec<DVec3>),
    Cuboid(DVec3),
    Ball(f64),
    Capsule([f64; 2]),
    RoundBox(DVec3, f64),
    Ellipsoid(DVec3),
    Cylinder([f64; 2]),
    Cone([f64; 2]),
    Disc(f64),
    Segment(f64),
    Mesh(Polyhedron),
    /// Heights in rows along y, and the size of a cell.
    Field(Vec<Vec<f64>>, [f64; 2]),
    Cloud(Vec<DVec3>, f64),
    HalfSpace(DVec3, f64),
    Point,
    Rectangle([f64; 2]),
    Ellipse([f64; 2]),
    Lozenge([f64; 2], f64),
    /// The radius of the disc and that of the tube around it.
    Wheel([f64; 2]),
    /// Half extents at the bottom and at the top, and the height.
    Frustum([[f64; 2]; 2], f64),
    Triangle([DVec3; 3]),
    /// Half the length, and the radii at both ends.
    TaperedCapsule(f64, [f64; 2]),
    /// The Minkowski sum of two convex solids.
    Sum(Box<[Part; 2]>),
    /// The convex hull of two convex solids.
    HullOf(Box<[Part; 2]>),
    Compound(Vec<Part>),
    /// A solid and all that is within a distance of it.
    Padded(Box<Solid>, f64),
}

/// A solid at its place in another one.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) solid: Solid,
    pub(crate) place: Place,
}

impl Part {
    fn json(&self) -> Value {
        let mut shape = self.solid.json();
        shape["pose"] = self.place.json();
        shape
    }
}

impl Solid {
    /// The shape as `clearance query` reads it.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Hull(points) => json!({"type": "polytope", "points": vectors(points)}),
            Self::Cuboid(half) => json!({"type": "cuboid", "half_extents": half.to_array()}),
            Self::Ball(radius) => json!({"type": "sphere", "radius": radius}),
            Self::Capsule([half, radius]) => json!({"type": "capsule", "half_length": half, "radius": radius}),
            Self::RoundBox(half, radius) => {
                json!({"type": "round_box", "half_extents": half.to_array(), "radius": radius})
            }
            Self::Ellipsoid(radii) => json!({"type": "ellipsoid", "radii": radii.to_array()}),
            Self::Cylinder([half, radius]) => json!({"type": "cylinder", "half_height": half, "radius": radius}),
            Self::Cone([height, radius]) => json!({"type": "cone", "height": height, "radius": radius}),
            Self::Disc(radius) => json!({"type": "disc", "radius": radius}),
            Self::Segment(half) => json!({"type": "segment", "half_length": half}),
            Self::Field(heights, cell) => json!({"type": "height_field", "heights": heights, "cell": cell}),
            Self::Cloud(points, radius) => json!({"type": "points", "points": vectors(points), "radius": radius}),
            Self::HalfSpace(normal, offset) => {
                json!({"type": "half_space", "normal": normal.to_array(), "offset": offset})
            }
            Self::Mesh(mesh) => json!({"type": "mesh", "vertices": vectors(&mesh.vertices), "faces": mesh.faces}),
            composed => composed.composed_json(),
        }
    }

    fn composed_json(&self) -> Value {
        let parts = |parts: &[Part]| -> Vec<Value> { parts.iter().map(Part::json).collect() };
        match self {
            Self::Rectangle(half) => json!({"type": "rectangle", "half_extents": half}),
            Self::Ellipse(radii) => json!({"type": "ellipse", "radii": radii}),
            Self::Lozenge(half, radius) => json!({"type": "lozenge", "half_extents": half, "radius": radius}),
            Self::Wheel([disc, radius]) => json!({"type": "wheel", "disc_radius": disc, "radius": radius}),
            Self::Frustum([bottom, top], height) => {
                json!({"type": "frustum", "bottom": bottom, "top": top, "height": height})
            }
            Self::Triangle(points) => json!({"type": "triangle", "points": vectors(points)}),
            Self::TaperedCapsule(half, radii) => {
                json!({"type": "tapered_capsule", "half_length": half, "radii": radii})
            }
            Self::Sum(of) => json!({"type": "sum", "of": parts(&of[..])}),
            Self::HullOf(of) => json!({"type": "hull", "of": parts(&of[..])}),
            Self::Compound(of) => json!({"type": "compound", "parts": parts(of)}),
            Self::Padded(solid, padding) => {
                let mut shape = solid.json();
                shape["padding"] = json!(padding);
                shape
            }
            _ => json!({"type": "point"}),
        }
    }

    /// Those like it that are simpler in one thing.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        match self {
            Self::Hull(points) => simpler_hulls(points),
            Self::Sum(of) | Self::HullOf(of) => of.iter().map(|part| part.solid.clone()).collect(),
            Self::Compound(parts) => simpler_compounds(parts),
            Self::Padded(solid, padding) => {
                let inner = solid.simpler().into_iter().map(|solid| Self::Padded(Box::new(solid), *padding));
                std::iter::once(solid.as_ref().clone()).chain(inner).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn simpler_compounds(parts: &[Part]) -> Vec<Solid> {
    let without = |left_out: usize| {
        let kept = parts.iter().enumerate().filter(|(i, _)| *i != left_out);
        Solid::Compound(kept.map(|(_, part)| part.clone()).collect())
    };
    if parts.len() < 2 { Vec::new() } else { (0..parts.len()).map(without).collect() }
}

/// The same with fewer points, or rounder numbers.
fn simpler_hulls(points: &[DVec3]) -> Vec<Solid> {
    let mut found = Vec::new();
    for left_out in 0..points.len() {
        let mut fewer = points.to_vec();
        fewer.remove(left_out);
        found.push(Solid::Hull(fewer));
    }
    for digits in [1e1, 1e3, 1e6] {
        let rounded: Vec<DVec3> = points.iter().map(|p| (*p * digits).round() / digits).collect();
        if rounded != points {
            found.push(Solid::Hull(rounded));
        }
    }
    found
}

fn vectors(points: &[DVec3]) -> Vec<[f64; 3]> {
    points.iter().map(|p| p.to_array()).collect()
}

/// A rotation and then a translation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) rotation: DQuat,
    pub(crate) at: DVec3,
}

impl Place {
    pub(crate) fn json(&self) -> Value {
        json!({"translation": self.at.to_array(), "rotation": self.rotation.to_array()})
    }
}

pub(crate) fn curved(rng: &mut Rng) -> Solid {
    let mut size = || rng.log_uniform(0.05, 1.5);
    let [x, y, z] = [size(), size(), size()];
    match rng.index(9) {
        0 => Solid::Ball(x),
        1 => Solid::Capsule([x, y]),
        2 => Solid::RoundBox(DVec3::new(x, y, z), 0.5 * x.min(y)),
        3 => Solid::Ellipsoid(DVec3::new(x, y, z)),
        4 => Solid::Cylinder([x, y]),
        5 => Solid::Cone([x, y]),
        6 => Solid::Disc(x),
        7 => Solid::Segment(x),
        _ => Solid::Cuboid(DVec3::new(x, y, z)),
    }
}

pub(crate) fn mesh(rng: &mut Rng) -> Solid {
    let stretch = DVec3::new(rng.uniform(0.3, 1.2), rng.uniform(0.3, 1.2), rng.uniform(0.3, 1.2));
    let mesh = match rng.index(3) {
        0 => Polyhedron::notched(),
        1 => Polyhedron::torus(1.0, rng.uniform(0.1, 0.5), 8, 5),
        _ => Polyhedron::star(1, |_| rng.uniform(0.5, 1.0)),
    };
    Solid::Mesh(mesh.mapped(|p| p * stretch))
}

pub(crate) fn field(rng: &mut Rng) -> Solid {
    match rng.index(3) {
        0 => {
            let [columns, rows] = [2 + rng.index(8), 2 + rng.index(8)];
            let steep = rng.log_uniform(1e-3, 1.0);
            let heights = (0..rows).map(|_| (0..columns).map(|_| rng.uniform(-steep, steep)).collect()).collect();
            Solid::Field(heights, [rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6)])
        }
        1 => Solid::Cloud((0..1 + rng.index(60)).map(|_| rng.in_ball(1.0)).collect(), rng.log_uniform(1e-3, 0.3)),
        _ => Solid::HalfSpace(rng.in_ball(1.0) + DVec3::Z, rng.uniform(-1.0, 1.0)),
    }
}

/// Flat, tapered and combined shapes, compounds, and what is padded.
pub(crate) fn composed(rng: &mut Rng) -> Solid {
    let [x, y, z] = [(); 3].map(|()| rng.log_uniform(0.05, 1.5));
    match rng.index(12) {
        0 => Solid::Point,
        1 => Solid::Rectangle([x, y]),
        2 => Solid::Ellipse([x, y]),
        3 => Solid::Lozenge([x, y], z),
        4 => Solid::Wheel([x, 0.5 * y]),
        5 => Solid::Frustum([[x, y], [x * rng.uniform(0.0, 1.0), y * rng.uniform(0.0, 1.0)]], z),
        6 => Solid::Triangle([(); 3].map(|()| rng.in_ball(1.0))),
        7 => Solid::TaperedCapsule(x, [y, (y + x * rng.uniform(-1.0, 1.0)).max(0.02)]),
        8 => Solid::Sum(Box::new([(); 2].map(|()| part(rng, curved)))),
        9 => Solid::HullOf(Box::new([(); 2].map(|()| part(rng, curved)))),
        10 => Solid::Compound((0..2 + rng.index(3)).map(|_| part(rng, part_of_compound)).collect()),
        _ => {
            let inner = [curved, mesh, convex_hull, flat][rng.index(4)](rng);
            Solid::Padded(Box::new(inner), rng.log_uniform(1e-3, 0.3))
        }
    }
}

fn part(rng: &mut Rng, solid: impl Fn(&mut Rng) -> Solid) -> Part {
    let rotation = if rng.chance(0.3) { DQuat::IDENTITY } else { rng.rotation() };
    Part { solid: solid(rng), place: Place { rotation, at: rng.in_ball(0.8) } }
}

fn part_of_compound(rng: &mut Rng) -> Solid {
    [curved, curved, convex_hull, mesh][rng.index(4)](rng)
}

pub(crate) fn convex_hull(rng: &mut Rng) -> Solid {
    Solid::Hull((0..6 + rng.index(8)).map(|_| rng.in_ball(0.6)).collect())
}

fn flat(rng: &mut Rng) -> Solid {
    Solid::Triangle([(); 3].map(|()| rng.in_ball(1.0)))
}
