//! Reading a record strictly, with the way to each value for messages.

use std::fmt::Write;

use thiserror::Error;

use super::number::Num;
use super::vector::{Map, Matrix, Vector, is_zero};
use crate::exact::certificate::value::Value;

/// Why a certificate proves nothing: the value where its proof fails, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}{colon}{reason}", colon = if .at.is_empty() { "" } else { ": " })]
#[non_exhaustive]
pub struct Refused {
    /// The way to the value, as `lower.cut.of[1].n`; empty for the certificate as a whole.
    pub at: String,
    /// What is wrong with it.
    pub reason: String,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

/// A value of the record and the way to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    pub value: &'a Value,
    parent: Option<&'a Node<'a>>,
    step: Step<'a>,
}

pub(super) type Read<T> = Result<T, Refused>;

impl<'a> Node<'a> {
    pub fn root(value: &'a Value) -> Self {
        Self { value, parent: None, step: Step::Item(0) }
    }

    fn way(&self) -> String {
        let Some(parent) = self.parent else { return String::new() };
        let mut way = parent.way();
        let written = match self.step {
            Step::Field(name) if way.is_empty() => write!(way, "{name}"),
            Step::Field(name) => write!(way, ".{name}"),
            Step::Item(number) => write!(way, "[{number}]"),
        };
        debug_assert!(written.is_ok(), "strings take all text");
        way
    }

    /// The reason why the value is refused.
    pub fn refused(&self, reason: impl Into<String>) -> Refused {
        Refused { at: self.way(), reason: reason.into() }
    }

    pub fn fails<T>(&self, reason: impl Into<String>) -> Read<T> {
        Err(self.refused(reason))
    }

    /// A record with exactly the fields wanted and perhaps those that are optional.
    pub fn fields(&self, wanted: &[&str], optional: &[&str]) -> Read<()> {
        let Value::Record(fields) = self.value else { return self.fails("not an object") };
        for (place, (name, _)) in fields.iter().enumerate() {
            let name = name.as_str();
            if !wanted.contains(&name) && !optional.contains(&name) {
                return self.fails(format!("unknown field `{}`", name.chars().take(40).collect::<String>()));
            }
            // All names before are known and different: the list is short.
            if fields[..place].iter().any(|(other, _)| other == name) {
                return self.fails(format!("`{name}` is given twice"));
            }
        }
        match wanted.iter().find(|name| self.field(name).is_none()) {
            Some(name) => self.fails(format!("no field `{name}`")),
            None => Ok(()),
        }
    }

    pub fn field(&'a self, name: &'a str) -> Option<Node<'a>> {
        self.value.field(name).map(|value| Self { value, parent: Some(self), step: Step::Field(name) })
    }

    /// A field that must be there.
    pub fn get(&'a self, name: &'a str) -> Read<Node<'a>> {
        self.field(name).ok_or_else(|| self.refused(format!("no field `{name}`")))
    }

    /// The items of a list that is not empty.
    pub fn items(&'a self) -> Read<impl ExactSizeIterator<Item = Node<'a>>> {
        let Value::List(values) = self.value else { return self.fails("not a list") };
        if values.is_empty() {
            return self.fails("empty");
        }
        let node = |(number, value)| Self { value, parent: Some(self), step: Step::Item(number) };
        Ok(values.iter().enumerate().map(node))
    }

    /// The items of a list of so many.
    pub fn exactly<const N: usize>(&'a self) -> Read<[Node<'a>; N]> {
        let items: Vec<Self> = self.items()?.collect();
        let count = items.len();
        items.try_into().map_err(|_| self.refused(format!("a list of {count} instead of {N}")))
    }

    /// The one field of a record that says what it is.
    pub fn kind(&'a self) -> Read<Node<'a>> {
        match self.value {
            Value::Record(fields) if fields.len() == 1 => {
                let (name, value) = &fields[0];
                Ok(Self { value, parent: Some(self), step: Step::Field(name) })
            }
            _ => self.fails("not an object with the one field that names what it is"),
        }
    }

    pub fn name(&self) -> &'a str {
        if let Step::Field(name) = self.step { name } else { "" }
    }

    pub fn number(&self) -> Read<Num> {
        match self.value {
            Value::Number(number) if number.is_finite() => Ok(Num::from(*number)),
            _ => self.fails("not a hexadecimal float in a string"),
        }
    }

    /// A number that is not negative.
    pub fn size(&self) -> Read<Num> {
        let number = self.number()?;
        if number.sign() < 0 { self.fails("below 0") } else { Ok(number) }
    }

    pub fn count(&self, below: usize) -> Read<usize> {
        match self.value {
            Value::Count(count) => {
                let found = usize::try_from(*count).ok().filter(|count| *count < below);
                found.ok_or_else(|| self.refused(format!("{count} is not below {below}")))
            }
            _ => self.fails("not a count"),
        }
    }

    pub fn truth(&self) -> Read<bool> {
        if let Value::Bool(truth) = self.value { Ok(*truth) } else { self.fails("neither true nor false") }
    }

    /// Whether a body is meant: 0 for A, 1 for B.
    pub fn body(&self) -> Read<usize> {
        match self.value {
            Value::Name("a") => Ok(0),
            Value::Name("b") => Ok(1),
            _ => self.fails("neither \"a\" nor \"b\""),
        }
    }

    pub fn vector(&self) -> Read<Vector> {
        let [x, y, z] = self.exactly()?;
        Ok([x.number()?, y.number()?, z.number()?])
    }

    /// A vector that is not zero.
    pub fn direction(&self) -> Read<Vector> {
        let direction = self.vector()?;
        if is_zero(&direction) { self.fails("a direction of zero") } else { Ok(direction) }
    }

    /// The fields `matrix` and `translation`.
    pub fn map(&self) -> Read<Map> {
        let field = self.get("matrix")?;
        let entries: [Node<'_>; 9] = field.exactly()?;
        let row = |k: usize| Ok([entries[3 * k].number()?, entries[3 * k + 1].number()?, entries[3 * k + 2].number()?]);
        Ok(Map { matrix: Matrix([row(0)?, row(1)?, row(2)?]), translation: self.get("translation")?.vector()? })
    }
}
