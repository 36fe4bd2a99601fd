//! The search for a separating vector on any two bodies with supports.

use super::existence::{Existence, PlaneTest, STEP_LIMIT, Seen, enclosing};
use super::half_planes::HalfPlanes;
use super::hemisphere::Hemisphere;
use super::options::{Options, Rule, Steps};
use crate::math::{Real, Vec3, narrow, unit_or};
use crate::narrow::gjk::{Start, SupportPlane};
use crate::narrow::minkowski::Minkowski;
use crate::narrow::sa_gjk::Answer;
use crate::narrow::simplex::Simplex;
use crate::support::{Support, VertexId};

/// What was found out, with the last direction and vertices.
pub struct Verdict {
    /// The answer: apart by more than was asked, a simplex that has the origin or comes as near to it as was asked, or neither.
    pub answer: Answer,
    /// The last direction.
    pub direction: Vec3,
    /// The last vertices of A and B.
    pub hints: [VertexId; 2],
    /// How it went.
    pub steps: Steps,
}

/// Decides whether M is farther than `enough` from the origin or comes that near to it; `size` is that of the pair.
pub fn decide<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    start: &Start,
    options: &Options,
    enough: Real,
    size: Real,
) -> Verdict {
    match options.existence {
        Existence::Hemisphere => decide_by::<Hemisphere, A, B>(m, start, options.rule, enough, size),
        Existence::HalfPlanes => decide_by::<HalfPlanes, A, B>(m, start, options.rule, enough, size),
    }
}

fn decide_by<T: PlaneTest, A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    start: &Start,
    rule: Rule,
    enough: Real,
    size: Real,
) -> Verdict {
    let mut direction = unit_or(start.direction, Vec3::X);
    let mut hints = start.hints;
    let mut seen = Seen::<T>::new();
    let mut steps = Steps::default();
    let mut restarted = false;
    let answer = loop {
        let w = m.lowest(direction, hints);
        hints = w.ids;
        steps.k += 1;
        let along = direction.dot(w.m);
        if along > enough {
            break Answer::Apart(SupportPlane { direction, bound: along, on_a: w.a });
        }
        if !(w.m.length_squared() > enough * enough) {
            let mut simplex = Simplex::default();
            simplex.push(w);
            break Answer::Meeting(simplex);
        }
        if steps.k as usize >= STEP_LIMIT {
            break Answer::Unclear(direction);
        }
        let known = seen.contains(&w);
        if !known && let Some(corners) = seen.add(w) {
            break enclosing(corners, size).map_or(Answer::Unclear(direction), Answer::Meeting);
        }
        if known || along > 0.0 {
            // Lemmas 3 and 8: the plane separates, or a better one does, or it is too close to call.
            if restarted {
                break Answer::Unclear(direction);
            }
            restarted = true;
            steps.restarts += 1;
            direction = unit_or(narrow(seen.w()), direction);
            continue;
        }
        restarted = false;
        direction = unit_or(rule.next(direction, w.m), narrow(seen.w()));
    };
    Verdict { answer, direction, hints, steps }
}

impl Rule {
    /// The direction after the unit vector `s`, which has the lowest point `m` on its wrong side; of any length.
    #[inline]
    fn next(self, s: Vec3, m: Vec3) -> Vec3 {
        let off = m * (s.dot(m) / m.length_squared());
        let conservative = s - off;
        match self {
            Self::Greedy => conservative - off,
            Self::Conservative => conservative,
            Self::Blended(share) => (conservative - off) * share + unit_or(conservative, Vec3::ZERO) * (1.0 - share),
        }
    }
}
