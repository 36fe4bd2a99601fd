//! Many pairs put together by the kinds of their shapes, answered in lanes where these know them, and one pair at a time where not.
//!
//! Which pairs go to lanes depends on the pair and the form it is given in alone, never on how many there are: so an answer has the same bits
//! whichever others are in the batch.

use std::ops::Range;

use super::block::{Block, Kind, Side};
use super::job::{Job, Search};
use super::lane::ROW;
use super::pairs::{Asked, Pairs, in_parts};
use super::version::{Version, decide};
use crate::math::{Real, Relative, Vec3};
use crate::shape::{BodyRef, Core, Geometry, Shape};
use crate::verbs::Cache;

/// Vertices of a hull up to which lanes look at all of them sooner than a search finds the farthest.
const MOST_VERTICES: usize = 224;

/// Pairs that are put in order by their kinds at a time: what lanes need of them stays in the nearest memory.
const PART: usize = 256;

/// The answers to all pairs.
pub(super) fn answers<J: Job>(pairs: &impl Pairs) -> Vec<J::Answer> {
    answers_by::<J>(Version::used(), pairs)
}

/// The answers to all pairs by one version of the lanes.
pub(super) fn answers_by<J: Job>(version: Version, pairs: &impl Pairs) -> Vec<J::Answer> {
    in_parts(pairs.count(), PART, J::BLANK, |range, answers| part::<J>(pairs, range, answers, version))
}

/// The kinds of two shapes in the upper half and the position in the part in the lower half, so that they sort by kinds.
type Code = u32;

const POSITION: Code = 0xffff;
/// Added to the kind of a shape with a rounding radius.
const ROUNDED: Code = 0x40;

fn part<J: Job>(pairs: &impl Pairs, range: Range<usize>, answers: &mut [J::Answer], version: Version) {
    let mut cache = Cache::default();
    let mut codes: Vec<Code> = Vec::new();
    let with_hulls = pairs.are_same_bodies();
    let start = range.start;
    for (position, nth) in range.enumerate() {
        pairs.ask(nth, |asked| match [asked.a, asked.b].map(|body| lane_kind(body, with_hulls)) {
            [Some(a), Some(b)] if J::takes([a, b]) => {
                let [a, b] = [(asked.a, a), (asked.b, b)]
                    .map(|(body, kind)| kind as Code | if is_rounded(body) { ROUNDED } else { 0 });
                codes.push(a << 24 | b << 16 | position as Code);
            }
            _ => answers[position] = cold::<J>(asked, &mut cache),
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
        outcomes.resize(bin.len(), J::Search::UNCLEAR);
        pairs.ask(bin.first().map_or(start, place), |first| {
            if let (Some(a), Some(b)) = (side(first.a), side(first.b)) {
                decide::<J::Search>(version, &[a, b], &queue, &mut outcomes);
            }
        });
        for (code, outcome) in bin.iter().zip(&outcomes) {
            let answer = &mut answers[(code & POSITION) as usize];
            pairs.ask(place(code), |asked| {
                if !J::state(outcome, asked, answer) {
                    *answer = cold::<J>(asked, &mut cache);
                }
            });
        }
    }
}

/// The answer of the verb for one pair, from a cold start.
#[inline(never)]
fn cold<J: Job>(asked: Asked<'_>, cache: &mut Cache) -> J::Answer {
    cache.clear();
    J::alone(asked, cache)
}

/// A convex shape without padding.
#[inline]
pub(super) fn convex<'a>(body: &'a BodyRef<'_>) -> Option<&'a Shape> {
    match body.geometry() {
        Geometry::Convex(shape) if body.padding == 0.0 => Some(shape),
        _ => None,
    }
}

/// Whether a shape has a rounding radius.
#[inline]
fn is_rounded(body: &BodyRef<'_>) -> bool {
    convex(body).is_some_and(|shape| shape.radius() != 0.0)
}

/// What a body is in lanes, if they know it.
#[inline]
fn lane_kind(body: &BodyRef<'_>, with_hulls: bool) -> Option<Kind> {
    let shape = convex(body)?;
    match shape.core() {
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
    let vertices = match convex(body)?.core() {
        Core::Polytope(hull) => hull.vertices(),
        _ => &[],
    };
    let share = 1.0 / vertices.len().max(1) as Real;
    let centre = vertices.iter().fold(Vec3::ZERO, |sum, vertex| sum + *vertex * share);
    Some(Side { kind, vertices, centre, is_rounded: is_rounded(body) })
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
    if let (Some(a), Some(b)) = (convex(asked.a), convex(asked.b)) {
        let Relative { rotation, translation, size } =
            Relative::new([a.bounding_radius(), b.bounding_radius()], asked.pose_a, asked.pose_b);
        let margin = a.radius() + b.radius();
        block.set(lane, &rotation, translation, [sizes(a.core()), sizes(b.core())], [size, margin]);
    }
}
