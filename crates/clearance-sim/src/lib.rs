//! Rigid bodies, joints and a character mover on top of [`clearance`]: the papers' dynamic tests, and a first simulator.

pub mod doom;
pub mod walk;
