//! PLY, text and binary of both byte orders: `vertex` with x, y, z and `face` with a list of vertex numbers; all else is passed over.

use clearance::Vec3;

use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Surface};
use crate::text::{Words, short};
use crate::triangulate::{MOST_CORNERS, add_polygon};

/// Elements and properties that a header may have.
const MOST_DECLARED: usize = 256;

/// How numbers are written.
#[derive(Clone, Copy, PartialEq)]
enum Coding {
    Text,
    Little,
    Big,
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

struct Property {
    name: String,
    /// What the length of a list is written as; none for a single number.
    list: Option<Number>,
    number: Number,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let (coding, elements, start) = header(bytes)?;
    let body = &bytes[start..];
    let mut source = if coding == Coding::Text {
        Source::Text(Words::new(super::text(body)?, false))
    } else {
        Source::Bytes { rest: body, coding }
    };
    let mut surface = Surface::default();
    for element in &elements {
        // Each takes a byte at least, and an element without properties none.
        if element.count > body.len() as u64 && !element.properties.is_empty() {
            let found = body.len() as u64;
            return Err(Fault::Truncated { what: "elements", promised: element.count, found });
        }
        match element.name.as_str() {
            "vertex" => vertices(element, &mut source, limits, &mut surface)?,
            "face" => faces(element, &mut source, limits, &mut surface)?,
            _ => pass_over(element, &mut source)?,
        }
    }
    Ok(Model::of_surfaces(Format::Ply, vec![surface]))
}

fn vertices(element: &Element, source: &mut Source<'_>, limits: &Limits, surface: &mut Surface) -> Result<(), Fault> {
    at_most("vertices", element.count, limits.vertices)?;
    let place = |name| element.properties.iter().position(|property| property.name == name && property.list.is_none());
    let [Some(x), Some(y), Some(z)] = [place("x"), place("y"), place("z")] else {
        return Err(Fault::element("element vertex", "has no properties x, y and z"));
    };
    let mut values = Vec::new();
    for index in 0..element.count {
        values.clear();
        for property in &element.properties {
            values.push(source.value(property, index, &element.name)?);
        }
        let vertex = Vec3::new(values[x], values[y], values[z]);
        if !vertex.is_finite() {
            return Err(Fault::element(format!("vertex[{index}]"), "a coordinate is not finite"));
        }
        surface.vertices.push(vertex);
    }
    Ok(())
}

fn faces(element: &Element, source: &mut Source<'_>, limits: &Limits, surface: &mut Surface) -> Result<(), Fault> {
    let is_corners = |p: &Property| p.list.is_some() && ["vertex_indices", "vertex_index"].contains(&p.name.as_str());
    if !element.properties.iter().any(is_corners) {
        return Err(Fault::element("element face", "has no list vertex_indices"));
    }
    let mut corners = Vec::new();
    for index in 0..element.count {
        for property in &element.properties {
            if is_corners(property) {
                let count = surface.vertices.len();
                source.list(property, index, |value| {
                    let is_vertex = value >= 0.0 && value < count as f64 && value.fract() == 0.0;
                    let refers = || format!("refers to vertex {value}, but {count} vertices stand before it");
                    corners.push(if is_vertex { value as u32 } else { return Err(refers()) });
                    Ok(())
                })?;
            } else {
                source.value(property, index, &element.name)?;
            }
        }
        if !(3..=MOST_CORNERS).contains(&corners.len()) {
            let message = format!("has {} corners; it must have 3 to {MOST_CORNERS}", corners.len());
            return Err(Fault::element(format!("face[{index}]"), message));
        }
        add_polygon(&surface.vertices, &corners, &mut surface.triangles);
        at_most("triangles", surface.triangles.len() as u64, limits.triangles)?;
        corners.clear();
    }
    Ok(())
}

fn pass_over(element: &Element, source: &mut Source<'_>) -> Result<(), Fault> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for index in 0..element.count {
        for property in &element.properties {
            source.value(property, index, &element.name)?;
        }
    }
    Ok(())
}

