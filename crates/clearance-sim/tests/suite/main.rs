//! The promises of the simulator, one file each, as one program: compiled and linked once.

#[cfg(single_precision)]
extern crate clearance_sim_f32 as clearance_sim;

mod architecture;
mod bad_input;
mod conservation;
mod doom_scenes;
mod joints;
mod nothing_falls_through;
mod removal;
mod rest;
mod scenes;
mod sleeping;
mod thesis;
mod threads;
mod walk_bodies;
mod walk_ground;
mod walk_kinds;
mod walk_random;
mod walk_scene;
