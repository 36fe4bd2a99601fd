//! A box and a triangle in closed form.
//!
//! Two convex polyhedra overlap by the least of their overlaps along the normals of their faces and the cross products of their
//! edges: for a triangle and a box thirteen axes, each both ways. Along any other direction they overlap by more. If an axis
//! separates them, its gap is a lower bound of the distance, no more.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec2, DVec3};

use super::box_distance;
use super::close::{Close, Gap};
use super::found::Limits;
use crate::answer::Element;
use crate::math::triangle::{foot, foot_on_segment};
use crate::math::{Pose, widen, widen_real};
use crate::shape::mesh::Surroundings;
use crate::shape::{Core, Shape};
use crate::tolerance::{FEATURE_TILT, PARALLEL_LINES, PARALLEL_MARCH, REFERENCE_TILT};

/// A contact of a triangle and a box: the point on the triangle and the depth, with the features of both. Those of the triangle have the
/// numbers of its corners within it.
pub(super) struct Touch {
    pub on_triangle: DVec3,
    pub depth: f64,
    pub of_triangle: Element,
    pub of_box: Element,
}

/// The number of a corner of a box, given by its coordinates.
fn number(corner: DVec3) -> u32 {
    u32::from(corner.x < 0.0) | u32::from(corner.y < 0.0) << 1 | u32::from(corner.z < 0.0) << 2
}

/// A box in the frame of a mesh.
pub(super) struct Block {
    center: DVec3,
    /// Its axes, as columns and as rows.
    axes: DMat3,
    back: DMat3,
    half: DVec3,
}

impl Block {
    /// The shape at a pose in the frame of the mesh, if it is a sharp box.
    pub fn of(shape: &Shape, pose: &Pose) -> Option<Self> {
        let Core::Cuboid { half_extents } = shape.core() else {
            return None;
        };
        if shape.radius() != 0.0 {
            return None;
        }
        let m = pose.matrix();
        let axes = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
        Some(Self { center: widen(pose.translation()), axes, back: axes.transpose(), half: widen(*half_extents) })
    }

    /// What there is to know of a triangle beside the box; of one that is farther away than `reach` along an axis of the box only that.
    #[inline]
    pub fn look_at(&self, close: &mut Close, reach: f64) {
        let [a, b, c] = close.face.corners;
        let [a, b, c] = [self.back * (a - self.center), self.back * (b - self.center), self.back * (c - self.center)];
        close.local = [a, b, c];
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        close.beside = (low.max(-high) - self.half).max_element();
        if close.beside <= reach {
            close.find_normal();
            let [low, high] = self.span(close.unit);
            let height = close.unit.dot(close.face.corners[0]);
            close.over = f64::max(low - height, height - high);
        }
    }

    /// The least and the greatest height of the box along a unit direction.
    pub fn span(&self, along: DVec3) -> [f64; 2] {
        let middle = along.dot(self.center);
        let reach = self.half.dot((self.back * along).abs());
        [middle - reach, middle + reach]
    }

