//! Brush maps: the text of Quake-family `.map` files, their brushes as convex polyhedra, and all of them as one world.
//!
//! A map is a list of entities; an entity has properties and brushes; a brush is the set of points behind all of its faces, and a
//! face is a plane given by three points that appear clockwise from outside. That is the clockwise of the map's right-handed axes
//! with z up: the outward normal is `(p0 − p1) × (p2 − p1)`. Read are faces with classic texture placement (`x y angle sx sy`) and
//! with that of Valve 220 (`[ax ay az x] [bx by bz y] angle sx sy`), with or without the three numbers that later games add.
//! Placement is checked and forgotten: it has no part in collisions. Patches and `brushDef` blocks are refused by name.
//!
//! - [`Map::parse`] reads text; `Display` writes it
//! - [`Brush::piece`] turns planes into a convex polyhedron with shared vertices
//! - [`Map::world`] makes one solid [`Mesh`](crate::Mesh) of the pieces, which may touch and overlap
//!
//! Coordinates are f64 in both builds; only the vertices of pieces are rounded to this build's precision.
//!
//! Reading takes one pass without recursion, memory in proportion to the text, and refuses brushes of more than [`MOST_FACES`] faces,
//! because a piece costs the square of that.

mod clip;
mod error;
mod map;
mod parse;
mod piece;
mod token;
mod world;
mod write;

pub use error::{BrushError, BrushFault, MOST_FACES, MapError};
pub use map::{Brush, BrushFace, Entity, Map};
pub use piece::BrushPiece;
pub use world::{Faulty, WorldMesh, WorldPiece, is_blocking, is_structural};
