//! The point of a simplex nearest to the origin, by Voronoi regions (implicit-objects thesis, section 2.3.2, erratum 1).
//!
//! Departures, all for the sake of rounding. The inside tests of a triangle use `n·(a × ab)` with the edge as one factor
//! instead of products of projections, so a small triangle far from the origin keeps its digits; the nearest point in its
//! interior is the projection `n (n·a)/n²` and not a combination of weights. An edge is considered only if the origin is
//! outside it, and of two such edges the nearer one wins: no case analysis that rounding could contradict. A tetrahedron is
//! its faces: the nearest of those that have the origin and the fourth corner on different sides.

use super::minkowski::Vertex;
use crate::math::{Real, Vec3};

/// Up to four points of M with the weights of the nearest point.
#[derive(Debug, Clone, Copy)]
pub struct Simplex {
    vertices: [Vertex; 4],
    weights: [Real; 4],
    len: usize,
}

/// The nearest point of a sub-simplex: which corners it needs, with what weights.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The point.
    pub point: Vec3,
    corners: [u8; 3],
    weights: [Real; 3],
    len: usize,
}

/// What a simplex says about the origin.
#[derive(Debug, Clone, Copy)]
pub enum Region {
    /// It is not inside; the nearest point.
    Outside(Vec3),
    /// It is inside the tetrahedron, whose weights represent it.
    Inside,
}

impl Default for Simplex {
    fn default() -> Self {
        Self { vertices: [Vertex::ZERO; 4], weights: [0.0; 4], len: 0 }
    }
}

impl Simplex {
    /// Its corners.
    #[inline]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// The weights of the nearest point, by corner.
    #[inline]
    pub fn weights(&self) -> &[Real] {
        &self.weights[..self.len]
    }

    /// Adds a corner; there is room as long as the last answer was `Outside`.
    #[inline]
    pub fn push(&mut self, vertex: Vertex) {
        if self.len < 4 {
            self.vertices[self.len] = vertex;
            self.weights[self.len] = if self.len == 0 { 1.0 } else { 0.0 };
            self.len += 1;
        }
    }

    /// Whether a corner has the same position.
    #[inline]
    pub fn contains(&self, vertex: &Vertex) -> bool {
        self.vertices().iter().any(|corner| corner.m == vertex.m)
    }

    /// Corrects the weights of a triangle or a tetrahedron so that they represent `target` as well as they can. The weights of
    /// a thin one come with an error that is large along it; a step against the rest removes it, since a weight is linear in
    /// the point.
    pub fn refine(&mut self, target: Vec3) {
        let m: [Vec3; 4] = std::array::from_fn(|i| self.vertices[i].m);
        let reached: Vec3 = self.vertices().iter().zip(self.weights()).map(|(vertex, &weight)| vertex.m * weight).sum();
        let missing = target - reached;
        let [a, b, c, d] = m;
        let steps = match self.len {
            3 => {
                let normal = (b - a).cross(c - a);
                let slope = missing.cross(normal) / normal.length_squared();
                [c - b, a - c, b - a, Vec3::ZERO].map(|edge| slope.dot(edge))
            }
            4 => [[b, c, d, a], [a, c, d, b], [a, b, d, c], [a, b, c, d]].map(|[p, q, r, apex]| {
                let normal = (q - p).cross(r - p);
                normal.dot(missing) / normal.dot(apex - p)
            }),
            _ => return,
        };
        if steps.iter().all(|step| step.is_finite()) {
            self.weights.iter_mut().zip(steps).for_each(|(weight, step)| *weight += step);
        }
    }

    /// The nearest point as a point of A and one of B.
    #[inline]
    pub fn points(&self) -> [Vec3; 2] {
        let mut points = [Vec3::ZERO; 2];
        for (vertex, &weight) in self.vertices().iter().zip(self.weights()) {
            points[0] += vertex.a * weight;
            points[1] += vertex.b * weight;
        }
        points
    }

    /// The normal of the triangle, if the simplex is one; its length is twice the area.
    #[inline]
    pub fn triangle_normal(&self) -> Option<Vec3> {
        let [a, b, c] = [self.vertices[0].m, self.vertices[1].m, self.vertices[2].m];
        (self.len == 3).then(|| (b - a).cross(c - a))
    }

    /// Finds the nearest point and keeps only the corners it needs. `newest_last` promises that the last corner was just
    /// added towards the origin, so that the origin is not beyond the face opposite to it.
    #[inline]
    pub fn reduce(&mut self, newest_last: bool) -> Region {
        let m = |i: usize| self.vertices[i].m;
        let nearest = match self.len {
            0 => return Region::Outside(Vec3::ZERO),
            1 => Nearest::corner(m(0), 0),
            2 => segment(m(0), m(1), [0, 1]),
            3 => triangle(m(0), m(1), m(2), [0, 1, 2]),
            _ => match tetrahedron([m(0), m(1), m(2), m(3)], newest_last) {
                Ok(weights) => {
                    self.weights = weights;
                    return Region::Inside;
                }
                Err(nearest) => nearest,
            },
        };
        self.keep(&nearest);
        Region::Outside(nearest.point)
    }

