//! The plain twin of a world: every pair, cold, every frame, with sets of touching pairs kept from frame to frame.

// Each test file compiles this module for itself and uses a part of it.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod scene;

use std::collections::{BTreeMap, BTreeSet};

use clearance::math::{widen, widen_real};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::world::{BodyId, Event, EventKind, Group, Mode, NewBody, PairRule, Step};
use clearance::{Body, Cache, Closest, ManifoldOptions, Pose, Real, closest, manifold, overlap};
use clearance_testkit::HitRate;

pub type Ids = [BodyId; 2];

pub struct TwinBody {
    pub body: Body,
    pub fixed: bool,
    pub pose: Pose,
    pub group: usize,
    /// Where it was in the last step, if it was there.
    pub before: Option<Pose>,
}

pub struct Twin {
    pub mode: Mode,
    pub bodies: BTreeMap<BodyId, TwinBody>,
    pub disabled: BTreeSet<[usize; 2]>,
    pub rules: BTreeMap<Ids, PairRule>,
    pub touching: BTreeSet<Ids>,
    /// Whether a pair of the last frame was within rounding of its margin.
    pub in_doubt: bool,
    pub hits: Hits,
}

/// How often what matters has happened.
#[derive(Debug)]
pub struct Hits {
    pub begin: HitRate,
    pub end: HitRate,
    pub persist: HitRate,
    pub before: HitRate,
    pub ignored: HitRate,
    pub at_margin: HitRate,
    pub near: HitRate,
    pub doubtful: HitRate,
}

impl Default for Hits {
    fn default() -> Self {
        Self {
            begin: HitRate::new("frames with a beginning"),
            end: HitRate::new("frames with an end"),
            persist: HitRate::new("frames with a touch that persists"),
            before: HitRate::new("beginnings with nearest points before"),
            ignored: HitRate::new("pairs that meet and are not looked at"),
            at_margin: HitRate::new("touching pairs that are apart by less than a margin"),
            near: HitRate::new("pairs told as near that do not touch"),
            doubtful: HitRate::new("pairs within rounding of their margin"),
        }
    }
}

/// What brute force says of a pair.
struct Verdict {
    touching: bool,
    near: Option<Closest>,
    depth: Option<Real>,
    doubtful: bool,
}

fn sorted(a: BodyId, b: BodyId) -> Ids {
    [a.min(b), a.max(b)]
}

/// The radius of rounding.
fn radius(body: &Body) -> Real {
    if let Body::Convex(shape) = body { shape.radius() } else { body.padding() }
}

/// Whether the body without its rounding has flat faces only.
fn is_flat(body: &Body) -> bool {
    match body {
        Body::Convex(shape) => shape.core().is_polyhedral(),
        Body::Mesh(_) | Body::HalfSpace(_) => true,
        Body::Padded(padded) => is_flat(padded.body()),
        _ => false,
    }
}

/// The error of a distance, warm against cold: so many support errors, and what is stated for curved bodies.
fn error(a: &TwinBody, b: &TwinBody, near: &Closest, sigmas: f64) -> f64 {
    let between = a.pose.translation() - b.pose.translation();
    let size = a.body.bounding_radius() + b.body.bounding_radius() + between.abs().element_sum();
    let core = widen_real(near.distance + radius(&a.body) + radius(&b.body));
    let relative = match is_flat(&a.body) && is_flat(&b.body) {
        true => 0.0,
        false => widen_real(if core > 0.0 { STALL_SIGMAS * RELATIVE_GAP } else { COARSE_DEPTH_GAP }),
    };
    relative * core.abs() + sigmas * widen_real(sigma(size))
}

impl Twin {
    pub fn new(mode: Mode) -> Self {
        let (disabled, rules) = (BTreeSet::new(), BTreeMap::new());
        Self {
            mode,
            bodies: BTreeMap::new(),
            disabled,
            rules,
            touching: BTreeSet::new(),
            in_doubt: false,
            hits: Hits::default(),
        }
    }

