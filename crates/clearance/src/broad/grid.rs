//! Pairs from a grid without bounds, sorted anew at every update.
//!
//! A body is entered in one cell, that of its lower corner. Cells are at least as large as the bodies in them, so that two
//! that overlap have lower corners in the same or in neighbouring cells, and half of the neighbours are enough to find each
//! pair once. Cell coordinates wrap around in a table of a power of two of cells per axis: bodies may be anywhere, and
//! those that wrap to the same place are told apart by their boxes. The table is filled by counting; cells that follow each
//! other along x follow each other in memory, so that a body looks at five stretches.
//!
//! Boxes are compared by codes: six bounds in 64ths of a cell, rounded outwards and taken modulo eight cells, in one number of
//! 64 bits. Bodies in neighbouring cells are less than four cells apart, so that differences modulo eight have the right sign,
//! and all six are seen in one addition. Eight others are compared at a time, without a branch between them. Whether a pair
//! overlaps is decided by the boxes as given.
//!
//! Bodies larger than a cell, too far away for exact coordinates, or in a cell with too many others go to a tree of fattened
//! boxes, and the others are compared with what is in it. A body has then at most [`CROWD`] neighbours in each of 14 cells,
//! and nothing is quadratic, whatever the sizes and places. Size and shape of the table come from a sample of the bodies.

use super::code::{MEET, STEP_BITS, code};
use super::pairs::{Pairs, ordered};
use super::threads::{each_part, each_range};
use super::tree::FatTree;
use super::{Bodies, BroadPhase, Pair, Update};
use crate::bvh::NodeBox;
use crate::math::lanes::{CODES, Stretches, for_each_meeting};
use crate::math::{Aabb, widen};
use crate::tolerance::{CELL_ROOM, CELL_SLACK, MOST_CELL};

/// A cell with more bodies than this hands them to the tree.
const CROWD: u32 = 32;
/// Bodies looked at to choose the cells.
const SAMPLES: usize = 256;
/// Updates until the cells are chosen anew.
const TUNED_FOR: u32 = 32;
/// Coordinates up to this, in 64ths of a cell, keep a fraction of several bits.
const FARTHEST: f64 = (1u64 << 46) as f64;
/// Added to a number below 2^51 it leaves the nearest whole number in the low bits.
const WHOLE: f64 = (3u64 << 51) as f64;
/// Not in a cell: in the tree, or no body.
const NO_CELL: u32 = u32::MAX;

/// The size of the cells and how coordinates become indices and codes.
#[derive(Debug, Clone, Copy)]
struct Layout {
    largest: f64,
    steps: f64,
    bits: [u32; 3],
    /// Added to coordinates along x, in steps: brings the middle of the scene to the middle of a row, away from its ends.
    shift: u32,
}

/// A grid for bodies of similar size, with a tree for the others.
#[derive(Debug, Clone)]
pub struct Grid {
    bodies: Bodies,
    pairs: Pairs,
    layout: Layout,
    tuned_at: usize,
    tuned_for: u32,
    /// The cell and the code of each moving body, in ascending order of the bodies.
    cells: Vec<u32>,
    codes: Vec<u64>,
    /// Where each cell starts in `entries`; it ends where the next one starts.
    starts: Vec<u32>,
    /// The bodies in the order of their cells.
    entries: Vec<u32>,
    /// The code of each entry, and a few more so that they can be read several at a time.
    entry_codes: Vec<u64>,
    /// The cell of each entry.
    entry_cells: Vec<u32>,
    rest: FatTree,
    /// The bodies in the tree, and those that were in it before, in ascending order.
    in_rest: Vec<u32>,
    was_in_rest: Vec<u32>,
    /// The pairs found in each part of the entries.
    parts: Vec<Vec<Pair>>,
    sample: Vec<f64>,
}

impl Default for Grid {
    fn default() -> Self {
        Self::new()
    }
}

impl Layout {
    /// The index of the cell of a box's lower corner, or [`NO_CELL`] if the box does not fit, and its code.
    #[inline]
    fn locate(&self, bounds: &Aabb) -> (u32, u64) {
        let (min, max) = (widen(bounds.min), widen(bounds.max));
        let (low, high) = (min * self.steps, max * self.steps);
        let fits = (max - min).max_element() <= self.largest && low.abs().max_element() <= FARTHEST;
        // Half a step down and to the nearest is at most the number; monotone, so that no overlap is lost.
        let whole = |x: f64| (x + WHOLE).to_bits() as u32;
        let mut min = (low - 0.5).to_array().map(whole);
        let mut max = (high + 0.5).to_array().map(whole);
        for corner in [&mut min, &mut max] {
            corner[0] = corner[0].wrapping_add(self.shift);
        }
        let [x, y, z] = self.bits;
        let [i, j, k] = min.map(|step| step >> STEP_BITS);
        let index = i & mask(x) | (j & mask(y)) << x | (k & mask(z)) << (x + y);
        (if fits { index } else { NO_CELL }, code(min, max))
    }

