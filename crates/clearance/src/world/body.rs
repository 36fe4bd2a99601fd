//! What a world knows of its bodies.

use thiserror::Error;

use super::schedule::MotionBounds;
use crate::broad::BroadError;
use crate::ccd::polyhedra::CastError;
use crate::math::{Pose, Real};
use crate::shape::{Body, ShapeError};

/// Names a body of a world. The id of a removed body never becomes valid again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl BodyId {
    /// Where the body is in tables indexed by body: small, and used again after a removal.
    #[inline]
    pub fn index(self) -> usize {
        self.slot as usize
    }
}

/// Bodies of two groups are tested against each other or not: see [`World::set_groups`](super::World::set_groups).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Group(pub(super) u8);

impl Group {
    pub(super) const FIRST: Self = Self(0);

    /// How many groups there are.
    pub const COUNT: usize = 64;

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

/// Why a world refused a call; nothing has changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The body was removed, or is of another world.
    #[error("body {id:?} does not exist: it has been removed, or belongs to another world")]
    UnknownBody {
        /// The id given.
        id: BodyId,
    },
    /// A margin or distance is negative, NaN or infinite.
    #[error("margin {value}: it must be finite and not negative")]
    Margin {
        /// The number given.
        value: Real,
    },
    /// The margin makes the body larger than a body may be.
    #[error("margin: {0}")]
    Shape(#[from] ShapeError),
    /// A bound on motion is negative, NaN or infinite.
    #[error("motion: {name} is {value}; it must be finite and not negative")]
    Motion {
        /// Which bound.
        name: &'static str,
        /// The number given.
        value: Real,
    },
    /// There is no such group.
    #[error("group {number}: groups are numbered below {count}", count = Group::COUNT)]
    Group {
        /// The number given.
        number: usize,
    },
    /// A pair of a body with itself.
    #[error("body {id:?} was paired with itself")]
    SameBody {
        /// The body.
        id: BodyId,
    },
    /// A cast could not be made.
    #[error("cast: {0}")]
    Cast(#[from] CastError),
    /// The broad phase has no room for another body.
    #[error("broad phase: {0}")]
    Broad(#[from] BroadError),
}

/// A margin or a distance, checked.
pub(super) fn checked_margin(value: Real) -> Result<Real, WorldError> {
    (value.is_finite() && value >= 0.0).then_some(value).ok_or(WorldError::Margin { value })
}
