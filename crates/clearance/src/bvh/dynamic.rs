//! Leaves that come, go and move.
//!
//! A new leaf descends to the place where it adds the least area and becomes the sibling of what is there; equal costs go to
//! the lower child, so that identical boxes make a balanced tree. On the way back up every ancestor takes its children's
//! box, and a child changes places with its sibling's child where that makes the sibling smaller (Catto, Dynamic Bounding
//! Volume Hierarchies, 2019). A tree that has grown too tall all the same is built anew. Each walk is as long as a path.

use super::node::{MAX_PAIRS, MAX_PAYLOAD, Node, NodeBox, Siblings};
use super::{Bvh, Link, NodeId, height_limit};

impl Bvh {
    /// Adds a leaf. False, and nothing changes, if the payload is in use, above [`MAX_PAYLOAD`], or the tree is full.
    pub fn insert(&mut self, payload: u32, bounds: &NodeBox) -> bool {
        if payload > MAX_PAYLOAD || self.contains(payload) || self.leaves >= MAX_PAIRS {
            return false;
        }
        let leaf = Node::leaf(payload, bounds);
        if self.leaves == 0 {
            self.leaves = 1;
            self.put(NodeId::ROOT, leaf);
            return true;
        }
        self.leaves += 1;
        let place = self.best_sibling(bounds);
        let old = *self.node(place);
        let pair = self.take_pair();
        self.links[pair as usize].parent = place;
        self.put(NodeId::of(pair, 0), old);
        self.put(NodeId::of(pair, 1), leaf);
        *self.node_mut(place) = Node::inner(pair, &old.bounds().union(bounds));
        self.repair_from(Some(pair));
        if self.height() > height_limit(self.leaves) {
            self.rebuild();
        }
        true
    }

    /// Removes a leaf; false if there is none with this payload.
    pub fn remove(&mut self, payload: u32) -> bool {
        let Some(place) = self.place(payload) else {
            return false;
        };
        self.leaves -= 1;
        self.places[payload as usize] = NodeId::NONE;
        let Some((pair, side)) = place.position() else {
            self.root = Node::NONE;
            return true;
        };
        let sibling = self.pairs[pair as usize].0[1 - side];
        let parent = self.links[pair as usize].parent;
        self.links[pair as usize].height = 0;
        self.free.push(pair);
        self.put(parent, sibling);
        self.repair_from(parent.position().map(|(pair, _)| pair));
        if self.height() > height_limit(self.leaves) {
            self.rebuild();
        }
        true
    }

    /// Moves a leaf to where its new box belongs; false if there is none with this payload.
    pub fn relocate(&mut self, payload: u32, bounds: &NodeBox) -> bool {
        self.remove(payload) && self.insert(payload, bounds)
    }

    /// Gives a leaf another box and leaves the tree as it is: [`Bvh::refit`] must follow before any question.
    /// False if there is no leaf with this payload.
    pub fn set_leaf_bounds(&mut self, payload: u32, bounds: &NodeBox) -> bool {
        let Some(place) = self.place(payload) else {
            return false;
        };
        let node = self.node_mut(place);
        *node = node.with_bounds(bounds);
        true
    }

    /// Fits every box to its children's, after [`Bvh::set_leaf_bounds`]. Returns the half area of all inner nodes together, by
    /// which the tree can be compared with a new one.
    pub fn refit(&mut self) -> f64 {
        let mut order = std::mem::take(&mut self.scratch.order);
        order.clear();
        order.extend(self.root.children());
        let mut next = 0;
        while let Some(&pair) = order.get(next) {
            order.extend(self.pairs[pair as usize].0.iter().filter_map(Node::children));
            next += 1;
        }
        let mut area = 0.0;
        for &pair in order.iter().rev() {
            let bounds = self.pairs[pair as usize].bounds();
            let node = self.node_mut(self.links[pair as usize].parent);
            *node = node.with_bounds(&bounds);
            area += bounds.half_area();
        }
        self.scratch.order = order;
        area
    }

    /// Where a new leaf costs the least area: the node that becomes its sibling.
    fn best_sibling(&self, bounds: &NodeBox) -> NodeId {
        let mut here = NodeId::ROOT;
        let mut node = self.root;
        while let Some(pair) = node.children() {
            let joined = node.bounds().union(bounds).half_area();
            let inherited = joined - node.bounds().half_area();
            let siblings = self.pairs[pair as usize].0;
            let cost = siblings.map(|child| {
                let joined = child.bounds().union(bounds).half_area();
                if child.children().is_none() { joined } else { joined - child.bounds().half_area() }
            });
            if joined < inherited + cost[0] && joined < inherited + cost[1] {
                break;
            }
            let lower = self.height_of(&siblings[1]) < self.height_of(&siblings[0]);
            let side = usize::from(cost[1] < cost[0] || !(cost[0] < cost[1]) && lower);
            here = NodeId::of(pair, side);
            node = siblings[side];
        }
        here
    }

    pub(super) fn take_pair(&mut self) -> u32 {
        if let Some(pair) = self.free.pop() {
            return pair;
        }
        self.pairs.push(Siblings([Node::NONE; 2]));
        self.links.push(Link { parent: NodeId::NONE, height: 0 });
        self.pairs.len() as u32 - 1
    }

    /// Writes a node and tells those who refer to it where it is.
    #[inline]
    pub(super) fn put(&mut self, id: NodeId, node: Node) {
        *self.node_mut(id) = node;
        match node.children() {
            Some(pair) => self.links[pair as usize].parent = id,
            None => self.set_place(node.payload(), id),
        }
    }

    /// From a pair up to the root: rotations, heights and boxes.
    fn repair_from(&mut self, mut at: Option<u32>) {
        while let Some(pair) = at {
            self.rotate(pair);
            self.set_height(pair);
            let bounds = self.pairs[pair as usize].bounds();
            let parent = self.links[pair as usize].parent;
            let node = self.node_mut(parent);
            *node = node.with_bounds(&bounds);
            at = parent.position().map(|(pair, _)| pair);
        }
    }

    pub(super) fn set_height(&mut self, pair: u32) {
        let [a, b] = self.pairs[pair as usize].0;
        self.links[pair as usize].height = 1 + self.height_of(&a).max(self.height_of(&b));
    }

    /// Exchanges one of the pair with a child of the other where that makes the other smaller.
    fn rotate(&mut self, pair: u32) {
        let siblings = self.pairs[pair as usize].0;
        let (mut gain, mut best) = (0.0, None);
        for side in 0..2 {
            let (staying, opened) = (siblings[side], siblings[1 - side]);
            let Some(inner) = opened.children() else {
                continue;
            };
            let area = opened.bounds().half_area();
            let children = self.pairs[inner as usize].0;
            for (kept, child) in children.iter().enumerate() {
                let shrunk = area - staying.bounds().union(child.bounds()).half_area();
                // No taller than it is: a tree of equal boxes stays balanced.
                let tall = self.height_of(&staying) >= self.links[inner as usize].height;
                if shrunk > gain && !tall {
                    (gain, best) = (shrunk, Some((side, inner, 1 - kept)));
                }
            }
        }
        let Some((side, inner, leaving)) = best else {
            return;
        };
        let (up, down) = (NodeId::of(pair, side), NodeId::of(inner, leaving));
        let (staying, child) = (siblings[side], self.pairs[inner as usize].0[leaving]);
        self.put(up, child);
        self.put(down, staying);
        self.set_height(inner);
        let opened = NodeId::of(pair, 1 - side);
        let bounds = self.pairs[inner as usize].bounds();
        *self.node_mut(opened) = self.node(opened).with_bounds(&bounds);
    }
}