    #[inline]
    fn keep(&mut self, nearest: &Nearest) {
        // Corners come in ascending order, so that moving them down overwrites none that is still needed.
        for i in 0..nearest.len {
            self.vertices[i] = self.vertices[nearest.corners[i] as usize];
            self.weights[i] = nearest.weights[i];
        }
        self.len = nearest.len;
    }
}

impl Simplex {
    /// Keeps some corners, given in ascending order with their weights.
    pub fn keep_corners(&mut self, corners: impl Iterator<Item = (usize, Real)>) {
        let mut len = 0;
        for (corner, weight) in corners {
            self.vertices[len] = self.vertices[corner];
            self.weights[len] = weight;
            len += 1;
        }
        self.len = len;
    }
}

impl Nearest {
    #[inline]
    fn corner(point: Vec3, corner: u8) -> Self {
        Self { point, corners: [corner, 0, 0], weights: [1.0, 0.0, 0.0], len: 1 }
    }

    #[inline]
    fn or(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.point.length_squared() < self.point.length_squared() => other,
            _ => self,
        }
    }
}

#[inline]
fn segment(a: Vec3, b: Vec3, corners: [u8; 2]) -> Nearest {
    let ab = b - a;
    let (before, after) = (-a.dot(ab), b.dot(ab));
    if !(before > 0.0) {
        return Nearest::corner(a, corners[0]);
    }
    if !(after > 0.0) {
        return Nearest::corner(b, corners[1]);
    }
    let square = ab.length_squared();
    let (to_b, to_a) = (before / square, after / square);
    // From the nearer end, so that the smaller weight is the exact one.
    let point = if to_b < to_a { a + ab * to_b } else { b - ab * to_a };
    // Once more at a right angle: what rounding left along the edge is nothing to the point but, where the point is near the
    // origin, much to its direction.
    let point = point - ab * (point.dot(ab) / square);
    let to_b = if to_b < to_a { to_b } else { 1.0 - to_a };
    Nearest { point, corners: [corners[0], corners[1], 0], weights: [1.0 - to_b, to_b, 0.0], len: 2 }
}

#[inline]
fn triangle(a: Vec3, b: Vec3, c: Vec3, corners: [u8; 3]) -> Nearest {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let normal = ab.cross(-ca);
    let square = normal.length_squared();
    let weights = [normal.dot(b.cross(bc)), normal.dot(c.cross(ca)), normal.dot(a.cross(ab))];
    if weights[0] > 0.0 && weights[1] > 0.0 && weights[2] > 0.0 {
        let scale = 1.0 / (weights[0] + weights[1] + weights[2]);
        let point = normal * (normal.dot(a) / square);
        return Nearest { point, corners, weights: weights.map(|w| w * scale), len: 3 };
    }
    let beyond = |weight: Real, a: Vec3, b: Vec3, i: usize, j: usize| {
        (!(weight > 0.0)).then(|| segment(a, b, [corners[i], corners[j]]))
    };
    let edges = [beyond(weights[2], a, b, 0, 1), beyond(weights[0], b, c, 1, 2), beyond(weights[1], a, c, 0, 2)];
    let [first, second, third] = edges;
    match (first, second) {
        (Some(nearest), _) => nearest.or(second).or(third),
        (None, Some(nearest)) => nearest.or(third),
        (None, None) => third.unwrap_or(Nearest::corner(a, corners[0])),
    }
}

/// The weights of the origin if it is inside, else the nearest point of the surface.
#[inline]
fn tetrahedron(m: [Vec3; 4], newest_last: bool) -> Result<[Real; 4], Nearest> {
    const FACES: [[u8; 4]; 4] = [[0, 1, 3, 2], [1, 2, 3, 0], [0, 2, 3, 1], [0, 1, 2, 3]];
    let mut nearest: Option<Nearest> = None;
    let mut volumes = [0.0; 4];
    for [i, j, k, opposite] in FACES {
        let [a, b, c, d] = [i, j, k, opposite].map(|corner| m[corner as usize]);
        let normal = (b - a).cross(c - a);
        let (height, origin) = (normal.dot(d - a), -normal.dot(a));
        volumes[opposite as usize] = origin.abs();
        // Outside, or flat, where neither side is the inside.
        let outside = !(height * origin > 0.0);
        if outside && !(newest_last && opposite == 3) {
            let face = triangle(a, b, c, [i, j, k]);
            nearest = Some(nearest.map_or(face, |best| best.or(Some(face))));
        }
    }
    match nearest {
        Some(nearest) => Err(nearest),
        None => {
            let sum = volumes.iter().sum::<Real>();
            Ok(volumes.map(|volume| volume / sum))
        }
    }
}
