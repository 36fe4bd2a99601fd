//! Continuous collision detection: when do bodies in motion meet?
//!
//! - `translation`: a convex body that moves straight, without turning: [`cast`](cast())
//! - [`feature`]: vertices, faces and edges that move each on lines of their own
//! - [`polyhedra`]: bodies of any shape, concave too, by trajectories of their features: casts, contacts, moves
//! - [`trajectory`]: the formulas of the paper for single pairs of features, as printed
//! - `impact`: convex bodies under any screw or constant velocities: [`time_of_impact`]
//! - [`bodies`]: the same for meshes and compounds

mod advance;
mod answer;
pub mod bodies;
mod cast;
mod custom;
pub mod feature;
mod impact;
mod moving;
pub mod polyhedra;
pub mod trajectory;
mod translation;

pub use crate::motion::{Motion, MotionError};
pub use advance::STEP_LIMIT;
pub use answer::{BodyImpact, Impact, ImpactOptions};
pub use cast::{
    CastOptions, Moved, Slid, cast_all, cast_body, cast_obstacles, contacts_between, impact_body, move_among,
    slide_among,
};
pub use impact::time_of_impact;
pub use translation::{Cast, CastHit, cast};
