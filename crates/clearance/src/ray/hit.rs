//! What a ray answers.

use super::answer::Feature;
use crate::math::{Real, Vec3};
use crate::narrow::End;

/// The side of a surface that a ray comes upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The ray comes from where the normal points: it enters a solid.
    Front,
    /// The ray comes from behind: it leaves a solid.
    Back,
}

/// Where a ray meets a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// The position on the ray, in units of the direction's length.
    pub t: Real,
    /// The exact position is not less.
    pub lower: Real,
    /// The exact position is not more.
    pub upper: Real,
    /// The point of the surface, in world space.
    pub point: Vec3,
    /// Outward unit normal of the surface, in world space, whichever side is hit.
    pub normal: Vec3,
    /// The vertex, edge or face that is hit.
    pub feature: Feature,
    /// The side of the surface that is hit.
    pub side: Side,
    /// Whether the ray starts inside of the solid, and the hit is where it leaves.
    pub inside: bool,
    /// How the query ended.
    pub end: End,
}
