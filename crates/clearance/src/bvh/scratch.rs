//! Memory that a build needs and a tree keeps.

use super::node::{Node, NodeId};

/// A range of leaves still to become the node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    pub start: u32,
    pub end: u32,
    pub depth: u32,
    pub node: NodeId,
}

/// Memory that a build needs and a tree keeps.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    pub leaves: Vec<Node>,
    pub tasks: Vec<Task>,
    pub order: Vec<u32>,
}