    fn cell_count(&self) -> usize {
        1 << self.bits.iter().sum::<u32>()
    }

    /// The place of a cell along x, and the first cells of its own row and of the four rows that hold the other half of its
    /// neighbours.
    #[inline]
    fn rows(&self, cell: u32) -> (u32, [u32; 5]) {
        let [x_bits, y_bits, z_bits] = self.bits;
        let (y, z) = (cell >> x_bits & mask(y_bits), cell >> (x_bits + y_bits));
        let [below, above] = [y.wrapping_sub(1), y + 1].map(|y| (y & mask(y_bits)) << x_bits);
        let (level, behind) = (y << x_bits, ((z + 1) & mask(z_bits)) << (x_bits + y_bits));
        let here = z << (x_bits + y_bits);
        (cell & mask(x_bits), [here | level, here | above, behind | below, behind | level, behind | above])
    }
}

#[inline]
fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

/// The sorted table: which entries are neighbours.
struct Table<'a> {
    layout: Layout,
    starts: &'a [u32],
    entry_cells: &'a [u32],
}

impl Table<'_> {
    /// Where the entries of some cells in a row start and end.
    #[inline(always)]
    fn stretch(&self, first: u32, last: u32) -> [u32; 2] {
        [self.starts[first as usize], self.starts[last as usize + 1]]
    }
}

impl Stretches for Table<'_> {
    #[inline(always)]
    fn visit(&self, at: usize, mut look: impl FnMut([u32; 2])) {
        let (x, rows) = self.layout.rows(self.entry_cells[at]);
        let end_of_row = mask(self.layout.bits[0]);
        let following = at as u32 + 1;
        if x > 0 && x < end_of_row {
            // Of its own row nothing before the entry.
            look([following, self.stretch(rows[0] + x, rows[0] + x + 1)[1]]);
            for row in &rows[1..] {
                look(self.stretch(row + x - 1, row + x + 1));
            }
            return;
        }
        // Around the end of a row the three cells do not follow each other.
        let around = [x, (x + 1) & end_of_row, x.wrapping_sub(1) & end_of_row];
        for (nth, cell) in rows.iter().flat_map(|row| around.map(|x| row | x)).enumerate() {
            let [start, end] = self.stretch(cell, cell);
            match nth {
                0 => look([following, end]),
                // The cell before the entry's own is not in this half.
                2 => (),
                _ => look([start, end]),
            }
        }
    }
}

impl Grid {
    /// Without bodies.
    pub fn new() -> Self {
        Self {
            bodies: Bodies::default(),
            pairs: Pairs::default(),
            layout: Layout { largest: 0.0, steps: 0.0, bits: [2; 3], shift: 0 },
            tuned_at: 0,
            tuned_for: 0,
            cells: Vec::new(),
            codes: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            entry_codes: Vec::new(),
            entry_cells: Vec::new(),
            rest: FatTree::default(),
            in_rest: Vec::new(),
            was_in_rest: Vec::new(),
            parts: Vec::new(),
            sample: Vec::new(),
        }
    }

    /// How many bodies were not in a cell at the last update.
    pub fn outside_cells(&self) -> usize {
        self.in_rest.len()
    }

