//! The hunt in single precision.

pub(crate) use clearance_f32 as library;

#[path = "bodies.rs"]
mod bodies;
#[path = "judge.rs"]
pub(crate) mod judge;
#[path = "ways.rs"]
mod ways;
