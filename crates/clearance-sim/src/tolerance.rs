//! Every small number of the simulator, with its unit and reason.

use clearance::Real;

/// How far (lengths) the points of a body may stray within `CALM_TIME` for it to count as calm: what falls is farther after 51 milliseconds,
/// and what jitters stays within, however fast.
pub(crate) const CALM_WAY: Real = 0.0125;
/// Seconds for which all bodies of an island must be calm before it sleeps: what moves evenly sleeps below 25 millimetres a second.
pub(crate) const CALM_TIME: Real = 0.5;
/// The radius of the patch in which two bodies touch that have one contact point, as a share of the smaller one's radius: friction of the
/// patch stops what spins about the normal. A few millimetres for a ball of rubber.
pub(crate) const PATCH_SHARE: Real = 0.02;
/// The largest angle (radians) by which a body may turn in one sub-step: farther, its contacts' anchors mean nothing.
pub(crate) const LARGEST_TURN: Real = 0.8;
/// A contact point that has no successor with the same features hands its impulse to one within this share of the smaller
/// body's radius: a tenth of a side at most.
pub(crate) const SAME_PLACE: Real = 0.1;
/// The normal of a contact without a face leads from what stays in place on one body to that on the other if these are farther apart than this
/// share of the smaller body's radius: twice as far as a kept contact may move, so that it turns by half a radian at most.
pub(crate) const ROUND_SHARE: Real = 0.1;
/// The share of its inner radius that a body may travel in one step before its way is cast.
pub(crate) const FAST_SHARE: Real = 0.5;
/// The least determinant, relative to the cube of the largest entry, at which a matrix of masses is inverted.
pub(crate) const SINGULAR: Real = 64.0 * Real::EPSILON;
/// The cosine beyond which two directions count as parallel when a cone's axis of rotation is looked for.
pub(crate) const SMALL_SINE: Real = 1.0e-6;
/// The error of a joint, as a share of its anchors' distances from the centres of mass, that is left: less than half of the thousandth
/// that is promised, and more than what springs give way at rest.
pub(crate) const JOINT_ERROR: Real = 4.0e-4;
/// A body whose bounding radius is more than this many inner radii is slender.
pub(crate) const SLENDER: Real = 4.0;
/// The share of a slender body's extent from its centre of mass that is cast for it: what it rests on may be deeper in it than that.
pub(crate) const INNER_SHARE: Real = 0.8;
/// By how much the ball around a body's way is larger than needed, relative to its radius: the zone that casts keep, and rounding.
pub(crate) const AROUND_WAY: Real = 1.0e-3;
