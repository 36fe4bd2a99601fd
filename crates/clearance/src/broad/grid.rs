//! Pairs from a grid without bounds, sorted anew at every update.
//!
//! A body is entered in one cell, that of its lower corner. Cells are at least as large as the bodies in them, so that two
//! that overlap have lower corners in the same or in neighbouring cells, and half of the neighbours are enough to find each
//! pair once. Cell coordinates wrap around in a table of a power of two of cells per axis: bodies may be anywhere, and
//! those that wrap to the same place are told apart by their boxes. The table is filled by counting; cells that follow each
//! other along x follow each other in memory, so that a body looks at five stretches.
//!
//! Bodies larger than a cell, too far away for exact coordinates, or in a cell with too many others go to a tree of fattened
//! boxes, and the others are compared with what is in it. A body has then at most [`CROWD`] neighbours in each of 14 cells,
//! and nothing is quadratic, whatever the sizes and places. Size and shape of the table come from a sample of the bodies.

use super::pairs::{Pairs, ordered};
use super::tree::FatTree;
use super::{Bodies, BroadPhase, Update};
use crate::bvh::{BoxedId, NodeBox};
use crate::math::{Aabb, widen};
use crate::tolerance::{CELL_SIZES, CELL_SLACK};

/// A cell with more bodies than this hands them to the tree.
const CROWD: u32 = 32;
/// Bodies looked at to choose the cells.
const SAMPLES: usize = 256;
/// Updates until the cells are chosen anew.
const TUNED_FOR: u32 = 32;
/// Cell coordinates up to this are right to 2^-13 of a cell.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// Added to a number below 2^51 it leaves the nearest whole number in the low bits.
const WHOLE: f64 = (3u64 << 51) as f64;
/// Not in a cell: in the tree, or no body.
const NO_CELL: u32 = u32::MAX;

/// The size of the cells and how their coordinates become an index.
#[derive(Debug, Clone, Copy)]
struct Layout {
    largest: f64,
    inverse: f64,
    bits: [u32; 3],
}

/// A grid for bodies of similar size, with a tree for the others.
#[derive(Debug, Clone)]
pub struct Grid {
    bodies: Bodies,
    pairs: Pairs,
    layout: Layout,
    tuned_at: usize,
    tuned_for: u32,
    /// The cell of each body.
    cells: Vec<u32>,
    /// Where each cell starts in `entries`; it ends where the next one starts.
    starts: Vec<u32>,
    entries: Vec<BoxedId>,
    /// The cell of each entry.
    entry_cells: Vec<u32>,
    rest: FatTree,
    in_rest: Vec<u32>,
    sample: Vec<f64>,
}

impl Default for Grid {
    fn default() -> Self {
        Self::new()
    }
}

impl Layout {
    /// The index of the cell of a box's lower corner; none if the box does not fit.
    #[inline]
    fn cell(&self, bounds: &Aabb) -> u32 {
        let min = widen(bounds.min);
        let size = widen(bounds.max) - min;
        let place = min * self.inverse;
        let fits = size.max_element() <= self.largest && place.abs().max_element() <= FARTHEST;
        let whole = (place + WHOLE).to_array().map(|x| x.to_bits() as u32);
        let [x, y, z] = self.bits;
        let index = whole[0] & mask(x) | (whole[1] & mask(y)) << x | (whole[2] & mask(z)) << (x + y);
        if fits { index } else { NO_CELL }
    }

    fn cell_count(&self) -> usize {
        1 << self.bits.iter().sum::<u32>()
    }
}

