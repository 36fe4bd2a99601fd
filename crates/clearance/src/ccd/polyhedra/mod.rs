//! Casts of arbitrary polyhedra: how far one may move or turn before it meets another.
//!
//! J.M.P. van Waveren, Robust Continuous Collision Detection Between Arbitrary Polyhedra (2005). Points against polygons, polygons
//! against points, edges against edges, along straight ways (2.2, 2.3) and arcs (2.4, 2.5), with an expel zone (3), internal
//! edges, culled back faces and shared sidedness signs (4), and a tree of boxes or an axial BSP (5).
//!
//! Departures. The body is brought into the world's frame and everything is computed in f64 there, from differences. The zone's
//! thickness e is derived ([`tolerance::zone`](crate::tolerance::zone)). Only its lower half blocks: a contact is where a feature
//! would come nearer than e/2, and it is reported where it comes within e; so a body that rests at e may slide and sink by rounding
//! without being held, and nothing gets nearer than e/2, which is more than the error of all that is computed. A feature that
//! starts below e/2 may only move out (3.1 to 3.4). Edges keep e along the direction across both, which needs no expanded line; only
//! for rotations, where that direction turns, is the line of the expanded planes used. Directions across edges that are all but
//! parallel come from pairs of doubles. On arcs a point or a crossing of edges counts if it is within the polygon or the edges,
//! grown by e, when it enters the lower half or when it leaves it.
//!
//! A [`Polyhedron`] is made from a [`Mesh`](crate::Mesh) or a [`Polytope`](crate::Polytope), of one piece or of many that touch, overlap
//! and nest, as the brushes of a map do; where it is solid is a winding number, so that no piece has to be taken from another.
//! Rooms, single polygons, open surfaces and points are polyhedra too. A cast that starts in overlap by more than the zone says so,
//! with a way out.
//!
//! The broad phase is not asked with the box of the whole motion, which on a long diagonal way is as large as the world, but with the
//! moving box itself, front to back, up to the first contact found so far; a rotation, with boxes around pieces of its arc. What is
//! near is then looked at along the motion: straight, by shadows across the way; turning, by distances from the axis and places
//! along it, which do not change. So what a cast costs depends on what it passes and not on the world.
//!
//! Every loop is over features: it ends.

mod answer;
mod around;
mod assemble;
mod bounds;
mod candidates;
mod contacts;
mod cover;
mod error;
mod escape;
mod finder;
mod first;
pub(in crate::ccd) mod flats;
mod frame;
mod given;
mod meeting;
mod mover;
mod overlap;
mod parts;
mod point;
mod polygons;
mod polyhedron;
mod posed;
mod rotation;
mod scratch;
mod shortcuts;
mod sides;
mod slide;
mod translation;
mod wave;

pub use answer::{Cast, CastHit, Feature, FeatureContact, TrajectoryOptions, WayOut};
pub use contacts::contacts;
pub use cover::Covered;
pub use error::CastError;
pub use mover::{MovedPolyhedron, move_body};
pub use point::{PointHit, cast_point};
pub use polyhedron::Polyhedron;
pub use rotation::{Rotation, cast_rotation};
pub use scratch::CastScratch;
pub use shortcuts::{CastCounts, Shortcuts};
pub(in crate::ccd) use slide::Planes;
pub use slide::{MOST_SLIDE_STEPS, Slide, SlideEnd, slide};
pub use translation::cast_translation;
