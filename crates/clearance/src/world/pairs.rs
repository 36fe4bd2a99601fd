//! The pairs under observation: what each remembers, following the broad phase.
//!
//! The states are kept in the order of the pairs: the narrow phase runs through one block of memory, in any number of threads,
//! with the first bodies in order, too, and finds everything in the order in which it is told. An update merges sorted lists:
//! nothing is hashed.

use crate::broad::{Pair, Update};
use crate::math::Real;
use crate::narrow::PairCache;

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
}

impl PairState {
    fn new(bodies: Pair, margin: Option<Real>) -> Self {
        let margin = margin.unwrap_or(-1.0);
        Self { cache: PairCache::default(), bodies, margin, gap: 0.0, stamp: 0, touching: false, due: true }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct PairTable {
    pub states: Vec<PairState>,
    next: Vec<PairState>,
}

impl PairTable {
    /// Follows the broad phase. `margin` says how a new pair is looked at; `gone` hears of each state that is dropped.
    pub fn follow(
        &mut self,
        update: &Update<'_>,
        margin: impl Fn(Pair) -> Option<Real>,
        mut gone: impl FnMut(&PairState),
    ) {
        if update.entered.is_empty() && update.left.is_empty() {
            return;
        }
        self.next.clear();
        let mut left = update.left.iter().copied().peekable();
        let mut entered = update.entered.iter().copied().peekable();
        let mut rest = self.states.as_slice();
        while let Some(changed) = left.peek().into_iter().chain(entered.peek()).min().copied() {
            let kept = rest.iter().take_while(|state| state.bodies < changed).count();
            self.next.extend_from_slice(&rest[..kept]);
            rest = &rest[kept..];
            // A pair that leaves and enters at once is of another body.
            if left.next_if_eq(&changed).is_some()
                && let Some((state, others)) = rest.split_first()
            {
                gone(state);
                rest = others;
            }
            if entered.next_if_eq(&changed).is_some() {
                self.next.push(PairState::new(changed, margin(changed)));
            }
        }
        self.next.extend_from_slice(rest);
        std::mem::swap(&mut self.states, &mut self.next);
        debug_assert!(self.states.iter().map(|state| &state.bodies).eq(update.pairs));
    }
}

/// The state of a pair, among all in order.
pub(super) fn find(states: &mut [PairState], pair: Pair) -> Option<&mut PairState> {
    let at = states.binary_search_by_key(&pair, |state| state.bodies).ok()?;
    states.get_mut(at)
}
