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
mod parse;
mod piece;
mod token;
mod world;
mod write;

use glam::DVec3;

pub use error::{BrushError, BrushFault, MapError, WorldError};
pub use piece::Piece;
pub use world::{Faulty, WorldMesh, WorldPiece, is_blocking, is_structural};

/// The most faces that a brush may have: more than map compilers take.
pub const MOST_FACES: usize = 256;

/// A map as it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    /// The entities; the first is the world itself in most maps.
    pub entities: Vec<Entity>,
}

/// Something in a map: properties, and brushes if it has a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entity {
    /// Keys and values, in order.
    pub properties: Vec<(String, String)>,
    /// Its brushes.
    pub brushes: Vec<Brush>,
}

/// A convex solid: the points behind all faces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Brush {
    /// The planes.
    pub faces: Vec<BrushFace>,
    /// The line on which it was read; zero if it was not.
    pub line: u32,
}

/// A plane of a brush.
#[derive(Debug, Clone, PartialEq)]
pub struct BrushFace {
    /// Three points of the plane, clockwise seen from outside.
    pub points: [DVec3; 3],
    /// The name of its texture, which also says what the brush is for: clip, trigger, water.
    pub texture: String,
}

impl Entity {
    /// The value of the first property with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The value of `classname`; empty if there is none.
    pub fn class(&self) -> &str {
        self.get("classname").unwrap_or_default()
    }

    /// The value of `origin`, if it is three finite numbers.
    pub fn origin(&self) -> Option<DVec3> {
        let mut numbers = self.get("origin")?.split_whitespace().map(|word| word.parse::<f64>().ok());
        let point = DVec3::new(numbers.next()??, numbers.next()??, numbers.next()??);
        (numbers.next().is_none() && point.is_finite()).then_some(point)
    }
}

impl Map {
    /// Where entities of this class are.
    pub fn origins<'m>(&'m self, class: &'m str) -> impl Iterator<Item = DVec3> + 'm {
        self.entities.iter().filter(move |entity| entity.class() == class).filter_map(Entity::origin)
    }
}
