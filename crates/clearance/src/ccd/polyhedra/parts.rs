//! Edges, corners and polygons of a polyhedron, with what casts ask of them.

use glam::DVec3;

use crate::shape::mesh::crossing;
use crate::tolerance::{LONGEST_MITRE, NARROW_WEDGE};

/// Stands for "no polygon on this side".
pub(super) const NONE: u32 = u32::MAX;

/// An edge with what lies beside it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub ends: [u32; 2],
    /// The polygon on the left going along it, and the one on the right or [`NONE`].
    pub polygons: [u32; 2],
    /// Unit vectors across the edge into the two polygons; zero where there is none.
    pub into: [DVec3; 2],
    /// Where the planes beside it meet when both are moved out by one, drawn back if that is far.
    pub outset: DVec3,
    /// Concave or flat: nothing meets it first.
    pub internal: bool,
    /// Concave or flat by its own two polygons: the surface goes on beyond it, whatever other pieces cover.
    pub seam: bool,
    /// How far (sine) a direction may be outside the polygons beside it and still be one that the edge is met along.
    pub wedge: f64,
}

impl Edge {
    /// Whether the mitre was drawn back: the polygons are almost back to back, and neither may be approached while the edge is.
    pub fn is_sharp(&self) -> bool {
        self.outset.length_squared() > 0.5 * LONGEST_MITRE * LONGEST_MITRE
    }

    /// Whether it is met from all sides: it is sharp, or which way the polygons beside it face is not known well.
    pub fn has_no_back(&self) -> bool {
        self.wedge > NARROW_WEDGE || self.is_sharp()
    }
}

/// A corner of a polygon and the edge that leaves it, with what casts ask of both: a polygon's corners lie side by side in memory,
/// its points and edges do not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub place: DVec3,
    pub point: u32,
    pub edge: u32,
    /// Which of the edge's two sides the polygon is: 0 goes along it, 1 against it.
    pub side: u8,
    /// All edges of the point are internal.
    pub blunt: bool,
    /// The edge is internal.
    pub internal: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub normal: DVec3,
    pub offset: f64,
    pub start: u32,
    pub end: u32,
    /// Has an edge that is not shared, or that is sharp: such an edge counts from all sides.
    pub has_rim: bool,
    /// What other pieces leave of it.
    pub sight: Sight,
}

/// What other pieces of a polyhedron leave of a polygon to be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Sight {
    #[default]
    Open,
    /// Some of its edges or points, but nothing of the polygon.
    Covered,
    /// Nothing at all.
    Buried,
}

/// Where a polyhedron is solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Nowhere: a surface.
    Nowhere,
    /// Where the surface winds around.
    Inside,
    /// Everywhere but in the rooms that it encloses, seen from within.
    Outside,
}

impl Fill {
    /// Whether there is solid where the surface winds around so often.
    pub fn holds(self, winding: i32) -> bool {
        match self {
            Self::Nowhere => false,
            Self::Inside => winding > 0,
            Self::Outside => winding >= 0,
        }
    }
}

/// How the ray upwards from a point crosses a polygon, as the sum of a fan of triangles: neighbours share edges, so that the surface
/// is watertight however its polygons are cut.
pub(super) fn fan_crossings(corners: &[Corner], points: &[DVec3], p: DVec3) -> Option<i32> {
    let at = |corner: &Corner| points[corner.point as usize];
    let Some((first, rest)) = corners.split_first() else { return Some(0) };
    rest.windows(2).map(|pair| crossing([at(first), at(&pair[0]), at(&pair[1])], p)).sum()
}
