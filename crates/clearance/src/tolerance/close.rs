//! Tolerances of booleans of bodies that all but touch.

use crate::real::Real;

/// Points of two bodies that differ by no more support errors, and the radii, are one point: each is a combination of supports that are
/// off by one error, and weights of a thin simplex leave as much again.
pub const SHARED_SIGMAS: Real = 4.0;

/// A plane that separates bodies with flat faces by no more than this many support errors decides nothing by itself: the signed distance
/// does. Apart means more than one error; a search for a boolean and one for a distance find different planes, each off by one, and
/// a distance stops within one of its bounds. Beyond the sum of these no two verbs differ.
pub const CLOSE_SIGMAS: Real = 4.0;

/// Bodies with flat faces that are found to meet because two points are within one support error of each other, but no nearer than this share
/// of it, are asked for their signed distance: nearest points are off by less than the rest of the error, so that what is nearer is
/// not apart in any way.
pub const BARE_SIGMAS: Real = 0.25;
