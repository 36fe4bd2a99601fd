//! Pairs whose answer is a formula: points, segments, rectangles and boxes with each other, and points with round bodies and
//! triangles, all with any rounding radius; and, by a few steps of Newton's method, ellipsoids with each other and with boxes.
//!
//! A formula proposes nearest points and a direction. The points bound the distance from above, the direction's support value
//! from below; where the two are further apart than rounding (a direction that is the difference of nearly equal points), the
//! general way is taken, as it is for every other pair. So no answer rests on a formula's conditioning. Nothing here
//! depends on a cache.

mod boxes;
mod central;
mod circles;
mod found;
mod round;
mod segment;
mod symmetric;
mod triangle;
mod turned;

use self::boxes::Boxes;
use self::central::Seen;
pub(super) use self::found::Decision;
use self::found::{Cores, Found, half_extents};
use self::segment::Rod;
use super::pair::Pair;
use super::simplex::Simplex;
use super::witness::points_at;
use crate::math::Vec3;
use crate::narrow::local::Local;
use crate::shape::Core;
use crate::support::VertexId;
use crate::tolerance::NEAR;

/// The boolean, if a formula is certain of it; else a direction along which the bodies may be apart, of any length, if there is a guess.
#[inline]
pub(super) fn overlap(pair: &Pair<'_>) -> Result<Decision, Option<Vec3>> {
    if let Some(boxes) = two_boxes(pair) {
        return boxes.decide(pair.margin, pair.sigma).ok_or(None);
    }
    if round::is_round(pair) {
        return round::overlap(pair).ok_or(None);
    }
    match central::look(pair) {
        Some(Seen::Common(point)) => Ok(Decision::Common([point; 2])),
        Some(Seen::Towards(direction)) => Err(Some(direction)),
        None => by_cores(pair).ok_or(None),
    }
}

/// The boolean of a point or a segment with something that has a formula for it.
#[inline]
fn by_cores(pair: &Pair<'_>) -> Option<Decision> {
    match cores(pair)? {
        Cores::Apart(found) => found.decision(pair),
        Cores::Inside(found) => {
            // The point is the second one, or the first if B is the other body.
            let point = found.points[usize::from(!matches!(pair.m.a, Core::Point))];
            Some(Decision::Common([point; 2]))
        }
        Cores::Meeting(point) => Some(Decision::Common([point; 2])),
    }
}

/// The signed distance of the bodies with the points of the cores, if there is a formula and rounding does not spoil it.
#[inline]
pub(super) fn closest(pair: &Pair<'_>) -> Option<Local> {
    if round::is_round(pair) {
        return round::closest(pair);
    }
    if circles::are_circles(pair) {
        return circles::closest(pair);
    }
    match separation(pair)? {
        Cores::Apart(found) => found.certified(pair),
        Cores::Inside(found) => Some(found.exact(pair, found.distance, found.distance)),
        Cores::Meeting(point) => meeting(pair, point),
    }
}

/// The distance alone, if there is a formula: nothing in it if the cores meet.
#[inline]
pub(super) fn distance(pair: &Pair<'_>) -> Option<Option<Local>> {
    if round::is_round(pair) {
        return round::distance(pair);
    }
    if circles::are_circles(pair) {
        return circles::distance(pair);
    }
    let found = match two_boxes(pair) {
        Some(boxes) => boxes.separation(pair.sigma),
        None if matches!(central::look(pair), Some(Seen::Common(_))) => return Some(None),
        None => cores(pair),
    };
    match found? {
        Cores::Apart(found) => found.certified(pair).map(Some),
        Cores::Inside(_) | Cores::Meeting(_) => Some(None),
    }
}

/// The depth of two boxes that meet. `known` is a simplex of the difference that contains the origin.
pub(super) fn depth(pair: &Pair<'_>, known: &Simplex, iterations: u32) -> Option<Local> {
    two_boxes(pair).map(|boxes| by_heights(pair, &boxes, known, iterations))
}

/// The depth of two boxes with a common point, flat and thin ones too, from the normals of their faces and edges.
fn by_heights(pair: &Pair<'_>, boxes: &Boxes, known: &Simplex, iterations: u32) -> Local {
    let (normal, height, edges) = boxes.depth();
    let difference = normal * -height;
    let corner = pair.m.lowest(normal, [VertexId::NONE; 2]);
    let points = boxes.points(corner.a, corner.a + corner.m, difference, edges, pair.sigma);
    let points = points.unwrap_or_else(|| points_at(&pair.m, pair.sigma, difference, &[corner], known));
    let found = Found { points, normal, distance: -height, bound: -height };
    Local { iterations: iterations + 1, ..found.exact(pair, -height, -height) }
}

/// The depth of cores with a common point.
fn meeting(pair: &Pair<'_>, point: Vec3) -> Option<Local> {
    let boxes = Boxes::of(pair)?;
    if boxes.is_flat() {
        // A difference without volume has no depth; its height is rounding.
        let found = Found { points: [point; 2], normal: boxes.depth().0, distance: 0.0, bound: 0.0 };
        return Some(found.exact(pair, 0.0, 0.0));
    }
    Some(by_heights(pair, &boxes, &Simplex::default(), 0))
}

#[inline]
fn separation(pair: &Pair<'_>) -> Option<Cores> {
    match two_boxes(pair) {
        Some(boxes) => boxes.separation(pair.sigma),
        None => cores(pair),
    }
}

/// Two cores of which each has at least two dimensions, as boxes.
#[inline]
fn two_boxes(pair: &Pair<'_>) -> Option<Boxes> {
    let broad = |core: &Core| matches!(core, Core::Cuboid { .. } | Core::Rectangle { .. });
    if broad(pair.m.a) && broad(pair.m.b) { Boxes::of(pair) } else { None }
}

/// A point or a segment with something that has a formula for it.
#[inline]
fn cores(pair: &Pair<'_>) -> Option<Cores> {
    if is_rod(pair.m.a) || is_rod(pair.m.b) { rod_and_other(pair) } else { None }
}

#[inline]
fn is_rod(core: &Core) -> bool {
    matches!(core, Core::Point | Core::Segment { .. })
}

/// Apart from its caller, so that a pair without a formula pays for a look at its cores and no more.
#[inline(never)]
fn rod_and_other(pair: &Pair<'_>) -> Option<Cores> {
    if is_rod(pair.m.b) {
        let half = half_extents(pair.m.b)?.x;
        let seen = Rod { centre: pair.m.translation, axis: pair.m.rotation.x_axis, half };
        return rod_and_core(pair, pair.m.a, &seen);
    }
    let half = half_extents(pair.m.a)?.x;
    let seen = Rod { centre: -pair.m.to_b(pair.m.translation), axis: pair.m.to_b(Vec3::X), half };
    rod_and_core(pair, pair.m.b, &seen).map(|found| found.seen_from_a(pair))
}

#[inline]
fn rod_and_core(pair: &Pair<'_>, core: &Core, rod: &Rod) -> Option<Cores> {
    if let Some(half) = half_extents(core) {
        return Some(segment::nearest(half, rod, NEAR * pair.size));
    }
    if rod.half > 0.0 {
        return None;
    }
    match core {
        Core::Disc { radius } => Some(turned::cylinder(0.0, *radius, rod.centre)),
        Core::Cylinder { half_height, radius } => Some(turned::cylinder(*half_height, *radius, rod.centre)),
        Core::Cone { height, radius } => Some(turned::cone(*height, *radius, rod.centre)),
        Core::Triangle(corners) => triangle::nearest(corners, rod.centre),
        _ => None,
    }
}
