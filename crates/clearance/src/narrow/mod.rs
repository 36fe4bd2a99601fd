//! The narrow phase: two convex bodies.
//!
//! The verbs [`overlap`](crate::overlap()) and [`closest`](crate::closest()) pick the best way for a pair; each algorithm can
//! also be called by its own name, for study, comparison and cross-checking.

pub mod active;
mod cache;
mod careful;
mod closed;
mod closest;
pub mod closest_features;
pub mod combined;
pub mod contact_range;
pub mod epa;
mod feature;
mod finish;
pub mod gilbert;
pub mod gjk;
pub mod johnson;
pub mod linear_program;
mod local;
pub mod minkowski;
pub mod mpr;
pub mod named;
mod overlap;
mod pair;
mod plates;
pub mod polish;
mod posed;
mod revolution;
mod rods;
pub mod sa_gjk;
pub mod separating_vector;
pub mod simplex;
mod witness;

pub use crate::answer::{Closest, End, Overlap, Witness};
pub use cache::PairCache;
pub use closest::{closest, closest_by, distance};
pub use feature::{Label, Labels, Names};
pub(crate) use finish::{Cores, Ended, deep, finished, rounded};
pub use overlap::overlap;
pub(crate) use separating_vector::last_bound;
pub(crate) use witness::grown_towards;
