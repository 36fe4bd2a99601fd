//! Vectors, poses, boxes, planes and exact predicates.

mod aabb;
pub(crate) mod exact;
pub(crate) mod expansion;
pub(crate) mod lanes;
#[cfg(feature = "mint")]
mod mint;
mod obb;
mod plane;
mod plucker;
mod pose;
pub mod predicates;
mod real;
pub(crate) mod triangle;
mod vector;
pub(crate) mod weld;

pub use aabb::Aabb;
pub use obb::Obb;
pub use plane::Plane;
pub use plucker::Plucker;
pub use pose::{Pose, PoseError};
pub use real::{Mat3, Quat, Real, Vec3, consts, narrow, narrow_real, widen, widen_real};
pub(crate) use vector::{length, unit_or};
