//! Every tolerance of the library, with its unit, its reason and its formula.
//!
//! Tolerances are relative: multiples of the unit roundoff times a size of the data at hand. No other file holds a small
//! literal. The two precisions differ only in the values at the top.
//!
//! **Multiples of the support error.** The unit of every tolerance of a pair is [`sigma`], the error of one support value. What is a
//! multiple of it differs by verb for a reason:
//!
//! | constant | sigmas | what it bounds, and why no other multiple would do |
//! | --- | --- | --- |
//! | [`TIE_SIGMAS`] | 1.5 | leaves that are as near as the nearest: a plane with one error taken off, and the rounding of a distance |
//! | [`CLOSE_SIGMAS`] | 4 | gaps of flat faces that the signed distance decides: two planes, and what tells one from the other |
//! | [`FLAT_SIGMAS`] | 4 | the extent of a difference without volume: two supports, each off by one, and as much for choosing them |
//! | [`TOUCHING_SIGMAS`] | 8 | touching, in all verbs: the depth between two planes, each through points off by two, posed twice |
//! | [`STALL_SIGMAS`] | 16 | the gap between a distance's bounds when it no longer improves: a simplex adds its own rounding |
//! | [`STATED_SIGMAS`] | 128 | the width of the bounds of a distance that converged: four simplices' own rounding, on either side |
//! | [`CONTACT_SIGMAS`] | 16 | lengths of contact features: two turned features and two crossings, each off by a few |
//! | [`IMPACT_SIGMAS`] | 32 | meeting in motion: a distance is within 16 of its bounds, and the gap along a direction must still be open there |
//!
//! A distance and what is derived from it cannot use the 8 of touching: a converged distance may be 16 off, so that an advance that
//! waited for 8 would never be sure to end.

mod batch;
mod close;
mod decompose;
mod intersection;
mod motion;
mod ray;
mod round;

pub use batch::*;
pub use close::*;
pub use decompose::*;
pub use intersection::*;
pub use motion::*;
pub use ray::*;
pub use round::*;

use crate::real::Real;

/// Unit roundoff u: half the spacing of the floats just above one. One operation is off by at most u relative.
pub const UNIT_ROUNDOFF: Real = Real::EPSILON / 2.0;

/// Squared lengths below this lose bits to underflow in their terms. 2^-60 of headroom above the smallest normal number
/// keeps a term 2^-30 times the largest component in full precision.
pub const SAFE_SQUARE_MIN: Real = Real::MIN_POSITIVE * (1u64 << 60) as Real;

/// Squared lengths above this may overflow when three terms are added or two lengths are multiplied.
pub const SAFE_SQUARE_MAX: Real = Real::MAX / (1u64 << 20) as Real;

/// How far from one the length of a given quaternion may be (absolute, dimensionless). Files carry rotations with six or
/// seven digits; more than that is no longer rounding but a mistake, and is an error.
pub const QUATERNION_LENGTH: Real = 1.0e-6;

/// How far, relative to the cloud's size, the vertices of a face given to `Polytope::from_faces` may stand off its plane,
/// and a vertex above a face. Coordinates of files have six to eight digits, so a flat face is flat only to that.
/// It decides acceptance alone: the solid is the exact hull of the vertices either way.
pub const GIVEN_FACE_FLATNESS: f64 = 1.0e-6;

/// A cloud whose coordinates, apart from zeros, span more than two to this power is refused: the products of three
/// coordinates in the exact predicates would underflow. With the largest coordinate scaled to about one, a coordinate's
/// last bit must stay above 2^-358, whose cube is the smallest subnormal number 2^-1074: 358 − 53 = 305, less a margin.
pub const PREDICATE_RANGE_LOG2: i32 = 300;

/// Directions within this angle (radians, small) of a flat face's normal see the face as flat: the rounding of a direction
/// that went through a pose and back. 16 covers two matrix products of three terms each and their normalisation.
pub const FLAT_DIRECTION: Real = 16.0 * UNIT_ROUNDOFF;

