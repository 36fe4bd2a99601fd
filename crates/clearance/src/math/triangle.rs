//! Two triangles: whether they meet, exactly; how far apart they are; how far one must move to leave the other.
//!
//! All in f64, whatever the build's precision. A triangle may be a segment or a point.
//!
//! - They meet if an edge of one passes through the other, by exact predicates; coplanar ones by projections.
//! - The distance of two that do not meet is that of a corner from the other triangle or of two edges. Where two edges' lines
//!   are nearest is taken from their cross product, whose error matters the less the more parallel they are; normals of slivers are
//!   computed in pairs of doubles.
//! - The depth of two that cross is the least overlap along the two normals and the nine cross products of edges: the exact
//!   depth of two flat convex bodies, hence a lower bound of any translation that separates what they are part of.

use arrayvec::ArrayVec;
use glam::DVec3;
use robust::Coord;

use crate::math::exact::triangle_normal;
use crate::math::predicates::orient3d;
use crate::tolerance::{PARALLEL_MARCH, SLIVER};

/// The corners of a triangle.
pub(crate) type Corners = [DVec3; 3];

/// Nearest points of two triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest {
    pub square: f64,
    pub points: [DVec3; 2],
}

/// A triangle with what its distances need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prepared {
    pub corners: Corners,
    /// Of any length; zero if there is no area.
    pub normal: DVec3,
}

impl Prepared {
    pub fn new(corners: Corners) -> Self {
        let [a, b, c] = corners;
        let (u, v, w) = (b - a, c - a, c - b);
        let mut normal = u.cross(v);
        let longest = u.length_squared().max(v.length_squared()).max(w.length_squared());
        if !(normal.length_squared() > SLIVER * SLIVER * longest * longest) {
            normal = triangle_normal(a, b, c);
        }
        Self { corners, normal }
    }

