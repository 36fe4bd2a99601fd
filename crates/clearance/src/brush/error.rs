//! Why a map was not understood or a brush is no solid.

use thiserror::Error;

use crate::shape::mesh::MeshError;

/// The most faces that a brush may have: more than map compilers take.
pub const MOST_FACES: usize = 256;

/// Why the text of a map was refused, and in which line; or why its brushes make no world.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapError {
    /// Something else stands where the format wants one thing.
    #[error("line {line}: expected {expected}, found {found}")]
    Expected {
        /// In which line.
        line: u32,
        /// What should be there.
        expected: &'static str,
        /// What is there, shortened.
        found: String,
    },
    /// A coordinate that is no finite number of a size that can be computed with.
    #[error("line {line}: {text} is not a number of at most {limit:e} in magnitude", limit = crate::tolerance::LARGEST_SIZE)]
    Number {
        /// In which line.
        line: u32,
        /// What is there, shortened.
        text: String,
    },
    /// A quotation mark without its second one on the same line.
    #[error("line {line}: the quoted text does not end on its line")]
    OpenQuote {
        /// In which line.
        line: u32,
    },
    /// A block of a kind that is known and not read.
    #[error("line {line}: {name} blocks are not read, only brushes whose faces are three points each")]
    Unsupported {
        /// In which line.
        line: u32,
        /// What it is called.
        name: String,
    },
    /// A brush has too many faces.
    #[error("line {line}: the brush has more than {limit} faces", limit = MOST_FACES)]
    TooManyFaces {
        /// Where the first one too many is.
        line: u32,
    },
    /// A brush is no solid.
    #[error(transparent)]
    Brush(#[from] BrushError),
    /// No brush is left to make a world of.
    #[error("there are no brushes to make a world of")]
    NoBrushes,
    /// The pieces make no mesh.
    #[error("the world's mesh: {0}")]
    Mesh(#[from] MeshError),
}

/// What is wrong with a brush.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum BrushFault {
    /// Fewer than four faces bound nothing.
    #[error("it has {count} faces; a solid needs at least four")]
    TooFewFaces {
        /// How many there are.
        count: usize,
    },
    /// More faces than [`MOST_FACES`].
    #[error("it has {count} faces; at most {limit} are allowed", limit = MOST_FACES)]
    TooManyFaces {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is not finite or too large.
    #[error("a point of face {face} is not finite or beyond {limit:e}", limit = crate::tolerance::LARGEST_SIZE)]
    Coordinate {
        /// Which face.
        face: usize,
    },
    /// The three points of a face are on one line.
    #[error("the three points of face {face} are on one line")]
    NoPlane {
        /// Which face.
        face: usize,
    },
    /// The half-spaces have no volume in common, or too little of it for the precision.
    #[error("its faces enclose no volume")]
    NoVolume,
    /// The faces do not enclose it on all sides, or only farther away than 500 times their points' extent.
    #[error("its faces leave it open")]
    Unbounded,
    /// Faces meet at angles too small for the arithmetic.
    #[error("its faces are too nearly parallel to be told apart")]
    Indistinct,
}

/// A brush that is no solid, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("entity {entity}, brush {brush} (line {line}): {fault}")]
pub struct BrushError {
    /// Which entity.
    pub entity: usize,
    /// Which of its brushes.
    pub brush: usize,
    /// The line on which the brush starts; zero if it was not read.
    pub line: u32,
    /// What is wrong.
    pub fault: BrushFault,
}
