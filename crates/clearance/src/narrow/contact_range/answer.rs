//! The answer of `contact_range`, and why a direction is refused.

use crate::real::short;
use thiserror::Error;

use crate::answer::{End, Feature};
use crate::math::{Real, Vec3};

/// Why a direction or a translation was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum DirectionError {
    /// It has no direction.
    #[error("the direction is zero; it must point somewhere")]
    Zero,
    /// A component is NaN or infinite.
    #[error("direction: component {axis} is {value}; it must be finite", value = short(*.value))]
    NotFinite {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// Positions are in units of its length, and would be too large for a number.
    #[error("the direction's length is {length:e}; positions in units of it would overflow")]
    TooShort {
        /// Its length.
        length: Real,
    },
}

/// One end of a contact range: B is moved by `at · direction` and touches A from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeEnd {
    /// The position, in units of the direction's length.
    pub at: Real,
    /// The true end is not less.
    pub lower: Real,
    /// The true end is not more.
    pub upper: Real,
    /// Where they touch: on A, and on B where B is now, so that `points[1] + at · direction = points[0]`. World space.
    pub points: [Vec3; 2],
    /// Unit normal of the contact, out of A, in world space.
    pub normal: Vec3,
    /// What touches: for polytopes a face and a vertex, a vertex and a face, or two edges.
    pub features: [Feature; 2],
    /// How the search for this end ended.
    pub end: End,
}

/// How many faces of A − B were looked at, by what they are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FacesVisited {
    /// A face of A and a vertex of B.
    pub face_vertex: u32,
    /// A vertex of A and a face of B.
    pub vertex_face: u32,
    /// An edge of either.
    pub edge_edge: u32,
}

/// The positions of B along a direction at which it meets A: all from the first end to the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The first and the last contact.
    pub ends: [RangeEnd; 2],
    /// Faces of A − B looked at: those on a walk over its faces, which only polytopes have, or the two that the ends are on.
    pub faces_visited: FacesVisited,
    /// Supports evaluated.
    pub iterations: u32,
}

impl Range {
    /// The first position of contact.
    #[inline]
    pub fn lo(&self) -> Real {
        self.ends[0].at
    }

    /// The last position of contact.
    #[inline]
    pub fn hi(&self) -> Real {
        self.ends[1].at
    }

    /// How far B is from touching, moving along the direction either way: positive if it is apart from A, and negative if it
    /// overlaps, where it is minus the shorter of the two ways out. In units of the direction's length.
    pub fn distance(&self) -> Real {
        self.lo().max(-self.hi())
    }
}
