//! Two bodies seen along a line: the difference A − B with one axis along the direction, and its shadow.
//!
//! The line test of section 3.1 of the paper asks whether the shadows of the two bodies on a plane across the direction meet,
//! that is, whether the shadow of A − B contains the origin. The paper builds both silhouettes; here their corners are asked for
//! one by one, as supports across the direction, by GJK in two dimensions. It ends with a direction across the line along which
//! the bodies are apart by more than the error, or with corners of the shadow around the origin. These are points of A − B, so
//! the two ends are searched from them, and the room between them and the origin is what makes bounds of the ends certain.
//!
//! It ends: each step takes a corner of the shadow farther out than the last, a repeated one or the limit stops it.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use crate::math::{Real, Vec3, narrow, widen, widen_real};
use crate::narrow::minkowski::Minkowski;
use crate::shape::Core;
use crate::support::{Support, VertexId};
use crate::tolerance::{F64_SAFE, RANGE_NUDGE, RANGE_NUDGE_LIMIT, RANGE_ROOM, sigma};

/// Steps that the search for corners around the origin may take; polygons of 10,000 corners take about ten.
const STEP_LIMIT: u32 = 64;
/// The farthest that Newton's method may turn a normal in one step, in radians.
const NEWTON_TURN: f64 = 0.5;
/// Directions tried, a quarter turn apart, for corners of a shadow of which only one is known.
const TURNS: u32 = 8;
/// Weights that make no symmetric sum: one and the fractions of multiples of the golden ratio.
const WEIGHTS: [f64; OUTLINE] = [1.0, 1.618, 1.236, 1.854, 1.472, 1.09, 1.708, 1.326];
/// Corners that the outline may have: a triangle, and one more beyond each side that passes too near the origin.
pub(super) const OUTLINE: usize = 8;

/// A point of A − B seen along the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// Across the direction (x and y) and along it (z).
    pub at: DVec3,
    /// The point of A it belongs to, in A's frame; the one of B is this less the difference.
    pub on_a: Vec3,
    /// The vertices they are, if the bodies have vertices.
    pub ids: [VertexId; 2],
    /// The unit vector along which it was found to be the farthest; zero if that is not known.
    pub normal: DVec3,
}

impl Seen {
    fn flipped(self) -> Self {
        Self { at: flip(self.at), normal: flip(self.normal), ..self }
    }

    /// Whether it is the same point of the difference.
    #[inline]
    pub fn is(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

#[inline]
fn flip(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.y, -v.z)
}

/// The product of two vectors across the direction: twice the area they span, positive if the second is to the left.
#[inline]
pub(super) fn across(a: DVec3, b: DVec3) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Where three points are, seen from one of the line's places. Not by `map`, which would copy the points whole.
#[inline]
pub(super) fn places(corners: &[Seen; 3], from: DVec3) -> [DVec3; 3] {
    [corners[0].at - from, corners[1].at - from, corners[2].at - from]
}

/// The pair and the line, in the frame of A.
pub(super) struct Line<'a> {
    pub m: Minkowski<'a, Core, Core>,
    /// Rounding radii of A and B.
    pub radii: [Real; 2],
    /// Two directions across, one along the line.
    pub frame: DMat3,
    /// The error of a support value and of a point of the difference, absolute.
    pub error: f64,
}

/// Corners of the shadow around the origin, counter-clockwise seen against the direction.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    pub corners: ArrayVec<Seen, OUTLINE>,
    /// Every point this near to the origin is inside the outline.
    pub room: f64,
    /// Where the line is taken to be when a search has to decide for one side of it: inside by less than the error.
    pub inside: DVec3,
    /// Supports evaluated.
    pub supports: u32,
}

impl<'a> Line<'a> {
    /// `direction` is a unit vector in the frame of A.
    pub fn new(m: Minkowski<'a, Core, Core>, radii: [Real; 2], direction: DVec3, size: Real) -> Self {
        let (x, y) = direction.any_orthonormal_pair();
        Self { m, radii, frame: DMat3::from_cols(x, y, direction), error: 2.0 * widen_real(sigma(size)) }
    }

