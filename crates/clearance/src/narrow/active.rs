//! Newton's method on the direction where a few smooth pieces of the surfaces tie: the last digits of a distance or a depth.
//!
//! With `g(d)` the lowest value of `d·m` over M, the signed distance is a maximum of g over the unit sphere. GJK and the
//! expanding polytope gain a digit every few supports. Each corner of their last simplex is a point of one smooth piece of A
//! and one of B ([`Piece`]), so the corner is a function m(d) with known derivatives, and at the maximum one, two or three such
//! functions tie: a cone lies on its side, a cylinder on its rim. The tie `d·mᵢ = d·mⱼ` has the gradient mᵢ − mⱼ, since d·m is
//! stationary in the choice of m. So:
//! - three pieces: the next direction is the normal of the triangle;
//! - two: the direction is brought to a right angle with the line between them, and turned about it by Newton's step in one angle;
//! - one: Newton's step in two angles.
//!
//! Where it comes to rest, the corners that the point of M does not need are dropped, or the true support's piece is taken in if
//! it is lower; then it goes on. Flat round faces, along whose normal a circle has no farthest point, are tried by themselves.
//!
//! The support plane at the end is a valid bound whatever happened on the way, and so is any combination of corners. It ends
//! after `STEP_LIMIT` steps.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::gjk::{Gjk, State, SupportPlane};
use super::minkowski::{Minkowski, Vertex};
use super::simplex::Simplex;
use crate::math::{Real, Vec3, length, unit_or};
use crate::piece::{Bend, Piece};
use crate::support::{Support, VertexId};
use crate::tolerance::{CAP_DIRECTION, NEWTON_NEAR, NEWTON_REST};

/// Steps of Newton's method double the digits; a few more let pieces come and go.
const STEP_LIMIT: u32 = 12;

/// A direction with the points that belong to it.
#[derive(Debug, Clone, Copy)]
pub struct Polished {
    /// Of unit length, from A to B.
    pub direction: Vec3,
    /// `g` there.
    pub bound: Real,
    /// The points of A and B.
    pub points: [Vec3; 2],
    /// How far their difference is from `bound · direction`.
    pub residual: Real,
    /// Supports evaluated.
    pub iterations: u32,
}

/// A pair of pieces; that of B in the frame of B.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    a: Piece,
    b: Piece,
}

/// The pieces that tie, at most three.
struct Active<'m, 's, A, B> {
    m: &'m Minkowski<'s, A, B>,
    corners: ArrayVec<Corner, 3>,
    /// Their points along the present direction.
    points: ArrayVec<Vertex, 3>,
    /// How these move, on A and on B.
    bends: ArrayVec<[Bend; 2], 3>,
}

/// Improves a unit direction, given corners of M near the solution, until the point of M is within `enough` of the direction's
/// line and no support is lower by more than a few times its error `sigma`. Nothing if the bodies are not made of known pieces, or it does not converge.
pub fn polish<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    corners: &[Vertex],
    direction: Vec3,
    enough: Real,
    sigma: Real,
) -> Option<Polished> {
    let mut active = Active { m, corners: ArrayVec::new(), points: ArrayVec::new(), bends: ArrayVec::new() };
    if corners.is_empty() {
        return None;
    }
    for corner in corners {
        active.add(corner)?;
    }
    if let Some(on_cap) = on_cap(m, direction, enough) {
        return Some(on_cap);
    }
    let mut d = direction;
    let mut turned = Real::INFINITY;
    for step in 1..=STEP_LIMIT {
        active.evaluate(d);
        if turned <= NEWTON_NEAR {
            let bound = active.lowest(d);
            let (simplex, residual) = active.nearest(d * bound);
            if residual <= enough || turned <= NEWTON_REST {
                let w = m.lowest(d, [VertexId::NONE; 2]);
                let missed = (bound - d.dot(w.m)).max(0.0);
                if residual <= enough && missed <= 4.0 * sigma {
                    let bound = d.dot(w.m);
                    let [a, b] = simplex.points();
                    let points = [a, b + d * bound];
                    let residual = residual + missed;
                    return Some(Polished { direction: d, bound, points, residual, iterations: step + 1 });
                }
                active.revise(&simplex, (missed > 4.0 * sigma).then_some(&w))?;
                active.evaluate(d);
            }
        }
        let next = active.turn(d)?;
        turned = length(next - d);
        d = next;
    }
    None
}

