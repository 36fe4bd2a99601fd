//! The pairs under observation: what each remembers, following the broad phase.
//!
//! The states are kept in the order of the pairs: the narrow phase runs through one block of memory, in any number of threads,
//! with the first bodies in order, too, and finds everything in the order in which it is told. An update merges sorted lists:
//! nothing is hashed.
//!
//! A pair of convex shapes remembers 64 bytes, which are part of its state. All others have a memory in a second table, in the order
//! of the states they belong to. Memories of pairs that are gone wait, cleared, for new pairs of their kind, with what they have
//! allocated: only where there are more pairs of a kind than ever before is there anything to allocate.

use super::kept::Kept;
use crate::broad::{Pair, Update};
use crate::concave::Patch;
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
    pub kind: Kind,
}

/// What a pair is of, and hence where it remembers what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Two convex shapes: in its state.
    Convex,
    /// A mesh and a convex shape of which only the boolean is wanted: in a patch.
    Patch,
    /// The same, of which more is wanted: in a patch and a cache.
    PatchAndCache,
    /// Any other: in a cache.
    Any,
}

/// What a pair that is not of two convex shapes remembers.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    pub cache: Cache,
    pub patch: Option<Box<Patch>>,
}

impl Memory {
    /// With all that a pair of the kind will allocate.
    fn new(kind: Kind) -> Self {
        let mut memory = Self::default();
        if matches!(kind, Kind::Patch | Kind::PatchAndCache) {
            memory.patch = Some(Box::default());
        }
        if kind != Kind::Patch {
            memory.cache.reserve();
        }
        memory
    }

    fn clear(&mut self) {
        self.cache.clear();
        if let Some(patch) = &mut self.patch {
            patch.clear();
        }
    }
}

impl PairState {
    /// A pair that is new, with its margin if it is looked at.
    pub fn new(bodies: Pair, margin: Option<Real>, kind: Kind) -> Self {
        let margin = margin.unwrap_or(-1.0);
        Self { cache: PairCache::default(), bodies, margin, gap: 0.0, stamp: 0, touching: false, due: true, kind }
    }
}

#[derive(Debug, Default)]
pub(super) struct PairTable {
    pub states: Vec<PairState>,
    /// The memories of the pairs that are not of two convex shapes, in order.
    pub memories: Vec<Memory>,
    /// The contacts of all pairs, in order, if they are kept from step to step; else nothing.
    pub kept: Vec<Kept>,
    next: Vec<PairState>,
    next_memories: Vec<Memory>,
    next_kept: Vec<Kept>,
    /// By kind.
    spare: [Vec<Memory>; 4],
    spare_kept: Vec<Kept>,
    keeps: bool,
}

/// Pairs in a row, with what they remember.
#[derive(Debug)]
pub(super) struct PairSlices<'a> {
    pub states: &'a mut [PairState],
    pub memories: &'a mut [Memory],
    pub kept: &'a mut [Kept],
}

impl PairSlices<'_> {
    /// The first `count` pairs, and the others.
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let (states, more_states) = self.states.split_at_mut(count);
        let with_memory = if self.memories.is_empty() { 0 } else { memory_count(states) };
        let (memories, more_memories) = self.memories.split_at_mut(with_memory);
        let (kept, more_kept) = self.kept.split_at_mut(count.min(self.kept.len()));
        (Self { states, memories, kept }, Self { states: more_states, memories: more_memories, kept: more_kept })
    }
}

impl PairTable {
    /// All pairs.
    pub fn slices(&mut self) -> PairSlices<'_> {
        PairSlices { states: &mut self.states, memories: &mut self.memories, kept: &mut self.kept }
    }

    /// Whether contacts are kept from step to step.
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Without pairs; `keeps` says whether their contacts are kept.
    pub fn new(keeps: bool) -> Self {
        Self { keeps, ..Self::default() }
    }

    /// Follows the broad phase. `begin` gives a new pair its state; `gone` hears of each state that is dropped.
    pub fn follow(&mut self, update: &Update<'_>, begin: impl Fn(Pair) -> PairState, mut gone: impl FnMut(&PairState)) {
        if update.entered.is_empty() && update.left.is_empty() {
            return;
        }
        self.next.clear();
        self.next_memories.clear();
        self.next_kept.clear();
        let has_memories = !self.memories.is_empty();
        let mut memories = self.memories.drain(..);
        let mut contacts = self.kept.drain(..);
        let mut left = update.left.iter().copied().peekable();
        let mut entered = update.entered.iter().copied().peekable();
        let mut rest = self.states.as_slice();
        while let Some(changed) = left.peek().into_iter().chain(entered.peek()).min().copied() {
            let kept = rest.iter().take_while(|state| state.bodies < changed).count();
            self.next.extend_from_slice(&rest[..kept]);
            self.next_kept.extend(contacts.by_ref().take(kept));
            if has_memories {
                self.next_memories.extend(memories.by_ref().take(memory_count(&rest[..kept])));
            }
            rest = &rest[kept..];
            // A pair that leaves and enters at once is of another body.
            if left.next_if_eq(&changed).is_some()
                && let Some((state, others)) = rest.split_first()
            {
                gone(state);
                rest = others;
                self.spare_kept.extend(contacts.next());
                if state.kind != Kind::Convex
                    && let Some(mut memory) = memories.next()
                {
                    memory.clear();
                    self.spare[state.kind as usize].push(memory);
                }
            }
            if entered.next_if_eq(&changed).is_some() {
                let state = begin(changed);
                self.next.push(state);
                if self.keeps {
                    let mut spare = self.spare_kept.pop().unwrap_or_else(Kept::new);
                    spare.clear();
                    self.next_kept.push(spare);
                }
                if state.kind != Kind::Convex {
                    let spare = self.spare[state.kind as usize].pop();
                    self.next_memories.push(spare.unwrap_or_else(|| Memory::new(state.kind)));
                }
            }
        }
        self.next.extend_from_slice(rest);
        self.next_memories.extend(memories);
        self.next_kept.extend(contacts);
        std::mem::swap(&mut self.states, &mut self.next);
        std::mem::swap(&mut self.memories, &mut self.next_memories);
        std::mem::swap(&mut self.kept, &mut self.next_kept);
        debug_assert!(self.states.iter().map(|state| &state.bodies).eq(update.pairs));
    }
}

/// How many of the pairs have a memory of their own.
fn memory_count(states: &[PairState]) -> usize {
    states.iter().filter(|state| state.kind != Kind::Convex).count()
}

/// The state of a pair, among all in order.
pub(super) fn find(states: &mut [PairState], pair: Pair) -> Option<&mut PairState> {
    let at = states.binary_search_by_key(&pair, |state| state.bodies).ok()?;
    states.get_mut(at)
}