    fn edges(&self) -> [[DVec3; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

/// The nearest points of two triangles that do not cross.
pub(crate) fn nearest(a: &Prepared, b: &Prepared) -> Nearest {
    let mut best = Nearest { square: f64::INFINITY, points: [DVec3::ZERO; 2] };
    let mut offer = |p: DVec3, q: DVec3| {
        let square = p.distance_squared(q);
        if square < best.square {
            best = Nearest { square, points: [p, q] };
        }
    };
    for p in a.corners {
        offer(p, foot(b, p));
    }
    for q in b.corners {
        offer(foot(a, q), q);
    }
    let of_b = b.edges();
    for s in a.edges() {
        for t in &of_b {
            if let Some([p, q]) = between_lines(s, *t) {
                offer(p, q);
            }
        }
    }
    best
}

/// The point of a triangle nearest to `q`.
pub(crate) fn foot(triangle: &Prepared, q: DVec3) -> DVec3 {
    let (n, [a, b, c]) = (triangle.normal, triangle.corners);
    let square = n.length_squared();
    let inside = |from: DVec3, to: DVec3| n.cross(to - from).dot(q - from) >= 0.0;
    if square > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        let unit = n / square.sqrt();
        return q - unit * unit.dot(q - a);
    }
    let nearer = |a: DVec3, b: DVec3| if b.distance_squared(q) < a.distance_squared(q) { b } else { a };
    let first = nearer(foot_on_segment([a, b], q), foot_on_segment([b, c], q));
    nearer(first, foot_on_segment([c, a], q))
}

/// The point of a segment nearest to `q`.
pub(crate) fn foot_on_segment([from, to]: [DVec3; 2], q: DVec3) -> DVec3 {
    let along = to - from;
    let square = along.length_squared();
    let share = if square > 0.0 { along.dot(q - from) / square } else { 0.0 };
    // From the nearer end, so that a foot beside it keeps its digits.
    if share > 0.5 { to + along * (share.min(1.0) - 1.0) } else { from + along * share.max(0.0) }
}

/// Where two segments are nearest between their ends; nothing if it is at an end, which corners see.
fn between_lines([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (u, v, w) = (b - a, d - c, c - a);
    let normal = u.cross(v);
    let square = normal.length_squared();
    let s = w.cross(v).dot(normal);
    let t = w.cross(u).dot(normal);
    if !(square > 0.0 && s > 0.0 && s < square && t > 0.0 && t < square) {
        return None;
    }
    Some([a + u * (s / square), c + v * (t / square)])
}

/// Whether two triangles share a point, exactly.
pub(crate) fn triangles_meet(a: &Corners, b: &Corners) -> bool {
    let heights = |of: &Corners, over: &Corners| of.map(|p| orient3d(over[0], over[1], over[2], p));
    let one_side = |h: [f64; 3]| h.iter().all(|&h| h > 0.0) || h.iter().all(|&h| h < 0.0);
    let of_b = heights(b, a);
    if one_side(of_b) {
        return false;
    }
    let of_a = heights(a, b);
    if one_side(of_a) {
        return false;
    }
    let sides = |t: &Corners, h: [f64; 3]| {
        [([t[0], t[1]], [h[0], h[1]]), ([t[1], t[2]], [h[1], h[2]]), ([t[2], t[0]], [h[2], h[0]])]
    };
    // Over a triangle without area every height is zero, which says nothing: then its own sides are all there is to it.
    let says = |own: [f64; 3], other: [f64; 3]| own != [0.0; 3] || other == [0.0; 3];
    says(of_a, of_b) && sides(a, of_a).iter().any(|(side, h)| pierces(*side, *h, b))
        || says(of_b, of_a) && sides(b, of_b).iter().any(|(side, h)| pierces(*side, *h, a))
}

/// Whether a segment, with the heights of its ends over a triangle, meets the triangle.
fn pierces([p, q]: [DVec3; 2], [over_p, over_q]: [f64; 2], triangle: &Corners) -> bool {
    if over_p > 0.0 && over_q > 0.0 || over_p < 0.0 && over_q < 0.0 {
        return false;
    }
    let [a, b, c] = *triangle;
    if over_p == 0.0 && over_q == 0.0 {
        return flat_meet([p, q], triangle);
    }
    let turns = [[a, b], [b, c], [c, a]].map(|[from, to]| orient3d(p, q, from, to));
    !(turns.iter().any(|&t| t > 0.0) && turns.iter().any(|&t| t < 0.0))
}

/// Whether a segment in the plane of a triangle meets it, or one with a triangle without area that it is coplanar with. Convex
/// bodies in a plane meet if their projections along an axis across which the plane is not seen edge-on do.
fn flat_meet([p, q]: [DVec3; 2], [a, b, c]: &Corners) -> bool {
    let axes: [fn(DVec3) -> Coord<f64>; 3] =
        [|v| Coord { x: v.x, y: v.y }, |v| Coord { x: v.y, y: v.z }, |v| Coord { x: v.z, y: v.x }];
    axes.into_iter().all(|flat| {
        let [p, q, a, b, c] = [p, q, *a, *b, *c].map(flat);
        let sides = [[a, b], [b, c], [c, a]];
        let whole = robust::orient2d(a, b, c);
        let inside = |r: Coord<f64>| {
            whole != 0.0 && sides.iter().all(|[from, to]| robust::orient2d(*from, *to, r) * whole.signum() >= 0.0)
        };
        inside(p) || inside(q) || sides.iter().any(|side| flat_segments_meet([p, q], *side))
    })
}

fn flat_segments_meet([p, q]: [Coord<f64>; 2], [a, b]: [Coord<f64>; 2]) -> bool {
    let apart = |u: f64, v: f64| u > 0.0 && v > 0.0 || u < 0.0 && v < 0.0;
    let boxes = |lo: fn(&Coord<f64>) -> f64| {
        lo(&p).min(lo(&q)) <= lo(&a).max(lo(&b)) && lo(&a).min(lo(&b)) <= lo(&p).max(lo(&q))
    };
    !apart(robust::orient2d(a, b, p), robust::orient2d(a, b, q))
        && !apart(robust::orient2d(p, q, a), robust::orient2d(p, q, b))
        && boxes(|c| c.x)
        && boxes(|c| c.y)
}

/// A translation of the second triangle that takes it out of the first, as a unit direction and a length: the shortest one.
/// Negative if they are apart by that along an axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit {
    pub direction: DVec3,
    pub depth: f64,
}

/// The shortest way out of two triangles with an area; nothing if one has none, or if they are apart by more than `error` along
/// one of their normals.
pub(crate) fn exit(a: &Prepared, b: &Prepared, error: f64) -> Option<Exit> {
    if !(a.normal.length_squared() > 0.0 && b.normal.length_squared() > 0.0) {
        return None;
    }
    let mut best = Exit { direction: a.normal, depth: f64::INFINITY };
    let mut offer = |axis: DVec3, scale: f64| {
        let length = axis.length();
        if !(length > PARALLEL_MARCH * scale) {
            return best.depth;
        }
        let unit = axis / length;
        let [own_low, own_high] = span(&a.corners, a.corners[0], unit);
        let [low, high] = span(&b.corners, a.corners[0], unit);
        for (direction, depth) in [(unit, own_high - low), (-unit, high - own_low)] {
            if depth < best.depth {
                best = Exit { direction, depth };
            }
        }
        best.depth
    };
    offer(a.normal, 0.0);
    if offer(b.normal, 0.0) < -error {
        return None;
    }
    for [p, q] in a.edges() {
        for [r, s] in b.edges() {
            let (u, v) = (q - p, s - r);
            offer(u.cross(v), u.length() * v.length());
        }
    }
    Some(best)
}

fn span(corners: &Corners, origin: DVec3, axis: DVec3) -> [f64; 2] {
    let [x, y, z] = corners.map(|p| axis.dot(p - origin));
    [x.min(y).min(z), x.max(y).max(z)]
}

/// The points of both that come to rest on each other once the second has moved out: the nearest points then, taken back.
pub(crate) fn resting_points(a: &Prepared, b: &Prepared, exit: &Exit) -> [DVec3; 2] {
    let Exit { direction, depth } = *exit;
    let moved = Prepared { corners: b.corners.map(|p| p + direction * depth), normal: b.normal };
    let [on_a, on_b] = nearest(a, &moved).points;
    let middle = (on_a + on_b) * 0.5;
    [middle, middle - direction * depth]
}

/// How two triangles in one plane, to within a tolerance, share an area there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shared {
    /// They do not.
    Nothing,
    /// They face the same way: what is below one is below the other.
    Side,
    /// They face each other, and the shared area is this wide.
    Rest(f64),
}

/// How two triangles share an area in one plane to within `tolerance`.
pub(crate) fn shared(a: &Prepared, b: &Prepared, tolerance: f64) -> Shared {
    let (Some(n), Some(m)) = (a.normal.try_normalize(), b.normal.try_normalize()) else {
        return Shared::Nothing;
    };
    let flat = |p: DVec3| n.dot(p - a.corners[0]).abs() <= tolerance;
    if !b.corners.into_iter().all(flat) {
        return Shared::Nothing;
    }
    match flat_overlap(a, b, n) {
        width if !(width > tolerance) => Shared::Nothing,
        _ if n.dot(m) > 0.0 => Shared::Side,
        width => Shared::Rest(width),
    }
}

/// By how much two triangles in about one plane overlap there, along the best of their sides' normals; at most zero if not.
fn flat_overlap(a: &Prepared, b: &Prepared, n: DVec3) -> f64 {
    let mut least = f64::INFINITY;
    for [p, q] in a.edges().into_iter().chain(b.edges()) {
        let Some(across) = (q - p).cross(n).try_normalize() else {
            continue;
        };
        let [own_low, own_high] = span(&a.corners, p, across);
        let [low, high] = span(&b.corners, p, across);
        least = least.min(own_high - low).min(high - own_low);
    }
    least
}

/// The middle of what two triangles in about one plane share: the second cut by the sides of the first. Nothing if that is
/// nothing.
pub(crate) fn shared_middle(a: &Prepared, b: &Prepared) -> Option<DVec3> {
    let mut rest: ArrayVec<DVec3, 9> = b.corners.into_iter().collect();
    for [p, q] in a.edges() {
        let inward = a.normal.cross(q - p);
        let height = |r: DVec3| inward.dot(r - p);
        let mut cut = ArrayVec::new();
        for (i, &r) in rest.iter().enumerate() {
            let s = rest[(i + 1) % rest.len()];
            let [over_r, over_s] = [height(r), height(s)];
            if over_r >= 0.0 {
                cut.push(r);
            }
            if over_r * over_s < 0.0 {
                cut.push(r + (s - r) * (over_r / (over_r - over_s)));
            }
        }
        rest = cut;
    }
    (!rest.is_empty()).then(|| rest.iter().sum::<DVec3>() / rest.len() as f64)
}

/// A point that two triangles share, if they meet: the middle of where the edges of each pass through the other.
pub(crate) fn common_point(a: &Prepared, b: &Prepared) -> DVec3 {
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for (one, other) in [(a, b), (b, a)] {
        let [p, q, r] = other.corners;
        for side in one.edges() {
            let exact = side.map(|end| orient3d(p, q, r, end));
            let height = side.map(|end| other.normal.dot(end - p));
            if height[0] * height[1] < 0.0 && pierces(side, exact, &other.corners) {
                let share = height[0] / (height[0] - height[1]);
                (sum, count) = (sum + foot(other, side[0] + (side[1] - side[0]) * share), count + 1.0);
            }
        }
    }
    if count > 0.0 {
        return sum / count;
    }
    let near = nearest(a, b);
    (near.points[0] + near.points[1]) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(corners: [[f64; 3]; 3]) -> Corners {
        corners.map(DVec3::from)
    }

    #[test]
    fn known_pairs_meet_or_not() {
        let floor = t([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]]);
        let crossing = t([[1., 1., -1.], [1., 1., 1.], [9., 9., 1.]]);
        let touching = t([[1., 1., 0.], [1., 1., 1.], [2., 1., 1.]]);
        let beside = t([[3., 3., -1.], [3., 3., 1.], [9., 9., 1.]]);
        let inside = t([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]]);
        let coplanar_apart = t([[3., 3., 0.], [4., 3., 0.], [4., 4., 0.]]);
        let point = t([[1., 1., 0.]; 3]);
        let point_above = t([[1., 1., 1e-300]; 3]);
        for (other, expected) in [
            (crossing, true),
            (touching, true),
            (beside, false),
            (inside, true),
            (coplanar_apart, false),
            (point, true),
            (point_above, false),
            (floor, true),
        ] {
            assert_eq!(triangles_meet(&floor, &other), expected, "{other:?}");
            assert_eq!(triangles_meet(&other, &floor), expected, "{other:?}");
        }
    }

    #[test]
    fn the_shortest_way_out_is_found() {
        let floor = Prepared::new(t([[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]]));
        let stuck = Prepared::new(t([[0., 0., -0.25], [0.5, 0., 3.], [-0.5, 0., 3.]]));
        let exit = exit(&floor, &stuck, 0.0).unwrap();
        assert_eq!((exit.depth, exit.direction), (0.25, DVec3::Z));
        let [on_floor, on_stuck] = resting_points(&floor, &stuck, &exit);
        assert!((on_stuck - on_floor + DVec3::Z * 0.25).length() < 1e-15);
    }
}
