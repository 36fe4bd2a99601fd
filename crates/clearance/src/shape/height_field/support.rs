//! The farthest point of a height field along a direction.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::HeightField;
use super::node::{FieldNode, PATH};
use crate::math::{Vec3, narrow, widen, widen_real};

impl HeightField {
    /// A vertex farthest along `direction`, and its number, row by row.
    pub fn support(&self, direction: Vec3) -> (Vec3, u32) {
        let d = widen(direction);
        let (mut best, mut found) = (f64::NEG_INFINITY, DVec3::ZERO);
        let reach = |node: FieldNode| {
            let [low, high] = self.node_box(node).map(widen);
            (d * low).max(d * high).element_sum()
        };
        let mut stack = ArrayVec::<(f64, FieldNode), PATH>::new();
        stack.push((f64::INFINITY, self.root()));
        while let Some((most, node)) = stack.pop() {
            // The same products as those of corners: a box that does not reach as far has no corner as far.
            if !(most >= best) {
                continue;
            }
            if let Some(corners) = self.leaf(node) {
                for corner in corners.map(widen) {
                    let value = d.dot(corner);
                    if value > best {
                        (best, found) = (value, corner);
                    }
                }
                continue;
            }
            let mut below: ArrayVec<(f64, FieldNode), 4> = ArrayVec::new();
            self.children(node, |child| below.push((reach(child), child)));
            below.sort_by(|a, b| a.0.total_cmp(&b.0));
            stack.extend(below);
        }
        let [dx, dy] = self.cell.map(widen_real);
        let (column, row) = ((found.x / dx).round() as u32, (found.y / dy).round() as u32);
        (narrow(found), self.place(column, row) as u32)
    }
}
