//! A cursor over JSON text that knows its path, so that an error names the field: `a.half_extents[1]`.
//!
//! Values stay text until they are read. An `id` is therefore echoed digit by digit, a number is rounded once and
//! correctly, one that overflows is noticed where it stands, and nothing here recurses on the nesting of the text.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Code, QueryError};
use super::library::Real;
use super::locate::locate;
use super::suggest::{Short, did_you_mean, list, quoted};

/// Bits of a number.
pub(super) const BITS: usize = 8 * size_of::<Real>();

/// Where a value is in its line.
#[derive(Clone, Copy, Debug)]
pub enum Path<'p> {
    /// The line itself.
    Root,
    /// A member of an object.
    Field(&'p Path<'p>, &'p str),
    /// An element of a list.
    Index(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Path::Root, name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A JSON value, still text, and its path.
#[derive(Clone, Copy, Debug)]
pub struct Node<'p, 't> {
    text: &'t str,
    /// Where it is.
    pub path: Path<'p>,
}

impl<'t> Node<'_, 't> {
    fn kind(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.text == "null"
    }

    /// Whether it is a string.
    pub fn is_string(&self) -> bool {
        self.text.starts_with('"')
    }

    /// An error about this value.
    pub fn bad(&self, what: impl fmt::Display) -> QueryError {
        QueryError::new(Code::BadField, format!("{} {what}", self.path))
    }

    fn expect(&self, kind: &str) -> Result<(), QueryError> {
        if self.kind() == kind { Ok(()) } else { Err(self.bad(format!("must be {kind}, not {}", self.kind()))) }
    }

    /// The members of an object, none of them twice.
    pub fn object(&self) -> Result<Object<'_, 't>, QueryError> {
        self.expect("an object")?;
        let mut members = Vec::new();
        read_members(self.text, &mut members).map_err(|error| self.bad(format!("cannot be read: {error}")))?;
        Object::new(&self.path, members)
    }

    /// The elements of a list.
    pub fn elements(&self) -> Result<impl ExactSizeIterator<Item = Node<'_, 't>>, QueryError> {
        self.expect("a list")?;
        let texts: Vec<&'t RawValue> =
            serde_json::from_str(self.text).map_err(|error| self.bad(format!("cannot be read: {error}")))?;
        let node = |(index, raw): (usize, &'t RawValue)| Node { text: raw.get(), path: Path::Index(&self.path, index) };
        Ok(texts.into_iter().enumerate().map(node))
    }

    /// Exactly `N` numbers.
    pub fn numbers<const N: usize>(&self) -> Result<[Real; N], QueryError> {
        let elements = self.elements()?;
        if elements.len() != N {
            return Err(self.bad(format!("must have {N} numbers, not {}", elements.len())));
        }
        let mut numbers = [0.0; N];
        for (number, element) in numbers.iter_mut().zip(elements) {
            *number = element.number()?;
        }
        Ok(numbers)
    }

    /// A finite number.
    pub fn number(&self) -> Result<Real, QueryError> {
        self.expect("a number")?;
        // Read in the precision that is computed with: rounded once.
        match self.text.parse::<Real>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.bad(format!("is {}, beyond the range of {BITS}-bit floats", quoted(self.text)))),
        }
    }

    /// A non-negative whole number that fits 32 bits.
    pub fn index(&self) -> Result<u32, QueryError> {
        self.whole(0..=u32::MAX)
    }

    /// A whole number of a range.
    pub fn whole(&self, range: RangeInclusive<u32>) -> Result<u32, QueryError> {
        self.expect("a number")?;
        self.text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            self.bad(format!("must be a whole number from {first} to {last}, not {}", quoted(self.text)))
        })
    }

    /// A number that is not negative.
    pub fn length(&self) -> Result<Real, QueryError> {
        let number = self.number()?;
        if number < 0.0 { Err(self.bad(format!("is {}; it must not be negative", Short(number)))) } else { Ok(number) }
    }

    /// `true` or `false`.
    pub fn boolean(&self) -> Result<bool, QueryError> {
        self.expect("a boolean")?;
        Ok(self.text == "true")
    }

    /// A string.
    pub fn string(&self) -> Result<String, QueryError> {
        self.expect("a string")?;
        serde_json::from_str(self.text).map_err(|error| self.bad(format!("cannot be read: {error}")))
    }
}

