//! The verbs: one question each, for bodies of every kind.
//!
//! Each verb is one match over what the bodies are. Two convex shapes go straight to the narrow phase; everything else goes to the
//! queries of concave bodies, and padding is added to their answers.

mod cache;
mod cast;
mod closest;
mod contact_range;
mod contacts;
#[cfg(feature = "study")]
pub mod hull_tree;
mod manifold;
mod meeting;
mod overlap;
mod push_out;
mod ray;
mod slide;
mod within;

pub use cache::Cache;
pub use cast::{cast, cast_all, time_of_impact};
pub use closest::{closest, distance};
pub use contact_range::contact_range;
pub use contacts::contacts;
pub(crate) use manifold::any_or_bound;
pub use manifold::manifold;
pub use overlap::overlap;
pub use push_out::push_out;
pub use ray::{cast_ray, cast_ray_all, project};
pub use slide::{move_body, slide};
pub use within::within;
