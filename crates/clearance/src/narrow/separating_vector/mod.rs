//! The separating vector algorithm: whether two bodies meet, by turning a plane between them.
//!
//! Q_COLLIDE (Chung 1996), chapters 3 and 4 and Appendix I. A direction `s` is asked for the lowest point `m` of M = B − A. If
//! `s · m` is positive, the bodies are apart; else `s` is turned away from `m`: mirrored (3.2), which finds the answer for two
//! balls in one step; only until it is at a right angle to `m` (3.5); or in between (3.9). Every such turn brings it nearer to
//! every separating vector (Lemmas 2, 5 and 7). The points `m` are collected; when no plane has them all on one side, four of
//! them enclose the origin and the bodies meet.
//!
//! Lemma 3 says that the same point in two steps in a row means apart, Lemma 8 the same of any point seen before that is found
//! again along `w`, a direction on whose side all points are. Rounding can contradict both, so neither is trusted: the
//! plane is asked, as in every step, and counts only if it separates by more than the error of a support. A point seen before
//! restarts the search from `w`, and so does a plane that separates by less than the error; a second time in a row the
//! question is too close to call. With (3.5) a point that repeats lies in the plane by construction, which proves nothing, and
//! the restart decides.
//!
//! Collisions are certain too: the four points enclose the origin by more than they can be off, in f64 whatever the
//! build's precision. A point `m` that is the origin to within the error (erratum 4) is a collision by itself.
//!
//! What is left goes to the distance, as in [`overlap`](crate::overlap()). It ends: at most [`STEP_LIMIT`] steps.
//!
//! Departures: a list of the points seen instead of an array of time stamps for all pairs of vertices, and none in the shapes
//! (errata 7 and 8). A frame of a pair that stays apart needs no relative pose, only the cached direction in both frames. A
//! pair that stays together has the tetrahedron of the last frame asked first, which needs no support at all.

mod coherence;
mod existence;
mod half_planes;
mod hemisphere;
mod options;
mod search;
mod verb;

pub(crate) use coherence::last_bound;
pub(super) use coherence::{still_apart, still_meeting};
pub use existence::{Existence, STEP_LIMIT};
pub use options::{Options, Rule, Steps};
pub use search::{Verdict, decide};
pub use verb::{overlap_alone, overlap_by};
