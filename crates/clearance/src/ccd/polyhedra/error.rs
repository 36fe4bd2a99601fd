//! Why a cast was refused.

use crate::real::short;
use thiserror::Error;

use crate::math::Real;

/// Why a cast was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CastError {
    /// A number of the motion is NaN or infinite.
    #[error("the motion has a component that is not finite")]
    NotFinite,
    /// The axis of a rotation is zero.
    #[error("the axis of the rotation is zero")]
    NoAxis,
    /// The expel zone would be as thick as the body: the precision does not suffice for coordinates so large.
    #[error(
        "coordinates are too large for the precision: the expel zone would be {zone} thick, the body's radius is {radius}", zone = short(*.zone))]
    TooLarge {
        /// The thickness of the zone.
        zone: Real,
        /// The body's radius: half the diagonal of its box.
        radius: Real,
    },
    /// The thickness asked for is no thickness.
    #[error("the zone is {zone}; its thickness must be finite and not negative", zone = short(*.zone))]
    Zone {
        /// What was asked for.
        zone: Real,
    },
    /// The distance asked for is no distance.
    #[error("the distance is {distance}; it must be finite and not negative", distance = short(*.distance))]
    Distance {
        /// What was asked for.
        distance: Real,
    },
    /// A part of a body is curved, or the body is padded: contacts are of vertices, edges and faces.
    #[error("{body} (part {part}) has no flat faces; contacts are of vertices, edges and faces")]
    Curved {
        /// `'a'` or `'b'`.
        body: char,
        /// The part of a compound; 0 for other bodies.
        part: u32,
    },
    /// The motion leaves the range of poses.
    #[error("the motion leaves the range of poses")]
    Range,
}
