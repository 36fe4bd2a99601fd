//! A tree with four children to a node, for rays: half as many steps from the root to a leaf as in the binary tree it is made from.
//!
//! The boxes of a node's children are stored by coordinate, so that one instruction handles all four. The boxes are those of the binary
//! tree, to the last bit.

use arrayvec::ArrayVec;
use glam::Vec4;

use super::node::Node;
use super::query::PATH;
use super::ray::{LEAF, RayPath, link};
use super::{Bvh, NodeBox};
use crate::tolerance::RAY_NODE;

/// The most nodes that wait on the way down: three for each level.
const WAITING: usize = 3 * PATH / 2;

/// Four boxes by coordinate: the lower and the upper sides of each axis; and what each box is of.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Quad {
    sides: [[Vec4; 2]; 3],
    /// The number of a quad, or a payload with the mark of a leaf. Places that are not used have boxes that nothing meets.
    links: [u32; 4],
}

/// The boxes of a tree in nodes of four.
#[derive(Debug, Clone, Default)]
pub(crate) struct WideTree {
    quads: Box<[Quad]>,
}

/// A ray as nodes of four see it: for each axis the slope, and the places that the near and the far sides are compared with.
struct WidePath {
    slope: [Vec4; 3],
    near: [Vec4; 3],
    far: [Vec4; 3],
    /// 1 for an axis along which the ray comes upon the upper side first.
    first: [usize; 3],
}

impl Quad {
    const EMPTY: Self = Self { sides: [[Vec4::INFINITY, Vec4::NEG_INFINITY]; 3], links: [u32::MAX; 4] };

    fn set(&mut self, place: usize, bounds: &NodeBox, link: u32) {
        for axis in 0..3 {
            self.sides[axis][0][place] = bounds.min[axis];
            self.sides[axis][1][place] = bounds.max[axis];
        }
        self.links[place] = link;
    }
}

impl WideTree {
    /// The same leaves as a binary tree.
    pub fn new(tree: &Bvh) -> Self {
        let mut quads = Vec::new();
        // Nodes of the binary tree, with the quad and the place that refer to them.
        let mut waiting: Vec<(Node, Option<(usize, usize)>)> = Vec::new();
        if !tree.is_empty() {
            waiting.push((tree.root, None));
        }
        while let Some((node, from)) = waiting.pop() {
            if let Some((quad, place)) = from {
                let number = quads.len() as u32;
                let above: &mut Quad = &mut quads[quad];
                above.links[place] = number;
            }
            let here = quads.len();
            let mut quad = Quad::EMPTY;
            for (place, child) in below(tree, node).into_iter().enumerate() {
                quad.set(place, child.bounds(), link(&child));
                if child.children().is_some() {
                    waiting.push((child, Some((here, place))));
                }
            }
            quads.push(quad);
        }
        Self { quads: quads.into() }
    }

    /// The leaves along a ray up to a limit, as [`Bvh::along_ray`] gives them.
    #[inline]
    pub fn along_ray(&self, path: &RayPath, mut limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut stack = ArrayVec::<(f32, u32), WAITING>::new();
        let wide = WidePath::new(path);
        let (mut entry, mut here) = (0.0, 0);
        if self.quads.is_empty() {
            return;
        }
        loop {
            if here & LEAF != 0 {
                limit = visit(here & !LEAF, entry);
            } else {
                let quad = &self.quads[here as usize];
                let (entries, mut met) = wide.entries(quad, limit);
                if met != 0 {
                    let first = met.trailing_zeros() as usize & 3;
                    met &= met - 1;
                    (entry, here) = (entries[first], quad.links[first]);
                    while met != 0 {
                        let next = met.trailing_zeros() as usize & 3;
                        met &= met - 1;
                        let other = (entries[next], quad.links[next]);
                        let (near, far) = if other.0 < entry { (other, (entry, here)) } else { ((entry, here), other) };
                        stack.push(far);
                        (entry, here) = near;
                    }
                    continue;
                }
            }
            loop {
                match stack.pop() {
                    None => return,
                    Some(next) if next.0 <= limit => {
                        (entry, here) = next;
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

/// Two to four nodes that together are what is below a node: its children, of which the largest are opened. A leaf is itself.
fn below(tree: &Bvh, node: Node) -> ArrayVec<Node, 4> {
    let mut found = ArrayVec::new();
    match node.children() {
        None => found.push(node),
        Some(pair) => found.extend(tree.pairs[pair as usize].0),
    }
    while found.len() < 4 {
        let area = |node: &Node| if node.children().is_some() { node.bounds().half_area() } else { -1.0 };
        let largest = (0..found.len()).fold(0, |best, i| if area(&found[i]) > area(&found[best]) { i } else { best });
        let Some(pair) = found[largest].children() else {
            break;
        };
        let [a, b] = tree.pairs[pair as usize].0;
        found[largest] = a;
        found.push(b);
    }
    found
}

impl WidePath {
    #[inline]
    fn new(path: &RayPath) -> Self {
        let slope = path.slope.to_array();
        let (low, high) = (path.low.to_array(), path.high.to_array());
        let axes = [0, 1, 2];
        Self {
            slope: axes.map(|i| Vec4::splat(slope[i])),
            near: axes.map(|i| Vec4::splat(if slope[i] < 0.0 { low[i] } else { high[i] })),
            far: axes.map(|i| Vec4::splat(if slope[i] < 0.0 { high[i] } else { low[i] })),
            first: axes.map(|i| usize::from(slope[i] < 0.0)),
        }
    }

    /// Where the path enters the four boxes, and a bit for each that it meets up to the limit.
    #[inline]
    fn entries(&self, quad: &Quad, limit: f32) -> ([f32; 4], u32) {
        let near = |i: usize| (quad.sides[i][self.first[i] & 1] - self.near[i]) * self.slope[i];
        let far = |i: usize| (quad.sides[i][(self.first[i] & 1) ^ 1] - self.far[i]) * self.slope[i];
        let enter = near(0).max(near(1)).max(near(2).max(Vec4::ZERO)) * (1.0 - RAY_NODE);
        let leave = far(0).min(far(1)).min(far(2)) * (1.0 + RAY_NODE);
        (enter.to_array(), enter.cmple(leave.min(Vec4::splat(limit))).bitmask())
    }
}
