//! Heights along an arc: `h(α) = constant + A cos α + B sin α`, and where they reach a level (sections 2.4 and 2.5).
//!
//! With r = tan(α/2) a level is reached at the roots of `a r² + 2 b r + c = 0`, `a = h(0) − level − 2A`, `b = B`,
//! `c = h(0) − level`. An arc of at most a quarter turn has r in [0, 1].

use arrayvec::ArrayVec;

use crate::math::exact::Pair;

/// A height along an arc.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave {
    /// The height at the start.
    pub start: f64,
    /// The part that goes with the cosine.
    pub cosine: f64,
    /// The part that goes with the sine: the slope at the start.
    pub sine: f64,
}

pub(super) type Roots = ArrayVec<f64, 2>;

/// A stretch of an arc on which something is in the lower half of the zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Low {
    /// Where it gets there, or goes deeper.
    pub from: f64,
    /// Where it leaves it, reaches the surface, or stops.
    pub to: f64,
    /// Where it came into the zone.
    pub report: f64,
}

impl Wave {
    /// Where the level is reached for r ≥ 0, in order.
    pub fn reaches(&self, level: f64) -> Roots {
        let c = self.start - level;
        roots(c - 2.0 * self.cosine, self.sine, c)
    }

    /// The height.
    pub fn at(&self, r: f64) -> f64 {
        let square = 1.0 + r * r;
        self.start + (2.0 * r * self.sine - 2.0 * r * r * self.cosine) / square
    }

    /// The sign of the derivative.
    pub fn slope(&self, r: f64) -> f64 {
        self.sine * (1.0 - r * r) - 2.0 * self.cosine * r
    }

    /// Where a height that rises at the start is greatest, or none before α = π/2.
    pub fn peak(&self) -> Option<f64> {
        let both = self.sine.hypot(self.cosine);
        // tan(α/2) of the angle whose cosine and sine are these parts.
        let r = self.sine / (both + self.cosine);
        (r > 0.0 && r.is_finite()).then_some(r)
    }

    /// Whether the lower half of the zone may be entered, or left downwards, up to the limit: by how much the height can change at
    /// most. The limit is at most a quarter turn.
    #[inline]
    pub fn may_sink(&self, zone: f64, limit: f64) -> bool {
        let square = limit * limit;
        let (sine, rest) = (2.0 * limit / (1.0 + square), 2.0 * square / (1.0 + square));
        let lowest = self.start + self.sine.min(0.0) * sine - self.cosine.max(0.0) * rest;
        let highest = self.start + self.sine.max(0.0) * sine - self.cosine.min(0.0) * rest;
        lowest < zone && highest >= -zone
    }

    /// The stretches up to the limit on which the lower half of the zone is entered or gone deeper into.
    pub fn lows(&self, zone: f64, limit: f64) -> ArrayVec<Low, 3> {
        let half = 0.5 * zone;
        let (halves, surface, below) = (self.reaches(half), self.reaches(0.0), self.reaches(-zone));
        let mut lows = ArrayVec::new();
        let mut add = |from: f64, report: f64| {
            let leaves = halves.iter().copied().filter(|&r| r > from && self.slope(r) > 0.0);
            // What starts at the surface or below it ends where it is through.
            let sinks = surface.iter().chain(&below).copied().filter(|&r| r > from && self.slope(r) < 0.0);
            let to = leaves.chain(sinks).fold(limit, f64::min);
            if from <= limit && !lows.is_full() {
                lows.push(Low { from, to, report });
            }
        };
        if self.start < half && self.start >= -zone {
            let deeper = self.sine < 0.0 || (self.sine == 0.0 && self.cosine > 0.0);
            if deeper {
                add(0.0, 0.0);
            } else if let Some(peak) = self.peak().filter(|&r| self.at(r) < half) {
                add(peak, peak);
            }
        }
        for &from in halves.iter().filter(|&&r| self.slope(r) < 0.0) {
            add(from, self.entry(zone, from));
        }
        lows
    }

    /// Where the zone was last entered before r; if it was not left since the start, the highest place on the way.
    fn entry(&self, zone: f64, r: f64) -> f64 {
        let entered = self.reaches(zone).into_iter().filter(|&entry| entry <= r && self.slope(entry) <= 0.0);
        let entered = entered.fold(f64::NEG_INFINITY, f64::max);
        if entered >= 0.0 {
            return entered;
        }
        if self.sine > 0.0 { self.peak().map_or(0.0, |peak| peak.min(r)) } else { 0.0 }
    }
}

/// Halvings until two places on an arc cannot be told apart.
const HALVINGS: u32 = 60;

/// The last place at which the condition does not hold, before it does at the end of the stretch.
pub(super) fn last_before(mut from: f64, mut to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if holds(middle) {
            to = middle;
        } else {
            from = middle;
        }
    }
    from
}

/// The roots r ≥ 0 of `a r² + 2 b r + c`, in order, without cancellation.
pub(super) fn roots(a: f64, b: f64, c: f64) -> Roots {
    // Brought to size one, so that no square leaves the range.
    let size = a.abs().max(b.abs()).max(c.abs());
    if !(size > 0.0 && size.is_finite()) {
        return Roots::new();
    }
    let (a, b, c) = (a / size, b / size, c / size);
    let under = b * b - a * c;
    if !(under >= 0.0) {
        return Roots::new();
    }
    let q = -(b + under.sqrt().copysign(b));
    sorted([q / a, c / q])
}

/// The same in pairs of doubles, where a, b and c come from nearly parallel lines.
pub(super) fn precise_roots(a: Pair, b: Pair, c: Pair) -> Roots {
    let size = a.round().abs().max(b.round().abs()).max(c.round().abs());
    if !(size > 0.0 && size.is_finite()) {
        return Roots::new();
    }
    let [a, b, c] = [a, b, c].map(|x| x * Pair::from(1.0 / size));
    let under = b * b - a * c;
    if !(under.round() >= 0.0) {
        return Roots::new();
    }
    let root = under.sqrt();
    let q = -(b + if b.round() < 0.0 { -root } else { root });
    sorted([q.over(a), c.over(q)])
}

fn sorted(pair: [f64; 2]) -> Roots {
    let mut roots: Roots = pair.into_iter().filter(|r| *r >= 0.0 && r.is_finite()).collect();
    roots.sort_unstable_by(f64::total_cmp);
    roots
}
