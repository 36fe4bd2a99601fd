//! Many bodies, frame after frame (Q_COLLIDE, chapter 6; I_COLLIDE's architecture in the proximity-queries lecture).
//!
//! A step follows the bodies with their boxes, finds the pairs of overlapping boxes, looks at each of them with what it
//! remembers from the last frame, and tells which pairs have begun to touch, still do, or have ended. A pair whose bounding balls
//! are apart is not looked at further; with bounds on the motion, pairs sleep until they could meet.
//!
//! Invariants: the events of a step, and everything else it tells, are the same bits for any broad phase and any number of threads;
//! bodies touch exactly if [`overlap`](crate::overlap()) says so. Nothing is quadratic in the number of bodies but the broad phase
//! called brute force. A step allocates only until its tables have grown to the scene.

mod body;
mod filter;
mod pairs;
mod schedule;
mod step;
mod test;

pub use body::{Body, BodyId, Group, WorldError};
pub use filter::PairRule;
pub use schedule::Motion;

use body::checked_margin;
use filter::Filter;
use pairs::PairTable;
use schedule::{Envelope, Schedule};
use test::{Ball, Found};

use crate::answer::Manifold;
use crate::broad::{BoxTracker, BroadPhase, BruteForce, Grid, SweepAndPrune, Tree};
use crate::manifold::ManifoldOptions;
use crate::math::{Pose, Real, Vec3};
use crate::narrow::Closest;
use crate::shape::{Core, Shape};
use crate::tolerance::REACH_ERROR;

/// What a world finds out about its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Mode {
    /// Whether they touch.
    #[default]
    Boolean,
    /// Whether they touch, and when that begins, the nearest points of the frame before (Q_COLLIDE, section 5.5).
    Combined,
    /// Whether they touch, and the signed distance of all pairs within a distance, with points.
    Closest {
        /// Pairs farther apart are not told.
        within: Real,
    },
    /// Contact points of the pairs that touch. With a margin in the options, those within it count as touching.
    Contacts(ManifoldOptions),
}

impl Mode {
    /// The distance up to which there is something to tell of a pair with this margin.
    fn wanted(&self, margin: Real) -> Real {
        match self {
            Self::Boolean | Self::Combined => margin,
            Self::Closest { within } => within.max(margin),
            Self::Contacts(options) => options.margin.max(margin),
        }
    }

    /// How far the box of a body with this largest margin reaches beyond it: half of the distance that matters.
    fn reach(&self, shape: &Shape, margin: Real) -> Real {
        let reach = 0.5 * self.wanted(margin).max(0.0);
        reach + (shape.bounding_radius() + reach) * REACH_ERROR
    }
}

/// How pairs of overlapping boxes are found. All give the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Broad {
    /// A grid sorted anew each frame: the fastest for bodies of similar size.
    #[default]
    Grid,
    /// A tree of fattened boxes: for bodies most of which rest.
    Tree,
    /// Three sorted axes: for bodies that move little.
    SweepAndPrune,
    /// Every pair: for a handful of bodies.
    BruteForce,
}

/// What kind of boxes follow the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Boxes {
    /// Tight ones where they are cheap; for polytopes that are too large to look at all vertices, nearly tight ones.
    #[default]
    Auto,
    /// Tight ones, found anew whenever a body moves.
    Dynamic,
    /// Cubes of the bounding radius: cheaper to move, with more pairs to look at.
    Fixed,
}

/// What to ask of a world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct WorldOptions {
    /// What to find out about the pairs.
    pub mode: Mode,
    /// How pairs of boxes are found.
    pub broad: Broad,
    /// What kind of boxes.
    pub boxes: Boxes,
    /// Let pairs of bodies with a known [`Motion`] sleep until they could meet.
    pub schedule: bool,
}

/// What has happened to a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// It touches, and did not in the last step.
    Begin,
    /// It touches, as in the last step.
    Persist,
    /// It touched in the last step and does not any more, or one of the bodies has been removed.
    End,
}

/// Something that has happened to a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// To whom.
    pub bodies: [BodyId; 2],
    /// At the beginning, unless the mode is boolean: the nearest points in the frame before, if the bodies were there and apart.
    pub before: Option<Closest>,
}

/// A pair within the distance asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The pair.
    pub bodies: [BodyId; 2],
    /// Its signed distance.
    pub closest: Closest,
}

/// A pair in contact.
#[derive(Debug, Clone, PartialEq)]
pub struct InContact {
    /// The pair.
    pub bodies: [BodyId; 2],
    /// Where.
    pub manifold: Manifold,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Pairs of overlapping boxes.
    pub pairs: u64,
    /// Of these, pairs whose bounding balls are apart: no more was looked at.
    pub beyond_spheres: u64,
    /// Pairs that slept, since they could not have met.
    pub asleep: u64,
    /// Pairs that were tested exactly.
    pub tested: u64,
    /// Pairs that touch.
    pub touching: u64,
    /// Supports evaluated in all tests.
    pub supports: u64,
    /// Bodies that moved farther than the bounds on their motion allow.
    pub surprises: u64,
}