/// Largest coordinate magnitude or size a shape or a pose may have: its fourth power is finite, so that volumes and
/// squared areas of any accepted shape are finite numbers.
#[cfg(not(single_precision))]
pub const LARGEST_SIZE: Real = 1.0e75;
/// Largest coordinate magnitude or size a shape or a pose may have: its fourth power is finite, so that volumes and
/// squared areas of any accepted shape are finite numbers.
#[cfg(single_precision)]
pub const LARGEST_SIZE: Real = 1.0e9;

/// Smallest positive size (radius, half extent) of a shape: its fourth power is a normal number.
#[cfg(not(single_precision))]
pub const SMALLEST_SIZE: Real = 1.0e-75;
/// Smallest positive size (radius, half extent) of a shape: its fourth power is a normal number.
#[cfg(single_precision)]
pub const SMALLEST_SIZE: Real = 1.0e-9;

/// Relative accuracy promised for volumes and centroids that have no closed form (sums, hulls and differences with curved
/// parts): they come from inscribed polytopes of two resolutions, extrapolated.
pub const SAMPLED_VOLUME: Real = 1.0e-3;

/// Error of a computed support value of B − A, relative to the pair's size S = reach of A + reach of B + |t| (see [`sigma`]).
///
/// A vertex of B is turned (three products, two sums: 3u) by a matrix that is itself a rounded product (3u) and moved (u); the
/// translation is a rounded product of a rounded difference (4u); a point of A is subtracted (u): below 8u·S for the point.
/// The direction is turned into B's frame (3u) and multiplied with the points there to choose the farthest (3u) on either
/// side, so the chosen one may fall short by 6u·S; curved supports are scaled and normalised (6u). Together below 24u·S.
pub const SUPPORT_ERROR: Real = 24.0 * UNIT_ROUNDOFF;

/// The error of a support value for a pair of the given size, absolute.
#[inline]
pub fn sigma(size: Real) -> Real {
    SUPPORT_ERROR * size
}

/// A distance run stops when its upper bound exceeds its lower bound by no more than this, relative. Curved bodies gain a
/// digit every few supports, so a tighter gap costs time in proportion; flat ones end exactly anyway.
#[cfg(not(single_precision))]
pub const RELATIVE_GAP: Real = 1.0e-9;
/// A distance run stops when its upper bound exceeds its lower bound by no more than this, relative. Curved bodies gain a
/// digit every few supports, so a tighter gap costs time in proportion; flat ones end exactly anyway.
#[cfg(single_precision)]
pub const RELATIVE_GAP: Real = 1.0e-5;

/// A run that no longer improves counts as converged if its gap is at most this many support errors and relative gaps: the
/// nearest point of a simplex adds its own rounding (projection on a thin triangle) to that of the supports.
pub const STALL_SIGMAS: Real = 16.0;

/// How far apart the bounds of an answer that converged may be, in support errors, beside what is relative for curved bodies: the
/// expanding polytope adds the rounding of the planes of thin faces to that of a simplex. An answer with wider bounds is looked for
/// again another way, and says `Degenerate` if none is closer.
pub const STATED_SIGMAS: Real = 8.0 * STALL_SIGMAS;

/// Depth of curved bodies where they are not smooth: the gap between its bounds, relative, that the expanding polytope aims at
/// for as long as it is worth it. What is stated is [`COARSE_DEPTH_GAP`].
#[cfg(not(single_precision))]
pub const RELATIVE_DEPTH_GAP: Real = 1.0e-6;
/// Depth of curved bodies where they are not smooth: the gap between its bounds, relative, that the expanding polytope aims at
/// for as long as it is worth it. What is stated is [`COARSE_DEPTH_GAP`].
#[cfg(single_precision)]
pub const RELATIVE_DEPTH_GAP: Real = 1.0e-4;

