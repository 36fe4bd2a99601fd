//! Compact names for the parts of convex bodies that touch, inside the narrow phase; [`Label::element`] gives the public name.

use crate::answer::{Element, Feature};
use crate::shape::{Core, Shape};

/// Corners of a circle's outline; one more may be inserted where it is deepest.
const RING: u32 = 16;
/// Added to the numbers of the lower of two circles.
const LOWER: u32 = 32;
/// The edge along the side of a body of revolution, and its upper end.
const SIDE: u32 = 64;

/// A part of a convex body's surface.
///
/// Vertices and faces are numbered as in [`Feature`]. An edge of a polytope is the lower of its two half-edges, of a polygon its first
/// corner, of a box or frustum `8 · axis + lower corner`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A corner.
    Vertex(u32),
    /// A line.
    Edge(u32),
    /// A flat part; of several that lie in one plane the lowest index.
    Face(u32),
    /// A place on a curved part.
    Smooth,
}

/// Which parts of the two bodies make a contact point: a vertex over a face, an edge over an edge, a face under a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labels {
    /// Of A.
    pub a: Label,
    /// Of B.
    pub b: Label,
}

impl Labels {
    /// The public names.
    pub(crate) fn features(self, a: &Core, b: &Core) -> [Feature; 2] {
        [Feature { part: 0, element: self.a.element(a) }, Feature { part: 0, element: self.b.element(b) }]
    }
}

impl Label {
    /// The public name: edges by their two vertices.
    pub(crate) fn element(self, core: &Core) -> Element {
        match self {
            Self::Vertex(vertex) => Element::Vertex(vertex),
            Self::Edge(edge) => {
                let [a, b] = ends(edge, core);
                Element::Edge([a.min(b), a.max(b)])
            }
            Self::Face(face) => Element::Face(face),
            Self::Smooth => Element::Smooth,
        }
    }
}

/// The names of up to eight contact points, packed: what a pair remembers of its last manifold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    packed: [u32; Self::MOST],
    len: u8,
}

impl Names {
    /// The most names that are remembered.
    pub const MOST: usize = 8;
    /// No names.
    pub const NONE: Self = Self { packed: [0; Self::MOST], len: 0 };
    /// The bits of a number within a name; features with larger numbers, of very large polytopes, are not remembered.
    const BITS: u32 = 14;

    /// Adds a name, if there is room for it and its numbers are not too large.
    pub fn add(&mut self, labels: Labels) {
        if let (Some(a), Some(b), Some(slot)) =
            (Self::pack(labels.a), Self::pack(labels.b), self.packed.get_mut(usize::from(self.len)))
        {
            *slot = a << 16 | b;
            self.len += 1;
        }
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a name is one of them.
    pub fn contain(&self, labels: Labels) -> bool {
        self.iter().any(|known| known == labels)
    }

    /// The names, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Labels> + '_ {
        let names = self.packed.iter().take(usize::from(self.len));
        names.map(|&name| Labels { a: Self::unpack(name >> 16), b: Self::unpack(name & 0xffff) })
    }

    fn pack(label: Label) -> Option<u32> {
        let (kind, number) = match label {
            Label::Vertex(number) => (0, number),
            Label::Edge(number) => (1, number),
            Label::Face(number) => (2, number),
            Label::Smooth => (3, 0),
        };
        (number < 1 << Self::BITS).then_some(kind << Self::BITS | number)
    }

    fn unpack(name: u32) -> Label {
        let number = name & ((1 << Self::BITS) - 1);
        match name >> Self::BITS {
            0 => Label::Vertex(number),
            1 => Label::Edge(number),
            2 => Label::Face(number),
            _ => Label::Smooth,
        }
    }
}

/// The two vertices of an edge.
fn ends(edge: u32, core: &Core) -> [u32; 2] {
    let around = |count: u32| [edge, if edge + 1 < count { edge + 1 } else { 0 }];
    match core {
        Core::Polytope(polytope) => {
            let half_edges = polytope.half_edges();
            half_edges.get(edge as usize).map_or([edge; 2], |h| [h.origin, half_edges[h.twin as usize].origin])
        }
        Core::Cuboid { .. } | Core::Frustum { .. } => [edge % 8, (edge % 8) | (1 << (edge / 8))],
        Core::Triangle(_) => around(3),
        Core::Rectangle { .. } => around(4),
        Core::Polygon(polygon) => around(polygon.vertices().len() as u32),
        Core::Segment { .. } => [0, 1],
        Core::Posed(part) => ends(edge, Shape::core(&part.shape)),
        _ if edge >= SIDE => [SIDE, SIDE + 1],
        // Sides of a polygon that stands for a circle, or samples of a face.
        _ if edge % LOWER + 1 == RING => [edge, edge + 1 - RING],
        _ => [edge, edge + 1],
    }
}
