//! Whether two boxes meet, for several pairs in the lanes of a vector: by the six normals of their faces and by the nearest points to their
//! centres.
//!
//! Certain are a gap along a normal beyond [`LANE_SIGMAS`] errors, and a point of one box that is in the other by as much. What is left, few
//! pairs, goes on as other shapes do.

use super::block::{Block, Outcome, Verdict, at};
use super::lane::{Lane, ROW, Row};
use super::vectors::Vectors;
use crate::tolerance::{LANE_SIGMAS, sigma};

/// The best of some gaps and the direction it is along, from A to B.
struct Gap<L> {
    height: L,
    direction: Vectors<L>,
}

impl<L: Lane> Gap<L> {
    #[inline(always)]
    fn or(self, height: L, direction: Vectors<L>) -> Self {
        let better = height.above(self.height);
        Self {
            height: L::select(better, height, self.height),
            direction: Vectors::select(better, direction, self.direction),
        }
    }
}

/// Decides the pairs of a block from a position on that are asked for; a bit for each that is decided.
#[inline(always)]
pub(super) fn decide<L: Lane>(block: &Block, position: usize, asked: u32, outcomes: &mut [Outcome]) -> u32 {
    let [x, y, z] = &block.rotation;
    let (x, y, z) = (Vectors::load_at(x, position), Vectors::load_at(y, position), Vectors::load_at(z, position));
    let t: Vectors<L> = Vectors::load_at(&block.translation, position);
    let [a, b] = &block.sizes;
    let (a, b) = (Vectors::load_at(a, position), Vectors::load_at(b, position));
    let gap = L::load_at(&block.size, position).mul(L::splat(LANE_SIGMAS * sigma(1.0)));
    let in_b = Vectors { x: x.dot(t), y: y.dot(t), z: z.dot(t) };

    let best = widest([x, y, z], t, in_b, [a, b]);
    let apart = L::bits(best.height.above(gap)) & asked;
    // The point of A nearest to the centre of B, seen from B, and the other way round.
    let on_a = clamped(t, a);
    let from = on_a - t;
    let inner = is_in(Vectors { x: x.dot(from), y: y.dot(from), z: z.dot(from) }, b, gap);
    let zero = L::splat(0.0);
    let back = Vectors { x: zero.sub(in_b.x), y: zero.sub(in_b.y), z: zero.sub(in_b.z) };
    let of_b = clamped(back, b);
    let on_b = x.scaled(of_b.x) + y.scaled(of_b.y) + z.scaled(of_b.z) + t;
    let outer = is_in(on_b, a, gap);
    let common = L::bits(L::or(inner, outer)) & asked;
    report(apart, common, &best, [a, Vectors::select(inner, on_a, on_b)], outcomes);
    apart | common
}

/// Writes down what is decided. Of the vectors the first is half of A's edges, the second the common point.
#[inline(always)]
fn report<L: Lane>(apart: u32, common: u32, best: &Gap<L>, [a, point]: [Vectors<L>; 2], outcomes: &mut [Outcome]) {
    if apart != 0 {
        let (mut directions, mut corners, mut heights) = ([Row::ZERO; 3], [Row::ZERO; 3], Row::ZERO);
        best.direction.store(&mut directions);
        signed(a, best.direction).store(&mut corners);
        best.height.store(&mut heights);
        let mut lanes = apart;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % ROW;
            lanes &= lanes - 1;
            let (direction, on_a) = (at(&directions, lane), at(&corners, lane));
            outcomes[lane] = Outcome { verdict: Verdict::Apart { direction, bound: heights.0[lane], on_a }, steps: 0 };
        }
    }
    if common != 0 {
        let mut points = [Row::ZERO; 3];
        point.store(&mut points);
        let mut lanes = common;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % ROW;
            lanes &= lanes - 1;
            outcomes[lane] = Outcome { verdict: Verdict::Common(at(&points, lane)), steps: 0 };
        }
    }
}

/// The widest gap along the axes of both boxes.
#[inline(always)]
fn widest<L: Lane>([x, y, z]: [Vectors<L>; 3], t: Vectors<L>, in_b: Vectors<L>, [a, b]: [Vectors<L>; 2]) -> Gap<L> {
    let (ax, ay, az) = (size(x), size(y), size(z));
    let along_a = size(t) - a - (ax.scaled(b.x) + ay.scaled(b.y) + az.scaled(b.z));
    let along_b = size(in_b) - b - Vectors { x: ax.dot(a), y: ay.dot(a), z: az.dot(a) };
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let first = Vectors { x: one.with_sign_of(t.x), y: zero, z: zero };
    let best = Gap { height: along_a.x, direction: first };
    let best = best.or(along_a.y, Vectors { x: zero, y: one.with_sign_of(t.y), z: zero });
    let best = best.or(along_a.z, Vectors { x: zero, y: zero, z: one.with_sign_of(t.z) });
    let best = best.or(along_b.x, x.scaled(one.with_sign_of(in_b.x)));
    let best = best.or(along_b.y, y.scaled(one.with_sign_of(in_b.y)));
    best.or(along_b.z, z.scaled(one.with_sign_of(in_b.z)))
}

/// Every number without its sign.
#[inline(always)]
fn size<L: Lane>(v: Vectors<L>) -> Vectors<L> {
    let one = L::splat(1.0);
    Vectors { x: v.x.with_sign_of(one), y: v.y.with_sign_of(one), z: v.z.with_sign_of(one) }
}

/// Every number of the first with the sign of the second.
#[inline(always)]
fn signed<L: Lane>(v: Vectors<L>, of: Vectors<L>) -> Vectors<L> {
    Vectors { x: v.x.with_sign_of(of.x), y: v.y.with_sign_of(of.y), z: v.z.with_sign_of(of.z) }
}

/// The nearest point of a box about the origin.
#[inline(always)]
fn clamped<L: Lane>(p: Vectors<L>, half: Vectors<L>) -> Vectors<L> {
    let (size, edge) = (size(p), signed(half, p));
    Vectors {
        x: L::select(size.x.above(half.x), edge.x, p.x),
        y: L::select(size.y.above(half.y), edge.y, p.y),
        z: L::select(size.z.above(half.z), edge.z, p.z),
    }
}

/// Where a point is in a box about the origin by more than a distance.
#[inline(always)]
fn is_in<L: Lane>(p: Vectors<L>, half: Vectors<L>, by: L) -> L::Mask {
    let p = size(p);
    let (in_x, in_y) = (half.x.above(p.x.add(by)), half.y.above(p.y.add(by)));
    L::and(L::and(in_x, in_y), half.z.above(p.z.add(by)))
}
