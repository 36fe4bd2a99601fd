//! Whether two convex shapes meet, for several pairs in the lanes of a vector, by portal refinement (MPR).
//!
//! A pair has an inner point v0 of the difference M = B − A and up to three points v1, v2, v3 on its surface, the portal, which the ray from
//! v0 to the origin passes. Every step takes one support and puts it in the place of one point, chosen by signs of volumes: the same
//! instructions whatever the pair, so that lanes at different phases go on together. A lane whose pair is decided takes the next pair.
//!
//! Only what is certain is decided, by the bounds of the narrow phase: apart if a support plane separates by more than [`LANE_SIGMAS`] errors,
//! meeting if the tetrahedron of v0 and the portal contains the origin by more than [`CERTAIN_VOLUME`]. All else, extreme sizes included, is
//! left to the verb for one pair. Numbers that are too small to square, too large or no numbers at all fail every comparison.

use super::block::{Block, Kind, Outcome, Side, Verdict, at, put};
use super::boxes;
use super::frame::{Decided, Frame, copy};
use super::lane::{Lane, ROW, Row};
use super::vectors::Vectors;
use crate::math::{Real, Vec3};
use crate::tolerance::{CERTAIN_VOLUME, LANE_SHARED_SIGMAS, LANE_SIGMAS, LANE_SQUARE_MIN, SAFE_SQUARE_MAX, sigma};

/// Supports before a pair is handed on.
const STEP_LIMIT: Real = 20.0;

/// What is looked for next, as a number in a lane: v3, or a better portal.
const SEEKING: Real = 0.0;
const REFINING: Real = 1.0;

/// Pairs that go on, in the lanes of one vector.
#[derive(Clone, Copy)]
struct Group {
    rotation: [[Row; 3]; 3],
    translation: [Row; 3],
    sizes: [[Row; 3]; 2],
    /// A gap beyond this is certain.
    gap: Row,
    /// A volume beyond this is certain.
    volume: Row,
    /// v0 to v3.
    corners: [[Row; 3]; 4],
    /// The points of A in v1 to v3.
    on_a: [[Row; 3]; 3],
    phase: Row,
    steps: Row,
    /// The direction of the plane that separates, the corner of M in it and its point of A.
    direction: [Row; 3],
    last_corner: [Row; 3],
    last_on_a: [Row; 3],
    /// The volumes that weigh v0 to v3.
    weights: [Row; 4],
    /// Which pair of the queue is in each lane.
    owners: [usize; ROW],
    /// The lanes that hold a pair.
    active: u32,
}

/// Three supports for all pairs, a vector of them after the other; what is left takes lanes of a pool, which is advanced when it is full.
#[inline(always)]
pub(super) fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Outcome]) {
    let (mut fresh, mut pool) = (Group::EMPTY, Group::EMPTY);
    let full = (1 << L::WIDTH) - 1;
    let count = outcomes.len().min(queue.len() * ROW);
    let kinds = [sides[0].kind, sides[1].kind];
    let mut first = 0;
    while first < count {
        let (block, position) = (&queue[first / ROW], first % ROW);
        let lanes = (count - first).min(L::WIDTH);
        fresh.active = (1 << lanes) - 1;
        if let [Kind::Cuboid, Kind::Cuboid] = kinds {
            fresh.active &= !boxes::decide::<L>(block, position, fresh.active, &mut outcomes[first..]);
            if fresh.active == 0 {
                first += L::WIDTH;
                continue;
            }
        }
        let decided = open::<L>(&mut fresh, block, position, sides);
        let mut left = fresh.active & !decided.any();
        fresh.report(&decided, first, sides[0].centre, outcomes);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % ROW;
            left &= left - 1;
            while pool.active == full {
                advance::<L>(&mut pool, sides, outcomes);
            }
            pool.take(&fresh, lane, block, position, first + lane);
        }
        first += L::WIDTH;
    }
    while pool.active != 0 {
        advance::<L>(&mut pool, sides, outcomes);
    }
}

/// One support for each pair of a pool; those that are decided leave it.
#[inline(always)]
fn advance<L: Lane>(pool: &mut Group, sides: &[Side<'_>; 2], outcomes: &mut [Outcome]) {
    let decided = step::<L>(pool, sides);
    let mut lanes = decided.any() & pool.active;
    pool.active &= !lanes;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % ROW;
        lanes &= lanes - 1;
        outcomes[pool.owners[lane]] = pool.outcome(lane, &decided, sides[0].centre);
    }
}

