//! A map as it is written: entities, brushes, faces.

use glam::DVec3;

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
