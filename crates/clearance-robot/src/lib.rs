//! Robots for `clearance`.

mod assemble;
mod batch;
mod chain;
mod configs;
mod edges;
mod error;
mod gaps;
mod gradient;
mod link_body;
mod mesh_files;
mod pair;
mod path;
mod read;
mod robot;
mod sample;
mod seeds;
mod solid;
mod support_table;
mod tolerance;
mod workcell;

pub use configs::{ConfigAnswer, ConfigBatch, ConfigOptions, Distance, Near, Verdict};
pub use edges::{EdgeAnswer, EdgeOptions, EdgeVerdict};
pub use error::{BatchError, RobotError, RobotFault, WorkcellError};
pub use path::{PathClearance, PathOptions};
pub use read::{
    Collision, Geometry, Group, GroupState, JointDescription, JointKind, LinkDescription, Mimic, Srdf, Urdf,
};
pub use robot::{Joint, MeshLoader, MeshUse, Robot, RobotOptions};
pub use workcell::Workcell;
