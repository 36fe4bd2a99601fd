//! Tolerances of rays.

/// Error of the share of a ray at which it enters or leaves a node of a tree, relative, in single precision: a difference, an inverse
/// and a product, each rounded by half of epsilon; twice that and more.
pub const RAY_NODE: f32 = 4.0 * f32::EPSILON;

/// Bounds of a ray's position farther apart than this, relative to the origin's distance from the body and the body's size, say that
/// rounding has decided: the ray is nearly along the surface there.
#[cfg(not(single_precision))]
pub const RAY_GAP: f64 = 1.0e-9;
/// Bounds of a ray's position farther apart than this, relative to the origin's distance from the body and the body's size, say that
/// rounding has decided: the ray is nearly along the surface there.
#[cfg(single_precision)]
pub const RAY_GAP: f64 = 1.0e-4;
