//! The numbers of the room, each with its unit and reason.

use clearance::Real;

/// Bodies within this many expel zones of each other are in contact: moves end one zone away. What is farther may still come nearer in
/// one step, by as much as there is room, so that a body that rocks is stopped on its other edge and does not go on for ever.
pub const CONTACT_ZONES: Real = 10.0;

/// Times that a body meets something in one step. What is left of the step then is for the next one.
pub const MOST_HITS: usize = 6;

/// A move shorter than this many expel zones is not made: what rests would creep by it.
pub const STILL: Real = 0.001;

/// A body that has moved on by more than this many expel zones is at another place: what it met before need not be there any more.
pub const NEAR: Real = 4.0;

/// Times that the links of a figure are drawn together after a step.
pub const MOST_PULLS: usize = 16;

/// Times that a link meets something in one pull.
pub const PULL_HITS: usize = 3;

/// The distance between the two ends of a joint that is not worth a pull, in expel zones.
pub const JOINED: Real = 0.125;

/// Bodies faster than this many times the speed of rest wake what they touch.
pub const WAKING: Real = 2.0;

/// A contact within this many expel zones of one of the last step is the same, and starts with its impulse.
pub const SAME_CONTACT: Real = 10.0;

/// The same contact has the same normal to within this cosine, eight degrees.
pub const SAME_NORMAL: Real = 0.99;

/// A collision bounces only if it is faster than gravity makes a body in so many steps: what is let go from a contact and falls back would
/// bounce for ever.
pub const BOUNCE_STEPS: Real = 2.5;

/// By how much of the longest step a step may exceed it and not be divided: rates are rounded when they are made times.
pub const DIVIDED: Real = 1.0e-3;

/// Parts of one step at most; those of a very long one are longer.
pub const MOST_PARTS: Real = 64.0;
