//! What the verbs answer: plain data, one type per question, the same for bodies of every kind.
//!
//! Conventions: answers are in world space; index 0 of a pair belongs to A and index 1 to B; a normal is a unit vector from A to B;
//! a distance is negative where the bodies overlap, and then its size is the penetration depth. The exact value is always within
//! `lower` and `upper`, and [`End`] says how the computation ended.

use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use crate::math::{Real, Vec3};
use crate::tolerance::TOUCHING_SIGMAS;

/// How a query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum End {
    /// The bounds agree to within the stated tolerance: rounding of the bodies' size, and for curved bodies a share of the distance or depth.
    #[default]
    Converged,
    /// The iteration limit was reached first; the bounds are valid, and wider than the tolerance.
    IterationLimit,
    /// Rounding, or input at the limits of the precision, stopped the computation; the bounds are valid, and wider than the tolerance.
    Degenerate,
}

/// Apart, touching or overlapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Contact {
    /// The bodies have no point in common.
    Apart,
    /// The bodies have points in common, and a translation within the touching tolerance separates them.
    Touching,
    /// The bodies overlap by more than the touching tolerance.
    Overlapping,
}

impl Contact {
    /// The one meaning of touching: apart if the certified lower bound and the distance are both above the error `sigma` of the pair;
    /// overlapping if deeper than [`TOUCHING_SIGMAS`] errors; touching in between.
    #[inline]
    pub(crate) fn of(distance: Real, lower: Real, sigma: Real) -> Self {
        if distance > sigma && lower > 0.0 {
            Self::Apart
        } else if distance < -TOUCHING_SIGMAS * sigma {
            Self::Overlapping
        } else {
            Self::Touching
        }
    }
}

/// A part of a body's surface: a vertex, an edge, a face or a place on a curved surface, of one part of a compound.
///
/// Numbers are those of the input: vertices and faces of a mesh as given, vertices and faces of a polytope by their index. A box or
/// frustum has its corners numbered by one bit per axis, set on the negative side, and its faces by `2 · axis + (1 if negative)`.
/// Caps and discs have 16 corners at fixed angles, number 16 at their deepest place when tilted, 32 added for the lower cap; side
/// lines run from vertex 64 (top, apex) to 65. The points of a height field's grid are counted row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Feature {
    /// The part of a compound; 0 for other bodies.
    pub part: u32,
    /// What it is.
    pub element: Element,
}

/// The kind and number of a [`Feature`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoint {
    /// A point on A and one on B, in world space.
    pub points: [Vec3; 2],
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// The signed gap along the normal; negative where the surfaces have passed each other.
    pub distance: Real,
    /// The features of A and B that are in contact. The same contact keeps its features from frame to frame, given the pair's cache; no two
    /// points along one normal have the same.
    pub features: [Feature; 2],
}

impl ContactPoint {
    /// How far the surfaces have passed each other; negative if they have not met.
    pub fn depth(&self) -> Real {
        -self.distance
    }
}

/// The contact points of two bodies, in a list that holds four without allocating.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoints(SmallVec<[ContactPoint; 4]>);

impl ContactPoints {
    /// Adds a point.
    pub fn push(&mut self, point: ContactPoint) {
        self.0.push(point);
    }
}

impl Deref for ContactPoints {
    type Target = [ContactPoint];

    fn deref(&self) -> &[ContactPoint] {
        &self.0
    }
}

impl DerefMut for ContactPoints {
    fn deref_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.0
    }
}

