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
//!
//! | I want to … | call |
//! | --- | --- |
//! | add a body that falls, a floor, a lift | [`Simulation::add`] with [`RigidBody::dynamic`], [`RigidBody::fixed`], [`RigidBody::kinematic`] |
//! | take a body away | [`Simulation::remove`] |
//! | join two bodies | [`Simulation::add_joint`] with [`Joint::ball`], [`Joint::hinge`], [`Joint::fixed`] |
//! | simulate a step | [`Simulation::step`] |
//! | know where a body is and how it moves | [`Simulation::pose`], [`Simulation::velocity`] |
//! | know what touches, and how hard | [`Simulation::contacts`] |
//! | cast rays and bodies, or find what is near | [`Simulation::world`] |
//! | choose the solver, the step and gravity | [`SimulationOptions`], [`SoftStep`], [`Thesis`] |
//! | see how it fares | [`scenes`] |
//!
//! The default solver takes contacts as soft constraints in sub-steps; the thesis's is there to reproduce its tables. Units are up to the
//! user; the defaults suit metres, kilograms and seconds. A step is the same bits for any number of threads.
//!
//! Features: `parallel` (threads), `study` (the papers' narrow phases by name, for [`Thesis`]). The crate `clearance-sim-f32` is the same in
//! single precision.

mod body;
mod contact;
mod core;
pub mod doom;
mod error;
mod island;
mod joint;
mod options;
mod remove;
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
