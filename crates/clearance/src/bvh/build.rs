//! Building a tree from all its leaves: a binned surface-area heuristic.
//!
//! A range of leaves is cut where the sum of area times number on both sides is least, among the borders of 16 equal bins
//! along each axis (Wald, On fast construction of SAH-based bounding volume hierarchies, 2007). Below a depth that no sensible
//! scene reaches, and where the middles of the boxes cannot be told apart, a range is cut in half, which bounds the height.
//! Every cut leaves both sides non-empty, so that it ends after as many cuts as there are leaves less one.

use glam::Vec4;

use super::Bvh;
use super::node::{MAX_PAIRS, MAX_PAYLOAD, Node, NodeBox, NodeId};
use super::scratch::Task;
use crate::math::Aabb;

const BINS: usize = 16;

#[derive(Clone, Copy)]
struct Bin {
    bounds: NodeBox,
    count: u32,
}

/// A border between two bins of one axis.
struct Cut {
    axis: usize,
    first_right: usize,
}

impl Bvh {
    /// A tree of the boxes; each one's payload is its place in the slice.
    pub fn from_boxes(boxes: &[Aabb]) -> Self {
        let mut tree = Self::new();
        tree.build(boxes.iter().enumerate().map(|(i, bounds)| (i as u32, NodeBox::enclosing(bounds))));
        tree
    }

    /// Forgets what there is and builds a tree of these leaves. False, and the tree is empty, if a payload comes twice or is above
    /// [`MAX_PAYLOAD`], or there are too many.
    pub fn build(&mut self, leaves: impl IntoIterator<Item = (u32, NodeBox)>) -> bool {
        self.clear();
        self.scratch.leaves.clear();
        for (payload, bounds) in leaves {
            if payload > MAX_PAYLOAD {
                return false;
            }
            self.scratch.leaves.push(Node::leaf(payload, &bounds));
        }
        self.build_from_scratch()
    }

    /// Builds the tree anew from its leaves.
    pub fn rebuild(&mut self) {
        let mut leaves = std::mem::take(&mut self.scratch.leaves);
        leaves.clear();
        let ids = self.places.iter().filter(|&&id| id != NodeId::NONE);
        leaves.extend(ids.map(|&id| *self.node(id)));
        self.clear();
        self.scratch.leaves = leaves;
        self.build_from_scratch();
    }

    fn build_from_scratch(&mut self) -> bool {
        let mut leaves = std::mem::take(&mut self.scratch.leaves);
        let mut tasks = std::mem::take(&mut self.scratch.tasks);
        let ok = leaves.len() <= MAX_PAIRS && self.claim(&leaves);
        if ok && !leaves.is_empty() {
            self.leaves = leaves.len();
            let deepest = leaves.len().ilog2() + 8;
            tasks.push(Task { start: 0, end: leaves.len() as u32, depth: 0, node: NodeId::ROOT });
            while let Some(task) = tasks.pop() {
                self.build_node(&mut leaves, task, deepest, &mut tasks);
            }
            // Pairs are made parents first.
            for pair in (0..self.pairs.len() as u32).rev() {
                self.set_height(pair);
            }
        }
        (self.scratch.leaves, self.scratch.tasks) = (leaves, tasks);
        ok
    }

    /// Reserves the payloads; false if one comes twice.
    fn claim(&mut self, leaves: &[Node]) -> bool {
        for leaf in leaves {
            if self.contains(leaf.payload()) {
                self.clear();
                return false;
            }
            self.set_place(leaf.payload(), NodeId::ROOT);
        }
        true
    }

    fn build_node(&mut self, leaves: &mut [Node], task: Task, deepest: u32, tasks: &mut Vec<Task>) {
        let range = &mut leaves[task.start as usize..task.end as usize];
        if let [leaf] = range {
            return self.put(task.node, *leaf);
        }
        let bounds = range.iter().fold(NodeBox::EMPTY, |bounds, leaf| bounds.union(leaf.bounds()));
        let left = split(range, task.depth < deepest);
        let pair = self.take_pair();
        self.put(task.node, Node::inner(pair, &bounds));
        let middle = task.start + left as u32;
        let depth = task.depth + 1;
        tasks.push(Task { start: middle, end: task.end, depth, node: NodeId::of(pair, 1) });
        tasks.push(Task { start: task.start, end: middle, depth, node: NodeId::of(pair, 0) });
    }
}

