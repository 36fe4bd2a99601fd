//! Tolerances of casts by trajectories, of slides, of brushes and of moving bodies; a part of [`tolerance`](super).

use super::UNIT_ROUNDOFF;
use crate::real::Real;

/// The expel zone of casts of polyhedra: its thickness is the unit roundoff times this times the local size L = reach of the world
/// + reach of the body + distance of their origins + length of the way (see [`zone`]).
///
/// What the half of it that is never entered must cover, in u·L: the world's matrix is orthogonal to 6u, and the body is looked at
/// in its frame (three products and sums twice: 8u); the way is turned (4u); a plane's normal and offset (4u) and the height above
/// it (4u); the place reached (3u). For a rotation, the quaternion's product, its length and the new matrix (12u), the axis brought
/// to unit length (3u) and the arm (6u). Together below 50, so that 64 of the 128 are enough.
pub const ZONE_LOCAL: Real = 128.0;

/// What the distance T of the poses from the origin adds to the zone, in u·T: a coordinate of the pose reached is rounded once, and
/// in each of three directions: √3 u·T. Half of 8 is more than twice that.
pub const ZONE_FAR: Real = 8.0;

/// The thickness of the expel zone for a local size and a distance from the origin.
#[inline]
pub fn zone(local: Real, far: Real) -> Real {
    UNIT_ROUNDOFF * (ZONE_LOCAL * local + ZONE_FAR * far)
}

/// The largest zone that a cast accepts, relative to the body's radius: beyond it the precision is too low for the world.
pub const LARGEST_ZONE: Real = 0.125;

/// How far the points of a polygon of a cast may be off its plane or beyond the line of one of its edges, relative to the polyhedron's
/// size: the rounding of coordinates, of a normal and of an offset. A face beyond that is cut into triangles; neighbours within it
/// are united. The zone's margins are at least twice that. Edges whose faces are no more than this off each other's planes are flat.
pub const POLYGON_FLATNESS: Real = 16.0 * UNIT_ROUNDOFF;

/// A solid thinner than this, in units of [`POLYGON_FLATNESS`] of its size, is followed by distances instead of by its features: which of
/// its edges are sharp, and which way its narrow polygons face, is lost in what polygons may be off their planes (twice that for either
/// of two polygons, on both sides).
pub const THIN_SOLID: f64 = 8.0;

/// How far (sine) the direction across two edges may be outside the faces beside an edge and still be a contact of edges: a box
/// that rests on another across their edges has it exactly in its face. Accepting too many costs nothing but time. Of narrow polygons,
/// which may be turned by what rounding leaves, it is more by that.
pub const EDGE_WEDGE: f64 = 1.0e-6;

/// An edge counts from all sides if the polygons beside it may be turned by more than this (sine), since they may face the other way then: more
/// than [`POLYGON_FLATNESS`] of f32 turns a polygon of a thousandth of its polyhedron.
pub const NARROW_WEDGE: f64 = 2.0e-3;

/// A contact with a polygon that is beside it by no more than a zone is no farther from its sides than this, in zones; where two sides meet
/// under 30 degrees or more, what is within a zone of both lines is no farther from the corner.
pub const RIM_ZONES: f64 = 4.0;

/// The corner of the expel zone along an edge is drawn back to this many thicknesses, so that a sharp edge does not reach far.
pub const LONGEST_MITRE: f64 = 16.0;

/// How far a corner is drawn in with the faces around it, in units of what the faces are drawn in by: a box's corner goes √3. A sharp
/// one stays outside of its faces then; what is looked for is whether a body is deep, and its tip counts too.
pub const LONGEST_INSET: f64 = 2.0;

/// Error of a sidedness value `v·((c − a)×(d − a))` in f64, relative to the product of the three lengths: two differences (u each),
/// a cross product (2u each term), an inner product of three terms (3u); doubled.
pub const SIDE_ERROR: f64 = 8.0 * f64::EPSILON;

