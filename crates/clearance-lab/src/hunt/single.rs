//! The hunt in single precision.

pub(crate) use clearance_f32 as library;

#[path = "judge.rs"]
pub(crate) mod judge;
