//! The first contact of two motions.

use crate::answer::{Closest, End, Feature};
use crate::math::{Real, Vec3};
use crate::tolerance::IMPACT_TOLERANCE;

/// What to ask of [`time_of_impact`](super::time_of_impact()).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ImpactOptions {
    /// Bodies nearer than this, relative to the size of the pair, have met. It cannot be smaller than a few roundings.
    pub tolerance: Real,
    /// The distance that is to be kept: the bodies have met when they are this near. Not negative; zero asks for contact.
    pub clearance: Real,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        Self { tolerance: IMPACT_TOLERANCE, clearance: 0.0 }
    }
}

/// The first contact of two motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// When the bodies have come within the tolerance; nothing if they do not meet from time 0 to 1, or if that was not decided: then `end`
    /// says so, and only what is before `lower` is free.
    pub time: Option<Real>,
    /// They do not meet before this time, for certain.
    pub lower: Real,
    /// Whether they meet at time 0: they overlap then, or touch and move into each other.
    pub at_start: bool,
    /// The nearest points of A and B at that time; of a miss, those last looked at.
    pub points: [Vec3; 2],
    /// Unit vector from A to B between them.
    pub normal: Vec3,
    /// Their signed distance at that time.
    pub distance: Real,
    /// How it ended.
    pub end: End,
    /// Distances and gaps evaluated.
    pub iterations: u32,
}

/// The first contact of two moving bodies of any shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyImpact {
    /// As for convex bodies.
    pub impact: Impact,
    /// The pieces that meet; of a miss, those last looked at.
    pub features: [Feature; 2],
}

impl BodyImpact {
    /// Bodies that meet at time 0, as near as this.
    pub(super) fn at_start(near: &Closest, end: End) -> Self {
        let end = if end == End::Converged { near.end } else { end };
        let impact = Impact {
            time: Some(0.0),
            lower: 0.0,
            at_start: true,
            points: near.points,
            normal: near.normal,
            distance: near.distance,
            end,
            iterations: near.iterations,
        };
        Self { impact, features: near.features }
    }
}