/// A Minkowski difference whose extent across some direction is at most this many support errors is flat there: its two
/// sides cannot be told apart.
pub const FLAT_SIGMAS: Real = 4.0;

/// Lengths of contact features below this many support errors are rounding: whether two contact points are one, a corner is on
/// a side, a depth is zero. A point of a cut outline comes from two turned features and two crossings, each within a few errors.
pub const CONTACT_SIGMAS: Real = 16.0;

/// A feature belongs to a contact if it is tilted against the normal by no more than this (sine; a face against being across
/// it, an edge likewise): 30°, so that a box standing on an edge touches with that edge, not with a face at 45° to the floor.
pub const FEATURE_TILT: Real = 0.5;

/// A face may be the one that others are cut by if it is across the normal to within this (sine). The normal of a face contact
/// is a face's own to rounding; that of an edge contact between nearly parallel faces is off by their angle, and one found
/// on a curved surface by the square root of the relative depth gap, 1e-3 to 1e-2.
pub const REFERENCE_TILT: Real = 0.05;

/// Tilts (sines) and areas (relative) that differ by less than this do not decide which face is the reference: their order
/// would change with rounding from frame to frame.
pub const REFERENCE_TIE: Real = 1.0e-3;

/// Two lines touch along a stretch if their angle (sine) is at most this. Edges lie above each other to rounding; lines of curved
/// surfaces to within twice this times their lengths, with their points on the surfaces beside the lines.
pub const PARALLEL_LINES: Real = 1.0e-3;

/// A face with less than this area (twice it, relative to the square of the body's reach) is so slender that its height is taken from its
/// edges: the rounding of its corners turns its plane by up to a thousand times as much as that of other faces.
pub const SLENDER_FACE: Real = 1.0e-3;

/// Faces of a polytope whose corners are within this of one plane, relative to the polytope's size, are one contact face.
/// Coordinates of files have six to eight digits; a flat face that went through a rotation is flat only to that.
pub const FACE_FLATNESS: Real = 1.0e-6;

/// The angle (radians) at which a body known by its support only is sampled for a flat face: above the error of a normal
/// (1e-6 on flat faces), and small enough that a rounded rim beyond the face is left by half its square, 5e-7 of its radius.
pub const SAMPLED_FACE_ANGLE: Real = 1.0e-3;

/// The default angle (radians) of the thesis's perturbed sampling, for which it gives no number: ten times the 1e-3 by which a
/// resting face may be tilted and still be sampled whole, and small enough that a rounded rim adds a hundredth of its radius.
pub const PERTURBATION: Real = 1.0e-2;

/// A tetrahedron of M contains the origin for certain if each of the four volumes (six times them) that the origin spans with
/// its faces exceeds this times the cube of the pair's size: a volume is a product of three differences of points of M, whose
/// coordinates are off by 8u·S, so it is off by less than 3·8u·S·(2S)² + 8u·(2S)³, rounding of the products included.
pub const CERTAIN_VOLUME: Real = 256.0 * UNIT_ROUNDOFF;

/// Gap, relative, at which a distance run of curved bodies hands over to Newton's method: near enough for it to converge.
pub const COARSE_GAP: Real = 1.0e-1;

/// Gap, relative, between the bounds of a depth of curved bodies before Newton's method takes over. Its answer is a local
/// minimum right to rounding; the bounds say that no other direction is shallower by more than this.
pub const COARSE_DEPTH_GAP: Real = 1.0e-3;

/// Newton's answer counts if the support point is within this, relative to the distance or the depth, of the direction's line:
/// the points are then off by this, and the distance by half its square.
#[cfg(not(single_precision))]
pub const POLISHED_RESIDUAL: Real = 1.0e-9;
/// Newton's answer counts if the support point is within this, relative to the distance or the depth, of the direction's line:
/// the points are then off by this, and the distance by half its square.
#[cfg(single_precision)]
pub const POLISHED_RESIDUAL: Real = 1.0e-5;

