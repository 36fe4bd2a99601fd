//! Collision detection for 3D solids: no silent wrong answers.
//!
//! Every answer carries its witness, bounds with `lower ≤ exact ≤ upper`, and how it ended ([`End`]). One set of verbs serves bodies of every
//! kind; each takes anything that is a body: [`&Shape`](Shape), [`&Polytope`](Polytope), [`&Mesh`](Mesh), [`&Compound`](Compound),
//! [`&HeightField`](HeightField), [`&PointCloud`](PointCloud), [`&HalfSpace`](HalfSpace) or [`&Body`](Body), with its [`Pose`].
//!
//! | I want to … | call |
//! | --- | --- |
//! | know whether two bodies collide | [`overlap`] |
//! | know how far apart they are, or how deep they overlap, and where | [`closest`]; [`distance`] without depths |
//! | know whether they are nearer than a required clearance | [`within`] |
//! | know exactly whether bodies with flat faces are apart, touch or overlap | [`exact`] |
//! | hand out a proof of an answer that anyone can check | [`exact::certify`], [`exact::certify_within`], [`exact::certify_cast`] |
//! | get contact points for a simulator | [`manifold`](manifold()) |
//! | get every vertex over a face and every two edges near each other | [`contacts`] |
//! | know how far one may move or turn before it meets the other | [`cast`], [`cast_all`] |
//! | know when two moving bodies meet | [`time_of_impact`] |
//! | know the positions along a direction at which they touch | [`contact_range`] |
//! | see where two solids cut into each other, and the volume they share | [`intersection`](intersection()) |
//! | cast a ray | [`cast_ray`], [`cast_ray_all`] |
//! | find the nearest point of a body to a point | [`project`] |
//! | take a body out of another | [`push_out`] |
//! | slide a character along walls, or push a body as far as it is free | [`slide`], [`move_body`] |
//! | do all this for many bodies, frame after frame | [`World`] |
//! | ask a verb about many pairs at once | [`batch`] |
//! | move along a path of my own, certified | [`Motion::custom`] with a [`Trajectory`] |
//! | keep a distance from everything | [`Body::padded`], [`CastOptions::clearance`] |
//! | read a game level made of brushes | [`brush`] |
//! | compare a paper's algorithm by its own name | `study`, with the feature of that name |
//!
//! ```
//! use clearance::{Cache, CastOptions, Mesh, Motion, Pose, Shape, Vec3, cast, closest, overlap};
//! let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
//! let part = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?; // closed: a solid
//! let tool = Shape::capsule(0.5, 0.1)?;                                          // half length, radius; Err on bad input
//! let start = Pose::from_translation([2.0, 0.25, 0.25])?;
//!
//! let mut cache = Cache::default(); // makes the next query of the pair faster, never another answer
//! assert!(!overlap(&part, &Pose::IDENTITY, &tool, &start, &mut cache).overlap);
//! let near = closest(&part, &Pose::IDENTITY, &tool, &start, &mut cache);
//! assert!(near.lower <= near.distance && near.distance <= near.upper);
//! let motion = Motion::translation(start, [-2.0, 0.0, 0.0])?;
//! let stop = cast(&part, &Pose::IDENTITY, &tool, &motion, &mut cache, &CastOptions::default())?;
//! assert!(stop.hit.is_some() && stop.lower <= stop.fraction && stop.fraction <= stop.upper);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Conventions: index 0 belongs to A and 1 to B; normals are unit vectors from A to B; distances are negative where bodies overlap; touching
//! counts as overlapping for booleans and is told apart by [`Contact`]. Lengths have no unit; angles are radians.
//!
//! Features: `parallel` (worlds and batches use threads; the same bits for any number), `serde`, `mint`, `study` (each paper's algorithm by its
//! own name). The crate `clearance-f32` is the same in single precision.

// Parts that only tests, benches and experiments reach look unused in a build for users.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

pub mod batch;
pub mod brush;
mod derived;
pub mod exact;
mod real;
#[cfg(feature = "study")]
pub mod study;
pub mod world;

// Public for this project's own tests, benches and experiments only.
#[cfg(not(feature = "internals"))]
mod answer;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod answer;
#[cfg(not(feature = "internals"))]
mod broad;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod broad;
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
mod decompose;
mod intersection;
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
    Cast, Closest, Contact, ContactPoint, ContactPoints, Element, End, Feature, Manifold, Overlap, Projection, PushOut,
    RayHit, Side, Start, Within, Witness,
};
pub use ccd::polyhedra::{CastError, Rotation, SlideEnd};
pub use ccd::{CastOptions, Moved, Slid};
pub use decompose::{Decomposition, decompose};
pub use intersection::{Cut, Intersection, intersection};
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
    Cache, cast, cast_all, cast_ray, cast_ray_all, closest, contact_range, contacts, distance, manifold, move_body,
    overlap, project, push_out, slide, time_of_impact, within,
};
pub use world::World;

pub use glam;

/// The example in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