/// A moving point that passes an edge nearer than this part of the zone may as well meet it: 32 u·L and 2 u·T of the zone's 128 and 8
/// cover what the place reached is off by, sideways (12 u·L and √3 u·T).
pub const SIDE_MARGIN: f64 = 0.25;

/// Error of the share of a way at which a moving box meets a node of a tree, relative, in single precision: a difference, an inverse
/// and a product, each rounded by half of epsilon; twice that and more. Nodes are met with this margin.
pub const SWEPT_ERROR: f32 = 4.0 * f32::EPSILON;

/// Error of the height of a point above a polygon's plane, in f64, relative to their distances from the origin: an inner product (3u, by
/// the root of three), the offset's own (the same), the normal's (4u); twice that.
pub const HEIGHT_ERROR: f64 = 16.0 * f64::EPSILON;

/// How far a turning point may seem to move along a normal by rounding alone, in f64, relative to its coordinates and those of the axis:
/// a difference (u), two cross products (2u each) and an inner product (3u), of lengths of up to the root of three. A sixteenth of the
/// thinnest zone in double precision, far less in single.
pub const ARC_NOISE: f64 = 4.0 * f64::EPSILON;

/// Error of a sidedness value seen along a way, in f64, relative to the local size and to the sum of the distances of the line's ends
/// from the point. A place across the way is off by 4u of the local size (a difference, an inner product, a unit vector), and drifts
/// by 2u along the way since the axes are square to it to within rounding: 6u for each of the point and the two ends, and the
/// determinant's own rounding (3u, of distances of at most twice the size): below 24u, which is 12 times epsilon.
pub const SHADOW_ERROR: f64 = 12.0 * f64::EPSILON;

/// Error of the cross product of two edges in f64, relative to the product of their lengths, and of its inner product with a unit
/// vector: differences (u), two products and a difference (2u each), an inner product of three terms (3u), in three coordinates;
/// doubled.
pub const CROSS_ERROR: f64 = 16.0 * f64::EPSILON;

/// Half the side of the cube that a brush is cut out of, in units of the power of two below the largest difference of its points
/// from the first. A brush that reaches beyond it is open.
pub const BRUSH_REACH: f64 = 1024.0;

/// Error of a determinant of four planes of a brush in pairs of doubles. Normals have components below two and offsets are at most
/// [`BRUSH_REACH`], so that its terms add up to less than 2^18; six operations one after the other are off by 2^-102 each, which is
/// below 2^-80. What is below this is zero.
pub const BRUSH_SIGN: f64 = 1.0 / (1u128 << 80) as f64;

/// Vertices of a brush that are joined by an edge of at most this, relative to its largest coordinate, are one vertex: a few
/// roundings of this build's coordinates. Faces given by decimals meet at one point only to so many digits.
pub const BRUSH_WELD: Real = 64.0 * UNIT_ROUNDOFF;

/// An edge leaves a piece through a plane, and does not run in it, if the cosine between the edge and the plane's normal is above this:
/// then no more than four flatnesses of its length, half an expel zone, are near the plane, and what is met there is the piece.
pub const LEAVING_EDGE: f64 = 0.25;

/// How far, in radians, a gap between pieces around an edge may exceed half a turn and still be flat, if the polygons beside it are:
/// normals of small polygons are off by the rounding of their corners over their size.
pub const DOUBTFUL_GAP: f64 = 1.0e-2;

/// Two polygons look the same way if the cosine between their normals is above this: neither can cover the other from outside.
pub const SAME_FACING: f64 = 0.99;

/// Polygons beside an edge that are in one plane to rounding are flat there if the cosine between their normals is above this, sixty
/// degrees: normals of polygons as narrow as rounding are off by much, but those of a needle or a plate as thin as that face other ways.
pub const FLAT_FACING: f64 = 0.5;

/// How far a step along a plane lifts off it, in zones. Rounding turns a way that was projected on a plane by less than [`SLIDE_SINK`],
/// and this is more. Less than the half of the zone that does not hold what is in it, so that a body between two walls is not held.
pub const SLIDE_LIFT: f64 = 0.25;

