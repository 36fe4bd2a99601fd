//! The point of a simplex nearest to the origin, by Voronoi regions (implicit-objects thesis, section 2.3.2, erratum 1).
//!
//! Departures, all for the sake of rounding. The inside tests of a triangle use `n·(a × ab)` with the edge as one factor
//! instead of products of projections, so a small triangle far from the origin keeps its digits; the nearest point in its
//! interior is the projection `n (n·a)/n²` and not a combination of weights. An edge is considered only if the origin is
//! outside it, and of two such edges the nearer one wins: no case analysis that rounding could contradict. A tetrahedron is
//! its faces: the nearest of those that have the origin and the fourth corner on different sides.
//!
//! The corners are taken as exact: supports that are off by an error make a simplex of a body that is off by that error, and no
//! more. So all of this is done in f64 whatever the build's precision, and the normal of a sliver in pairs of doubles: what the
//! shape of a simplex adds to the error is then nothing.

use glam::DVec3;

use super::minkowski::Vertex;
use crate::math::exact::triangle_normal;
use crate::math::predicates::orient3d;
use crate::math::{Vec3, narrow, widen};
use crate::tolerance::{DOUBTFUL_VOLUME, SLIVER, THIN, WEIGHT_OVERSHOOT};

/// Up to four points of M with the weights of the nearest point.
#[derive(Debug, Clone, Copy)]
pub struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    len: usize,
}

/// The nearest point of a sub-simplex: which corners it needs, with what weights.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The point.
    pub point: DVec3,
    corners: [u8; 3],
    weights: [f64; 3],
    len: usize,
}

/// What a simplex says about the origin.
#[derive(Debug, Clone, Copy)]
pub enum Region {
    /// It is not inside; the nearest point.
    Outside(Nearest),
    /// It is inside the tetrahedron; the weights that represent it.
    Inside([f64; 4]),
}

impl Default for Simplex {
    fn default() -> Self {
        Self { vertices: [Vertex::ZERO; 4], weights: [0.0; 4], len: 0 }
    }
}

impl Simplex {
    /// A tetrahedron with the weights of a point inside it.
    pub fn with_weights(vertices: [Vertex; 4], weights: [f64; 4]) -> Self {
        Self { vertices, weights, len: 4 }
    }

    /// Its corners.
    #[inline]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// The weights of the nearest point, by corner.
    #[inline]
    pub fn weights(&self) -> &[f64] {
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

    /// Takes the last corner off again.
    #[inline]
    pub fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// Whether a corner has the same position.
    #[inline]
    pub fn contains(&self, vertex: &Vertex) -> bool {
        self.vertices().iter().any(|corner| corner.m == vertex.m)
    }

    /// Corrects the weights of a triangle or a tetrahedron so that they represent `target` as well as they can. The weights of
    /// a thin one come with an error that is large along it; a step against the rest removes it, since a weight is linear in
    /// the point.
    pub fn refine(&mut self, target: DVec3) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| widen(self.vertices[i].m));
        let terms = self.vertices().iter().zip(self.weights());
        let missing = target - terms.map(|(vertex, &weight)| widen(vertex.m) * weight).sum::<DVec3>();
        let steps = match self.len {
            3 => {
                let normal = normal_of(a, b, c);
                let slope = missing.cross(normal) / normal.length_squared();
                [c - b, a - c, b - a, DVec3::ZERO].map(|edge| slope.dot(edge))
            }
            4 => [[b, c, d, a], [a, c, d, b], [a, b, d, c], [a, b, c, d]].map(|[p, q, r, apex]| {
                let normal = normal_of(p, q, r);
                normal.dot(missing) / normal.dot(apex - p)
            }),
            _ => return,
        };
        // A simplex so thin that the step leaves it has no better weights to offer.
        if self.weights().iter().zip(steps).all(|(&weight, step)| weight + step >= -WEIGHT_OVERSHOOT) {
            // Not below zero, and one in all: the point remains one of the simplex.
            self.weights.iter_mut().zip(steps).for_each(|(weight, step)| *weight = (*weight + step).max(0.0));
            let inverse = 1.0 / self.weights().iter().sum::<f64>();
            self.weights.iter_mut().for_each(|weight| *weight *= inverse);
        }
    }

    /// The nearest point as a point of A and one of B.
    #[inline]
    pub fn points(&self) -> [Vec3; 2] {
        let (mut a, mut m) = (DVec3::ZERO, DVec3::ZERO);
        for (vertex, &weight) in self.vertices().iter().zip(self.weights()) {
            a += widen(vertex.a) * weight;
            m += widen(vertex.m) * weight;
        }
        [narrow(a), narrow(a + m)]
    }

    /// The normal of the triangle, if the simplex is one; its length is twice the area.
    #[inline]
    pub fn triangle_normal(&self) -> Option<DVec3> {
        let [a, b, c] = [0, 1, 2].map(|i: usize| widen(self.vertices[i].m));
        (self.len == 3).then(|| normal_of(a, b, c))
    }

    /// Finds the nearest point. `newest_last` promises that the last corner was just added towards the origin, so that the
    /// origin is not beyond the face opposite to it.
    #[inline]
    pub fn locate(&self, newest_last: bool) -> Region {
        let m = |i: usize| widen(self.vertices[i].m);
        match self.len {
            0 => Region::Outside(Nearest::corner(DVec3::ZERO, 0)),
            1 => Region::Outside(Nearest::corner(m(0), 0)),
            2 => Region::Outside(segment(m(0), m(1), [0, 1])),
            3 => Region::Outside(triangle(m(0), m(1), m(2), [0, 1, 2], newest_last)),
            _ => tetrahedron([m(0), m(1), m(2), m(3)], newest_last),
        }
    }

    /// Keeps only the corners that the nearest point needs, with their weights.
    #[inline]
    pub fn keep(&mut self, region: &Region) {
        match region {
            Region::Inside(weights) => self.weights = *weights,
            Region::Outside(nearest) => {
                // Corners come in ascending order, so that moving them down overwrites none that is still needed.
                for i in 0..nearest.len {
                    self.vertices[i] = self.vertices[nearest.corners[i] as usize];
                    self.weights[i] = nearest.weights[i];
                }
                self.len = nearest.len;
            }
        }
    }

    /// Finds the nearest point and keeps only what it needs; the point, or the origin if that is inside.
    pub fn reduce(&mut self) -> DVec3 {
        let region = self.locate(false);
        self.keep(&region);
        region.point()
    }
}

