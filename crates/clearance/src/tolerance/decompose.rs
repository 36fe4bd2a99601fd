//! Tolerances of convex decompositions, relative to the size of the piece at hand.

/// Points, faces and corners nearer than this are one: cuts are computed in f64 and rounded to the library's precision, which leaves a few
/// dozen roundings.
pub const DECOMPOSED_FLAT: f64 = if cfg!(single_precision) { 1.0e-5 } else { 1.0e-10 };

/// A plane that leaves less than this share of the hulls on one side is no cut, and planes nearer than this are one candidate: parts that
/// differ by so little are not worth another cut.
pub const DECOMPOSED_SHARE: f64 = 1.0e-3;