    /// The same line in the opposite direction.
    pub fn flipped(&self) -> Self {
        let DMat3 { x_axis, y_axis, z_axis } = self.frame;
        Self { m: Minkowski { ..self.m }, frame: DMat3::from_cols(x_axis, -y_axis, -z_axis), ..*self }
    }

    /// The point of the difference farthest along a unit vector.
    #[inline]
    pub fn support(&self, normal: DVec3, hints: [VertexId; 2]) -> Seen {
        let w = self.m.lowest(narrow(self.frame * normal), hints);
        self.seen(widen(w.m), w.a, w.ids, normal)
    }

    /// A vertex of either body, rounded along a unit vector.
    pub fn vertex(&self, ids: [VertexId; 2], normal: DVec3) -> Option<Seen> {
        let (a, b) = (self.m.a.vertex(ids[0])?, self.m.b.vertex(ids[1])?);
        let difference = self.m.rotation * b + self.m.translation - a;
        Some(Seen { normal: DVec3::ZERO, ..self.seen(widen(difference), a, ids, normal) })
    }

    /// `m` is B − A, of the cores.
    #[inline]
    fn seen(&self, m: DVec3, a: Vec3, ids: [VertexId; 2], normal: DVec3) -> Seen {
        let DMat3 { x_axis, y_axis, z_axis } = self.frame;
        let mut at = DVec3::new(-x_axis.dot(m), -y_axis.dot(m), -z_axis.dot(m));
        let mut on_a = a;
        let margin = self.radii[0] + self.radii[1];
        if margin > 0.0 {
            at += normal * widen_real(margin);
            on_a += narrow(self.frame * normal) * self.radii[0];
        }
        Seen { at, on_a, ids, normal }
    }

    /// Newton's next normal: that whose farthest point is on the line, if the surface goes on as it is curved at a point.
    pub fn toward_line(&self, w: &Seen) -> Option<DVec3> {
        let (first, second) = w.normal.any_orthonormal_pair();
        let [p, q] = [first, second].map(|tangent| self.curvature(w.normal, tangent));
        let det = across(p, q);
        let [x, y] = [across(w.at, q), across(p, w.at)].map(|area| -area / det);
        // A turn by more than this is no longer near.
        let near = x * x + y * y <= NEWTON_TURN * NEWTON_TURN;
        if near { (w.normal + first * x + second * y).try_normalize() } else { None }
    }

    /// How the farthest point of the difference moves when the unit normal turns towards a tangent.
    fn curvature(&self, normal: DVec3, tangent: DVec3) -> DVec3 {
        let [in_a, turn] = [normal, tangent].map(|v| narrow(self.frame * v));
        let of_a = self.m.a.curvature(in_a, turn);
        let of_b = self.m.rotation * self.m.b.curvature(-self.m.to_b(in_a), self.m.to_b(turn));
        self.frame.transpose() * widen(of_a + of_b) + tangent * widen_real(self.radii[0] + self.radii[1])
    }

    /// Looks for corners of the shadow around the origin; nothing if the line passes the difference by more than the error.
    pub fn shadow(&self, hints: [VertexId; 2]) -> Option<Outline> {
        let middle = self.frame.transpose() * widen(self.m.translation);
        let mut out = flat_unit(middle).unwrap_or(DVec3::X);
        let mut supports = 0;
        let mut corners = ArrayVec::<Seen, 3>::new();
        loop {
            let w = self.support(out, corners.last().map_or(hints, |last: &Seen| last.ids));
            supports += 1;
            if out.dot(w.at) < -self.error {
                return None;
            }
            let repeated = corners.iter().any(|corner| corner.is(&w));
            if repeated || supports >= STEP_LIMIT {
                return Some(self.closed(corners, out, w, supports));
            }
            corners.push(w);
            match self.next(&mut corners, out) {
                Some(direction) => out = direction,
                None => return Some(self.widened(corners.into_iter().collect(), supports)),
            }
        }
    }

