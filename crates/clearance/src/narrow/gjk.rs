//! GJK: distance and boolean of two bodies known by their supports.
//!
//! Implicit-objects thesis, Algorithms 1, 4 and 5 in one loop. The distance run (Algorithm 1) stops on the duality gap, as
//! erratum 2 asks. The boolean run (Algorithm 4, SA-GJK) also stops as soon as a support plane separates or a common point is
//! known. Radii make the boolean and the distance those of the swept bodies (Algorithm 5): the margin is compared with bounds
//! on the cores' distance, so it is exact.
//!
//! It ends: each step either stops or brings the simplex nearer to the origin, but for a few steps in a row; a repeated
//! support or no progress is the end, with the bounds reached by then, and so is the iteration limit. Nothing is nudged.

use glam::DVec3;

use super::End;
use super::minkowski::{Minkowski, Vertex};
use super::simplex::{Region, Simplex};
use super::{careful, johnson};
use crate::math::{Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::support::{Support, VertexId};
use crate::tolerance::{STALL_SIGMAS, STANDSTILL_GROWTH};

/// Supports that a run may take. Curved bodies in f64 take up to 60 (figure 15 of the thesis); beyond 128 nothing improves.
pub const ITERATION_LIMIT: u32 = 128;

/// Steps in a row that may leave the vector as long as it was.
const STANDSTILL_LIMIT: u32 = 4;

/// How the nearest point of a simplex is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubAlgorithm {
    /// By Voronoi regions: `narrow::simplex`.
    #[default]
    Regions,
    /// By Johnson's determinants with the back-up procedure: `narrow::johnson`.
    Johnson,
    /// By Johnson's determinants in pairs of doubles, for thin simplices: `narrow::careful`.
    Careful,
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
    /// The nearest point found, in f64 whatever the build's precision.
    pub nearest: DVec3,
    /// The best lower bound found.
    pub plane: SupportPlane,
    /// The last vertices found.
    pub hints: [VertexId; 2],
    /// Supports evaluated.
    pub iterations: u32,
    /// How it ended.
    pub end: End,
}

/// A plane below M.
#[derive(Debug, Clone, Copy)]
pub struct SupportPlane {
    /// The direction asked, of any length.
    pub direction: Vec3,
    /// `g(direction)/|direction|`: a lower bound on the distance up to the error; it may be negative.
    pub bound: Real,
    /// The point of A farthest along it.
    pub on_a: Vec3,
}

/// Runs GJK, from a simplex of vertices if there is one to start from, else from a direction.
#[inline]
pub fn run<A: Support, B: Support>(m: &Minkowski<'_, A, B>, start: &Start, warm: &[Vertex], goal: &Goal) -> Gjk {
    let mut gjk = Gjk::new(start);
    gjk.advance(m, start, warm, goal);
    gjk
}

impl Goal {
    /// Whether the nearest point, at this length, is near enough to its own support plane, or the boolean is known. No products of more
    /// than two lengths, so that tiny bodies lose nothing to underflow.
    #[inline]
    fn is_reached(&self, square: f64, length: f64, along: f64) -> bool {
        let [sigma, margin, gap] = [self.sigma, self.margin, self.relative_gap].map(widen_real);
        let excess = square - along - gap * square;
        !(excess > sigma * length) || self.boolean && length <= margin
    }
}

impl Gjk {
    /// Before the first support.
    #[inline]
    pub(super) fn new(start: &Start) -> Self {
        Self {
            state: State::Apart,
            simplex: Simplex::default(),
            nearest: widen(start.direction),
            plane: SupportPlane { direction: Vec3::X, bound: Real::NEG_INFINITY, on_a: Vec3::ZERO },
            hints: start.hints,
            iterations: 0,
            end: End::IterationLimit,
        }
    }

    /// Runs to the end.
    #[inline]
    pub(super) fn advance<A: Support, B: Support>(
        &mut self,
        m: &Minkowski<'_, A, B>,
        start: &Start,
        warm: &[Vertex],
        goal: &Goal,
    ) {
        let mut square = widen(start.direction).length_squared();
        if !warm.is_empty() {
            warm.iter().for_each(|vertex| self.simplex.push(*vertex));
            let region = self.locate(goal, false);
            self.simplex.keep(&region);
            self.nearest = region.point();
            square = self.nearest.length_squared();
            if self.meets(goal, square) {
                return;
            }
        }
        let mut standstill = 0;
        loop {
            let (direction, length) = (narrow(self.nearest), square.sqrt());
            let w = m.lowest(direction, self.hints);
            self.hints = w.ids;
            self.iterations += 1;
            let along = widen(direction).dot(widen(w.m));
            let bound = narrow_real(along / length);
            if bound > self.plane.bound {
                self.plane = SupportPlane { direction, bound, on_a: w.a };
            }
            let placed = !self.simplex.vertices().is_empty();
            if goal.boolean && self.plane.bound > goal.margin + goal.sigma
                || placed && goal.is_reached(square, length, along)
            {
                self.end = End::Converged;
                return;
            }
            if self.iterations >= ITERATION_LIMIT {
                return;
            }
            if self.simplex.contains(&w) {
                return self.stall(goal);
            }
            self.simplex.push(w);
            let region = self.locate(goal, placed);
            let nearest = region.point();
            let shorter = nearest.length_squared();
            // A turn by 1e-8 shortens the vector by 1e-16 of itself, which does not show, but may raise the bound a lot: so a
            // few steps may pass without visible progress, as long as the vector gets no longer.
            standstill = if !placed || shorter < square { 0 } else { standstill + 1 };
            if standstill > STANDSTILL_LIMIT || placed && shorter > square * (1.0 + STANDSTILL_GROWTH) {
                self.simplex.pop();
                return self.stall(goal);
            }
            (self.nearest, square) = (nearest, shorter);
            self.simplex.keep(&region);
            if self.meets(goal, square) {
                return;
            }
        }
    }

    /// The length of the nearest point: an upper bound on the distance of the cores, up to the error.
    #[inline]
    pub fn upper(&self) -> Real {
        narrow_real(self.nearest.length())
    }

    #[inline]
    fn locate(&self, goal: &Goal, newest_last: bool) -> Region {
        match goal.sub_algorithm {
            SubAlgorithm::Regions => self.simplex.locate(newest_last),
            SubAlgorithm::Johnson => johnson::locate(&self.simplex),
            SubAlgorithm::Careful => careful::locate(&self.simplex),
        }
    }

    /// Within the error of the supports the origin is touched; a shorter vector has no direction left.
    #[inline]
    fn meets(&mut self, goal: &Goal, square: f64) -> bool {
        let sigma = widen_real(goal.sigma);
        let meets = !(square > sigma * sigma);
        if meets {
            self.state = State::Meeting;
            self.end = End::Converged;
        }
        meets
    }

    /// The end of a run that no longer improves: converged if what is left of the gap is rounding.
    fn stall(&mut self, goal: &Goal) {
        let upper = self.upper();
        let rounding = STALL_SIGMAS * (goal.sigma + goal.relative_gap * upper);
        let converged = upper - self.plane.bound <= rounding;
        self.end = if converged { End::Converged } else { End::Degenerate };
    }
}
