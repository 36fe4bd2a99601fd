//! Whether two ellipsoids meet, by points in which scaled copies of them touch (Perram and Wertheim, 1985).
//!
//! The support value of A along n is √(nᵀPn), that of B √(nᵀQn), and t is the way between the centres. For a share λ and M = (1 − λ)P + λQ, the
//! point x = (1 − λ)Pn with n = M⁻¹t is on the ellipsoids scaled about their centres by (1 − λ)√(nᵀPn) and λ√(nᵀQn), which touch in it with the
//! normal n. If both scales are at most one, x is a common point; the ellipsoids are apart along n if λ(1 − λ) n·t is more than one, whatever the
//! share. The share at which both scales are equal decides, and is the limit of the shares that would make them equal for the normal before.
//!
//! Neither rests on how well M can be inverted: the point is asked of both ellipsoids, the normal of both supports.

use super::{Lie, Round};
use crate::math::Vec3;
use crate::narrow::closed::symmetric::Symmetric;

/// Shares that are tried; what is as near to touching as that is left open.
const MOST_SHARES: u32 = 4;

impl Round {
    /// How two ellipsoids lie, the first with these semi-axes.
    #[inline]
    pub(super) fn scaled(&self, radii: Vec3) -> Option<Lie> {
        let (p, between) = (radii * radii, self.between);
        let along = self.second.times(between).dot(between);
        let mut widths = [(p * between).dot(between).sqrt(), along.sqrt()];
        if !(widths[0] + widths[1] > 0.0) {
            widths = [1.0; 2];
        }
        let mut last = between;
        for _ in 0..MOST_SHARES {
            let share = widths[0] / (widths[0] + widths[1]);
            let mixed = self.second.mixed * share;
            let normal =
                Symmetric { diagonal: p * (1.0 - share) + self.second.diagonal * share, mixed }.solve(between)?;
            let [from_p, from_q] = [p * normal, self.second.times(normal)];
            let [p, q] = [from_p.dot(normal), from_q.dot(normal)];
            if share * (1.0 - share) * normal.dot(between) > 1.0 {
                return Some(Lie::Apart(normal));
            }
            if (1.0 - share) * (1.0 - share) * p <= 1.0 && share * share * q <= 1.0 {
                return Some(Lie::Meeting(from_p * (1.0 - share), normal));
            }
            widths = [p.sqrt(), q.sqrt()];
            last = normal;
        }
        Some(Lie::Unclear(last))
    }
}
