//! From many contact places to the few that carry the most: the deepest, and with it those that span the largest area.
//!
//! The places come in counter-clockwise order around a convex outline. The largest polygon of k corners of it through a given
//! one is found exactly, by the best way to each corner with one, two, … k corners: the area of a fan is a sum over
//! consecutive corners. If several places are equally deep, each is tried, or four of them where there are many (a circle: the
//! largest square of sixteen corners is as large from any of them). When the point of `closest` had to be added to the
//! outline (always last), it is kept and the others are taken one by one, each adding the most area.
//! It ends: at most 24 places, so loops of 24³ · 16 steps at the very most; eight and four are usual. Ties go to the first.

use arrayvec::ArrayVec;

use super::contact::Candidate;
use super::options::MAX_POINTS;
use super::outline::cross;
use crate::math::{Real, Vec3, length};

/// More places than this are thinned first.
const MANY: usize = 24;
/// Up to so many places are each tried as the one that stays.
const FEW: usize = 8;

type Chosen = ArrayVec<usize, MAX_POINTS>;

/// The best `count` of the places; the deepest comes first. `added` says that the last one is not of the outline.
pub(super) fn best(candidates: &[Candidate], added: bool, count: usize, slop: Real) -> ArrayVec<Candidate, MAX_POINTS> {
    let thinned = thin(candidates, added);
    let all = &thinned[..];
    let deepest = deepest(all);
    let chosen: Chosen = if all.len() <= count {
        let start = deepest.unwrap_or(0);
        (0..all.len()).map(|i| (start + i) % all.len()).collect()
    } else if added {
        greedy(all, all.len() - 1, count)
    } else {
        let level = deepest.map_or(0.0, |i| all[i].depth) - slop;
        largest(all, level, count)
    };
    chosen.into_iter().map(|i| all[i]).collect()
}

fn deepest(all: &[Candidate]) -> Option<usize> {
    (0..all.len()).reduce(|best, i| if all[i].depth > all[best].depth { i } else { best })
}

/// Every so many places, but always the deepest and the last if it was added.
fn thin(candidates: &[Candidate], added: bool) -> ArrayVec<Candidate, MANY> {
    let steps = if candidates.len() <= MANY { 1 } else { candidates.len().div_ceil(MANY - 2) };
    let (deepest, last) = (deepest(candidates), candidates.len().saturating_sub(1));
    let wanted = |i: usize| i.is_multiple_of(steps) || deepest == Some(i) || (added && i == last);
    candidates.iter().enumerate().filter(|(i, _)| wanted(*i)).map(|(_, c)| *c).collect()
}

/// The largest polygon of `count` places through one of those at or below the level.
fn largest(all: &[Candidate], level: Real, count: usize) -> Chosen {
    let mut best: Option<(Real, Chosen)> = None;
    let steps = if all.len() <= FEW { 1 } else { all.len().div_ceil(4) };
    let anchors = (0..all.len()).filter(|&i| all[i].depth >= level).step_by(steps);
    for anchor in anchors {
        let (area, chosen) = if count < 3 { widest(all, anchor, count) } else { fan(all, anchor, count) };
        // A flat fan says nothing about which of its corners matter.
        let (area, chosen) = if area > 0.0 { (area, chosen) } else { (0.0, greedy(all, anchor, count)) };
        if best.as_ref().is_none_or(|(known, _)| area > *known) {
            best = Some((area, chosen));
        }
    }
    best.map(|(_, chosen)| chosen).unwrap_or_default()
}

/// One place, or two as far apart as can be.
fn widest(all: &[Candidate], anchor: usize, count: usize) -> (Real, Chosen) {
    let chosen = greedy(all, anchor, count);
    let span = chosen.last().map_or(0.0, |&i| length(all[i].at - all[anchor].at));
    (span, chosen)
}

/// The largest polygon of `count` corners with one at `anchor`, and twice its area.
fn fan(all: &[Candidate], anchor: usize, count: usize) -> (Real, Chosen) {
    let n = all.len();
    let from = all[anchor].at;
    let spokes: ArrayVec<Vec3, MANY> = all[anchor..].iter().chain(&all[..anchor]).map(|c| c.at - from).collect();
    // Of the largest fan with k corners whose last is place i, counted from the anchor: its area; and the corner before.
    let mut area = [0.0; MANY];
    let mut before = [[0u8; MANY]; MAX_POINTS];
    for (k, before) in before.iter_mut().enumerate().take(count).skip(2) {
        // From the end, as each place looks at the areas of fans with a corner less, which end before it.
        for i in (k..n).rev() {
            let (mut best, mut last) = (Real::NEG_INFINITY, k - 1);
            for j in k - 1..i {
                let larger = area[j] + cross(spokes[j], spokes[i]);
                if larger > best {
                    (best, last) = (larger, j);
                }
            }
            (area[i], before[i]) = (best, last as u8);
        }
    }
    let end = (count - 1..n).reduce(|best, i| if area[i] > area[best] { i } else { best }).unwrap_or(count - 1);
    let mut chosen = Chosen::new();
    let mut at = end;
    for k in (1..count).rev() {
        chosen.push((anchor + at) % n);
        at = usize::from(before[k][at]);
    }
    chosen.push(anchor);
    chosen.reverse();
    (area[end], chosen)
}

/// The first place, the one farthest from it, then always the one that adds the most area to the polygon so far.
fn greedy(all: &[Candidate], first: usize, count: usize) -> Chosen {
    let mut chosen = Chosen::new();
    chosen.push(first);
    let away = |i: usize| length(all[i].at - all[first].at);
    let farthest = (0..all.len()).reduce(|best, i| if away(i) > away(best) { i } else { best }).unwrap_or(first);
    if count > 1 && farthest != first {
        chosen.push(farthest);
    }
    while chosen.len() > 1 && chosen.len() < count {
        let mut best = (0.0, 0, 0);
        for i in (0..all.len()).filter(|i| !chosen.contains(i)) {
            for side in 0..chosen.len() {
                let (start, end) = (all[chosen[side]].at, all[chosen[(side + 1) % chosen.len()]].at);
                let gain = -cross(end - start, all[i].at - start);
                if gain > best.0 {
                    best = (gain, i, side + 1);
                }
            }
        }
        if best.0 <= 0.0 {
            break;
        }
        chosen.insert(best.2, best.1);
    }
    chosen
}
