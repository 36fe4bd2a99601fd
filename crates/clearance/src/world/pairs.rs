//! The pairs under observation: what each remembers, following the broad phase.
//!
//! States stay where they are while pairs come and go around them (a table with free places), so that the narrow phase runs
//! through one block of memory, in any number of threads; beside it, the broad phase's list of pairs in order, with the place of
//! each. An update merges two sorted lists: nothing is hashed, and only numbers are moved.

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
    /// A lower bound on the distance when it was last looked at.
    pub distance: Real,
    pub status: Status,
    /// Whether it is looked at in this step.
    pub due: bool,
    /// Changes whenever entries in the schedule become void.
    pub stamp: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// No pair: a free place.
    Free,
    Apart,
    Touching,
}

#[derive(Debug, Clone, Default)]
pub(super) struct PairTable {
    pub states: Vec<PairState>,
    free: Vec<u32>,
    /// The pairs in order, and their places.
    pairs: Vec<Pair>,
    places: Vec<u32>,
    next_places: Vec<u32>,
}

impl PairTable {
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Follows the broad phase. `margin` says how a new pair is looked at; `gone` hears of each state before it is freed.
    pub fn follow(
        &mut self,
        update: &Update<'_>,
        mut margin: impl FnMut(Pair) -> Option<Real>,
        mut gone: impl FnMut(&PairState),
    ) {
        if update.entered.is_empty() && update.left.is_empty() {
            return;
        }
        let mut left = update.left.iter().peekable();
        let mut entered = update.entered.iter().peekable();
        let (pairs, places) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.places));
        let mut next_places = std::mem::take(&mut self.next_places);
        next_places.clear();
        let mut old = pairs.iter().zip(&places).peekable();
        // Whatever is gone first, so that its places can be taken again in this frame.
        for (pair, &place) in pairs.iter().zip(&places) {
            if left.next_if_eq(&pair).is_some() {
                gone(&self.states[place as usize]);
                self.release(place);
            }
        }
        for pair in update.pairs {
            // Old pairs below this one are those that are gone.
            while old.next_if(|(known, _)| *known < pair).is_some() {}
            let known = old.next_if(|(known, _)| *known == pair).map(|(_, &place)| place);
            let fresh = entered.next_if_eq(&pair).is_some();
            next_places.push(match known.filter(|_| !fresh) {
                Some(place) => place,
                None => self.take(*pair, margin(*pair)),
            });
        }
        self.pairs = pairs;
        self.pairs.clear();
        self.pairs.extend_from_slice(update.pairs);
        (self.places, self.next_places) = (next_places, places);
    }

    fn release(&mut self, place: u32) {
        let state = &mut self.states[place as usize];
        state.status = Status::Free;
        state.due = false;
        state.stamp = state.stamp.wrapping_add(1);
        self.free.push(place);
    }

    fn take(&mut self, bodies: Pair, margin: Option<Real>) -> u32 {
        let fresh = PairState {
            cache: PairCache::default(),
            bodies,
            margin: margin.unwrap_or(-1.0),
            distance: 0.0,
            status: Status::Apart,
            due: true,
            stamp: 0,
        };
        match self.free.pop() {
            Some(place) => {
                let state = &mut self.states[place as usize];
                *state = PairState { stamp: state.stamp, ..fresh };
                place
            }
            None => {
                self.states.push(fresh);
                self.states.len() as u32 - 1
            }
        }
    }
}
