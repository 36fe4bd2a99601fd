//! scratch
#[cfg(single_precision)]
extern crate clearance_f32 as clearance;
#[path = "suite/architecture.rs"]
mod architecture;
#[path = "common/mod.rs"]
mod common;
#[path = "suite/hull_tree.rs"]
mod hull_tree;
#[path = "common/meshes.rs"]
mod meshes;
#[path = "suite/nearly_touching.rs"]
mod nearly_touching;
#[path = "suite/search_cost.rs"]
mod search_cost;