/// Orders the leaves, at least two, so that they may be cut, and says where; never at an end.
fn split(leaves: &mut [Node], by_area: bool) -> usize {
    let (low, high) = leaves.iter().fold((Vec4::MAX, Vec4::MIN), |(low, high), leaf| {
        let center = leaf.bounds().center();
        (low.min(center), high.max(center))
    });
    let half = leaves.len() / 2;
    let spread = high - low;
    let axis = (0..3).fold(0, |best, axis| if spread[axis] > spread[best] { axis } else { best });
    if leaves.len() > 2
        && by_area
        && let Some(cut) = best_cut(leaves, low, spread)
    {
        return partition(leaves, low, spread, &cut).clamp(1, leaves.len() - 1);
    }
    if spread[axis] > 0.0 {
        let middle = |leaf: &Node| leaf.bounds().center()[axis];
        leaves.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.payload().cmp(&b.payload())));
    }
    half
}

/// Bins per unit length; zero along an axis without spread, or with one beyond all numbers.
#[inline]
fn bin_scale(spread: Vec4) -> Vec4 {
    let scale = Vec4::splat(BINS as f32) / spread;
    Vec4::select(scale.cmple(Vec4::MAX) & spread.cmple(Vec4::MAX), scale, Vec4::ZERO)
}

#[inline]
fn bin_of(center: f32, low: f32, scale: f32) -> usize {
    (((center - low) * scale) as usize).min(BINS - 1)
}

fn best_cut(leaves: &[Node], low: Vec4, spread: Vec4) -> Option<Cut> {
    let scale = bin_scale(spread);
    let mut bins = [[Bin { bounds: NodeBox::EMPTY, count: 0 }; BINS]; 3];
    for leaf in leaves {
        let center = leaf.bounds().center();
        for (axis, bins) in bins.iter_mut().enumerate() {
            let bin = &mut bins[bin_of(center[axis], low[axis], scale[axis])];
            bin.bounds = bin.bounds.union(leaf.bounds());
            bin.count += 1;
        }
    }
    let (mut best, mut least) = (None, f64::INFINITY);
    for (axis, bins) in bins.iter().enumerate() {
        if !(scale[axis] > 0.0) {
            continue;
        }
        for (first_right, cost) in cut_costs(bins).into_iter().enumerate().skip(1) {
            if cost < least {
                (best, least) = (Some(Cut { axis, first_right }), cost);
            }
        }
    }
    best
}

/// The cost of a cut before each bin; infinite where one side is empty.
fn cut_costs(bins: &[Bin; BINS]) -> [f64; BINS] {
    let empty = Bin { bounds: NodeBox::EMPTY, count: 0 };
    let join = |a: &Bin, b: &Bin| Bin { bounds: a.bounds.union(&b.bounds), count: a.count + b.count };
    let cost = |bin: &Bin| if bin.count == 0 { f64::INFINITY } else { bin.bounds.half_area() * f64::from(bin.count) };
    let mut costs = [0.0; BINS];
    let (mut left, mut right) = (empty, empty);
    for bin in 0..BINS {
        costs[bin] += cost(&left);
        left = join(&left, &bins[bin]);
        let mirrored = BINS - 1 - bin;
        right = join(&right, &bins[mirrored]);
        costs[mirrored] += cost(&right);
    }
    costs
}

/// Brings the leaves left of the cut to the front, in a fixed order, and counts them.
fn partition(leaves: &mut [Node], low: Vec4, spread: Vec4, cut: &Cut) -> usize {
    let (scale, low) = (bin_scale(spread)[cut.axis], low[cut.axis]);
    let mut left = 0;
    for i in 0..leaves.len() {
        if bin_of(leaves[i].bounds().center()[cut.axis], low, scale) < cut.first_right {
            leaves.swap(i, left);
            left += 1;
        }
    }
    left
}
