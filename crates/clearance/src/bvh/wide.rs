//! A tree with eight children to a node, for rays and balls: a third of the steps from the root to a leaf of the binary tree it is made
//! from, and as many fewer decisions that a processor guesses wrong.
//!
//! The boxes of a node's children are stored by coordinate, so that one instruction handles four of them. The boxes are those of the
//! binary tree, to the last bit.

use arrayvec::ArrayVec;
use glam::{Vec3, Vec4};

use super::node::Node;
use super::query::PATH;
use super::ray::{LEAF, RayPath, link};
use super::{Bvh, NodeBox};
use crate::tolerance::RAY_NODE;

/// The most children of a node.
const WIDTH: usize = 8;
/// The most nodes that wait on the way down: all but one of each level.
const WAITING: usize = (WIDTH - 1) * PATH;

/// Four boxes by coordinate: the lower and the upper sides of each axis.
type Four = [[Vec4; 2]; 3];

/// Eight boxes, and what each is of.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Octet {
    boxes: [Four; 2],
    /// The number of a node, or a payload with the mark of a leaf. Places that are not used have boxes that nothing meets.
    links: [u32; WIDTH],
}

/// The boxes of a tree in nodes of eight.
#[derive(Debug, Clone, Default)]
pub(crate) struct WideTree {
    nodes: Box<[Octet]>,
}

/// A ray as nodes of eight see it: for each axis the slope, and the places that the near and the far sides are compared with.
struct WidePath {
    slope: [Vec4; 3],
    near: [Vec4; 3],
    far: [Vec4; 3],
    /// 1 for an axis along which the ray comes upon the upper side first.
    first: [usize; 3],
}

impl Octet {
    const EMPTY: Self = Self { boxes: [[[Vec4::INFINITY, Vec4::NEG_INFINITY]; 3]; 2], links: [u32::MAX; WIDTH] };

    fn set(&mut self, place: usize, bounds: &NodeBox, link: u32) {
        for (axis, [low, high]) in self.boxes[place / 4].iter_mut().enumerate() {
            low[place % 4] = bounds.min[axis];
            high[place % 4] = bounds.max[axis];
        }
        self.links[place] = link;
    }
}

impl WideTree {
    /// The same leaves as a binary tree.
    pub fn new(tree: &Bvh) -> Self {
        let mut nodes = Vec::new();
        // Nodes of the binary tree, with the wide node and the place that refer to them.
        let mut waiting: Vec<(Node, Option<(usize, usize)>)> = Vec::new();
        if !tree.is_empty() {
            waiting.push((tree.root, None));
        }
        while let Some((node, from)) = waiting.pop() {
            if let Some((above, place)) = from {
                let number = nodes.len() as u32;
                let above: &mut Octet = &mut nodes[above];
                above.links[place] = number;
            }
            let here = nodes.len();
            let mut octet = Octet::EMPTY;
            for (place, child) in below(tree, node).into_iter().enumerate() {
                octet.set(place, child.bounds(), link(&child));
                if child.children().is_some() {
                    waiting.push((child, Some((here, place))));
                }
            }
            nodes.push(octet);
        }
        Self { nodes: nodes.into() }
    }

    /// The leaves whose boxes meet a ball, up to rounding of a few ulps of the radius, until `visit` returns false.
    #[inline]
    pub fn meeting_ball(&self, center: Vec3, radius: f32, mut visit: impl FnMut(u32) -> bool) {
        let center = center.to_array().map(Vec4::splat);
        // Squares of distances and their sum are rounded, small ones in absolute terms.
        let limit = Vec4::splat(radius * radius * (1.0 + 8.0 * f32::EPSILON) + f32::MIN_POSITIVE);
        let mut stack = ArrayVec::<u32, WAITING>::new();
        let mut next = if self.nodes.is_empty() { None } else { Some(0) };
        while let Some(here) = next {
            let node = &self.nodes[here as usize];
            let met_of_four = |sides: &Four| {
                let apart = |i: usize| {
                    let [low, high] = sides[i];
                    let apart = (low - center[i]).max(center[i] - high).max(Vec4::ZERO);
                    apart * apart
                };
                (apart(0) + apart(1) + apart(2)).cmple(limit).bitmask()
            };
            let mut met = met_of_four(&node.boxes[0]) | met_of_four(&node.boxes[1]) << 4;
            while met != 0 {
                let link = node.links[met.trailing_zeros() as usize % WIDTH];
                met &= met - 1;
                if link & LEAF == 0 {
                    stack.push(link);
                } else if link != u32::MAX && !visit(link & !LEAF) {
                    return;
                }
            }
            next = stack.pop();
        }
    }

    /// The leaves along a ray up to a limit, as [`Bvh::along_ray`] gives them.
    #[inline]
    pub fn along_ray(&self, path: &RayPath, mut limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut stack = ArrayVec::<(f32, u32), WAITING>::new();
        let wide = WidePath::new(path);
        let (mut entry, mut here) = (0.0, 0);
        if self.nodes.is_empty() {
            return;
        }
        loop {
            if here & LEAF != 0 {
                limit = visit(here & !LEAF, entry);
            } else {
                let node = &self.nodes[here as usize];
                let (entries, mut met) = wide.entries(node, limit);
                if met != 0 {
                    let first = met.trailing_zeros() as usize % WIDTH;
                    met &= met - 1;
                    (entry, here) = (entries[first], node.links[first]);
                    while met != 0 {
                        let next = met.trailing_zeros() as usize % WIDTH;
                        met &= met - 1;
                        let other = (entries[next], node.links[next]);
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

/// The nodes that together are what is below a node: its children, of which the largest are opened. A leaf is itself.
fn below(tree: &Bvh, node: Node) -> ArrayVec<Node, WIDTH> {
    let mut found = ArrayVec::new();
    match node.children() {
        None => found.push(node),
        Some(pair) => found.extend(tree.pairs[pair as usize].0),
    }
    while found.len() < WIDTH {
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

    /// Where the path enters the eight boxes, and a bit for each that it meets up to the limit.
    #[inline]
    fn entries(&self, node: &Octet, limit: f32) -> ([f32; WIDTH], u32) {
        let limit = Vec4::splat(limit);
        let (first, in_first) = self.entries_of_four(&node.boxes[0], limit);
        let (second, in_second) = self.entries_of_four(&node.boxes[1], limit);
        let ([a, b, c, d], [e, f, g, h]) = (first.to_array(), second.to_array());
        ([a, b, c, d, e, f, g, h], in_first | in_second << 4)
    }

    #[inline]
    fn entries_of_four(&self, sides: &Four, limit: Vec4) -> (Vec4, u32) {
        let near = |i: usize| (sides[i][self.first[i] & 1] - self.near[i]) * self.slope[i];
        let far = |i: usize| (sides[i][(self.first[i] & 1) ^ 1] - self.far[i]) * self.slope[i];
        let enter = near(0).max(near(1)).max(near(2).max(Vec4::ZERO)) * (1.0 - RAY_NODE);
        let leave = far(0).min(far(1)).min(far(2)) * (1.0 + RAY_NODE);
        (enter, enter.cmple(leave.min(limit)).bitmask())
    }
}
