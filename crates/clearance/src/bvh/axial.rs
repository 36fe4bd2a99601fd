//! A binary space partition by axial planes over boxes.
//!
//! J.M.P. van Waveren, Robust Continuous Collision Detection Between Arbitrary Polyhedra (2005), section 5: the planes are bounding
//! planes of the polygons' boxes. A box lies left of a plane (its upper side is not above it), right of it, or is held by the node
//! whose plane it straddles: each box is stored once and found once, without marks, by any number of threads. What a node holds
//! has a box of its own, thin where the boxes are small, so that a question elsewhere passes it with one comparison. The box in
//! the plane itself is left.
//!
//! A plane is chosen among the sides of a few dozen boxes spread over the range: that with the most even halves and the fewest
//! straddlers, across the longer extent if equal. The boxes are those of [`Bvh`](super::Bvh), in single precision and rounded
//! outwards, so that both find the same sets.
//!
//! Why it ends: a range is cut only if neither side keeps more than three quarters of it, so that a path is at most
//! log(2³¹)/log(4/3) = 75 nodes long, below the stack's size; what cannot be cut so is a leaf, however large.

use arrayvec::ArrayVec;

use super::node::NodeBox;
use super::query::PATH;
use super::swept::SweptBox;
use crate::math::Aabb;
use crate::tolerance::SWEPT_ERROR;

/// Boxes looked at for planes, per axis; each has two sides.
const SAMPLES: usize = 24;
/// Ranges this small are leaves.
const LEAF: usize = 4;
/// Of the share at which a plane is passed, relative.
const MARGIN: f64 = 8.0 * SWEPT_ERROR as f64;
const NO_CHILDREN: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct AxialNode {
    /// Of what the node holds.
    bounds: NodeBox,
    start: u32,
    end: u32,
    /// The left child; the right one follows it.
    children: u32,
    axis: u32,
    plane: f32,
}

/// A tree of axial planes over boxes.
#[derive(Debug, Clone, Default)]
pub struct AxialBsp {
    nodes: Vec<AxialNode>,
    held: Vec<(NodeBox, u32)>,
}

/// Boxes still to be cut, and the node they become.
struct Task {
    start: usize,
    end: usize,
    node: usize,
}

/// A plane and how good it is: the smaller, the better; then the extent across it, the larger the better.
#[derive(Clone, Copy)]
struct Plane {
    axis: usize,
    at: f32,
    cost: usize,
    extent: f32,
}

