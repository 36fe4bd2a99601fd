//! Which of many shadows are near another one: a table of cells across the way.
//!
//! A shadow is entered in one cell, that of its lower corner. Cells are at least as large as the shadows in them, so that those that reach
//! a box have their lower corners in it or in a cell before it; larger ones are in a list that is always looked at. There are about as many
//! cells as shadows, so that a body of many features costs what is near and not all of it. Few shadows are looked at one by one.

use crate::ccd::polyhedra::bounds::Bounds;

/// Up to so many there is no table.
const FEW: usize = 64;
/// Cells along each axis at most.
const MOST_CELLS: f64 = 512.0;

/// A table of shadows by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Buckets {
    count: usize,
    is_table: bool,
    /// Where each cell starts in `numbers`, with one more entry at the end.
    starts: Vec<u32>,
    numbers: Vec<u32>,
    large: Vec<u32>,
    low: [f64; 2],
    /// The sides of a cell, and how many there are.
    sides: [f64; 2],
    cells: [usize; 2],
}

impl Buckets {
    /// Takes so many shadows, which are all in one box.
    pub fn fill(&mut self, count: usize, whole: &Bounds, of: impl Fn(usize) -> Bounds) {
        let size = whole.max - whole.min;
        (self.count, self.is_table) = (count, count > FEW && size.is_finite());
        if !self.is_table {
            return;
        }
        // Twice the mean extent, but no more cells than shadows.
        let mean = |axis: usize| (0..count).map(|i| of(i).max[axis] - of(i).min[axis]).sum::<f64>() / count as f64;
        let most = (count as f64).sqrt().ceil().min(MOST_CELLS);
        for axis in 0..2 {
            let side = (2.0 * mean(axis)).max(size[axis] / most);
            self.sides[axis] = if side > 0.0 { side } else { 1.0 };
            self.low[axis] = whole.min[axis];
            self.cells[axis] = ((size[axis] / self.sides[axis]) as usize + 1).min(most as usize + 1);
        }
        let Self { starts, numbers, large, sides, .. } = self;
        starts.clear();
        starts.resize(self.cells[0] * self.cells[1] + 1, 0);
        large.clear();
        let is_large = |own: &Bounds| (0..2).any(|axis| !(own.max[axis] - own.min[axis] <= sides[axis]));
        for i in 0..count {
            let own = of(i);
            if is_large(&own) {
                large.push(i as u32);
            } else {
                starts[cell(self.low, *sides, self.cells, &own)] += 1;
            }
        }
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        numbers.clear();
        numbers.resize(end as usize, 0);
        for i in (0..count).rev() {
            let own = of(i);
            if !is_large(&own) {
                let start = &mut starts[cell(self.low, *sides, self.cells, &own)];
                *start -= 1;
                numbers[*start as usize] = i as u32;
            }
        }
    }

    /// Visits all shadows that may overlap a box across the way, each once, and some others.
    #[inline]
    pub fn near(&self, theirs: &Bounds, mut visit: impl FnMut(usize)) {
        if !self.is_table {
            return (0..self.count).for_each(visit);
        }
        self.large.iter().for_each(|&i| visit(i as usize));
        // One cell before: what begins there may reach into this one. Another one for rounding.
        let first = |axis: usize| self.place(theirs.min[axis], axis).saturating_sub(2);
        let last = |axis: usize| (self.place(theirs.max[axis], axis) + 1).min(self.cells[axis] - 1);
        for y in first(1)..=last(1) {
            let row = y * self.cells[0];
            let range = self.starts[row + first(0)]..self.starts[row + last(0) + 1];
            self.numbers[range.start as usize..range.end as usize].iter().for_each(|&i| visit(i as usize));
        }
    }

    fn place(&self, at: f64, axis: usize) -> usize {
        place(at, self.low[axis], self.sides[axis], self.cells[axis])
    }
}

/// The cell of a place, or the nearest one there is.
#[inline]
fn place(at: f64, low: f64, side: f64, cells: usize) -> usize {
    // What is no number goes to the first.
    (((at - low) / side).max(0.0) as usize).min(cells - 1)
}

#[inline]
fn cell(low: [f64; 2], sides: [f64; 2], cells: [usize; 2], own: &Bounds) -> usize {
    let [x, y] = [0, 1].map(|axis| place(own.min[axis], low[axis], sides[axis], cells[axis]));
    y * cells[0] + x
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn all_that_overlap_are_visited_once_and_few_others() {
        for (count, seed) in [(10, 1u64), (100, 2), (1000, 3), (10_000, 4)] {
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let mut boxes: Vec<Bounds> = Vec::new();
            for i in 0..count {
                let low = DVec3::new(random(), random(), random());
                let size = if i % 97 == 0 { 0.5 } else { 1.0 / (count as f64).sqrt() };
                boxes.push(Bounds { min: low, max: low + DVec3::new(random(), random(), 0.0) * size });
            }
            let whole = boxes.iter().fold(Bounds::EMPTY, |all, one| all.union(*one));
            let mut buckets = Buckets::default();
            buckets.fill(count, &whole, |i| boxes[i]);
            let mut looked = 0;
            for _ in 0..200 {
                let low = DVec3::new(random(), random(), 0.0) * 1.4 - 0.2;
                let theirs = Bounds { min: low, max: low + 1.0 / (count as f64).sqrt() };
                let mut visited = vec![0; count];
                buckets.near(&theirs, |i| visited[i] += 1);
                looked += visited.iter().sum::<usize>();
                for (own, times) in boxes.iter().zip(&visited) {
                    let overlaps = !(own.gap_across(&theirs) > 0.0);
                    assert!(*times <= 1 && (*times == 1 || !overlaps));
                }
            }
            assert!(count <= FEW || looked < 200 * (100 + count / 50), "{looked} of {count}");
        }
    }
}
