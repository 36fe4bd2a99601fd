//! SA-GJK: the boolean alone (implicit-objects thesis, Algorithm 4), as fast as it can be made certain.
//!
//! Departure: between supports only a *direction* is kept up, not the nearest point. An edge gives the perpendicular towards
//! the origin, a triangle its normal; sides are decided by signs of products, without a root. Two answers are
//! certain: a support plane that separates by more than the error, and a tetrahedron that contains the origin by more than
//! the rounding of its volumes. Anything else, touching above all, is left to the distance run, which starts from here.
//!
//! It ends after `ITERATION_LIMIT` supports at the latest.

use super::gjk::{Start, SupportPlane};
use super::minkowski::{Minkowski, Vertex};
use super::simplex::Simplex;
use crate::math::{Real, Vec3, widen_real};
use crate::support::{Support, VertexId};
use crate::tolerance::CERTAIN_VOLUME;

/// Supports before the question is handed on. Random pairs of curved bodies need up to 14 (figure 7 of the thesis).
const ITERATION_LIMIT: u32 = 16;

/// What was found out, with the vertices last found and the number of supports.
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// The last vertices of A and B.
    pub hints: [VertexId; 2],
    /// Supports evaluated.
    pub iterations: u32,
}

/// The answer, if it is certain.
#[allow(clippy::large_enum_variant)] // a box would mean an allocation per query
pub enum Answer {
    /// A plane separates the cores by more than was asked.
    Apart(SupportPlane),
    /// A tetrahedron of M contains the origin.
    Meeting(Simplex),
    /// Too close to call; a direction to go on from.
    Unclear(Vec3),
}

/// The corners so far, the newest first. What is not needed to turn (the points of A and the ids) stays where it was put.
struct Corners {
    m: [Vec3; 4],
    /// Where in `vertices` each corner is.
    slots: [u8; 4],
    vertices: [Vertex; 4],
    len: usize,
}

/// Decides whether the origin is farther than `enough` from M or inside; `size` is that of the pair.
#[inline]
pub fn decide<A: Support, B: Support>(m: &Minkowski<'_, A, B>, start: &Start, enough: Real, size: Real) -> Verdict {
    let mut direction = start.direction;
    let mut hints = start.hints;
    let mut corners = Corners { m: [Vec3::ZERO; 4], slots: [0, 1, 2, 3], vertices: [Vertex::ZERO; 4], len: 0 };
    let mut iterations = 0;
    let answer = loop {
        let w = m.lowest(direction, hints);
        hints = w.ids;
        iterations += 1;
        let (along, square) = (direction.dot(w.m), direction.length_squared());
        if along > 0.0 {
            if along * along > enough * enough * square {
                break Answer::Apart(SupportPlane { direction, bound: along / square.sqrt(), on_a: w.a });
            }
            break Answer::Unclear(direction);
        }
        corners.push(w);
        match corners.turn(size) {
            Turn::Towards(next) => direction = next,
            Turn::Enclosed(weights) => break Answer::Meeting(corners.simplex(weights)),
            Turn::Unclear => break Answer::Unclear(direction),
        }
        if iterations >= ITERATION_LIMIT {
            break Answer::Unclear(direction);
        }
    };
    Verdict { answer, hints, iterations }
}

/// Where to look next.
enum Turn {
    /// From the origin towards the feature nearest to it.
    Towards(Vec3),
    Enclosed([Real; 4]),
    Unclear,
}

impl Corners {
    #[inline]
    fn push(&mut self, w: Vertex) {
        // Newest first: the corners to keep are always the first ones, and the last slot is free.
        let [a, b, c, free] = self.slots;
        self.m = [w.m, self.m[0], self.m[1], self.m[2]];
        self.slots = [free, a, b, c];
        self.vertices[(free % 4) as usize] = w;
        self.len += 1;
    }

    /// Puts the corner at `from` in the place of the one at `to`, which is kept where the free ones are.
    #[inline]
    fn replace(&mut self, to: usize, from: usize) {
        self.m.swap(to, from);
        self.slots.swap(to, from);
    }

    fn simplex(&self, weights: [Real; 4]) -> Simplex {
        Simplex::with_weights(self.slots.map(|slot| self.vertices[(slot % 4) as usize]), weights.map(widen_real))
    }

    #[inline]
    fn turn(&mut self, size: Real) -> Turn {
        let [w, a, b, c] = self.m;
        match self.len {
            1 => towards(w),
            2 => self.edge(w, a),
            3 => self.triangle(w, a, b),
            _ => self.tetrahedron([w, a, b, c], size),
        }
    }

    /// The edge from the newest corner, or the corner alone.
    #[inline]
    fn edge(&mut self, w: Vec3, a: Vec3) -> Turn {
        let wa = a - w;
        if wa.dot(w) < 0.0 {
            self.len = 2;
            // What of w is at a right angle to the edge: of the size of w, where a double cross product would overflow.
            return towards(w - wa * (wa.dot(w) / wa.length_squared()));
        }
        self.len = 1;
        towards(w)
    }

    /// The triangle, or one of the two edges of the newest corner, or the corner.
    #[inline]
    fn triangle(&mut self, w: Vec3, a: Vec3, b: Vec3) -> Turn {
        let (wa, wb) = (a - w, b - w);
        let normal = wa.cross(wb);
        if wa.cross(normal).dot(w) < 0.0 && wa.dot(w) < 0.0 {
            return self.edge(w, a);
        }
        if normal.cross(wb).dot(w) < 0.0 || wa.cross(normal).dot(w) < 0.0 {
            self.replace(1, 2);
            return self.edge(w, b);
        }
        self.len = 3;
        let height = normal.dot(w);
        if height < 0.0 {
            // The normal shall point away from the origin: seen from there the corners run clockwise.
            self.replace(1, 2);
            return towards(-normal);
        }
        if height > 0.0 { towards(normal) } else { Turn::Unclear }
    }

    /// One of the three faces at the newest corner, or the inside.
    #[inline]
    fn tetrahedron(&mut self, [w, a, b, c]: [Vec3; 4], size: Real) -> Turn {
        let (wa, wb, wc) = (a - w, b - w, c - w);
        // The old face had its normal (a − c) × (b − c) pointing away from the origin and from the newest corner; so these
        // point out of the tetrahedron, and a positive volume has the origin inside.
        let (of_c, of_a, of_b) = (wb.cross(wa).dot(w), wc.cross(wb).dot(w), wa.cross(wc).dot(w));
        if of_c > 0.0 && of_a > 0.0 && of_b > 0.0 {
            let of_w = -(c - a).cross(b - a).dot(a);
            let least = CERTAIN_VOLUME * size * size * size;
            if !(of_w > least && of_a > least && of_b > least && of_c > least) {
                return Turn::Unclear;
            }
            let scale = 1.0 / (of_w + of_a + of_b + of_c);
            return Turn::Enclosed([of_w * scale, of_a * scale, of_b * scale, of_c * scale]);
        }
        if !(of_c > 0.0) {
            return self.triangle(w, a, b);
        }
        if !(of_a > 0.0) {
            self.replace(1, 2);
            self.replace(2, 3);
            return self.triangle(w, b, c);
        }
        self.replace(2, 3);
        self.triangle(w, a, c)
    }
}

#[inline]
fn towards(direction: Vec3) -> Turn {
    if direction == Vec3::ZERO { Turn::Unclear } else { Turn::Towards(direction) }
}
