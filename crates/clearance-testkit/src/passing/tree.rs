//! Boxes, and a plain tree of them.

use glam::DVec3;

/// A box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub min: DVec3,
    pub max: DVec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, p| Self { min: all.min.min(p), max: all.max.max(p) })
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The square of the distance of two boxes.
    #[inline]
    pub fn distance_squared(&self, other: &Self) -> f64 {
        (self.min - other.max).max(other.min - self.max).max(DVec3::ZERO).length_squared()
    }

    fn meets_ray(&self, from: DVec3, by: DVec3) -> bool {
        let (one, two) = ((self.min - from) / by, (self.max - from) / by);
        // A coordinate that does not change gives an infinity of the right sign, or not a number on the border: then it counts.
        let (near, far) = (one.min(two), one.max(two));
        let enter = [near.x, near.y, near.z].into_iter().fold(0.0, f64::max);
        let leave = [far.x, far.y, far.z].into_iter().fold(1.0, f64::min);
        enter <= leave
    }
}

#[derive(Debug)]
struct Node {
    bounds: Bounds,
    /// The items of a leaf, as a range of the order.
    items: (u32, u32),
    /// Where the other child is; the first one follows its parent. Zero in a leaf.
    other: u32,
}

/// Boxes split at their middles along the longest side.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

/// Items of a leaf.
const LEAF: usize = 4;

impl Tree {
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        tree.build(boxes, 0, boxes.len());
        tree
    }

    fn build(&mut self, boxes: &[Bounds], from: usize, to: usize) {
        let items = &mut self.order[from..to];
        let bounds = items.iter().fold(Bounds::EMPTY, |all, &i| all.union(boxes[i as usize]));
        let place = self.nodes.len();
        self.nodes.push(Node { bounds, items: (from as u32, to as u32), other: 0 });
        if to - from <= LEAF {
            return;
        }
        let middle = |i: u32| boxes[i as usize].min + boxes[i as usize].max;
        let spread = Bounds::of(items.iter().map(|&i| middle(i)));
        let size = spread.max - spread.min;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
        self.build(boxes, from, from + half);
        self.nodes[place].other = self.nodes.len() as u32;
        self.build(boxes, from + half, to);
    }

    /// Each item below nodes that are wanted, until a visit says that it is enough.
    pub fn visit(&self, mut wanted: impl FnMut(&Bounds) -> bool, mut item: impl FnMut(u32) -> bool) {
        let mut stack = vec![0];
        while let Some(place) = stack.pop() {
            let Some(node) = self.nodes.get(place as usize).filter(|node| wanted(&node.bounds)) else { continue };
            if node.other != 0 {
                stack.extend([node.other, place + 1]);
                continue;
            }
            let (from, to) = node.items;
            if self.order[from as usize..to as usize].iter().any(|&i| item(i)) {
                return;
            }
        }
    }

    pub fn overlapping(&self, query: &Bounds, item: impl FnMut(u32) -> bool) {
        self.visit(|bounds| bounds.overlaps(query), item);
    }

    pub fn along(&self, from: DVec3, by: DVec3, item: impl FnMut(u32) -> bool) {
        self.visit(|bounds| bounds.meets_ray(from, by), item);
    }

    /// All items of leaves, nearer nodes first, as long as a node is within the square that the visits leave.
    pub fn nearest(&self, query: &Bounds, limit: f64, mut item: impl FnMut(u32, f64) -> f64) -> f64 {
        let mut least = limit;
        let mut stack = vec![(0, 0.0)];
        while let Some((place, square)) = stack.pop() {
            let Some(node) = self.nodes.get(place as usize).filter(|_| square <= least) else { continue };
            if node.other == 0 {
                let (from, to) = node.items;
                least = self.order[from as usize..to as usize].iter().fold(least, |least, &i| item(i, least));
                continue;
            }
            let mut children =
                [place + 1, node.other].map(|child| (child, self.nodes[child as usize].bounds.distance_squared(query)));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            stack.extend(children);
        }
        least
    }
}
