//! The narrow phase: two convex bodies.
//!
//! The verbs [`overlap`](crate::overlap()) and [`closest`](crate::closest()) pick the best way for a pair; each algorithm can
//! also be called by its own name, for study, comparison and cross-checking.

pub mod active;
mod cache;
mod closed;
pub mod closest_features;
pub mod combined;
pub mod contact_range;
pub mod epa;
mod feature;
pub mod gilbert;
pub mod gjk;
pub mod johnson;
pub mod linear_program;
pub mod minkowski;
pub mod mpr;
mod pair;
pub mod polish;
pub mod sa_gjk;
pub mod separating_vector;
pub mod simplex;
mod witness;

pub use cache::PairCache;
pub use feature::{Feature, FeatureId};
pub use pair::{Closest, Overlap, Witness, closest, closest_by, distance, overlap};

/// How a query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// The bounds agree to within the stated tolerance.
    #[default]
    Converged,
    /// The iteration limit came first; the bounds are what was reached.
    IterationLimit,
    /// Rounding stopped it; the bounds are what was reached.
    Degenerate,
}
