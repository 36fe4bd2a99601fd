//! The tree of the moving bodies' boxes, for queries: as they were in the last step.

use crate::bvh::{Bvh, NodeBox};
use crate::tolerance::WORN_TREE;

/// A tree that is refitted in every step, and built anew when its boxes have grown.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    tree: Bvh,
    leaves: Vec<(u32, NodeBox)>,
    /// The area of all inner nodes when the tree was last built.
    built_area: f64,
}

impl Index {
    #[inline]
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    pub fn remove(&mut self, slot: u32) {
        self.tree.remove(slot);
    }

    /// Takes over the boxes of the bodies that have moved.
    pub fn follow(&mut self, moved: impl Iterator<Item = (u32, NodeBox)>) {
        self.leaves.clear();
        self.leaves.extend(moved);
        if self.leaves.is_empty() {
            return;
        }
        if self.tree.is_empty() {
            self.tree.build(self.leaves.iter().copied());
            self.built_area = self.tree.refit();
            return;
        }
        for (slot, bounds) in &self.leaves {
            if !self.tree.set_leaf_bounds(*slot, bounds) {
                self.tree.insert(*slot, bounds);
            }
        }
        if self.tree.refit() > self.built_area * WORN_TREE {
            self.tree.rebuild();
            self.built_area = self.tree.refit();
        }
    }
}
