//! The nearest point of a simplex with a new corner, in lanes.
//!
//! The new corner w is nearer to the origin than the plane of the old ones, so that the nearest point is on w, on an edge from w or on a triangle
//! at w. Each of these that has the foot of the origin in its interior is a candidate: all feet are points of the simplex, so the nearest
//! of them is the nearest point. Feet and distances come from products of edges; that of the winner is computed once more, as the
//! projection along the normal, which keeps its digits where the triangle is small and far away.

use super::lane::Lane;
use super::vectors::Vectors;
use crate::tolerance::LANE_FLAT;

/// What a simplex is reduced to.
pub(super) struct Found<L: Lane> {
    pub corners: [Vectors<L>; 3],
    pub on_a: [Vectors<L>; 3],
    pub nearest: Vectors<L>,
    /// The origin is inside the four corners.
    pub inside: L::Mask,
    /// It is inside by more than rounding.
    pub certain: L::Mask,
}

/// An edge from the newest corner.
#[derive(Clone, Copy)]
struct Edge<L> {
    along: Vectors<L>,
    square: L,
    /// How far the origin is along it, times its length.
    foot: L,
}

/// The best candidate so far.
#[derive(Clone, Copy)]
struct Best<L> {
    /// By how much the square of its distance is less than that of the newest corner.
    gain: L,
    first: Vectors<L>,
    second: Vectors<L>,
    on_first: Vectors<L>,
    on_second: Vectors<L>,
    /// One for an edge, two for a triangle.
    rank: L,
}

impl<L: Lane> Best<L> {
    #[inline(always)]
    fn or(self, mask: L::Mask, other: Self) -> Self {
        Self {
            gain: L::select(mask, other.gain, self.gain),
            first: Vectors::select(mask, other.first, self.first),
            second: Vectors::select(mask, other.second, self.second),
            on_first: Vectors::select(mask, other.on_first, self.on_first),
            on_second: Vectors::select(mask, other.on_second, self.on_second),
            rank: L::select(mask, other.rank, self.rank),
        }
    }
}

/// The nearest point of three corners and a new one, each with its point of A; volumes beyond `least` are certain.
#[inline(always)]
pub(super) fn nearest<L: Lane>(
    corners: [Vectors<L>; 3],
    on_a: [Vectors<L>; 3],
    [newest, on_newest]: [Vectors<L>; 2],
    least: L,
) -> Found<L> {
    let zero = L::splat(0.0);
    let [p1, p2, p3] = corners;
    let (e1, e2, e3) = (edge(p1, newest), edge(p2, newest), edge(p3, newest));
    let best =
        Best { gain: zero, first: newest, second: newest, on_first: on_newest, on_second: on_newest, rank: zero };
    let best = with_edge(best, &e1, p1, on_a[0]);
    let best = with_edge(best, &e2, p2, on_a[1]);
    let best = with_edge(best, &e3, p3, on_a[2]);
    let best = with_triangle(best, [&e1, &e2], [p1, p2], [on_a[0], on_a[1]]);
    let best = with_triangle(best, [&e1, &e3], [p1, p3], [on_a[0], on_a[2]]);
    let best = with_triangle(best, [&e2, &e3], [p2, p3], [on_a[1], on_a[2]]);
    let [inside, certain] = contains([e1.along, e2.along, e3.along], newest, least);
    Found {
        corners: [newest, best.first, best.second],
        on_a: [on_newest, best.on_first, best.on_second],
        nearest: foot(newest, &best),
        inside,
        certain,
    }
}

#[inline(always)]
fn edge<L: Lane>(corner: Vectors<L>, newest: Vectors<L>) -> Edge<L> {
    let along = corner - newest;
    Edge { along, square: along.dot(along), foot: L::splat(0.0).sub(newest.dot(along)) }
}

#[inline(always)]
fn with_edge<L: Lane>(best: Best<L>, edge: &Edge<L>, corner: Vectors<L>, on_a: Vectors<L>) -> Best<L> {
    let zero = L::splat(0.0);
    let gain = edge.foot.mul(edge.foot).div(edge.square);
    let between = L::and(edge.foot.above(zero), edge.square.above(edge.foot));
    let other = Best { gain, first: corner, second: corner, on_first: on_a, on_second: on_a, rank: L::splat(1.0) };
    best.or(L::and(between, gain.above(best.gain)), other)
}

#[inline(always)]
fn with_triangle<L: Lane>(
    best: Best<L>,
    [e, f]: [&Edge<L>; 2],
    [first, second]: [Vectors<L>; 2],
    [on_first, on_second]: [Vectors<L>; 2],
) -> Best<L> {
    let zero = L::splat(0.0);
    let both = e.along.dot(f.along);
    let product = e.square.mul(f.square);
    let area = product.sub(both.mul(both));
    let (of_e, of_f) = (e.foot.mul(f.square).sub(f.foot.mul(both)), f.foot.mul(e.square).sub(e.foot.mul(both)));
    let gain = e.foot.mul(of_e).add(f.foot.mul(of_f)).div(area);
    let inside = L::and(L::and(of_e.above(zero), of_f.above(zero)), area.above(of_e.add(of_f)));
    let broad = area.above(product.mul(L::splat(LANE_FLAT)));
    let other = Best { gain, first, second, on_first, on_second, rank: L::splat(2.0) };
    best.or(L::and(L::and(inside, broad), gain.above(best.gain)), other)
}

/// The foot of the origin on the winner.
#[inline(always)]
fn foot<L: Lane>(newest: Vectors<L>, best: &Best<L>) -> Vectors<L> {
    let (e, f) = (best.first - newest, best.second - newest);
    let square = e.dot(e);
    let on_edge = newest + e.scaled(L::splat(0.0).sub(newest.dot(e)).div(square));
    // Once more at a right angle: what rounding left along the edge is much to the direction of a short vector.
    let on_edge = on_edge - e.scaled(on_edge.dot(e).div(square));
    let normal = e.cross(f);
    let on_triangle = normal.scaled(normal.dot(newest).div(normal.dot(normal)));
    let nearest = Vectors::select(best.rank.above(L::splat(0.5)), on_edge, newest);
    Vectors::select(best.rank.above(L::splat(1.5)), on_triangle, nearest)
}

/// Whether the origin is inside the newest corner and three edges from it, and whether by more than rounding.
#[inline(always)]
fn contains<L: Lane>([e1, e2, e3]: [Vectors<L>; 3], newest: Vectors<L>, least: L) -> [L::Mask; 2] {
    let zero = L::splat(0.0);
    let across = e2.cross(e3);
    let whole = e1.dot(across);
    let one = L::splat(1.0).with_sign_of(whole);
    let back = zero.sub(one);
    let of_1 = back.mul(newest.dot(across));
    let of_2 = back.mul(newest.dot(e3.cross(e1)));
    let of_3 = back.mul(newest.dot(e1.cross(e2)));
    let rest = one.mul(whole).sub(of_1).sub(of_2).sub(of_3);
    let inside = L::and(L::and(of_1.above(zero), of_2.above(zero)), of_3.above(zero));
    let certain = L::and(L::and(of_1.above(least), of_2.above(least)), L::and(of_3.above(least), rest.above(least)));
    [inside, certain]
}
