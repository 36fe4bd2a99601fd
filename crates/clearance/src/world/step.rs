//! One frame: boxes, pairs, tests, events.

use super::body::BodyId;
use super::pairs::{PairState, find};
use super::schedule::frames_until;
use super::test::{Found, Scene};
use super::{Event, EventKind, Mode, Step, World};
use crate::broad::{Pair, each_part};

/// Pairs that one thread takes at a time: enough to be worth a thread's while, few enough to share the work out evenly.
const CHUNK: usize = 256;

impl World {
    /// Looks at the bodies as they are now.
    pub fn step(&mut self) -> Step<'_> {
        self.now += 1;
        self.ended.clear();
        self.follow_rules();
        let surprises = self.watch_motion();
        self.move_boxes();
        self.follow_pairs();
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
        Step {
            events: &self.told.events,
            near: &self.told.near,
            contacts: &self.told.contacts,
            statistics: self.told.statistics,
        }
    }

    /// Gives the bodies whose rules have changed the reach that these ask for.
    fn follow_rules(&mut self) {
        self.rules_changed.sort_unstable();
        self.rules_changed.dedup();
        for slot in self.rules_changed.drain(..) {
            let at = slot as usize;
            if let Some(shape) = &self.shapes[at] {
                self.reaches[at] = self.options.mode.reach(shape, self.filter.reach(slot));
                self.moved[at] = true;
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
        for at in 0..self.shapes.len() {
            let (Some(shape), Some(envelope)) = (&self.shapes[at], &self.envelopes[at]) else {
                continue;
            };
            let radius = shape.bounding_radius();
            if self.moved[at] && !envelope.allows(radius, &self.previous[at], &self.poses[at], self.now - 1) {
                self.alarmed.push(at as u32);
            }
        }
        (self.alarmed.len() - before) as u64
    }

    fn move_boxes(&mut self) {
        let (shapes, poses, reaches, moved) = (&self.shapes, &self.poses, &self.reaches, &self.moved);
        let boxes = self.broad.bodies_mut().bounds_mut();
        each_part(&mut self.trackers, boxes, |first, trackers, boxes| {
            for (i, (tracker, bounds)) in trackers.iter_mut().zip(boxes).enumerate() {
                let at = first + i;
                if let Some(shape) = shapes[at].as_ref().filter(|_| moved[at]) {
                    let next = tracker.aabb_within(shape, &poses[at], reaches[at]);
                    // Always so, unless a support of the user's says otherwise.
                    if next.min.cmple(next.max).all() {
                        *bounds = next;
                    }
                }
            }
        });
    }

    fn follow_pairs(&mut self) {
        let (filter, groups) = (&self.filter, &self.groups);
        let margin = |pair: Pair| filter.margin(pair, pair.map(|body| groups[body as usize]));
        let (generations, seen, ended) = (&self.generations, &mut self.seen, &mut self.ended);
        let gone = |state: &PairState| {
            if state.touching {
                // The bodies of the last step: their places may hold others by now.
                let id = |slot: u32| BodyId { slot, generation: seen[slot as usize] };
                ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
            }
        };
        self.pairs.follow(&self.broad.update(), margin, gone);
        for slot in self.fresh.drain(..) {
            seen[slot as usize] = generations[slot as usize];
        }
        if self.filter_changed {
            self.filter_changed = false;
            for state in &mut self.pairs.states {
                let margin = margin(state.bodies);
                if margin.is_none() && state.touching {
                    let id = |slot: u32| BodyId { slot, generation: generations[slot as usize] };
                    ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
                    state.touching = false;
                }
                state.margin = margin.unwrap_or(-1.0);
                state.due = true;
            }
        }
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
            self.is_alarmed.resize(self.shapes.len(), false);
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
            shapes: &self.shapes,
            poses: &self.poses,
            balls: &self.balls,
            previous: &self.previous,
            born: &self.born,
            generations: &self.generations,
            mode: &self.options.mode,
            schedule: self.options.schedule,
            now: self.now,
        };
        self.found.resize_with(self.pairs.states.len().div_ceil(CHUNK), Found::default);
        each_chunk(&mut self.pairs.states, &mut self.found, |states, found| {
            found.clear();
            found.examine(&scene, states);
        });
    }

    /// When the pairs just looked at must be looked at again.
    fn plan(&mut self) {
        for state in self.pairs.states.iter_mut().filter(|state| state.due) {
            let [a, b] = state.bodies.map(|body| self.envelopes[body as usize]);
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
        for (at, moved) in self.moved.iter_mut().enumerate() {
            if std::mem::take(moved) && wanted {
                self.previous[at] = self.poses[at];
            }
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
            told.near.append(&mut found.near);
            told.contacts.append(&mut found.contacts);
            let (sum, part) = (&mut told.statistics, &found.statistics);
            sum.beyond_spheres += part.beyond_spheres;
            sum.tested += part.tested;
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

/// Runs over the pairs in parts, each with a place for what it finds.
fn each_chunk(states: &mut [PairState], found: &mut [Found], examine: impl Fn(&mut [PairState], &mut Found) + Sync) {
    #[cfg(feature = "parallel")]
    if states.len() > CHUNK && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        let parts = states.par_chunks_mut(CHUNK).zip(found.par_iter_mut());
        parts.for_each(|(states, found)| examine(states, found));
        return;
    }
    for (states, found) in states.chunks_mut(CHUNK).zip(found) {
        examine(states, found);
    }
}
