//! Many bodies of any kind, frame after frame (Q_COLLIDE, chapter 6; I_COLLIDE's architecture in the proximity-queries lecture).
//!
//! A step follows the bodies with their boxes, finds the pairs of overlapping boxes, looks at each of them with what it
//! remembers from the last frame, and tells which pairs have begun to touch, still do, or have ended. A pair whose bounding balls
//! are apart is not looked at further; with bounds on the motion, pairs sleep until they could meet. Fixed bodies are in a tree of
//! their own: nothing is done for them unless something moving comes near.
//!
//! Queries of a world ([`World::overlapping`], [`World::nearest`] and others) see the bodies as they are now, between steps too.
//! They change nothing, so that many threads may ask at once.
//!
//! Invariants: the events of a step, and everything else it tells, are the same bits for any broad phase and any number of threads;
//! bodies touch exactly if [`overlap`](crate::overlap()) says so. Nothing is quadratic in the number of bodies but the broad phase
//! called brute force. A step allocates only until its tables have grown to the scene.

mod body;
mod cast;
mod error;
mod filter;
mod id;
mod index;
mod kept;
mod matrix;
mod moves;
mod pairs;
mod query;
mod report;
mod schedule;
mod slot;
mod step;
mod test;

pub use body::{Group, NewBody};
pub use error::WorldError;
pub use filter::Filter;
pub use id::BodyId;
pub use matrix::PairRule;
pub use report::{
    Boxes, Broad, ContactPair, Event, EventKind, Mode, NearBody, NearPair, Statistics, Step, WorldOptions,
};
pub use schedule::MotionBounds;

use error::checked_margin;
use index::Index;
use matrix::Matrix;
use pairs::PairTable;
use schedule::{Envelope, Schedule};
use slot::{Ball, Slot};
use test::Found;

use crate::broad::{BoxTracker, BroadPhase, BruteForce, Grid, PartitionedSweep, SweepAndPrune, Tree};
use crate::math::{Aabb, Pose, widen_real};
use crate::shape::Body;

