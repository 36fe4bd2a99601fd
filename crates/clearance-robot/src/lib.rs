//! Robots for `clearance`: URDF and SRDF, kinematics, and collision checks of configurations and edges. Double precision.
//!
//! An edge that is said to be free *is* free, at every configuration of it: that is proved by planes between the bodies and by bounds on how
//! they move, never by samples. Distances have bounds, and every answer about a batch is the same for any number of threads.
//!
//! | I want to … | call |
//! | --- | --- |
//! | read a robot | [`Robot::load`], [`Robot::parse`] |
//! | use some of its joints only | [`Robot::with_group`], [`Robot::with_locked`] |
//! | know where its links are | [`Robot::link_poses`] |
//! | put it among other bodies, give it something to hold | [`Workcell::new`], [`Workcell::add`], [`Workcell::attach`] |
//! | allow two links or bodies to touch | [`Workcell::allow`] |
//! | know which configurations are free, how near, and which way is out | [`Workcell::check_configs`] |
//! | know which straight edges in joint space are free, with proof | [`Workcell::check_edges`] |
//! | know the least clearance along a path, and where it is | [`Workcell::clearance_along`] |
//! | get free configurations | [`Workcell::sample_free`], [`Workcell::nearest_free`] |
//!
//! ```
//! use clearance::{Pose, Shape};
//! use clearance_robot::{
//!     ConfigOptions, Distance, EdgeOptions, EdgeVerdict, PathOptions, Robot, RobotOptions, Verdict, Workcell,
//! };
//! let arm = r#"<robot name="arm">
//!   <link name="base"/>
//!   <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
//!   <link name="fore"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
//!   <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
//!     <limit lower="-3" upper="3"/></joint>
//!   <joint name="elbow" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 0 1"/>
//!     <limit lower="-2.8" upper="2.8"/></joint>
//! </robot>"#;
//! let robot = Robot::parse(arm, "", &RobotOptions::default())?;
//! let mut cell = Workcell::new(&robot);
//! cell.add("post", Shape::cylinder(1.0, 0.1)?, &Pose::from_translation([1.2, 0.9, 0.0])?)?;
//!
//! // Two configurations: stretched out, and with the post in the way.
//! let q = [0.0, 0.0, 0.65, 0.0];
//! let options = ConfigOptions { distance: Distance::Signed, gradient: true, ..ConfigOptions::default() };
//! let found = cell.check_configs(&q, &options)?;
//! assert_eq!(found.answers[0].verdict, Verdict::Free);
//! assert_eq!(found.answers[1].verdict, Verdict::Colliding);
//! assert_eq!(found.answers[1].pair.map(|[a, b]| [cell.name(a), cell.name(b)]), Some(["fore", "post"]));
//! assert!(found.answers[0].near.is_some_and(|near| near.lower > 0.5));
//!
//! // From the one towards the other: free up to a share that is proved.
//! let edge = cell.check_edges(&q[..2], &q[2..], &EdgeOptions::default())?[0];
//! assert_eq!(edge.verdict, EdgeVerdict::Colliding);
//! assert!(edge.free_from_start > 0.7);
//!
//! // With the elbow bent it passes the post; so near, at that time of the path.
//! let around = [0.0, -2.0, 1.2, -2.0];
//! assert_eq!(cell.check_edges(&around[..2], &around[2..], &EdgeOptions::default())?[0].verdict, EdgeVerdict::Free);
//! let least = cell.clearance_along(&around, &PathOptions::default())?;
//! assert!(least.lower > 0.0 && least.upper - least.lower < 1e-3 && (0.0..=1.0).contains(&least.time));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Configurations** are slices of `n · dof` values; [`Robot::joints`] says which value is which. Revolute and continuous joints have one
//! angle in radians, prismatic ones a length, planar ones two lengths and an angle, floating ones a translation and a unit quaternion
//! x, y, z, w. Limits are not enforced by checks; [`Robot::is_within_limits`] asks about them.
//!
//! **Bodies.** Each collision element of a link is a body. Meshes are used as they are, as convex parts, or as their hulls ([`MeshUse`]); hulls are fastest and
//! larger. Surroundings are bodies of any kind the library has: shapes, meshes, compounds, height fields, point clouds, half-spaces.
//!
//! **Rounding.** Links are where the exact kinematics of the values put them, but for rounding, which is bounded: bodies that are apart by
//! no more than that count as colliding, bounds of distances include it, and an edge with such a place is undecided.

#![deny(missing_docs)]

mod answer;
mod assemble;
mod batch;
mod chain;
mod configs;
mod edges;
mod error;
mod gaps;
mod gradient;
mod inside;
mod link_body;
mod mesh_files;
mod nearest;
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

pub use answer::{ConfigAnswer, ConfigBatch, ConfigOptions, Distance, Near, Verdict};
pub use edges::{EdgeAnswer, EdgeOptions, EdgeVerdict};
pub use error::{BatchError, RobotError, RobotFault, WorkcellError};
pub use path::{PathClearance, PathOptions};
pub use read::{
    Collision, Geometry, Group, GroupState, JointDescription, JointKind, LinkDescription, Mimic, Srdf, Urdf,
};
pub use robot::{Joint, MeshLoader, MeshUse, Robot, RobotOptions};
pub use workcell::Workcell;
