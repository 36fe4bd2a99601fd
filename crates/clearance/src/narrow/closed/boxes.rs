//! Two boxes in closed form, flat and thin ones included.
//!
//! The faces of the Minkowski difference of two boxes have 15 normals: three of each box and nine cross products of edges. So the
//! depth of an overlap is the smallest of 15 heights, exactly. For the boolean the six face normals settle nearly all pairs that
//! are apart, and the nearest point of one box to the other's centre nearly all that meet. The distance is that of a corner
//! from a face if the corner is over the face. What is left goes the general way.

use super::super::gjk::SupportPlane;
use super::super::pair::Pair;
use super::found::{Cores, Decision, Found, half_extents};
use crate::math::{Mat3, Real, Vec3, length, unit_or};
use crate::tolerance::{PARALLEL_EDGES, STALL_SIGMAS};

/// Two boxes by their half extents, the second posed in the frame of the first.
pub(super) struct Boxes {
    a: Vec3,
    b: Vec3,
    rotation: Mat3,
    translation: Vec3,
}

impl Boxes {
    /// The cores, if both are boxes.
    #[inline]
    pub(super) fn of(pair: &Pair<'_>) -> Option<Self> {
        let (a, b) = (half_extents(pair.m.a)?, half_extents(pair.m.b)?);
        Some(Self { a, b, rotation: pair.m.rotation, translation: pair.m.translation })
    }

    /// Whether they have at most two edge directions together: their difference has no volume.
    pub(super) fn is_flat(&self) -> bool {
        let zeros = |half: Vec3| half.cmpeq(Vec3::ZERO).bitmask().count_ones();
        zeros(self.a) + zeros(self.b) >= 4
    }

    #[inline]
    fn to_b(&self, v: Vec3) -> Vec3 {
        let r = &self.rotation;
        Vec3::new(r.x_axis.dot(v), r.y_axis.dot(v), r.z_axis.dot(v))
    }

    /// The gaps along the axes of A.
    #[inline]
    fn along_a(&self) -> Vec3 {
        let (r, b) = (&self.rotation, self.b);
        self.translation.abs() - self.a - (r.x_axis.abs() * b.x + r.y_axis.abs() * b.y + r.z_axis.abs() * b.z)
    }

    /// The gaps along the axes of B, given the vector between the centres there.
    #[inline]
    fn along_b(&self, in_b: Vec3) -> Vec3 {
        let (r, a) = (&self.rotation, self.a);
        let rows = Vec3::new(r.x_axis.abs().dot(a), r.y_axis.abs().dot(a), r.z_axis.abs().dot(a));
        in_b.abs() - self.b - rows
    }

    /// The boolean for the boxes rounded by radii of this sum, if it is easy.
    #[inline]
    pub(super) fn decide(&self, margin: Real, sigma: Real) -> Option<Decision> {
        let least = margin + sigma;
        let along_a = self.along_a();
        if along_a.max_element() > least {
            return Some(Decision::Apart(self.plane_of_a(along_a, margin)));
        }
        let in_b = self.to_b(self.translation);
        let along_b = self.along_b(in_b);
        if along_b.max_element() > least {
            return Some(Decision::Apart(self.plane_of_b(along_b, in_b, margin)));
        }
        self.common(in_b).map(|point| Decision::Common([point; 2]))
    }

    /// The point of A nearest to the centre of B if it is in B, or the other way round.
    #[inline]
    fn common(&self, in_b: Vec3) -> Option<Vec3> {
        let Self { a, b, rotation, translation: t } = self;
        let nearest = t.clamp(-*a, *a);
        if self.to_b(nearest - *t).abs().cmple(*b).all() {
            return Some(nearest);
        }
        let nearest = *rotation * (-in_b).clamp(-*b, *b) + *t;
        nearest.abs().cmple(*a).all().then_some(nearest)
    }