/// How far below zero a corrected weight of a simplex may be (dimensionless): a point on an edge may come out just beyond it.
/// More means that the simplex is too thin for its weights to be corrected.
pub const WEIGHT_OVERSHOOT: f64 = 5.0e-6;

/// By how much the square of GJK's vector may grow in a step before it counts as going back, relative: its own rounding.
pub const STANDSTILL_GROWTH: f64 = 8.0 * f64::EPSILON;

/// The volume (six times it) that the origin spans with a face of a tetrahedron has a certain sign if it exceeds this, times
/// the distance of the farthest corner from the origin, times the square of an edge: differences of corners are off by the unit
/// roundoff of f64, in which simplices are handled, times that distance, and a product of three by a few times as much.
pub const DOUBTFUL_VOLUME: f64 = 8.0 * f64::EPSILON;

/// A triangle with an angle below this (radians) has its normal computed in pairs of doubles: the plain cross product would
/// lose that many digits and more.
pub const SLIVER: f64 = 1.0e-3;

/// A triangle with an angle below this (radians) has the tilt across its long side taken out of its normal: it would move the
/// plane by the triangle's length times the unit roundoff over the angle, and four of these are as much as is left to rounding.
pub const THIN: f64 = 0.25;

/// Below this, relative to the pair's size, a distance is so near to zero that a distance run which rounding has stopped is
/// followed by an expanding polytope, which works with the directions of faces instead of that of a short vector.
pub const NEAR: Real = 1.0e-3;

/// Error of the height of a point above a plane of the expanding polytope, in f64 and relative to the pair's size: a unit
/// normal (4u), two products of three terms (3u each) and their difference, with a factor of two to spare.
pub const PLANE_ERROR: f64 = 12.0 * f64::EPSILON;

/// Edges of two boxes at a smaller angle than this (radians) are parallel: the normal they span together is rounding, and the
/// faces beside them say the same.
pub const PARALLEL_EDGES: Real = 64.0 * UNIT_ROUNDOFF;

/// Squares between the inverse of this and this keep all their digits in f64, whatever the build's precision.
pub const F64_SAFE: f64 = 1.0e280;

/// A step of Newton's method on the direction that turns it by no more than this (radians) leaves an error of the square of that:
/// from here on it is worth looking whether it is enough.
pub const NEWTON_NEAR: Real = 1.0e-3;

/// Newton's method on the direction is at rest when a step turns it by no more than this (radians): the square root of the
/// rounding of a direction, so that the next step would turn it by rounding alone.
#[cfg(not(single_precision))]
pub const NEWTON_REST: Real = 1.0e-8;
/// Newton's method on the direction is at rest when a step turns it by no more than this (radians): the square root of the
/// rounding of a direction, so that the next step would turn it by rounding alone.
#[cfg(single_precision)]
pub const NEWTON_REST: Real = 2.0e-4;

/// A flat round face is tried as the answer if its normal is within this (cosine) of the direction found so far: 15°, what a
/// gap of a few percent between the bounds leaves open.
pub const CAP_DIRECTION: Real = 0.966;

/// Error of the parameter at which a line crosses a side of a box, relative, in f64: a difference and a quotient, each off by
/// half of epsilon; twice that. Boxes are met with this margin, so that none is missed along its boundary.
pub const SLAB_ERROR: f64 = 2.0 * f64::EPSILON;

/// By how much a leaf of a broad phase's tree is larger than its body's box on each side, relative to the box's largest
/// extent. Motion by a twentieth of the radius per frame stays within it for several frames; the candidates it adds are few.
pub const FAT_MARGIN: Real = 0.1;

/// A leaf larger than the body's box with this many margins is replaced: the body has shrunk or come to rest.
pub const SLACK_MARGINS: Real = 4.0;

/// Side of a cell of the broad phase's grid, relative to the largest body of a sample: a little more, since the others turn too.
pub const CELL_ROOM: f64 = 1.1;