impl AxialBsp {
    /// A tree of the boxes; each one's payload is its place in the slice.
    pub fn from_boxes(boxes: &[Aabb]) -> Self {
        let held = boxes.iter().enumerate().map(|(i, bounds)| (NodeBox::enclosing(bounds), i as u32)).collect();
        let mut tree = Self { nodes: vec![AxialNode::leaf(0, boxes.len())], held };
        let mut tasks = vec![Task { start: 0, end: boxes.len(), node: 0 }];
        while let Some(task) = tasks.pop() {
            tree.cut(&task, &mut tasks);
        }
        tree
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Number of planes.
    pub fn plane_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.children != NO_CHILDREN).count()
    }

    /// Planes on the way to the deepest leaf.
    pub fn height(&self) -> u32 {
        // Children come after their parent.
        let mut depths = vec![0; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.children != NO_CHILDREN) {
            for side in 0..2 {
                depths[node.children as usize + side] = depths[i] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    fn cut(&mut self, task: &Task, tasks: &mut Vec<Task>) {
        let range = &mut self.held[task.start..task.end];
        let plane = (range.len() > LEAF).then(|| best_plane(range)).flatten();
        let sides = plane.and_then(|plane| {
            // Held ones first, then left, then right.
            range.sort_by_key(|(bounds, _)| plane.side(bounds));
            let held = range.partition_point(|(bounds, _)| plane.side(bounds) == 0);
            let left = range.partition_point(|(bounds, _)| plane.side(bounds) <= 1);
            let most = (left - held).max(range.len() - left);
            (4 * most <= 3 * range.len()).then_some((plane, held, left))
        });
        let count = sides.map_or(range.len(), |(_, held, _)| held);
        let bounds = range[..count].iter().fold(NodeBox::EMPTY, |all, (bounds, _)| all.union(bounds));
        self.nodes[task.node].bounds = bounds;
        self.nodes[task.node].end = (task.start + count) as u32;
        if let Some((plane, held, left)) = sides {
            let first = self.nodes.len();
            let node = &mut self.nodes[task.node];
            (node.children, node.axis, node.plane) = (first as u32, plane.axis as u32, plane.at);
            for (i, (from, to)) in [(held, left), (left, range.len())].into_iter().enumerate() {
                let (start, end) = (task.start + from, task.start + to);
                self.nodes.push(AxialNode::leaf(start, end));
                tasks.push(Task { start, end, node: first + i });
            }
        }
    }

    /// Calls `visit` with the payload of every box that meets the given one, each once, in a fixed order.
    pub fn overlapping(&self, bounds: &NodeBox, mut visit: impl FnMut(u32)) {
        let mut stack = ArrayVec::<u32, PATH>::new();
        stack.push(0);
        while let Some(node) = stack.pop().and_then(|at| self.nodes.get(at as usize)) {
            if node.start < node.end && node.bounds.overlaps(bounds) {
                let held = &self.held[node.start as usize..node.end as usize];
                held.iter().filter(|(own, _)| own.overlaps(bounds)).for_each(|(_, payload)| visit(*payload));
            }
            if node.children != NO_CHILDREN {
                let axis = node.axis as usize;
                if bounds.max[axis] >= node.plane {
                    stack.push(node.children + 1);
                }
                if bounds.min[axis] <= node.plane {
                    stack.push(node.children);
                }
            }
        }
    }

    /// The boxes that a moving box meets at a share of its way of at most `limit`, roughly from near to far, as
    /// [`Bvh::swept`](super::Bvh::swept) finds them. What a node holds comes before what is beside its plane.
    pub fn swept(&self, sweep: &SweptBox, mut limit: f64, mut visit: impl FnMut(u32, &NodeBox, f64) -> f64) {
        let [low, high, inverse] = sweep.start();
        let mut stack = ArrayVec::<([f64; 2], u32), PATH>::new();
        stack.push(([0.0, 1.0], 0));
        while let Some(([from, to], at)) = stack.pop() {
            let Some(node) = self.nodes.get(at as usize).filter(|_| from <= limit) else { continue };
            if node.start < node.end && sweep.node_entry(&node.bounds) <= limit {
                for (bounds, payload) in &self.held[node.start as usize..node.end as usize] {
                    let entry = sweep.node_entry(bounds);
                    if entry <= limit {
                        limit = visit(*payload, bounds, entry);
                    }
                }
            }
            if node.children == NO_CHILDREN {
                continue;
            }
            let (axis, plane) = (node.axis as usize, f64::from(node.plane));
            // The moving box is partly left of the plane before or after its lower side passes it, right likewise.
            let rising = inverse[axis] > 0.0;
            let [leaves, enters] = [low, high].map(|side| (plane - side[axis]) * inverse[axis]);
            // Wider than what single precision says of the boxes on either side.
            let wider = |passes: f64, by: f64| passes + passes.abs() * by;
            let before = |passes: f64| [from, to.min(wider(passes, MARGIN))];
            let after = |passes: f64| [from.max(wider(passes, -MARGIN)), to];
            let (left, right) = if rising { (before(leaves), after(enters)) } else { (after(leaves), before(enters)) };
            let mut below = [(left, node.children), (right, node.children + 1)];
            if left[0] <= right[0] {
                below.swap(0, 1);
            }
            stack.extend(below.into_iter().filter(|([from, to], _)| from <= to && *from <= limit));
        }
    }
}

impl AxialNode {
    fn leaf(start: usize, end: usize) -> Self {
        let (start, end) = (start as u32, end as u32);
        Self { bounds: NodeBox::EMPTY, start, end, children: NO_CHILDREN, axis: 0, plane: 0.0 }
    }
}

impl Plane {
    /// 0 if the box straddles the plane, 1 if it is left of it, 2 if it is right.
    fn side(&self, bounds: &NodeBox) -> u8 {
        if bounds.max[self.axis] <= self.at {
            1
        } else if bounds.min[self.axis] >= self.at {
            2
        } else {
            0
        }
    }
}

/// The plane with the least cost; none if there are none to choose from.
fn best_plane(range: &[(NodeBox, u32)]) -> Option<Plane> {
    let all = range.iter().fold(NodeBox::EMPTY, |all, (bounds, _)| all.union(bounds));
    let stride = range.len().div_ceil(SAMPLES);
    let mut best: Option<Plane> = None;
    for axis in 0..3 {
        let mut planes: ArrayVec<f32, { 2 * SAMPLES }> = range
            .iter()
            .step_by(stride)
            .flat_map(|(bounds, _)| [bounds.min[axis], bounds.max[axis]])
            .filter(|at| at.is_finite())
            .collect();
        planes.sort_unstable_by(f32::total_cmp);
        // How many boxes begin below and end at or below each plane, counted where that begins.
        let (mut begin, mut end) = ([0_usize; 2 * SAMPLES + 1], [0_usize; 2 * SAMPLES + 1]);
        for (bounds, _) in range {
            begin[planes.partition_point(|&at| at <= bounds.min[axis])] += 1;
            end[planes.partition_point(|&at| at < bounds.max[axis])] += 1;
        }
        let (mut begun, mut left) = (0, 0);
        for (i, &at) in planes.iter().enumerate() {
            begun += begin[i];
            left += end[i];
            let straddling = begun.saturating_sub(left);
            let right = range.len().saturating_sub(left + straddling);
            let plane =
                Plane { axis, at, cost: left.abs_diff(right) + 2 * straddling, extent: all.max[axis] - all.min[axis] };
            let better = |best: &Plane| (plane.cost, -plane.extent) < (best.cost, -best.extent);
            if best.as_ref().is_none_or(better) {
                best = Some(plane);
            }
        }
    }
    best
}
