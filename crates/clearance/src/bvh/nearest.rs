//! Front to back: the nearest things first, with a bound that shrinks as they are found.
//!
//! The caller says how near a box can be at best and what a leaf (or a pair of leaves) really is; whatever is not nearer than
//! the bound is left out. Of the boxes below a node the nearest is entered first, the others wait on a stack of fixed size
//! and are looked at again only if the bound has not passed them since.

use arrayvec::ArrayVec;

use super::query::{PAIR_PATH, PATH, Side};
use super::{Bvh, NodeBox, NodeId};
use crate::math::{Real, Vec3, narrow_real, widen, widen_real};
use crate::tolerance::SLAB_ERROR;

impl Bvh {
    /// Finds the nearest leaf. `lower` bounds from below what anything in a box can yield; `visit` is given a payload and the
    /// bound so far and returns the new bound, which is the same or smaller. Boxes at or above the bound are left out; so a
    /// bound of infinity leaves out nothing but boxes at infinity or at no number. Returns the last bound.
    pub fn nearest(
        &self,
        mut bound: Real,
        mut lower: impl FnMut(NodeId, &NodeBox) -> Real,
        mut visit: impl FnMut(u32, Real) -> Real,
    ) -> Real {
        let mut stack = ArrayVec::<(Real, Side), PATH>::new();
        if !self.is_empty() {
            let root = self.root_side();
            stack.push((lower(root.id, root.node.bounds()), root));
        }
        while let Some((least, side)) = stack.pop() {
            if !(least < bound) {
                continue;
            }
            let Some(pair) = side.node.children() else {
                bound = visit(side.node.payload(), bound);
                continue;
            };
            let [a, b] = self.below(pair).map(|side| (lower(side.id, side.node.bounds()), side));
            // The nearer one goes on top; the first of two that are equally near.
            let [top, other] = if a.0 <= b.0 { [a, b] } else { [b, a] };
            if other.0 < bound {
                stack.push(other);
            }
            if top.0 < bound {
                stack.push(top);
            }
        }
        bound
    }

    /// Finds the nearest pair of a leaf of this tree and one of the other, as [`Bvh::nearest`] finds a leaf.
    pub fn nearest_pair(
        &self,
        other: &Self,
        mut bound: Real,
        mut lower: impl FnMut(NodeId, &NodeBox, NodeId, &NodeBox) -> Real,
        mut visit: impl FnMut(u32, u32, Real) -> Real,
    ) -> Real {
        let mut stack = ArrayVec::<(Real, [Side; 2]), PAIR_PATH>::new();
        let mut least_of = |a: &Side, b: &Side| lower(a.id, a.node.bounds(), b.id, b.node.bounds());
        if !self.is_empty() && !other.is_empty() {
            let [a, b] = [self.root_side(), other.root_side()];
            stack.push((least_of(&a, &b), [a, b]));
        }
        while let Some((least, [a, b])) = stack.pop() {
            if !(least < bound) {
                continue;
            }
            if a.node.children().is_none() && b.node.children().is_none() {
                bound = visit(a.node.payload(), b.node.payload(), bound);
                continue;
            }
            let mut below = ArrayVec::<(Real, [Side; 2]), 4>::new();
            let of_b = other.opened(b);
            for a in self.opened(a) {
                below.extend(of_b.iter().map(|b| (least_of(&a, b), [a, *b])).filter(|(least, _)| *least < bound));
            }
            below.sort_by(|a, b| b.0.total_cmp(&a.0));
            stack.extend(below);
        }
        bound
    }

    /// The leaves along `origin + t · direction`, `0 ≤ t ≤ limit`, roughly from near to far. `visit` is given a payload and the
    /// largest `t` still of interest and returns the new one, the same or smaller. Boxes are met with a margin for rounding:
    /// none that the line touches is left out.
    pub fn along(&self, origin: Vec3, direction: Vec3, limit: Real, visit: impl FnMut(u32, Real) -> Real) -> Real {
        // A box that is entered at the bound itself still counts: only what lies beyond it is left out.
        let entry = |_: NodeId, bounds: &NodeBox| bounds.entry(origin, direction, limit).map(Real::next_down);
        self.nearest(limit, |id, bounds| entry(id, bounds).unwrap_or(Real::INFINITY), visit)
    }
}

impl NodeBox {
    /// Where `origin + t · direction` enters the box, at most what it is: the smallest `t` in `[0, limit]`, less a margin for
    /// rounding; none if it misses by more than rounding.
    pub fn entry(&self, origin: Vec3, direction: Vec3, limit: Real) -> Option<Real> {
        let (origin, direction) = (widen(origin), widen(direction));
        let (mut enter, mut leave) = (0.0, widen_real(limit));
        for axis in 0..3 {
            let (low, high) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
            if direction[axis] == 0.0 {
                if !(low <= origin[axis] && origin[axis] <= high) {
                    return None;
                }
                continue;
            }
            let [a, b] = [low, high].map(|side| (side - origin[axis]) / direction[axis]);
            let margin = |t: f64| t.abs() * SLAB_ERROR;
            let (near, far) = (a.min(b), a.max(b));
            enter = f64::max(enter, near - margin(near));
            leave = f64::min(leave, far + margin(far));
        }
        (enter <= leave).then(|| Real::max(0.0, narrow_real(enter).next_down()))
    }
}
