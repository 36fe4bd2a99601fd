//! From many contact places to the few that carry the most: the deepest, and with it those that span the largest area.
//!
//! The places come in counter-clockwise order around a convex outline. The largest polygon of k corners of it through a given
//! one is found exactly, by the best way to each corner with one, two, … k corners: the area of a fan is a sum over
//! consecutive corners. If several places are equally deep, each is tried, or four of them where there are many (a circle: the
//! largest square of sixteen corners is as large from any of them). When the point of `closest` had to be added to the
//! outline (always last), it is kept and the others are taken one by one, each adding the most area.
//!
//! The places of the last frame, known by their names, stay as long as they are nearly as good: they span nearly as large an area, and
//! one of them is nearly as deep as the deepest. Otherwise the choice would change with every rounding where several are equally good, as
//! four of the eight corners of two squares turned by 45° are.
//! It ends: at most 32 places, so loops of 32³ · 16 steps at the very most; eight and four are usual. Ties go to the first.

use arrayvec::ArrayVec;

use super::contact::Candidate;
use super::options::MAX_POINTS;
use super::outline::cross;
use crate::math::{Real, Vec3, length};
use crate::narrow::Names;
use crate::tolerance::NEARLY_AS_LARGE;

/// More places than this are thinned first.
const MANY: usize = 24;
/// The most places after that: those of the last frame are kept besides.
const ROOM: usize = MANY + Names::MOST;
/// Up to so many places are each tried as the one that stays.
const FEW: usize = 8;

type Chosen = ArrayVec<usize, MAX_POINTS>;

/// What is chosen by.
pub(super) struct Choice<'n> {
    pub count: usize,
    /// The last place is not of the outline: it is that of `closest`.
    pub added: bool,
    /// Depths within this are the same.
    pub slop: Real,
    /// Those of the last frame's places within this.
    pub still: Real,
    pub known: &'n Names,
}

/// The best `count` of the places, in their order.
pub(super) fn best(candidates: &[Candidate], choice: &Choice<'_>) -> ArrayVec<Candidate, MAX_POINTS> {
    if candidates.len() <= choice.count {
        return candidates.iter().copied().collect();
    }
    let thinned = thin(candidates, choice);
    let all = &thinned[..];
    let depth = deepest(all).map_or(0.0, |i| all[i].depth);
    let chosen = if all.len() <= choice.count {
        (0..all.len()).collect()
    } else if choice.added {
        greedy(all, all.len() - 1, choice.count)
    } else {
        let (area, chosen) = largest(all, depth - choice.slop, choice.count);
        kept(all, choice, depth, area).unwrap_or(chosen)
    };
    chosen.into_iter().map(|i| all[i]).collect()
}

fn deepest(all: &[Candidate]) -> Option<usize> {
    (0..all.len()).reduce(|best, i| if all[i].depth > all[best].depth { i } else { best })
}

/// Every so many places, but always the deepest, the last if it was added, and those of the last frame.
fn thin(candidates: &[Candidate], choice: &Choice<'_>) -> ArrayVec<Candidate, ROOM> {
    if candidates.len() <= MANY {
        return candidates.iter().copied().collect();
    }
    // Leaving room for the deepest and the last.
    let steps = candidates.len().div_ceil(MANY - 2);
    let (deepest, last) = (deepest(candidates), candidates.len().saturating_sub(1));
    let wanted = |i: usize| {
        i.is_multiple_of(steps)
            || deepest == Some(i)
            || (choice.added && i == last)
            || choice.known.contain(candidates[i].feature)
    };
    candidates.iter().enumerate().filter(|(i, _)| wanted(*i)).map(|(_, c)| *c).take(ROOM).collect()
}

/// The places of the last frame, if they are as many as asked for and nearly as good as the best, with that depth and area, or as
/// the best with one of theirs that is as deep.
fn kept(all: &[Candidate], choice: &Choice<'_>, depth: Real, area: Real) -> Option<Chosen> {
    if choice.known.is_empty() {
        return None;
    }
    let mut kept = Chosen::new();
    for (i, candidate) in all.iter().enumerate() {
        if choice.known.contain(candidate.feature) {
            kept.try_push(i).ok()?;
        }
    }
    let from = all[*kept.first()?].at;
    let spoke = |i: &usize| all[*i].at - from;
    let own = if choice.count < 3 {
        kept.last().map_or(0.0, |i| length(spoke(i)))
    } else {
        kept.windows(2).map(|pair| cross(spoke(&pair[0]), spoke(&pair[1]))).sum()
    };
    let mut deep = kept.iter().filter(|&&i| all[i].depth >= depth - choice.still).peekable();
    deep.peek()?;
    let is_as_good = kept.len() == choice.count
        && (own >= NEARLY_AS_LARGE * area
            || deep.any(|&anchor| own >= NEARLY_AS_LARGE * through(all, anchor, choice.count).0));
    is_as_good.then_some(kept)
}

/// The largest polygon of `count` places through one of those at or below the level, and twice its area or, of two places, how far they
/// are apart.
fn largest(all: &[Candidate], level: Real, count: usize) -> (Real, Chosen) {
    let mut best: Option<(Real, Chosen)> = None;
    let steps = if all.len() <= FEW { 1 } else { all.len().div_ceil(4) };
    let anchors = (0..all.len()).filter(|&i| all[i].depth >= level).step_by(steps);
    for anchor in anchors {
        let (area, chosen) = through(all, anchor, count);
        if best.as_ref().is_none_or(|(known, _)| area > *known) {
            best = Some((area, chosen));
        }
    }
    best.unwrap_or_default()
}

/// The largest polygon with a corner at `anchor`, and twice its area or, of two places, how far they are apart.
fn through(all: &[Candidate], anchor: usize, count: usize) -> (Real, Chosen) {
    let (area, chosen) = if count < 3 { widest(all, anchor, count) } else { fan(all, anchor, count) };
    // A flat fan says nothing about which of its corners matter.
    if area > 0.0 { (area, chosen) } else { (0.0, greedy(all, anchor, count)) }
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
    let spokes: ArrayVec<Vec3, ROOM> = all[anchor..].iter().chain(&all[..anchor]).map(|c| c.at - from).collect();
    // Of the largest fan with k corners whose last is place i, counted from the anchor: its area; and the corner before.
    let mut area = [0.0; ROOM];
    let mut before: ArrayVec<[u8; ROOM], MAX_POINTS> = std::iter::repeat_n([0; ROOM], count.min(MAX_POINTS)).collect();
    for (k, before) in before.iter_mut().enumerate().skip(2) {
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