/// The name and the text of a member.
pub type Member<'t> = (String, &'t RawValue);

/// The members of an object and its path.
#[derive(Debug)]
pub struct Object<'p, 't> {
    /// Where it is.
    pub path: &'p Path<'p>,
    members: Vec<Member<'t>>,
}

impl<'p, 't> Object<'p, 't> {
    /// An object from its members; one that is given twice would hide the other.
    pub fn new(path: &'p Path<'p>, members: Vec<Member<'t>>) -> Result<Self, QueryError> {
        let object = Self { path, members };
        let mut names: Vec<&str> = object.members.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(QueryError::new(Code::BadField, format!("{} is given twice", object.name(pair[0])))),
            None => Ok(object),
        }
    }

    fn name(&self, field: &str) -> String {
        let field = quoted(field);
        Path::Field(self.path, field.trim_matches('\'')).to_string()
    }

    /// The names of the members, in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// The member, if it is there.
    pub fn find<'s>(&'s self, name: &'s str) -> Option<Node<'s, 't>> {
        let member = self.members.iter().find(|(member, _)| member == name);
        member.map(|(_, raw)| Node { text: raw.get(), path: Path::Field(self.path, name) })
    }

    /// The member, which must be there.
    pub fn get<'s>(&'s self, name: &'s str) -> Result<Node<'s, 't>, QueryError> {
        self.find(name).ok_or_else(|| QueryError::new(Code::MissingField, format!("{} is missing", self.name(name))))
    }

    /// No members but these: a misspelt one that is passed over would change the answer in silence.
    pub fn only(&self, allowed: &[&str]) -> Result<(), QueryError> {
        let Some((unknown, _)) = self.members.iter().find(|(name, _)| !allowed.contains(&name.as_str())) else {
            return Ok(());
        };
        let hint = did_you_mean(unknown, allowed.iter().copied());
        let known = list(allowed.iter().copied());
        let message = format!("{} is no field here{hint}; known: {known}", self.name(unknown));
        Err(QueryError::new(Code::UnknownField, message))
    }
}

/// Reads the members of the object `text` is. On an error, those before it are in `members`.
pub fn read_members<'t>(text: &'t str, members: &mut Vec<Member<'t>>) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Members(members).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// The error of a line that is no JSON object, with the column and the field it is in.
pub fn malformed(line: &str, error: &serde_json::Error) -> QueryError {
    if error.is_data() {
        return QueryError::new(Code::MalformedJson, format!("a line must be one JSON object ({})", reason(error)));
    }
    // A caller may pass a text of several lines; only in the first is the column an offset.
    let offset = if error.line() == 1 { error.column().saturating_sub(1) } else { line.len() };
    let path = locate(line, offset);
    let place = if path.is_empty() { String::new() } else { format!(" in {path}") };
    let hint = if names_no_number(line, offset) { " (JSON has no NaN and no infinity)" } else { "" };
    let message = format!("column {}{place}: {}{hint}", error.column(), reason(error));
    QueryError::new(Code::MalformedJson, message)
}

/// What serde_json says, less its " at line 1 column 7": the line is the caller's to count.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Whether the text about `offset` is one of the words that some writers put where a number is not finite.
fn names_no_number(line: &str, offset: usize) -> bool {
    let from = offset.saturating_sub(1);
    let near: Vec<u8> = line.bytes().skip(from).take(5).map(|b| b.to_ascii_lowercase()).collect();
    near.windows(3).any(|word| word == b"nan" || word == b"inf")
}

struct Members<'m, 't>(&'m mut Vec<Member<'t>>);

impl<'de> DeserializeSeed<'de> for Members<'_, 'de> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_entry::<String, &'de RawValue>()? {
            self.0.push(member);
        }
        Ok(())
    }
}
