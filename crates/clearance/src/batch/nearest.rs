//! The nearest points of two convex shapes, for several pairs in the lanes of a vector, by GJK.
//!
//! A pair has up to three corners of the difference M = B − A; one that it lacks is a copy of another. Every step takes one support along
//! the nearest point of the simplex, and chooses among the vertex, the edges and the triangles that the newest corner is in (`simplex`): the same
//! instructions whatever the pair. Pairs take some steps together; those that are left take lanes of a pool, in which a lane whose pair is done
//! takes the next.
//!
//! A pair is done when the plane through its last support is as near as it must be: within the support error for flat faces, within some
//! thousandths for curved ones, which Newton's method takes on from there (`newton`; `finish` for flat ones). What is stated is checked by the
//! narrow phase as an answer of its own. A tetrahedron that contains the origin for certain is where a depth starts. What comes within
//! rounding of touching, or does not come nearer, is left to the verb for one pair.
//!
//! The same search tells whether rounded bodies overlap: it ends as soon as the cores are nearer or farther than the radii for certain.

use super::block::{Block, Kind, Side};
use super::finish;
use super::frame::{Decided, Frame};
use super::group::{Group, Nearest};
use super::job::Search;
use super::lane::{Lane, ROW};
use super::newton;
use super::simplex;
use super::vectors::Vectors;
use crate::math::Real;
use crate::tolerance::{
    CERTAIN_VOLUME, COARSE_GAP, LANE_COARSE_GAP, LANE_NEAR_SIGMAS, LANE_SQUARE_MIN, SAFE_SQUARE_MAX, rounded_doubt,
    sigma,
};

/// Supports before a pair is handed on.
const STEP_LIMIT: Real = 32.0;

/// Steps that pairs take together before those that are left go to the pool.
const TOGETHER: usize = 3;

/// Looks for the nearest points of cores.
pub(super) struct NearestPoints;

impl Search for NearestPoints {
    type Outcome = Nearest;
    const UNCLEAR: Nearest = Nearest::Unclear;

    #[inline(always)]
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Nearest]) {
        run::<L, false>(sides, queue, outcomes);
    }
}

/// Works through a queue of pairs: as many as there are outcomes.
#[inline(always)]
pub(super) fn run<L: Lane, const BOOLEAN: bool>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Nearest]) {
    let is_flat = is_flat(sides);
    let gap = match [sides[0].kind, sides[1].kind] {
        _ if is_flat || BOOLEAN => 0.0,
        [Kind::Ellipsoid, Kind::Ellipsoid] => COARSE_GAP,
        _ => LANE_COARSE_GAP,
    };
    let mut work = Work::<BOOLEAN> { sides, is_flat, gap, ended: Group::EMPTY, outcomes };
    let (mut fresh, mut pool) = (Group::EMPTY, Group::EMPTY);
    let full = (1 << L::WIDTH) - 1;
    let count = work.outcomes.len().min(queue.len() * ROW);
    let mut first = 0;
    while first < count {
        let lanes = (count - first).min(L::WIDTH);
        open::<L>(&mut fresh, &queue[first / ROW], first % ROW, sides);
        fresh.active = (1 << lanes) - 1;
        for lane in 0..lanes {
            fresh.owners[lane % ROW] = first + lane;
        }
        for _ in 0..TOGETHER {
            work.advance::<L>(&mut fresh);
        }
        while fresh.active != 0 {
            let lane = fresh.active.trailing_zeros() as usize % ROW;
            fresh.active &= fresh.active - 1;
            while pool.active == full {
                work.advance::<L>(&mut pool);
            }
            pool.take(&fresh, lane);
        }
        first += L::WIDTH;
    }
    while pool.active != 0 {
        work.advance::<L>(&mut pool);
    }
    work.finish::<L>();
}

/// Whether both have flat faces only, so that a search ends with the nearest point itself.
#[inline(always)]
fn is_flat(sides: &[Side<'_>; 2]) -> bool {
    matches!((sides[0].kind, sides[1].kind), (Kind::Cuboid | Kind::Hull, Kind::Cuboid | Kind::Hull))
}

/// What is asked, pairs whose search has ended, and what is known. A `BOOLEAN` search ends as well where the cores are nearer or farther than the
/// rounding radii for certain, and needs no more than corners.
struct Work<'a, const BOOLEAN: bool> {
    sides: &'a [Side<'a>; 2],
    is_flat: bool,
    /// The relative gap at which a search ends.
    gap: Real,
    ended: Group,
    outcomes: &'a mut [Nearest],
}

