//! What the crate promises about robots, one file for each part of it, as one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod architecture;
mod bad_input;
mod configs;
mod edges;
mod kinematics;
mod oracle;
mod panda;
mod paths;
mod robots;
mod threads;
mod workcells;
