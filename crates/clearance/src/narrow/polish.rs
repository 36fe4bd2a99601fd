//! Newton's method on the direction: the last digits of a distance or a depth where the bodies are smooth.
//!
//! With `g(d)` the lowest value of `d·m` over M, the signed distance is a maximum of g over the unit sphere. GJK and the
//! expanding polytope gain a digit every few supports; where the surface is smooth, g has second derivatives, known in closed
//! form from the shapes ([`Support::curvature`]), and a few Newton steps give all digits. At a maximum the support point is
//! the direction's own multiple, so its tangential part is both the gradient and the error of the points.
//!
//! Where one body has flat faces and meets the other with an edge or a face, g has a kink there: the farthest vertex jumps along
//! the edge. But then the direction is at a right angle to the edge, and Newton's method works in what is left: one angle for an
//! edge, none for a face ([`polish_on_edges`]).
//!
//! A step is taken only if the second derivative says "maximum" and g really grows; on flat faces, edges and corners it does
//! not get far, and the caller goes on without it. Every g seen is a valid bound whatever happens. It ends after
//! `STEP_LIMIT` supports.

use arrayvec::ArrayVec;

use super::minkowski::{Minkowski, Vertex};
use super::simplex::Simplex;
use crate::math::{Real, Vec3, length, unit_or};
use crate::support::{Support, VertexId};
use crate::tolerance::DISTINCT_VERTICES;

/// Steps of Newton's method double the digits; eight are more than enough from two correct ones.
const STEP_LIMIT: u32 = 8;

/// A direction at a right angle to the edges of one body that the other one touches, or nearly.
#[derive(Debug, Clone, Copy)]
pub struct OnEdges {
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

/// Newton's method among the directions at a right angle to the edges between the vertices of the flat-faced body (`flat` says
/// which one it is) in some corners of M near the solution. Nothing if there are no edges, or it does not converge.
pub fn polish_on_edges<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    corners: &[Vertex],
    flat: Flat,
    direction: Vec3,
    enough: Real,
) -> Option<OnEdges> {
    let edges = span(corners, flat);
    let along = |v: Vec3| edges.iter().map(|&e| e * e.dot(v)).sum::<Vec3>();
    let mut d = unit_or(direction - along(direction), Vec3::ZERO);
    if edges.is_empty() || d == Vec3::ZERO {
        return None;
    }
    for step in 1..=STEP_LIMIT {
        let w = m.lowest(d, [VertexId::NONE; 2]);
        let bound = d.dot(w.m);
        let sideways = edges[0].cross(d);
        let off = sideways.dot(w.m);
        if edges.len() > 1 || off.abs() <= enough {
            let (points, residual) = across(corners, flat, &w, d * bound);
            return (residual <= enough).then_some(OnEdges { direction: d, bound, points, residual, iterations: step });
        }
        let turned = m.a.curvature(d, sideways) + m.rotation * m.b.curvature(-m.to_b(d), m.to_b(sideways));
        let stiffness = sideways.dot(turned) + bound;
        if !(stiffness > 0.0) {
            return None;
        }
        d = unit_or(d + sideways * (off / stiffness).clamp(-1.0, 1.0), d);
    }
    None
}

/// Which of two bodies has flat faces only; the other one is curved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flat {
    /// The first.
    A,
    /// The second.
    B,
}

/// Orthonormal axes of the edges between the flat-faced body's vertices, two at most.
fn span(corners: &[Vertex], flat: Flat) -> ArrayVec<Vec3, 2> {
    let on_flat = |corner: &Vertex| if flat == Flat::A { corner.a } else { corner.a + corner.m };
    let mut axes = ArrayVec::new();
    let Some(first) = corners.first().map(on_flat) else {
        return axes;
    };
    for corner in &corners[1..] {
        let edge = on_flat(corner) - first;
        let rest = edge - axes.iter().map(|&axis: &Vec3| axis * axis.dot(edge)).sum::<Vec3>();
        if length(rest) > DISTINCT_VERTICES * (length(edge) + length(first)) && !axes.is_full() {
            axes.push(unit_or(rest, Vec3::X));
        }
    }
    axes
}

/// The points of the bodies whose difference is nearest to `target`, among the flat-faced body's vertices in the corners and the
/// curved body's point in `w`; and what is missing.
fn across(corners: &[Vertex], flat: Flat, w: &Vertex, target: Vec3) -> ([Vec3; 2], Real) {
    let mut simplex = Simplex::default();
    simplex.push(Vertex { m: w.m - target, ..*w });
    for corner in corners.iter().take(3) {
        let (a, b) = match flat {
            Flat::A => (corner.a, w.a + w.m),
            Flat::B => (w.a, corner.a + corner.m),
        };
        simplex.push(Vertex { m: b - a - target, a, ids: corner.ids });
    }
    simplex.reduce();
    let [a, b] = simplex.points();
    ([a, b + target], length(b - a))
}

/// The best direction found.
#[derive(Debug, Clone, Copy)]
pub struct Polished {
    /// Of unit length, from A to B.
    pub direction: Vec3,
    /// `g` there.
    pub bound: Real,
    /// The point of M lowest along it.
    pub vertex: Vertex,
    /// How far that point is from the direction's line.
    pub residual: Real,
    /// Supports evaluated.
    pub iterations: u32,
}

/// Improves a unit direction until the support point is within `enough` of its line.
pub fn polish<A: Support, B: Support>(m: &Minkowski<'_, A, B>, direction: Vec3, enough: Real) -> Polished {
    let mut best = look(m, direction);
    while best.residual > enough && best.iterations < STEP_LIMIT {
        let Some(step) = newton_step(m, &best) else {
            break;
        };
        let mut next = look(m, unit_or(best.direction + step, best.direction));
        next.iterations += best.iterations;
        // Near the maximum g grows by less than its rounding; there the shrinking residual tells.
        if !(next.bound > best.bound || next.residual < 0.5 * best.residual) {
            best.iterations = next.iterations;
            break;
        }
        best = next;
    }
    best
}

fn look<A: Support, B: Support>(m: &Minkowski<'_, A, B>, direction: Vec3) -> Polished {
    let vertex = m.lowest(direction, [VertexId::NONE; 2]);
    let bound = direction.dot(vertex.m);
    let residual = length(vertex.m - direction * bound);
    Polished { direction, bound, vertex, residual, iterations: 1 }
}

/// The tangential step to where the gradient vanishes, at most a right angle's half; nothing if it is no maximum.
fn newton_step<A: Support, B: Support>(m: &Minkowski<'_, A, B>, at: &Polished) -> Option<Vec3> {
    let d = at.direction;
    let first = unit_or(at.vertex.m - d * at.bound, d.any_orthonormal_vector());
    let second = d.cross(first);
    let turned = |e: Vec3| m.a.curvature(d, e) + m.rotation * m.b.curvature(-m.to_b(d), m.to_b(e));
    let (of_first, of_second) = (turned(first), turned(second));
    let (xx, yy) = (first.dot(of_first) + at.bound, second.dot(of_second) + at.bound);
    let xy = 0.5 * (first.dot(of_second) + second.dot(of_first));
    let determinant = xx * yy - xy * xy;
    if !(determinant > 0.0 && xx > 0.0) {
        return None;
    }
    // The gradient is the residual along `first`.
    let (along, across) = (at.residual * yy / determinant, -at.residual * xy / determinant);
    let step = first * along + second * across;
    let size = length(step);
    size.is_finite().then(|| if size > 1.0 { step / size } else { step })
}
