//! Seeded families of inputs: ordinary ones, and the degenerate ones on which geometry code fails.
//!
//! A [`Cloud`] always spans a volume (exactly; some only just), a [`FlatCloud`] exactly never does,
//! and a [`PairFamily`] places two clouds so that a query between them is ordinary or awkward.

mod cloud;
mod flat;
mod pair;

pub use cloud::Cloud;
pub use flat::FlatCloud;
pub use pair::{PairCase, PairFamily};

use glam::DVec3;

/// Every coordinate rounded to the nearest `f32`, so that a single-precision build can hold it.
pub fn round_to_f32(points: &[DVec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_vec3().as_dvec3()).collect()
}
