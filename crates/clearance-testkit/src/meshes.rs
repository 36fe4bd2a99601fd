//! Polyhedra of any shape: tori, knots, shells, terrain, stars and slivers.

use std::collections::HashMap;
use std::f64::consts::TAU;

use glam::DVec3;

use crate::Rng;

/// Vertices and faces, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Polyhedron {
    /// The vertices.
    pub vertices: Vec<DVec3>,
    /// The faces, as lists of vertices.
    pub faces: Vec<Vec<u32>>,
}

impl Polyhedron {
    /// A box about the origin, by its half extents, with six faces.
    pub fn cuboid(half: DVec3) -> Self {
        let corner = |i: u32| DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4)) * half;
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self { vertices: (0..8).map(corner).collect(), faces: faces.map(|face| face.to_vec()).to_vec() }
    }

    /// A tube of this radius around a closed curve, in `along` times `around` quadrilaterals cut in two.
    fn tube(curve: impl Fn(f64) -> DVec3, radius: f64, along: u32, around: u32) -> Self {
        let step = TAU / f64::from(along);
        let mut vertices = Vec::new();
        for i in 0..along {
            let t = f64::from(i) * step;
            let (before, here, after) = (curve(t - 1e-3), curve(t), curve(t + 1e-3));
            let tangent = (after - before).normalize();
            let bend = after + before - here * 2.0;
            let normal = (bend - tangent * tangent.dot(bend)).normalize();
            let side = tangent.cross(normal);
            for j in 0..around {
                let (sin, cos) = (f64::from(j) * TAU / f64::from(around)).sin_cos();
                vertices.push(here + (normal * cos + side * sin) * radius);
            }
        }
        let at = |i: u32, j: u32| (i % along) * around + j % around;
        let mut faces = Vec::new();
        for i in 0..along {
            for j in 0..around {
                let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
                faces.extend([vec![a, b, c], vec![a, c, d]].map(|mut face| {
                    face.reverse();
                    face
                }));
            }
        }
        let mut solid = Self { vertices, faces };
        if solid.volume() < 0.0 {
            solid.faces.iter_mut().for_each(|face| face.reverse());
        }
        solid
    }

    /// A torus about z.
    pub fn torus(major: f64, minor: f64, along: u32, around: u32) -> Self {
        Self::tube(|t| DVec3::new(major * t.cos(), major * t.sin(), 0.0), minor, along, around)
    }

    /// A trefoil knot about three units wide.
    pub fn trefoil(radius: f64, along: u32, around: u32) -> Self {
        let curve =
            |t: f64| DVec3::new(t.sin() + 2.0 * (2.0 * t).sin(), t.cos() - 2.0 * (2.0 * t).cos(), -(3.0 * t).sin());
        Self::tube(curve, radius, along, around)
    }

    /// A sphere of 8 times four to this power triangles, each vertex at the radius that `radius` gives for its direction.
    pub fn star(subdivisions: u32, mut radius: impl FnMut(DVec3) -> f64) -> Self {
        let mut vertices: Vec<DVec3> =
            [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]).collect();
        let mut faces: Vec<[u32; 3]> =
            vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        for _ in 0..subdivisions {
            let mut middles = HashMap::new();
            let mut middle = |a: u32, b: u32, vertices: &mut Vec<DVec3>| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            };
            let mut finer = Vec::with_capacity(faces.len() * 4);
            for [a, b, c] in faces {
                let [p, q, r] = [[a, b], [b, c], [c, a]].map(|[u, v]| middle(u, v, &mut vertices));
                finer.extend([[a, p, r], [p, b, q], [r, q, c], [p, q, r]]);
            }
            faces = finer;
        }
        let vertices = vertices.into_iter().map(|v| v * radius(v)).collect();
        Self { vertices, faces: faces.into_iter().map(|face| face.to_vec()).collect() }
    }

    /// A sphere.
    pub fn sphere(radius: f64, subdivisions: u32) -> Self {
        Self::star(subdivisions, |_| radius)
    }

    /// A sphere with a hollow.
    pub fn shell(outer: f64, inner: f64, subdivisions: u32) -> Self {
        Self::sphere(outer, subdivisions).joined(&Self::sphere(inner, subdivisions).inside_out())
    }

    /// A square of terrain from −1 to 1 with heights up to 0.2, open.
    pub fn terrain(rng: &mut Rng, cells: u32) -> Self {
        let place = |i: u32| -1.0 + 2.0 * f64::from(i) / f64::from(cells);
        let mut vertices = Vec::new();
        for i in 0..=cells {
            for j in 0..=cells {
                vertices.push(DVec3::new(place(i), place(j), rng.uniform(0.0, 0.2)));
            }
        }
        let at = |i: u32, j: u32| i * (cells + 1) + j;
        let cell = |i: u32, j: u32| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [vec![a, b, c], vec![a, c, d]]
        };
        let faces = (0..cells).flat_map(|i| (0..cells).flat_map(move |j| cell(i, j))).collect();
        Self { vertices, faces }
    }

    /// A U-shaped prism: the box from −1 to 1 with a notch of half its width and height from above, in convex faces.
    pub fn notched() -> Self {
        let outline = [
            [-1., -1.],
            [-0.5, -1.],
            [0.5, -1.],
            [1., -1.],
            [1., 1.],
            [0.5, 1.],
            [0.5, 0.],
            [-0.5, 0.],
            [-0.5, 1.],
            [-1., 1.],
        ];
        let n = outline.len() as u32;
        let level = |y: f64| outline.map(|[x, z]: [f64; 2]| DVec3::new(x, y, z));
        let vertices = [level(-1.0), level(1.0)].concat();
        // The left arm with a corner in its side, the middle and the right arm.
        let cells = [vec![0, 1, 7, 8, 9], vec![1, 2, 6, 7], vec![2, 3, 4, 5, 6]];
        let mut faces: Vec<Vec<u32>> = cells.to_vec();
        faces.extend(cells.map(|cell| cell.iter().rev().map(|v| v + n).collect()));
        faces.extend((0..n).map(|i| vec![(i + 1) % n, i, i + n, (i + 1) % n + n]));
        Self { vertices, faces }
    }

    /// A tetrahedron a million times longer than wide, at random.
    pub fn sliver(rng: &mut Rng) -> Self {
        let turn = rng.rotation();
        let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.4, 1e-6, 0.0), DVec3::new(0.7, 3e-7, 1e-6)];
        let mut solid = Self {
            vertices: corners.map(|p| turn * p).to_vec(),
            faces: vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]],
        };
        if solid.volume() < 0.0 {
            solid = solid.inside_out();
        }
        solid
    }

    /// Triangles at random places, each with vertices of its own.
    pub fn soup(rng: &mut Rng, count: u32, size: f64) -> Self {
        let mut vertices = Vec::new();
        for _ in 0..count {
            let place = rng.in_box(DVec3::ONE);
            vertices.extend([0; 3].map(|_| place + rng.in_ball(size)));
        }
        Self { vertices, faces: (0..count).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect() }
    }

    /// All faces turned over.
    pub fn inside_out(mut self) -> Self {
        self.faces.iter_mut().for_each(|face| face.reverse());
        self
    }

    /// Both, as parts of one.
    pub fn joined(mut self, other: &Self) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.faces.extend(other.faces.iter().map(|face| face.iter().map(|v| v + first).collect()));
        self
    }

    /// Every vertex mapped.
    pub fn mapped(mut self, f: impl FnMut(DVec3) -> DVec3) -> Self {
        self.vertices = self.vertices.into_iter().map(f).collect();
        self
    }

    /// The volume of a closed one.
    pub fn volume(&self) -> f64 {
        self.triangles().iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum()
    }

    /// Each face as a fan from its first vertex.
    pub fn triangles(&self) -> Vec<[DVec3; 3]> {
        let at = |v: u32| self.vertices[v as usize];
        let fan = |face: &Vec<u32>| face[1..].windows(2).map(|w| [at(face[0]), at(w[0]), at(w[1])]).collect::<Vec<_>>();
        self.faces.iter().flat_map(fan).collect()
    }
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_about_right() {
        let torus = Polyhedron::torus(2.0, 0.5, 100, 50).volume();
        assert!((torus / (TAU * 2.0 * 0.25 * TAU / 2.0) - 1.0).abs() < 0.01, "{torus}");
        assert!((Polyhedron::sphere(1.0, 4).volume() / (TAU * 2.0 / 3.0) - 1.0).abs() < 0.02);
        assert!((Polyhedron::notched().volume() - 6.0).abs() < 1e-12);
        assert!((Polyhedron::cuboid(DVec3::ONE).volume() - 8.0).abs() < 1e-12);
        assert!(Polyhedron::trefoil(0.3, 60, 8).volume() > 1.0);
        let shell = Polyhedron::shell(1.0, 0.5, 2);
        assert!((shell.volume() / Polyhedron::sphere(1.0, 2).volume() - 0.875).abs() < 1e-12);
    }
}