    pub fn add(&mut self, id: BodyId, new: &NewBody, group: usize) {
        let body = new.body.clone().padded(new.margin).unwrap();
        let fresh = self.bodies.insert(id, TwinBody { body, fixed: new.fixed, pose: new.pose, group, before: None });
        assert!(fresh.is_none(), "an id of a body that exists");
    }

    pub fn remove(&mut self, id: BodyId) {
        self.bodies.remove(&id);
        self.rules.retain(|pair, _| !pair.contains(&id));
    }

    pub fn set_rule(&mut self, a: BodyId, b: BodyId, rule: Option<PairRule>) {
        match rule {
            Some(rule) => self.rules.insert(sorted(a, b), rule),
            None => self.rules.remove(&sorted(a, b)),
        };
    }

    pub fn set_groups(&mut self, a: usize, b: usize, enabled: bool) {
        let key = [a.min(b), a.max(b)];
        if enabled {
            self.disabled.remove(&key)
        } else {
            self.disabled.insert(key)
        };
    }

    pub fn group(number: usize) -> Group {
        Group::new(number).unwrap()
    }

    fn margin(&self, pair: Ids) -> Option<Real> {
        let [a, b] = pair.map(|id| self.bodies[&id].group);
        match self.rules.get(&pair) {
            Some(PairRule::Ignore) => None,
            Some(PairRule::Within(margin)) => Some(*margin),
            None => (!self.disabled.contains(&[a.min(b), a.max(b)])).then_some(0.0),
        }
    }

    /// The distance up to which a pair touches, and up to which it is told.
    fn distances(&self, margin: Real) -> [Real; 2] {
        match self.mode {
            Mode::Contacts(options) => [options.margin.max(margin); 2],
            Mode::Closest { within } => [margin, within],
            _ => [margin; 2],
        }
    }

    fn verdict(&mut self, [i, j]: Ids) -> Option<Verdict> {
        let margin = self.margin([i, j]);
        let (a, b) = (&self.bodies[&i], &self.bodies[&j]);
        if a.fixed && b.fixed {
            return None;
        }
        let [touch, told] = self.distances(margin.unwrap_or(0.0));
        let between = widen(b.pose.translation() - a.pose.translation()).length();
        let reach = widen_real(a.body.bounding_radius() + b.body.bounding_radius() + touch.max(told));
        if between > 1.01 * reach {
            return None;
        }
        let cold = || Cache::default();
        let near = closest(&a.body, &a.pose, &b.body, &b.pose, &mut cold());
        self.hits.ignored.record(margin.is_none() && near.distance < 0.0);
        let margin = margin?;
        let near_to = |distance: Real| widen_real(near.distance - distance).abs() <= error(a, b, &near, 8.0);
        let doubtful = near_to(touch) || near_to(told);
        let meets = || overlap(&a.body, &a.pose, &b.body, &b.pose, &mut cold()).overlap;
        let (touching, depth) = match self.mode {
            Mode::Boolean | Mode::Combined if margin == 0.0 => (meets(), None),
            Mode::Boolean | Mode::Combined | Mode::Closest { .. } => (near.lower <= margin, None),
            Mode::Contacts(options) => {
                let options = ManifoldOptions { margin: touch, ..options };
                let found = manifold(&a.body, &a.pose, &b.body, &b.pose, &mut cold(), &options);
                (found.is_some(), found.map(|found| found.depth()))
            }
        };
        let told = matches!(self.mode, Mode::Closest { within } if near.lower <= within).then_some(near);
        self.hits.doubtful.record(doubtful);
        if touching {
            self.hits.at_margin.record(near.distance > 0.0);
        }
        Some(Verdict { touching, near: told, depth, doubtful })
    }

