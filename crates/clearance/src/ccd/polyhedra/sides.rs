//! Sidedness of a moving point and a line (section 2.1), and the memory of its signs (section 4).
//!
//! The permuted inner product of the Plücker coordinates of the line through c and d and of the point a moving along v is
//! `v·((c − a)×(d − a))`. Departure: it is computed from differences, so that its error is relative to the distances of the
//! features and not to their distances from the origin, and a sign within the error and a part of the zone counts as either: a miss
//! has to be certain, also of what is rounded when the body is put where the cast ended.

use glam::DVec3;

use crate::tolerance::SIDE_ERROR;

/// On which side of an edge's line, seen along it and against the motion, a moving point passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// Nearer than the margin.
    Either,
}

/// On which side of the line from c to d the point a moving along v passes, if it is farther from it than the margin.
#[inline]
pub(super) fn side(a: DVec3, v: DVec3, [c, d]: [DVec3; 2], margin: f64) -> Side {
    let across = if margin > 0.0 { v.cross(d - c).length() } else { 0.0 };
    let (c, d) = (c - a, d - a);
    let value = v.dot(c.cross(d));
    let error = SIDE_ERROR * v.length() * c.length() * d.length() + margin * across;
    if value < -error {
        Side::Left
    } else if value > error {
        Side::Right
    } else {
        Side::Either
    }
}

/// The same seen along the motion: places across it, of which x and y count. Each is off by no more than `error`, which moves the
/// determinant by that times the distances of the line's ends.
#[inline]
pub(super) fn side_across(a: DVec3, [c, d]: [DVec3; 2], margin: f64, error: f64) -> Side {
    let (along, c, d) = ((d - c).truncate(), (c - a).truncate(), (d - a).truncate());
    let value = c.perp_dot(d);
    let reach = c.x.abs() + c.y.abs() + d.x.abs() + d.y.abs();
    let uncertain = margin * along.length() + error * reach;
    if value < -uncertain {
        Side::Left
    } else if value > uncertain {
        Side::Right
    } else {
        Side::Either
    }
}

/// Two bits for each pair of an edge and a point: not known yet, left, right, either. One of the two is the world's and has a row,
/// given to it when it is first seen; the body's features are the columns.
#[derive(Debug, Clone, Default)]
pub(super) struct SideCache {
    words: Vec<u64>,
    per_row: usize,
    enabled: bool,
}

/// Signs beyond so many are not kept: they are computed each time.
const MOST_WORDS: usize = 1 << 21;
const PER_WORD: usize = 32;

impl SideCache {
    /// Forgets all rows and takes a number of columns.
    pub fn reset(&mut self, columns: usize, enabled: bool) {
        self.words.clear();
        self.per_row = columns.div_ceil(PER_WORD);
        self.enabled = enabled;
    }

    /// A new row: where it begins.
    #[inline]
    pub fn add_row(&mut self) -> u32 {
        let start = self.words.len();
        if self.enabled && start + self.per_row <= MOST_WORDS {
            self.words.resize(start + self.per_row, 0);
            start as u32
        } else {
            u32::MAX
        }
    }

    /// The sign if it is known, or else the one computed; and whether it was known.
    #[inline]
    pub fn get(&mut self, row: u32, column: usize, compute: impl FnOnce() -> Side) -> (Side, bool) {
        let shift = 2 * (column % PER_WORD);
        let Some(word) = self.words.get_mut((row as usize).saturating_add(column / PER_WORD)) else {
            return (compute(), false);
        };
        match *word >> shift & 3 {
            1 => (Side::Left, true),
            2 => (Side::Right, true),
            3 => (Side::Either, true),
            _ => {
                let side = compute();
                let code = match side {
                    Side::Left => 1,
                    Side::Right => 2,
                    Side::Either => 3,
                };
                *word |= code << shift;
                (side, false)
            }
        }
    }
}
