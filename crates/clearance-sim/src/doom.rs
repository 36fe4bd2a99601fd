//! Rigid bodies and articulated figures that move one by one, as in DOOM III (J.M.P. van Waveren 2005, section 6).
//!
//! The paper says what it does in a few sentences: bricks of a wall by impulses, figures by Lagrange multipliers, and both moved through
//! the world by continuous collision detection, so that nothing interpenetrates whatever the update frequency. The rest is ours.
//!
//! A step of a [`Room`]
//! 1. adds gravity to the velocities;
//! 2. finds the contacts at rest, within a few expel zones, and solves for impulses that stop what approaches there, with Coulomb
//!    friction: row by row, each of which can only take kinetic energy away; the joints of a figure are solved together, exactly
//!    (Lagrange multipliers);
//! 3. moves each body, the lowest first, by a translation and then a rotation through all others as they are then
//!    ([`World::move_body`](clearance::World::move_body)), which ends an expel zone before contact. What is met on the way gets an
//!    impulse with restitution and friction, and the body goes on with the rest of its time;
//! 4. draws the links of figures together again where they were held, by the same kind of moves;
//! 5. takes away kinetic energy if there is more energy than before the step: bodies that were held have not used up the work of
//!    gravity;
//! 6. puts bodies to rest that have hardly moved for a while, with all that they touch.
//!
//! Steps longer than [`RoomOptions::longest_step`] are divided, so that the outcome does not depend on the rate of the game. None of the
//! promises depends on that: without division nothing overlaps either, but a ball that meets a wall waits for the bricks, which wait
//! for their turn.
//!
//! Bodies are only ever moved by casts, so they never overlap. Every body ends a step where it is; no error of a position is ever
//! corrected by pushing bodies apart.

mod collide;
mod contact;
mod error;
pub mod experiment;
mod joint;
mod mass;
mod moves;
mod options;
mod remove;
mod rest;
mod room;
mod tolerance;

pub use error::RoomError;
pub use joint::JointId;
pub use mass::NewMoving;
pub use options::RoomOptions;
pub use room::{Room, Stepped};
