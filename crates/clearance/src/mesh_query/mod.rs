//! Bodies that need not be convex, at rest: meshes, compounds and convex shapes with each other.
//!
//! The verbs [`overlap`], [`closest`] and [`manifold`] take a [`Body`] where those for convex shapes take a `Shape`, in the same order.
//!
//! **What is answered.** The distance of bodies that are apart is exact to within the bounds, as for convex ones. Solids count
//! with what is inside them: one in another overlaps. Surfaces (open meshes, and closed ones made as such) do not.
//!
//! **Touching.** Bodies are closed sets: those within the error `sigma` of each other have a point in common, and `overlap` is
//! true. [`Contact`] says more: `Overlapping` if it takes a translation of more than [`MESH_TOUCHING_SIGMAS`] errors to separate them,
//! otherwise `Touching`, as for coplanar faces that rest on each other. Then `closest` has a distance of zero within its bounds.
//!
//! **Depth.** The shortest translation that separates two concave bodies is not computed. `−distance` is a local measure: the
//! largest of the depths of any two convex pieces (the triangles of meshes, the convex parts of compounds) and of some points of one
//! solid below the surface of the other (middles of touching faces, points on chords common to both; vertices of a part that is
//! all inside). Each of them is a lower bound of that translation, so that it is never less than the measure; how far it is at
//! most along the answer's normal and the axes of A says `lower`. `points` and `normal` are those of the deepest piece.
//!
//! Poses of parts are composed with the body's own, which costs a few roundings more: see `sigma`'s derivation.
//!
//! Whether solids that touch overlap is a decision, not a sample: what they share is bounded by parts of their surfaces, so that a
//! point of each piece and points beside all pairs of triangles of which one reaches behind the other, or which coincide facing
//! the same way, tell.
//!
//! Every walk down a tree visits each pair of nodes at most once, so that all queries end. Surfaces that coincide over a hundred
//! thousand triangles are looked at in part: the answer then ends with `IterationLimit`, and a deeper place may exist.
//!
//! [`MESH_TOUCHING_SIGMAS`]: crate::tolerance::MESH_TOUCHING_SIGMAS

mod compound;
mod contacts;
mod convex;
mod local;
mod on_surface;
mod pieces;
mod surfaces;
mod triangle;
mod verbs;

use std::sync::Arc;

use crate::math::{Aabb, Pose, Real, Vec3};
use crate::narrow::{Closest, End, PairCache};
use crate::shape::Shape;
use crate::shape::mesh::Mesh;
use crate::support::{Support, VertexId};

pub use compound::Compound;
pub(crate) use compound::Leaf;
pub use contacts::{BodyContact, BodyManifold, BodyManifoldOptions, REGION_POINTS, REGIONS, manifold};
pub(crate) use triangle::{Prepared, Shared, exit, nearest, shared, triangles_meet};
pub use verbs::{closest, overlap};

/// A body of any shape. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Body {
    /// A convex shape.
    Convex(Shape),
    /// A polyhedron.
    Mesh(Arc<Mesh>),
    /// Several bodies that move as one.
    Compound(Arc<Compound>),
}

impl From<Shape> for Body {
    fn from(shape: Shape) -> Self {
        Self::Convex(shape)
    }
}

impl From<Mesh> for Body {
    fn from(mesh: Mesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Compound> for Body {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

impl Body {
    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Convex(shape) => shape.aabb(pose),
            Self::Mesh(mesh) => mesh.aabb(pose),
            Self::Compound(compound) => compound.aabb(pose),
        }
    }

    /// A point farthest along a direction: the support mapping of the convex hull.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Self::Convex(shape) => shape.support(direction, VertexId::NONE).point,
            Self::Mesh(mesh) => mesh.support(direction).0,
            Self::Compound(compound) => compound.support(direction),
        }
    }

    /// A ball of this radius about the local origin contains the body.
    pub fn bounding_radius(&self) -> Real {
        match self {
            Self::Convex(shape) => shape.bounding_radius(),
            Self::Mesh(mesh) => mesh.bounding_radius(),
            Self::Compound(compound) => compound.bounding_radius(),
        }
    }

    /// Volume and its centre. Parts of a compound count each for itself, also where they overlap.
    pub fn mass(&self) -> (Real, Vec3) {
        match self {
            Self::Convex(shape) => shape.mass(),
            Self::Mesh(mesh) => mesh.mass(),
            Self::Compound(compound) => compound.mass(),
        }
    }
}

/// How two bodies are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// They have no point in common.
    Apart,
    /// They have points in common and could be separated by a translation within the error.
    Touching,
    /// They share more than that.
    Overlapping,
}

/// The piece of a body that an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The part of a compound; 0 for other bodies.
    pub part: u32,
    /// The face of a mesh, by its number in the input; `u32::MAX` for a convex shape, a point, or the inside of a solid.
    pub face: u32,
}

/// No part but the first, and no face.
pub(crate) const NO_ELEMENT: Element = Element { part: 0, face: u32::MAX };

impl Element {
    /// The face, if the piece is one.
    pub fn face(&self) -> Option<u32> {
        (self.face != u32::MAX).then_some(self.face)
    }
}

/// The signed distance of two bodies; see the [module](self) for what a negative one means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// As for convex bodies.
    pub closest: Closest,
    /// How they are to each other.
    pub contact: Contact,
    /// The pieces that are nearest or deepest.
    pub elements: [Element; 2],
}

impl Near {
    /// The same with A and B exchanged.
    pub(crate) fn swapped(self) -> Self {
        let ([p, q], [of_a, of_b]) = (self.closest.points, self.elements);
        let closest = Closest { points: [q, p], normal: -self.closest.normal, ..self.closest };
        Self { closest, elements: [of_b, of_a], ..self }
    }
}

/// Why bodies meet, or why not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// They are at least this far apart. Concave bodies need not have a plane between them.
    Gap(Real),
    /// A point of both, to within the error.
    Point(Vec3),
}

/// Whether two bodies share a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// Whether they do; touching counts.
    pub overlap: bool,
    /// Whether they only touch.
    pub contact: Contact,
    /// Why.
    pub reason: Reason,
    /// The pieces that meet; of no meaning for bodies that are apart.
    pub elements: [Element; 2],
    /// How it ended.
    pub end: End,
    /// Pairs of pieces looked at.
    pub iterations: u32,
}

/// What a pair of bodies remembers from one query to the next. Cold by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodyCache {
    /// The nearest or meeting triangles of two meshes, or that of a mesh beside a shape.
    pub(crate) triangles: Option<[u32; 2]>,
    /// The nearest or meeting parts of compounds.
    pub(crate) parts: Option<[u32; 2]>,
    pub(crate) convex: PairCache,
}
