//! Rigid bodies, joints and a character mover on top of [`clearance`]: the papers' dynamic tests, and a first simulator.
//!
//! ```
//! use clearance::{HalfSpace, Pose, Shape, Vec3};
//! use clearance_sim::{RigidBody, Simulation, SimulationOptions};
//! let mut simulation = Simulation::new(SimulationOptions::default())?; // gravity along −z, 60 steps a second
//! simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?; // the floor
//! let cube = Shape::cuboid([0.5, 0.5, 0.5])?;
//! let cube = simulation.add(RigidBody::dynamic(cube, Pose::from_translation([0.0, 0.0, 2.0])?))?;
//! for _ in 0..180 {
//!     simulation.step()?;
//! }
//! assert!(simulation.is_asleep(cube)? && (simulation.pose(cube)?.translation().z - 0.5).abs() < 0.005);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod contact;
mod core;
pub mod doom;
mod error;
mod island;
mod joint;
mod options;
mod report;
pub mod scenes;
mod simulation;
mod soft;
mod step;
mod sweep;
mod thesis;
mod tolerance;
pub mod walk;

pub use body::{BodyHandle, BodyKind, RigidBody, Velocity, Weight};
pub use error::SimError;
pub use joint::{Cone, Joint, JointHandle, JointKind};
pub use options::{Narrow, SimulationOptions, SoftStep, Solver, Thesis};
pub use report::{BodyContact, Energy, Phases, StepReport};
pub use simulation::Simulation;
