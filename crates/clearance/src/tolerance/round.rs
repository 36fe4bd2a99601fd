//! Tolerances of the formulas for curved bodies.

use super::UNIT_ROUNDOFF;
use crate::real::Real;

/// Error of the matrix of an ellipsoid inside of a sum of two bodies, relative to the sum of its values: the products of three numbers that a
/// root is made of (6u), a turn of its columns (16u), their sum with others (u) and products of three terms of two of them (2 · 23u + 3u), below
/// 64u; and as much for the determinants that tell whether it is positive.
pub const INNER_ERROR: Real = 128.0 * UNIT_ROUNDOFF;

/// How stiff Newton's method on the direction takes a distance to be far from the maximum, relative to the vector between the points: at the
/// maximum the distance is that vector's length, and a step by less than it goes too far where the bodies are still passing each other (measured
/// on cones: from 0.2 to 0.7 fewer and fewer searches are lost).
pub const LEAST_STIFFNESS: Real = 0.7;

/// The flat end of a body of revolution is tried as the nearest if its normal is within this (cosine) of a direction on the way: 26°,
/// since from farther off the circle itself is nearest more often than not.
pub const END_DIRECTION: Real = 0.9;
