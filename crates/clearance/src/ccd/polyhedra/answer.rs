//! What to ask of a cast, and its answer.

use super::shortcuts::{CastCounts, Shortcuts};
use crate::answer::End;
use crate::math::{Pose, Real, Vec3};

/// A feature of a polyhedron, by its number: that of the mesh or polytope for a point. Polygons and edges have numbers of the
/// polyhedron's own, in the order in which they lie in memory; see [`Polyhedron::given_face`](super::Polyhedron::given_face) and
/// [`Polyhedron::edge_vertices`](super::Polyhedron::edge_vertices).
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

/// A translation that takes a body out of an overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayOut {
    /// By how much to move the body, in world space.
    pub translation: Vec3,
    /// Whether the body was found free there (not necessarily on the way). If none of those tried is free, as deep in the rock
    /// about a room, this is the shortest one.
    pub is_free: bool,
}