    /// Compares a world's step with brute force, and takes the world's word where rounding decides.
    pub fn check(&mut self, step: &Step<'_>, what: &str) {
        let ids: Vec<BodyId> = self.bodies.keys().copied().collect();
        let mut now = BTreeSet::new();
        let mut verdicts = BTreeMap::new();
        self.in_doubt = false;
        for (i, &a) in ids.iter().enumerate() {
            for &b in &ids[i + 1..] {
                if let Some(verdict) = self.verdict([a, b]) {
                    let told = || step.events.iter().any(|e| e.bodies == [a, b] && e.kind != EventKind::End);
                    if if verdict.doubtful { told() } else { verdict.touching } {
                        now.insert([a, b]);
                    }
                    self.in_doubt |= verdict.doubtful;
                    verdicts.insert([a, b], verdict);
                }
            }
        }
        let mut expected: Vec<(Ids, EventKind)> = Vec::new();
        for &pair in self.touching.union(&now) {
            let kind = match (self.touching.contains(&pair), now.contains(&pair)) {
                (true, true) => EventKind::Persist,
                (true, false) => EventKind::End,
                _ => EventKind::Begin,
            };
            expected.push((pair, kind));
        }
        let told: Vec<(Ids, EventKind)> = step.events.iter().map(|event| (event.bodies, event.kind)).collect();
        assert_eq!(told, expected, "{what}");
        step.events.iter().for_each(|event| self.check_before(event, what));
        self.check_lists(step, &verdicts, what);
        for (hits, kind) in [
            (&mut self.hits.begin, EventKind::Begin),
            (&mut self.hits.persist, EventKind::Persist),
            (&mut self.hits.end, EventKind::End),
        ] {
            hits.record(step.events.iter().any(|event| event.kind == kind));
        }
        assert_eq!(step.statistics.touching as usize, now.len(), "{what}");
        self.touching = now;
        self.bodies.values_mut().for_each(|body| body.before = Some(body.pose));
    }

    fn check_before(&mut self, event: &Event, what: &str) {
        if event.kind != EventKind::Begin || self.mode == Mode::Boolean {
            assert_eq!(event.before, None, "{what}");
            return;
        }
        let [a, b] = event.bodies.map(|id| &self.bodies[&id]);
        let before =
            a.before.zip(b.before).map(|(at_a, at_b)| closest(&a.body, &at_a, &b.body, &at_b, &mut Cache::default()));
        assert_eq!(event.before, before.filter(|before| before.distance > 0.0), "{what}");
        self.hits.before.record(event.before.is_some());
    }

    fn check_lists(&mut self, step: &Step<'_>, verdicts: &BTreeMap<Ids, Verdict>, what: &str) {
        let near: BTreeMap<Ids, &Closest> = step.near.iter().map(|near| (near.bodies, &near.closest)).collect();
        let contacts: BTreeMap<Ids, Real> = step.contacts.iter().map(|c| (c.bodies, c.manifold.depth())).collect();
        assert!(step.near.is_sorted_by_key(|near| near.bodies) && near.len() == step.near.len(), "{what}");
        assert!(step.contacts.is_sorted_by_key(|c| c.bodies) && contacts.len() == step.contacts.len(), "{what}");
        assert!(near.keys().chain(contacts.keys()).all(|pair| verdicts.contains_key(pair)), "{what}");
        for (pair, verdict) in verdicts {
            let [a, b] = pair.map(|id| &self.bodies[&id]);
            if let (Some(told), Some(cold)) = (near.get(pair), &verdict.near) {
                let off = widen_real(told.distance - cold.distance).abs();
                assert!(off <= error(a, b, cold, 40.0), "{what} {pair:?}: {told:?} but {cold:?}");
                self.hits.near.record(cold.distance > 0.0);
            }
            if let (Some(told), Some(cold)) = (contacts.get(pair), verdict.depth) {
                let near = closest(&a.body, &a.pose, &b.body, &b.pose, &mut Cache::default());
                assert!(
                    widen_real(told - cold).abs() <= error(a, b, &near, 40.0),
                    "{what} {pair:?}: {told} but {cold}"
                );
            }
            if !verdict.doubtful {
                assert_eq!(near.contains_key(pair), verdict.near.is_some(), "{what} {pair:?}");
                assert_eq!(contacts.contains_key(pair), verdict.depth.is_some(), "{what} {pair:?}");
            }
        }
        assert!(step.contacts.iter().all(|contact| !contact.manifold.points.is_empty()), "{what}");
    }
}
