//! The pyramid of a height field as a tree: blocks of cells, cells, triangles.

use super::HeightField;
use crate::math::{Real, Vec3};

/// The most nodes that wait on the way down a pyramid: three for each of 28 levels and a cell's two triangles, with room.
pub(super) const PATH: usize = 128;

/// A block of cells, a cell, or a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldNode {
    /// 0 and 1: the lower and the upper triangle of a cell; 2: a cell; 3 and more: blocks of 2, 4, … cells each way.
    level: u32,
    column: u32,
    row: u32,
}

const CELL: u32 = 2;

impl FieldNode {
    /// As one number.
    pub fn packed(self) -> u64 {
        u64::from(self.level) << 56 | u64::from(self.row) << 28 | u64::from(self.column)
    }

    pub fn unpacked(number: u64) -> Self {
        let low = |x: u64| (x & ((1 << 28) - 1)) as u32;
        Self { level: (number >> 56) as u32, column: low(number), row: low(number >> 28) }
    }

    /// The number of the triangle, if it is one, in a field with so many cells along x.
    fn number(self, across: u32) -> Option<u32> {
        (self.level < CELL).then(|| 2 * (self.row * across + self.column) + self.level)
    }
}

impl HeightField {
    pub(crate) fn root(&self) -> FieldNode {
        FieldNode { level: CELL + self.levels.len() as u32, column: 0, row: 0 }
    }

    /// Visits up to four children that have triangles; none for a triangle.
    pub(crate) fn children(&self, node: FieldNode, mut visit: impl FnMut(FieldNode)) {
        let FieldNode { level, column, row } = node;
        if level < CELL {
            return;
        }
        if level == CELL {
            for upper in [false, true] {
                if self.corners(column, row, upper).is_some() {
                    visit(FieldNode { level: u32::from(upper), column, row });
                }
            }
            return;
        }
        let [across, along] = if level == CELL + 1 {
            self.cells()
        } else {
            let below = &self.levels[(level - CELL - 2) as usize];
            [below.columns, below.rows]
        };
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (column, row) = (2 * column + i, 2 * row + j);
            if column < across && row < along {
                let child = FieldNode { level: level - 1, column, row };
                let [low, high] = self.range(child);
                if low <= high {
                    visit(child);
                }
            }
        }
    }

    /// The corners of a triangle; nothing for other nodes.
    #[inline]
    pub(crate) fn leaf(&self, node: FieldNode) -> Option<[Vec3; 3]> {
        if node.level < CELL { self.corners(node.column, node.row, node.level == 1) } else { None }
    }

    /// The numbers of the corners of a node's triangle, counted row by row.
    pub(crate) fn leaf_corners(&self, node: FieldNode) -> [u32; 3] {
        let number = |right: u32, up: u32| (node.row + up) * self.columns + node.column + right;
        if node.level == 1 {
            [number(0, 0), number(1, 1), number(0, 1)]
        } else {
            [number(0, 0), number(1, 0), number(1, 1)]
        }
    }

    /// Whether a node, perhaps of another field, is a triangle of this one.
    pub(crate) fn has_leaf(&self, node: FieldNode) -> bool {
        let [across, along] = self.cells();
        node.column < across && node.row < along && self.leaf(node).is_some()
    }

    /// The number of a node's triangle.
    #[inline]
    pub(crate) fn leaf_number(&self, node: FieldNode) -> Option<u32> {
        node.number(self.cells()[0])
    }

    /// The least and the greatest height below a node.
    fn range(&self, node: FieldNode) -> [Real; 2] {
        let FieldNode { level, column, row } = node;
        let of = |range: [Real; 2], corners: Option<[Vec3; 3]>| {
            corners.into_iter().flatten().fold(range, |[low, high], p| [low.min(p.z), high.max(p.z)])
        };
        let none = [Real::INFINITY, Real::NEG_INFINITY];
        match level {
            0 | 1 => of(none, self.corners(column, row, level == 1)),
            CELL => of(of(none, self.corners(column, row, false)), self.corners(column, row, true)),
            _ => {
                let level = &self.levels[(level - CELL - 1) as usize];
                level.ranges[row as usize * level.columns as usize + column as usize]
            }
        }
    }

    /// The box of a node: its lowest and its highest corner.
    #[inline]
    pub(crate) fn node_box(&self, node: FieldNode) -> [Vec3; 2] {
        let [low, high] = self.range(node);
        let ([dx, dy], [across, along]) = (self.cell, self.cells());
        let shift = node.level.saturating_sub(CELL);
        let end = |first: u32, count: u32| ((u64::from(first) + 1) << shift).min(u64::from(count)) as Real;
        let start = |first: u32| (u64::from(first) << shift) as Real;
        [
            Vec3::new(start(node.column) * dx, start(node.row) * dy, low),
            Vec3::new(end(node.column, across) * dx, end(node.row, along) * dy, high),
        ]
    }

    /// Fills the pyramid from the cells up; the heights are there.
    pub(super) fn raise(&mut self) {
        let mut levels: Vec<super::Level> = Vec::new();
        let [mut across, mut along] = self.cells();
        while across > 1 || along > 1 {
            let [columns, rows] = [across.div_ceil(2), along.div_ceil(2)];
            let mut ranges = Vec::with_capacity(columns as usize * rows as usize);
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let below = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| (2 * column + i, 2 * row + j));
                let inside = below.into_iter().filter(|&(i, j)| i < across && j < along);
                let of = |(i, j): (u32, u32)| match levels.last() {
                    None => self.range(FieldNode { level: CELL, column: i, row: j }),
                    Some(level) => level.ranges[j as usize * across as usize + i as usize],
                };
                let none = [Real::INFINITY, Real::NEG_INFINITY];
                ranges.push(inside.map(of).fold(none, |[a, b], [low, high]| [a.min(low), b.max(high)]));
            }
            levels.push(super::Level { columns, rows, ranges: ranges.into() });
            [across, along] = [columns, rows];
        }
        self.levels = levels.into();
    }
}
