//! The least clearance of a pair over its motion, with bounds.
//!
//! The distances at the times of the poses give an upper bound u. From each time to the next the pair is then shown never to come as near
//! as a little less than u: by boxes, by the distances at both ends and the speed of the farthest points, or by the time of impact
//! for bodies that are to keep that clearance. Where it does come nearer, the distance there is the new u.

use clearance::{Closest, Contact};

use super::broad::Boxes;
use super::finding::PairClearance;
use super::track::Pair;
use crate::tolerance::{CLEARANCE_FLOOR, CLEARANCE_GAP};

/// New upper bounds that are looked for within one step.
const MOST_ROUNDS: usize = 32;

/// The least clearance, and where it is.
pub(super) struct Least {
    pub clearance: PairClearance,
    /// The step and the share of it.
    pub step: usize,
    pub share: f64,
    pub near: Closest,
}

/// The least clearance over the whole motion; with the distances at all times if these are wanted, and else at those that may be least.
pub(super) fn least_clearance(pair: &Pair<'_>, boxes: &Boxes, every: bool) -> Least {
    let times = &pair.timeline.times;
    let mut best = (0, 0.0, pair.near(0));
    for step in 1..times.len() {
        if !every && pair.gap(boxes, step - 1) > best.2.upper {
            continue;
        }
        let near = pair.near(step);
        if near.distance < best.2.distance {
            let (step, share) = pair.place(step);
            best = (step, share, near);
        }
    }
    let mut lower = f64::INFINITY;
    for step in 0..times.len() - 1 {
        lower = lower.min(bounded(pair, boxes, step, &mut best));
    }
    let (step, share, near) = best;
    let clearance = PairClearance {
        a: pair.parts[0],
        b: pair.parts[1],
        time: pair.time(step, share),
        distance: near.distance,
        lower: lower.min(near.lower),
        upper: near.upper,
        samples: pair.samples(),
    };
    Least { clearance, step, share, near }
}

type Best = (usize, f64, Closest);

/// A lower bound of the distance from one time to the next; what is nearer than the best is the new best.
fn bounded(pair: &Pair<'_>, boxes: &Boxes, step: usize, best: &mut Best) -> f64 {
    let aim = |best: &Best| best.2.upper - (CLEARANCE_GAP * best.2.upper.max(0.0) + CLEARANCE_FLOOR * pair.size);
    let apart = pair.gap(boxes, step);
    if apart >= aim(best) {
        return apart;
    }
    let ends = pair.near(step).lower.min(pair.near(step + 1).lower);
    let quick = apart.max(ends - pair.most_change(step));
    if quick >= aim(best) {
        return quick;
    }
    for _ in 0..MOST_ROUNDS {
        let keep = aim(best);
        if !(keep > 0.0) {
            break;
        }
        let Some(cast) = pair.impact(step, keep, false) else { return keep };
        let near = pair.near_at(&pair.poses_between(step, cast.fraction));
        if !(near.upper < best.2.upper) {
            break;
        }
        *best = (step, cast.fraction, near);
        if near.contact != Contact::Apart {
            break;
        }
    }
    quick.max(0.0).min(best.2.lower.max(0.0))
}
