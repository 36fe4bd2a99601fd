//! Tolerances of many pairs at once.

use super::{RELATIVE_GAP, STALL_SIGMAS, UNIT_ROUNDOFF};
use crate::real::Real;

/// The gap along a direction, in support errors, beyond which lanes say apart. The plane is off by one, and the verb for one pair, which may
/// find another plane, off by one as well, says so only beyond one: less than four would leave booleans that differ.
pub const LANE_SIGMAS: Real = 4.0;

/// How far apart, in support errors, the points of two bodies may be that lanes show as one: each is off by one.
pub const LANE_SHARED_SIGMAS: Real = 2.0;

/// Whether rounded bodies touch is told by one algorithm alone where the distance of their cores, given with the error of a support, is no farther
/// than this from their radii: the stated width of two answers, so that no two that are right say different things.
#[inline]
pub fn rounded_doubt(sigma: Real, core: Real) -> Real {
    2.0 * STALL_SIGMAS * (4.0 * sigma + RELATIVE_GAP * core)
}

/// Squares below this are left to the verb for one pair. A component whose own square is below the smallest normal number loses digits;
/// beside the root of this it is u/32, which the support error covers.
pub const LANE_SQUARE_MIN: Real = Real::MIN_POSITIVE * 1024.0 / (UNIT_ROUNDOFF * UNIT_ROUNDOFF);

/// Nearest points nearer than this many support errors are left to the verb for one pair: whether bodies touch is decided there.
pub const LANE_NEAR_SIGMAS: Real = 64.0;

/// A triangle of lanes is broad enough if the square of twice its area exceeds this times the product of the squares of two of its edges: an angle
/// below 2⁻¹² has lost half of the digits of the products that the foot in it is computed from (in single precision a third of them, at 2⁻⁸).
pub const LANE_FLAT: Real = if cfg!(single_precision) { 1.0 / 65536.0 } else { 1.0 / 16_777_216.0 };

/// Gap, relative, at which lanes hand over to Newton's method where the surfaces have several pieces. Pieces neither come nor go there: a search
/// that is nearer has found those that tie, all but two pairs in a hundred (a seventh of them at [`COARSE_GAP`](super::COARSE_GAP)).
pub const LANE_COARSE_GAP: Real = 3.0e-3;
