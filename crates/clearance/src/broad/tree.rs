//! Pairs from a tree of fattened boxes.
//!
//! A leaf's box is the body's with a margin, and stays until the body leaves it. The pairs of overlapping leaves are kept as
//! candidates from update to update: only those of bodies that have left their leaves are looked up again, in the tree. What
//! an update costs is then a test of each box against its leaf, a reinsertion and a descent for each that has left, and an exact
//! test for each candidate. When an eighth has left, as where all bodies turn quickly, the leaves are changed in place, the tree is
//! refitted and asked for all its pairs; it is built anew when its area has grown by half since it was built.

use super::pairs::{Pairs, ordered};
use super::{Bodies, BroadPhase, Pair, Update};
use crate::bvh::{Bvh, NodeBox};
use crate::math::{Aabb, Real};
use crate::tolerance::{FAT_MARGIN, SLACK_MARGINS, WORN_TREE};

/// A tree whose leaves are larger than what they hold.
#[derive(Debug, Clone)]
pub(super) struct FatTree {
    pub tree: Bvh,
    margin: Real,
}

impl Default for FatTree {
    fn default() -> Self {
        Self { tree: Bvh::new(), margin: FAT_MARGIN }
    }
}

impl FatTree {
    pub fn new(margin: Real) -> Self {
        Self { margin, ..Self::default() }
    }

    fn fattened(&self, bounds: &Aabb, margins: Real) -> NodeBox {
        let size = (bounds.max - bounds.min).max_element();
        let margin = if size.is_finite() { size * self.margin * margins } else { 0.0 };
        NodeBox::enclosing(&bounds.grown(margin))
    }

    /// Whether the leaf of a body still holds its box, and not far too much more: a body that has shrunk gets a new leaf.
    fn holds(&self, id: u32, bounds: &Aabb) -> bool {
        let tight = NodeBox::enclosing(bounds);
        self.tree
            .leaf_bounds(id)
            .is_some_and(|leaf| leaf.contains(&tight) && self.fattened(bounds, SLACK_MARGINS).contains(leaf))
    }

    /// Changes a body's leaf where it is, or adds it: to be followed by a refit.
    fn stretch(&mut self, id: u32, bounds: &Aabb) {
        let fat = self.fattened(bounds, 1.0);
        if !self.tree.set_leaf_bounds(id, &fat) {
            self.tree.insert(id, &fat);
        }
    }

    /// Sees to it that the body has a leaf which holds its box; whether it is a new one.
    pub fn place(&mut self, id: u32, bounds: &Aabb) -> bool {
        if self.holds(id, bounds) {
            return false;
        }
        let fat = self.fattened(bounds, 1.0);
        self.tree.remove(id);
        self.tree.insert(id, &fat)
    }
}

/// A tree of fattened boxes.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    bodies: Bodies,
    pairs: Pairs,
    fat: FatTree,
    candidates: Vec<Pair>,
    moved: Vec<u32>,
    has_moved: Vec<bool>,
    leaves: Vec<(u32, NodeBox)>,
    /// The area of all inner nodes when the tree was last built.
    built_area: f64,
    /// There were too many candidates to keep.
    is_crowded: bool,
}

impl Tree {
    /// Without bodies, with the margin that suits bodies which move a twentieth of their size per frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// Without bodies. A leaf is larger than its body's box by `margin` times the box's largest extent on each side; a negative
    /// one or one that is not finite counts as zero.
    pub fn with_margin(margin: Real) -> Self {
        let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
        Self { fat: FatTree::new(margin), ..Self::default() }
    }

    /// The tree: its leaves hold the moving bodies' boxes as of the last update, with a margin.
    pub fn bvh(&self) -> &Bvh {
        &self.fat.tree
    }

    fn mark_moved(&mut self) {
        self.has_moved.clear();
        self.has_moved.resize(self.bodies.capacity(), false);
        self.moved.clear();
        for &id in self.bodies.removed() {
            self.fat.tree.remove(id);
            self.has_moved[id as usize] = true;
        }
        for (id, bounds) in self.bodies.iter_moving() {
            if !self.fat.holds(id, bounds) {
                self.has_moved[id as usize] = true;
                self.moved.push(id);
            }
        }
    }

    /// All leaves at once.
    fn renew(&mut self) {
        let Self { bodies, fat, candidates, moved, leaves, built_area, .. } = self;
        if 2 * fat.tree.len() < bodies.moving().len() {
            leaves.clear();
            leaves.extend(bodies.iter_moving().map(|(id, bounds)| (id, fat.fattened(bounds, 1.0))));
            fat.tree.build(leaves.iter().copied());
            *built_area = fat.tree.refit();
        } else {
            for &id in &*moved {
                if let Some(bounds) = bodies.get(id) {
                    fat.stretch(id, bounds);
                }
            }
            if fat.tree.refit() > *built_area * WORN_TREE {
                fat.tree.rebuild();
                *built_area = fat.tree.refit();
            }
        }
        candidates.clear();
        let most = most_candidates(bodies);
        fat.tree.self_pairs_while(|a, b| {
            candidates.push(ordered(a, b));
            candidates.len() <= most
        });
    }

    /// Takes the pairs from the tree where there are too many candidates to keep, up to one more than are kept.
    #[cold]
    fn find_all(&mut self) {
        let Self { bodies, pairs, fat, candidates, .. } = self;
        *candidates = Vec::new();
        let (found, most) = (pairs.found(), bodies.most_pairs());
        fat.tree.self_pairs_while(|a, b| {
            if bodies.overlap(a, b) {
                found.push(ordered(a, b));
            }
            found.len() <= most
        });
    }

    fn reinsert(&mut self) {
        let Self { bodies, fat, candidates, moved, has_moved, .. } = self;
        for &id in &*moved {
            if let Some(bounds) = bodies.get(id) {
                fat.place(id, bounds);
            }
        }
        candidates.retain(|&[a, b]| !has_moved[a as usize] && !has_moved[b as usize]);
        for &id in &*moved {
            let Some(&leaf) = fat.tree.leaf_bounds(id) else {
                continue;
            };
            if candidates.len() > most_candidates(bodies) {
                break;
            }
            fat.tree.overlapping(&leaf, |other| {
                // Two that have both moved find each other twice.
                if other != id && !(has_moved[other as usize] && other < id) {
                    candidates.push(ordered(id, other));
                }
            });
        }
    }
}

/// Pairs of leaves that are kept: more than pairs of boxes, since leaves are larger.
fn most_candidates(bodies: &Bodies) -> usize {
    bodies.most_pairs().saturating_mul(2)
}

impl BroadPhase for Tree {
    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn update(&mut self) -> Update<'_> {
        self.bodies.prepare();
        self.mark_moved();
        if self.is_crowded || 8 * self.moved.len() > self.bodies.moving().len() {
            self.renew();
        } else {
            self.reinsert();
        }
        self.is_crowded = self.candidates.len() > most_candidates(&self.bodies);
        if self.is_crowded {
            self.find_all();
        } else {
            let (bodies, candidates) = (&self.bodies, &self.candidates);
            self.pairs.found().extend(candidates.iter().filter(|[a, b]| bodies.overlap(*a, *b)));
        }
        self.bodies.pairs_with_fixed(self.pairs.found());
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