/// What a step tells. All lists are in ascending order of the bodies.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Begun, persisting and ended touches.
    pub events: &'a [Event],
    /// In [`Mode::Closest`]: the pairs within the distance.
    pub near: &'a [Near],
    /// In [`Mode::Contacts`]: the contacts.
    pub contacts: &'a [InContact],
    /// What was done.
    pub statistics: Statistics,
}

/// Bodies in motion, and which of them touch.
///
/// ```
/// use clearance::world::{Body, EventKind, World, WorldOptions};
/// use clearance::{Pose, Shape};
/// let mut world = World::new(WorldOptions::default());
/// let ball = || Shape::sphere(1.0);
/// let first = world.add(Body::new(ball()?, Pose::IDENTITY))?;
/// let second = world.add(Body::new(ball()?, Pose::from_translation([3.0, 0.0, 0.0])?))?;
/// assert!(world.step().events.is_empty());
/// world.set_pose(second, Pose::from_translation([1.5, 0.0, 0.0])?)?;
/// let step = world.step();
/// assert_eq!((step.events[0].kind, step.events[0].bodies), (EventKind::Begin, [first, second]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    options: WorldOptions,
    broad: Box<dyn BroadPhase + Send + Sync>,
    shapes: Vec<Option<Shape>>,
    poses: Vec<Pose>,
    balls: Vec<Ball>,
    /// The poses of the last step.
    previous: Vec<Pose>,
    trackers: Vec<BoxTracker>,
    /// How far a box reaches beyond its body.
    reaches: Vec<Real>,
    moved: Vec<bool>,
    envelopes: Vec<Option<Envelope>>,
    groups: Vec<Group>,
    generations: Vec<u32>,
    /// The generations of the last step: its pairs are of these bodies.
    seen: Vec<u32>,
    /// Bodies added since then.
    fresh: Vec<u32>,
    born: Vec<u64>,
    free: Vec<u32>,
    filter: Filter,
    filter_changed: bool,
    /// Bodies whose rules have changed.
    rules_changed: Vec<u32>,
    pairs: PairTable,
    schedule: Schedule,
    /// Bodies whose pairs must be looked at in the next step.
    alarmed: Vec<u32>,
    is_alarmed: Vec<bool>,
    now: u64,
    found: Vec<Found>,
    ended: Vec<Event>,
    told: Found,
}

impl World {
    /// An empty world.
    pub fn new(options: WorldOptions) -> Self {
        let broad: Box<dyn BroadPhase + Send + Sync> = match options.broad {
            Broad::Grid => Box::new(Grid::new()),
            Broad::Tree => Box::new(Tree::new()),
            Broad::SweepAndPrune => Box::new(SweepAndPrune::new()),
            Broad::BruteForce => Box::new(BruteForce::new()),
        };
        Self {
            options,
            broad,
            shapes: Vec::new(),
            poses: Vec::new(),
            balls: Vec::new(),
            previous: Vec::new(),
            trackers: Vec::new(),
            reaches: Vec::new(),
            moved: Vec::new(),
            envelopes: Vec::new(),
            groups: Vec::new(),
            generations: Vec::new(),
            seen: Vec::new(),
            fresh: Vec::new(),
            born: Vec::new(),
            free: Vec::new(),
            filter: Filter::new(),
            filter_changed: false,
            rules_changed: Vec::new(),
            pairs: PairTable::default(),
            schedule: Schedule::default(),
            alarmed: Vec::new(),
            is_alarmed: Vec::new(),
            now: 0,
            found: Vec::new(),
            ended: Vec::new(),
            told: Found::default(),
        }
    }

    /// Adds a body.
    ///
    /// # Errors
    /// If its margin or a bound on its motion is negative or not finite, or the margin makes it larger than a shape may be.
    pub fn add(&mut self, body: Body) -> Result<BodyId, WorldError> {
        let margin = checked_margin(body.margin)?;
        let motion = body.motion.map(Motion::checked).transpose()?;
        let shape = if margin > 0.0 { body.shape.rounded(margin)? } else { body.shape };
        let slot = self.free.last().copied().unwrap_or(self.shapes.len() as u32);
        let mut tracker = match self.options.boxes {
            Boxes::Auto => match shape.core() {
                Core::Polytope(polytope) if polytope.search().is_climbed() => BoxTracker::Casing,
                _ => BoxTracker::DYNAMIC,
            },
            Boxes::Dynamic => BoxTracker::DYNAMIC,
            Boxes::Fixed => BoxTracker::Fixed,
        };
        let reach = self.options.mode.reach(&shape, 0.0);
        let bounds = tracker.aabb_within(&shape, &body.pose, reach);
        self.broad.add(slot, bounds)?;
        let envelope = motion.map(|motion| Envelope::new(&motion, shape.bounding_radius(), self.now));
        if self.free.pop().is_none() {
            self.grow();
        }
        let at = slot as usize;
        self.balls[at] = Ball::new(&shape, &body.pose);
        (self.shapes[at], self.poses[at], self.previous[at]) = (Some(shape), body.pose, body.pose);
        (self.trackers[at], self.reaches[at]) = (tracker, reach);
        (self.moved[at], self.envelopes[at], self.groups[at]) = (false, envelope, body.group);
        self.born[at] = self.now + 1;
        self.fresh.push(slot);
        Ok(BodyId { slot, generation: self.generations[at] })
    }