    /// Chooses the cells when the number of bodies has changed a lot, and now and then.
    fn tune(&mut self) {
        let count = self.bodies.moving().len();
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
        sample
            .extend(bodies.iter_moving().step_by(step).map(|(_, bounds)| size(bounds)).filter(|size| size.is_finite()));
        let [typical, largest] = [7, 8].map(|nth| quantile(sample, nth, 8).unwrap_or(0.0));
        let cell = (typical * MOST_CELL).min(largest * CELL_ROOM);
        let steps = f64::from(1 << STEP_BITS);
        // Points, or bodies so small that the inverse overflows: any size is as good.
        let cell = if cell > 0.0 && (steps / cell).is_finite() { cell } else { 1.0 };
        (layout.largest, layout.steps) = (cell * CELL_SLACK, steps / cell);
        let (mut spread, mut middle) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            sample.clear();
            let at = bodies.iter_moving().step_by(step).map(|(_, bounds)| widen(bounds.min)[axis] / cell);
            sample.extend(at.filter(|x| x.is_finite()));
            let [low, high] = [1, 15].map(|nth| quantile(sample, nth, 16).unwrap_or(0.0));
            (spread[axis], middle[axis]) = (high - low, low + (high - low) / 2.0);
        }
        layout.bits = table_bits(spread, count);
        let shift = f64::from(1 << (layout.bits[0] - 1)) - middle[0];
        layout.shift = ((shift * steps) as i64) as u32;
    }

    /// Gives every body its cell and every cell its place in the table.
    fn count(&mut self) {
        let Self { bodies, layout, cells, codes, starts, .. } = self;
        let layout = *layout;
        let moving = bodies.moving();
        cells.resize(moving.len(), NO_CELL);
        codes.resize(moving.len(), 0);
        starts.clear();
        starts.resize(layout.cell_count() + 1, 0);
        let bounds = bodies.bounds();
        each_part(cells, codes, |first, cells, codes| {
            let places = cells.iter_mut().zip(codes);
            if moving.len() == bounds.len() {
                for ((cell, code), bounds) in places.zip(&bounds[first..]) {
                    (*cell, *code) = layout.locate(bounds);
                }
                return;
            }
            for ((cell, code), &id) in places.zip(&moving[first..]) {
                (*cell, *code) = layout.locate(&bounds[id as usize]);
            }
        });
        for &cell in &*cells {
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
        let Self { bodies, cells, codes, starts, entries, entry_codes, entry_cells, .. } = self;
        let total = starts.last().map_or(0, |&end| end as usize);
        entries.resize(total, 0);
        entry_cells.resize(total, 0);
        entry_codes.resize(total + CODES, 0);
        for (&id, (&cell, &code)) in bodies.moving().iter().zip(cells.iter().zip(&*codes)) {
            if let Some(start) = starts.get_mut(cell as usize) {
                *start -= 1;
                let at = *start as usize;
                (entries[at], entry_codes[at], entry_cells[at]) = (id, code, cell);
            }
        }
    }

    /// Compares every entry with those that follow in its own cell and those of half the neighbours.
    fn sweep(&mut self) {
        let Self { bodies, pairs, layout, starts, entries, entry_codes, entry_cells, parts, .. } = self;
        let table = Table { layout: *layout, starts, entry_cells };
        each_range(entries.len(), parts, |range, found| {
            for_each_meeting(entry_codes, range, MEET, &table, |a, b| found.push([a, b]));
            for pair in found.iter_mut() {
                *pair = ordered(entries[pair[0] as usize], entries[pair[1] as usize]);
            }
            found.retain(|&[a, b]| bodies.overlap(a, b));
        });
        parts.iter().for_each(|found| pairs.found().extend_from_slice(found));
    }

    /// Keeps the tree of the bodies that have no cell, and compares all others with it.
    fn sweep_rest(&mut self) {
        let Self { bodies, pairs, cells, entries, rest, in_rest, was_in_rest, .. } = self;
        std::mem::swap(in_rest, was_in_rest);
        in_rest.clear();
        if entries.len() < bodies.moving().len() {
            let outside = bodies.moving().iter().zip(&*cells).filter(|(_, cell)| **cell == NO_CELL);
            in_rest.extend(outside.map(|(id, _)| *id));
        }
        for &id in was_in_rest.iter().filter(|id| in_rest.binary_search(id).is_err()) {
            rest.tree.remove(id);
        }
        for &id in &*in_rest {
            if let Some(bounds) = bodies.get(id) {
                rest.place(id, bounds);
            }
        }
        if in_rest.is_empty() {
            return;
        }
        let (found, most) = (pairs.found(), bodies.most_pairs());
        let mut decide = |a: u32, b: u32| {
            if bodies.overlap(a, b) {
                found.push(ordered(a, b));
            }
            found.len() <= most
        };
        rest.tree.self_pairs_while(&mut decide);
        for &id in &*entries {
            let mut goes_on = true;
            if let Some(bounds) = bodies.get(id) {
                rest.tree.overlapping(&NodeBox::enclosing(bounds), |other| goes_on = decide(id, other));
            }
            if !goes_on {
                break;
            }
        }
    }
}

/// The value that `nth / of` of the sample lie below.
fn quantile(sample: &mut [f64], nth: usize, of: usize) -> Option<f64> {
    let at = (sample.len() * nth / of).min(sample.len().checked_sub(1)?);
    Some(*sample.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// The table's size along each axis, as powers of two: at least four cells, so that the neighbours of a cell are distinct, about
/// four times as many in all as there are bodies, and most where the bodies are spread most. Of equal axes x gets more, since
/// the ends of rows cost time.
fn table_bits(mut spread: [f64; 3], bodies: usize) -> [u32; 3] {
    let total = (3 * bodies.max(32)).next_power_of_two().ilog2();
    let mut bits = [2; 3];
    spread.iter_mut().for_each(|spread| *spread /= 4.0);
    spread[0] *= 1.5;
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
        self.bodies.prepare();
        self.tune();
        self.count();
        self.fill();
        self.sweep();
        self.sweep_rest();
        self.bodies.pairs_with_fixed(self.pairs.found());
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
