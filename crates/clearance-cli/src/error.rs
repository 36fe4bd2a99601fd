//! Why a line could not be answered: a stable code and a message that names the field.

use std::fmt;

use thiserror::Error;

macro_rules! codes {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// The kind of an error. Its name is part of the interface and does not change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in answers.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// One line for people.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

codes! {
    MalformedJson "malformed-json" "the line is not one JSON object",
    NotUtf8 "not-utf8" "the line is not UTF-8 text",
    LineTooLong "line-too-long" "the line exceeds 64 MiB",
    MissingField "missing-field" "a field that the op or the shape needs is absent",
    BadField "bad-field" "a field has the wrong type, length or number, or is given twice",
    UnknownField "unknown-field" "a field that the op or the shape does not have",
    UnknownOp "unknown-op" "there is no such op",
    UnknownAlgorithm "unknown-algorithm" "the op has no such algorithm, depth or method",
    UnsupportedAlgorithm "unsupported-algorithm" "the algorithm, depth or method is not available in this version, or not for these shapes",
    UnknownShape "unknown-shape" "there is no such shape type",
    UnsupportedShape "unsupported-shape" "the shape type is not available in this version, or not for this op",
    UndefinedShape "undefined-shape" "no earlier line defined a shape of this name",
    BadShape "bad-shape" "the numbers do not make such a shape, or it is nested too deeply",
    BadPose "bad-pose" "a rotation is not of unit length, or a translation is out of range",
    BadDirection "bad-direction" "a direction is zero",
    OutOfRange "out-of-range" "the answer exceeds the range of 64-bit floats, or the coordinates their precision",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a line could not be answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{code}: {message}")]
pub struct QueryError {
    /// Its kind.
    pub code: Code,
    /// What is wrong, with which field or element.
    pub message: String,
}

impl QueryError {
    /// An error from its parts.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
