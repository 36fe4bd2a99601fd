//! The farthest point of a height field along a direction.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::HeightField;
use super::node::{FieldNode, PATH};
use crate::math::{Vec3, narrow, widen, widen_real};
use crate::support::VertexId;

/// The farthest corner so far, and its triangle.
struct Farthest {
    along: DVec3,
    value: f64,
    corner: DVec3,
    triangle: VertexId,
}

impl Farthest {
    fn offer(&mut self, corners: [Vec3; 3], triangle: u32) {
        for corner in corners.map(widen) {
            let value = self.along.dot(corner);
            if value > self.value {
                (self.value, self.corner, self.triangle) = (value, corner, VertexId(triangle));
            }
        }
    }
}

impl HeightField {
    /// A vertex farthest along `direction`, and its number, row by row.
    pub fn support(&self, direction: Vec3) -> (Vec3, u32) {
        self.support_from(direction, &mut VertexId::default())
    }

    /// The same. `hint` is the number of a triangle that may reach about as far, and becomes that of one that does.
    pub(crate) fn support_from(&self, direction: Vec3, hint: &mut VertexId) -> (Vec3, u32) {
        let along = widen(direction);
        let mut best = Farthest { along, value: f64::NEG_INFINITY, corner: DVec3::ZERO, triangle: VertexId::NONE };
        if let Some(corners) = self.triangle(hint.0) {
            best.offer(corners, hint.0);
        }
        let reach = |node: FieldNode| {
            let [low, high] = self.node_box(node).map(widen);
            (along * low).max(along * high).element_sum()
        };
        let mut stack = ArrayVec::<(f64, FieldNode), PATH>::new();
        stack.push((f64::INFINITY, self.root()));
        while let Some((most, node)) = stack.pop() {
            // The same products as those of corners: a box that does not reach farther has no corner that does.
            if !(most > best.value) {
                continue;
            }
            if let (Some(corners), Some(number)) = (self.leaf(node), self.leaf_number(node)) {
                best.offer(corners, number);
                continue;
            }
            let mut below: ArrayVec<(f64, FieldNode), 4> = ArrayVec::new();
            self.children(node, |child| below.push((reach(child), child)));
            below.sort_by(|a, b| a.0.total_cmp(&b.0));
            stack.extend(below);
        }
        *hint = best.triangle;
        let [dx, dy] = self.cell.map(widen_real);
        let (column, row) = ((best.corner.x / dx).round() as u32, (best.corner.y / dy).round() as u32);
        (narrow(best.corner), self.place(column, row) as u32)
    }
}
