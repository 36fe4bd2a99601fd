//! The record of a certificate as a tree of values, and its text: JSON whose numbers are hexadecimal floats.

use std::fmt::{self, Display, Write};

use crate::math::{Real, narrow_real, rounded_down, rounded_up};

/// One value of a record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    /// A count or an index.
    Count(u64),
    /// A finite number, as a hexadecimal float in a string.
    Number(f64),
    /// A word of the format.
    Name(&'static str),
    List(Vec<Value>),
    /// Names with values, in the order in which they are written.
    Record(Vec<(String, Value)>),
}

/// More fields than any record of the format has.
#[cfg(feature = "serde")]
const MOST_FIELDS: usize = 16;

/// A claim about two bodies with its proof. `Display` and, with the feature `serde`, `Serialize` give its JSON.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Certificate(pub(crate) Value);

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Certificate {
    fn claimed(&self, claim: &str, field: &str) -> Option<f64> {
        self.0.field(claim)?.field(field)?.number()
    }

    /// Takes a claim back, if it is there.
    pub(super) fn withdraw(&mut self, claim: &str) -> bool {
        let Value::Record(fields) = &mut self.0 else { return false };
        let before = fields.len();
        fields.retain(|(name, _)| name != claim);
        fields.len() < before
    }

    /// The signed distance is proved to be not less.
    pub fn lower(&self) -> Option<Real> {
        self.claimed("lower", "value").map(rounded_down)
    }

    /// The signed distance is proved to be not more.
    pub fn upper(&self) -> Option<Real> {
        self.claimed("upper", "value").map(rounded_up)
    }

    /// The share of a motion that is proved to be free.
    pub fn free_until(&self) -> Option<Real> {
        self.claimed("free", "until").map(narrow_real)
    }
}

/// The words of the format that are values.
#[cfg(feature = "serde")]
const NAMES: [&str; 2] = ["a", "b"];

impl Value {
    pub fn record<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    pub fn numbers(of: impl IntoIterator<Item = f64>) -> Self {
        Self::List(of.into_iter().map(Self::Number).collect())
    }

    pub fn counts(of: impl IntoIterator<Item = u32>) -> Self {
        Self::List(of.into_iter().map(Self::from).collect())
    }

    pub fn list<T: Into<Self>>(of: impl IntoIterator<Item = T>) -> Self {
        Self::List(of.into_iter().map(Into::into).collect())
    }

    /// Adds a field to a record.
    pub fn with(mut self, name: &str, value: impl Into<Self>) -> Self {
        if let Self::Record(fields) = &mut self {
            fields.push((name.to_owned(), value.into()));
        }
        self
    }

    /// The field of a record.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(of, _)| of == name).map(|(_, value)| value)
    }

    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

impl From<u32> for Value {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<glam::DVec3> for Value {
    fn from(vector: glam::DVec3) -> Self {
        Self::numbers(vector.to_array())
    }
}

/// A finite number as C's `%a` writes it: `-0x1.8p+1` is −3.
pub(crate) fn hexadecimal(number: f64) -> String {
    let bits = number.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    if field == 0 && fraction == 0 {
        return format!("{sign}0x0p+0");
    }
    let (whole, power) = if field == 0 { (0, -1022) } else { (1, field as i64 - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{whole}{point}{digits}p{power:+}")
}

#[cfg(any(feature = "serde", test))]
/// The number that a hexadecimal float stands for, if a double holds it exactly.
pub(crate) fn from_hexadecimal(text: &str) -> Option<f64> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, power) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let plain = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if whole.is_empty() || whole.len() + part.len() > 16 || !plain(whole) || !plain(part) || power.len() > 6 {
        return None;
    }
    let magnitude = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
    let power = power.parse::<i64>().ok()? - 4 * part.len() as i64;
    let number = scaled(magnitude, power)?;
    Some(if negative { -number } else { number })
}

#[cfg(any(feature = "serde", test))]
/// `magnitude · 2^power`, if a double holds it exactly.
fn scaled(magnitude: u64, power: i64) -> Option<f64> {
    if magnitude == 0 {
        return Some(0.0);
    }
    let zeros = magnitude.trailing_zeros();
    let (odd, power) = (magnitude >> zeros, power + i64::from(zeros));
    let bits = i64::from(64 - odd.leading_zeros());
    let leading = power + bits - 1;
    if bits > 53 || leading > 1023 || power < -1074 {
        return None;
    }
    // Two steps, each exact: the first is a normal number, and the result has all the bits of the odd number.
    let half = power / 2;
    Some(odd as f64 * 2f64.powi(half as i32) * 2f64.powi((power - half) as i32))
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "\"{}\"", hexadecimal(*number)),
            Self::Name(name) => write!(f, "\"{name}\""),
            Self::List(values) => {
                f.write_char('[')?;
                for (place, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if place == 0 { "" } else { "," })?;
                }
                f.write_char(']')
            }
            // Names are letters and underscores: nothing to escape.
            Self::Record(fields) => {
                f.write_char('{')?;
                for (place, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", if place == 0 { "" } else { "," })?;
                }
                f.write_char('}')
            }
        }
    }
}

