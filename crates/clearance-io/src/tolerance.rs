//! Every tolerance of the crate, with unit, reason and formula.

/// How far a place of a file may be from a rotation in any entry of MᵀM, without unit: exporters write single precision. Beyond it the
/// stretch goes into the vertices.
pub const RIGID: f64 = 1e-6;

/// A triangle whose height is below this share of its longest side is called a sliver: below it normals in single precision lose half
/// their digits.
pub const SLIVER: f64 = 1e-4;

/// How near the surfaces of two parts must be everywhere for the parts to be duplicates, relative to the size of the larger: single
/// precision, in which files keep their coordinates, and one more digit.
pub const DUPLICATE: f64 = 1e-6;

/// How near to the least distance found over a motion the certified bound comes, relative to that distance.
pub const CLEARANCE_GAP: f64 = 1e-3;

/// The same relative to the sizes of the bodies: what rounding of poses leaves.
pub const CLEARANCE_FLOOR: f64 = 1e-7;

/// Two parts whose relative pose changes by less than this share of their sizes over a motion move as one: what rounding of composed poses
/// makes, and no more.
pub const MOVES_AS_ONE: f64 = 1e-12;

/// How near to a surface a vertex may be, relative to the size of the pair, to count as on it and not inside.
pub const ON_SURFACE: f64 = 1e-9;

/// How far the convex parts of a mesh may reach beyond it, relative to its size: what is seen of it in a picture.
pub const PARTS: f64 = 1e-2;