impl FromIterator<ContactPoint> for ContactPoints {
    fn from_iter<I: IntoIterator<Item = ContactPoint>>(points: I) -> Self {
        Self(points.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a ContactPoints {
    type Item = &'a ContactPoint;
    type IntoIter = std::slice::Iter<'a, ContactPoint>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// The contact of two bodies: a few points for a simulator to push on.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Manifold {
    /// Unit vector from A to B at the deepest place: that of `closest`.
    pub normal: Vec3,
    /// The signed distance of the bodies as a whole: that of `closest`.
    pub distance: Real,
    /// The contact points in the order of their features, which stays from frame to frame; of concave bodies, region after region.
    pub points: ContactPoints,
    /// How the query ended.
    pub end: End,
}

impl Manifold {
    /// How deep the bodies overlap as a whole; negative if they do not.
    pub fn depth(&self) -> Real {
        -self.distance
    }

    /// The deepest of the points, or the nearest if none has met; the first of several. None only of a manifold without points, which no
    /// query answers.
    pub fn deepest(&self) -> Option<&ContactPoint> {
        self.points.iter().reduce(|best, point| if point.distance < best.distance { point } else { best })
    }
}

/// The signed distance of two bodies, with its bounds and witness points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Closest {
    /// The distance; negative if the bodies overlap: then minus the depth, the length of the shortest translation that separates them.
    pub distance: Real,
    /// The exact distance is not less.
    pub lower: Real,
    /// The exact distance is not more.
    pub upper: Real,
    /// The nearest or deepest points of A and B: `points[1] − points[0] = distance · normal`.
    pub points: [Vec3; 2],
    /// Unit vector from A to B; moving B along it separates the bodies.
    pub normal: Vec3,
    /// The parts, and for meshes the faces, that are nearest or deepest. Convex parts are named as a whole; `manifold` names their
    /// vertices, edges and faces.
    pub features: [Feature; 2],
    /// Apart, touching or overlapping.
    pub contact: Contact,
    /// How the query ended.
    pub end: End,
    /// Supports evaluated, or pairs of pieces examined.
    pub iterations: u32,
}

/// A translation that takes a body out of another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PushOut {
    /// By how much to move B, in world space; zero if the bodies do not overlap.
    pub translation: Vec3,
    /// The signed distance after it.
    pub near: Closest,
    /// [`End::Converged`] if the bodies do not overlap after it. [`End::IterationLimit`] if no such translation was found, for example
    /// out of an unbounded half-space.
    pub end: End,
}

impl Closest {
    /// The answer with the bodies in the other order.
    pub(crate) fn swapped(self) -> Self {
        let ([p, q], [of_a, of_b]) = (self.points, self.features);
        Self { points: [q, p], normal: -self.normal, features: [of_b, of_a], ..self }
    }
}

impl Closest {
    /// What is known before anything is examined.
    pub(crate) const UNKNOWN: Self = Self {
        distance: Real::MAX,
        lower: Real::NEG_INFINITY,
        upper: Real::INFINITY,
        points: [Vec3::ZERO; 2],
        normal: Vec3::X,
        features: [Feature::WHOLE; 2],
        contact: Contact::Apart,
        end: End::Degenerate,
        iterations: 0,
    };
}

/// Why a boolean answer is right.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Witness {
    /// A separating plane: along `normal` A reaches up to `offset_a` and B down to `offset_b`, which is larger.
    Plane {
        /// Unit normal from A to B.
        normal: Vec3,
        /// The largest `normal · x` over A.
        offset_a: Real,
        /// The smallest `normal · x` over B.
        offset_b: Real,
    },
    /// A point of both bodies, to within the error.
    Point(Vec3),
    /// The bodies are at least this far apart, by the bounding volumes and pieces examined. Concave bodies need not have a
    /// separating plane.
    Gap(Real),
    /// A point of A and a point of B, no farther apart than was asked. Of `overlap`: as near to each other as the bodies could be shown
    /// to come; such an answer did not converge, and touching is what its bounds leave open.
    Points([Vec3; 2]),
}

/// Whether two bodies have a point in common.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// Whether they have; touching counts.
    pub overlap: bool,
    /// Why.
    pub witness: Witness,
    /// How the query ended.
    pub end: End,
    /// Supports evaluated, or pairs of pieces examined.
    pub iterations: u32,
}

/// Whether two bodies are within a distance of each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Within {
    /// Whether their distance is at most the one asked for; a distance within the error of it counts.
    pub within: bool,
    /// Why: a plane or a gap that keeps them farther apart, or a point of each.
    pub witness: Witness,
    /// The exact distance is not less.
    pub lower: Real,
    /// The exact distance is not more.
    pub upper: Real,
    /// How the query ended.
    pub end: End,
    /// Supports evaluated, or pairs of pieces examined.
    pub iterations: u32,
}

/// How two bodies are placed at the start of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// The point of a body nearest to a given point, with the signed distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// The distance; negative if the point is inside of a solid: then minus the distance from its surface.
    pub distance: Real,
    /// The exact distance is not less.
    pub lower: Real,
    /// The exact distance is not more.
    pub upper: Real,
    /// The point of the body's surface nearest to the given one, in world space.
    pub nearest: Vec3,
    /// Unit normal at the nearest point, out of the body: `point − nearest = distance · normal`.
    pub normal: Vec3,
    /// The vertex, edge or face that is nearest.
    pub feature: Feature,
    /// Whether the point is apart from the body, on its surface or inside.
    pub contact: Contact,
    /// How the query ended.
    pub end: End,
}
