//! Collision detection for 3D solids: no silent wrong answers.
//!
//! - Two convex bodies: [`overlap`](overlap()), [`closest`], [`distance`], [`manifold`](manifold()); each algorithm by its own name in
//!   [`study`]
//! - Along a direction or a motion: [`contact_range`], [`cast`], [`time_of_impact`]; single features in [`study`]
//! - Many bodies, frame after frame: [`World`], with the broad phases of [`broad`]
//! - Worlds made of brushes, as in games' maps: [`brush`]
//! - Shapes: [`Shape`], [`Polytope`], [`Mesh`]; where they are: [`Pose`]

// Parts that only tests, benches and experiments reach look unused in a build for users.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

pub mod broad;
pub mod brush;
mod derived;
mod real;
pub mod study;
pub mod world;

// Public for this project's own tests, benches and experiments only.
#[cfg(not(feature = "internals"))]
mod answer;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod answer;
#[cfg(not(feature = "internals"))]
mod bvh;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod bvh;
#[cfg(not(feature = "internals"))]
mod ccd;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod ccd;
#[cfg(not(feature = "internals"))]
mod concave;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod concave;
#[cfg(not(feature = "internals"))]
mod manifold;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod manifold;
#[cfg(not(feature = "internals"))]
mod math;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod math;
#[cfg(not(feature = "internals"))]
mod motion;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod motion;
#[cfg(not(feature = "internals"))]
mod narrow;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod narrow;
#[cfg(not(feature = "internals"))]
mod piece;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod piece;
#[cfg(not(feature = "internals"))]
mod polytope;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod polytope;
#[cfg(not(feature = "internals"))]
mod ray;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod ray;
#[cfg(not(feature = "internals"))]
mod shape;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod shape;
#[cfg(not(feature = "internals"))]
mod support;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod support;
#[cfg(not(feature = "internals"))]
mod tolerance;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tolerance;
#[cfg(not(feature = "internals"))]
mod verbs;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod verbs;

pub use answer::{
    Cast, Closest, Contact, ContactPoint, ContactPoints, Element, End, Feature, Manifold, Overlap, Projection, RayHit,
    Side, Start, Within, Witness,
};
pub use ccd::polyhedra::{CastError, Rotation, SlideEnd};
pub use ccd::{BodyCastOptions as CastOptions, BodyMoved as Moved, Slid};
pub use manifold::{MAX_POINTS, ManifoldOptions, Method};
pub use math::{Aabb, Mat3, Plane, Pose, PoseError, Quat, Real, Vec3};
pub use motion::{Motion, MotionError, Trajectory};
pub use narrow::contact_range::{DirectionError, FacesVisited, Range, RangeEnd};
pub use polytope::{Edge, HalfEdge, Polygon, Polytope, PolytopeError};
pub use ray::{Ray, RayError, RayOptions};
pub use shape::mesh::{Kind, Mesh, MeshEdge, MeshError, MeshOptions, Repairs};
pub use shape::{Body, BodyRef, Compound, Core, MassProperties, Padded, Part, Shape, ShapeError};
pub use shape::{HalfSpace, HeightField, PointCloud};
pub use support::{Support, SupportPoint, VertexId};
pub use tolerance::{LARGEST_SIZE, SMALLEST_SIZE};
pub use verbs::{
    Cache, cast, cast_all, closest, contact_range, contacts, distance, manifold, move_body, overlap, slide,
    time_of_impact, within,
};
pub use world::World;

pub use glam;

/// The example in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
