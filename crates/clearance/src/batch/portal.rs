//! Whether two convex shapes meet, for several pairs in the lanes of a vector, by portal refinement (MPR).
//!
//! A pair has an inner point v0 of the difference M = B − A and up to three points v1, v2, v3 on its surface, the portal, which the ray from
//! v0 to the origin passes. Every step takes one support and puts it in the place of one point, chosen by signs of volumes: the same
//! instructions whatever the pair, so that lanes at different phases go on together. A lane whose pair is decided takes the next pair.
//!
//! Only what is certain is decided, by the bounds of the narrow phase: apart if a support plane separates by more than [`LANE_SIGMAS`] errors,
//! meeting if the tetrahedron of v0 and the portal contains the origin by more than [`CERTAIN_VOLUME`]. All else, extreme sizes included, is
//! left to the verb for one pair. Numbers that are too small to square, too large or no numbers at all fail every comparison.

use super::lane::{Lane, Plain, ROW, Row, Vectors};
use crate::math::{Mat3, Real, Vec3, length};
use crate::tolerance::{
    CERTAIN_VOLUME, LANE_SHARED_SIGMAS, LANE_SIGMAS, LANE_SQUARE_MIN, SAFE_SQUARE_MAX, UNIT_ROUNDOFF, sigma,
};

/// Supports before a pair is handed on.
const STEP_LIMIT: Real = 20.0;

/// Vectors that are advanced in turn: one computes while the other waits for its pairs.
const GROUPS: usize = 2;

/// The kinds of shapes that lanes have supports for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Half extents.
    Cuboid,
    /// Radii.
    Ellipsoid,
    /// Radius, unused, half height.
    Cylinder,
    /// Radius, unused, height.
    Cone,
    /// The vertices of the [`Side`].
    Hull,
}

/// What all first or all second shapes of a queue have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub kind: Kind,
    /// The vertices of a hull; none for other kinds.
    pub vertices: &'a [Vec3],
    /// A point of the interior.
    pub centre: Vec3,
}

/// A pair that waits for a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub rotation: Mat3,
    pub translation: Vec3,
    /// The sizes of both shapes, by their kind.
    pub sizes: [Vec3; 2],
    /// The size of the pair.
    pub size: Real,
}

/// What is certain about a pair, in the frame of A, and the supports it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    pub verdict: Verdict,
    pub steps: u32,
}

/// What is certain about a pair, in the frame of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    /// Nothing.
    Unclear,
    /// A plane separates them.
    Apart { direction: Vec3, bound: Real, on_a: Vec3 },
    /// A point of both.
    Common(Vec3),
}

impl Outcome {
    pub const UNCLEAR: Self = Self { verdict: Verdict::Unclear, steps: 0 };
}

/// Versions of the same computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Version {
    /// Those that this processor has, the fastest last.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        let mut versions = [Some(Self::Plain), None, None];
        #[cfg(target_arch = "x86_64")]
        {
            versions[1] = is_x86_feature_detected!("avx2").then_some(Self::Avx2);
            versions[2] = is_x86_feature_detected!("avx512f").then_some(Self::Avx512);
        }
        versions.into_iter().flatten()
    }
}

/// Decides every pair of a queue as far as it is certain. There must be as many outcomes as pairs.
pub(super) fn decide(version: Version, sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
    match version {
        Version::Plain => run::<Plain>(sides, queue, outcomes),
        #[cfg(target_arch = "x86_64")]
        Version::Avx2 => x86::avx2(sides, queue, outcomes),
        #[cfg(target_arch = "x86_64")]
        Version::Avx512 => x86::avx512(sides, queue, outcomes),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use super::super::lane::{Avx2, Avx512};
    use super::{Entry, Outcome, Side, run};

    pub fn avx2(sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, just checked.
            unsafe { with_avx2(sides, queue, outcomes) }
        }
    }

    pub fn avx512(sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512, just checked.
            unsafe { with_avx512(sides, queue, outcomes) }
        }
    }

    #[target_feature(enable = "avx2")]
    fn with_avx2(sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
        run::<Avx2>(sides, queue, outcomes);
    }

    #[target_feature(enable = "avx512f")]
    fn with_avx512(sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
        run::<Avx512>(sides, queue, outcomes);
    }
}

/// What is looked for next, as a number in a lane: v1, v2, v3, or a better portal.
const PHASES: [Real; 4] = [0.0, 1.0, 2.0, 3.0];