/// A way that sinks into a plane by no more than this, in zones, goes along it: 16 u·L, of which projecting and rounding a way take
/// less than ten.
pub const SLIDE_SINK: f64 = 0.125;

/// A slide that has moved on by more than this, in zones, is at another place: planes met before need not be there any more. At the
/// same place a body moves by no more than the thickness of the zone at a crease that is not very sharp.
pub const SLIDE_NEAR: f64 = 4.0;

/// What is left of a slide is not worth another cast if it is no longer than this, in zones.
pub const SLIDE_LEFT: f64 = 0.25;

/// Error of a gap between moving bodies that comes from the motion, computed in f64 in both builds, relative to the way that their points
/// have gone: angles and arcs are off by a few roundings (8u), and so are velocities and steps of time (8u).
pub const IMPACT_WIDE: f64 = 16.0 * f64::EPSILON;

/// Error of a gap between moving bodies that comes from rounding poses far from the origin, in units of the rounding of the largest
/// coordinate: two bodies, each in three directions.
pub const IMPACT_FAR: Real = 4.0;

/// A contact point keeps the name it had in the last frame if the features of that name are within this of its place (relative to the
/// smaller body): where outlines coincide, a vertex over a face and an edge across an edge are one place with several names, and
/// bodies that jitter by a millionth of their size, as at rest in a simulator, would change between them. A hundred times that, so that
/// a name outlives slow settling, and well below the size of features that a simulator could tell apart.
pub const SAME_PLACE: Real = 1.0e-4;

/// Of contact points that are too many, those of the last frame stay if one of them is less deep than the deepest by no more than this
/// (relative to the smaller body): bodies at rest that jitter by a millionth of their size tilt by as much, and the deepest point
/// would be another one in every frame.
pub const SAME_DEPTH: Real = 4.0e-6;

/// A circle tilted by more than this (sine) has a contact corner where it is farthest, besides the sixteen at fixed angles. Tilted by less,
/// the nearest of these is less deep by at most a fifth of the radius times this, which is within [`SAME_DEPTH`].
pub const RIM_TILT: Real = 1.0e-5;

/// Contact points of the last frame stay if the area they span (or the length, of two) is at least this share of the largest one with a
/// point of theirs that is as deep as the deepest.
pub const NEARLY_AS_LARGE: Real = 0.98;

/// Contacts of two bodies whose normals differ by no more than this (cosine, 2.6°) are of one region: more than the roughness of faces
/// that are flat to the digits of a file, and less than the angles that faces of a coarse model have.
pub const SAME_DIRECTION: f64 = 0.999;

/// How much farther than its depth a body is pushed out, relative to the depth: pushes that only
/// touch would go on in ever smaller steps. Sliding back takes it off again.
pub const PUSH_SURPLUS: Real = 1.0e-3;

/// The same in widths of the bound of the depth, for depths that are rounding.
pub const PUSH_SIGMAS: Real = 16.0;

/// A slide back that shortens the way out by less than this, relative to it, is the last.
pub const PUSH_GAIN: Real = 1.0e-6;

/// How far bodies may move before kept contacts are found anew, as a share of the margin: others are still half of it away.
pub const KEPT_MARGIN: Real = 0.5;
/// Contacts of which it is not known how they move, as of a rim that rolls, are as they were while the bodies have moved by no more than this
/// share of the smaller one's radius: what is pushed so far beside its lowest point gains a few millimetres a second in a second.
pub const KEPT_STILL: Real = 1.0e-3;
/// Between cores nearer than this many times the motion a normal is not followed: it turns by up to the inverse, an eighth.
pub const FAR_CORES: Real = 8.0;
/// Edges cross if the sine of their angle is above this: below, the normal across both turns twenty times as fast as one of them.
pub const CROSSING: Real = 0.05;
/// What a kept contact computed from its features may be off, relative to the motion allowed, and its normal, as an angle.
pub const KEPT_ERROR: Real = 0.01;