/// The plane of a GJK run, or a better one where rounding stopped the run before it was clear whether the margin is kept.
pub fn sharpened<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    gjk: &Gjk,
    margin: Real,
    sigma: Real,
) -> SupportPlane {
    // Of a vector as short as rounding the direction means nothing; that of the best plane does.
    let direction = unit_or(gjk.plane.direction, Vec3::X);
    let unclear = gjk.state == State::Apart && gjk.plane.bound <= margin + sigma;
    match polish(m, if unclear { gjk.simplex.vertices() } else { &[] }, direction, 4.0 * sigma, sigma) {
        Some(better) if better.bound > gjk.plane.bound => {
            SupportPlane { direction: better.direction, bound: better.bound, on_a: better.points[0] }
        }
        _ => gjk.plane,
    }
}

/// The answer if a flat round face of one body is nearest to the other.
fn on_cap<A: Support, B: Support>(m: &Minkowski<'_, A, B>, direction: Vec3, enough: Real) -> Option<Polished> {
    let answer = |d: Vec3, bound: Real, points: [Vec3; 2]| {
        let residual = length(points[1] - points[0] - d * bound);
        (residual <= enough).then_some(Polished { direction: d, bound, points, residual, iterations: 1 })
    };
    if let Some(cap) = m.a.cap(direction).filter(|cap| cap.normal.dot(direction) > CAP_DIRECTION) {
        let w = m.lowest(cap.normal, [VertexId::NONE; 2]);
        let on_b = w.a + w.m;
        let found = cap.below(on_b).and_then(|on_a| answer(cap.normal, cap.normal.dot(w.m), [on_a, on_b]));
        if found.is_some() {
            return found;
        }
    }
    let cap = m.b.cap(-m.to_b(direction))?;
    let d = unit_or(-(m.rotation * cap.normal), direction);
    if !(d.dot(direction) > CAP_DIRECTION) {
        return None;
    }
    let w = m.lowest(d, [VertexId::NONE; 2]);
    let on_b = cap.below(m.into_b(w.a))?;
    answer(d, d.dot(w.m), [w.a, m.rotation * on_b + m.translation])
}

impl<A: Support, B: Support> Active<'_, '_, A, B> {
    /// Takes a corner's pieces in, unless they are there. Nothing if they are not known, or there is no room.
    fn add(&mut self, corner: &Vertex) -> Option<()> {
        let corner = Corner { a: self.m.a.piece(corner.a)?, b: self.m.b.piece(self.m.into_b(corner.a + corner.m))? };
        if !self.corners.contains(&corner) {
            self.corners.try_push(corner).ok()?;
        }
        Some(())
    }

    #[inline]
    fn evaluate(&mut self, d: Vec3) {
        let (m, in_b) = (self.m, -self.m.to_b(d));
        self.points.clear();
        self.bends.clear();
        for (i, corner) in self.corners.iter().enumerate() {
            let (a, of_a) = corner.a.at(d);
            let (b, of_b) = corner.b.at(in_b);
            let b = m.rotation * b + m.translation;
            // The id says which corner it is.
            self.points.push(Vertex { m: b - a, a, ids: [VertexId(i as u32); 2] });
            self.bends.push([of_a, of_b]);
        }
    }

    /// The lowest value of the corners along the direction they were evaluated for.
    #[inline]
    fn lowest(&self, d: Vec3) -> Real {
        self.points.iter().map(|corner| d.dot(corner.m)).fold(Real::INFINITY, Real::min)
    }

    /// How the corner of that index moves against a turn of the direction towards `e`.
    #[inline]
    fn turned(&self, corner: usize, e: Vec3) -> Vec3 {
        let [a, b] = &self.bends[corner];
        a.towards(e) + self.m.rotation * b.towards(self.m.to_b(e))
    }

