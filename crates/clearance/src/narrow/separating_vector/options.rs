//! How the search is done, and how it went.

use super::existence::Existence;
use crate::math::Real;

/// How the next direction is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Rule {
    /// Mirrored at the plane across the point found (3.2).
    #[default]
    Greedy,
    /// Turned until it is at a right angle to the point found (3.5).
    Conservative,
    /// Between the two (3.9): this share, from 0 to 1, of the greedy one.
    Blended(Real),
}

/// How the search is done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// How the next direction is chosen.
    pub rule: Rule,
    /// How it is found out that no separating plane exists.
    pub existence: Existence,
}

/// How a search went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steps {
    /// Directions tried: k in the thesis. Zero if the tetrahedron of the last frame still had the origin inside.
    pub k: u32,
    /// How often the search was restarted from `w` (Lemma 8).
    pub restarts: u32,
    /// Whether it was too close to call, and the distance decided.
    pub by_distance: bool,
}
