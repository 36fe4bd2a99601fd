//! Every tolerance of the crate, with its unit and its reason.

/// Unit roundoff u of f64: one operation is off by at most u relative.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// What one frame of a chain adds to the error of a place, in units of u times the reach of the chain.
///
/// Half an angle's sine and cosine (2u each, the angle itself is counted by [`ANGLE_ERROR`]), the joint's quaternion from them and the
/// origin (4u), the product with the parent's (6u), the matrix from it (8u, as lengths that are off by 6u are not brought to one), the
/// offset turned and added (5u): below 32u; and as much again for what the fixed transforms that were united with the origin, the
/// vertices that were moved into the link's frame and the conversion to a pose of the library are off by.
pub const FRAME_ERROR: f64 = 64.0;

/// What one radian or unit of length of a joint's value adds, in units of u times the reach: a value between two configurations is a
/// difference, a product and a sum (3u of the value), scaled by a mimic joint (2u).
pub const ANGLE_ERROR: f64 = 8.0;

/// Relative error of what a step of time is multiplied with: velocities are sums of cross products along the chain, each off by a few u
/// of the sum of the magnitudes, which the bound on the speed is compared with; accelerations are sums of positive products. 2^-40
/// is thousands of times that for any chain of up to a thousand joints.
pub const MOTION_SLACK: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// Error of a support value from the table, in units of u times the reach of the body: the direction turned into the frame (3u), divided
/// by its largest component (u), three products and sums of the interpolation (6u), the tabulated support (3u); doubled.
pub const TABLE_ERROR: f64 = 32.0;

/// How far from one the length of a quaternion among the values of a floating joint may be: as the library has it for poses.
pub const QUATERNION_LENGTH: f64 = 1.0e-6;

/// Values of joints beyond this are refused: an angle of so many radians has no digits left to place a link with.
pub const LARGEST_VALUE: f64 = 1.0e9;

/// Half the shortest stretch of an edge that is examined, as a share of the edge: what is not decided there is left undecided.
pub const SHORTEST_STRETCH: f64 = 1.0 / (1u64 << 26) as f64;

/// The half angle of a slerp below which its axis does not matter.
pub const NO_TURN: f64 = 1.0e-300;

/// How far apart the bounds of the clearance along a path may be by default, in the robot's unit of length: a tenth of a millimetre.
pub const PATH_ACCURACY: f64 = 1.0e-4;

/// How far beyond contact a step of an ascent aims, as a share of the robot's bodies: enough to be free, and little on the way back.
pub const STEP_BEYOND: f64 = 1.0e-3;

/// How far the convex parts of a mesh may reach beyond it, as a share of its size: about what collision meshes are simplified by.
pub const PART_TOLERANCE: f64 = 1.0e-2;
