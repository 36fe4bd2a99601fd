//! Why a room refuses a call.

use clearance::world::{BodyId, WorldError};
use clearance::{PoseError, Real};
use thiserror::Error;

/// Why a room refused a call. Bodies are named by the place that they have, or would have had, in the room.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RoomError {
    /// A mass is zero, negative, infinite or NaN.
    #[error("body {body}: its mass is {mass}; it must be finite and above zero")]
    Mass {
        /// The body's index.
        body: usize,
        /// The mass given.
        mass: Real,
    },
    /// A body that moves is no solid: it has no volume, or no end.
    #[error("body {body}: it has a volume of {volume}; only solids can move")]
    NoSolid {
        /// The body's index.
        body: usize,
        /// Its volume.
        volume: Real,
    },
    /// A velocity has a component that is NaN or infinite.
    #[error("body {body}: its {name} is ({}, {}, {}); the components must be finite", .value[0], .value[1], .value[2])]
    Velocity {
        /// The body's index.
        body: usize,
        /// Which velocity.
        name: &'static str,
        /// The velocity given.
        value: [Real; 3],
    },
    /// A coefficient of a body is negative, NaN or beyond its range.
    #[error("body {body}: its {name} is {value}; it must be {range}")]
    Coefficient {
        /// The body's index.
        body: usize,
        /// Which one.
        name: &'static str,
        /// The number given.
        value: Real,
        /// What it may be.
        range: &'static str,
    },
    /// The time of a step is not above zero.
    #[error("a step of {dt}: the time must be finite and above zero")]
    Step {
        /// The time given.
        dt: Real,
    },
    /// A number of the options is out of its range.
    #[error("{name} is {value}; it must be finite and not negative, and a step above zero")]
    Option {
        /// Which one.
        name: &'static str,
        /// The number given.
        value: Real,
    },
    /// A joint of a body with itself.
    #[error("a joint of body {body:?} with itself")]
    SameBody {
        /// The body.
        body: BodyId,
    },
    /// A joint between bodies of which none moves, or at a place that is none.
    #[error("a joint between bodies {bodies:?}: {why}")]
    Joint {
        /// The bodies.
        bodies: [BodyId; 2],
        /// What is wrong.
        why: &'static str,
    },
    /// A body does not move: it was added as a fixed one.
    #[error("body {body:?} is fixed")]
    Fixed {
        /// The body.
        body: BodyId,
    },
    /// More figures than there are groups of bodies.
    #[error("more than {most} figures")]
    TooManyFigures {
        /// How many there may be.
        most: usize,
    },
    /// A body could not be moved.
    #[error("body {body}: {source}")]
    Move {
        /// The body's index.
        body: usize,
        /// Why.
        source: WorldError,
    },
    /// The world refused.
    #[error("world: {0}")]
    World(#[from] WorldError),
    /// A pose is out of range.
    #[error("pose: {0}")]
    Pose(#[from] PoseError),
}
