//! All brushes of a map as one solid.
//!
//! The pieces keep their own vertices: where they touch or overlap, the mesh has both surfaces. What is inside any of them is
//! inside, since the winding number is the number of pieces around a point.

use super::{Brush, BrushError, BrushPiece, Entity, Map, MapError};
use crate::ccd::polyhedra::Polyhedron;
use crate::math::Vec3;
use crate::shape::mesh::{Kind, Mesh, MeshOptions};

/// What to do with brushes that are no solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Faulty {
    /// Give up, with the first of them.
    #[default]
    Refuse,
    /// Leave them out and list them in [`WorldMesh::skipped`].
    Skip,
}

/// The brushes of a map as one mesh.
#[derive(Debug, Clone)]
pub struct WorldMesh {
    /// A solid of as many closed convex parts as there are pieces.
    pub mesh: Mesh,
    /// Where its parts come from.
    pub pieces: Vec<WorldPiece>,
    /// Brushes that were left out because they are no solids.
    pub skipped: Vec<BrushError>,
}

/// A part of the world's mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldPiece {
    /// The number of its entity.
    pub entity: usize,
    /// The number of its brush in the entity.
    pub brush: usize,
    /// The first of the mesh's vertices that belong to it; those up to the next piece's first do.
    pub first_vertex: u32,
    /// The number of polygons it came with.
    pub faces: u32,
}

impl WorldMesh {
    /// The world prepared for casts, with all that its pieces hide of each other left out.
    pub fn polyhedron(&self) -> Polyhedron {
        let mut world = Polyhedron::from(&self.mesh);
        world.hide_covered();
        world
    }

    /// The piece that a vertex of the mesh belongs to.
    pub fn piece_of_vertex(&self, vertex: u32) -> Option<&WorldPiece> {
        if vertex as usize >= self.mesh.vertices().len() {
            return None;
        }
        let after = self.pieces.partition_point(|piece| piece.first_vertex <= vertex);
        self.pieces.get(after.checked_sub(1)?)
    }
}

/// Whether map compilers make the entity's brushes part of the world that does not move: `worldspawn`, and the groups and details
/// of it that editors keep apart.
pub fn is_structural(entity: &Entity) -> bool {
    ["worldspawn", "func_group", "func_detail", "func_detail_wall"].contains(&entity.class())
}

/// Whether the names of a brush's textures let it block anything: liquids (`*` or `!` first), triggers, hints and skips do not.
pub fn is_blocking(brush: &Brush) -> bool {
    !brush.faces.iter().any(|face| {
        let name = face.texture.to_ascii_lowercase();
        name.starts_with(['*', '!']) || ["trigger", "hint", "skip", "hintskip", "origin"].contains(&name.as_str())
    })
}

impl Map {
    /// One solid of all brushes of the world that does not move ([`is_structural`]), whatever their textures.
    ///
    /// # Errors
    /// If a brush is no solid, or there are none.
    pub fn world(&self) -> Result<WorldMesh, MapError> {
        self.world_of(|entity, _| is_structural(entity), Faulty::Refuse)
    }

    /// One solid of the brushes that are wanted.
    ///
    /// # Errors
    /// If a brush is no solid and is not to be skipped, or none is left.
    ///
    /// ```no_run
    /// # fn doc(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    /// use clearance::brush::{Faulty, Map, is_blocking, is_structural};
    /// let map = Map::parse(text)?;
    /// let world = map.world_of(|entity, brush| is_structural(entity) && is_blocking(brush), Faulty::Skip)?;
    /// world.skipped.iter().for_each(|fault| println!("{fault}"));
    /// # Ok(()) }
    /// ```
    pub fn world_of(&self, keep: impl Fn(&Entity, &Brush) -> bool, faulty: Faulty) -> Result<WorldMesh, MapError> {
        let mut parts = Parts::default();
        for (index, entity) in self.entities.iter().enumerate() {
            for (number, brush) in entity.brushes.iter().enumerate().filter(|(_, brush)| keep(entity, brush)) {
                match brush.piece() {
                    Ok(piece) => parts.push(index, number, piece),
                    Err(fault) => {
                        let error = BrushError { entity: index, brush: number, line: brush.line, fault };
                        match faulty {
                            Faulty::Refuse => return Err(error.into()),
                            Faulty::Skip => parts.skipped.push(error),
                        }
                    }
                }
            }
        }
        parts.joined()
    }
}

#[derive(Default)]
struct Parts {
    vertices: Vec<Vec3>,
    faces: Vec<Vec<u32>>,
    pieces: Vec<WorldPiece>,
    skipped: Vec<BrushError>,
}

impl Parts {
    fn push(&mut self, entity: usize, brush: usize, piece: BrushPiece) {
        let first_vertex = self.vertices.len() as u32;
        self.pieces.push(WorldPiece { entity, brush, first_vertex, faces: piece.faces.len() as u32 });
        self.vertices.extend(piece.vertices);
        let moved = |corners: Vec<u32>| corners.into_iter().map(|v| v + first_vertex).collect();
        self.faces.extend(piece.faces.into_iter().map(moved));
    }

    fn joined(self) -> Result<WorldMesh, MapError> {
        if self.pieces.is_empty() {
            return Err(MapError::NoBrushes);
        }
        let options = MeshOptions { kind: Kind::Solid, ..MeshOptions::default() };
        let mesh = Mesh::with_options(&self.vertices, &self.faces, &options)?;
        Ok(WorldMesh { mesh, pieces: self.pieces, skipped: self.skipped })
    }
}