    /// How they lie, if they have a common point that is easy to find, or a corner of one over a face of the other or two edges are nearest.
    #[inline]
    pub(super) fn separation(&self, sigma: Real) -> Option<Cores> {
        let (along_a, in_b) = (self.along_a(), self.to_b(self.translation));
        let along_b = self.along_b(in_b);
        let (gap_a, gap_b) = (along_a.max_element(), along_b.max_element());
        if !(gap_a.max(gap_b) > sigma) {
            return self.common(in_b).map(Cores::Meeting).or_else(|| self.crossing(sigma));
        }
        let within = |p: Vec3, half: Vec3| p.abs().cmple(half).all();
        if gap_a > gap_b {
            let normal = self.plane_of_a(along_a, 0.0).direction;
            let corner = Vec3::select(self.to_b(normal).cmplt(Vec3::ZERO), self.b, -self.b);
            let on_b = self.rotation * corner + self.translation;
            let over = on_b * (Vec3::ONE - normal.abs());
            let on_a = over + normal * self.a;
            let found = Found { points: [on_a, on_b], normal, distance: gap_a, bound: gap_a };
            return if within(over, self.a) { Some(Cores::Apart(found)) } else { self.crossing(sigma) };
        }
        let plane = self.plane_of_b(along_b, in_b, 0.0);
        let in_b = self.to_b(plane.on_a - self.translation);
        let axis = AXES[largest(along_b).0];
        let over = in_b * (Vec3::ONE - axis);
        let face = over + axis * self.b * (1.0 as Real).copysign(axis.dot(in_b));
        let found = Found {
            points: [plane.on_a, self.rotation * face + self.translation],
            normal: unit_or(plane.direction, Vec3::X),
            distance: gap_b,
            bound: gap_b,
        };
        if within(over, self.b) { Some(Cores::Apart(found)) } else { self.crossing(sigma) }
    }

    /// How they lie, if an edge of one is nearest to an edge of the other within both: no direction separates them by more than that across both.
    #[inline(never)]
    fn crossing(&self, sigma: Real) -> Option<Cores> {
        let (normal, _, edges) = self.depth();
        let edges = edges?;
        let on_a = Vec3::select(normal.cmplt(Vec3::ZERO), -self.a, self.a);
        let corner = Vec3::select(self.to_b(normal).cmplt(Vec3::ZERO), self.b, -self.b);
        let on_b = self.rotation * corner + self.translation;
        // Of nearly parallel edges the height is rounding; that between the corners along the normal is not.
        let distance = normal.dot(on_b - on_a);
        if !(distance > sigma) {
            return None;
        }
        let points = self.points(on_a, on_b, normal * distance, Some(edges), sigma)?;
        Some(Cores::Apart(Found { points, normal, distance, bound: distance }))
    }

    fn plane_of_a(&self, gaps: Vec3, margin: Real) -> SupportPlane {
        let (axis, gap) = largest(gaps);
        let direction = AXES[axis] * (1.0 as Real).copysign(self.translation.to_array()[axis]);
        SupportPlane { direction, bound: gap - margin, on_a: direction * self.a }
    }

    fn plane_of_b(&self, gaps: Vec3, in_b: Vec3, margin: Real) -> SupportPlane {
        let (axis, gap) = largest(gaps);
        let r = &self.rotation;
        let direction = [r.x_axis, r.y_axis, r.z_axis][axis] * (1.0 as Real).copysign(in_b.to_array()[axis]);
        let corner = Vec3::select(direction.cmplt(Vec3::ZERO), -self.a, self.a);
        SupportPlane { direction, bound: gap - margin, on_a: corner }
    }

