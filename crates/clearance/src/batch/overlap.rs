//! Whether the bodies of many pairs have a point in common: simple shapes in lanes, what lanes leave open and all else one pair at a time.
//!
//! Pairs of a part are put together by the kinds of their shapes. Which pairs go to lanes depends on the pair and the form it is given in
//! alone, never on how many there are: so an answer has the same bits whichever others are in the batch.

use std::ops::Range;

use super::block::{Block, Kind, Outcome, Side, Verdict};
use super::lane::ROW;
use super::pairs::{Asked, Pairs, in_parts};
use super::version::{Version, decide};
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Real, Relative, Vec3, unit_or};
use crate::shape::{BodyRef, Core, Geometry, Shape};
use crate::verbs::{self, Cache};

/// Vertices of a hull up to which lanes look at all of them sooner than a search finds the farthest.
const MOST_VERTICES: usize = 96;

/// Pairs that are put in order by their kinds at a time: what lanes need of them stays in the nearest memory.
const PART: usize = 256;

/// What stands in a list until its answer is known.
pub(super) const UNKNOWN: Overlap =
    Overlap { overlap: false, witness: Witness::Gap(Real::NEG_INFINITY), end: End::Degenerate, iterations: 0 };

/// The answers to all pairs.
pub(super) fn overlap_of(pairs: &impl Pairs) -> Vec<Overlap> {
    let version = Version::used();
    in_parts(pairs.count(), PART, UNKNOWN, |range, answers| part(pairs, range, answers, version))
}

/// The kinds of two shapes in the upper half and the position in the part in the lower half, so that they sort by kinds.
type Code = u32;

const POSITION: Code = 0xffff;

fn part(pairs: &impl Pairs, range: Range<usize>, answers: &mut [Overlap], version: Version) {
    let mut cache = Cache::default();
    let mut codes: Vec<Code> = Vec::new();
    let with_hulls = pairs.are_same_bodies();
    let start = range.start;
    for (position, nth) in range.enumerate() {
        pairs.ask(nth, |asked| match (lane_kind(asked.a, with_hulls), lane_kind(asked.b, with_hulls)) {
            (Some(a), Some(b)) => codes.push((a as Code) << 24 | (b as Code) << 16 | position as Code),
            _ => answers[position] = alone(asked, &mut cache),
        });
    }
    codes.sort_unstable();
    let (mut queue, mut outcomes) = (Vec::new(), Vec::new());
    for bin in codes.chunk_by(|x, y| x & !POSITION == y & !POSITION) {
        let place = |code: &Code| start + (code & POSITION) as usize;
        queue.clear();
        queue.resize(bin.len().div_ceil(ROW), Block::EMPTY);
        for (block, codes) in queue.iter_mut().zip(bin.chunks(ROW)) {
            for (lane, code) in codes.iter().enumerate() {
                pairs.ask(place(code), |asked| set(block, lane, asked));
            }
        }
        outcomes.clear();
        outcomes.resize(bin.len(), Outcome::UNCLEAR);
        pairs.ask(bin.first().map_or(start, place), |first| {
            if let (Some(a), Some(b)) = (side(first.a), side(first.b)) {
                decide(version, &[a, b], &queue, &mut outcomes);
            }
        });
        for (code, outcome) in bin.iter().zip(&outcomes) {
            let answer = &mut answers[(code & POSITION) as usize];
            pairs.ask(place(code), |asked| match outcome.verdict {
                Verdict::Unclear => *answer = alone(asked, &mut cache),
                verdict => state(verdict, outcome.steps, asked.pose_a, answer),
            });
        }
    }
}

/// The answer of the verb for one pair, from a cold start.
#[inline(never)]
fn alone(asked: Asked<'_>, cache: &mut Cache) -> Overlap {
    cache.clear();
    let [a, b] = asked.bodies();
    verbs::overlap(a, asked.pose_a, b, asked.pose_b, cache)
}

/// A convex shape without padding.
#[inline]
fn sharp<'a>(body: &'a BodyRef<'_>) -> Option<&'a Shape> {
    match body.geometry() {
        Geometry::Convex(shape) if shape.radius() == 0.0 && body.padding == 0.0 => Some(shape),
        _ => None,
    }
}

/// What a body is in lanes, if they know it.
#[inline]
fn lane_kind(body: &BodyRef<'_>, with_hulls: bool) -> Option<Kind> {
    match sharp(body)?.core() {
        Core::Cuboid { .. } => Some(Kind::Cuboid),
        Core::Ellipsoid { .. } => Some(Kind::Ellipsoid),
        Core::Cylinder { .. } => Some(Kind::Cylinder),
        Core::Cone { .. } => Some(Kind::Cone),
        Core::Polytope(hull) if with_hulls && hull.vertices().len() <= MOST_VERTICES => Some(Kind::Hull),
        _ => None,
    }
}

/// What the shapes of one side of a bin have in common, given one of them.
fn side<'a>(body: &'a BodyRef<'_>) -> Option<Side<'a>> {
    let kind = lane_kind(body, true)?;
    let vertices = match sharp(body)?.core() {
        Core::Polytope(hull) => hull.vertices(),
        _ => &[],
    };
    let share = 1.0 / vertices.len().max(1) as Real;
    let centre = vertices.iter().fold(Vec3::ZERO, |sum, vertex| sum + *vertex * share);
    Some(Side { kind, vertices, centre })
}

/// The sizes of a shape that lanes know.
#[inline]
fn sizes(core: &Core) -> Vec3 {
    match *core {
        Core::Cuboid { half_extents } => half_extents,
        Core::Ellipsoid { radii } => radii,
        Core::Cylinder { half_height, radius } => Vec3::new(radius, 0.0, half_height),
        Core::Cone { height, radius } => Vec3::new(radius, 0.0, height),
        _ => Vec3::ZERO,
    }
}

/// Puts a pair in a lane of a block, if it is one for lanes.
#[inline]
fn set(block: &mut Block, lane: usize, asked: Asked<'_>) {
    if let (Some(a), Some(b)) = (sharp(asked.a), sharp(asked.b)) {
        let Relative { rotation, translation, size } =
            Relative::new([a.bounding_radius(), b.bounding_radius()], asked.pose_a, asked.pose_b);
        block.set(lane, &rotation, translation, [sizes(a.core()), sizes(b.core())], size);
    }
}

/// Writes down what lanes have decided, in world space. In its place, part by part: an answer that is moved waits for its parts.
#[inline(always)]
fn state(verdict: Verdict, steps: u32, pose: &Pose, answer: &mut Overlap) {
    answer.end = End::Converged;
    answer.iterations = steps;
    match verdict {
        Verdict::Unclear => {}
        Verdict::Apart { direction, bound, on_a } => {
            let direction = unit_or(direction, Vec3::X);
            let normal = pose.direction(direction);
            let offset_a = direction.dot(on_a) + normal.dot(pose.translation());
            answer.overlap = false;
            answer.witness = Witness::Plane { normal, offset_a, offset_b: offset_a + bound };
        }
        Verdict::Common(point) => {
            answer.overlap = true;
            answer.witness = Witness::Point(pose.point(point));
        }
    }
}
