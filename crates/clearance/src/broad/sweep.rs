//! Sweep and prune: three axes with the ends of all boxes, kept sorted (proximity-queries lecture, "Sweep and Prune").
//!
//! From frame to frame the ends are nearly sorted, so that insertion puts them in order in time linear in bodies and
//! exchanges. Two boxes that begin to overlap exchange a lower end with an upper end on some axis: each such exchange is
//! looked at once, with the boxes as they are now. Intervals are closed: among equal ends the lower ones come first.
//!
//! Departure: the lecture takes pairs out where ends are exchanged the other way. Here the pairs of the last update are compared
//! again, which needs no table to look them up in and costs no more than reporting them.
//!
//! Many new bodies or long jumps would make insertion quadratic. An update that has made more exchanges than a sort would take
//! stops counting on coherence: it sorts the axes and takes all pairs from a tree built for the occasion.

use super::pairs::{Pairs, ordered};
use super::{Bodies, BroadPhase, Pair, Update};
use crate::bvh::{Bvh, NodeBox};
use crate::math::Real;

/// Exchanges allowed per end and level of a sort before an update gives up insertion.
const PATIENCE: usize = 4;

/// One end of a box on one axis. The lowest bit of the key marks an upper end, the others are the body.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub value: Real,
    key: u32,
}

impl End {
    /// Both ends of a body, whose values are not known yet.
    pub fn both(body: u32) -> [Self; 2] {
        [0, 1].map(|upper| Self { value: 0.0, key: body << 1 | upper })
    }

    /// Takes over the value of its box.
    #[inline]
    pub fn follow(&mut self, bodies: &Bodies, axis: usize) {
        if let Some(bounds) = bodies.get(self.body()) {
            self.value = if self.is_upper() { bounds.max[axis] } else { bounds.min[axis] };
        }
    }

    #[inline]
    fn is_upper(self) -> bool {
        self.key & 1 == 1
    }

    #[inline]
    pub fn body(self) -> u32 {
        self.key >> 1
    }

    #[inline]
    fn comes_after(self, other: Self) -> bool {
        self.value > other.value || self.value == other.value && self.is_upper() && !other.is_upper()
    }
}

/// Three sorted axes.
#[derive(Debug, Clone, Default)]
pub struct SweepAndPrune {
    bodies: Bodies,
    pairs: Pairs,
    axes: [Vec<End>; 3],
    listed: Vec<bool>,
    begun: Vec<Pair>,
    tree: Bvh,
    exchanges: usize,
}

impl SweepAndPrune {
    /// Without bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Exchanges of neighbouring ends that the last update made; as many as a sort is worth if it gave up insertion.
    pub fn exchanges(&self) -> usize {
        self.exchanges
    }

    /// Drops the ends of removed bodies, lists those of new ones at the far end, and takes over the boxes as they are.
    fn refresh(&mut self) {
        let Self { bodies, axes, listed, .. } = self;
        listed.resize(bodies.capacity(), false);
        if !bodies.removed().is_empty() {
            let moves = |id: u32| bodies.contains(id) && !bodies.is_fixed(id);
            for axis in axes.iter_mut() {
                axis.retain(|end| moves(end.body()));
            }
            for &id in bodies.removed() {
                listed[id as usize] &= moves(id);
            }
        }
        for (axis, ends) in axes.iter_mut().enumerate() {
            let fresh = bodies.iter_moving().filter(|(id, _)| !listed[*id as usize]);
            ends.extend(fresh.flat_map(|(id, _)| End::both(id)));
            ends.iter_mut().for_each(|end| end.follow(bodies, axis));
        }
        for &id in bodies.moving() {
            listed[id as usize] = true;
        }
    }

    /// Sorts all axes by insertion; whether it was worth it.
    fn insert_all(&mut self) -> bool {
        let Self { bodies, axes, begun, exchanges, .. } = self;
        let patience = patience(2 * bodies.moving().len());
        let mut left = patience;
        let sorted = axes.iter_mut().all(|ends| {
            sort_by_insertion(ends, &mut left, |a, b| {
                if bodies.overlap(a, b) {
                    begun.push(ordered(a, b));
                }
            })
        });
        *exchanges = if sorted { patience - left } else { patience };
        sorted
    }

    fn find_all(&mut self) {
        self.axes.iter_mut().for_each(|ends| sort_ends(ends));
        find_by_tree(&self.bodies, &mut self.tree, self.pairs.found());
    }
}

/// Exchanges that so many ends are worth: as many as a sort would take, and some more.
pub(super) fn patience(ends: usize) -> usize {
    PATIENCE * ends * (ends.max(2).ilog2() as usize)
}

/// Sorts one axis from scratch.
pub(super) fn sort_ends(ends: &mut [End]) {
    ends.sort_unstable_by(|a, b| {
        a.value.partial_cmp(&b.value).unwrap_or(std::cmp::Ordering::Equal).then(a.is_upper().cmp(&b.is_upper()))
    });
}

/// All pairs of moving bodies from a tree built for the occasion; not all, but more than are kept, if there are more.
pub(super) fn find_by_tree(bodies: &Bodies, tree: &mut Bvh, found: &mut Vec<Pair>) {
    tree.build(bodies.iter_moving().map(|(id, bounds)| (id, NodeBox::enclosing(bounds))));
    let most = bodies.most_pairs();
    tree.self_pairs_while(|a, b| {
        if bodies.overlap(a, b) {
            found.push(ordered(a, b));
        }
        found.len() <= most
    });
}

/// The pairs of the last update that still overlap, and those that have begun to, in order and each once.
pub(super) fn merge(bodies: &Bodies, pairs: &mut Pairs, begun: &mut Vec<Pair>) {
    // Those with fixed bodies are found by the tree of these.
    let moves = |id: u32| bodies.contains(id) && !bodies.is_fixed(id);
    begun.extend(pairs.current().iter().filter(|&&[a, b]| moves(a) && moves(b) && bodies.overlap(a, b)));
    begun.sort_unstable();
    begun.dedup();
    pairs.found().extend_from_slice(begun);
}

/// Insertion sort that tells when a lower end passes an upper one on its way down. False once `left` exchanges are used up;
/// the ends are then all there, in no order.
pub(super) fn sort_by_insertion(ends: &mut [End], left: &mut usize, mut begin: impl FnMut(u32, u32)) -> bool {
    for i in 1..ends.len() {
        let end = ends[i];
        let mut at = i;
        while at > 0 && ends[at - 1].comes_after(end) {
            let passed = ends[at - 1];
            if passed.is_upper() && !end.is_upper() {
                begin(passed.body(), end.body());
            }
            ends[at] = passed;
            at -= 1;
        }
        ends[at] = end;
        let used = i - at;
        if used > *left {
            return false;
        }
        *left -= used;
    }
    true
}

impl BroadPhase for SweepAndPrune {
    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn update(&mut self) -> Update<'_> {
        self.bodies.prepare();
        self.refresh();
        self.begun.clear();
        // The pairs before an update that was not complete are none to go on from.
        if !self.pairs.is_overfull() && self.insert_all() {
            merge(&self.bodies, &mut self.pairs, &mut self.begun);
        } else {
            self.find_all();
        }
        self.bodies.pairs_with_fixed(self.pairs.found());
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