impl<const BOOLEAN: bool> Work<'_, BOOLEAN> {
    /// One step for each pair of a group; those that are decided leave it.
    #[inline(always)]
    fn advance<L: Lane>(&mut self, group: &mut Group) {
        if group.active == 0 {
            return;
        }
        let decided = step::<L, BOOLEAN>(group, self.sides, self.gap);
        let mut lanes = decided.any() & group.active;
        group.active &= !lanes;
        let full = (1 << L::WIDTH) - 1;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % ROW;
            lanes &= lanes - 1;
            let bit = 1 << lane;
            if decided.apart & bit != 0 {
                self.ended.take(group, lane);
                if self.ended.active == full {
                    self.finish::<L>();
                }
            } else if decided.meeting & bit != 0 {
                self.outcomes[group.owners[lane]] = Nearest::Meeting(group.inside(lane));
            }
        }
    }

    /// Finishes the pairs whose search has ended.
    #[inline(always)]
    fn finish<L: Lane>(&mut self) {
        if self.ended.active == 0 {
            return;
        }
        let finished = if BOOLEAN || self.is_flat {
            finish::flat::<L>(&self.ended)
        } else {
            newton::curved::<L>(&self.ended, self.sides)
        };
        finished.report(&mut self.ended, self.outcomes);
    }
}

/// The first support of fresh pairs, along the line between inner points.
#[inline(always)]
fn open<L: Lane>(group: &mut Group, block: &Block, position: usize, sides: &[Side<'_>; 2]) {
    let frame = Frame::<L>::load(&block.rotation, &block.translation, &block.sizes, position);
    let [corner, on_a] = frame.lowest(sides, frame.between(sides));
    group.open(&frame, block, position);
    for rows in &mut group.corners {
        corner.store(rows);
    }
    for rows in &mut group.on_a {
        on_a.store(rows);
    }
    corner.store(&mut group.nearest);
}

/// One support for every lane of a group.
#[inline(always)]
fn step<L: Lane, const BOOLEAN: bool>(group: &mut Group, sides: &[Side<'_>; 2], gap: Real) -> Decided {
    let nearest: Vectors<L> = Vectors::load(&group.nearest);
    let frame = Frame::load(&group.rotation, &group.translation, &group.sizes, 0);
    let [lowest, on_a] = frame.lowest(sides, nearest);
    let size = L::load(&group.size);
    let error = size.mul(L::splat(sigma(1.0)));
    let zero = L::splat(0.0);
    let (square, along) = (nearest.dot(nearest), nearest.dot(lowest));
    let near = error.mul(L::splat(LANE_NEAR_SIGMAS));
    let sound = L::and(square.above(L::splat(LANE_SQUARE_MIN)), L::splat(SAFE_SQUARE_MAX).above(square));
    let sound = L::and(sound, square.above(near.mul(near)));
    let excess = square.sub(along).sub(square.mul(L::splat(gap)));
    let goes_on = excess.above(error.mul(square.sqrt()));
    let apart = L::without(sound, goes_on);
    let margin = L::load(&group.margin);
    let doubt = error.mul(L::splat(rounded_doubt(1.0, 0.0))).add(margin.mul(L::splat(rounded_doubt(0.0, 1.0))));
    // Twice: what is stated adds the error of a support to what is told here.
    let doubt = doubt.add(doubt);
    let apart =
        if BOOLEAN { L::or(apart, L::and(sound, along.above(margin.add(doubt).mul(square.sqrt())))) } else { apart };
    lowest.store(&mut group.lowest);
    let steps = L::load(&group.steps).add(L::splat(1.0));
    steps.store(&mut group.steps);
    let is_last = steps.above(L::splat(STEP_LIMIT - 0.5));

    let [p1, p2, p3] = &group.corners;
    let corners = [Vectors::load(p1), Vectors::load(p2), Vectors::load(p3)];
    let [a1, a2, a3] = &group.on_a;
    let of_a = [Vectors::load(a1), Vectors::load(a2), Vectors::load(a3)];
    let volume = size.mul(size).mul(size).mul(L::splat(CERTAIN_VOLUME));
    let found = simplex::nearest(corners, of_a, [lowest, on_a], volume);
    let nearer = square.above(found.nearest.dot(found.nearest));
    on_a.store(&mut group.lowest_on_a);
    // What is done keeps the corners it is done with.
    let done = L::or(apart, found.certain);
    for (rows, corner) in group.corners.iter_mut().zip(found.corners) {
        let before = Vectors::load(rows);
        Vectors::select(done, before, corner).store(rows);
    }
    for (rows, point) in group.on_a.iter_mut().zip(found.on_a) {
        let before = Vectors::load(rows);
        Vectors::select(done, before, point).store(rows);
    }
    Vectors::select(apart, nearest, found.nearest).store(&mut group.nearest);
    let goes_on = L::without(L::and(L::and(sound, goes_on), nearer), L::or(found.inside, is_last));
    let goes_on = L::bits(L::without(goes_on, apart));
    let (apart, meeting) = (L::bits(apart), L::bits(L::without(found.certain, apart)));
    if BOOLEAN {
        // Nearer than the radii: done as well, with the corners of this step.
        let within = margin.sub(doubt);
        let within = L::and(within.above(zero), within.mul(within).above(found.nearest.dot(found.nearest)));
        let apart = apart | L::bits(within) & !meeting;
        return Decided { apart, meeting, unclear: !(goes_on | apart | meeting) };
    }
    Decided { apart, meeting, unclear: !(goes_on | apart | meeting) }
}
