//! Tolerances of the intersection of two solids.

use crate::real::Real;

/// How far B is moved where two surfaces are not in general position, in support errors of the pair, and what is not told from touching:
/// twice what counts as touching.
pub const INTERSECTION_SHIFT: f64 = 16.0;

/// The relative rounding of a product of three coordinates and of a sum of a few of them, which are f64 in either precision.
pub const SUM_ERROR: f64 = 32.0 * f64::EPSILON;

/// How near, relative to the size of a curved shape, corners of the polyhedron inscribed in it are taken as one: far above rounding in
/// either precision, far below the length of its edges.
pub const INSCRIBED_WELD: Real = 1.0e-4;

/// How far a curved shape reaches beyond the polyhedron inscribed in it, at most, relative to the diagonal of the polyhedron's box. No
/// direction is further than 5.4° (0.094) from one whose support is a corner, so that the shape reaches at most 0.094 of its own diameter
/// further, and its diameter is at most 1.23 times the polyhedron's.
pub const INSCRIBED_REACH: f64 = 0.12;
