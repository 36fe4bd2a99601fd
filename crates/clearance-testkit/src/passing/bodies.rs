//! Bodies to move: hulls, boxes, tetrahedra, concave ones, polygons, needles and plates.

use std::f64::consts::TAU;

use glam::DVec3;

use super::worlds::cells;
use crate::meshes::Polyhedron;
use crate::random::Rng;
use crate::solid::Solid;

/// The kinds of bodies.
pub const KINDS: usize = 9;
/// What they are.
pub const NAMES: [&str; KINDS] =
    ["hull", "box", "tetrahedron", "blocks", "notched", "star", "polygon", "needle", "plate"];

/// A random body of a kind below [`KINDS`] that reaches about as far as `size` from its origin.
pub fn body(kind: usize, size: f64, rng: &mut Rng) -> Polyhedron {
    let made = match kind {
        0 => hull(rng, 10, 1.0),
        1 => Polyhedron::cuboid(DVec3::from_array([0; 3].map(|_| rng.uniform(0.15, 0.7)))),
        2 => hull(rng, 4, 1.0),
        3 => blocks(rng),
        4 => Polyhedron::notched().mapped(|v| v * DVec3::new(0.6, 0.4, 0.6)),
        5 => prism(&star_outline(3 + rng.index(5), 0.9, rng.uniform(0.3, 0.6)), rng.uniform(0.05, 0.4)),
        6 => polygon(rng),
        7 => prism(&star_outline(2, 0.03, 0.02), 1.0),
        _ => Polyhedron::cuboid(DVec3::new(0.8, 0.6, 0.004)),
    };
    made.mapped(|v| v * size)
}

/// The hull of random points in a ball.
pub fn hull(rng: &mut Rng, most: usize, radius: f64) -> Polyhedron {
    loop {
        let count = if most > 4 { 5 + rng.index(most - 4) } else { 4 };
        let points: Vec<DVec3> = (0..count).map(|_| rng.in_ball(radius)).collect();
        if let Some(Solid { vertices, faces }) = Solid::hull(&points) {
            let faces = faces.into_iter().map(|face| face.into_iter().map(|v| v as u32).collect());
            return Polyhedron { vertices, faces: faces.collect() };
        }
    }
}

/// Some of the eight cells of a cube, with the corners moved half of the time.
fn blocks(rng: &mut Rng) -> Polyhedron {
    loop {
        let filled: Vec<bool> = (0..8).map(|_| rng.chance(0.6)).collect();
        let jitter = if rng.chance(0.5) { 0.1 } else { 0.0 };
        let cell = |c: [i32; 3]| filled[(c[0] * 4 + c[1] * 2 + c[2]) as usize];
        if let Some(made) = cells([2, 2, 2], false, jitter, rng, cell) {
            return made.mapped(|v| (v - DVec3::ONE) * 0.6);
        }
    }
}

/// One polygon with two sides.
fn polygon(rng: &mut Rng) -> Polyhedron {
    let count = 3 + rng.index(3);
    let corner = |i: usize| {
        let (sin, cos) = (i as f64 * TAU / count as f64).sin_cos();
        DVec3::new(cos, sin, 0.0)
    };
    let front: Vec<u32> = (0..count as u32).collect();
    let back = front.iter().rev().copied().collect();
    Polyhedron { vertices: (0..count).map(corner).collect(), faces: vec![front, back] }
}

/// The corners of a star in the plane, outer and inner ones in turn.
pub fn star_outline(points: usize, outer: f64, inner: f64) -> Vec<[f64; 2]> {
    let corner = |i: usize| {
        let (sin, cos) = (i as f64 * TAU / (2 * points) as f64).sin_cos();
        let radius = if i.is_multiple_of(2) { outer } else { inner };
        [radius * cos, radius * sin]
    };
    (0..2 * points).map(corner).collect()
}

/// A prism about z over an outline that its centre sees all of; the caps are cut at the centre.
pub fn prism(outline: &[[f64; 2]], half: f64) -> Polyhedron {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&[x, y]| DVec3::new(x, y, z)).chain([DVec3::new(0.0, 0.0, z)]);
    let vertices = level(-half).chain(level(half)).collect();
    let top = n + 1;
    let mut faces = Vec::new();
    for i in 0..n {
        let next = (i + 1) % n;
        faces.extend([vec![n, next, i], vec![top + n, top + i, top + next], vec![i, next, top + next, top + i]]);
    }
    Polyhedron { vertices, faces }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passing::Surface;

    #[test]
    fn bodies_are_closed_and_of_about_their_size() {
        let mut rng = Rng::new(3);
        for i in 0..200 {
            let made = body(i % KINDS, 0.5, &mut rng);
            let surface = Surface::new(&made);
            assert!(surface.closed && surface.anchors.len() <= 2, "kind {}", i % KINDS);
            assert!((0.05..0.8).contains(&surface.reach()), "kind {}: {}", i % KINDS, surface.reach());
            assert!(made.volume() >= 0.0);
        }
    }
}