    /// The next direction.
    #[inline]
    fn turn(&self, d: Vec3) -> Option<Vec3> {
        match self.points.as_slice() {
            [w] => self.turn_by_two(d, w.m),
            [first, second] => self.turn_about(d, first.m, second.m),
            [first, second, third] => {
                let normal = (second.m - first.m).cross(third.m - first.m);
                let unit = unit_or(normal, Vec3::ZERO);
                (unit != Vec3::ZERO).then_some(if unit.dot(d) < 0.0 { -unit } else { unit })
            }
            _ => None,
        }
    }

    /// Newton's step in both angles, at most half a right angle or so; nothing if it is no maximum.
    fn turn_by_two(&self, d: Vec3, w: Vec3) -> Option<Vec3> {
        let bound = d.dot(w);
        let off = w - d * bound;
        let first = unit_or(off, d.any_orthonormal_vector());
        let second = d.cross(first);
        let (of_first, of_second) = (self.turned(0, first), self.turned(0, second));
        let (xx, yy) = (first.dot(of_first) + bound, second.dot(of_second) + bound);
        let xy = 0.5 * (first.dot(of_second) + second.dot(of_first));
        let determinant = xx * yy - xy * xy;
        if !(determinant > 0.0 && xx > 0.0) {
            return None;
        }
        let residual = first.dot(off);
        limited(d, (first * yy - second * xy) * (residual / determinant))
    }

    /// Newton's step about the line between two corners.
    fn turn_about(&self, d: Vec3, first: Vec3, second: Vec3) -> Option<Vec3> {
        let line = unit_or(second - first, Vec3::ZERO);
        let d = unit_or(d - line * line.dot(d), Vec3::ZERO);
        if d == Vec3::ZERO {
            return None;
        }
        // The corners' shares of the point at a right angle to the line.
        let along = [first.dot(line), second.dot(line)];
        let share = -along[0] / (along[1] - along[0]);
        let sideways = line.cross(d);
        let moved =
            sideways.dot(self.turned(0, sideways)) * (1.0 - share) + sideways.dot(self.turned(1, sideways)) * share;
        let stiffness = moved + d.dot(first);
        if !(stiffness > 0.0) {
            return None;
        }
        limited(d, sideways * (sideways.dot(first) / stiffness))
    }

    /// The combination of the corners nearest to `target`, moved there, and how far it is.
    fn nearest(&self, target: Vec3) -> (Simplex, Real) {
        let mut simplex = Simplex::default();
        if let [corner] = self.points.as_slice() {
            let moved = corner.m - target;
            simplex.push(Vertex { m: moved, ..*corner });
            return (simplex, length(moved));
        }
        for corner in &self.points {
            simplex.push(Vertex { m: corner.m - target, ..*corner });
        }
        simplex.reduce();
        simplex.refine(DVec3::ZERO);
        let [a, b] = simplex.points();
        (simplex, length(b - a))
    }

    /// At rest in the wrong place: drops the corners that the nearest combination does not need, and takes in the true support if
    /// it is lower than the corners. Nothing if neither changes anything.
    fn revise(&mut self, nearest: &Simplex, lower: Option<&Vertex>) -> Option<()> {
        let needed = |point: &Vertex| nearest.vertices().iter().any(|vertex| vertex.ids == point.ids);
        let needed: ArrayVec<bool, 3> = self.points.iter().map(needed).collect();
        let before = self.corners.len();
        let mut keep = needed.into_iter();
        self.corners.retain(|_| keep.next().unwrap_or(true));
        let dropped = self.corners.len() < before;
        let Some(w) = lower else {
            return dropped.then_some(());
        };
        let left = self.corners.len();
        self.add(w)?;
        (self.corners.len() > left).then_some(())
    }
}

/// The direction turned by a step, but not by more than about 45°.
#[inline]
fn limited(d: Vec3, step: Vec3) -> Option<Vec3> {
    let size = length(step);
    size.is_finite().then(|| unit_or(d + if size > 1.0 { step / size } else { step }, d))
}
