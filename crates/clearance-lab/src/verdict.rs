//! Who is right where two signed distances differ, by evidence that either side can check.
//!
//! The signed distance is at least the gap along any direction. So the gap along the library's normal proves its lower bound,
//! and one along the rival's normal that exceeds the library's upper bound disproves that. An answer of the rival outside
//! bounds that stand up to both is the rival's error; mostly a small one, since it stops at a coarser tolerance.

use glam::DVec3;

use crate::precision::{GAP_SIGMAS, Near, Precision};
use crate::workload::Scene;

/// A disagreement that matters, relative to the distance or the depth.
const OFF: f64 = 1e-3;

/// What the rival said: a signed distance and, if it gave one, a direction from the first body to the second.
pub(crate) type Said = (f64, Option<DVec3>);

/// The counts of one query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Configurations judged.
    pub(crate) compared: usize,
    /// Answers of the rival outside the library's bounds, which stand.
    pub(crate) outside: usize,
    /// Of these, those outside by more than 0.1 %: what the library allows its own depths.
    pub(crate) off: usize,
    /// Configurations for which the rival gave no answer.
    pub(crate) missing: usize,
    /// Bounds of the library that do not stand, whether or not the rival is within them.
    pub(crate) broken: usize,
    /// Answers of the rival outside bounds that do not stand.
    pub(crate) unresolved: usize,
    /// Of all, bounds wider than stated.
    pub(crate) wide: usize,
    /// The rival's largest error, relative to the pair's size.
    pub(crate) worst: f64,
}

impl Counts {
    /// Judges one configuration.
    pub(crate) fn judge<P: Precision>(&mut self, scene: &Scene<P>, i: usize, near: &Near, said: Option<Said>) {
        let size = scene.size(i);
        let error = GAP_SIGMAS * P::sigma(size);
        let stated = P::stated(scene.bodies(), size, near.distance);
        self.compared += 1;
        self.wide += usize::from(!(near.upper - near.lower <= stated.width));
        let gap = |direction| P::gap(scene.bodies(), scene.poses(i), direction);
        let ordered = near.lower <= near.distance && near.distance <= near.upper;
        let own = gap(near.normal);
        let stands = ordered && near.lower - stated.gap <= own && own <= near.upper + error;
        let disproved = said.and_then(|(_, direction)| direction).is_some_and(|n| gap(n) > near.upper + error);
        self.broken += usize::from(!stands || disproved);
        let Some((distance, _)) = said else {
            self.missing += 1;
            return;
        };
        // What the gap proves. Not a number is outside.
        let out = (near.lower.min(own) - distance).max(distance - near.upper);
        if out <= error {
            return;
        }
        if !stands || disproved {
            self.unresolved += 1;
        } else {
            self.outside += 1;
            self.off += usize::from(!(out <= error + OFF * near.distance.abs()));
            self.worst = self.worst.max(out / size);
        }
    }

    /// The counts of two together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            compared: self.compared + other.compared,
            outside: self.outside + other.outside,
            off: self.off + other.off,
            missing: self.missing + other.missing,
            broken: self.broken + other.broken,
            unresolved: self.unresolved + other.unresolved,
            wide: self.wide + other.wide,
            worst: self.worst.max(other.worst),
        }
    }
}

/// The exponent of a power law through points: the slope of a line through their logarithms.
pub(crate) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.max(f64::MIN_POSITIVE).ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / logs.iter().map(|(x, _)| (x - mx).powi(2)).sum::<f64>()
}