/// The pairs in the lanes of one vector.
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
    /// The last direction, the last point of A and the height of the last support plane over the origin.
    direction: [Row; 3],
    last_on_a: [Row; 3],
    bound: Row,
    /// The volumes that weigh v0 to v3.
    weights: [Row; 4],
    /// Which pair of the queue is in each lane.
    owners: [usize; ROW],
    /// The lanes that hold a pair.
    active: u32,
}

/// What a step has decided, one bit for each lane.
struct Decided {
    apart: u32,
    meeting: u32,
    unclear: u32,
}

#[inline(always)]
fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Entry], outcomes: &mut [Outcome]) {
    let mut groups = [Group::EMPTY; GROUPS];
    let mut waiting = 0..queue.len().min(outcomes.len());
    for group in &mut groups {
        for lane in 0..L::WIDTH {
            group.refill(lane, sides, queue, waiting.next());
        }
    }
    while groups.iter().any(|group| group.active != 0) {
        for group in &mut groups {
            let decided = step::<L>(group, sides);
            let mut lanes = (decided.apart | decided.meeting | decided.unclear) & group.active;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % ROW;
                lanes &= lanes - 1;
                outcomes[group.owners[lane]] = group.outcome(lane, &decided, sides[0].centre);
                group.refill(lane, sides, queue, waiting.next());
            }
        }
    }
}

/// The component of three rows in a lane.
#[inline(always)]
fn at([x, y, z]: &[Row; 3], lane: usize) -> Vec3 {
    Vec3::new(x.0[lane], y.0[lane], z.0[lane])
}