/// The side of a cell is at most this, relative to the size that seven in eight of the sample stay below: a few large bodies
/// go to the tree instead of making the cells large for all. 1.5 keeps all bodies of one size in, whatever way they turn.
pub const MOST_CELL: f64 = 1.5;

/// The largest body that goes into a cell, relative to the cell's side: with a step of a 64th added for rounding, two bodies
/// that overlap have lower corners less than a cell apart.
pub const CELL_SLACK: f64 = 0.96;

/// A tree whose boxes have grown to this, relative to the area they had when it was built, is built anew: a build costs as much
/// as the pairs of a few dozen frames, and a tree half as large again has that many more pairs of nodes to compare.
pub const WORN_TREE: f64 = 1.5;

/// By how much a body may exceed the bounds on its motion, relative to them and to its radius, before it counts as having broken
/// them: the rounding of poses that were stepped with speeds just so. Sleeping pairs are woken earlier by as much.
pub const MOTION_SLACK: Real = 64.0 * UNIT_ROUNDOFF;

/// Unit vectors whose sum, or whose parts across another, are at most this long are opposite or parallel: they are rounded when
/// they are brought to unit length (2u of f64) and when they are projected (4u).
pub const PARALLEL_UNITS: f64 = 8.0 * f64::EPSILON;

/// The sign of the determinant of three points p, q, r of M is certain if it exceeds this times the pair's size, times
/// |p||q| + |q||r| + |r||p|: each point is off by 8u of the size, which changes the determinant by that times the product of
/// the other two lengths; twice that covers products of errors and the rounding of the determinant itself.
pub const CERTAIN_DETERMINANT: Real = 16.0 * UNIT_ROUNDOFF;

/// A march over features goes up to an edge or a face if the nearest points say so by more than this angle (radians). What it
/// overlooks costs the lower bound this times the length of a feature, less than two support errors; and directions that
/// differ by less than their own rounding, a few products of three terms, do not send it back and forth.
pub const MARCH_ANGLE: Real = 32.0 * UNIT_ROUNDOFF;

/// Edges at a smaller angle than this (radians, in f64) are nearest at an end of one of them, to a march over features: the
/// differences of their ends are rounded, and so is where their lines would cross.
pub const PARALLEL_MARCH: f64 = 4.0 * f64::EPSILON;

/// Rounds of the linear program: the margin by which the plane `n·x = 1` is to be beyond A, relative to its distance from A's inner
/// point, and the largest component of n, for a pair of size one. The inverse of the latter is the thickness of the
/// thinnest body that is not flat to that round; a solution near the corner of a large box has lost its digits, so the first
/// round, which settles nearly all pairs, has a small one. The second margin is above the support error of f32, so that its plane
/// is certain there; the last is the rounding of vertices in f64 for an aspect of 1e4.
pub const PROGRAM_ROUNDS: [[f64; 2]; 4] = [[1.0e-2, 1.0e3], [3.0e-5, 1.0e5], [1.0e-7, 1.0e7], [1.0e-11, 1.0e9]];

/// Coefficients of the linear program (of a pair of size one) that are no larger than this are rounding of the elimination.
pub const PROGRAM_FLAT: f64 = 16.0 * f64::EPSILON;

/// A turn whose half angle has at most this sine has no axis that could be told from rounding: the motion is a straight line.
pub const STRAIGHT_SCREW: Real = 64.0 * UNIT_ROUNDOFF;

/// How near to each other, relative to the sum of their bounding radii, moving bodies have met if not said otherwise. A smaller
/// one costs a few more evaluations per digit; this is a micrometre on a metre, or a tenth of a millimetre in single precision.
#[cfg(not(single_precision))]
pub const IMPACT_TOLERANCE: Real = 1.0e-6;
/// How near to each other, relative to the sum of their bounding radii, moving bodies have met if not said otherwise. A smaller
/// one costs a few more evaluations per digit; this is a micrometre on a metre, or a tenth of a millimetre in single precision.
#[cfg(single_precision)]
pub const IMPACT_TOLERANCE: Real = 1.0e-4;