    /// One more place for a body, to be filled.
    fn grow(&mut self) {
        self.shapes.push(None);
        self.poses.push(Pose::IDENTITY);
        self.balls.push(Ball { center: Vec3::ZERO, radius: 0.0 });
        self.previous.push(Pose::IDENTITY);
        self.trackers.push(BoxTracker::DYNAMIC);
        self.reaches.push(0.0);
        self.moved.push(false);
        self.envelopes.push(None);
        self.groups.push(Group::default());
        self.generations.push(0);
        self.seen.push(0);
        self.born.push(0);
    }

    /// Removes a body. If it touches others, the next step tells that this has ended.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        self.broad.remove(id.slot)?;
        self.shapes[at] = None;
        self.envelopes[at] = None;
        self.moved[at] = false;
        let rules_changed = &mut self.rules_changed;
        self.filter.forget(id.slot, |other| rules_changed.push(other));
        // A place that has run out of names is not used again.
        if let Some(next) = id.generation.checked_add(1) {
            self.generations[at] = next;
            self.free.push(id.slot);
        }
        Ok(())
    }

    /// Puts a body somewhere else.
    ///
    /// # Errors
    /// If there is no such body.
    #[inline]
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        self.poses[at] = pose;
        self.balls[at].center = pose.translation();
        self.moved[at] = true;
        Ok(())
    }

    /// Gives a body new bounds on its motion from now on, or none.
    ///
    /// # Errors
    /// If there is no such body, or a bound is negative or not finite.
    pub fn set_motion(&mut self, id: BodyId, motion: Option<Motion>) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        let motion = motion.map(Motion::checked).transpose()?;
        let radius = self.shapes[at].as_ref().map_or(0.0, Shape::bounding_radius);
        let next = motion.map(|motion| Envelope::new(&motion, radius, self.now));
        let covered = match (&self.envelopes[at], &next) {
            (Some(old), Some(next)) => old.covers(next, self.now),
            (old, _) => old.is_none(),
        };
        if !covered {
            self.alarmed.push(id.slot);
        }
        self.envelopes[at] = next;
        Ok(())
    }

    /// Puts a body into a group.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_group(&mut self, id: BodyId, group: Group) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        self.groups[at] = group;
        self.filter_changed = true;
        Ok(())
    }

    /// Whether bodies of the one group are tested against those of the other. All are, if not said otherwise.
    pub fn set_groups(&mut self, a: Group, b: Group, enabled: bool) {
        self.filter.set_groups(a, b, enabled);
        self.filter_changed = true;
    }

    /// What is asked of one pair, whatever their groups; nothing: what their groups say.
    ///
    /// # Errors
    /// If there is no such body, both are the same, or the distance is negative or not finite.
    pub fn set_pair(&mut self, a: BodyId, b: BodyId, rule: Option<PairRule>) -> Result<(), WorldError> {
        if self.slot(a)? == self.slot(b)? {
            return Err(WorldError::SameBody { id: a });
        }
        if let Some(PairRule::Within(distance)) = rule {
            checked_margin(distance)?;
        }
        self.filter.set_rule([a.slot, b.slot], rule);
        self.rules_changed.extend([a.slot, b.slot]);
        self.filter_changed = true;
        Ok(())
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.broad.bodies().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entries in the schedule, those that mean nothing any more among them: what sleeping pairs take of memory.
    pub fn sleeping(&self) -> usize {
        self.schedule.len()
    }

    /// Where a body is.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn pose(&self, id: BodyId) -> Result<&Pose, WorldError> {
        Ok(&self.poses[self.slot(id)?])
    }

    /// The shape of a body, its margin included.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn shape(&self, id: BodyId) -> Result<&Shape, WorldError> {
        self.shapes[self.slot(id)?].as_ref().ok_or(WorldError::UnknownBody { id })
    }

    #[inline]
    fn slot(&self, id: BodyId) -> Result<usize, WorldError> {
        let at = id.slot as usize;
        let valid = at < self.shapes.len() && self.generations[at] == id.generation && self.shapes[at].is_some();
        if valid { Ok(at) } else { Err(WorldError::UnknownBody { id }) }
    }
}
