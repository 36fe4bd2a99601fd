//! The distance of pairs whose search has ended, several in the lanes of a vector: points, normal and bounds.
//!
//! Weights of the corners come from products with the normal of their triangle and are corrected once, as the verb for one pair does it; cut off
//! at zero and made one in all, they name a point of both bodies whatever rounding did. The bounds are that point and the plane of the last
//! support. What they say is checked as an answer of the verb is; what fails is finished by its ways.

use super::block::{Found, at};
use super::group::{Group, Nearest};
use super::lane::{Lane, ROW, Row};
use super::vectors::Vectors;

/// What is known of the pairs of a group, the error of a support not yet added to the bounds.
pub(super) struct Finished<L: Lane> {
    pub points: [Vectors<L>; 2],
    pub normal: Vectors<L>,
    pub distance: L,
    pub lower: L,
    pub upper: L,
    /// Supports that it took, beside those of the search.
    pub steps: L,
    /// The pairs of which this is so.
    pub good: L::Mask,
}

impl<L: Lane> Finished<L> {
    /// These, and others where a mask says so.
    #[inline(always)]
    pub fn or(self, mask: L::Mask, other: Self) -> Self {
        let ([a, b], [other_a, other_b]) = (self.points, other.points);
        Self {
            points: [Vectors::select(mask, other_a, a), Vectors::select(mask, other_b, b)],
            normal: Vectors::select(mask, other.normal, self.normal),
            distance: L::select(mask, other.distance, self.distance),
            lower: L::select(mask, other.lower, self.lower),
            upper: L::select(mask, other.upper, self.upper),
            steps: L::select(mask, other.steps, self.steps),
            good: L::or(L::without(self.good, mask), L::and(mask, other.good)),
        }
    }

    /// Writes down what was found about the pairs of a group, which is empty then.
    #[inline(always)]
    pub fn report(self, group: &mut Group, outcomes: &mut [Nearest]) {
        let [mut on_a, mut on_b, mut normal] = [[Row::ZERO; 3]; 3];
        let [mut distance, mut lower, mut upper, mut steps] = [Row::ZERO; 4];
        self.points[0].store(&mut on_a);
        self.points[1].store(&mut on_b);
        self.normal.store(&mut normal);
        self.distance.store(&mut distance);
        self.lower.store(&mut lower);
        self.upper.store(&mut upper);
        self.steps.add(L::load(&group.steps)).store(&mut steps);
        let good = L::bits(self.good);
        while group.active != 0 {
            let lane = group.active.trailing_zeros() as usize % ROW;
            group.active &= group.active - 1;
            outcomes[group.owners[lane]] = if good & 1 << lane == 0 {
                Nearest::Ended(group.corners(lane))
            } else {
                Nearest::Finished(Found {
                    points: [at(&on_a, lane), at(&on_b, lane)],
                    normal: at(&normal, lane),
                    distance: distance.0[lane],
                    lower: lower.0[lane],
                    upper: upper.0[lane],
                    on_plane: at(&group.lowest_on_a, lane),
                    size: group.size.0[lane],
                    steps: steps.0[lane] as u32,
                })
            };
        }
    }
}

/// Pairs of bodies with flat faces, whose corners have the nearest point itself.
#[inline(always)]
pub(super) fn flat<L: Lane>(group: &Group) -> Finished<L> {
    let zero = L::splat(0.0);
    let [c1, c2, c3] = &group.corners;
    let corners: [Vectors<L>; 3] = [Vectors::load(c1), Vectors::load(c2), Vectors::load(c3)];
    let nearest: Vectors<L> = Vectors::load(&group.nearest);
    let distance = nearest.dot(nearest).sqrt();
    let normal = nearest.scaled(L::splat(1.0).div(distance));
    let weights = weights(corners, nearest);
    let [a1, a2, a3] = &group.on_a;
    let on_a = weighted([Vectors::load(a1), Vectors::load(a2), Vectors::load(a3)], weights);
    let point = weighted(corners, weights);
    let lowest: Vectors<L> = Vectors::load(&group.lowest);
    Finished {
        points: [on_a, on_a + point],
        normal,
        distance,
        lower: normal.dot(lowest).lesser(distance),
        upper: point.dot(point).sqrt().larger(distance),
        steps: zero,
        good: L::and(distance.above(zero), point.dot(point).above(zero)),
    }
}

/// The weights of a point in the triangle, on the edge or at the corner that three corners are; not below zero, and one in all.
#[inline(always)]
pub(super) fn weights<L: Lane>([a, b, c]: [Vectors<L>; 3], target: Vectors<L>) -> [L; 3] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = ab.cross(ac);
    let square = normal.dot(normal);
    // Seen from the target, so that a triangle far away loses no digits.
    let (from_a, from_b, from_c) = (a - target, b - target, c - target);
    let of_a = normal.dot(from_b.cross(bc)).larger(zero);
    let of_b = normal.dot(ac.cross(from_c)).larger(zero);
    let of_c = normal.dot(from_a.cross(ab)).larger(zero);
    let scale = one.div(of_a.add(of_b).add(of_c));
    let in_triangle = [of_a.mul(scale), of_b.mul(scale), of_c.mul(scale)];
    // An edge has two corners that are the same, the second and the third.
    let along = zero.sub(from_a.dot(ab)).div(ab.dot(ab));
    let along = along.larger(zero).lesser(one);
    let is_edge = ab.dot(ab).above(zero);
    let on_edge = [L::select(is_edge, one.sub(along), one), L::select(is_edge, along, zero), zero];
    let broad = square.above(zero);
    let [of_a, of_b, of_c] = in_triangle;
    let [first, second, third] = on_edge;
    [L::select(broad, of_a, first), L::select(broad, of_b, second), L::select(broad, of_c, third)]
}

/// The sum of three points with weights.
#[inline(always)]
pub(super) fn weighted<L: Lane>([a, b, c]: [Vectors<L>; 3], [of_a, of_b, of_c]: [L; 3]) -> Vectors<L> {
    a.scaled(of_a) + b.scaled(of_b) + c.scaled(of_c)
}
