//! One frame: boxes, pairs, tests, events.

use super::body::BodyId;
use super::pairs::{PairState, Status};
use super::schedule::frames_until;
use super::test::{Found, Scene};
use super::{Event, EventKind, Mode, Step, World};
use crate::broad::{BoxTracker, Pair};
use crate::math::{Aabb, Pose, Real};
use crate::shape::Shape;

/// Pairs that one thread takes at a time: enough to be worth a thread's while, few enough to share the work out evenly.
const CHUNK: usize = 256;

impl World {
    /// Looks at the bodies as they are now.
    pub fn step(&mut self) -> Step<'_> {
        self.now += 1;
        self.ended.clear();
        let surprises = self.watch_motion();
        self.move_boxes();
        self.follow_pairs();
        let asleep = self.choose_due();
        self.test_pairs();
        if self.options.schedule {
            self.plan();
        }
        if !matches!(self.options.mode, Mode::Boolean) || self.options.schedule {
            self.previous.copy_from_slice(&self.poses);
        }
        self.collect();
        let statistics = &mut self.told.statistics;
        (statistics.pairs, statistics.asleep, statistics.surprises) = (self.pairs.len() as u64, asleep, surprises);
        Step {
            events: &self.told.events,
            near: &self.told.near,
            contacts: &self.told.contacts,
            statistics: self.told.statistics,
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
        let scene = (&self.shapes, &self.poses, &self.reaches, &self.moved);
        let follow = |first: usize, trackers: &mut [BoxTracker], boxes: &mut [Aabb]| {
            let (shapes, poses, reaches, moved) = scene;
            for (i, (tracker, bounds)) in trackers.iter_mut().zip(boxes).enumerate() {
                let at = first + i;
                if let Some(shape) = shapes[at].as_ref().filter(|_| moved[at]) {
                    *bounds = box_of(tracker, shape, &poses[at], reaches[at]);
                }
            }
        };
        each_chunk(&mut self.trackers, &mut self.boxes, follow);
        for at in 0..self.boxes.len() {
            if self.moved[at] {
                self.moved[at] = false;
                // A box of a valid pose is valid: there is nothing to refuse.
                let set = self.broad.set(at as u32, self.boxes[at]);
                debug_assert!(set.is_ok(), "{set:?}");
            }
        }
    }

    fn follow_pairs(&mut self) {
        let (filter, groups) = (&self.filter, &self.groups);
        let margin = |pair: Pair| filter.margin(pair, pair.map(|body| groups[body as usize]));
        let (generations, shapes, ended) = (&self.generations, &self.shapes, &mut self.ended);
        let gone = |state: &PairState| {
            if state.status == Status::Touching {
                // A removed body's number has moved on since.
                let id = |slot: u32| BodyId {
                    slot,
                    generation: generations[slot as usize] - u32::from(shapes[slot as usize].is_none()),
                };
                ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
            }
        };
        self.pairs.follow(&self.broad.update(), margin, gone);
        if self.filter_changed {
            self.filter_changed = false;
            for state in self.pairs.states.iter_mut().filter(|state| state.status != Status::Free) {
                let margin = margin(state.bodies);
                if margin.is_none() && state.status == Status::Touching {
                    let id = |slot: u32| BodyId { slot, generation: generations[slot as usize] };
                    ended.push(Event { kind: EventKind::End, bodies: state.bodies.map(id), before: None });
                    state.status = Status::Apart;
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
        while let Some((place, stamp)) = self.schedule.pop_due(self.now) {
            let state = &mut self.pairs.states[place as usize];
            state.due |= state.stamp == stamp && state.status != Status::Free;
        }
        if !self.alarmed.is_empty() {
            let mut alarmed = vec![false; self.shapes.len()];
            self.alarmed.drain(..).for_each(|at| alarmed[at as usize] = true);
            for state in &mut self.pairs.states {
                state.due |= state.bodies.iter().any(|&body| alarmed[body as usize]);
            }
        }
        self.pairs.states.iter().filter(|state| state.status != Status::Free && !state.due).count() as u64
    }

    fn test_pairs(&mut self) {
        let scene = Scene {
            shapes: &self.shapes,
            poses: &self.poses,
            previous: &self.previous,
            born: &self.born,
            generations: &self.generations,
            mode: &self.options.mode,
            now: self.now,
        };
        self.found.resize_with(self.pairs.states.len().div_ceil(CHUNK), Found::default);
        each_part(&mut self.pairs.states, &mut self.found, |states, found| {
            found.clear();
            found.examine(&scene, states);
        });
    }

    /// When the pairs just looked at must be looked at again.
    fn plan(&mut self) {
        for (place, state) in self.pairs.states.iter_mut().enumerate() {
            if !state.due || state.status == Status::Free {
                continue;
            }
            let [a, b] = state.bodies.map(|body| self.envelopes[body as usize]);
            let frames = match (a, b) {
                (Some(a), Some(b)) if state.status == Status::Apart => {
                    frames_until(state.distance - state.margin.max(0.0), &a, &b, self.now)
                }
                _ => 1,
            };
            state.stamp = state.stamp.wrapping_add(1);
            state.due = false;
            self.schedule.wake_at(self.now + frames, place as u32, state.stamp);
        }
    }

    /// Puts what the parts have found together, in order.
    fn collect(&mut self) {
        self.told.clear();
        self.told.events.append(&mut self.ended);
        for found in &mut self.found {
            self.told.events.append(&mut found.events);
            self.told.near.append(&mut found.near);
            self.told.contacts.append(&mut found.contacts);
            let (sum, part) = (&mut self.told.statistics, &found.statistics);
            sum.beyond_spheres += part.beyond_spheres;
            sum.tested += part.tested;
            sum.touching += part.touching;
            sum.supports += part.supports;
        }
        // Places in the table come in any order. A removed body and its successor in the same place have different ids.
        self.told.events.sort_unstable_by_key(|event| (event.bodies, event.kind));
        self.told.near.sort_unstable_by_key(|near| near.bodies);
        self.told.contacts.sort_unstable_by_key(|contact| contact.bodies);
    }
}

fn box_of(tracker: &mut BoxTracker, shape: &Shape, pose: &Pose, reach: Real) -> Aabb {
    let bounds = tracker.aabb(shape, pose);
    if reach > 0.0 { bounds.grown(reach) } else { bounds }
}

/// Runs over trackers and boxes in parts, each with the index of its first.
fn each_chunk(
    trackers: &mut [BoxTracker],
    boxes: &mut [Aabb],
    follow: impl Fn(usize, &mut [BoxTracker], &mut [Aabb]) + Sync,
) {
    #[cfg(feature = "parallel")]
    if trackers.len() > CHUNK {
        use rayon::prelude::*;
        let parts = trackers.par_chunks_mut(CHUNK).zip(boxes.par_chunks_mut(CHUNK)).enumerate();
        parts.for_each(|(i, (trackers, boxes))| follow(i * CHUNK, trackers, boxes));
        return;
    }
    follow(0, trackers, boxes);
}

/// Runs over the pairs in parts, each with a place for what it finds.
fn each_part(states: &mut [PairState], found: &mut [Found], examine: impl Fn(&mut [PairState], &mut Found) + Sync) {
    #[cfg(feature = "parallel")]
    if states.len() > CHUNK {
        use rayon::prelude::*;
        let parts = states.par_chunks_mut(CHUNK).zip(found.par_iter_mut());
        parts.for_each(|(states, found)| examine(states, found));
        return;
    }
    for (states, found) in states.chunks_mut(CHUNK).zip(found) {
        examine(states, found);
    }
}