impl Group {
    const EMPTY: Self = Self {
        rotation: [[Row::ZERO; 3]; 3],
        translation: [Row::ZERO; 3],
        sizes: [[Row::ZERO; 3]; 2],
        gap: Row::ZERO,
        volume: Row::ZERO,
        corners: [[Row::ZERO; 3]; 4],
        on_a: [[Row::ZERO; 3]; 3],
        phase: Row::ZERO,
        steps: Row::ZERO,
        direction: [Row::ZERO; 3],
        last_corner: [Row::ZERO; 3],
        last_on_a: [Row::ZERO; 3],
        weights: [Row::ZERO; 4],
        owners: [0; ROW],
        active: 0,
    };

    /// Takes a pair from the lane of another group into a free one.
    #[inline(always)]
    fn take(&mut self, from: &Self, lane: usize, block: &Block, position: usize, owner: usize) {
        let free = (!self.active).trailing_zeros() as usize % ROW;
        self.active |= 1 << free;
        self.owners[free] = owner;
        let place = (position + lane) % ROW;
        copy(&mut self.rotation, free, &block.rotation, place);
        copy(&mut self.sizes, free, &block.sizes, place);
        put(&mut self.translation, free, at(&block.translation, place));
        copy(&mut self.corners, free, &from.corners, lane);
        copy(&mut self.on_a, free, &from.on_a, lane);
        self.gap.0[free] = from.gap.0[lane];
        self.volume.0[free] = from.volume.0[lane];
        self.phase.0[free] = from.phase.0[lane];
        self.steps.0[free] = from.steps.0[lane];
    }

    /// Writes down what was decided about fresh pairs, of which the first has this place in the queue.
    #[inline(always)]
    fn report(&self, decided: &Decided, first: usize, centre: Vec3, outcomes: &mut [Outcome]) {
        let mut lanes = decided.any() & self.active;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % ROW;
            lanes &= lanes - 1;
            outcomes[first + lane] = self.outcome(lane, decided, centre);
        }
    }

    /// What was decided about the pair in a lane.
    #[inline(always)]
    fn outcome(&self, lane: usize, decided: &Decided, centre: Vec3) -> Outcome {
        let bit = 1 << lane;
        let verdict = if decided.apart & bit != 0 {
            let direction = -at(&self.direction, lane);
            let bound = direction.dot(at(&self.last_corner, lane)) / direction.length_squared().sqrt();
            Verdict::Apart { direction, bound, on_a: at(&self.last_on_a, lane) }
        } else if decided.meeting & bit != 0 {
            self.common(lane, centre)
        } else {
            Verdict::Unclear
        };
        Outcome { verdict, steps: self.steps.0[lane] as u32 }
    }

    /// The point of both whose difference the origin is, if rounding has left it one.
    #[inline(always)]
    fn common(&self, lane: usize, centre: Vec3) -> Verdict {
        let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|corner: usize| self.weights[corner].0[lane]);
        let scale = 1.0 / (w0 + w1 + w2 + w3);
        let [w0, w1, w2, w3] = [w0 * scale, w1 * scale, w2 * scale, w3 * scale];
        let [v0, v1, v2, v3] = [0, 1, 2, 3].map(|corner: usize| at(&self.corners[corner], lane));
        let [a1, a2, a3] = [0, 1, 2].map(|corner: usize| at(&self.on_a[corner], lane));
        let on_a = centre * w0 + a1 * w1 + a2 * w2 + a3 * w3;
        let difference = v0 * w0 + v1 * w1 + v2 * w2 + v3 * w3;
        // Written so that what is no number is unclear.
        let most = LANE_SHARED_SIGMAS / LANE_SIGMAS * self.gap.0[lane];
        let shown = difference.abs().element_sum() <= most && on_a.is_finite();
        if shown { Verdict::Common(on_a + difference * 0.5) } else { Verdict::Unclear }
    }
}

/// The lowest point of M, seen against a direction, and what it says.
struct Probe<L: Lane> {
    corner: Vectors<L>,
    on_a: Vectors<L>,
    /// The plane through it separates.
    apart: L::Mask,
    /// It is beyond the origin.
    goes_on: L::Mask,
}

