//! Scenes that a simulator is judged by, each a function that builds a [`Simulation`](crate::Simulation): stacks, a brick wall that is
//! shot at, a figure on stairs, a bowl that is filled, a card house and dominoes. Up is along z; the floor is at z = 0.

mod bowl;
mod cards;
mod figure;
mod random;
mod stack;
mod wall;

pub use bowl::{BOWL_DEPTH, BOWL_RADIUS, bowl};
pub use cards::{card_house, dominoes};
pub use figure::{LINKS, figure_on_stairs};
pub use stack::{Stack, StackEnd, TallestStack, stack_end, stacking, tallest_stack};
pub use wall::{BALL_SPEED, brick_wall};

use clearance::{Pose, Shape};

use crate::body::RigidBody;
use crate::error::SimError;

/// A slab whose top is at z = 0.
fn floor() -> Result<RigidBody, SimError> {
    Ok(RigidBody::fixed(Shape::cuboid([100.0, 100.0, 1.0])?, Pose::from_translation([0.0, 0.0, -1.0])?))
}
