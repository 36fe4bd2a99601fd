//! How a mesh is made, and what was repaired.

use crate::math::Real;

/// What a mesh is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Kind {
    /// A solid if it is closed, otherwise a surface.
    #[default]
    Auto,
    /// A solid; an open mesh is an error.
    Solid,
    /// A surface, even if it is closed: what it encloses is not part of it.
    Surface,
    /// A closed surface around free space, its faces seen from within: all that is outside of it is solid, and so are closed
    /// parts inside of it that face outwards. Points and casts know that solid; to queries at rest a room is its surface.
    Room,
}

impl Kind {
    pub(super) fn must_be_closed(self) -> bool {
        matches!(self, Self::Solid | Self::Room)
    }
}

/// How a mesh is made. By default nothing is repaired.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct MeshOptions {
    /// What it is to be.
    pub kind: Kind,
    /// Make vertices at the same place one, as triangle soups need.
    pub weld: bool,
    /// With `weld`: also make vertices within this distance of an earlier one that one, as scans need. No vertex moves by more than the
    /// distance; faces that collapse are errors unless `drop_degenerate` is set.
    pub weld_distance: Real,
    /// Leave out faces without area, or that pass a vertex twice.
    pub drop_degenerate: bool,
    /// Leave out vertices without a face.
    pub drop_unused: bool,
    /// Turn closed parts that are inside out.
    pub turn_outward: bool,
}

/// What was repaired, by the numbers of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repairs {
    /// Vertices that became another one at the same place, or within the weld distance: which, and which one.
    pub welded: Vec<[u32; 2]>,
    /// Faces that were left out.
    pub dropped_faces: Vec<u32>,
    /// Vertices that were left out.
    pub dropped_vertices: Vec<u32>,
    /// Faces that were turned over.
    pub turned_faces: Vec<u32>,
}
