//! GJK: distance and boolean of two bodies known by their supports.
//!
//! Implicit-objects thesis, Algorithms 1, 4 and 5 in one loop. The distance run (Algorithm 1) stops on the duality gap, as
//! erratum 2 asks. The boolean run (Algorithm 4, SA-GJK) also stops as soon as a support plane separates or a common point is
//! known. Radii make the boolean and the distance those of the swept bodies (Algorithm 5): the margin is compared with bounds
//! on the cores' distance, so it is exact.
//!
//! It ends: each step either stops or makes the simplex strictly nearer to the origin; a repeated support or no progress is
//! the end, with the bounds reached by then, and so is the iteration limit. Nothing is nudged.

use super::End;
use super::johnson;
use super::minkowski::{Minkowski, Vertex};
use super::simplex::{Region, Simplex};
use crate::math::{Real, Vec3};
use crate::support::{Support, VertexId};
use crate::tolerance::STALL_SIGMAS;

/// Supports that a run may take. Curved bodies in f64 take up to 60 (figure 15 of the thesis); beyond 128 nothing improves.
pub const ITERATION_LIMIT: u32 = 128;

/// How the nearest point of a simplex is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubAlgorithm {
    /// By Voronoi regions: `narrow::simplex`.
    #[default]
    Regions,
    /// By Johnson's determinants with the back-up procedure: `narrow::johnson`.
    Johnson,
}

/// What a run looks for, and when it may stop.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// Stop when it is certain whether the cores are farther apart than the margin.
    pub boolean: bool,
    /// The sum of the radii.
    pub margin: Real,
    /// The error of a support value, absolute: `tolerance::sigma`.
    pub sigma: Real,
    /// How far the bounds of a distance may stay apart, relative to it: zero for flat-faced bodies, which end exactly.
    pub relative_gap: Real,
    /// How the nearest point of a simplex is found.
    pub sub_algorithm: SubAlgorithm,
}

/// Where a run starts.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// A guess at the vector from A to B; not zero.
    pub direction: Vec3,
    /// Vertices near the supports along it.
    pub hints: [VertexId; 2],
}

/// What is known about the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The separation is certain, or was computed: the nearest point of M is not the origin.
    Apart,
    /// The simplex contains the origin, or comes within the error of it.
    Meeting,
}

/// The result of a run, about the cores, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub struct Gjk {
    /// Whether the cores meet.
    pub state: State,
    /// The simplex that contains the nearest point found.
    pub simplex: Simplex,
    /// The nearest point found.
    pub nearest: Vec3,
    /// Its distance from the origin: an upper bound up to the error.
    pub upper: Real,
    /// The largest `g(d)/|d|` seen: a lower bound up to the error. It may be negative.
    pub lower: Real,
    /// The direction of `lower`, of unit length.
    pub lower_direction: Vec3,
    /// The last vertices found.
    pub hints: [VertexId; 2],
    /// Supports evaluated.
    pub iterations: u32,
    /// How it ended.
    pub end: End,
}

/// Runs GJK.
#[inline]
pub fn run<A: Support, B: Support>(m: &Minkowski<'_, A, B>, start: &Start, warm: &[Vertex], goal: &Goal) -> Gjk {
    let mut gjk = Gjk {
        state: State::Apart,
        simplex: Simplex::default(),
        nearest: start.direction,
        upper: Real::INFINITY,
        lower: Real::NEG_INFINITY,
        lower_direction: Vec3::X,
        hints: start.hints,
        iterations: 0,
        end: End::IterationLimit,
    };
    let enough = goal.margin + goal.sigma;
    let mut square = start.direction.length_squared();
    warm.iter().for_each(|vertex| gjk.simplex.push(*vertex));
    let mut placed = !warm.is_empty();
    if placed && gjk.place(goal, &mut square, false) {
        return gjk;
    }
    while gjk.iterations < ITERATION_LIMIT {
        let v = gjk.nearest;
        let w = m.lowest(v, gjk.hints);
        gjk.hints = w.ids;
        gjk.iterations += 1;
        let length = square.sqrt();
        let along = v.dot(w.m);
        if along > gjk.lower * length {
            gjk.lower = along / length;
            gjk.lower_direction = v / length;
        }
        if goal.boolean && gjk.lower > enough {
            gjk.end = End::Converged;
            return gjk;
        }
        if placed {
            gjk.upper = length;
            let gap = square - gjk.lower * length;
            if !(gap > goal.relative_gap * square + goal.sigma * length) || goal.boolean && length <= goal.margin {
                gjk.end = End::Converged;
                return gjk;
            }
            if gjk.simplex.contains(&w) {
                return gjk.stalled(goal);
            }
        }
        let before = (gjk.simplex, v, square);
        gjk.simplex.push(w);
        if gjk.place(goal, &mut square, true) {
            return gjk;
        }
        if placed && !(square < before.2) {
            (gjk.simplex, gjk.nearest) = (before.0, before.1);
            return gjk.stalled(goal);
        }
        placed = true;
    }
    gjk.upper = square.sqrt();
    gjk
}

impl Gjk {
    /// Reduces the simplex to what its nearest point needs. True if that ends the run: the cores meet.
    #[inline]
    fn place(&mut self, goal: &Goal, square: &mut Real, newest_last: bool) -> bool {
        let region = match goal.sub_algorithm {
            SubAlgorithm::Regions => self.simplex.reduce(newest_last),
            SubAlgorithm::Johnson => johnson::reduce(&mut self.simplex),
        };
        match region {
            Region::Outside(nearest) => {
                self.nearest = nearest;
                *square = nearest.length_squared();
                // Within the error of the supports the origin is touched; a shorter vector has no direction left.
                if *square > goal.sigma * goal.sigma {
                    return false;
                }
            }
            Region::Inside => {
                self.nearest = Vec3::ZERO;
                *square = 0.0;
            }
        }
        self.upper = square.sqrt();
        self.state = State::Meeting;
        self.end = End::Converged;
        true
    }

    /// The end of a run that no longer improves: converged if what is left of the gap is rounding.
    fn stalled(mut self, goal: &Goal) -> Self {
        self.upper = crate::math::length(self.nearest);
        let gap = self.upper - self.lower;
        let rounding = STALL_SIGMAS * goal.sigma + goal.relative_gap * self.upper;
        self.end = if gap <= rounding { End::Converged } else { End::Degenerate };
        self
    }
}
