//! Readers of robot descriptions: URDF and SRDF texts to plain data. No files are opened here.

mod parse;
mod srdf;
mod tree;
mod urdf;
mod xml;

pub use srdf::{Group, GroupState, Srdf};
pub use urdf::{Collision, Geometry, JointDescription, JointKind, LinkDescription, Mimic, Urdf};

pub(crate) use tree::{Tree, resolved_mimic};
