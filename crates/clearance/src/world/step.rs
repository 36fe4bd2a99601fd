//! One frame: boxes, pairs, tests, events.

use super::World;
use super::error::WorldError;
use super::id::BodyId;
use super::kept::KeepRule;
use super::pairs::{Kind, PairSlices, PairState, find};
use super::report::{Event, EventKind, Mode, Step, WorldOptions};
use super::schedule::frames_until;
use super::slot::Slot;
use super::test::{Found, Scene};
use crate::broad::Pair;
use crate::bvh::NodeBox;
use crate::math::{Aabb, Real};
use crate::shape::Body;
use crate::tolerance::KEPT_MARGIN;

/// Pairs that one thread takes at a time: enough to be worth a thread's while, few enough to share the work out evenly.
const CHUNK: usize = 256;
/// The same where some of them are not of two convex shapes: a mesh takes a hundred times as long.
const CONCAVE_CHUNK: usize = 16;
/// Bodies that one thread moves at a time.
#[cfg(feature = "parallel")]
const MOVED: usize = 1024;

impl World {
    /// [`World::step`], which is an error if it is not complete.
    ///
    /// # Errors
    /// If more boxes overlap than [`WorldOptions::most_pairs`].
    pub fn try_step(&mut self) -> Result<Step<'_>, WorldError> {
        let most = self.options.most_pairs;
        let step = self.step();
        if step.is_complete { Ok(step) } else { Err(WorldError::TooManyPairs { most }) }
    }

    /// Looks at the bodies as they are now. If more boxes overlap than [`WorldOptions::most_pairs`], as many bodies in one place do, nothing is
    /// told and [`Step::is_complete`] is false.
    pub fn step(&mut self) -> Step<'_> {
        self.follow_rules();
        self.now += 1;
        self.ended.clear();
        self.moved.sort_unstable();
        let surprises = self.watch_motion();
        self.move_boxes();
        let is_complete = self.follow_pairs();
        if is_complete {
            let asleep = self.choose_due();
            self.test_pairs();
            if self.options.schedule {
                self.plan();
            }
            self.remember_poses();
            self.collect();
            let statistics = &mut self.told.statistics;
            (statistics.pairs, statistics.asleep, statistics.surprises) =
                (self.pairs.states.len() as u64, asleep, surprises);
        } else {
            self.remember_poses();
            self.told.clear();
        }
        Step {
            events: &self.told.events,
            near: &self.told.near,
            contacts: &self.told.contacts,
            kept: &self.told.kept,
            roundings: &self.told.roundings,
            statistics: self.told.statistics,
            is_complete,
        }
    }

    /// Gives the bodies whose rules have changed the reach that these ask for.
    fn follow_rules(&mut self) {
        self.rules_changed.sort_unstable();
        self.rules_changed.dedup();
        while let Some(slot) = self.rules_changed.pop() {
            let at = slot as usize;
            if self.slots[at].body.is_some() {
                self.slots[at].reach = self.options.mode.reach(self.slots[at].radius, self.matrix.reach(slot));
                self.list(at);
            }
        }
    }

    /// Raises an alarm for each body that has moved farther than its bounds allow.
    fn watch_motion(&mut self) -> u64 {
        if !self.options.schedule {
            self.alarmed.clear();
            return 0;
        }
        let before = self.alarmed.len();
        for &at in &self.moved {
            let slot = &self.slots[at as usize];
            let allows =
                |envelope: super::Envelope| envelope.allows(slot.radius, &slot.previous, &slot.pose, self.now - 1);
            if slot.envelope.is_some_and(|envelope| !allows(envelope)) {
                self.alarmed.push(at);
            }
        }
        (self.alarmed.len() - before) as u64
    }

    /// Boxes follow the bodies that have moved. Where contacts are kept, a box has slack in which its body may move.
    fn move_boxes(&mut self) {
        let bodies = self.broad.bodies_mut();
        let slack = if self.pairs.keeps() { KEPT_MARGIN * self.options.mode.wanted(0.0) } else { 0.0 };
        self.stirred |= follow_boxes(&self.moved, 0, &mut self.slots, bodies.bounds_mut(), slack);
        self.stirred |= !self.fixed_moved.is_empty();
        self.fixed_moved.drain(..).for_each(|at| bodies.mark_fixed(at));
        if self.options.queries && self.stirred {
            let (slots, bodies) = (&self.slots, self.broad.bodies());
            let moving = self.moved.iter().filter(|&&at| !slots[at as usize].is_fixed);
            self.index.follow(moving.filter_map(|&at| Some((at, NodeBox::enclosing(bodies.get(at)?)))));
        }
    }

    /// Follows the broad phase; false if there are too many pairs, which leaves all as it was.
    fn follow_pairs(&mut self) -> bool {
        let (matrix, slots, ended, options) = (&self.matrix, &mut self.slots, &mut self.ended, &self.options);
        let of = |pair: Pair| pair.map(|body| &slots[body as usize]);
        let margin = |pair: Pair| matrix.margin(pair, of(pair).map(|slot| slot.group));
        let begin = |pair: Pair| PairState::new(pair, margin(pair), kind(of(pair), options));
        let gone = |state: &PairState| {
            if state.touching {
                // The bodies of the last step: their places may hold others by now.
                let id = |slot: u32| BodyId { slot, generation: slots[slot as usize].seen };
                ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
            }
        };
        if self.stirred {
            let update = self.broad.update();
            if !update.is_complete {
                return false;
            }
            self.pairs.follow(&update, begin, gone);
            self.stirred = false;
        }
        if std::mem::take(&mut self.matrix_changed) {
            for state in &mut self.pairs.states {
                let margin = margin(state.bodies);
                if margin.is_none() && state.touching {
                    let id = |slot: u32| slots[slot as usize].id(slot);
                    ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
                    state.touching = false;
                }
                state.margin = margin.unwrap_or(-1.0);
                state.due = true;
            }
        }
        for slot in self.fresh.drain(..) {
            let slot = &mut slots[slot as usize];
            slot.seen = slot.generation;
        }
        true
    }

    /// Marks the pairs that must be looked at in this step; how many need not.
    fn choose_due(&mut self) -> u64 {
        if !self.options.schedule {
            return 0;
        }
        while let Some((pair, stamp)) = self.schedule.pop_due(self.now) {
            if let Some(state) = find(&mut self.pairs.states, pair) {
                state.due |= state.stamp == stamp;
            }
        }
        if !self.alarmed.is_empty() {
            self.is_alarmed.clear();
            self.is_alarmed.resize(self.slots.len(), false);
            for at in self.alarmed.drain(..) {
                self.is_alarmed[at as usize] = true;
            }
            for state in &mut self.pairs.states {
                state.due |= state.bodies.iter().any(|&body| self.is_alarmed[body as usize]);
            }
        }
        let asleep = |state: &&PairState| !state.due && state.margin >= 0.0;
        self.pairs.states.iter().filter(asleep).count() as u64
    }

    fn test_pairs(&mut self) {
        let scene = Scene {
            slots: &self.slots,
            balls: &self.balls,
            travels: &self.travels,
            mode: &self.options.mode,
            schedule: self.options.schedule,
            keep: KeepRule { share: self.options.keep_contacts, is_named: self.options.name_kept },
            before: self.options.before,
            now: self.now,
        };
        // One thread needs no parts, of which to put lists together.
        let chunk = match threads() {
            1 => self.pairs.states.len().max(1),
            _ if self.pairs.memories.is_empty() => CHUNK,
            _ => CONCAVE_CHUNK,
        };
        let chunks = self.pairs.states.len().div_ceil(chunk);
        // Those not needed in this step are kept, with the memory they hold.
        if self.found.len() < chunks {
            self.found.resize_with(chunks, Found::default);
        }
        let (found, unused) = self.found.split_at_mut(chunks);
        unused.iter_mut().for_each(Found::clear);
        each_chunk(self.pairs.slices(), found, chunk, &|pairs, found| {
            found.clear();
            found.examine(&scene, pairs);
        });
    }

    /// When the pairs just looked at must be looked at again.
    fn plan(&mut self) {
        for state in self.pairs.states.iter_mut().filter(|state| state.due) {
            let [a, b] = state.bodies.map(|body| self.slots[body as usize].envelope);
            let frames = match (a, b) {
                (Some(a), Some(b)) if !state.touching => frames_until(state.gap, &a, &b, self.now),
                _ => 1,
            };
            // What is due in every step stays so, without the heap.
            if frames > 1 {
                state.due = false;
                state.stamp = self.schedule.wake_at(self.now + frames, state.bodies);
            }
        }
        let states = &mut self.pairs.states;
        self.schedule.prune(states.len(), |pair, stamp| find(states, pair).is_some_and(|state| state.stamp == stamp));
    }

    /// Keeps the poses of this step for the next.
    fn remember_poses(&mut self) {
        let wanted = !matches!(self.options.mode, Mode::Boolean) || self.options.schedule;
        for at in self.moved.drain(..).filter(|_| wanted) {
            let slot = &mut self.slots[at as usize];
            slot.previous = slot.pose;
        }
    }

    /// Puts what the parts have found together. They are in order, and so is each of them.
    fn collect(&mut self) {
        self.told.clear();
        self.ended.sort_unstable_by_key(|event| event.bodies);
        let mut ended = self.ended.drain(..).peekable();
        let told = &mut self.told;
        for found in &mut self.found {
            let last = found.events.last().map(Event::order);
            if last.is_some() && ended.peek().map(Event::order) < last {
                for event in found.events.drain(..) {
                    while let Some(earlier) = ended.next_if(|earlier| earlier.order() < event.order()) {
                        told.events.push(earlier);
                    }
                    told.events.push(event);
                }
            }
            told.events.append(&mut found.events);
            append(&mut told.near, &mut found.near);
            append(&mut told.contacts, &mut found.contacts);
            append(&mut told.kept, &mut found.kept);
            append(&mut told.roundings, &mut found.roundings);
            let (sum, part) = (&mut told.statistics, &found.statistics);
            sum.beyond_spheres += part.beyond_spheres;
            sum.tested += part.tested;
            sum.kept += part.kept;
            sum.touching += part.touching;
            sum.supports += part.supports;
        }
        told.events.extend(ended);
    }
}

