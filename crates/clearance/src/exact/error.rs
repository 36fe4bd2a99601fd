//! Why a body has no exact answer.

use thiserror::Error;

/// Why a body cannot be asked exactly: its surface is not given by finitely many flat faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotExact {
    /// A surface is curved, or known by a support function only.
    #[error("{body}{part}: a curved surface has no exact answer; only shapes with flat faces have", part = of_part(*.part))]
    Curved {
        /// `'A'` or `'B'`.
        body: char,
        /// The number of the part in a compound.
        part: Option<u32>,
    },
    /// A shape has a rounding radius.
    #[error("{body}{part}: a rounding radius makes a curved surface, which has no exact answer", part = of_part(*.part))]
    Rounded {
        /// `'A'` or `'B'`.
        body: char,
        /// The number of the part in a compound.
        part: Option<u32>,
    },
    /// A body is padded.
    #[error("{body}: padding makes a curved surface, which has no exact answer")]
    Padded {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// A sum, hull or difference of shapes, whose faces are not known.
    #[error("{body}{part}: a sum, hull or difference of shapes has no faces that are known exactly", part = of_part(*.part))]
    Combined {
        /// `'A'` or `'B'`.
        body: char,
        /// The number of the part in a compound.
        part: Option<u32>,
    },
    /// A height field, a point cloud or a half-space.
    #[error("{body}: height fields, point clouds and half-spaces have no exact answer yet")]
    Field {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// The corners of a polygon are neither in one plane nor corners of a solid that can be built.
    #[error("{body}{part}: the corners of the polygon are not exactly in one plane", part = of_part(*.part))]
    NotFlat {
        /// `'A'` or `'B'`.
        body: char,
        /// The number of the part in a compound.
        part: Option<u32>,
    },
}

fn of_part(part: Option<u32>) -> String {
    part.map_or_else(String::new, |part| format!(", part {part}"))
}
