//! `query` in single precision, on `clearance-f32`: the same sources.

pub(crate) use clearance_f32 as library;

#[path = "query/mod.rs"]
pub mod query;
