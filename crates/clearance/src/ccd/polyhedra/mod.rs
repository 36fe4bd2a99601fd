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

mod assemble;
mod candidates;
mod contacts;
mod cover;
mod error;
mod escape;
mod finder;
pub(in crate::ccd) mod flats;
mod given;
mod mover;
mod overlap;
mod point;
mod polygons;
mod polyhedron;
mod query;
mod rotation;
mod shortcuts;
mod sides;
mod slide;
mod translation;
mod wave;

use crate::math::{Pose, Real, Vec3};
use crate::narrow::End;

pub use contacts::contacts;
pub use cover::Covered;
pub use error::CastError;
pub use escape::WayOut;
pub use mover::{MovedPolyhedron, move_body};
pub use point::{PointHit, cast_point};
pub use polyhedron::Polyhedron;
pub use query::CastScratch;
pub use rotation::{Rotation, cast_rotation};
pub use shortcuts::{CastCounts, Shortcuts};
pub(in crate::ccd) use slide::Planes;
pub use slide::{MOST_SLIDE_STEPS, Slide, SlideEnd, slide};
pub use translation::cast_translation;

/// A feature of a polyhedron, by its number: that of the mesh or polytope for a point. Polygons and edges have numbers of the
/// polyhedron's own, in the order in which they lie in memory; see [`Polyhedron::given_face`] and [`Polyhedron::edge_vertices`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// A point.
    Vertex(u32),
    /// An edge.
    Edge(u32),
    /// A polygon.
    Face(u32),
}

/// What to ask of a cast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrajectoryOptions {
    /// The thickness of the expel zone; the least that the arithmetic needs is used if that is more.
    pub zone: Real,
    /// Draw the body in by half the zone, so that bodies drawn in full size touch where they stop.
    pub shrink: bool,
    /// Look whether the bodies overlap at the start.
    pub check_start: bool,
    /// What may be left out; all of it, if not said otherwise.
    pub shortcuts: Shortcuts,
}

impl Default for TrajectoryOptions {
    fn default() -> Self {
        Self { zone: 0.0, shrink: false, check_start: true, shortcuts: Shortcuts::default() }
    }
}

/// What stopped a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit {
    /// Where, in world space, on the body's side of the zone.
    pub point: Vec3,
    /// Unit vector from the world to the body.
    pub normal: Vec3,
    /// How far apart the features are along it where the body stopped.
    pub distance: Real,
    /// The features of the world and the body that met.
    pub features: [Feature; 2],
}

/// A point at which two polyhedra are near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureContact {
    /// In world space: the point of a pair of a point and a polygon, or on the world's edge.
    pub point: Vec3,
    /// Unit vector from the world to the body.
    pub normal: Vec3,
    /// How far apart they are along it; negative if they overlap by no more than the zone.
    pub distance: Real,
    /// The features of the world and of the body.
    pub features: [Feature; 2],
}

/// How far a body may go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cast {
    /// The share of the motion that is free; 1 if all of it is.
    pub fraction: Real,
    /// The true share is not less. The true share is that of the first place on the way, in exact arithmetic, at which the bodies as
    /// given share a point; 1 if they share none. Bodies that are less than a quarter of the zone apart at the start count as touching:
    /// for these it is the first place from which they would get deeper into each other than the zone.
    pub lower: Real,
    /// The true share is not more: by then the two features that met, or the bodies as a whole, are through each other by more than the
    /// error. It is 1 where that cannot be shown, as for a body that comes into the zone and passes.
    pub upper: Real,
    /// What is in the way; nothing if the motion is free.
    pub hit: Option<CastHit>,
    /// The body's pose at that fraction.
    pub pose: Pose,
    /// The bodies overlapped at the start by more than the zone: the fraction is 0, and this is a way out.
    pub overlap: Option<WayOut>,
    /// The bodies may be within a few zones of each other at the start; if not, they are certainly apart.
    pub near_start: bool,
    /// The thickness of the zone.
    pub zone: Real,
    /// How it ended.
    pub end: End,
    /// What it cost.
    pub counts: CastCounts,
}