/// One support for every lane; a gap beyond `gap` is certain.
#[inline(always)]
fn probe<L: Lane>(frame: &Frame<'_, L>, sides: &[Side<'_>; 2], gap: L, direction: Vectors<L>) -> Probe<L> {
    let zero = L::splat(0.0);
    let [corner, on_a] = frame.lowest(sides, direction.negated());
    let (along, square) = (direction.dot(corner), direction.dot(direction));
    let sound = L::and(square.above(L::splat(LANE_SQUARE_MIN)), L::splat(SAFE_SQUARE_MAX).above(square));
    let apart = L::and(sound, zero.sub(along).above(gap.mul(square.sqrt())));
    Probe { corner, on_a, apart, goes_on: L::and(sound, along.above(zero)) }
}

/// The first plane found that separates the pair of each lane.
#[derive(Clone, Copy)]
struct Planes<L> {
    direction: Vectors<L>,
    corner: Vectors<L>,
    on_a: Vectors<L>,
}

impl<L: Lane> Planes<L> {
    #[inline(always)]
    fn of(direction: Vectors<L>, probe: &Probe<L>) -> Self {
        Self { direction, corner: probe.corner, on_a: probe.on_a }
    }

    #[inline(always)]
    fn or(self, mask: L::Mask, other: Self) -> Self {
        Self {
            direction: Vectors::select(mask, other.direction, self.direction),
            corner: Vectors::select(mask, other.corner, self.corner),
            on_a: Vectors::select(mask, other.on_a, self.on_a),
        }
    }

    #[inline(always)]
    fn store(self, group: &mut Group) {
        self.direction.store(&mut group.direction);
        self.corner.store(&mut group.last_corner);
        self.on_a.store(&mut group.last_on_a);
    }
}