#[inline]
fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl Grid {
    /// Without bodies.
    pub fn new() -> Self {
        Self {
            bodies: Bodies::default(),
            pairs: Pairs::default(),
            layout: Layout { largest: 0.0, inverse: 0.0, bits: [2; 3] },
            tuned_at: 0,
            tuned_for: 0,
            cells: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            entry_cells: Vec::new(),
            rest: FatTree::default(),
            in_rest: Vec::new(),
            sample: Vec::new(),
        }
    }

    /// How many bodies were not in a cell at the last update.
    pub fn outside_cells(&self) -> usize {
        self.in_rest.len()
    }

    /// Chooses the cells when the number of bodies has changed a lot, and now and then.
    fn tune(&mut self) {
        let count = self.bodies.len();
        self.tuned_for = self.tuned_for.saturating_sub(1);
        let changed = count > self.tuned_at + self.tuned_at / 4 || count < self.tuned_at - self.tuned_at / 4;
        if self.tuned_for > 0 && !changed {
            return;
        }
        (self.tuned_for, self.tuned_at) = (TUNED_FOR, count);
        let step = count.div_ceil(SAMPLES).max(1);
        let Self { bodies, sample, layout, .. } = self;
        let size = |bounds: &Aabb| (widen(bounds.max) - widen(bounds.min)).max_element();
        sample.clear();
        sample.extend(bodies.iter().step_by(step).map(|(_, bounds)| size(bounds)).filter(|size| size.is_finite()));
        let typical = quantile(sample, 7, 8).unwrap_or(0.0);
        let cell = typical * CELL_SIZES;
        // Points, or bodies so small that the inverse overflows: any size is as good.
        let cell = if cell > 0.0 && cell.recip().is_finite() { cell } else { 1.0 };
        (layout.largest, layout.inverse) = (cell * CELL_SLACK, 1.0 / cell);
        let mut spread = [0.0; 3];
        for (axis, spread) in spread.iter_mut().enumerate() {
            sample.clear();
            let at = bodies.iter().step_by(step).map(|(_, bounds)| widen(bounds.min)[axis] / cell);
            sample.extend(at.filter(|x| x.is_finite()));
            let [low, high] = [1, 15].map(|nth| quantile(sample, nth, 16).unwrap_or(0.0));
            *spread = high - low;
        }
        layout.bits = table_bits(spread, count);
    }

    /// Gives every body its cell and every cell its place in the table.
    fn count(&mut self) {
        let Self { bodies, layout, cells, starts, .. } = self;
        let layout = *layout;
        cells.clear();
        cells.resize(bodies.capacity(), NO_CELL);
        starts.clear();
        starts.resize(layout.cell_count() + 1, 0);
        for (id, bounds) in bodies.iter() {
            let cell = layout.cell(bounds);
            cells[id as usize] = cell;
            if let Some(count) = starts.get_mut(cell as usize) {
                *count += 1;
            }
        }
        if starts.iter().fold(0, |most, &count| count.max(most)) > CROWD {
            for cell in cells.iter_mut() {
                if starts.get(*cell as usize).is_some_and(|&count| count > CROWD) {
                    *cell = NO_CELL;
                }
            }
            starts.iter_mut().filter(|count| **count > CROWD).for_each(|count| *count = 0);
        }
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
    }

    /// Writes the bodies in the order of their cells.
    fn fill(&mut self) {
        let Self { bodies, cells, starts, entries, entry_cells, .. } = self;
        let total = starts.last().map_or(0, |&end| end as usize);
        entries.resize(total, BoxedId::new(0, &NodeBox::EMPTY));
        entry_cells.resize(total, 0);
        for (id, bounds) in bodies.iter() {
            let cell = cells[id as usize];
            if let Some(start) = starts.get_mut(cell as usize) {
                *start -= 1;
                entries[*start as usize] = BoxedId::new(id, &NodeBox::enclosing(bounds));
                entry_cells[*start as usize] = cell;
            }
        }
    }

    fn sweep(&mut self) {
        let Self { bodies, pairs, layout, starts, entries, entry_cells, .. } = self;
        let found = pairs.found();
        let mut compare = |a: &BoxedId, others: &[BoxedId]| {
            for b in others {
                if a.bounds().overlaps(b.bounds()) && bodies.overlap(a.id(), b.id()) {
                    found.push(ordered(a.id(), b.id()));
                }
            }
        };
        let [x_bits, y_bits, z_bits] = layout.bits;
        let range = |first: u32, last: u32| starts[first as usize] as usize..starts[last as usize + 1] as usize;
        let mut at = 0;
        while let Some(&cell) = entry_cells.get(at) {
            let own = range(cell, cell);
            let (x, y, z) = (cell & mask(x_bits), cell >> x_bits & mask(y_bits), cell >> (x_bits + y_bits));
            let row = |dy: u32, dz: u32| {
                (y.wrapping_add(dy) & mask(y_bits)) << x_bits | (z.wrapping_add(dz) & mask(z_bits)) << (x_bits + y_bits)
            };
            let (before, after) = (x.wrapping_sub(1) & mask(x_bits), (x + 1) & mask(x_bits));
            let wraps = before > x || after < x;
            for i in own.clone() {
                compare(&entries[i], &entries[i + 1..own.end]);
            }
            let mut against = |other: std::ops::Range<usize>| {
                if !other.is_empty() {
                    own.clone().for_each(|i| compare(&entries[i], &entries[other.clone()]));
                }
            };
            let here = row(0, 0);
            against(range(here | after, here | after));
            for row in [row(1, 0), row(0, 1), row(1, 1), row(u32::MAX, 1)] {
                if wraps {
                    [before, x, after].into_iter().for_each(|x| against(range(row | x, row | x)));
                } else {
                    against(range(row | before, row | after));
                }
            }
            at = own.end;
        }
    }

    /// Keeps the tree of the bodies that have no cell, and compares all others with it.
    fn sweep_rest(&mut self) {
        let Self { bodies, pairs, cells, entries, rest, in_rest, .. } = self;
        let outside = |id: u32| bodies.contains(id) && cells[id as usize] == NO_CELL;
        in_rest.retain(|&id| outside(id) || !rest.tree.remove(id));
        if in_rest.len() + entries.len() < bodies.len() {
            for (id, _) in bodies.iter().filter(|(id, _)| cells[*id as usize] == NO_CELL) {
                if !rest.tree.contains(id) {
                    in_rest.push(id);
                }
            }
        }
        for &id in &*in_rest {
            if let Some(bounds) = bodies.get(id) {
                rest.place(id, bounds);
            }
        }
        if in_rest.is_empty() {
            return;
        }
        let found = pairs.found();
        let mut decide = |a: u32, b: u32| {
            if bodies.overlap(a, b) {
                found.push(ordered(a, b));
            }
        };
        rest.tree.self_pairs(&mut decide);
        for entry in &*entries {
            rest.tree.overlapping(entry.bounds(), |other| decide(entry.id(), other));
        }
    }
}

/// The value that `nth / of` of the sample lie below.
fn quantile(sample: &mut [f64], nth: usize, of: usize) -> Option<f64> {
    let at = (sample.len() * nth / of).min(sample.len().checked_sub(1)?);
    Some(*sample.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// The table's size along each axis, as powers of two: at least four cells, so that the neighbours of a cell are distinct, about
/// twice as many in all as there are bodies, and most where the bodies are spread most.
fn table_bits(mut spread: [f64; 3], bodies: usize) -> [u32; 3] {
    let total = (2 * bodies.max(32)).next_power_of_two().ilog2();
    let mut bits = [2; 3];
    spread.iter_mut().for_each(|spread| *spread /= 4.0);
    while bits.iter().sum::<u32>() < total {
        let widest = (0..3).fold(0, |best, axis| if spread[axis] > spread[best] { axis } else { best });
        bits[widest] += 1;
        spread[widest] /= 2.0;
    }
    bits
}

impl BroadPhase for Grid {
    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn update(&mut self) -> Update<'_> {
        self.tune();
        self.count();
        self.fill();
        self.sweep();
        self.sweep_rest();
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
