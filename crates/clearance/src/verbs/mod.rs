//! The verbs: one question each, for bodies of every kind.
//!
//! Each verb is one match over what the bodies are. Two convex shapes go straight to the narrow phase; everything else goes to the
//! queries of concave bodies, and padding is added to their answers.

mod cache;
mod closest;
mod contact_range;
mod manifold;
mod overlap;
mod within;

pub use cache::Cache;
pub use closest::{closest, distance};
pub use contact_range::contact_range;
pub use manifold::manifold;
pub use overlap::overlap;
pub use within::within;
