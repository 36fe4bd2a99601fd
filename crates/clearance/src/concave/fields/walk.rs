//! The walk down two trees at once, nearest pairs of boxes first.

use arrayvec::ArrayVec;

use super::tree::{Node, Relation, Tree};
use crate::bvh::Frame;
use crate::math::Pose;

/// Pairs that wait on the way down: of two trees no more than 106 levels that leave one behind, and 30 that leave three or 33 that leave
/// one and a leaf's eight points.
const PATH: usize = 256;

/// Two trees, one seen from the other.
pub(crate) struct Trees<'b> {
    pub a: Tree<'b>,
    pub b: Tree<'b>,
    pub relation: Relation,
    /// What is taken off the separation of boxes for rounding.
    pub error: f64,
}

impl<'b> Trees<'b> {
    /// Two trees whose places do not matter, for walks that bring a bound of their own.
    pub fn unplaced(a: Tree<'b>, b: Tree<'b>) -> Self {
        let frame = Frame::of(&Pose::IDENTITY, &Pose::IDENTITY);
        Self { a, b, relation: Relation::new(frame), error: 0.0 }
    }

    /// At most the signed distance of what is below two nodes.
    #[inline]
    pub fn lower(&self, a: Node, b: Node) -> f64 {
        let boxes = self.relation.separation(&self.a.extent(a), &self.b.extent(b));
        boxes - self.a.radius() - self.b.radius() - self.error
    }

    /// At most the signed distance of the bodies.
    pub fn least(&self) -> f64 {
        self.lower(self.a.root(), self.b.root())
    }

    /// Goes through the pairs of leaves that may be nearer than the bound, roughly from near to far. `visit` may lower the bound: what is not
    /// nearer is left out. Returns the least bound of what was left out because of the bound that it started with.
    pub fn walk(&self, bound: f64, mut visit: impl FnMut(Node, Node, f64) -> f64) -> f64 {
        self.walk_by(bound, &mut (), |(), a, b, _| self.lower(a, b), |(), a, b, bound| visit(a, b, bound))
    }

    /// The same with another bound of what is below two nodes, by which near and far are meant, and a state that `visit` changes. `lower`
    /// is given the bound, too: once it is reached, more is not asked for.
    pub fn walk_by<S>(
        &self,
        bound: f64,
        state: &mut S,
        lower: impl Fn(&S, Node, Node, f64) -> f64,
        mut visit: impl FnMut(&mut S, Node, Node, f64) -> f64,
    ) -> f64 {
        let (first, mut bound) = (bound, bound);
        let mut left_out = f64::INFINITY;
        let mut stack = ArrayVec::<(f64, Node, Node), PATH>::new();
        let start = (lower(state, self.a.root(), self.b.root(), bound), self.a.root(), self.b.root());
        if start.0 < bound {
            stack.push(start);
        } else {
            left_out = start.0;
        }
        while let Some((least, a, b)) = stack.pop() {
            if !(least < bound) {
                continue;
            }
            let (leaf_a, leaf_b) = (self.a.is_leaf(a), self.b.is_leaf(b));
            if leaf_a && leaf_b {
                bound = visit(state, a, b, bound);
                continue;
            }
            let mut below = ArrayVec::<(f64, Node, Node), 8>::new();
            let mut add = |a: Node, b: Node| {
                let least = lower(state, a, b, bound);
                if least < bound {
                    let _ = below.try_push((least, a, b));
                } else if least >= first {
                    left_out = left_out.min(least);
                }
            };
            // The larger of the two is opened, so that boxes of like size are compared.
            if leaf_b || (!leaf_a && self.a.extent(a).size() >= self.b.extent(b).size()) {
                self.a.children(a, |child| add(child, b));
            } else {
                self.b.children(b, |child| add(a, child));
            }
            below.sort_by(|x, y| y.0.total_cmp(&x.0));
            for pair in below {
                let room = stack.try_push(pair).is_ok();
                debug_assert!(room, "paths are not longer than that");
            }
        }
        left_out
    }
}