/// Moving bodies have met at this many support errors, whatever tolerance was asked for: a distance is within 16 of them of its
/// bounds, and a gap along a direction must still be open when it is that far off.
pub const IMPACT_SIGMAS: Real = 32.0;

/// How near bodies come that are cast by advancement, relative to the sum of their bounding radii. The cast then goes as far as rounding
/// lets it: a few dozen support errors are the least in any case.
#[cfg(not(single_precision))]
pub const CAST_TOLERANCE: Real = 1.0e-9;
/// How near bodies come that are cast by advancement, relative to the sum of their bounding radii. The cast then goes as far as rounding
/// lets it: a few dozen support errors are the least in any case.
#[cfg(single_precision)]
pub const CAST_TOLERANCE: Real = 1.0e-6;

/// By how much boxes are grown before they tell parts of bodies apart in a cast, relative to their size and place: far more than a zone
/// and what counts as touching.
#[cfg(not(single_precision))]
pub const CAST_ROOM: Real = 1.0e-6;
/// By how much boxes are grown before they tell parts of bodies apart in a cast, relative to their size and place: far more than a zone
/// and what counts as touching.
#[cfg(single_precision)]
pub const CAST_ROOM: Real = 1.0e-3;

/// How far two poses of a body on a user's own trajectory may be from what the promised speed allows, in roundings of the body's
/// radius and distance from the origin: a pose and its matrix are rounded (12u), twice, and their difference (4u), with a few to spare.
pub const PROMISE_SLACK: Real = 32.0;

/// By how much the balls and boxes of bodies reach beyond them, relative to their radius and margin, so that bodies which touch
/// only within rounding are still found: a gap of two support errors of a pair that touches (its size is at most 1 + √3 times
/// the radii, so 2 · 24u · 2.74), the rounding of radii and extents themselves, and the gap between the bounds of a distance.
pub const REACH_ERROR: Real = 160.0 * UNIT_ROUNDOFF + STALL_SIGMAS * RELATIVE_GAP;

/// Rounding of the comparison of two points, at most twice this far from the origin, with a plane through one of them, in single precision,
/// relative to that distance: the points are rounded (6u in all, in three dimensions), and so are their difference (6u), a normal of unit
/// length (4u of the difference, 21u), three products and two sums (16u): below 50u.
pub const PATCH_ERROR: f32 = 32.0 * f32::EPSILON;

/// Room that the search for a contact range wants around the line, relative to the width of the shadow that it found: points of
/// the body on all sides of the line, which make the bounds of its ends certain. An end's bounds are off by the error times
/// the body's height over this room; a 64th costs at most a factor of about 64, and seldom a support.
pub const RANGE_ROOM: f64 = 1.0 / 64.0;

/// How far inside a line is taken to be where a search has to decide on which side of an edge it passes, as a share of the error
/// of a point: less than the error, so that it changes no answer by more, and more than the rounding of the decision.
pub const RANGE_NUDGE: f64 = 0.25;

/// The most that a line is taken to be inside, in errors of a point: one that passes the body within the error has to be taken
/// farther in where the shadow has a sharp corner.
pub const RANGE_NUDGE_LIMIT: f64 = 8.0;

/// A triangle seen along a line is as good as an edge if its height over its longest side is at most this many errors: where the
/// line passes through it, between its corners, is then rounding.
pub const RANGE_THIN: f64 = 1.0;

/// The ends of a contact range of curved bodies: how far the surface may be above the plane that the end is known from,
/// relative to the pair's size.
#[cfg(not(single_precision))]
pub const CURVED_RANGE_GAP: f64 = 1.0e-13;
/// The ends of a contact range of curved bodies: how far the surface may be above the plane that the end is known from,
/// relative to the pair's size.
#[cfg(single_precision)]
pub const CURVED_RANGE_GAP: f64 = 1.0e-6;

