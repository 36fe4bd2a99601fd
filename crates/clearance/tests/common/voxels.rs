//! Concave polyhedra from cells of a grid, and a slow look at whether two polyhedra in poses go through each other.

use clearance::ccd::polyhedra::Polyhedron;
use clearance::math::{narrow, widen};
use clearance::shape::mesh::Kind;
use clearance::{Mesh, MeshOptions, Polytope, Pose, Vec3};
use clearance_testkit::{Rng, features};
use glam::{DMat3, DVec3};
use std::collections::HashMap;

/// A polyhedron for casts, and its polygons for the oracle.
pub struct Poly {
    pub cast: Polyhedron,
    pub points: Vec<DVec3>,
    pub faces: Vec<Vec<u32>>,
    pub edges: Vec<[u32; 2]>,
    pub room: bool,
}

impl Poly {
    pub fn new(points: &[DVec3], faces: Vec<Vec<u32>>) -> Option<Self> {
        Self::of_kind(points, faces, Kind::Auto)
    }

    fn of_kind(points: &[DVec3], faces: Vec<Vec<u32>>, kind: Kind) -> Option<Self> {
        let held: Vec<Vec3> = points.iter().map(|&p| narrow(p)).collect();
        let options = MeshOptions { kind, ..MeshOptions::default() };
        let cast = Polyhedron::from(&Mesh::with_options(&held, &faces, &options).ok()?);
        let mut edges: Vec<[u32; 2]> =
            faces.iter().flat_map(|f| (0..f.len()).map(|i| [f[i], f[(i + 1) % f.len()]])).collect();
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.sort_unstable();
        edges.dedup();
        Some(Self { cast, points: held.into_iter().map(widen).collect(), faces, edges, room: kind == Kind::Room })
    }

    /// The hull of some points.
    pub fn hull(points: &[DVec3]) -> Option<Self> {
        let held: Vec<Vec3> = points.iter().map(|&p| narrow(p)).collect();
        let polytope = Polytope::from_points(&held).ok()?;
        let faces = (0..polytope.face_count() as u32).map(|f| polytope.face_vertices(f).collect()).collect();
        let corners: Vec<DVec3> = polytope.vertices().iter().map(|&p| widen(p)).collect();
        let mut poly = Self::new(&corners, faces)?;
        poly.cast = Polyhedron::from(&polytope);
        Some(poly)
    }

    pub fn cuboid(half: DVec3) -> Self {
        let corners: Vec<DVec3> = (0..8)
            .map(|i| half * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - half)
            .collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self::new(&corners, faces.iter().map(|f| f.to_vec()).collect()).unwrap()
    }

    pub fn scaled(&self, by: f64) -> Self {
        let points: Vec<DVec3> = self.points.iter().map(|p| *p * by).collect();
        Self::new(&points, self.faces.clone()).unwrap()
    }

    pub fn placed(&self, pose: &Pose) -> Placed<'_> {
        let m = pose.matrix();
        let m = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
        self.placed_at(|p| m * p + widen(pose.translation()))
    }

    /// Each point where a map takes it.
    pub fn placed_at(&self, place: impl Fn(DVec3) -> DVec3) -> Placed<'_> {
        let points: Vec<DVec3> = self.points.iter().map(|&p| place(p)).collect();
        let bounds = |corners: &[u32]| {
            let at = corners.iter().map(|&v| points[v as usize]);
            at.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[lo, hi], p| [lo.min(p), hi.max(p)])
        };
        let boxes = [
            self.faces.iter().map(|face| bounds(face)).collect(),
            self.edges.iter().map(|edge| bounds(edge)).collect(),
        ];
        Placed { poly: self, points, boxes }
    }
}

pub struct Placed<'a> {
    poly: &'a Poly,
    pub points: Vec<DVec3>,
    boxes: [Vec<[DVec3; 2]>; 2],
}

fn apart(a: &[DVec3; 2], b: &[DVec3; 2], by: f64) -> bool {
    (a[0] - by).cmpgt(b[1]).any() || (b[0] - by).cmpgt(a[1]).any()
}