impl Region {
    /// The nearest point; the origin if that is inside.
    #[inline]
    pub fn point(&self) -> DVec3 {
        match self {
            Self::Outside(nearest) => nearest.point,
            Self::Inside(_) => DVec3::ZERO,
        }
    }
}

impl Nearest {
    /// From corners in ascending order with their weights.
    pub(super) fn new(point: DVec3, corners: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut nearest = Self { point, corners: [0; 3], weights: [0.0; 3], len: 0 };
        for (slot, (corner, weight)) in corners.take(3).enumerate() {
            nearest.corners[slot] = corner as u8;
            nearest.weights[slot] = weight;
            nearest.len = slot + 1;
        }
        nearest
    }

    #[inline]
    fn corner(point: DVec3, corner: u8) -> Self {
        Self { point, corners: [corner, 0, 0], weights: [1.0, 0.0, 0.0], len: 1 }
    }

    /// Nothing found yet: farther than anything.
    const NONE: Self = Self { point: DVec3::INFINITY, corners: [0; 3], weights: [0.0; 3], len: 0 };

    #[inline]
    fn or(self, other: Self) -> Self {
        if self.len > 0 && self.point.length_squared() <= other.point.length_squared() { self } else { other }
    }
}

#[inline]
fn segment(a: DVec3, b: DVec3, corners: [u8; 2]) -> Nearest {
    let ab = b - a;
    let (before, after) = (-a.dot(ab), b.dot(ab));
    if !(before > 0.0) {
        return Nearest::corner(a, corners[0]);
    }
    if !(after > 0.0) {
        return Nearest::corner(b, corners[1]);
    }
    let inverse = 1.0 / ab.length_squared();
    let (to_b, to_a) = (before * inverse, after * inverse);
    // From the nearer end, so that the smaller weight is the exact one.
    let from_a = to_b < to_a;
    let point = if from_a { a + ab * to_b } else { b - ab * to_a };
    let to_b = if from_a { to_b } else { 1.0 - to_a };
    // Once more at a right angle: what rounding left along the edge is nothing to the point but, where the point is near the
    // origin, much to its direction.
    let point = point - ab * (point.dot(ab) * inverse);
    Nearest { point, corners: [corners[0], corners[1], 0], weights: [1.0 - to_b, to_b, 0.0], len: 2 }
}

/// `(b − a) × (c − a)`, with extra bits where the triangle is so thin that a plain product would have lost too many.
///
/// The rounding of the product tilts it by the inverse of the triangle's thinness, in any direction. A tilt about the long side
/// moves the plane by little within the triangle; one across it by as much as the triangle is long, so that is taken out.
#[inline]
pub(super) fn normal_of(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let (ab_square, ac_square) = (ab.length_squared(), ac.length_squared());
    let (square, product) = (normal.length_squared(), ab_square * ac_square);
    if square > THIN * THIN * product {
        return normal;
    }
    if !(square > SLIVER * SLIVER * product) {
        return triangle_normal(a, b, c);
    }
    let (long, long_square) = if ab_square > ac_square { (ab, ab_square) } else { (ac, ac_square) };
    normal - long * (normal.dot(long) / long_square)
}