/// How far an inner or triple product of vectors of length two, rounded to doubles, may be from its exact value: below 64 last places.
/// Exact queries look again, in integers, at what is nearer to a tie.
pub const EXACT_ROUGHNESS: f64 = 4096.0 * f64::EPSILON;

/// Leaves of two trees that are nearer than the best by no more than this many support errors are not looked at: triangles that share the
/// nearest vertex are all as near, told by a plane from which one error is taken off, and half as much for the rounding of
/// the distance itself.
pub const TIE_SIGMAS: Real = 1.5;

/// Points on curved surfaces in certificates are drawn inwards by a few roundings of a double, so that they are members exactly.
pub const POINT_SHRINK: f64 = 1.0 - 8.0 * f64::EPSILON;

/// What the search for a proof allows for its own rounding, in doubles and relative to the size of the pair: as [`SUPPORT_ERROR`], for
/// doubles whatever the precision of the library, and twice that.
pub const PROOF_MARGIN: f64 = 24.0 * f64::EPSILON;

/// The search for a proof ends when the next point would improve it by less, relative: bounds are then as near as rounding lets them.
pub const PROOF_GAP: f64 = 16.0 * f64::EPSILON;

/// The most steps of one such search: polytopes end before, and depths of curved bodies gain a digit in some hundred.
pub const PROOF_STEPS: u32 = 256;

/// The most parts of a certificate's cut: some ten megabytes of text.
pub const PROOF_LEAVES: u32 = 100_000;

/// The most intervals of time that a certificate of a motion tries; each may be halved some forty times.
pub const PROOF_INTERVALS: u32 = 4096;

/// The shortest such interval, relative to the time to prove.
pub const PROOF_INTERVAL: f64 = 1.0e-9;

/// Bodies that a translation of at most this many support errors separates touch; deeper ones overlap. The one meaning of touching,
/// in every verb: a cast that starts so, or slides so, has not entered. A depth is measured between two planes, each through points
/// off by two errors at most; and as much again because parts of compounds are posed twice.
pub const TOUCHING_SIGMAS: Real = 8.0;

/// Rounding of the reach of the bodies around a polytope along a direction, relative to their size: their own (8u: a difference,
/// a quotient, a length, a product) and that of the product with the direction (6u), with room to spare.
pub const CASING_ERROR: Real = 32.0 * UNIT_ROUNDOFF;

/// Errors of the coefficients of `ccd::feature`'s quadratics (f64 in both builds), relative to the sum of the products of the sizes
/// of two of the three vectors. A difference of coordinates is off by u, a product of two by 3u, two products subtracted by 8u times
/// the product of sizes, the mean of two such by 10u. Restricting to a part of the time takes two weighted means of values up to 2:
/// 12u. A condition subtracts two quadratics from a third: 4u more. Together 26u; this is 96u.
pub const QUADRATIC_ERROR: f64 = 48.0 * f64::EPSILON;

/// The same for the cubic, relative to the product of the three sizes. The normal's components are off by 10u and at most 2, so a dot
/// product with a rounded vector is off by 3·(10 + 4)u and 10u for its sums; a third of three of these by 70u; restricting takes
/// three weighted means of values up to 6, evaluating eight roundings of such: 54u. Together 124u; this is 192u.
pub const CUBIC_ERROR: f64 = 96.0 * f64::EPSILON;

/// Differences of coordinates above this are left to exact arithmetic by the filter of `ccd::feature`: products of three stay finite,
/// and an underflow of 2^-1075 in a product, magnified by a third factor, stays below [`FILTER_UNDERFLOW`].
pub const FILTER_LARGEST: f64 = (1u128 << 100) as f64;

/// What underflow may add to the errors above, absolute: a few dozen times 2^-1075 times [`FILTER_LARGEST`] is below 2^-960.
pub const FILTER_UNDERFLOW: f64 = f64::MIN_POSITIVE * (1u128 << 100) as f64;

