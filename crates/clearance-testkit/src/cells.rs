//! Unions of cells of a grid, with everything about them decided by counting.

use std::collections::HashMap;

use glam::DVec3;

use crate::{Rng, Separation};

/// A union of cells of a grid, in half units: each cell is two wide.
#[derive(Debug, Clone)]
pub struct Cells {
    /// The cells, by their numbers along the axes.
    pub cells: Vec<[i64; 3]>,
    /// Where the grid starts.
    pub offset: [i64; 3],
}

impl Cells {
    /// Cells added to each other's sides, or anywhere in a small grid.
    pub fn random(rng: &mut Rng, reach: i64) -> Self {
        let mut cells = vec![[0; 3]];
        for _ in 0..rng.integer(0, 6) {
            let mut next = rng.pick(&cells);
            next[rng.index(3)] += rng.sign() as i64;
            if rng.chance(0.1) {
                next = [0; 3].map(|_| rng.integer(-2, 2));
            }
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        Self { cells, offset: [0; 3].map(|_| rng.integer(-reach, reach)) }
    }

    /// The lowest corner of a cell.
    pub fn low(&self, cell: &[i64; 3]) -> [i64; 3] {
        [0, 1, 2].map(|k: usize| 2 * cell[k] + self.offset[k])
    }

    /// Whether a cell is one of them.
    pub fn has(&self, cell: [i64; 3]) -> bool {
        self.cells.contains(&cell)
    }

    /// The vertices of the surface and its squares, counter-clockwise seen from outside.
    pub fn surface(&self) -> (Vec<DVec3>, Vec<[u32; 4]>) {
        let (mut numbers, mut points, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
        for cell in &self.cells {
            for (axis, up) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
                let mut next = *cell;
                next[axis] += if up { 1 } else { -1 };
                if self.has(next) {
                    continue;
                }
                let mut square = [[0, 0], [1, 0], [1, 1], [0, 1]];
                if !up {
                    square.reverse();
                }
                let face = square.map(|[u, v]| {
                    let mut corner = self.low(cell);
                    corner[axis] += if up { 2 } else { 0 };
                    corner[(axis + 1) % 3] += 2 * u;
                    corner[(axis + 2) % 3] += 2 * v;
                    *numbers.entry(corner).or_insert_with(|| {
                        points.push(DVec3::from_array(corner.map(|x| x as f64 / 2.0)));
                        points.len() as u32 - 1
                    })
                });
                faces.push(face);
            }
        }
        (points, faces)
    }

    /// By the gaps of all pairs of cells: contact, and four times the squared distance.
    pub fn separation(&self, other: &Self) -> (Separation, i64) {
        let (mut contact, mut least) = (Separation::Apart, i64::MAX);
        for a in &self.cells {
            for b in &other.cells {
                let (p, q) = (self.low(a), other.low(b));
                let gaps = [0, 1, 2].map(|k: usize| (p[k] - q[k]).abs() - 2);
                if gaps.iter().all(|&gap| gap < 0) {
                    return (Separation::Overlapping, 0);
                }
                if gaps.iter().all(|&gap| gap <= 0) {
                    contact = Separation::Touching;
                }
                least = least.min(gaps.iter().map(|&gap| gap.max(0).pow(2)).sum());
            }
        }
        (contact, least)
    }

    /// Whether a point, in quarter units, is in the solid, and whether it is inside.
    pub fn holds(&self, p: [i64; 3]) -> [bool; 2] {
        // The cells around the point: two along an axis where it is between cells.
        let ranges = [0, 1, 2].map(|k: usize| {
            let x = p[k] - 2 * self.offset[k];
            if x.rem_euclid(4) == 0 { [x / 4 - 1, x / 4] } else { [x.div_euclid(4); 2] }
        });
        let around = (0..8).map(|i: usize| [0, 1, 2].map(|k: usize| ranges[k][i >> k & 1]));
        let found: Vec<bool> = around.map(|cell| self.has(cell)).collect();
        [found.contains(&true), !found.contains(&false)]
    }
}