/// The nearest point of a triangle. With `newest_last` the edge between the first two corners was the nearest feature before
/// the third came towards the origin, so the origin is not beyond that edge.
#[inline]
fn triangle(a: DVec3, b: DVec3, c: DVec3, corners: [u8; 3], newest_last: bool) -> Nearest {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let normal = normal_of(a, b, c);
    let square = normal.length_squared();
    let (of_a, of_b) = (normal.dot(b.cross(bc)), normal.dot(c.cross(ca)));
    // The three add up to the square; the third is asked for itself only where its sign matters.
    let of_c = if newest_last { (square - of_a - of_b).max(f64::MIN_POSITIVE) } else { normal.dot(a.cross(ab)) };
    let flat = !(square > f64::MIN_POSITIVE);
    if of_a > 0.0 && of_b > 0.0 && of_c > 0.0 && !flat {
        let scale = 1.0 / (of_a + of_b + of_c);
        let point = normal * (normal.dot(a) / square);
        return Nearest { point, corners, weights: [of_a * scale, of_b * scale, of_c * scale], len: 3 };
    }
    let mut nearest = Nearest::NONE;
    if flat || !(of_a > 0.0) {
        nearest = segment(b, c, [corners[1], corners[2]]);
    }
    if flat || !(of_b > 0.0) {
        nearest = nearest.or(segment(a, c, [corners[0], corners[2]]));
    }
    if flat || !(of_c > 0.0) {
        nearest = nearest.or(segment(a, b, [corners[0], corners[1]]));
    }
    nearest
}

/// The weights of the origin if it is inside, else the nearest point of the faces it is beyond. With `newest_last` the face
/// of the first three corners is not among them.
#[inline]
fn tetrahedron(corners: [DVec3; 4], newest_last: bool) -> Region {
    let [a, b, c, d] = corners;
    let (ab, ac, ad) = (b - a, c - a, d - a);
    // Six times the volumes that the origin spans with the faces: their sum is the whole.
    let of_d = -a.dot(ab.cross(ac));
    let of_c = a.dot(ab.cross(ad));
    let of_b = -a.dot(ac.cross(ad));
    let of_a = b.dot((c - b).cross(d - b));
    let whole = ad.dot(ab.cross(ac));
    let nearest = beyond(corners, [of_a, of_b, of_c, of_d], whole, newest_last);
    if nearest.len > 0 {
        return Region::Outside(nearest);
    }
    // Inside, by the signs; where a volume is no more than its rounding, by exact ones.
    let size = a.length_squared().max(b.length_squared()).max(c.length_squared()).max(d.length_squared()).sqrt();
    let edges = (4.0 * size * size).min(ab.length_squared() + ac.length_squared() + ad.length_squared());
    if of_a.abs().min(of_b.abs()).min(of_c.abs()).min(of_d.abs()) > DOUBTFUL_VOLUME * size * edges {
        return inside([of_a, of_b, of_c, of_d]);
    }
    exactly(corners)
}

/// The nearest point of the faces that the origin is beyond; none if there is no such face.
#[inline]
fn beyond([a, b, c, d]: [DVec3; 4], volumes: [f64; 4], whole: f64, newest_last: bool) -> Nearest {
    // On the other side than the opposite corner, or on neither where all is flat; a product of volumes could overflow.
    let beyond = volumes.map(|volume| !(volume > 0.0 && whole > 0.0 || volume < 0.0 && whole < 0.0));
    let mut nearest = Nearest::NONE;
    if beyond[0] {
        nearest = triangle(b, c, d, [1, 2, 3], newest_last);
    }
    if beyond[1] {
        nearest = nearest.or(triangle(a, c, d, [0, 2, 3], newest_last));
    }
    if beyond[2] {
        nearest = nearest.or(triangle(a, b, d, [0, 1, 3], newest_last));
    }
    if beyond[3] && !newest_last {
        nearest = nearest.or(triangle(a, b, c, [0, 1, 2], false));
    }
    nearest
}

#[inline]
fn inside(volumes: [f64; 4]) -> Region {
    let scale = 1.0 / volumes.iter().sum::<f64>();
    Region::Inside(volumes.map(|volume| volume * scale))
}

/// The same with exact signs, for a tetrahedron too thin for plain ones.
#[cold]
fn exactly([a, b, c, d]: [DVec3; 4]) -> Region {
    let zero = DVec3::ZERO;
    let volumes =
        [orient3d(b, c, d, zero), -orient3d(a, c, d, zero), orient3d(a, b, d, zero), -orient3d(a, b, c, zero)];
    let nearest = beyond([a, b, c, d], volumes, -orient3d(a, b, c, d), false);
    if nearest.len > 0 { Region::Outside(nearest) } else { inside(volumes) }
}
