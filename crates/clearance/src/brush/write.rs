//! [`Map`] to text: classic faces, numbers with as many digits as bring them back.

use std::fmt::{Display, Formatter, Result};

use super::{Brush, Entity, Map};

impl Display for Map {
    /// Text that [`Map::parse`] reads back to an equal map, but for the lines of the brushes, if neither
    /// properties nor names of textures contain a quotation mark or the end of a line.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.entities.iter().try_for_each(|entity| write_entity(entity, f))
    }
}

fn write_entity(entity: &Entity, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "{{")?;
    for (key, value) in &entity.properties {
        writeln!(f, "\"{key}\" \"{value}\"")?;
    }
    entity.brushes.iter().try_for_each(|brush| write_brush(brush, f))?;
    writeln!(f, "}}")
}

fn write_brush(brush: &Brush, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "{{")?;
    for face in &brush.faces {
        for p in face.points {
            write!(f, "( {} {} {} ) ", p.x, p.y, p.z)?;
        }
        let quote = if face.texture.is_empty() || face.texture.contains(char::is_whitespace) { "\"" } else { "" };
        writeln!(f, "{quote}{}{quote} 0 0 0 1 1", face.texture)?;
    }
    writeln!(f, "}}")
}
