//! The pairs under observation: what each remembers, following the broad phase.
//!
//! The states are kept in the order of the pairs: the narrow phase runs through one block of memory, in any number of threads,
//! with the first bodies in order, too, and finds everything in the order in which it is told. An update merges sorted lists:
//! nothing is hashed.
//!
//! A pair of convex shapes remembers 64 bytes, which are part of its state. All others have a larger cache in a second table, in
//! the order of the states they belong to; caches of pairs that are gone wait, cleared, for new ones, with the memory they hold.

use crate::broad::{Pair, Update};
use crate::math::Real;
use crate::narrow::PairCache;
use crate::verbs::Cache;

/// What is known of a pair whose boxes overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairState {
    pub cache: PairCache,
    /// The bodies' places.
    pub bodies: Pair,
    /// The distance at which it counts as touching; negative if the pair is not looked at.
    pub margin: Real,
    /// By how much at least it was farther apart than anything is to be told of it, when it was last looked at.
    pub gap: Real,
    /// Its valid entry in the schedule.
    pub stamp: u32,
    pub touching: bool,
    /// Whether it is looked at in this step.
    pub due: bool,
    /// Whether both are convex shapes: the others have a cache of their own.
    pub is_convex: bool,
}

impl PairState {
    /// A pair that is new, with its margin if it is looked at.
    pub fn new(bodies: Pair, margin: Option<Real>, is_convex: bool) -> Self {
        let margin = margin.unwrap_or(-1.0);
        Self { cache: PairCache::default(), bodies, margin, gap: 0.0, stamp: 0, touching: false, due: true, is_convex }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct PairTable {
    pub states: Vec<PairState>,
    /// The caches of the pairs that are not of two convex shapes, in order.
    pub caches: Vec<Cache>,
    next: Vec<PairState>,
    next_caches: Vec<Cache>,
    spare: Vec<Cache>,
}

impl PairTable {
    /// Follows the broad phase. `begin` gives a new pair its state; `gone` hears of each state that is dropped.
    pub fn follow(&mut self, update: &Update<'_>, begin: impl Fn(Pair) -> PairState, mut gone: impl FnMut(&PairState)) {
        if update.entered.is_empty() && update.left.is_empty() {
            return;
        }
        self.next.clear();
        self.next_caches.clear();
        let has_caches = !self.caches.is_empty();
        let mut caches = self.caches.drain(..);
        let mut left = update.left.iter().copied().peekable();
        let mut entered = update.entered.iter().copied().peekable();
        let mut rest = self.states.as_slice();
        while let Some(changed) = left.peek().into_iter().chain(entered.peek()).min().copied() {
            let kept = rest.iter().take_while(|state| state.bodies < changed).count();
            self.next.extend_from_slice(&rest[..kept]);
            if has_caches {
                self.next_caches.extend(caches.by_ref().take(cache_count(&rest[..kept])));
            }
            rest = &rest[kept..];
            // A pair that leaves and enters at once is of another body.
            if left.next_if_eq(&changed).is_some()
                && let Some((state, others)) = rest.split_first()
            {
                gone(state);
                rest = others;
                if !state.is_convex
                    && let Some(mut cache) = caches.next()
                {
                    cache.clear();
                    self.spare.push(cache);
                }
            }
            if entered.next_if_eq(&changed).is_some() {
                let state = begin(changed);
                self.next.push(state);
                if !state.is_convex {
                    self.next_caches.push(self.spare.pop().unwrap_or_default());
                }
            }
        }
        self.next.extend_from_slice(rest);
        self.next_caches.extend(caches);
        std::mem::swap(&mut self.states, &mut self.next);
        std::mem::swap(&mut self.caches, &mut self.next_caches);
        debug_assert!(self.states.iter().map(|state| &state.bodies).eq(update.pairs));
    }
}

/// How many of the pairs have a cache of their own.
pub(super) fn cache_count(states: &[PairState]) -> usize {
    states.iter().filter(|state| !state.is_convex).count()
}

/// The state of a pair, among all in order.
pub(super) fn find(states: &mut [PairState], pair: Pair) -> Option<&mut PairState> {
    let at = states.binary_search_by_key(&pair, |state| state.bodies).ok()?;
    states.get_mut(at)
}
