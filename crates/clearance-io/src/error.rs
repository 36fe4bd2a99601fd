//! Why a file could not be read or written.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why a file was refused: the file, and what is wrong with which element of it.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct IoError {
    /// The file as it was named.
    pub file: String,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The operating system refuses to read or write it.
    #[error("{0}")]
    System(#[from] io::Error),
    /// The extension of its name is none that is known.
    #[error("'{extension}' is no known mesh format; known: stl, obj, ply, off, gltf, glb, 3mf, map")]
    UnknownFormat {
        /// The extension, without the dot.
        extension: String,
    },
    /// It has more of something than is read.
    #[error("{what}: {count} are more than the limit of {limit}")]
    TooMany {
        /// `bytes`, `vertices`, `triangles` …
        what: &'static str,
        /// How many there are, or would be.
        count: u64,
        /// How many are read.
        limit: u64,
    },
    /// It ends before all is there that it promises.
    #[error("truncated: {promised} {what} are promised, but there is room for {found}")]
    Truncated {
        /// `triangles`, `vertices`, `bytes` …
        what: &'static str,
        /// How many its header promises.
        promised: u64,
        /// How many can be there.
        found: u64,
    },
    /// A line of a text file is wrong.
    #[error("line {line}: {message}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// An element is wrong.
    #[error("{element}: {message}")]
    Element {
        /// Which element, such as `accessors[3]`.
        element: String,
        /// What is wrong with it.
        message: String,
    },
    /// It needs something that is not supported.
    #[error("{0}")]
    Unsupported(String),
}

impl Fault {
    /// The error of a file with this fault.
    pub fn of(self, file: &Path) -> IoError {
        IoError { file: file.display().to_string(), fault: self }
    }

    /// A fault of an element.
    pub(crate) fn element(element: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Element { element: element.into(), message: message.into() }
    }

    /// A fault of a line.
    pub(crate) fn line(line: usize, message: impl Into<String>) -> Self {
        Self::Line { line, message: message.into() }
    }
}

/// Refuses a count beyond its limit.
pub(crate) fn at_most(what: &'static str, count: u64, limit: u64) -> Result<(), Fault> {
    if count > limit { Err(Fault::TooMany { what, count, limit }) } else { Ok(()) }
}
