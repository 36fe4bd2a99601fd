//! Arithmetic and predicates without rounding.
//!
//! Every finite `f64` is an integer times a power of two, and sums and products of such numbers
//! stay of that form. So [`Dyadic`] needs neither division nor fractions, and the sign of any
//! polynomial in the inputs is a fact, not an estimate. The predicates try plain floating point
//! first and trust it only beyond a proven error bound.

mod dyadic;
mod predicates;
mod vector;

pub use dyadic::{Dyadic, ratio, signed_root};
pub use predicates::{collinear, orient2d, orient3d, orient3d_exact};
pub use vector::{Exact3, posed};
