//! What a cast leaves out (section 4), each part of it apart for study, and the counts of what was done and what was spared.

use super::parts::Sight;

/// The shortcuts of section 4. None changes whether something is met, nor where by more than the zone along the way; but a body that
/// starts flush with the world, within half the zone of it, may be held by what one of them leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcuts {
    /// Edges that are concave or flat are not tested with edges.
    pub internal_edges: bool,
    /// Points that only have such edges are not tested with polygons.
    pub internal_points: bool,
    /// Polygons that other pieces cover are not tested with points, if [`Polyhedron::hide_covered`](super::Polyhedron::hide_covered)
    /// has found them.
    pub covered_faces: bool,
    /// Polygons that face away from the motion are not tested with points.
    pub back_faces: bool,
    /// Edges between two such polygons are not tested with edges.
    pub back_edges: bool,
    /// Sidedness signs are computed once for an edge and a point. Rotations have none: there lines turn.
    pub shared_sides: bool,
}

impl Shortcuts {
    /// None of them.
    pub const NONE: Self = Self {
        internal_edges: false,
        internal_points: false,
        covered_faces: false,
        back_faces: false,
        back_edges: false,
        shared_sides: false,
    };
}

impl Shortcuts {
    /// Whether a polygon has nothing that would be tested.
    pub(super) fn leave_out(&self, sight: Sight) -> bool {
        sight == Sight::Buried && self.covered_faces && self.internal_edges && self.internal_points
    }

    /// Whether a polygon is not to be tested itself.
    pub(super) fn leave_out_face(&self, sight: Sight) -> bool {
        sight != Sight::Open && self.covered_faces
    }
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            internal_edges: true,
            internal_points: true,
            covered_faces: true,
            back_faces: true,
            back_edges: true,
            shared_sides: true,
        }
    }
}

/// What a cast looked at and what it was spared (section 4). Features are the world's and are counted once in a step of the motion;
/// a rotation of more than a quarter turn has several. How much a shortcut spares is best seen without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CastCounts {
    /// Polygons of the world whose boxes the body's box met before the first contact.
    pub candidates: u32,
    /// Of these, polygons that the body could reach, seen along the motion.
    pub reached: u32,
    /// Of all, polygons not tested since other pieces cover them.
    pub covered_faces: u32,
    /// Polygons not tested since they face away from the motion. Along a straight way their edges and points are left out with them,
    /// since those that can be met belong to other polygons too.
    pub back_faces: u32,
    /// Edges looked at and not tested since both polygons beside them face away.
    pub back_edges: u32,
    /// Edges of the reached polygons not tested since they are internal, counted from the first of their two polygons.
    pub internal_edges: u32,
    /// Points not tested since all their edges are internal.
    pub internal_points: u32,
    /// Points tested with polygons.
    pub point_face: u32,
    /// Edges tested with edges.
    pub edge_edge: u32,
    /// Sidedness signs computed.
    pub sides: u32,
    /// Sidedness signs known already.
    pub shared_sides: u32,
}
