//! What is asked of a world, and what a step tells.

use super::id::BodyId;
#[cfg(doc)]
use super::schedule::MotionBounds;
use super::slot::rounded_reach;
use crate::answer::{Closest, Manifold};
use crate::broad::MOST_PAIRS;
use crate::manifold::ManifoldOptions;
use crate::math::Real;

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
    pub(super) fn wanted(&self, margin: Real) -> Real {
        match self {
            Self::Boolean | Self::Combined => margin,
            Self::Closest { within } => within.max(margin),
            Self::Contacts(options) => options.margin.max(margin),
        }
    }

    /// How far the box of a body of this radius and with this largest margin reaches beyond it: half of the distance that matters.
    pub(super) fn reach(&self, radius: Real, margin: Real) -> Real {
        rounded_reach(radius, 0.5 * self.wanted(margin).max(0.0))
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
    /// Three sorted axes in each region of a partition of space (Q_COLLIDE): for many bodies that move little.
    PartitionedSweep,
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
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct WorldOptions {
    /// What to find out about the pairs.
    pub mode: Mode,
    /// How pairs of boxes are found.
    pub broad: Broad,
    /// What kind of boxes.
    pub boxes: Boxes,
    /// Keep a tree of the moving bodies for queries: a step costs a few per cent more. Without it a query looks at the boxes of all
    /// moving bodies, one after the other. Fixed bodies are always in a tree.
    pub queries: bool,
    /// Let pairs of bodies with a known [`MotionBounds`] sleep until they could meet.
    pub schedule: bool,
    /// Pairs of overlapping boxes that a step keeps at most: a world remembers about half a kilobyte for each. The pairs of many bodies
    /// in one place are as many as the square of these; a step that finds more says that it is not complete.
    pub most_pairs: usize,
    /// Keep the contacts of a pair in [`Mode::Contacts`], and move them with the bodies, while no point of the smaller body has moved against
    /// the larger one by more than this share of its radius, nor by half of the margin, since they were found; that there are none,
    /// while it has not moved by half of the margin, or as far as the bodies were beyond it. Distances are then those of the features found
    /// before, and points of other features that come within the margin are found a little later. Contacts whose features do not say how
    /// they move (two curved surfaces, a rim on an edge) are found anew in every step. 0: all are. Costs
    /// another kilobyte for each pair.
    pub keep_contacts: Real,
    /// Only name the pairs whose contact is kept ([`Step::kept`]), without moving its points: for a simulator that moves them itself with what
    /// [`Step::roundings`] says, so that a pair which hardly moves costs next to nothing. Contacts that do not say how they move are kept
    /// while next to nothing has moved.
    pub name_kept: bool,
    /// Find the nearest points in the frame before of the pairs that begin to touch ([`Event::before`]). A simulator does not ask for them.
    pub before: bool,
}

impl Default for WorldOptions {
    fn default() -> Self {
        let (mode, broad, boxes) = (Mode::default(), Broad::default(), Boxes::default());
        let (schedule, most_pairs) = (false, MOST_PAIRS);
        let (keep_contacts, name_kept) = (0.0, false);
        Self { mode, broad, boxes, queries: true, schedule, most_pairs, keep_contacts, name_kept, before: true }
    }
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
    /// At the beginning, unless the mode is boolean or [`WorldOptions::before`] is off: the nearest points in the frame before, if the bodies
    /// were there and apart.
    pub before: Option<Closest>,
}

/// Two bodies of a world within the distance asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPair {
    /// The pair.
    pub bodies: [BodyId; 2],
    /// Its signed distance.
    pub closest: Closest,
}

/// A body found by [`World::nearest`](super::World::nearest).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearBody {
    /// Which.
    pub body: BodyId,
    /// Its signed distance from what was asked about, which is A; the body is B.
    pub closest: Closest,
}

/// Two bodies of a world in contact.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPair {
    /// The pair.
    pub bodies: [BodyId; 2],
    /// Where.
    pub manifold: Manifold,
    /// Whether the contact was found in an earlier step and has moved with the bodies ([`WorldOptions::keep_contacts`]): then its distance is
    /// that of its deepest point.
    pub is_kept: bool,
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
    /// Of these, pairs whose contacts were kept from an earlier step.
    pub kept: u64,
    /// Pairs that touch.
    pub touching: u64,
    /// Supports evaluated, or pieces examined, in all tests.
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
    pub near: &'a [NearPair],
    /// In [`Mode::Contacts`]: the contacts.
    pub contacts: &'a [ContactPair],
    /// With [`WorldOptions::name_kept`]: the pairs that still have the contact which a step before this one has told.
    pub kept: &'a [[BodyId; 2]],
    /// With [`WorldOptions::name_kept`]: for each point of the contacts, in order, by how much the surfaces of both bodies lie outside of what
    /// moves with them there. A ball turns under its contact with a face: what is kept is its centre.
    pub roundings: &'a [[Real; 2]],
    /// What was done.
    pub statistics: Statistics,
    /// Whether the pairs were looked at. False if more boxes overlap than [`WorldOptions::most_pairs`]: then nothing is told, and the next
    /// complete step tells what has changed since the last complete one. [`World::try_step`](super::World::try_step) makes it an error.
    pub is_complete: bool,
}
