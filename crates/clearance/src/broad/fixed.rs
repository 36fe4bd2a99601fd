//! Bodies that do not move: in a tree of their own, which nothing touches from frame to frame.
//!
//! Each moving box is looked up in the tree. Two fixed bodies are never a pair, and a fixed body costs an update nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::pair::Pair;
use super::threads::each_range;
use crate::bvh::{Bvh, NodeBox};
use crate::math::Aabb;

/// The fixed bodies among all, by number.
#[derive(Debug, Clone, Default)]
pub(super) struct FixedBodies {
    is_fixed: Vec<bool>,
    count: usize,
    tree: Bvh,
    /// Added or given another box since the last update.
    changed: Vec<u32>,
    leaves: Vec<(u32, NodeBox)>,
    /// The pairs found in each part of the moving bodies.
    parts: Vec<Vec<Pair>>,
}

impl FixedBodies {
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.is_fixed.get(id as usize).is_some_and(|&fixed| fixed)
    }

    #[inline]
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    pub fn add(&mut self, id: u32) {
        let index = id as usize;
        if index >= self.is_fixed.len() {
            self.is_fixed.resize(index + 1, false);
        }
        self.is_fixed[index] = true;
        self.count += 1;
        self.changed.push(id);
    }

    pub fn remove(&mut self, id: u32) {
        if self.contains(id) {
            self.is_fixed[id as usize] = false;
            self.count -= 1;
        }
    }

    /// The box of a body has changed, which matters if it is a fixed one.
    #[inline]
    pub fn mark(&mut self, id: u32) {
        if self.contains(id) {
            self.changed.push(id);
        }
    }

    /// Brings the tree up to date with the boxes as they are.
    pub fn follow<'a>(&mut self, removed: &[u32], bounds: impl Fn(u32) -> Option<&'a Aabb>) {
        let Self { is_fixed, count, tree, changed, leaves, .. } = self;
        if !tree.is_empty() {
            removed.iter().for_each(|&id| _ = tree.remove(id));
        }
        let fixed = |id: u32| bounds(id).filter(|_| is_fixed[id as usize]).map(NodeBox::enclosing);
        if 4 * changed.len() > *count {
            leaves.clear();
            leaves.extend((0..is_fixed.len() as u32).filter_map(|id| Some((id, fixed(id)?))));
            tree.build(leaves.iter().copied());
        } else {
            for &id in &*changed {
                tree.remove(id);
                if let Some(bounds) = fixed(id) {
                    tree.insert(id, &bounds);
                }
            }
        }
        changed.clear();
    }

    /// The pairs of a moving and a fixed body whose boxes overlap; not all of them, but more than `most`, if there are more.
    pub fn pairs_with(&mut self, moving: &[u32], bounds: &[Aabb], most: usize, found: &mut Vec<Pair>) {
        let Self { tree, parts, .. } = self;
        if tree.is_empty() {
            return;
        }
        // Counted by all threads: which pairs are left out depends on them, whether any are does not.
        let total = AtomicUsize::new(0);
        each_range(moving.len(), parts, |range, found| {
            for &id in &moving[range] {
                let before = found.len();
                if total.load(Ordering::Relaxed) > most {
                    return;
                }
                let here = &bounds[id as usize];
                tree.overlapping(&NodeBox::enclosing(here), |other| {
                    if bounds[other as usize].overlaps(here) {
                        found.push([id.min(other), id.max(other)]);
                    }
                });
                if found.len() > before {
                    total.fetch_add(found.len() - before, Ordering::Relaxed);
                }
            }
        });
        parts.iter().for_each(|part| found.extend_from_slice(part));
    }
}
