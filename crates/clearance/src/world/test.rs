//! The narrow phase of one pair, in each mode.

use super::id::BodyId;
use super::kept::{KeepRule, Kept, rolls};
use super::pairs::{Kind, Memory, PairSlices, PairState};
use super::report::{ContactPair, Event, EventKind, Mode, NearPair, Statistics};
use super::slot::{Ball, Slot};
use crate::answer::{Closest, ContactPoint, Manifold, Overlap, Witness};
use crate::broad::Pair;
use crate::manifold::{ManifoldOptions, manifold_or_bound, still_beyond};
use crate::math::{Pose, Real};
use crate::narrow::{self, PairCache};
use crate::shape::{Body, Shape};
use crate::tolerance::{REACH_ERROR, sigma};
use crate::verbs::{self, Cache};

/// What the narrow phase reads of the bodies.
pub(super) struct Scene<'a> {
    pub slots: &'a [Slot],
    pub balls: &'a [Ball],
    /// How far the bodies have travelled, if contacts are kept.
    pub travels: &'a [f64],
    pub mode: &'a Mode,
    pub schedule: bool,
    /// How contacts are kept, if they are.
    pub keep: KeepRule,
    /// [`WorldOptions::before`](super::WorldOptions::before).
    pub before: bool,
    pub now: u64,
}

/// What a run through some pairs has found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub events: Vec<Event>,
    pub near: Vec<NearPair>,
    pub contacts: Vec<ContactPair>,
    pub kept: Vec<[BodyId; 2]>,
    pub roundings: Vec<[Real; 2]>,
    pub statistics: Statistics,
    /// For queries that are asked cold: cleared before each, so that only what it has allocated is used again.
    scratch: Cache,
}

/// Two bodies at their places, and what the pair remembers.
enum Posed<'a> {
    Convex([&'a Shape; 2], [&'a Pose; 2], &'a mut PairCache),
    Any([&'a Body; 2], [&'a Pose; 2], &'a mut Memory),
}

impl Posed<'_> {
    /// Whether they touch, by what is known of a mesh around a convex shape, and what it took; nothing if the pair is another one.
    fn touch_in_patch(&mut self) -> Option<(bool, u32)> {
        let Self::Any(bodies, [at_a, at_b], memory) = self else {
            return None;
        };
        let patch = memory.patch.as_deref_mut()?;
        match bodies {
            [Body::Mesh(mesh), Body::Convex(shape)] => Some(patch.meets(mesh, at_a, shape, at_b)),
            [Body::Convex(shape), Body::Mesh(mesh)] => Some(patch.meets(mesh, at_b, shape, at_a)),
            _ => None,
        }
    }

    fn overlap(&mut self) -> Overlap {
        match self {
            Self::Convex([a, b], [at_a, at_b], cache) => narrow::overlap(a, at_a, b, at_b, cache),
            Self::Any([a, b], [at_a, at_b], memory) => verbs::overlap(*a, at_a, *b, at_b, &mut memory.cache),
        }
    }

    fn closest(&mut self) -> Closest {
        match self {
            Self::Convex([a, b], [at_a, at_b], cache) => narrow::closest(a, at_a, b, at_b, cache),
            Self::Any([a, b], [at_a, at_b], memory) => verbs::closest(*a, at_a, *b, at_b, &mut memory.cache),
        }
    }

    /// A lower bound on the distance and what it took; zero if they overlap.
    fn least_distance(&mut self) -> (Real, u32) {
        let near = match self {
            Self::Convex([a, b], [at_a, at_b], cache) => narrow::distance(a, at_a, b, at_b, cache),
            Self::Any([a, b], [at_a, at_b], memory) => verbs::distance(*a, at_a, *b, at_b, &mut memory.cache),
        };
        near.map_or((0.0, 0), |near| (near.lower, near.iterations))
    }

    /// The contact, or a lower bound of the distance. `was_apart` says that the pair had no contact in the last frame.
    fn manifold(&mut self, options: &ManifoldOptions, was_apart: bool) -> Result<Manifold, Real> {
        match self {
            Self::Convex([a, b], [at_a, at_b], cache) => {
                let known = if was_apart { still_beyond([a, b], [at_a, at_b], cache, options) } else { None };
                known.map_or_else(|| manifold_or_bound(a, at_a, b, at_b, cache, options), Err)
            }
            Self::Any([a, b], [at_a, at_b], memory) => {
                verbs::any_or_bound(&(*a).into(), at_a, &(*b).into(), at_b, &mut memory.cache, options)
            }
        }
    }
}

impl Found {
    pub fn clear(&mut self) {
        self.events.clear();
        self.near.clear();
        self.contacts.clear();
        self.kept.clear();
        self.roundings.clear();
        self.statistics = Statistics::default();
    }