impl Placed<'_> {
    fn corners(&self, face: usize) -> Vec<DVec3> {
        self.poly.faces[face].iter().map(|&v| self.points[v as usize]).collect()
    }

    /// Whether some edge of this goes through a polygon of the other, by more than a margin at its ends and sideways.
    fn pierces(&self, other: &Placed, margin: f64) -> bool {
        for (edge, edge_box) in self.poly.edges.iter().zip(&self.boxes[1]) {
            for face in 0..other.poly.faces.len() {
                if apart(edge_box, &other.boxes[0][face], 0.0) {
                    continue;
                }
                let corners = other.corners(face);
                let [p, q] = edge.map(|v| self.points[v as usize]);
                for i in 1..corners.len() - 1 {
                    let triangle = [corners[0], corners[i], corners[i + 1]];
                    let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalize_or_zero();
                    let (from, to) = (normal.dot(p - triangle[0]), normal.dot(q - triangle[0]));
                    if from.min(to) > -margin || from.max(to) < margin {
                        continue;
                    }
                    let at = p + (q - p) * (from / (from - to));
                    // By how much the edge would have to move sideways to pass a side of the triangle.
                    let inside = |i: usize| {
                        let side = triangle[(i + 1) % 3] - triangle[i];
                        let across = side.cross(q - p).normalize_or_zero();
                        normal.cross(side).dot(at - triangle[i]) > 0.0 && across.dot(at - triangle[i]).abs() > margin
                    };
                    if (0..3).all(inside) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether the surfaces go through each other by more than a margin.
    pub fn meets(&self, other: &Placed, margin: f64) -> bool {
        self.pierces(other, margin) || other.pierces(self, margin)
    }

    /// How often the surface winds about a point: the sum of the angles under which its triangles are seen.
    pub fn winding(&self, p: DVec3) -> f64 {
        let mut total = 0.0;
        for face in 0..self.poly.faces.len() {
            let corners = self.corners(face);
            for i in 1..corners.len() - 1 {
                let [a, b, c] = [corners[0], corners[i], corners[i + 1]].map(|q| (q - p).normalize_or_zero());
                let under = 1.0 + a.dot(b) + b.dot(c) + c.dot(a);
                total += 2.0 * a.dot(b.cross(c)).atan2(under);
            }
        }
        total / (4.0 * std::f64::consts::PI)
    }

    /// Whether a point is in the solid; about a room the solid is outside.
    pub fn is_solid(&self, p: DVec3) -> bool {
        self.winding(p) > if self.poly.room { -0.5 } else { 0.5 }
    }

    /// The distance of a point from the surface.
    pub fn boundary_distance(&self, p: DVec3) -> f64 {
        let all = (0..self.poly.faces.len()).map(|face| features::point_polygon(p, &self.corners(face)));
        all.fold(f64::INFINITY, f64::min)
    }

    /// The least distance of the surfaces, up to a limit.
    pub fn distance(&self, other: &Placed, limit: f64) -> f64 {
        let mut least = limit;
        for (i, one) in self.boxes[0].iter().enumerate() {
            for (j, two) in other.boxes[0].iter().enumerate() {
                if !apart(one, two, least) {
                    least = least.min(features::distance(&self.corners(i), &other.corners(j)));
                }
            }
        }
        least
    }
}

/// The boundary between free and solid cells of a grid of so many cells along each axis, facing the free side. Cells out of the
/// grid are free, or solid for a room. None if two cells meet at an edge only.
pub fn cells(size: [i32; 3], room: bool, jitter: f64, rng: &mut Rng, solid: impl Fn([i32; 3]) -> bool) -> Option<Poly> {
    let is_solid = |cell: [i32; 3]| {
        let within = (0..3).all(|i| (0..size[i]).contains(&cell[i]));
        if within { solid(cell) } else { room }
    };
    let (mut numbers, mut points, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    let grid = |n: i32| -1..n + 1;
    for (x, y, z) in grid(size[0]).flat_map(|x| grid(size[1]).flat_map(move |y| grid(size[2]).map(move |z| (x, y, z))))
    {
        for axis in 0..3 {
            for step in [-1, 1] {
                let cell = [x, y, z];
                let mut next = cell;
                next[axis] += step;
                if !is_solid(cell) || is_solid(next) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut square = [[0, 0], [1, 0], [1, 1], [0, 1]];
                if step < 0 {
                    square.reverse();
                }
                let corners = square.map(|[a, b]| {
                    let mut corner = cell;
                    corner[axis] += i32::from(step > 0);
                    corner[u] += a;
                    corner[v] += b;
                    *numbers.entry(corner).or_insert_with(|| {
                        let at = DVec3::new(f64::from(corner[0]), f64::from(corner[1]), f64::from(corner[2]));
                        points.push(at + rng.in_ball(1.0) * jitter);
                        points.len() as u32 - 1
                    })
                });
                if jitter > 0.0 {
                    let [a, b, c, d] = corners;
                    faces.extend([vec![a, b, c], vec![a, c, d]]);
                } else {
                    faces.push(corners.to_vec());
                }
            }
        }
    }
    Poly::of_kind(&points, faces, if room { Kind::Room } else { Kind::Auto })
}

/// A random concave world of about 4 × 4 × 3 cells: a staircase of columns, a block with notches, or a room with pillars.
pub fn world(rng: &mut Rng) -> Poly {
    loop {
        let jitter = if rng.chance(0.5) { 0.15 } else { 0.0 };
        let kind = rng.index(3);
        let heights: Vec<i32> = (0..16).map(|_| rng.integer(0, 3) as i32).collect();
        let holes: Vec<bool> = (0..64).map(|_| rng.chance(0.2)).collect();
        let column = |cell: [i32; 3]| (cell[0] * 4 + cell[1]) as usize;
        let made = match kind {
            0 => cells([4, 4, 4], false, jitter, rng, |cell| cell[2] == 0 || cell[2] <= heights[column(cell)]),
            1 => cells([3, 3, 3], false, jitter, rng, |c| !holes[(c[0] * 9 + c[1] * 3 + c[2]) as usize]),
            _ => cells([4, 4, 4], true, jitter, rng, |cell| cell[2] < heights[column(cell)] - 1),
        };
        if let Some(poly) = made.filter(|poly| poly.cast.is_closed()) {
            return poly;
        }
    }
}

/// A random body of about half a unit: a hull, a box or a concave piece.
pub fn body(rng: &mut Rng) -> Poly {
    loop {
        let made = match rng.index(3) {
            0 => {
                let count = 4 + rng.index(8);
                let points: Vec<DVec3> = (0..count).map(|_| rng.in_ball(0.5)).collect();
                Poly::hull(&points)
            }
            1 => Some(Poly::cuboid(DVec3::new(rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5)))),
            _ => {
                let filled: Vec<bool> = (0..8).map(|_| rng.chance(0.6)).collect();
                let jitter = if rng.chance(0.5) { 0.1 } else { 0.0 };
                let cell = |c: [i32; 3]| filled[(c[0] * 4 + c[1] * 2 + c[2]) as usize];
                cells([2, 2, 2], false, jitter, rng, cell).map(|poly| poly.scaled(0.35))
            }
        };
        if let Some(poly) = made.filter(|poly| poly.cast.is_closed()) {
            return poly;
        }
    }
}
