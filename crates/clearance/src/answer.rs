//! What the verbs answer: plain data, one type per question, the same for bodies of every kind.
//!
//! Conventions: answers are in world space; index 0 of a pair belongs to A and index 1 to B; a normal is a unit vector from A to B;
//! a distance is negative where the bodies overlap, and then its size is the penetration depth. The exact value is always within
//! `lower` and `upper`, and [`End`] says how the computation ended.

use crate::math::{Real, Vec3};
use crate::narrow::End;

/// A part of a body's surface: a vertex, an edge, a face or a place on a curved surface, of one part of a compound.
///
/// Numbers are those of the input: vertices and faces of a mesh as given, vertices and faces of a polytope by their index. A box or
/// frustum has its corners numbered by one bit per axis, set on the negative side, and its faces by `2 · axis + (1 if negative)`.
/// Caps and discs have 16 corners at fixed angles, number 16 at their deepest place when tilted, 32 added for the lower cap; side
/// lines run from vertex 64 (top, apex) to 65.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature {
    /// The part of a compound; 0 for other bodies.
    pub part: u32,
    /// What it is.
    pub element: Element,
}

/// The kind and number of a [`Feature`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A vertex; of a point cloud, the point.
    Vertex(u32),
    /// An edge by its two vertices, the lower number first.
    Edge([u32; 2]),
    /// A face; of several faces in one plane the lowest number.
    Face(u32),
    /// A place on a curved surface.
    Smooth,
    /// The part as a whole, where the query does not look for its features: a convex part in `closest`, the inside of a solid.
    Whole,
}

impl Feature {
    /// The whole of a body, or of its first part.
    pub const WHOLE: Self = Self { part: 0, element: Element::Whole };

    /// A face of the first part.
    pub const fn face(face: u32) -> Self {
        Self { part: 0, element: Element::Face(face) }
    }

    /// A vertex of the first part.
    pub const fn vertex(vertex: u32) -> Self {
        Self { part: 0, element: Element::Vertex(vertex) }
    }

    /// An edge of the first part, between two vertices in either order.
    pub const fn edge(a: u32, b: u32) -> Self {
        let ends = if a < b { [a, b] } else { [b, a] };
        Self { part: 0, element: Element::Edge(ends) }
    }

    /// A face as given, or the whole where the number is `u32::MAX`, of a part.
    pub(crate) const fn given(part: u32, face: u32) -> Self {
        Self { part, element: if face == u32::MAX { Element::Whole } else { Element::Face(face) } }
    }

    /// The number of the face, if it is one.
    pub const fn face_index(self) -> Option<u32> {
        if let Element::Face(face) = self.element { Some(face) } else { None }
    }

    /// The same feature of another part.
    #[must_use]
    pub const fn of_part(self, part: u32) -> Self {
        Self { part, ..self }
    }
}

/// A place where two bodies are in contact or near each other: `points[1] − points[0] = distance · normal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// A point on A and one on B, in world space.
    pub points: [Vec3; 2],
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// The signed gap along the normal; negative where the surfaces have passed each other.
    pub distance: Real,
    /// The features of A and B that are in contact. The same contact keeps its features from frame to frame.
    pub features: [Feature; 2],
}

impl ContactPoint {
    /// How far the surfaces have passed each other; negative if they have not met.
    pub fn depth(&self) -> Real {
        -self.distance
    }
}

/// How two bodies are placed at the start of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// They have no point in common.
    Apart,
    /// They touch: the motion may part them, slide them along each other, or be blocked at once.
    Touching,
    /// They overlap by more than touching: the fraction is 0.
    Overlapping {
        /// A translation of B after which the bodies do not overlap.
        way_out: Vec3,
    },
}

/// The first contact along a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cast {
    /// The share of the motion that is free, from 0 to 1; 1 if there is no contact.
    pub fraction: Real,
    /// The bodies do not meet before this share of the motion.
    pub lower: Real,
    /// They have met by this share of the motion; 1 if there is no contact.
    pub upper: Real,
    /// Apart, touching or overlapping at the start.
    pub start: Start,
    /// The contact at `fraction`; none if the whole motion is free. For bodies that overlap at the start, their contact there, with
    /// its depth.
    pub hit: Option<ContactPoint>,
    /// How the query ended.
    pub end: End,
    /// Distances, gaps or features evaluated.
    pub iterations: u32,
}