impl Event {
    /// What events are sorted by. A removed body and its successor in the same place have different ids.
    fn order(&self) -> ([BodyId; 2], EventKind) {
        (self.bodies, self.kind)
    }
}

/// Moves one list to the end of another; into an empty one as a whole.
fn append<T>(list: &mut Vec<T>, more: &mut Vec<T>) {
    if list.is_empty() {
        std::mem::swap(list, more);
    } else {
        list.append(more);
    }
}

/// How many threads share the pairs.
fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// What a new pair is of, and what is wanted of it. Pairs that may sleep want to know how far they are apart, which a patch does not tell.
fn kind([a, b]: [&Slot; 2], options: &WorldOptions) -> Kind {
    let over = |mesh: &Slot, shape: &Slot| {
        shape.is_convex && matches!(&mesh.body, Some(Body::Mesh(mesh)) if mesh.convex().is_none())
    };
    match options.mode {
        _ if a.is_convex && b.is_convex => Kind::Convex,
        _ if options.schedule || !(over(a, b) || over(b, a)) => Kind::Any,
        Mode::Boolean | Mode::Combined => Kind::Patch,
        Mode::Contacts(_) => Kind::PatchAndCache,
        Mode::Closest { .. } => Kind::Any,
    }
}

/// Gives the bodies in the list, in ascending order, the boxes of their poses, with some slack; a body that is still within its own
/// keeps it. Whether any box has changed. `slots` and `boxes` begin with the body `first`. The list is cut in two, and both tables with it,
/// so that threads may share the work.
fn follow_boxes(moved: &[u32], first: u32, slots: &mut [Slot], boxes: &mut [Aabb], slack: Real) -> bool {
    #[cfg(feature = "parallel")]
    if moved.len() > MOVED && rayon::current_num_threads() > 1 {
        let (before, after) = moved.split_at(moved.len() / 2);
        let middle = after[0];
        let (slots, more_slots) = slots.split_at_mut((middle - first) as usize);
        let (boxes, more_boxes) = boxes.split_at_mut((middle - first) as usize);
        let (some, others) = rayon::join(
            || follow_boxes(before, first, slots, boxes, slack),
            || follow_boxes(after, middle, more_slots, more_boxes, slack),
        );
        return some || others;
    }
    let mut changed = false;
    for &body in moved {
        let at = (body - first) as usize;
        // Always a box, unless a support of the user's says otherwise.
        if let Some(next) = slots[at].follow().filter(|next| next.min.cmple(next.max).all())
            && !(slack > 0.0 && boxes[at].contains(next.min) && boxes[at].contains(next.max))
        {
            (boxes[at], changed) = (next.grown(slack), true);
        }
    }
    changed
}

/// Runs over the pairs in chunks, each with a place for what it finds.
fn each_chunk(
    pairs: PairSlices<'_>,
    found: &mut [Found],
    chunk: usize,
    examine: &(impl Fn(PairSlices<'_>, &mut Found) + Sync),
) {
    if let [found] = found {
        examine(pairs, found);
        return;
    }
    if found.is_empty() {
        return;
    }
    let (found, more_found) = found.split_at_mut(found.len() / 2);
    let (pairs, more_pairs) = pairs.split_at(found.len() * chunk);
    let both = (|| each_chunk(pairs, found, chunk, examine), || each_chunk(more_pairs, more_found, chunk, examine));
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        rayon::join(both.0, both.1);
        return;
    }
    both.0();
    both.1();
}