/// The first three supports of fresh pairs: one towards the origin, one across, one across both.
#[inline(always)]
fn open<L: Lane>(group: &mut Group, block: &Block, position: usize, sides: &[Side<'_>; 2]) -> Decided {
    let zero = L::splat(0.0);
    let size: L = L::load_at(&block.size, position);
    let gap = size.mul(L::splat(LANE_SIGMAS * sigma(1.0)));
    let frame = Frame::load(&block.rotation, &block.translation, &block.sizes, position);
    let v0 = frame.between(sides);

    let towards = v0.negated();
    let first = probe(&frame, sides, gap, towards);
    let across = first.corner.cross(v0);
    let second = probe(&frame, sides, gap, across);
    // The first two corners run the right way around the ray.
    let wrong = zero.above(first.corner.cross(second.corner).dot(v0));
    let (v1, v2) =
        (Vectors::select(wrong, second.corner, first.corner), Vectors::select(wrong, first.corner, second.corner));
    let on_a = [Vectors::select(wrong, second.on_a, first.on_a), Vectors::select(wrong, first.on_a, second.on_a)];
    let outward = (v2 - v0).cross(v1 - v0);
    let third = probe(&frame, sides, gap, outward);

    let one = first.goes_on;
    let two = L::and(one, second.goes_on);
    let (apart1, apart2) = (first.apart, L::and(one, second.apart));
    let apart3 = L::and(two, third.apart);
    let apart = L::bits(L::or(L::or(apart1, apart2), apart3));
    if apart & group.active != 0 {
        let planes = Planes::of(towards, &first).or(apart2, Planes::of(across, &second));
        planes.or(apart3, Planes::of(outward, &third)).store(group);
    }
    L::select(two, L::splat(3.0), L::select(one, L::splat(2.0), L::splat(1.0))).store(&mut group.steps);
    let [r0, ..] = &mut group.corners;
    v0.store(r0);
    gap.store(&mut group.gap);
    let volume = size.mul(size).mul(size).mul(L::splat(CERTAIN_VOLUME));
    let newest = L::above(zero, zero);
    let moves = Moves { newest, second: newest, third: newest };
    let meeting = moves.place(group, [v0, v1, v2, third.corner], [on_a[0], on_a[1], third.on_a], volume, newest);
    let all = L::bits(two);
    Decided { apart, meeting: meeting & all, unclear: !(all & L::bits(third.goes_on)) }
}

/// One support for every lane of a group.
#[inline(always)]
fn step<L: Lane>(group: &mut Group, sides: &[Side<'_>; 2]) -> Decided {
    let [v0, v1, v2, v3] = &group.corners;
    let (v0, v1): (Vectors<L>, Vectors<L>) = (Vectors::load(v0), Vectors::load(v1));
    let (v2, v3): (Vectors<L>, Vectors<L>) = (Vectors::load(v2), Vectors::load(v3));
    let refining = L::load(&group.phase).above(L::splat(0.5 * (SEEKING + REFINING)));
    let first = Vectors::select(refining, v3 - v1, v2 - v0);
    let second = Vectors::select(refining, v2 - v1, v1 - v0);
    let direction = first.cross(second);
    let frame = Frame::load(&group.rotation, &group.translation, &group.sizes, 0);
    let probe = probe(&frame, sides, L::load(&group.gap), direction);
    let apart = L::bits(probe.apart);
    let goes_on = L::bits(probe.goes_on);
    if apart & group.active != 0 {
        Planes::of(direction, &probe).store(group);
    }
    // Seen along the ray, the corners run around it. The two that stay are those between which the line from the newest corner through the
    // ray leaves the portal.
    let zero = L::splat(0.0);
    let v4 = probe.corner;
    let across = v0.cross(v4);
    let (p1, p2) = (across.dot(v1).above(zero), across.dot(v2).above(zero));
    let p3 = across.dot(v3).above(zero);
    let all = L::splat(1.0).above(zero);
    let third = L::or(L::and(refining, L::without(p1, p2)), L::without(all, refining));
    let second = L::and(refining, L::without(p3, p1));
    let moves: Moves<L::Mask> = Moves { newest: L::without(L::without(all, third), second), second, third };
    let [a1, a2, a3] = &group.on_a;
    let [v1, v2, v3] = moves.replace([v1, v2, v3], v4);
    let on_a = moves.replace([Vectors::load(a1), Vectors::load(a2), Vectors::load(a3)], probe.on_a);
    let volume = L::load(&group.volume);
    let meeting = moves.place(group, [v0, v1, v2, v3], on_a, volume, refining);
    let steps = L::load(&group.steps).add(L::splat(1.0));
    steps.store(&mut group.steps);
    let is_last = L::bits(steps.above(L::splat(STEP_LIMIT - 0.5)));
    Decided { apart, meeting, unclear: !goes_on | is_last }
}

/// Which corner the newest one replaces: the first, the second or the third.
struct Moves<M> {
    newest: M,
    second: M,
    third: M,
}

impl<M: Copy> Moves<M> {
    #[inline(always)]
    fn replace<L: Lane<Mask = M>>(&self, [p1, p2, p3]: [Vectors<L>; 3], newest: Vectors<L>) -> [Vectors<L>; 3] {
        [
            Vectors::select(self.newest, newest, p1),
            Vectors::select(self.second, newest, p2),
            Vectors::select(self.third, newest, p3),
        ]
    }

    /// Stores the corners of all lanes and answers which have the origin inside. A third corner with which the ray passes by the portal
    /// takes the place of one of the first two, unless the lane is `refining` already.
    #[inline(always)]
    fn place<L: Lane<Mask = M>>(
        &self,
        group: &mut Group,
        [v0, v1, v2, v3]: [Vectors<L>; 4],
        [a1, a2, a3]: [Vectors<L>; 3],
        least: L,
        refining: M,
    ) -> u32 {
        let zero = L::splat(0.0);
        let x12 = v1.cross(v2);
        let (w1, w2, w3) = (v2.cross(v3).dot(v0), v3.cross(v1).dot(v0), x12.dot(v0));
        let w0 = zero.sub(x12.dot(v3));
        let passes_second = L::without(zero.above(w2), refining);
        let passes_first = L::without(L::without(zero.above(w1), refining), passes_second);
        let passes = L::or(passes_first, passes_second);
        let [_, r1, r2, r3] = &mut group.corners;
        Vectors::select(passes_first, v3, v1).store(r1);
        Vectors::select(passes_second, v3, v2).store(r2);
        v3.store(r3);
        let [r1, r2, r3] = &mut group.on_a;
        Vectors::select(passes_first, a3, a1).store(r1);
        Vectors::select(passes_second, a3, a2).store(r2);
        a3.store(r3);
        L::select(passes, L::splat(SEEKING), L::splat(REFINING)).store(&mut group.phase);
        least.store(&mut group.volume);
        let inside = L::and(L::and(w0.above(least), w1.above(least)), L::and(w2.above(least), w3.above(least)));
        let meeting = L::bits(L::without(inside, passes));
        if meeting & group.active != 0 {
            let [r0, r1, r2, r3] = &mut group.weights;
            w0.store(r0);
            w1.store(r1);
            w2.store(r2);
            w3.store(r3);
        }
        meeting
    }
}
