//! The nearest points of two convex shapes, for several pairs in the lanes of a vector, by GJK.
//!
//! A pair has up to three corners of the difference M = B − A; one that it lacks is a copy of another. Every step takes one support along
//! the nearest point of the simplex, and chooses among the vertex, the edges and the triangles that the newest corner is in (`simplex`): the same
//! instructions whatever the pair. Pairs take some steps together; those that are left take lanes of a pool, in which a lane whose pair is done
//! takes the next.
//!
//! A pair is done when the plane through its last support is as near as it must be: within the support error for flat faces, within a
//! tenth for curved ones, which Newton's method takes on from there. What is stated is computed from its corners by the narrow phase, which
//! checks it as an answer of its own. What comes within rounding of touching, or does not come nearer, is left to the verb for one pair.

use super::block::{Block, Kind, Side, at, put};
use super::frame::{Decided, Frame, copy};
use super::lane::{Lane, ROW, Row, Vectors};
use super::simplex;
use crate::math::{Real, Vec3};
use crate::tolerance::{CERTAIN_VOLUME, COARSE_GAP, LANE_NEAR_SIGMAS, LANE_SQUARE_MIN, SAFE_SQUARE_MAX, sigma};

/// Supports before a pair is handed on.
const STEP_LIMIT: Real = 32.0;

/// Steps that pairs take together before those that are left go to the pool.
const TOGETHER: usize = 3;

/// What lanes found about a pair, in the frame of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    pub state: State,
    /// Corners of M, of which some may be equal, and their points of A.
    pub corners: [Vec3; 3],
    pub on_a: [Vec3; 3],
    /// A direction and the lowest point of M along it.
    pub direction: Vec3,
    pub lowest: Vec3,
    /// Supports that it took.
    pub steps: u32,
}

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Unclear,
    /// The corners have the nearest point, and the plane through the lowest point bounds the distance.
    Apart,
    /// They have a common point for certain.
    Meeting,
}

impl Nearest {
    pub const UNCLEAR: Self = Self {
        state: State::Unclear,
        corners: [Vec3::ZERO; 3],
        on_a: [Vec3::ZERO; 3],
        direction: Vec3::ZERO,
        lowest: Vec3::ZERO,
        steps: 0,
    };
}

/// Pairs that go on, in the lanes of one vector.
#[derive(Clone, Copy)]
struct Group {
    rotation: [[Row; 3]; 3],
    translation: [Row; 3],
    sizes: [[Row; 3]; 2],
    /// The sizes of the pairs.
    size: Row,
    corners: [[Row; 3]; 3],
    on_a: [[Row; 3]; 3],
    /// The nearest point of the corners.
    nearest: [Row; 3],
    /// The last support.
    lowest: [Row; 3],
    steps: Row,
    /// Which pair of the queue is in each lane.
    owners: [usize; ROW],
    /// The lanes that hold a pair.
    active: u32,
}

/// Works through a queue of pairs: as many as there are outcomes.
#[inline(always)]
pub(super) fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Nearest]) {
    let (mut fresh, mut pool) = (Group::EMPTY, Group::EMPTY);
    let full = (1 << L::WIDTH) - 1;
    let count = outcomes.len().min(queue.len() * ROW);
    let is_flat = sides.iter().all(|side| matches!(side.kind, Kind::Cuboid | Kind::Hull));
    let gap = if is_flat { 0.0 } else { COARSE_GAP };
    let mut first = 0;
    while first < count {
        let lanes = (count - first).min(L::WIDTH);
        open::<L>(&mut fresh, &queue[first / ROW], first % ROW, sides);
        fresh.active = (1 << lanes) - 1;
        for lane in 0..lanes {
            fresh.owners[lane % ROW] = first + lane;
        }
        for _ in 0..TOGETHER {
            advance::<L>(&mut fresh, sides, gap, outcomes);
        }
        while fresh.active != 0 {
            let lane = fresh.active.trailing_zeros() as usize % ROW;
            fresh.active &= fresh.active - 1;
            while pool.active == full {
                advance::<L>(&mut pool, sides, gap, outcomes);
            }
            pool.take(&fresh, lane);
        }
        first += L::WIDTH;
    }
    while pool.active != 0 {
        advance::<L>(&mut pool, sides, gap, outcomes);
    }
}

impl Group {
    const EMPTY: Self = Self {
        rotation: [[Row::ZERO; 3]; 3],
        translation: [Row::ZERO; 3],
        sizes: [[Row::ZERO; 3]; 2],
        size: Row::ZERO,
        corners: [[Row::ZERO; 3]; 3],
        on_a: [[Row::ZERO; 3]; 3],
        nearest: [Row::ZERO; 3],
        lowest: [Row::ZERO; 3],
        steps: Row::ZERO,
        owners: [0; ROW],
        active: 0,
    };