    /// The largest gap along the thirteen axes; of gaps equal within `slop` that of the first: the triangle's normal, the normals of
    /// the box, the cross products. Stops at a gap above `enough`.
    pub fn gap(&self, close: &Close, slop: f64, enough: f64) -> Gap {
        let [a, b, c] = close.local;
        let mut best = Gap { distance: f64::NEG_INFINITY, direction: DVec3::ZERO };
        // The gaps along a direction and against it, in the frame of the box.
        let mut offer = |low: f64, high: f64, reach: f64, axis: DVec3| {
            let (along, against) = (-reach - high, low - reach);
            let (distance, direction) = if along >= against { (along, axis) } else { (against, -axis) };
            if distance > best.distance + slop {
                best = Gap { distance, direction };
            }
            best.distance > enough
        };
        let axis = self.back * close.unit;
        let heights = DVec3::new(axis.dot(a), axis.dot(b), axis.dot(c));
        let (low, high, h) = (a.min(b).min(c), a.max(b).max(c), self.half);
        let separated = close.unit != DVec3::ZERO
            && offer(heights.min_element(), heights.max_element(), h.dot(axis.abs()), axis)
            || offer(low.x, high.x, h.x, DVec3::X)
            || offer(low.y, high.y, h.y, DVec3::Y)
            || offer(low.z, high.z, h.z, DVec3::Z);
        // No gap is larger than the signed distance of a corner, nor than the sum of what it is outside by along the axes.
        let signed = |p: DVec3| {
            let out = p.abs() - h;
            let most = out.max_element();
            if most > 0.0 { out.max(DVec3::ZERO).element_sum() } else { most }
        };
        let least = signed(a).min(signed(b)).min(signed(c));
        if !separated && !(best.distance >= least - slop) {
            for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
                self.gaps_across(from, to - from, third - from, slop, &mut best);
                if best.distance > enough {
                    break;
                }
            }
        }
        Gap { distance: best.distance, direction: self.axes * best.direction }
    }

    /// The gaps along the cross products of a side of the triangle with the axes of the box, in the frame of the box: each has two
    /// coordinates, those of the side, exchanged. Both ends of the side are equally high, and the box reaches as far down as up.
    #[inline]
    fn gaps_across(&self, from: DVec3, side: DVec3, to_third: DVec3, slop: f64, best: &mut Gap) {
        let (squares, size, h) = (side * side, side.abs(), self.half);
        let none = PARALLEL_MARCH * PARALLEL_MARCH * (squares.x + squares.y + squares.z);
        let (heights, rises) = (from.cross(side), to_third.cross(side));
        let reaches = DVec3::new(size.z * h.y + size.y * h.z, size.x * h.z + size.z * h.x, size.y * h.x + size.x * h.y);
        // The third corner is above the side or below it.
        let (low, high) = (heights + rises.min(DVec3::ZERO), heights + rises.max(DVec3::ZERO));
        let most = low.max(-high) - reaches;
        let lengths = DVec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
        let signed = most * most.abs();
        for axis in 0..3 {
            // The length of the direction is wanted only if there is something to gain.
            let limit = best.distance + slop;
            if signed[axis] > limit * limit.abs() * lengths[axis] && lengths[axis] > none {
                let length = lengths[axis].sqrt();
                let across = side.cross(DVec3::AXES[axis]) / length;
                let direction = if -high[axis] >= low[axis] { across } else { -across };
                *best = Gap { distance: most[axis] / length, direction };
            }
        }
    }

    /// The nearest points of a triangle and the box that are apart, on the triangle and on the box, and a lower bound of their distance
    /// from the direction between them. What is certain to be farther apart than `reach` is not looked at further.
    pub fn nearest(&self, close: &Close, slop: f64, reach: f64) -> ([DVec3; 2], f64) {
        let mut found = box_distance::of_corners(self.half, &close.local);
        let mut lower = self.gap_along(close, found.points);
        if lower <= reach && !(lower >= found.square.sqrt() - slop) {
            box_distance::of_edges(self.half, &close.local, &mut found);
            lower = self.gap_along(close, found.points);
        }
        let [p, q] = found.points;
        ([self.center + self.axes * p, self.center + self.axes * q], lower)
    }

    /// The gap along the direction from one point to another, in the frame of the box.
    fn gap_along(&self, close: &Close, [p, q]: [DVec3; 2]) -> f64 {
        let d = (q - p).normalize_or_zero();
        let [x, y, z] = [d.dot(close.local[0]), d.dot(close.local[1]), d.dot(close.local[2])];
        -self.half.dot(d.abs()) - x.max(y).max(z)
    }

    /// A point of the triangle where it is deepest in the box along a direction: on its feature farthest along it.
    pub fn touching_point(&self, close: &Close, direction: DVec3, slop: f64) -> DVec3 {
        let corners = close.face.corners;
        let [a, b, c] = [direction.dot(corners[0]), direction.dot(corners[1]), direction.dot(corners[2])];
        let most = a.max(b).max(c) - slop;
        let middle = || self.feature_middle(-direction, slop);
        let side = |i: usize, j: usize| foot_on_segment([corners[i], corners[j]], middle());
        match [a >= most, b >= most, c >= most] {
            [true, true, true] => foot(&close.face, middle()),
            [true, true, false] => side(0, 1),
            [false, true, true] => side(1, 2),
            [true, false, true] => side(2, 0),
            [false, true, false] => corners[1],
            [false, false, true] => corners[2],
            _ => corners[0],
        }
    }

    /// The middle of the feature of the box farthest along a direction.
    fn feature_middle(&self, direction: DVec3, slop: f64) -> DVec3 {
        let local = self.back * direction;
        let side = |along: f64, half: f64| if along.abs() * half <= slop { 0.0 } else { half.copysign(along) };
        let corner = DVec3::new(side(local.x, self.half.x), side(local.y, self.half.y), side(local.z, self.half.z));
        self.center + self.axes * corner
    }

    /// The corners of the feature of the box that faces a unit direction: a face (in order), an edge or a corner; and the axis and
    /// the side of the face, if it is one.
    fn feature(&self, local: DVec3) -> (ArrayVec<DVec3, 4>, Option<(usize, f64)>) {
        let tilt = widen_real(FEATURE_TILT);
        let (size, h) = (local.abs(), self.half);
        let far = DVec3::new(h.x.copysign(local.x), h.y.copysign(local.y), h.z.copysign(local.z));
        let most = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
        let mirrored = |axis: usize, p: DVec3| {
            let mut p = p;
            p[axis] = -p[axis];
            p
        };
        if size[most] * size[most] >= 1.0 - tilt * tilt {
            let (u, v) = ((most + 1) % 3, (most + 2) % 3);
            let [p, q] = [far, mirrored(u, far)];
            return (ArrayVec::from([p, q, mirrored(v, q), mirrored(v, p)]), Some((most, far[most])));
        }
        let least = if size.x <= size.y && size.x <= size.z { 0 } else { 1 + usize::from(size.z < size.y) };
        if size[least] <= tilt {
            return (ArrayVec::from_iter([far, mirrored(least, far)]), None);
        }
        (ArrayVec::from_iter([far]), None)
    }

    /// The contacts along a direction from the triangle to the box: corners of
    /// the box over the triangle, corners of the triangle over a face of the box, sides across edges. Corners and sides
    /// across which the surface goes on make none. False, and nothing is given, if neither has a face across the direction.
    pub fn cut(
        &self,
        close: &Close,
        around: Surroundings,
        d: DVec3,
        limits: &Limits,
        add: &mut impl FnMut(Touch),
    ) -> bool {
        let slope = close.unit.dot(d);
        let local = self.back * -d;
        let (feature, face) = self.feature(local);
        let across = 1.0 - widen_real(REFERENCE_TILT) * widen_real(REFERENCE_TILT);
        let box_is_across = face.is_some_and(|(axis, _)| local[axis] * local[axis] >= across);
        if !(box_is_across || slope * slope >= across) {
            return false;
        }
        let tilt = widen_real(FEATURE_TILT);
        let is_face = slope * slope >= 1.0 - tilt * tilt;
        // The two points of a contact are no farther apart than this.
        let far = limits.farthest();
        if is_face {
            self.corners_over(close, &feature, (d, slope), [far, limits.slop], add);
        }
        if !around.goes_on_everywhere() {
            let sides = Sides { close, around, is_face, d, down: local };
            self.sides_over(
                &sides,
                &feature,
                face.map(|(axis, height)| (local, axis, height)),
                [far, limits.slop],
                add,
            );
        }
        true
    }

    /// The corners of the box that are over the triangle.
    fn corners_over(
        &self,
        close: &Close,
        feature: &[DVec3],
        (d, slope): (DVec3, f64),
        [far, slop]: [f64; 2],
        add: &mut impl FnMut(Touch),
    ) {
        let [a, b, c] = close.local;
        let (low, high) = (a.min(b).min(c) - DVec3::splat(far), a.max(b).max(c) + DVec3::splat(far));
        for &corner in feature.iter().filter(|p| p.cmpge(low).all() && p.cmple(high).all()) {
            let p = self.center + self.axes * corner;
            if is_over(close, p, d * slope.signum(), slop) {
                let depth = close.unit.dot(close.face.corners[0] - p) / slope;
                let (of_triangle, of_box) = (Element::Face(0), Element::Vertex(number(corner)));
                add(Touch { on_triangle: p + d * depth, depth, of_triangle, of_box });
            }
        }
    }

    /// The corners of the triangle over the face of the box, given as the direction it is looked at, its axis and its height; and the
    /// sides across edges of the box.
    fn sides_over(
        &self,
        sides: &Sides,
        feature: &[DVec3],
        face: Option<(DVec3, usize, f64)>,
        [far, slop]: [f64; 2],
        add: &mut impl FnMut(Touch),
    ) {
        let &Sides { close, around, is_face, d, down } = sides;
        let (corners, local) = (&close.face.corners, &close.local);
        // Of a steep triangle only what faces the direction counts.
        let [a, b, c] = [d.dot(corners[0]), d.dot(corners[1]), d.dot(corners[2])];
        let most = a.max(b).max(c) - slop;
        let counts = [is_face || a >= most, is_face || b >= most, is_face || c >= most];
        if let Some((along, axis, height)) = face {
            for i in (0..3).filter(|&i| counts[i] && !around.goes_on_around(i)) {
                if let Some(depth) = self.depth_behind(local[i], along, axis, height, slop) {
                    let of_box = Element::Face(2 * axis as u32 + u32::from(height < 0.0));
                    add(Touch { on_triangle: corners[i], depth, of_triangle: Element::Vertex(i as u32), of_box });
                }
            }
        }
        let count = [0, 0, 1, 0, 4][feature.len()];
        let axes = down.any_orthonormal_pair();
        let mut edges = ArrayVec::<Segment, 4>::new();
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if around.goes_on_across(i) || !counts[i] || !counts[j] || !self.may_cross(face, local[i], local[j], far) {
                continue;
            }
            if edges.is_empty() {
                edges.extend((0..count).map(|k| Segment::new(feature[k], feature[(k + 1) % feature.len()], axes)));
            }
            let side = Segment::new(local[i], local[j], axes);
            for edge in &edges {
                if let Some([s, t]) = crossing(&side, edge, slop) {
                    let ends = [number(edge.from), number(edge.from + edge.along)];
                    add(Touch {
                        on_triangle: corners[i] + (corners[j] - corners[i]) * s,
                        depth: down.dot(edge.at(t) - side.at(s)),
                        of_triangle: Element::Edge([i as u32, j as u32]),
                        of_box: Element::Edge([ends[0].min(ends[1]), ends[0].max(ends[1])]),
                    });
                }
            }
        }
    }

    /// Whether a segment may pass an edge of a face of the box no farther away than `far`: it is neither within the face nor beside it.
    fn may_cross(&self, face: Option<(DVec3, usize, f64)>, p: DVec3, q: DVec3, far: f64) -> bool {
        let Some((_, axis, _)) = face else {
            return true;
        };
        let (mut inside, mut outside) = (true, false);
        for u in [(axis + 1) % 3, (axis + 2) % 3] {
            let (low, high, h) = (p[u].min(q[u]), p[u].max(q[u]), self.half[u]);
            inside &= low > far - h && high < h - far;
            outside |= low > h + far || high < -h - far;
        }
        !(inside || outside)
    }

    /// Whether a corner of the box may be over a triangle, at most so far away: one is in the box around the triangle.
    pub fn may_be_over(&self, close: &Close, far: f64) -> bool {
        let ([a, b, c], h) = (close.local, self.half);
        let (low, high) = (a.min(b).min(c) - DVec3::splat(far), a.max(b).max(c) + DVec3::splat(far));
        let holds = |low: f64, high: f64, h: f64| low <= h && h <= high || low <= -h && -h <= high;
        holds(low.x, high.x, h.x) && holds(low.y, high.y, h.y) && holds(low.z, high.z, h.z)
    }

    /// How deep a point is behind a face of the box, against the direction `local` that the face looks along in the frame of the
    /// box; nothing if it is not over the face.
    fn depth_behind(&self, at: DVec3, local: DVec3, axis: usize, height: f64, slop: f64) -> Option<f64> {
        let depth = (height - at[axis]) / local[axis];
        let out = (at + local * depth).abs() - self.half;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (out[u] <= slop && out[v] <= slop).then_some(depth)
    }
}