#[cfg(feature = "serde")]
mod text {
    use std::fmt;

    use serde::de::{Error, MapAccess, SeqAccess, Visitor};
    use serde::ser::{SerializeMap, SerializeSeq};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Value, from_hexadecimal, hexadecimal};

    impl Serialize for Value {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Self::Bool(value) => serializer.serialize_bool(*value),
                Self::Count(count) => serializer.serialize_u64(*count),
                Self::Number(number) => serializer.serialize_str(&hexadecimal(*number)),
                Self::Name(name) => serializer.serialize_str(name),
                Self::List(values) => {
                    let mut list = serializer.serialize_seq(Some(values.len()))?;
                    values.iter().try_for_each(|value| list.serialize_element(value))?;
                    list.end()
                }
                Self::Record(fields) => {
                    let mut map = serializer.serialize_map(Some(fields.len()))?;
                    fields.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                    map.end()
                }
            }
        }
    }

    struct Reader;

    impl<'de> Visitor<'de> for Reader {
        type Value = Value;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a boolean, an index, a hexadecimal float in a string, a list or a record")
        }

        fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
            Ok(Value::Bool(value))
        }

        fn visit_u64<E: Error>(self, count: u64) -> Result<Value, E> {
            Ok(Value::Count(count))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
            if let Some(name) = super::NAMES.into_iter().find(|name| *name == text) {
                return Ok(Value::Name(name));
            }
            let shown: String = text.chars().take(40).collect();
            let number = from_hexadecimal(text);
            number.map(Value::Number).ok_or_else(|| E::custom(format!("'{shown}' is no hexadecimal float")))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
            let mut values = Vec::new();
            while let Some(value) = list.next_element()? {
                values.push(value);
            }
            Ok(Value::List(values))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
            let mut fields: Vec<(String, Value)> = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, Value>()? {
                // No record of the format has that many; the search for names that occur twice stays short.
                if fields.len() == super::MOST_FIELDS {
                    return Err(A::Error::custom("too many fields"));
                }
                if fields.iter().any(|(other, _)| *other == name) {
                    return Err(A::Error::custom(format!("field '{name}' occurs twice")));
                }
                fields.push((name, value));
            }
            Ok(Value::Record(fields))
        }
    }

    impl<'de> Deserialize<'de> for Value {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Reader)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            f64::from_bits(seed)
        };
        let edges = [0.0, -0.0, 1.0, -3.0, 0.1, f64::MAX, f64::MIN_POSITIVE, 5e-324, -1.5e-310];
        for number in edges.into_iter().chain((0..100_000).map(|_| random()).filter(|x| x.is_finite())) {
            let text = hexadecimal(number);
            assert_eq!(from_hexadecimal(&text).map(f64::to_bits), Some(number.to_bits()), "{text}");
        }
        assert_eq!(hexadecimal(-3.0), "-0x1.8p+1");
        assert_eq!(from_hexadecimal("0x3p0"), Some(3.0));
        for bad in [
            "",
            "0x",
            "1",
            "0xp+0",
            "0x1",
            "0x1p",
            "0x1p+2000",
            "0x1.8p+1 ",
            "0x1.00000000000001p+0",
            "inf",
            "nan",
            "0x1p-1080",
        ] {
            assert_eq!(from_hexadecimal(bad), None, "{bad}");
        }
    }
}
