//! The narrow phase of one pair, in each mode.

use super::body::BodyId;
use super::pairs::PairState;
use super::{Event, EventKind, InContact, Mode, Near, Statistics};
use crate::manifold::{ManifoldOptions, manifold};
use crate::math::{Pose, Real, Vec3};
use crate::narrow::{PairCache, Witness, closest, distance, overlap};
use crate::shape::Shape;
use crate::tolerance::{REACH_ERROR, sigma};

/// Two shapes and their poses.
type Pair<'a> = ([&'a Shape; 2], [&'a Pose; 2]);

/// A ball around a body: all that is read of most pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: Real,
}

impl Ball {
    pub fn new(shape: &Shape, pose: &Pose) -> Self {
        Self { center: pose.translation(), radius: shape.bounding_radius() }
    }
}

/// What the narrow phase reads of the bodies.
pub(super) struct Scene<'a> {
    pub shapes: &'a [Option<Shape>],
    pub poses: &'a [Pose],
    pub balls: &'a [Ball],
    pub previous: &'a [Pose],
    /// The frame each body was added in.
    pub born: &'a [u64],
    pub generations: &'a [u32],
    pub mode: &'a Mode,
    pub schedule: bool,
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
            if state.due && state.margin >= 0.0 {
                self.examine_pair(scene, state);
            }
        }
    }

    fn examine_pair(&mut self, scene: &Scene<'_>, state: &mut PairState) {
        let [a, b] = state.bodies.map(|body| scene.balls[body as usize]);
        let (reach, between) = (a.radius + b.radius, b.center - a.center);
        let wanted = scene.mode.wanted(state.margin);
        let far = (reach + wanted) * (1.0 + REACH_ERROR);
        let beyond = between.length_squared() > far * far;
        if beyond && !state.touching && !scene.schedule {
            self.statistics.beyond_spheres += 1;
            return;
        }
        let Some(shapes) = scene.shapes_of(state) else {
            return;
        };
        let was = state.touching;
        let bound = if beyond {
            self.statistics.beyond_spheres += 1;
            state.touching = false;
            between.length() - reach
        } else {
            self.statistics.tested += 1;
            self.decide(scene, state, shapes, state.bodies.map(|body| &scene.poses[body as usize]))
        };
        // Rounding of the bound, and what counts as touching when they meet.
        state.gap = bound - wanted - REACH_ERROR * (far + between.abs().element_sum());
        self.tell(scene, state, shapes, was);
    }

    /// Whether the pair touches, and what the mode wants to know of it. Returns a lower bound on the distance.
    fn decide(
        &mut self,
        scene: &Scene<'_>,
        state: &mut PairState,
        [a, b]: [&Shape; 2],
        [at_a, at_b]: [&Pose; 2],
    ) -> Real {
        let pair = ([a, b], [at_a, at_b]);
        let (touching, bound) = match scene.mode {
            Mode::Boolean | Mode::Combined if state.margin == 0.0 => self.is_touching(state, pair),
            Mode::Boolean | Mode::Combined => self.is_within(state, pair, state.margin),
            Mode::Closest { within } => {
                let near = closest(a, at_a, b, at_b, &mut state.cache);
                self.statistics.supports += u64::from(near.iterations);
                if near.lower <= *within {
                    self.near.push(Near { bodies: scene.ids(state), closest: near });
                }
                (near.lower <= state.margin, near.lower)
            }
            Mode::Contacts(options) => self.is_in_contact(scene, state, pair, options),
        };
        state.touching = touching;
        bound
    }

    fn is_touching(&mut self, state: &mut PairState, ([a, b], [at_a, at_b]): Pair<'_>) -> (bool, Real) {
        let answer = overlap(a, at_a, b, at_b, &mut state.cache);
        self.statistics.supports += u64::from(answer.iterations);
        let bound = match answer.witness {
            // Far from the origin the offsets have lost digits of their difference.
            Witness::Plane { offset_a, offset_b, .. } => offset_b - offset_a - sigma(offset_b.abs()),
            Witness::Gap(gap) => gap,
            Witness::Point(_) | Witness::Points(_) => 0.0,
        };
        (answer.overlap, bound)
    }

    fn is_within(&mut self, state: &mut PairState, ([a, b], [at_a, at_b]): Pair<'_>, margin: Real) -> (bool, Real) {
        let Some(near) = distance(a, at_a, b, at_b, &mut state.cache) else {
            return (true, 0.0);
        };
        self.statistics.supports += u64::from(near.iterations);
        (near.lower <= margin, near.lower)
    }

    fn is_in_contact(
        &mut self,
        scene: &Scene<'_>,
        state: &mut PairState,
        pair: Pair<'_>,
        options: &ManifoldOptions,
    ) -> (bool, Real) {
        let options = ManifoldOptions { margin: scene.mode.wanted(state.margin), ..*options };
        if options.margin == 0.0 {
            let apart = self.is_touching(state, pair);
            if !apart.0 {
                return apart;
            }
        }
        let ([a, b], [at_a, at_b]) = pair;
        match manifold(a, at_a, b, at_b, &mut state.cache, &options) {
            Some(manifold) => {
                self.contacts.push(InContact { bodies: scene.ids(state), manifold });
                (true, 0.0)
            }
            // A manifold that is none does not say how far they are apart.
            None if scene.schedule => (false, self.is_within(state, pair, options.margin).1),
            None => (false, 0.0),
        }
    }

    /// The event, if there is one.
    fn tell(&mut self, scene: &Scene<'_>, state: &PairState, [a, b]: [&Shape; 2], was: bool) {
        let kind = match (was, state.touching) {
            (true, true) => EventKind::Persist,
            (true, false) => EventKind::End,
            (false, true) => EventKind::Begin,
            (false, false) => return,
        };
        self.statistics.touching += u64::from(kind != EventKind::End);
        let [i, j] = state.bodies.map(|body| body as usize);
        let wanted = kind == EventKind::Begin && !matches!(scene.mode, Mode::Boolean);
        let known = || scene.born[i] < scene.now && scene.born[j] < scene.now;
        let before = (wanted && known())
            .then(|| closest(a, &scene.previous[i], b, &scene.previous[j], &mut PairCache::default()))
            .filter(|before| before.distance > 0.0);
        self.events.push(Event { kind, bodies: scene.ids(state), before });
    }
}

impl Scene<'_> {
    fn shapes_of(&self, state: &PairState) -> Option<[&Shape; 2]> {
        let [a, b] = state.bodies.map(|body| self.shapes[body as usize].as_ref());
        Some([a?, b?])
    }

    fn ids(&self, state: &PairState) -> [BodyId; 2] {
        state.bodies.map(|slot| BodyId { slot, generation: self.generations[slot as usize] })
    }
}
