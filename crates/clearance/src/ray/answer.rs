//! What rays and projections answer.

/// A part of a body's surface: a vertex, an edge, a face or a place on a curved surface, of one part of a compound.
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
    /// A vertex.
    Vertex(u32),
    /// An edge by its two vertices, the lower number first.
    Edge([u32; 2]),
    /// A face.
    Face(u32),
    /// A place on a curved surface.
    Smooth,
    /// The part as a whole.
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

    /// The same feature of another part.
    #[must_use]
    pub const fn of_part(self, part: u32) -> Self {
        Self { part, ..self }
    }
}

/// Apart, touching or overlapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// No point in common.
    Apart,
    /// Within the touching tolerance of each other.
    Touching,
    /// Overlapping by more than the touching tolerance.
    Overlapping,
}
