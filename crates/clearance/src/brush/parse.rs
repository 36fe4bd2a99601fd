//! Text to [`Map`]: entities of properties and brushes, brushes of faces, nothing deeper.

use glam::DVec3;

use super::error::{MOST_FACES, MapError};
use super::map::{Brush, BrushFace, Entity, Map};
use super::token::{Token, Tokens, shortened};
use crate::math::widen_real;
use crate::tolerance::LARGEST_SIZE;

/// Numbers that later games put after the texture's placement: contents, flags, value.
const MOST_EXTRAS: usize = 3;

impl Map {
    /// Reads the text of a map.
    ///
    /// # Errors
    /// The first thing that is not understood, with its line.
    ///
    /// ```
    /// let text = r#"
    /// // a cube of side 64
    /// {
    /// "classname" "worldspawn"
    /// {
    /// ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) stone 0 0 0 1 1
    /// ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) stone 0 0 0 1 1
    /// ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) stone 0 0 0 1 1
    /// ( 64 64 64 ) ( 64 65 64 ) ( 65 64 64 ) stone 0 0 0 1 1
    /// ( 64 64 64 ) ( 65 64 64 ) ( 64 64 65 ) stone 0 0 0 1 1
    /// ( 64 64 64 ) ( 64 64 65 ) ( 64 65 64 ) stone 0 0 0 1 1
    /// }
    /// }
    /// "#;
    /// let world = clearance::brush::Map::parse(text)?.world()?;
    /// assert_eq!(world.mesh.face_count(), 6);
    /// assert_eq!(world.mesh.mass().0, 64.0 * 64.0 * 64.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let mut reader = Reader { tokens: Tokens::new(text) };
        let mut map = Self::default();
        loop {
            match reader.tokens.next()? {
                Token::End => return Ok(map),
                Token::Word("{") => map.entities.push(reader.entity()?),
                found => return Err(reader.expected("`{` of an entity or the end of the text", found)),
            }
        }
    }
}

struct Reader<'t> {
    tokens: Tokens<'t>,
}

impl Reader<'_> {
    fn expected(&self, expected: &'static str, found: Token) -> MapError {
        MapError::Expected { line: self.tokens.line, expected, found: found.describe() }
    }

    /// After its brace.
    fn entity(&mut self) -> Result<Entity, MapError> {
        let mut entity = Entity::default();
        loop {
            match self.tokens.next()? {
                Token::Quoted(key) => match self.tokens.next()? {
                    Token::Quoted(value) => entity.properties.push((key.to_string(), value.to_string())),
                    found => return Err(self.expected("the quoted value of a property", found)),
                },
                Token::Word("{") => entity.brushes.push(self.brush()?),
                Token::Word("}") => return Ok(entity),
                found => return Err(self.expected("a quoted key, `{` of a brush or `}` of the entity", found)),
            }
        }
    }

    /// After its brace.
    fn brush(&mut self) -> Result<Brush, MapError> {
        let mut brush = Brush { faces: Vec::new(), line: self.tokens.line };
        loop {
            match self.tokens.next()? {
                Token::Word("(") if brush.faces.len() == MOST_FACES => {
                    return Err(MapError::TooManyFaces { line: self.tokens.line });
                }
                Token::Word("(") => brush.faces.push(self.face()?),
                Token::Word("}") => return Ok(brush),
                Token::Word(name) if is_other_block(name) => {
                    return Err(MapError::Unsupported { line: self.tokens.line, name: name.to_string() });
                }
                found => return Err(self.expected("`(` of a face or `}` of the brush", found)),
            }
        }
    }

    /// After its first parenthesis.
    fn face(&mut self) -> Result<BrushFace, MapError> {
        let first = self.point()?;
        self.mark("(", "`(` of the face's second point")?;
        let second = self.point()?;
        self.mark("(", "`(` of the face's third point")?;
        let third = self.point()?;
        let texture = match self.tokens.name()? {
            Token::Word(name) | Token::Quoted(name) => name.to_string(),
            Token::End => return Err(self.expected("the name of a texture", Token::End)),
        };
        self.placement()?;
        Ok(BrushFace { points: [first, second, third], texture })
    }

    /// Three numbers and the parenthesis after them.
    fn point(&mut self) -> Result<DVec3, MapError> {
        let mut point = [0.0; 3];
        for slot in &mut point {
            let number = self.number("a coordinate")?;
            if !(number.abs() <= widen_real(LARGEST_SIZE)) {
                return Err(MapError::Number { line: self.tokens.line, text: number.to_string() });
            }
            *slot = number;
        }
        self.mark(")", "`)` after three coordinates")?;
        Ok(DVec3::from_array(point))
    }

    /// How the texture lies on the face: checked, not kept.
    fn placement(&mut self) -> Result<(), MapError> {
        if self.tokens.peek()? == Token::Word("[") {
            for _ in 0..2 {
                self.mark("[", "`[` of a texture axis")?;
                for _ in 0..4 {
                    self.number("a number of a texture axis")?;
                }
                self.mark("]", "`]` after four numbers of a texture axis")?;
            }
        } else {
            for _ in 0..2 {
                self.number("a texture offset, or `[` of a texture axis")?;
            }
        }
        for expected in ["the texture's rotation", "the texture's first scale", "the texture's second scale"] {
            self.number(expected)?;
        }
        for _ in 0..MOST_EXTRAS {
            match self.tokens.peek()? {
                Token::Word(word) if word.parse::<f64>().is_ok() => self.tokens.next()?,
                _ => break,
            };
        }
        Ok(())
    }

    fn number(&mut self, expected: &'static str) -> Result<f64, MapError> {
        match self.tokens.next()? {
            Token::Word(word) => match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                Ok(_) => Err(MapError::Number { line: self.tokens.line, text: shortened(word) }),
                Err(_) => Err(self.expected(expected, Token::Word(word))),
            },
            found => Err(self.expected(expected, found)),
        }
    }

    fn mark(&mut self, mark: &str, expected: &'static str) -> Result<(), MapError> {
        match self.tokens.next()? {
            Token::Word(word) if word == mark => Ok(()),
            found => Err(self.expected(expected, found)),
        }
    }
}

/// Curved patches, and brushes whose planes are not given by points.
fn is_other_block(name: &str) -> bool {
    ["brushDef", "patchDef", "patchTerrainDef", "terrainDef", "meshDef"]
        .iter()
        .any(|known| name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known)))
        || ["mesh", "curve"].contains(&name)
}
