//! The hunt in double precision.

pub(crate) use clearance as library;

#[path = "judge.rs"]
pub(crate) mod judge;