    /// Reduces the corners to those the origin may still be beyond, and says where to look next; nothing if it is between them.
    /// `out` is where the last corner is the farthest.
    fn next(&self, corners: &mut ArrayVec<Seen, 3>, out: DVec3) -> Option<DVec3> {
        if corners.len() == 1 {
            return Some(flat_unit(-corners[0].at).unwrap_or(-out));
        }
        if corners.len() == 2 {
            return Some(toward_origin(&corners[0], &corners[1]).unwrap_or(out));
        }
        ordered(corners);
        // Of three corners the first two may have been swapped, never lost; the side between the older two was dealt with before.
        let (worst, inside) = nearest_side(corners, &[])?;
        // What is beyond a side by less than the error is not worth a corner lost; whether the shadow goes on there is asked later.
        if inside >= -RANGE_NUDGE * self.error {
            return None;
        }
        let kept = [corners[worst], corners[(worst + 1) % 3]];
        corners.clear();
        corners.extend(kept);
        Some(toward_origin(&kept[0], &kept[1]).unwrap_or(out))
    }

    /// The outline where the origin is on the very edge of the shadow: the last side found, and a corner opposite to it.
    fn closed(&self, mut corners: ArrayVec<Seen, 3>, out: DVec3, w: Seen, mut supports: u32) -> Outline {
        if corners.len() == 3 {
            corners.pop();
        }
        if corners.is_empty() {
            corners.push(w);
        }
        let mut turned = out;
        for _ in 0..TURNS {
            if corners.len() == 3 {
                break;
            }
            turned = if corners.len() == 2 { -out } else { DVec3::new(-turned.y, turned.x, 0.0) };
            let w = self.support(turned, w.ids);
            supports += 1;
            if corners.len() == 2 || !corners.iter().any(|corner| corner.is(&w)) {
                corners.push(w);
            }
        }
        ordered(&mut corners);
        self.widened(corners.into_iter().collect(), supports)
    }

    /// Adds corners beyond sides that pass near the origin, so that there is room around it if the shadow has any. A side beyond
    /// which there is nothing is one of the shadow itself, and is left.
    fn widened(&self, mut corners: ArrayVec<Seen, OUTLINE>, mut supports: u32) -> Outline {
        let reach = corners.iter().map(|corner| corner.at.truncate().length_squared()).fold(0.0, f64::max).sqrt();
        let mut room = nearest_side(&corners, &[]);
        if room.is_none_or(|near| near.1 < RANGE_ROOM * reach) {
            supports += self.widen(&mut corners, RANGE_ROOM * reach);
            room = nearest_side(&corners, &[]);
        }
        let room = room.map_or(0.0, |near| near.1);
        let inside = self.inside(&corners, room);
        Outline { corners, room, inside, supports }
    }

    /// Does so, and says how many supports it took.
    fn widen(&self, corners: &mut ArrayVec<Seen, OUTLINE>, wanted: f64) -> u32 {
        let mut supports = 0;
        let mut last: ArrayVec<bool, OUTLINE> = corners.iter().map(|_| false).collect();
        while corners.len() < OUTLINE {
            let near = nearest_side(corners, &last);
            let Some((side, _)) = near.filter(|near| near.1 < wanted) else { break };
            let (from, to) = (corners[side], corners[(side + 1) % corners.len()]);
            let along = to.at - from.at;
            last[side] = true;
            let Some(out) = flat_unit(DVec3::new(along.y, -along.x, 0.0)) else { continue };
            let w = self.support(out, from.ids);
            supports += 1;
            if out.dot(w.at - from.at) > self.error {
                corners.insert(side + 1, w);
                last[side] = false;
                last.insert(side + 1, false);
            }
        }
        supports
    }