/// The coding, the elements, and where the body begins.
fn header(bytes: &[u8]) -> Result<(Coding, Vec<Element>, usize), Fault> {
    let (mut coding, mut elements, mut at, mut line) = (None, Vec::<Element>::new(), 0, 0);
    loop {
        line += 1;
        let Some(length) = bytes[at..].iter().position(|b| *b == b'\n') else {
            return Err(Fault::line(line, "the file ends before 'end_header'"));
        };
        let content =
            std::str::from_utf8(&bytes[at..at + length]).map_err(|_| Fault::line(line, "is not UTF-8 text"))?;
        at += length + 1;
        let words: Vec<&str> = content.split_ascii_whitespace().take(8).collect();
        let refused = || Fault::line(line, format!("'{}' is no line of a PLY header", short(content.trim())));
        match words[..] {
            ["ply"] if line == 1 => {}
            _ if line == 1 => return Err(Fault::line(1, "does not begin with 'ply'")),
            ["format", name, _] => coding = Some(coding_of(name).ok_or_else(refused)?),
            ["comment" | "obj_info", ..] | [] => {}
            ["element", name, count] => {
                let count = count.parse().map_err(|_| refused())?;
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", ..] => {
                let property = property_of(&words).ok_or_else(refused)?;
                elements.last_mut().ok_or_else(refused)?.properties.push(property);
            }
            ["end_header"] => break,
            _ => return Err(refused()),
        }
        let declared = elements.len() + elements.last().map_or(0, |element| element.properties.len());
        at_most("elements and properties", declared as u64, MOST_DECLARED as u64)?;
    }
    let coding = coding.ok_or_else(|| Fault::line(line, "the header has no 'format'"))?;
    Ok((coding, elements, at))
}

fn coding_of(name: &str) -> Option<Coding> {
    Some(match name {
        "ascii" => Coding::Text,
        "binary_little_endian" => Coding::Little,
        "binary_big_endian" => Coding::Big,
        _ => return None,
    })
}

fn property_of(words: &[&str]) -> Option<Property> {
    Some(match words {
        [_, "list", count, number, name] => {
            Property { name: (*name).to_owned(), list: Some(Number::of(count)?), number: Number::of(number)? }
        }
        [_, number, name] => Property { name: (*name).to_owned(), list: None, number: Number::of(number)? },
        _ => return None,
    })
}

/// The body, in letters or bytes.
enum Source<'b> {
    Text(Words<'b>),
    Bytes { rest: &'b [u8], coding: Coding },
}

impl Source<'_> {
    fn number(&mut self, number: Number, index: u64, element: &str) -> Result<f64, Fault> {
        match self {
            Self::Text(words) => words.number("a value"),
            Self::Bytes { rest, coding } => {
                let size = number.bytes();
                let Some((bytes, after)) = rest.split_at_checked(size) else {
                    return Err(Fault::element(format!("{element}[{index}]"), "the file ends here"));
                };
                *rest = after;
                Ok(decoded(bytes, number, *coding))
            }
        }
    }

    /// A single number; of a list nothing is kept.
    fn value(&mut self, property: &Property, index: u64, element: &str) -> Result<f64, Fault> {
        if property.list.is_none() {
            return self.number(property.number, index, element);
        }
        self.list(property, index, |_| Ok(()))?;
        Ok(f64::NAN)
    }

    fn list(
        &mut self,
        property: &Property,
        index: u64,
        mut take: impl FnMut(f64) -> Result<(), String>,
    ) -> Result<(), Fault> {
        let element = &property.name;
        let count = self.number(property.list.unwrap_or(Number::U8), index, element)?;
        if !(count >= 0.0 && count.fract() == 0.0) {
            return Err(Fault::element(format!("{element}[{index}]"), format!("a list of {count} numbers")));
        }
        // A list longer than what is left of the file ends with it.
        let mut left = count;
        while left >= 1.0 {
            let value = self.number(property.number, index, element)?;
            take(value).map_err(|message| Fault::element(format!("face[{index}]"), message))?;
            left -= 1.0;
        }
        Ok(())
    }
}

fn decoded(bytes: &[u8], number: Number, coding: Coding) -> f64 {
    let mut ordered = [0; 8];
    let ordered = &mut ordered[..bytes.len()];
    ordered.copy_from_slice(bytes);
    if coding == Coding::Big {
        ordered.reverse();
    }
    let mut wide = [0; 8];
    wide[..ordered.len()].copy_from_slice(ordered);
    let bits = u64::from_le_bytes(wide);
    match number {
        Number::I8 => f64::from(bits as i8),
        Number::U8 => f64::from(bits as u8),
        Number::I16 => f64::from(bits as i16),
        Number::U16 => f64::from(bits as u16),
        Number::I32 => f64::from(bits as i32),
        Number::U32 => f64::from(bits as u32),
        Number::F32 => f64::from(f32::from_bits(bits as u32)),
        Number::F64 => f64::from_bits(bits),
    }
}
