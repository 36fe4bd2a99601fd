//! Collision detection for 3D solids: no silent wrong answers.
//!
//! - Two convex bodies: [`overlap`](overlap()), [`closest`], [`distance`], [`manifold`](manifold()); each algorithm by its own name in
//!   [`narrow`]
//! - Along a direction or a motion: [`contact_range`], [`cast`], [`time_of_impact`]; concave polyhedra and single features in [`ccd`]
//! - Meshes and compounds at rest: [`concave`]
//! - Many bodies, frame after frame: [`World`], with the broad phases of [`broad`]
//! - Worlds made of brushes, as in games' maps: [`brush`]
//! - Shapes: [`Shape`], [`Polytope`], [`Mesh`]; where they are: [`Pose`]; every tolerance: [`tolerance`]

pub mod answer;
pub mod broad;
pub mod brush;
pub mod bvh;
pub mod ccd;
pub mod concave;
mod derived;
pub mod manifold;
pub mod math;
pub mod motion;
pub mod narrow;
pub mod piece;
pub mod polytope;
pub mod ray;
mod real;
pub mod shape;
pub mod support;
pub mod tolerance;
pub mod verbs;
pub mod world;

pub use answer::{
    Cast, Closest, Contact, ContactPoint, ContactPoints, Element, End, Feature, Manifold, Overlap, Start, Within,
    Witness,
};
pub use ccd::polyhedra::{CastError, Rotation, SlideEnd};
pub use ccd::{BodyCastOptions as CastOptions, BodyMoved as Moved, Slid};
pub use manifold::{ManifoldOptions, Method};
pub use math::{Aabb, Mat3, Plane, Pose, PoseError, Quat, Real, Vec3};
pub use motion::{Motion, MotionError, Trajectory};
pub use narrow::contact_range::{DirectionError, FacesVisited, Range, RangeEnd};
pub use polytope::{Polygon, Polytope, PolytopeError};
pub use shape::mesh::{Mesh, MeshError, MeshOptions};
pub use shape::{Body, BodyRef, Compound, Core, MassProperties, Part, Shape, ShapeError};
pub use shape::{HalfSpace, HeightField, PointCloud};
pub use support::{Support, SupportPoint, VertexId};
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