/// Bodies in motion, and which of them touch.
///
/// ```
/// use clearance::world::{EventKind, NewBody, World, WorldOptions};
/// use clearance::{HalfSpace, Body, Pose, Shape, Vec3};
/// let mut world = World::new(WorldOptions::default());
/// let floor = world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?;
/// let ball = world.add(NewBody::new(Shape::sphere(1.0)?, Pose::from_translation([0.0, 0.0, 3.0])?))?;
/// assert!(world.step().events.is_empty());
/// world.set_pose(ball, Pose::from_translation([0.0, 0.0, 0.5])?)?;
/// let step = world.step();
/// assert_eq!((step.events[0].kind, step.events[0].bodies), (EventKind::Begin, [floor, ball]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    options: WorldOptions,
    broad: Box<dyn BroadPhase + Send + Sync>,
    slots: Vec<Slot>,
    /// The balls around the bodies, apart from the rest: a step reads those of all pairs, and little else of most.
    balls: Vec<Ball>,
    /// How far the points of the bodies have moved at most since the beginning, if contacts are kept: paths, not displacements.
    travels: Vec<f64>,
    /// Bodies that have come, moved or got other rules since the last step, each once.
    moved: Vec<u32>,
    /// The fixed ones among them.
    fixed_moved: Vec<u32>,
    /// Whether a box has changed, or a body has come or gone, since the pairs were found.
    stirred: bool,
    /// Bodies added since then.
    fresh: Vec<u32>,
    free: Vec<u32>,
    index: Index,
    matrix: Matrix,
    matrix_changed: bool,
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
        let mut broad: Box<dyn BroadPhase + Send + Sync> = match options.broad {
            Broad::Grid => Box::new(Grid::new()),
            Broad::Tree => Box::new(Tree::new()),
            Broad::SweepAndPrune => Box::new(SweepAndPrune::new()),
            Broad::PartitionedSweep => Box::new(PartitionedSweep::new()),
            Broad::BruteForce => Box::new(BruteForce::new()),
        };
        broad.bodies_mut().set_most_pairs(options.most_pairs);
        let keeps = matches!(options.mode, Mode::Contacts(_)) && options.keep_contacts > 0.0;
        Self {
            options,
            broad,
            slots: Vec::new(),
            balls: Vec::new(),
            travels: Vec::new(),
            moved: Vec::new(),
            fixed_moved: Vec::new(),
            stirred: false,
            fresh: Vec::new(),
            free: Vec::new(),
            index: Index::default(),
            matrix: Matrix::new(),
            matrix_changed: false,
            rules_changed: Vec::new(),
            pairs: PairTable::new(keeps),
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
    /// If its margin or a bound on its motion is negative or not finite, or the margin makes it larger than a body may be.
    pub fn add(&mut self, new: NewBody) -> Result<BodyId, WorldError> {
        let margin = checked_margin(new.margin)?;
        let motion = new.motion.map(MotionBounds::checked).transpose()?;
        let body = if margin > 0.0 { new.body.padded(margin)? } else { new.body };
        let at = self.free.last().map_or(self.slots.len(), |&slot| slot as usize);
        let tracker = match self.options.boxes {
            Boxes::Auto => None,
            Boxes::Dynamic => Some(BoxTracker::DYNAMIC),
            Boxes::Fixed => Some(BoxTracker::Fixed),
        };
        let mut slot = Slot::new(body, new.pose, tracker);
        (slot.group, slot.is_fixed, slot.born) = (new.group, new.fixed, self.now + 1);
        slot.reach = self.options.mode.reach(slot.radius, 0.0);
        slot.envelope = envelope(&slot, motion, self.now);
        if let Some(old) = self.slots.get(at) {
            (slot.generation, slot.seen, slot.listed) = (old.generation, old.seen, old.listed);
        }
        let bounds = slot.follow().unwrap_or(Aabb::EMPTY);
        if new.fixed { self.broad.add_fixed(at as u32, bounds) } else { self.broad.add(at as u32, bounds) }?;
        if self.free.pop().is_none() {
            self.slots.push(Slot::EMPTY);
            self.balls.push(Ball::NONE);
            self.travels.push(0.0);
        }
        (self.balls[at], self.slots[at]) = (slot.ball(), slot);
        self.list(at);
        self.stirred = true;
        self.fresh.push(at as u32);
        Ok(self.slots[at].id(at as u32))
    }

    /// Notes that a body must be followed in the next step.
    #[inline]
    fn list(&mut self, at: usize) {
        let (slot, next) = (&mut self.slots[at], self.now + 1);
        if slot.listed != next {
            slot.listed = next;
            self.moved.push(at as u32);
        }
        if slot.is_fixed {
            self.fixed_moved.push(at as u32);
        }
    }

    /// Removes a body. If it touches others, the next step tells that this has ended.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        self.broad.remove(id.slot)?;
        self.stirred = true;
        self.index.remove(id.slot);
        let slot = &mut self.slots[at];
        (slot.body, slot.envelope) = (None, None);
        let rules_changed = &mut self.rules_changed;
        self.matrix.forget(id.slot, |other| rules_changed.push(other));
        // A place that has run out of names is not used again.
        if let Some(next) = id.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.slot);
        }
        Ok(())
    }

    /// Puts a body somewhere else. A fixed body, too, which costs more.
    ///
    /// # Errors
    /// If there is no such body.
    #[inline]
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        let slot = &mut self.slots[at];
        if self.pairs.keeps() {
            self.travels[at] += widen_real(slot.travel_to(&pose));
        }
        slot.pose = pose;
        if slot.is_convex {
            self.balls[at].center = pose.translation();
        } else {
            self.balls[at] = slot.ball();
        }
        self.list(at);
        Ok(())
    }

    /// Gives a body new bounds on its motion from now on, or none. A fixed body keeps that it does not move.
    ///
    /// # Errors
    /// If there is no such body, or a bound is negative or not finite.
    pub fn set_motion(&mut self, id: BodyId, motion: Option<MotionBounds>) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        let motion = motion.map(MotionBounds::checked).transpose()?;
        let slot = &mut self.slots[at];
        let next = envelope(slot, motion, self.now);
        let covered = match (&slot.envelope, &next) {
            (Some(old), Some(next)) => old.covers(next, self.now),
            (old, _) => old.is_none(),
        };
        slot.envelope = next;
        if !covered {
            self.alarmed.push(id.slot);
        }
        Ok(())
    }

    /// Puts a body into a group.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_group(&mut self, id: BodyId, group: Group) -> Result<(), WorldError> {
        let at = self.slot(id)?;
        self.slots[at].group = group;
        self.matrix_changed = true;
        Ok(())
    }

    /// Whether bodies of the one group are tested against those of the other. All are, if not said otherwise.
    pub fn set_groups(&mut self, a: Group, b: Group, enabled: bool) {
        self.matrix.set_groups(a, b, enabled);
        self.matrix_changed = true;
    }

    /// What is asked of one pair, whatever their groups; nothing: what their groups say. Two fixed bodies are never a pair.
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
        self.matrix.set_rule([a.slot, b.slot], rule);
        self.rules_changed.extend([a.slot, b.slot]);
        self.matrix_changed = true;
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
        Ok(&self.slots[self.slot(id)?].pose)
    }

    /// A body, its margin included.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&Body, WorldError> {
        self.slots[self.slot(id)?].body.as_ref().ok_or(WorldError::UnknownBody { id })
    }

    /// All bodies, in ascending order of their ids.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        let used = self.slots.iter().enumerate().filter(|(_, slot)| slot.body.is_some());
        used.map(|(at, slot)| slot.id(at as u32))
    }

    #[inline]
    fn slot(&self, id: BodyId) -> Result<usize, WorldError> {
        let at = id.slot as usize;
        let valid = self.slots.get(at).is_some_and(|slot| slot.generation == id.generation && slot.body.is_some());
        if valid { Ok(at) } else { Err(WorldError::UnknownBody { id }) }
    }
}

/// What a body's motion is believed to stay within. Nothing bounds the speed of the points of a body without end that moves.
fn envelope(slot: &Slot, motion: Option<MotionBounds>, now: u64) -> Option<Envelope> {
    if slot.is_fixed {
        return Some(Envelope::FIXED);
    }
    motion.filter(|_| slot.radius.is_finite()).map(|motion| Envelope::new(&motion, slot.radius, now))
}
