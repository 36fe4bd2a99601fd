//! Bodies that need not be convex, at rest: meshes, compounds and convex shapes with each other.
//!
//! The verbs [`overlap`], [`closest`] and [`manifold`] take a [`Geometry`](crate::shape::Geometry) where those for convex shapes take a `Shape`, in the same order.
//!
//! **What is answered.** The distance of bodies that are apart is exact to within the bounds, as for convex ones. Solids count
//! with what is inside them: one in another overlaps. Surfaces (open meshes, and closed ones made as such) do not.
//!
//! **Touching.** Bodies are closed sets: those within the error `sigma` of each other have a point in common, and `overlap` is
//! true. [`Contact`](crate::Contact) says more: `Overlapping` if it takes a translation of more than [`TOUCHING_SIGMAS`] errors to separate them,
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
//! [`TOUCHING_SIGMAS`]: crate::tolerance::TOUCHING_SIGMAS

mod boolean;
mod bounds;
mod contacts;
mod convex;
pub(crate) mod fields;
mod local;
mod meeting;
mod on_surface;
mod patch;
mod pieces;
mod probes;
mod range;
mod surfaces;
mod verbs;

pub(crate) use boolean::meets;
pub(crate) use bounds::{least_overlap, pair_size};
pub use contacts::{BodyContact, BodyManifold, BodyManifoldOptions, REGION_POINTS, REGIONS, manifold};
pub(crate) use contacts::{BodyNames, corner_of, find_contacts};
pub use meeting::{BodyCache, Meeting};
pub(crate) use patch::Patch;
pub(crate) use range::range;
pub use verbs::{closest, overlap};
