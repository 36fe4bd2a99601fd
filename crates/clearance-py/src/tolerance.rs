//! The one tolerance of this package.

/// How far the columns of a 4 × 4 matrix may be from unit vectors at right angles, and its last row from 0, 0, 0, 1. Matrices written with six
/// digits pass; scales and shears do not.
pub const RIGID: f64 = 1e-5;