/// Times of contact are narrowed to two to minus this many bits: fewer than a float of the range has, so that sums of bounds stay exact.
pub const ROOT_BITS: u32 = 48;

/// Error of a polynomial with exact coefficients evaluated in f64, relative to the sum of their magnitudes: degree three at most, two
/// roundings for the coefficient and three for each step.
pub const ROOT_VALUE_ERROR: f64 = 16.0 * f64::EPSILON;

/// By how much an oriented box is larger than its triangles on each side, relative to the sum of its half extents: its axes are
/// rounded to single precision, so that they are unit and perpendicular to a few 1e-7, and a direction's shares along them are
/// off by as much.
pub const ORIENTED_GROWTH: f64 = 16.0 * f32::EPSILON as f64;

/// A separation along an axis of an oriented box, or along all three together, counts as this times what it is: each axis may be longer
/// than one by the rounding of single precision (6e-8 in each component), and three of them are perpendicular to 2e-7 only, so that
/// the squares along them may add up to 6e-7 more than the square of the distance.
pub const ORIENTED_AXES: f64 = 1.0 - 4.0 * f32::EPSILON as f64;

/// An edge of a mesh is flat if the faces beside it are in one plane to within this, relative to the mesh's largest coordinate: the
/// rounding of the coordinates, which have moved four corners.
pub const FLAT_EDGE: Real = 8.0 * Real::EPSILON;

/// Error of the volume of a closed surface, in f64 and relative to the sum of the volumes of all tetrahedra that it is made of: each
/// is a product of three rounded differences, and adding up thousands loses a few more digits. A part with less than this has
/// no volume, as a sheet with two sides has none.
pub const VOLUME_ERROR: f64 = 256.0 * f64::EPSILON;

/// A mesh is nearly convex if no face rises above the plane of its neighbour by more than this, relative to the mesh's reach. Hulls of
/// parts that were thinned out afterwards have dents of up to 0.6 % (a robot's links); three times that is allowed. Such a mesh keeps
/// its hull as a start for distances; a hull that is farther off is a worse start, not a wrong answer.
pub const NEARLY_CONVEX: f64 = 2.0e-2;

/// How much farther than it does a mesh may be said to reach, relative to its coordinates: more than the boxes of its tree are rounded
/// outwards in single precision, so that what ties with the farthest vertex is left out.
pub const REACH_SLACK: f64 = 8.0 * f32::EPSILON as f64;

/// Error of what a box says of a point or a direction in f64, relative to the numbers it is made of: a difference or a product of
/// three terms and a root, each rounded, with a factor of two to spare.
pub const BOX_ERROR: f64 = 8.0 * f64::EPSILON;

/// Error of a corner's coordinates across a ray, in f64, relative to the largest coordinate of the corner seen from the ray's origin: a
/// difference (u), the slope of the ray (u), their product (u) and its difference from the other coordinate (u), each of numbers of up
/// to that size, so below 6u; this is 8u.
pub const RAY_PLACE: f64 = 4.0 * f64::EPSILON;

/// Error of a position along a ray that is a weighted mean of corners with exact weights, in f64, relative to the farthest corner: a
/// difference, three products, two sums, two quotients (u each); doubled.
pub const RAY_MEAN: f64 = 8.0 * f64::EPSILON;

/// A ray's weights in a triangle are computed exactly if their errors could move the hit by more than this, relative to the size of the
/// body and the distance of the ray's origin.
pub const RAY_DOUBT: f64 = 1.0 / (1u64 << 40) as f64;

/// Error of a ray's origin and direction brought into a body's frame, relative to their lengths: the matrix is orthogonal to 6u, a
/// difference (u), products and sums of three terms (3u), in three coordinates.
pub const RAY_TURN: Real = 16.0 * UNIT_ROUNDOFF;

/// Coordinates of a ray below two to minus this, relative to its longest component or to the body's size, are taken as zero, so that
/// products of three coordinates in exact predicates do not underflow.
pub const RAY_RANGE_LOG2: i32 = 300;
