//! All leaves that meet a box, all pairs of leaves that meet.
//!
//! Every pair of leaves has one lowest common ancestor, so the pairs within a tree are the pairs across each pair of
//! siblings: one pass over the array of siblings, with a descent where two boxes meet. Stacks have a fixed size: a path is at
//! most [`height_limit`](super::height_limit) of 2^31 leaves long, 106 nodes, and a step of a pair of paths leaves at most
//! three behind.

use std::cell::Cell;

use arrayvec::ArrayVec;

use super::node::{Node, NodeBox};
use super::{Bvh, NodeId};

/// Above the greatest height of any tree.
pub(super) const PATH: usize = 128;
/// Pairs left behind on the way down two trees at once.
pub(super) const PAIR_PATH: usize = 4 * PATH;

impl Bvh {
    /// Calls `visit` with the payload of every leaf whose box meets the given one, each once, in a fixed order.
    pub fn overlapping(&self, bounds: &NodeBox, mut visit: impl FnMut(u32)) {
        self.descend(|_, node| node.overlaps(bounds), &mut visit);
    }

    /// Visits every leaf that passes the test together with all its ancestors.
    pub fn descend(&self, mut test: impl FnMut(NodeId, &NodeBox) -> bool, mut visit: impl FnMut(u32)) {
        if self.is_empty() || !test(NodeId::ROOT, self.root.bounds()) {
            return;
        }
        let mut stack = ArrayVec::<u32, PATH>::new();
        let mut here = match self.root.children() {
            Some(pair) => pair,
            None => return visit(self.root.payload()),
        };
        loop {
            let siblings = &self.pairs[here as usize].0;
            let mut next = None;
            for (side, node) in siblings.iter().enumerate() {
                if !test(NodeId::of(here, side), node.bounds()) {
                    continue;
                }
                match node.children() {
                    None => visit(node.payload()),
                    Some(pair) => {
                        if let Some(waiting) = next.replace(pair) {
                            stack.push(waiting);
                        }
                    }
                }
            }
            here = match next.or_else(|| stack.pop()) {
                Some(pair) => pair,
                None => return,
            };
        }
    }

    /// Calls `visit` with the payloads of every two leaves whose boxes meet, each pair once, in a fixed order.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        self.self_pairs_while(|a, b| {
            visit(a, b);
            true
        });
    }

    /// The same until `visit` says no. Little is done after that: what is left is linear in the leaves.
    pub fn self_pairs_while(&self, mut visit: impl FnMut(u32, u32) -> bool) {
        let mut stack = ArrayVec::new();
        let goes_on = Cell::new(true);
        let mut visit = |a: u32, b: u32| goes_on.set(goes_on.get() && visit(a, b));
        let meet = |_: NodeId, a: &NodeBox, _: NodeId, b: &NodeBox| goes_on.get() && a.overlaps(b);
        for (siblings, link) in self.pairs.iter().zip(&self.links) {
            let [a, b] = &siblings.0;
            if goes_on.get() && link.height > 0 && a.bounds().overlaps(b.bounds()) {
                // Nodes are not named here: the test looks at boxes only.
                let pair = [Side { id: NodeId::NONE, node: *a }, Side { id: NodeId::NONE, node: *b }];
                across([self, self], pair, &mut stack, meet, &mut visit);
            }
        }
    }

    /// Visits every pair of a leaf of this tree and one of the other that passes the test together with all pairs of
    /// ancestors that lie on the way: the test must hold for two boxes if it holds for boxes inside them.
    pub fn pairs_with(
        &self,
        other: &Self,
        mut test: impl FnMut(NodeId, &NodeBox, NodeId, &NodeBox) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) {
        if self.is_empty() || other.is_empty() {
            return;
        }
        let pair = [self, other].map(|tree| Side { id: NodeId::ROOT, node: tree.root });
        if test(pair[0].id, pair[0].node.bounds(), pair[1].id, pair[1].node.bounds()) {
            across([self, other], pair, &mut ArrayVec::new(), test, &mut visit);
        }
    }

    /// What a step down from a node leads to: its children, or itself if it is a leaf.
    #[inline]
    pub(super) fn opened(&self, side: Side) -> ArrayVec<Side, 2> {
        match side.node.children() {
            None => ArrayVec::from_iter([side]),
            Some(pair) => {
                let [a, b] = self.pairs[pair as usize].0;
                ArrayVec::from([Side { id: NodeId::of(pair, 0), node: a }, Side { id: NodeId::of(pair, 1), node: b }])
            }
        }
    }

    /// The two nodes of a pair.
    #[inline]
    pub(super) fn below(&self, pair: u32) -> [Side; 2] {
        let [a, b] = self.pairs[pair as usize].0;
        [Side { id: NodeId::of(pair, 0), node: a }, Side { id: NodeId::of(pair, 1), node: b }]
    }

    pub(super) fn root_side(&self) -> Side {
        Side { id: NodeId::ROOT, node: self.root }
    }
}

/// A node on the way down, with its number.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub id: NodeId,
    pub node: Node,
}

/// All pairs of leaves below two nodes that passed the test.
#[inline]
fn across(
    [tree_a, tree_b]: [&Bvh; 2],
    first: [Side; 2],
    stack: &mut ArrayVec<[Side; 2], PAIR_PATH>,
    mut test: impl FnMut(NodeId, &NodeBox, NodeId, &NodeBox) -> bool,
    visit: &mut impl FnMut(u32, u32),
) {
    stack.clear();
    let mut here = Some(first);
    while let Some([a, b]) = here {
        here = None;
        if a.node.children().is_none() && b.node.children().is_none() {
            visit(a.node.payload(), b.node.payload());
        } else {
            let below = tree_b.opened(b);
            for a in tree_a.opened(a) {
                for &b in &below {
                    if test(a.id, a.node.bounds(), b.id, b.node.bounds())
                        && let Some(waiting) = here.replace([a, b])
                    {
                        stack.push(waiting);
                    }
                }
            }
        }
        here = here.or_else(|| stack.pop());
    }
}