    /// Where to take the line to be so that it is inside the outline by a fraction of the error, if it is not already: moved
    /// towards a point within the outline, as far as the sides that it is on or beyond ask for. The corners count for this
    /// point with unequal weights: their very middle is often on a line with two of them, and would decide nothing.
    fn inside(&self, corners: &[Seen], room: f64) -> DVec3 {
        let weighed = corners.iter().zip(WEIGHTS).map(|(corner, weight)| corner.at * weight);
        let inwards = flat_unit(weighed.sum::<DVec3>()).unwrap_or(DVec3::new(0.8, 0.6, 0.0));
        let least = RANGE_NUDGE * self.error;
        let mut way = least;
        if room >= least {
            return inwards * way;
        }
        for (i, from) in corners.iter().enumerate() {
            let along = (corners[(i + 1) % corners.len()].at - from.at).with_z(0.0);
            let length = along.length();
            let (depth, rise) = (across(from.at, along) / length, across(along, inwards) / length);
            if depth < least && rise > 0.0 {
                way = way.max((least - depth) / rise);
            }
        }
        inwards * way.min(RANGE_NUDGE_LIMIT * self.error)
    }
}

impl Outline {
    /// The same outline for the opposite direction.
    pub fn flipped(&self) -> Self {
        let corners = self.corners.iter().rev().map(|corner| corner.flipped()).collect();
        Self { corners, inside: flip(self.inside), ..*self }
    }

    /// The side or diagonal that passes nearest to the line, as a triangle with two corners in one; the one farther along the line if two do.
    pub fn side_at_line(&self) -> [Seen; 3] {
        let mut best = [self.corners[0]; 3];
        let mut nearest = [f64::INFINITY, f64::INFINITY];
        for (i, from) in self.corners.iter().enumerate() {
            for to in &self.corners[i..] {
                let side = (to.at - from.at).truncate();
                let share = (-from.at.truncate().dot(side) / side.length_squared()).clamp(0.0, 1.0);
                let share = if share.is_nan() { 0.0 } else { share };
                let at = from.at.lerp(to.at, share);
                let near = [at.truncate().length(), -at.z];
                if near < nearest {
                    (best, nearest) = ([*from, *to, *to], near);
                }
            }
        }
        best
    }
}

/// A vector without its part along the line, at length one.
fn flat_unit(v: DVec3) -> Option<DVec3> {
    DVec3::new(v.x, v.y, 0.0).try_normalize()
}

/// Puts three corners in counter-clockwise order.
fn ordered(corners: &mut ArrayVec<Seen, 3>) {
    if let [a, b, c] = corners.as_mut_slice()
        && across(b.at - a.at, c.at - a.at) < 0.0
    {
        std::mem::swap(b, c);
    }
}

/// The side of the outline nearest to the origin, of those not left out, and how far inside of it the origin is.
fn nearest_side(corners: &[Seen], left_out: &[bool]) -> Option<(usize, f64)> {
    let mut nearest: Option<(usize, f64)> = None;
    for (i, from) in corners.iter().enumerate() {
        let to = corners[(i + 1) % corners.len()];
        let distance = across(from.at, to.at) / (to.at - from.at).truncate().length();
        // A side of no length, not a number here, is no side.
        let nearer = nearest.is_none_or(|nearest| distance < nearest.1) && !distance.is_nan();
        if nearer && left_out.get(i) != Some(&true) {
            nearest = Some((i, distance));
        }
    }
    nearest
}

/// Perpendicular to a side, to where the origin is.
fn toward_origin(from: &Seen, to: &Seen) -> Option<DVec3> {
    let along = to.at - from.at;
    let left = DVec3::new(-along.y, along.x, 0.0);
    flat_unit(if across(from.at, to.at) < 0.0 { -left } else { left })
}

/// At length one; nothing if it has none.
#[inline]
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    let square = v.length_squared();
    if square > 1.0 / F64_SAFE && square < F64_SAFE {
        return Some(v * (1.0 / square.sqrt()));
    }
    (v / v.abs().max_element()).try_normalize()
}