    /// Takes a pair from the lane of another group into a free one.
    #[inline(always)]
    fn take(&mut self, from: &Self, lane: usize) {
        let free = (!self.active).trailing_zeros() as usize % ROW;
        self.active |= 1 << free;
        self.owners[free] = from.owners[lane];
        copy(&mut self.rotation, free, &from.rotation, lane);
        copy(&mut self.sizes, free, &from.sizes, lane);
        put(&mut self.translation, free, at(&from.translation, lane));
        copy(&mut self.corners, free, &from.corners, lane);
        copy(&mut self.on_a, free, &from.on_a, lane);
        put(&mut self.nearest, free, at(&from.nearest, lane));
        self.size.0[free] = from.size.0[lane];
        self.steps.0[free] = from.steps.0[lane];
    }

    #[inline(always)]
    fn outcome(&self, lane: usize, state: State) -> Nearest {
        let [c1, c2, c3] = &self.corners;
        let [a1, a2, a3] = &self.on_a;
        Nearest {
            state,
            corners: [at(c1, lane), at(c2, lane), at(c3, lane)],
            on_a: [at(a1, lane), at(a2, lane), at(a3, lane)],
            direction: at(&self.nearest, lane),
            lowest: at(&self.lowest, lane),
            steps: self.steps.0[lane] as u32,
        }
    }
}

/// One step for each pair of a group; those that are decided leave it.
#[inline(always)]
fn advance<L: Lane>(group: &mut Group, sides: &[Side<'_>; 2], gap: Real, outcomes: &mut [Nearest]) {
    if group.active == 0 {
        return;
    }
    let decided = step::<L>(group, sides, gap);
    let mut lanes = decided.any() & group.active;
    group.active &= !lanes;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % ROW;
        lanes &= lanes - 1;
        let bit = 1 << lane;
        let state = if decided.apart & bit != 0 {
            State::Apart
        } else if decided.meeting & bit != 0 {
            State::Meeting
        } else {
            State::Unclear
        };
        outcomes[group.owners[lane]] = group.outcome(lane, state);
    }
}

/// The first support of fresh pairs, along the line between inner points.
#[inline(always)]
fn open<L: Lane>(group: &mut Group, block: &Block, position: usize, sides: &[Side<'_>; 2]) {
    let frame = Frame::<L>::load(&block.rotation, &block.translation, &block.sizes, position);
    let [corner, on_a] = frame.lowest(sides, frame.between(sides));
    frame.store(&mut group.rotation, &mut group.translation, &mut group.sizes);
    L::load_at(&block.size, position).store(&mut group.size);
    for rows in &mut group.corners {
        corner.store(rows);
    }
    for rows in &mut group.on_a {
        on_a.store(rows);
    }
    corner.store(&mut group.nearest);
    L::splat(1.0).store(&mut group.steps);
}

/// One support for every lane of a group.
#[inline(always)]
fn step<L: Lane>(group: &mut Group, sides: &[Side<'_>; 2], gap: Real) -> Decided {
    let nearest: Vectors<L> = Vectors::load(&group.nearest);
    let frame = Frame::load(&group.rotation, &group.translation, &group.sizes, 0);
    let [lowest, on_a] = frame.lowest(sides, nearest);
    let size = L::load(&group.size);
    let error = size.mul(L::splat(sigma(1.0)));
    let (square, along) = (nearest.dot(nearest), nearest.dot(lowest));
    let near = error.mul(L::splat(LANE_NEAR_SIGMAS));
    let sound = L::and(square.above(L::splat(LANE_SQUARE_MIN)), L::splat(SAFE_SQUARE_MAX).above(square));
    let sound = L::and(sound, square.above(near.mul(near)));
    let excess = square.sub(along).sub(square.mul(L::splat(gap)));
    let goes_on = excess.above(error.mul(square.sqrt()));
    let apart = L::without(sound, goes_on);
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
    // What is done keeps the corners it is done with.
    for (rows, corner) in group.corners.iter_mut().zip(found.corners) {
        let before = Vectors::load(rows);
        Vectors::select(apart, before, corner).store(rows);
    }
    for (rows, point) in group.on_a.iter_mut().zip(found.on_a) {
        let before = Vectors::load(rows);
        Vectors::select(apart, before, point).store(rows);
    }
    Vectors::select(apart, nearest, found.nearest).store(&mut group.nearest);
    let goes_on = L::without(L::and(L::and(sound, goes_on), nearer), L::or(found.inside, is_last));
    let goes_on = L::bits(goes_on);
    let (apart, meeting) = (L::bits(apart), L::bits(L::without(found.certain, apart)));
    Decided { apart, meeting, unclear: !(goes_on | apart | meeting) }
}