    /// The unit normal (from A to B) along which overlapping boxes have the least depth, that depth, and the edges' axes if it
    /// is theirs. Boxes that are apart have a negative one.
    pub(super) fn depth(&self) -> (Vec3, Real, Option<[usize; 2]>) {
        let of_b = [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis];
        let mut best = (Vec3::X, Real::INFINITY, None);
        let mut look = |axis: Vec3, reach: Real, offset: Real, scale: Real, edges: Option<[usize; 2]>| {
            let depth = (reach - offset.abs()) * scale;
            if depth < best.1 {
                best = (axis * (1.0 as Real).copysign(offset) * scale, depth, edges);
            }
        };
        let along_b = |x: Real, y: Real, z: Real| x.abs() * self.b.x + y.abs() * self.b.y + z.abs() * self.b.z;
        // Products with the zeros of A's own axes are left out.
        let [x, y, z] = of_b;
        look(Vec3::X, self.a.x + along_b(x.x, y.x, z.x), self.translation.x, 1.0, None);
        look(Vec3::Y, self.a.y + along_b(x.y, y.y, z.y), self.translation.y, 1.0, None);
        look(Vec3::Z, self.a.z + along_b(x.z, y.z, z.z), self.translation.z, 1.0, None);
        for axis in of_b {
            let reach = axis.abs().dot(self.a) + along_b(x.dot(axis), y.dot(axis), z.dot(axis));
            look(axis, reach, self.translation.dot(axis), 1.0, None);
        }
        // Across an edge of A and one of B: of the direction two numbers are not zero.
        let (edges_a, edges_b, offset) = (self.a.to_array(), self.b.to_array(), self.translation.to_array());
        let of_b = of_b.map(|axis| axis.to_array());
        for (i, m, n) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            for (j, b) in of_b.into_iter().enumerate() {
                let (p, q) = (-b[n], b[m]);
                let square = p * p + q * q;
                // Parallel edges span no face of their own, and those of no length none at all.
                if edges_a[i] > 0.0 && edges_b[j] > 0.0 && square > PARALLEL_EDGES * PARALLEL_EDGES {
                    let dot = |v: [Real; 3]| v[m] * p + v[n] * q;
                    let [x, y, z] = of_b.map(dot);
                    let reach = p.abs() * edges_a[m] + q.abs() * edges_a[n] + along_b(x, y, z);
                    let mut axis = [0.0; 3];
                    (axis[m], axis[n]) = (p, q);
                    look(Vec3::from_array(axis), reach, dot(offset), 1.0 / square.sqrt(), Some([i, j]));
                }
            }
        }
        // A column of a product of rotations has unit length only to a few roundings.
        (unit_or(best.0, Vec3::X), best.1, best.2)
    }

    /// Points of A and B that differ by `difference`, from their corners `on_a` and `on_b` farthest into each other: a corner
    /// in a face, or the crossing of two edges. Nothing where faces or edges lie along each other and it takes more to tell.
    pub(super) fn points(
        &self,
        on_a: Vec3,
        on_b: Vec3,
        difference: Vec3,
        edges: Option<[usize; 2]>,
        sigma: Real,
    ) -> Option<[Vec3; 2]> {
        let r = &self.rotation;
        let within = |p: Vec3, half: Vec3| p.abs().cmple(half + Vec3::splat(sigma)).all();
        let in_b = |p: Vec3| within(self.to_b(p - self.translation), self.b);
        let fits = |[a, b]: [Vec3; 2]| (within(a, self.a) && in_b(b)).then_some([a, b]);
        let Some([i, j]) = edges else {
            return fits([on_b - difference, on_b]).or_else(|| fits([on_a, on_a + difference]));
        };
        // What is missing from the corners' difference lies in the plane of the two edges.
        let (a, b) = (AXES[i], [r.x_axis, r.y_axis, r.z_axis][j]);
        let missing = difference - (on_b - on_a);
        let cosine = a.dot(b);
        let scale = 1.0 / (1.0 - cosine * cosine);
        let (along_a, along_b) = (missing.dot(a), missing.dot(b));
        let (of_a, of_b) = ((along_a - cosine * along_b) * scale, (along_b - cosine * along_a) * scale);
        let (on_a, on_b) = (on_a - a * of_a, on_b + b * of_b);
        // Edges at a small angle cross where rounding says.
        let crossing = length(on_b - on_a - difference) <= STALL_SIGMAS * sigma;
        if crossing { fits([on_a, on_b]) } else { None }
    }
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

#[inline]
fn largest(v: Vec3) -> (usize, Real) {
    let largest = v.max_element();
    (
        if v.x == largest {
            0
        } else if v.y == largest {
            1
        } else {
            2
        },
        largest,
    )
}
