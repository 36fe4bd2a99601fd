//! One bounding-volume tree for the broad phase, meshes and compounds.
//!
//! Binary, with boxes of single precision rounded outwards ([`NodeBox`]) and leaves that carry a number of the caller's. Two
//! siblings are one line of the cache and are always tested together; the root stands alone. Trees are built by a binned
//! surface-area heuristic (`build`) and changed by insertion, removal and rotation (`dynamic`); what is found in them are
//! leaves whose stored boxes meet the question (`query`, `nearest`), candidates for an exact test by the caller.
//!
//! Invariants: a node's box contains its children's; a leaf is found through its payload; the height is at most
//! [`height_limit`], which a build keeps and an insertion that would break it restores by building anew. Traversals
//! therefore end with a stack of fixed size, without recursion and without memory of their own.
//!
//! Nodes have dense numbers ([`NodeId`]), valid until the tree changes its shape, and traversals show them to the test they
//! call. A tree with tighter volumes keeps them in an array of its own, indexed by them: oriented boxes need no other tree.

mod axial;
mod build;
mod dynamic;
mod nearest;
mod node;
mod oriented;
mod query;
mod ray;
mod scratch;
mod swept;
mod wide;

pub use axial::AxialBsp;
pub use node::{MAX_PAYLOAD, NodeBox, NodeId};
use node::{Node, Siblings};
pub use oriented::{Frame, OrientedBox, OrientedBoxes};
pub(crate) use ray::RayPath;
use scratch::Scratch;
pub use swept::SweptBox;
pub(crate) use wide::WideTree;

/// Where a pair hangs, and how tall it is; a height of 0 marks one that is not in use.
#[derive(Debug, Clone, Copy)]
struct Link {
    parent: NodeId,
    height: u32,
}

/// A tree of boxes. Payloads are numbers chosen by the caller, each used once; memory grows with the largest.
#[derive(Debug, Clone)]
pub struct Bvh {
    root: Node,
    pairs: Vec<Siblings>,
    links: Vec<Link>,
    free: Vec<u32>,
    /// The leaf of each payload.
    places: Vec<NodeId>,
    leaves: usize,
    scratch: Scratch,
}

impl Default for Bvh {
    fn default() -> Self {
        Self::new()
    }
}

/// The greatest height of a tree with so many leaves: edges from the root to the farthest leaf.
pub fn height_limit(leaves: usize) -> u32 {
    3 * leaves.max(1).ilog2() + 16
}

impl Bvh {
    /// A tree without leaves.
    pub fn new() -> Self {
        Self {
            root: Node::NONE,
            pairs: Vec::new(),
            links: Vec::new(),
            free: Vec::new(),
            places: Vec::new(),
            leaves: 0,
            scratch: Scratch::default(),
        }
    }

    /// Number of leaves.
    #[inline]
    pub fn len(&self) -> usize {
        self.leaves
    }

    /// Whether there are no leaves.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }

    /// The box of everything.
    #[inline]
    pub fn bounds(&self) -> &NodeBox {
        self.root.bounds()
    }

    /// Edges from the root to the farthest leaf.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height_of(&self.root)
    }

    /// One more than the largest number of a node.
    #[inline]
    pub fn node_capacity(&self) -> usize {
        2 * self.pairs.len() + 1
    }

    /// Whether there is a leaf with this payload.
    #[inline]
    pub fn contains(&self, payload: u32) -> bool {
        self.place(payload).is_some()
    }

    /// The stored box of a leaf.
    #[inline]
    pub fn leaf_bounds(&self, payload: u32) -> Option<&NodeBox> {
        self.place(payload).map(|id| self.node(id).bounds())
    }

    /// The box of a node.
    #[inline]
    pub fn node_bounds(&self, id: NodeId) -> Option<&NodeBox> {
        ((id.0 as usize) < self.node_capacity()).then(|| self.node(id).bounds())
    }

    /// The numbers of a node's two children; none for a leaf.
    pub fn children(&self, id: NodeId) -> Option<[NodeId; 2]> {
        let exists = (id.0 as usize) < self.node_capacity();
        let pair = exists.then(|| self.node(id).children())??;
        Some([NodeId::of(pair, 0), NodeId::of(pair, 1)])
    }

    /// The payload of a node, if it is a leaf.
    pub fn payload(&self, id: NodeId) -> Option<u32> {
        let exists = (id.0 as usize) < self.node_capacity() && self.leaves > 0;
        exists.then(|| self.node(id)).filter(|node| node.children().is_none()).map(Node::payload)
    }

    /// Forgets all leaves and keeps the memory.
    pub fn clear(&mut self) {
        self.root = Node::NONE;
        self.pairs.clear();
        self.links.clear();
        self.free.clear();
        self.places.clear();
        self.leaves = 0;
    }

    #[inline]
    fn place(&self, payload: u32) -> Option<NodeId> {
        self.places.get(payload as usize).copied().filter(|&id| id != NodeId::NONE)
    }

    fn set_place(&mut self, payload: u32, id: NodeId) {
        let index = payload as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, NodeId::NONE);
        }
        self.places[index] = id;
    }

    #[inline]
    fn node(&self, id: NodeId) -> &Node {
        match id.position() {
            None => &self.root,
            Some((pair, side)) => &self.pairs[pair as usize].0[side],
        }
    }

    #[inline]
    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        match id.position() {
            None => &mut self.root,
            Some((pair, side)) => &mut self.pairs[pair as usize].0[side],
        }
    }

    #[inline]
    fn height_of(&self, node: &Node) -> u32 {
        node.children().map_or(0, |pair| self.links[pair as usize].height)
    }
}
