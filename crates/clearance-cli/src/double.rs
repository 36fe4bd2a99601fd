//! `query` in double precision, on `clearance`.

pub(crate) use clearance as library;

#[path = "query/mod.rs"]
pub mod query;