    /// Looks at the pairs that are due, if there is anything to look at. Those that are not of two convex shapes have the memories, in
    /// order.
    pub fn examine(&mut self, scene: &Scene<'_>, pairs: PairSlices<'_>) {
        let (mut memories, mut contacts) = (pairs.memories.iter_mut(), pairs.kept.iter_mut());
        for state in pairs.states {
            let memory = if state.kind == Kind::Convex { None } else { memories.next() };
            let kept = contacts.next();
            if state.due && state.margin >= 0.0 {
                self.examine_pair(scene, state, memory, kept);
            }
        }
    }

    fn examine_pair(
        &mut self,
        scene: &Scene<'_>,
        state: &mut PairState,
        memory: Option<&mut Memory>,
        mut kept: Option<&mut Kept>,
    ) {
        let was = state.touching;
        if scene.keep.is_named && self.stays(scene, state, kept.as_deref_mut()) {
            return;
        }
        let [a, b] = state.bodies.map(|body| scene.balls[body as usize]);
        let (reach, between) = (a.radius + b.radius, b.center - a.center);
        let wanted = scene.mode.wanted(state.margin);
        let far = (reach + wanted) * (1.0 + REACH_ERROR);
        let beyond = between.length_squared() > far * far;
        if beyond && !state.touching && !scene.schedule {
            self.statistics.beyond_spheres += 1;
            return;
        }
        let bound = if beyond {
            self.statistics.beyond_spheres += 1;
            state.touching = false;
            between.length() - reach
        } else {
            self.statistics.tested += 1;
            if self.follow(scene, state, kept.as_deref()) { 0.0 } else { self.decide(scene, state, memory, kept) }
        };
        // Rounding of the bound, and what counts as touching when they meet. A half-space has no size.
        let size = if far.is_finite() { far } else { a.radius.min(b.radius) + wanted };
        state.gap = bound - wanted - REACH_ERROR * (size + between.abs().element_sum());
        self.tell(scene, state, was);
    }

    /// Whether it is as it was told before: where only that is asked of contacts that are kept.
    fn stays(&mut self, scene: &Scene<'_>, state: &mut PairState, kept: Option<&mut Kept>) -> bool {
        let Some(kept) = kept else { return false };
        let (travel, margin) = (scene.travel(state.bodies), scene.mode.wanted(state.margin));
        let slots = || state.bodies.map(|body| &scene.slots[body as usize]);
        let found = kept.still(travel, margin).or_else(|| kept.stays(slots(), margin, travel));
        // A pair that was not looked at for a while counts as new.
        if found != Some(state.touching) {
            return false;
        }
        (self.statistics.tested, self.statistics.kept) = (self.statistics.tested + 1, self.statistics.kept + 1);
        if state.touching {
            self.kept.push(scene.ids(state.bodies));
        }
        state.gap = 0.0;
        self.tell(scene, state, state.touching);
        true
    }

    /// Moves the contact that is kept of a pair with its bodies, if that is possible.
    fn follow(&mut self, scene: &Scene<'_>, state: &mut PairState, kept: Option<&Kept>) -> bool {
        let slots = state.bodies.map(|body| &scene.slots[body as usize]);
        let (bodies, margin) = (scene.ids(state.bodies), scene.mode.wanted(state.margin));
        let followed = kept.filter(|_| !scene.keep.is_named);
        let found = followed.and_then(|kept| kept.follow(slots, margin, bodies, &mut self.contacts));
        self.statistics.kept += u64::from(found.is_some());
        state.touching = found.unwrap_or(state.touching);
        found.is_some()
    }

