//! The hunt in double precision.

pub(crate) use clearance as library;

#[path = "bodies.rs"]
mod bodies;
#[path = "judge.rs"]
pub(crate) mod judge;
#[path = "ways.rs"]
mod ways;
