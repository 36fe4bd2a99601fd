//! The narrow phase of one pair, in each mode.

use super::body::BodyId;
use super::pairs::{PairState, Status};
use super::{Event, EventKind, InContact, Mode, Near, Statistics};
use crate::manifold::{ManifoldOptions, manifold};
use crate::math::Pose;
use crate::narrow::{PairCache, Witness, closest, overlap};
use crate::shape::Shape;

/// What the narrow phase reads of the bodies.
pub(super) struct Scene<'a> {
    pub shapes: &'a [Option<Shape>],
    pub poses: &'a [Pose],
    pub previous: &'a [Pose],
    /// The frame each body was added in.
    pub born: &'a [u64],
    pub generations: &'a [u32],
    pub mode: &'a Mode,
    pub now: u64,
}

/// What a run through some pairs has found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub events: Vec<Event>,
    pub near: Vec<Near>,
    pub contacts: Vec<InContact>,
    pub statistics: Statistics,
}

impl Found {
    pub fn clear(&mut self) {
        self.events.clear();
        self.near.clear();
        self.contacts.clear();
        self.statistics = Statistics::default();
    }

    /// Looks at the pairs that are due, if there is anything to look at.
    pub fn examine(&mut self, scene: &Scene<'_>, states: &mut [PairState]) {
        for state in states {
            if state.status == Status::Free || !state.due || state.margin < 0.0 {
                continue;
            }
            let [a, b] = state.bodies.map(|body| body as usize);
            if let (Some(shape_a), Some(shape_b)) = (&scene.shapes[a], &scene.shapes[b]) {
                self.examine_pair(scene, state, [shape_a, shape_b]);
            }
        }
    }

    fn examine_pair(&mut self, scene: &Scene<'_>, state: &mut PairState, shapes: [&Shape; 2]) {
        let was = state.status;
        let poses = state.bodies.map(|body| &scene.poses[body as usize]);
        let reach = shapes[0].bounding_radius() + shapes[1].bounding_radius();
        let between = poses[1].translation() - poses[0].translation();
        let wanted = match scene.mode {
            Mode::Closest { within } => within.max(state.margin),
            _ => state.margin,
        };
        let far = reach + wanted;
        if between.length_squared() > far * far {
            self.statistics.beyond_spheres += 1;
            state.distance = between.length() - reach;
            state.status = Status::Apart;
        } else {
            self.statistics.tested += 1;
            self.decide(scene, state, shapes, poses);
        }
        self.tell(scene, state, shapes, was);
    }

    /// Whether the pair touches, and what the mode wants to know of it.
    fn decide(&mut self, scene: &Scene<'_>, state: &mut PairState, [a, b]: [&Shape; 2], [at_a, at_b]: [&Pose; 2]) {
        let bodies = scene.ids(state);
        let touching = match scene.mode {
            Mode::Boolean | Mode::Combined if state.margin == 0.0 => self.is_touching(state, [a, b], [at_a, at_b]),
            Mode::Boolean | Mode::Combined => self.is_within(state, [a, b], [at_a, at_b]),
            Mode::Closest { within } => {
                let near = closest(a, at_a, b, at_b, &mut state.cache);
                self.statistics.supports += u64::from(near.iterations);
                state.distance = near.lower;
                if near.lower <= *within {
                    self.near.push(Near { bodies, closest: near });
                }
                near.lower <= state.margin
            }
            Mode::Contacts(options) => {
                let touching = if state.margin == 0.0 && options.margin == 0.0 {
                    self.is_touching(state, [a, b], [at_a, at_b])
                } else {
                    true
                };
                touching && self.has_manifold(scene, state, [a, b], [at_a, at_b], options)
            }
        };
        state.status = if touching { Status::Touching } else { Status::Apart };
    }

    fn is_touching(&mut self, state: &mut PairState, [a, b]: [&Shape; 2], [at_a, at_b]: [&Pose; 2]) -> bool {
        let answer = overlap(a, at_a, b, at_b, &mut state.cache);
        self.statistics.supports += u64::from(answer.iterations);
        state.distance = match answer.witness {
            Witness::Plane { offset_a, offset_b, .. } => offset_b - offset_a,
            Witness::Point(_) => 0.0,
        };
        answer.overlap
    }

    fn is_within(&mut self, state: &mut PairState, [a, b]: [&Shape; 2], [at_a, at_b]: [&Pose; 2]) -> bool {
        let near = closest(a, at_a, b, at_b, &mut state.cache);
        self.statistics.supports += u64::from(near.iterations);
        state.distance = near.lower;
        near.lower <= state.margin
    }

    fn has_manifold(
        &mut self,
        scene: &Scene<'_>,
        state: &mut PairState,
        [a, b]: [&Shape; 2],
        [at_a, at_b]: [&Pose; 2],
        options: &ManifoldOptions,
    ) -> bool {
        let options = ManifoldOptions { margin: options.margin.max(state.margin), ..*options };
        let Some(manifold) = manifold(a, at_a, b, at_b, &mut state.cache, &options) else {
            state.distance = options.margin;
            return false;
        };
        state.distance = -manifold.depth;
        self.contacts.push(InContact { bodies: scene.ids(state), manifold });
        true
    }

    /// The event, if there is one.
    fn tell(&mut self, scene: &Scene<'_>, state: &PairState, [a, b]: [&Shape; 2], was: Status) {
        let kind = match (was, state.status) {
            (Status::Touching, Status::Touching) => EventKind::Persist,
            (Status::Touching, _) => EventKind::End,
            (_, Status::Touching) => EventKind::Begin,
            _ => return,
        };
        self.statistics.touching += u64::from(kind != EventKind::End);
        let [i, j] = state.bodies.map(|body| body as usize);
        let wanted = kind == EventKind::Begin && !matches!(scene.mode, Mode::Boolean);
        let known = scene.born[i] < scene.now && scene.born[j] < scene.now;
        let before = (wanted && known)
            .then(|| closest(a, &scene.previous[i], b, &scene.previous[j], &mut PairCache::default()))
            .filter(|before| before.distance > 0.0);
        self.events.push(Event { kind, bodies: scene.ids(state), before });
    }
}

impl Scene<'_> {
    fn ids(&self, state: &PairState) -> [BodyId; 2] {
        state.bodies.map(|slot| BodyId { slot, generation: self.generations[slot as usize] })
    }
}
