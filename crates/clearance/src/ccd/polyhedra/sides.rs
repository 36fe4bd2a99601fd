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

/// Two bits for each edge and point: not known yet, left, right, either.
#[derive(Debug, Clone, Default)]
pub(super) struct SideCache {
    words: Vec<u64>,
    points: usize,
    enabled: bool,
}

/// A table of more entries than this is not worth clearing: signs are computed each time.
const MOST_ENTRIES: usize = 1 << 26;
const PER_WORD: usize = 32;

impl SideCache {
    /// Forgets all signs and takes a size.
    pub fn reset(&mut self, edges: usize, points: usize) {
        self.points = points;
        let entries = edges.saturating_mul(points);
        self.enabled = entries <= MOST_ENTRIES;
        self.words.clear();
        if self.enabled {
            self.words.resize(entries.div_ceil(PER_WORD), 0);
        }
    }

    /// The sign if it is known, or else the one computed; and whether it was known.
    #[inline]
    pub fn get(&mut self, edge: usize, point: usize, compute: impl FnOnce() -> Side) -> (Side, bool) {
        if !self.enabled {
            return (compute(), false);
        }
        let entry = edge * self.points + point;
        let (word, shift) = (entry / PER_WORD, 2 * (entry % PER_WORD));
        match self.words[word] >> shift & 3 {
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
                self.words[word] |= code << shift;
                (side, false)
            }
        }
    }
}
