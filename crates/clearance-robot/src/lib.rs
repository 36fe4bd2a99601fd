//! Robots for `clearance`.

mod assemble;
mod batch;
mod chain;
mod error;
mod link_body;
mod mesh_files;
mod read;
mod robot;
mod tolerance;

pub use error::{BatchError, RobotError, RobotFault, WorkcellError};
pub use read::{Collision, Geometry, Group, GroupState, JointDescription, JointKind, LinkDescription, Mimic, Srdf, Urdf};
pub use robot::{Joint, MeshLoader, MeshUse, Robot, RobotOptions};
