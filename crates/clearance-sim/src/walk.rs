//! The walker: moves a character through a world of bodies that may move themselves.
//!
//! A [`Walker`] is a convex body (a capsule, a box, any [`Shape`](clearance::Shape)) that is no body of the world: it asks the
//! world with casts, and nothing else moves it. In each frame the game sets the poses of doors, lifts and crates, and then calls
//! [`Walker::step`] with the velocity it wants. The walker
//!
//! - goes with the body it stands on, and turns with it;
//! - is pushed by what has moved into it, and says so if there is no room ([`Walked::crushed`]);
//! - on the ground keeps the wanted horizontal speed, up and down slopes and steps, along walls and into corners;
//! - in the air moves as wanted, and loses of its velocity what leads into what it meets;
//! - does not climb what is steeper than [`Walk::max_slope`], and leaves the ground in the frame in which an upward velocity is wanted.
//!
//! A body that comes from farther away than half a step height in one frame, and passes, is not noticed: the walker remembers where
//! the bodies around it were, and no others.
//!
//! **How it keeps out of solids.** Casts stop [`Walk::skin`] away from everything, certified by their bounds. A slide may use up a quarter
//! of that distance by rounding before it is held, and is lifted back to the full one; so nothing is ever touched, and a way along a
//! floor of many bodies never catches at their edges.
//!
//! **Why it is the same at any frame rate.** On the ground a frame moves by a horizontal way and then lets the body down on what is
//! below: its height depends on the place alone. Whether a step may be climbed depends on the height of the step above the
//! last footing, not on how much is climbed in one frame. A footing on an edge (a capsule's round end on the edge of a stair) counts
//! by the surface behind the edge.

mod air;
mod around;
mod crouch;
mod error;
pub mod experiment;
mod footing;
mod ground;
mod options;
mod planes;
mod push;
mod tolerance;
mod walker;

pub use error::WalkError;
pub use options::Walk;
pub(crate) use planes::Planes;
pub use walker::{Ground, Touch, Walked, Walker};