#[inline(always)]
fn put([x, y, z]: &mut [Row; 3], lane: usize, v: Vec3) {
    (x.0[lane], y.0[lane], z.0[lane]) = (v.x, v.y, v.z);
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
        last_on_a: [Row::ZERO; 3],
        bound: Row::ZERO,
        weights: [Row::ZERO; 4],
        owners: [0; ROW],
        active: 0,
    };

    /// Puts a pair of the queue in a lane, or leaves the lane without one.
    #[inline(always)]
    fn refill(&mut self, lane: usize, sides: &[Side<'_>; 2], queue: &[Entry], next: Option<usize>) {
        self.active &= !(1 << lane);
        let Some((owner, entry)) = next.and_then(|next| Some((next, queue.get(next)?))) else { return };
        self.active |= 1 << lane;
        self.owners[lane] = owner;
        let Entry { rotation, translation, sizes, size } = entry;
        for (rows, axis) in self.rotation.iter_mut().zip([rotation.x_axis, rotation.y_axis, rotation.z_axis]) {
            put(rows, lane, axis);
        }
        put(&mut self.translation, lane, *translation);
        for (rows, sizes) in self.sizes.iter_mut().zip(sizes) {
            put(rows, lane, *sizes);
        }
        self.gap.0[lane] = LANE_SIGMAS * sigma(*size);
        self.volume.0[lane] = CERTAIN_VOLUME * size * size * size;
        put(&mut self.corners[0], lane, *rotation * sides[1].centre + *translation - sides[0].centre);
        // What a lane held before must not spoil the computation with numbers that are slow.
        for rows in self.corners[1..].iter_mut().chain(&mut self.on_a) {
            put(rows, lane, Vec3::ZERO);
        }
        self.phase.0[lane] = PHASES[0];
        self.steps.0[lane] = 0.0;
    }

    /// What was decided about the pair in a lane.
    #[inline(always)]
    fn outcome(&self, lane: usize, decided: &Decided, centre: Vec3) -> Outcome {
        let bit = 1 << lane;
        let verdict = if decided.apart & bit != 0 {
            Verdict::Apart {
                direction: -at(&self.direction, lane),
                bound: self.bound.0[lane],
                on_a: at(&self.last_on_a, lane),
            }
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
        let shown = length(difference) <= most && on_a.is_finite();
        if shown { Verdict::Common(on_a + difference * 0.5) } else { Verdict::Unclear }
    }
}

/// One support for every lane.
#[inline(always)]
fn step<L: Lane>(group: &mut Group, sides: &[Side<'_>; 2]) -> Decided {
    let corners: [Vectors<L>; 4] = group.corners.each_ref().map(Vectors::load);
    let [v0, v1, v2, v3] = corners;
    let phase = L::load(&group.phase);
    let above = |least: Real| phase.above(L::splat(least));
    // From the last phase to the first: phases are above 2.5, 1.5, 0.5, or none of these.
    let (refining, from_third, from_second) = (above(2.5), above(1.5), above(0.5));
    let zero = L::splat(0.0);
    let first = Vectors::select(refining, v3 - v1, v2 - v0);
    let second = Vectors::select(refining, v2 - v1, v1 - v0);
    let first = Vectors::select(from_third, first, v1);
    let second = Vectors::select(from_third, second, v0);
    let direction = Vectors::select(from_second, first.cross(second), Vectors::splat(Vec3::ZERO) - v0);

    let rotation: [Vectors<L>; 3] = group.rotation.each_ref().map(Vectors::load);
    let in_b = Vectors { x: rotation[0].dot(direction), y: rotation[1].dot(direction), z: rotation[2].dot(direction) };
    let on_a = support(&sides[0], &group.sizes[0], Vectors::splat(Vec3::ZERO) - direction);
    let on_b = support(&sides[1], &group.sizes[1], in_b);
    let turned = rotation[0].scaled(on_b.x) + rotation[1].scaled(on_b.y) + rotation[2].scaled(on_b.z);
    let v4 = turned + Vectors::load(&group.translation) - on_a;

    let (along, square) = (direction.dot(v4), direction.dot(direction));
    let bound = zero.sub(along).div(square.sqrt());
    let sound = L::and(square.above(L::splat(LANE_SQUARE_MIN)), L::splat(SAFE_SQUARE_MAX).above(square));
    let apart = L::and(sound, bound.above(L::load(&group.gap)));
    let goes_on = L::and(sound, along.above(zero));

    let points: [Vectors<L>; 3] = group.on_a.each_ref().map(Vectors::load);
    let phases = Phases { refining, from_third, from_second };
    let meeting = place(group, &phases, [v0, v1, v2, v3], points, [v4, on_a]);

    let steps = L::load(&group.steps).add(L::splat(1.0));
    steps.store(&mut group.steps);
    let goes_on = L::bits(goes_on) & !L::bits(steps.above(L::splat(STEP_LIMIT - 0.5)));
    let apart = L::bits(apart);
    if apart & group.active != 0 {
        direction.store(&mut group.direction);
        on_a.store(&mut group.last_on_a);
        bound.store(&mut group.bound);
    }
    Decided { apart, meeting, unclear: !goes_on }
}

/// Which lanes are at or beyond a phase.
struct Phases<M> {
    refining: M,
    from_third: M,
    from_second: M,
}

/// Puts the newest corner of every lane where it belongs and answers which lanes have the origin inside.
#[inline(always)]
fn place<L: Lane>(
    group: &mut Group,
    phases: &Phases<L::Mask>,
    [v0, v1, v2, v3]: [Vectors<L>; 4],
    [a1, a2, a3]: [Vectors<L>; 3],
    [v4, a4]: [Vectors<L>; 2],
) -> u32 {
    let Phases { refining, from_third, from_second } = *phases;
    let zero = L::splat(0.0);
    // Seen along the ray, the corners run around it. The two that stay are those between which the line from the newest corner through the
    // ray leaves the portal.
    let across = v0.cross(v4);
    let [p1, p2, p3] = [v1, v2, v3].map(|v| across.dot(v).above(zero));
    let (third, second) = (L::without(p1, p2), L::without(p3, p1));
    // Looking for v3, v2 or v1, the newest one is that.
    let third = L::or(L::and(refining, third), L::without(from_third, refining));
    let second = L::or(L::and(refining, second), L::without(from_second, from_third));
    let seeks_second = L::without(from_second, from_third);
    let put = |mask, old: Vectors<L>, new: Vectors<L>| Vectors::select(mask, new, old);
    let other = L::or(third, second);
    // Not a mask of its own: all lanes that are neither.
    let (v1, a1) = (Vectors::select(other, v1, v4), Vectors::select(other, a1, a4));
    let (v2, a2) = (put(second, v2, v4), put(second, a2, a4));
    let (v3, a3) = (put(third, v3, v4), put(third, a3, a4));

    let x12 = v1.cross(v2);
    let (w1, w2, w3) = (v2.cross(v3).dot(v0), v3.cross(v1).dot(v0), x12.dot(v0));
    let w0 = zero.sub(x12.dot(v3));
    // v1 and v2 are exchanged if they run the wrong way around the ray.
    let wrong = L::and(seeks_second, zero.above(w3));
    // A third corner with which the ray passes by takes the place of one of the first two.
    let seeks_third = L::without(from_third, refining);
    let passes_second = L::and(seeks_third, zero.above(w2));
    let passes_first = L::without(L::and(seeks_third, zero.above(w1)), passes_second);
    let next_v1 = put(passes_first, put(wrong, v1, v2), v3);
    let next_a1 = put(passes_first, put(wrong, a1, a2), a3);
    let next_v2 = put(passes_second, put(wrong, v2, v1), v3);
    let next_a2 = put(passes_second, put(wrong, a2, a1), a3);
    for (rows, v) in group.corners[1..].iter_mut().zip([next_v1, next_v2, v3]) {
        v.store(rows);
    }
    for (rows, a) in group.on_a.iter_mut().zip([next_a1, next_a2, a3]) {
        a.store(rows);
    }

    let complete = L::without(from_third, L::or(passes_first, passes_second));
    let three = L::select(complete, L::splat(PHASES[3]), L::splat(PHASES[2]));
    let two = L::select(from_second, three, L::splat(PHASES[1]));
    two.store(&mut group.phase);
    let least = L::load(&group.volume);
    let [b0, b1, b2, b3] = [w0, w1, w2, w3].map(|w| w.above(least));
    let meeting = L::bits(L::and(L::and(L::and(b0, b1), L::and(b2, b3)), complete));
    if meeting & group.active != 0 {
        for (row, w) in group.weights.iter_mut().zip([w0, w1, w2, w3]) {
            w.store(row);
        }
    }
    meeting
}

/// The farthest points of the shapes of one side, each along its direction; no numbers where squares would lose digits.
#[inline(always)]
fn support<L: Lane>(side: &Side<'_>, sizes: &[Row; 3], d: Vectors<L>) -> Vectors<L> {
    match side.kind {
        Kind::Cuboid => {
            let half: Vectors<L> = Vectors::load(sizes);
            Vectors { x: half.x.with_sign_of(d.x), y: half.y.with_sign_of(d.y), z: half.z.with_sign_of(d.z) }
        }
        Kind::Ellipsoid => {
            let radii: Vectors<L> = Vectors::load(sizes);
            let stretched = radii * d;
            let square = stretched.dot(stretched);
            let sound = square.above(L::splat(LANE_SQUARE_MIN));
            let scale = L::splat(1.0).div(square.sqrt());
            (radii * stretched).scaled(L::select(sound, scale, L::splat(Real::NAN)))
        }
        Kind::Cylinder => {
            let (radius, half) = (L::load(&sizes[0]), L::load(&sizes[2]));
            rim(radius, half.with_sign_of(d.z), d)
        }
        Kind::Cone => {
            let (radius, height) = (L::load(&sizes[0]), L::load(&sizes[2]));
            let rim = rim(radius, height.mul(L::splat(-0.25)), d);
            let zero = L::splat(0.0);
            let apex = Vectors { x: zero, y: zero, z: height.mul(L::splat(0.75)) };
            Vectors::select(d.dot(apex - rim).above(zero), apex, rim)
        }
        Kind::Hull => farthest(side.vertices, d),
    }
}

/// The farthest point of a circle about the z axis.
#[inline(always)]
fn rim<L: Lane>(radius: L, z: L, d: Vectors<L>) -> Vectors<L> {
    let square = d.x.mul(d.x).add(d.y.mul(d.y));
    let sound = square.above(L::splat(LANE_SQUARE_MIN));
    // Along the axis to rounding: the centre falls short by less than that.
    let rounding = d.z.mul(L::splat(0.5 * UNIT_ROUNDOFF));
    let upright = rounding.mul(rounding).above(square);
    let otherwise = L::select(upright, L::splat(0.0), L::splat(Real::NAN));
    let scale = L::select(sound, radius.div(square.sqrt()), otherwise);
    let scale = L::select(upright, L::splat(0.0), scale);
    Vectors { x: d.x.mul(scale), y: d.y.mul(scale), z }
}

/// The farthest of a few points, which all lanes have in common.
#[inline(always)]
fn farthest<L: Lane>(vertices: &[Vec3], d: Vectors<L>) -> Vectors<L> {
    let mut best = L::splat(Real::NEG_INFINITY);
    let mut winner = L::splat(0.0);
    let mut number = L::splat(0.0);
    for vertex in vertices {
        let value = Vectors::splat(*vertex).dot(d);
        let better = value.above(best);
        best = L::select(better, value, best);
        winner = L::select(better, number, winner);
        number = number.add(L::splat(1.0));
    }
    let mut winners = Row::ZERO;
    winner.store(&mut winners);
    let mut points = [Row::ZERO; 3];
    for (lane, winner) in winners.0.iter().enumerate().take(L::WIDTH) {
        put(&mut points, lane, vertices.get(*winner as usize).copied().unwrap_or(Vec3::NAN));
    }
    Vectors::load(&points)
}