    /// Whether the pair touches, and what the mode wants to know of it. Returns a lower bound on the distance.
    fn decide(
        &mut self,
        scene: &Scene<'_>,
        state: &mut PairState,
        memory: Option<&mut Memory>,
        kept: Option<&mut Kept>,
    ) -> Real {
        let (bodies, margin) = (state.bodies, state.margin);
        let [a, b] = state.bodies.map(|body| &scene.slots[body as usize]);
        let poses = [&a.pose, &b.pose];
        let mut pair = match (&a.body, &b.body, memory) {
            (Some(Body::Convex(a)), Some(Body::Convex(b)), _) => Posed::Convex([a, b], poses, &mut state.cache),
            (Some(a), Some(b), Some(memory)) => Posed::Any([a, b], poses, memory),
            // A pair of the broad phase is of bodies that exist.
            _ => return 0.0,
        };
        let (touching, bound) = match scene.mode {
            Mode::Boolean | Mode::Combined if margin == 0.0 => self.is_touching(&mut pair),
            Mode::Boolean | Mode::Combined => self.is_within(&mut pair, margin),
            Mode::Closest { within } => {
                let near = pair.closest();
                self.statistics.supports += u64::from(near.iterations);
                if near.lower <= *within {
                    self.near.push(NearPair { bodies: scene.ids(bodies), closest: near });
                }
                (near.lower <= margin, near.lower)
            }
            Mode::Contacts(options) => {
                let options = ManifoldOptions { margin: scene.mode.wanted(margin), ..*options };
                let (found, bound) = self.manifold(&mut pair, &options, scene.schedule, !state.touching);
                let is_found = found.is_some();
                if let Some(kept) = kept {
                    let balls = bodies.map(|body| scene.balls[body as usize]);
                    let travel = scene.travel(bodies);
                    kept.keep(found.as_ref().ok_or(bound), [a, b], balls, &scene.keep, options.margin, travel);
                    let points = found.iter().filter(|_| scene.keep.is_named).flat_map(|found| &found.points);
                    let rolls = |point: &ContactPoint| rolls(point, [a, b]).unwrap_or_default();
                    self.roundings.extend(points.map(rolls));
                }
                let pair = |manifold| ContactPair { bodies: scene.ids(bodies), manifold, is_kept: false };
                self.contacts.extend(found.map(pair));
                (is_found, bound)
            }
        };
        state.touching = touching;
        bound
    }

    fn is_touching(&mut self, pair: &mut Posed<'_>) -> (bool, Real) {
        if let Some((touching, tested)) = pair.touch_in_patch() {
            self.statistics.supports += u64::from(tested);
            return (touching, 0.0);
        }
        let answer = pair.overlap();
        self.statistics.supports += u64::from(answer.iterations);
        let bound = match answer.witness {
            // Far from the origin the offsets have lost digits of their difference.
            Witness::Plane { offset_a, offset_b, .. } => offset_b - offset_a - sigma(offset_b.abs()),
            Witness::Gap(gap) => gap,
            Witness::Point(_) | Witness::Points(_) => 0.0,
        };
        (answer.overlap, bound)
    }

    fn is_within(&mut self, pair: &mut Posed<'_>, margin: Real) -> (bool, Real) {
        let (lower, iterations) = pair.least_distance();
        self.statistics.supports += u64::from(iterations);
        (lower <= margin, lower)
    }

    /// The contact, if there is one, and a lower bound on the distance.
    fn manifold(
        &mut self,
        pair: &mut Posed<'_>,
        options: &ManifoldOptions,
        schedule: bool,
        was_apart: bool,
    ) -> (Option<Manifold>, Real) {
        if options.margin == 0.0 {
            let (is_touching, bound) = self.is_touching(pair);
            if !is_touching {
                return (None, bound);
            }
        }
        match pair.manifold(options, was_apart) {
            Ok(manifold) => (Some(manifold), 0.0),
            // Those that may sleep want to know it well.
            Err(_) if schedule => (None, self.is_within(pair, options.margin).1),
            Err(bound) => (None, bound),
        }
    }

    /// The event, if there is one.
    fn tell(&mut self, scene: &Scene<'_>, state: &PairState, was: bool) {
        let kind = match (was, state.touching) {
            (true, true) => EventKind::Persist,
            (true, false) => EventKind::End,
            (false, true) => EventKind::Begin,
            (false, false) => return,
        };
        self.statistics.touching += u64::from(kind != EventKind::End);
        let wanted = kind == EventKind::Begin && scene.before && !matches!(scene.mode, Mode::Boolean);
        let before = if wanted { scene.nearest_before(state, &mut self.scratch) } else { None };
        self.events.push(Event { kind, bodies: scene.ids(state.bodies), before });
    }
}

impl Scene<'_> {
    /// The nearest points in the frame before, if the bodies were there and apart.
    fn nearest_before(&self, state: &PairState, scratch: &mut Cache) -> Option<Closest> {
        let [a, b] = state.bodies.map(|body| &self.slots[body as usize]);
        if a.born >= self.now || b.born >= self.now {
            return None;
        }
        let (body_a, body_b) = (a.body.as_ref()?, b.body.as_ref()?);
        scratch.clear();
        let near = verbs::closest(body_a, &a.previous, body_b, &b.previous, scratch);
        Some(near).filter(|near| near.distance > 0.0)
    }

    /// How far two bodies have travelled together.
    #[inline]
    fn travel(&self, bodies: Pair) -> f64 {
        let [a, b] = bodies.map(|body| self.travels[body as usize]);
        a + b
    }

    fn ids(&self, bodies: Pair) -> [BodyId; 2] {
        bodies.map(|slot| self.slots[slot as usize].id(slot))
    }
}
