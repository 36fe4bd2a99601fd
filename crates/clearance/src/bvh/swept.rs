//! A box on a straight way: when it meets the boxes of a tree, front to back.
//!
//! An axis-aligned box around a long diagonal way is as large as the world; the way itself passes few nodes. A node is met where
//! the moving box, seen as a point, passes the node's box grown by it: three pairs of parallel planes.
//!
//! Nodes are tested in single precision with a margin for its rounding, in all four lanes of their boxes at once; what a caller
//! holds, in f64.
//!
//! Invariants: `node_entry` is monotone. Every step of it is, rounding included, so that a node is entered no later than those in
//! it, to the last bit; and a box within a node's is entered no earlier than the node. What a caller finds in a leaf, and moves up
//! to where it is entered, is then the same whatever tree it was found by and in whatever order.

use arrayvec::ArrayVec;
use glam::{DVec3, Vec4};

use super::query::{PATH, Side};
use super::{Bvh, NodeBox};
use crate::tolerance::SWEPT_ERROR;

/// A box and the way it moves, in f64.
#[derive(Debug, Clone, Copy)]
pub struct SweptBox {
    min: DVec3,
    max: DVec3,
    inverse: DVec3,
    /// The same in single precision, rounded outwards. The fourth lanes are such that a node's links never count.
    low: Vec4,
    high: Vec4,
    slope: Vec4,
    /// A coordinate changes by so much that its share of the way is lost in single precision: every node may be met.
    is_lost: bool,
}

impl SweptBox {
    /// A box that moves by `way`. It should be grown by more than rounding: whether boxes touch exactly is not decided.
    pub fn new(min: DVec3, max: DVec3, way: DVec3) -> Self {
        // A coordinate that does not change has a speed so small that what is apart stays apart.
        let inverse = way.to_array().map(|x| if x == 0.0 { f64::MAX } else { (1.0 / x).clamp(-f64::MAX, f64::MAX) });
        let inverse = DVec3::from_array(inverse);
        let bounds = NodeBox::around(min, max);
        let limit = DVec3::splat(f64::from(f32::MAX));
        let slope = inverse.clamp(-limit, limit).as_vec3();
        Self {
            min,
            max,
            inverse,
            low: bounds.min.with_w(-1.0),
            high: bounds.max.with_w(1.0),
            slope: slope.extend(f32::MAX),
            is_lost: slope.abs().min_element() < f32::MIN_POSITIVE,
        }
    }

    /// The share of the way at which the closed boxes meet first, and at which they part; above 1, or parting before meeting, if
    /// they do not.
    #[inline]
    pub fn interval(&self, min: DVec3, max: DVec3) -> [f64; 2] {
        let (a, b) = ((min - self.max) * self.inverse, (max - self.min) * self.inverse);
        let enter = greater(greater(lesser(a.x, b.x), lesser(a.y, b.y)), greater(lesser(a.z, b.z), 0.0));
        let leave = lesser(lesser(greater(a.x, b.x), greater(a.y, b.y)), greater(a.z, b.z));
        [enter, leave]
    }

    /// The share of the way at which the boxes meet first; infinite if they do not on the way.
    #[inline]
    pub fn entry(&self, min: DVec3, max: DVec3) -> f64 {
        let [enter, leave] = self.interval(min, max);
        if enter <= leave && enter <= 1.0 { enter } else { f64::INFINITY }
    }

    /// At most that share for what is in a node; infinite if it is not met.
    #[inline]
    pub fn node_entry(&self, bounds: &NodeBox) -> f64 {
        if self.is_lost {
            return 0.0;
        }
        let (a, b) = ((bounds.min - self.high) * self.slope, (bounds.max - self.low) * self.slope);
        let enter = a.min(b).max_element().max(0.0) * (1.0 - SWEPT_ERROR);
        let leave = a.max(b).min_element() * (1.0 + SWEPT_ERROR);
        // One selection in place of branches, which nobody can foretell.
        let late = if enter > 1.0 { f32::INFINITY } else { enter };
        f64::from(if late > leave { f32::INFINITY } else { late })
    }

    /// The box at the start as nodes see it, and what a share of the way per unit of each coordinate is.
    pub(super) fn start(&self) -> [DVec3; 3] {
        [self.low.truncate().as_dvec3(), self.high.truncate().as_dvec3(), self.inverse]
    }
}

/// The lesser of two numbers, of which none is NaN: one instruction.
#[inline]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Bvh {
    /// The leaves that a moving box meets at a share of its way of at most `limit`, roughly from near to far. `visit` is given a
    /// payload, its box and at most the share at which it is met, and returns the limit from then on, the same or smaller.
    pub fn swept(&self, sweep: &SweptBox, mut limit: f64, mut visit: impl FnMut(u32, &NodeBox, f64) -> f64) {
        if self.is_empty() {
            return;
        }
        let mut stack = ArrayVec::<(f64, Side), PATH>::new();
        let root = self.root_side();
        stack.push((sweep.node_entry(root.node.bounds()), root));
        while let Some((entry, side)) = stack.pop() {
            if !(entry <= limit) {
                continue;
            }
            let (mut here, mut entry) = (side, entry);
            while let Some(pair) = here.node.children() {
                let [a, b] = self.below(pair);
                let (a, b) = ((sweep.node_entry(a.node.bounds()), a), (sweep.node_entry(b.node.bounds()), b));
                let (near, far) = if b.0 < a.0 { (b, a) } else { (a, b) };
                if far.0 <= limit {
                    stack.push(far);
                }
                if !(near.0 <= limit) {
                    break;
                }
                (entry, here) = near;
            }
            if here.node.children().is_none() {
                limit = visit(here.node.payload(), here.node.bounds(), entry);
            }
        }
    }
}