/// A triangle seen along a direction.
struct Sides<'c> {
    close: &'c Close,
    around: Surroundings,
    /// Whether all of the triangle faces the direction.
    is_face: bool,
    d: DVec3,
    /// Against the direction, in the frame of the box.
    down: DVec3,
}

/// Whether a point is over a triangle, or beside it by rounding, seen along a direction on the side of its normal.
fn is_over(close: &Close, p: DVec3, d: DVec3, slop: f64) -> bool {
    let corners = close.face.corners;
    (0..3).all(|i| {
        let along = corners[(i + 1) % 3] - corners[i];
        let inside = d.cross(along).dot(p - corners[i]);
        inside >= 0.0 || inside * inside <= slop * slop * along.length_squared()
    })
}

/// A segment, and how it is seen along a direction.
struct Segment {
    from: DVec3,
    along: DVec3,
    square: f64,
    seen_from: DVec2,
    seen_along: DVec2,
}

impl Segment {
    #[inline]
    fn new(from: DVec3, to: DVec3, (x, y): (DVec3, DVec3)) -> Self {
        let along = to - from;
        let seen = |p: DVec3| DVec2::new(x.dot(p), y.dot(p));
        Self { from, along, square: along.length_squared(), seen_from: seen(from), seen_along: seen(along) }
    }

    /// Whether a point at a share of it is on it, or beyond an end by rounding.
    #[inline]
    fn holds(&self, share: f64, slop: f64) -> bool {
        let past = (share - 0.5).abs() - 0.5;
        past <= 0.0 || past * past * self.square <= slop * slop
    }

    fn at(&self, share: f64) -> DVec3 {
        self.from + self.along * share
    }
}

/// At which shares of them two segments pass each other as they are seen, if it is within both.
#[inline]
fn crossing(a: &Segment, b: &Segment, slop: f64) -> Option<[f64; 2]> {
    let (u, v, w) = (a.seen_along, b.seen_along, b.seen_from - a.seen_from);
    let area = u.perp_dot(v);
    let parallel = widen_real(PARALLEL_LINES);
    if !(area * area > parallel * parallel * a.square * b.square) {
        return None;
    }
    let (s, t) = (w.perp_dot(v) / area, w.perp_dot(u) / area);
    (a.holds(s, slop) && b.holds(t, slop)).then(|| [s.clamp(0.0, 1.0), t.clamp(0.0, 1.0)])
}
