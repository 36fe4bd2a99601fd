//! Tolerances of the formulas for ellipsoids.

use super::UNIT_ROUNDOFF;
use crate::real::Real;

/// Error of the matrix of an ellipsoid inside of a sum of two bodies, relative to the sum of its values: the products of three numbers that a
/// root is made of (6u), a turn of its columns (16u), their sum with others (u) and products of three terms of two of them (2 · 23u + 3u), below
/// 64u; and as much for the determinants that tell whether it is positive.
pub const INNER_ERROR: Real = 128.0 * UNIT_ROUNDOFF;
