//! Vectors, poses, boxes, planes and exact predicates.

mod aabb;
pub(crate) mod exact;
pub(crate) mod expansion;
pub(crate) mod integer;
pub(crate) mod lanes;
#[cfg(feature = "mint")]
mod mint;
mod plane;
mod plucker;
mod pose;
pub mod predicates;
mod relative;
pub(crate) mod triangle;
mod vector;
pub(crate) mod weld;

pub use crate::real::{Mat3, Quat, Real, Vec3, consts, narrow, narrow_real, widen, widen_real};
pub(crate) use crate::real::{rounded_down, rounded_up};
pub use aabb::Aabb;
pub use plane::Plane;
pub use plucker::Plucker;
pub use pose::{Pose, PoseError};
pub use relative::{Relative, pair_size};
pub(crate) use vector::{length, unit_or, wide_unit_or};
