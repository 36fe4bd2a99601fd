//! Newton's method on the direction: the last digits of a distance or a depth where the bodies are smooth.
//!
//! With `g(d)` the lowest value of `d·m` over M, the signed distance is a maximum of g over the unit sphere. GJK and the
//! expanding polytope gain a digit every few supports; where the surface is smooth, g has second derivatives, known in closed
//! form from the shapes ([`Support::curvature`]), and a few Newton steps give all digits. At a maximum the support point is
//! the direction's own multiple, so its tangential part is both the gradient and the error of the points.
//!
//! This is for bodies about which no more than curvature is known: sums, hulls, a user's own. Where the pieces of the surfaces
//! are known, `narrow::active` does better.
//!
//! A step is taken only if the second derivative says "maximum" and g really grows; on flat faces, edges and corners it does
//! not get far, and the caller goes on without it. Every g seen is a valid bound whatever happens. It ends after
//! `STEP_LIMIT` supports.

use super::minkowski::{Minkowski, Vertex};
use crate::math::{Real, Vec3, length, unit_or};
use crate::support::{Support, VertexId};

/// Steps of Newton's method double the digits; eight are more than enough from two correct ones.
const STEP_LIMIT: u32 = 8;

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
