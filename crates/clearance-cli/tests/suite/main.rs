//! What the program answers, one file for each part of it, as one program.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/fuzz/files.rs"]
mod files;
#[path = "../../examples/fuzz/grammar.rs"]
mod grammar;
#[path = "../../examples/scenes/make/mod.rs"]
mod make;
#[path = "../../examples/scenes/plant.rs"]
mod plant;
#[path = "../../examples/fuzz/targets.rs"]
mod targets;

mod algorithms;
mod assemblies;
mod casts;
mod errors;
mod feature_ccd;
mod fuzz_smoke;
mod impact;
mod manifold;
mod meshes;
mod mutation;
mod new_ops;
mod ops;
mod pairs;
mod piston;
mod range;
mod scenes;
mod simulate;
mod trajectory;
