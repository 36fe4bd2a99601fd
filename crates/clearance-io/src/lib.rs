//! Files for `clearance`: meshes in, scenes in, reports of clashes out. Double precision only.
//!
//! | I want to … | call |
//! | --- | --- |
//! | read a mesh file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF, brush maps) | [`read()`] |
//! | know what is wrong with a mesh | [`describe()`] |
//! | write a mesh file (STL, OBJ, GLB) | [`write()`] |
//! | load a scene: parts, motions, rules | [`scene::load`] |
//! | find every clash of an assembly, at rest and moving | [`check::check`] |
//! | write findings as JSON, CSV, BCF, GLB or an HTML page | [`report`] |
//!
//! Sizes that a file states are compared with the bytes that are there and with [`Limits`] before memory is taken. Bad input is an
//! error that names the file and the line or element.

#![deny(missing_docs)]

pub mod check;
mod describe;
mod error;
mod limits;
mod model;
pub mod read;
pub mod report;
pub mod scene;
mod text;
mod tolerance;
mod triangulate;
pub mod write;

pub use describe::{Diagnosis, MeshDefect, Repair, Repaired, describe, repaired};
pub use error::{Fault, IoError};
pub use limits::Limits;
pub use model::{Format, Model, Placed, Surface, Unit, Up};
pub use read::{parse, read};
pub use write::write;
