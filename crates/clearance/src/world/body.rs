//! What a world knows of its bodies.

use super::error::WorldError;
use super::id::GROUPS;
use super::schedule::MotionBounds;
use crate::math::{Pose, Real};
use crate::shape::Body;

/// Bodies of two groups are tested against each other or not: see [`World::set_groups`](super::World::set_groups).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Group(pub(super) u8);

impl Group {
    pub(super) const FIRST: Self = Self(0);

    /// How many groups there are.
    pub const COUNT: usize = GROUPS;

    /// The group with this number.
    ///
    /// # Errors
    /// If it is not below [`Group::COUNT`].
    pub fn new(number: usize) -> Result<Self, WorldError> {
        u8::try_from(number).ok().filter(|_| number < Self::COUNT).map(Self).ok_or(WorldError::Group { number })
    }
}

/// A body to be added to a world: what it is, where, and how it takes part.
#[derive(Debug, Clone)]
pub struct NewBody {
    /// The body, of any kind.
    pub body: Body,
    /// Where it is.
    pub pose: Pose,
    /// Its group; the first one if not said otherwise.
    pub group: Group,
    /// The body counts as larger by this on all sides. Zero if not said otherwise.
    pub margin: Real,
    /// Bounds on its motion, for worlds that schedule their tests. A fixed body needs none.
    pub motion: Option<MotionBounds>,
    /// A fixed body costs a step nothing and is never paired with another fixed body. It may still be given a pose now and then.
    pub fixed: bool,
}

impl NewBody {
    /// A moving body of the first group, without margin or bounds on its motion.
    pub fn new(body: impl Into<Body>, pose: Pose) -> Self {
        Self { body: body.into(), pose, group: Group::default(), margin: 0.0, motion: None, fixed: false }
    }

    /// A fixed body of the first group, without margin.
    pub fn fixed(body: impl Into<Body>, pose: Pose) -> Self {
        Self { fixed: true, ..Self::new(body, pose) }
    }
}
