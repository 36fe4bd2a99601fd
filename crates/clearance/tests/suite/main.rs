//! The promises of the library, one file each, as one program: compiled and linked once.

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

#[path = "../common/cells.rs"]
mod cells;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/exact_rays.rs"]
mod exact_rays;
#[path = "../common/meshes.rs"]
mod meshes;
#[path = "../world_twin/mod.rs"]
mod world_twin;

mod adjacency;
mod agreement;
mod architecture;
mod axial_bsp;
mod batch;
mod body_impact;
mod body_manifold;
mod broad_phase;
mod brush_building;
mod brush_cover;
mod brush_maps;
mod brush_pieces;
mod bvh;
mod cast_any;
mod cast_bodies;
mod cast_cases;
mod cast_polyhedra;
mod cast_regressions;
mod cast_shortcuts;
mod cast_starts;
mod certificates;
mod checker;
mod circles;
mod close_calls;
mod closed_forms;
mod closest_features;
mod constructors;
mod contact_range;
mod contact_range_shapes;
mod convex_mesh;
mod curved;
mod custom_motion;
mod decompose;
mod degenerate_pairs;
mod determinism;
mod edge_contacts;
mod exact;
mod exact_fit;
mod feature_ccd;
mod fields;
mod fields_cache;
mod from_faces;
mod honest;
mod hull;
mod hull_input;
mod hull_tree;
mod inertia;
mod intersection;
mod linear_program;
mod manifold;
mod manifold_invariants;
mod manifold_regions;
mod manifold_slender;
mod manifold_stable;
mod mesh_build;
mod mesh_coincident;
mod mesh_degenerate;
mod mesh_query;
mod named_algorithms;
mod nearly_touching;
mod nothing_passes;
mod plain_data;
mod pose;
mod project;
mod push_out;
mod range_bodies;
mod ray_convex;
mod ray_mesh;
mod regressions;
mod rings;
mod rounded_ends;
mod seam;
mod search_cost;
mod separating_vector;
mod shape_input;
mod shape_mass;
mod shapes;
mod slide;
mod support_search;
mod symmetry;
mod time_of_impact;
mod trajectory;
mod trust;
mod warm_cold;
mod within;
mod world;
mod world_cast;
mod world_kept;
mod world_mixed;
mod world_patch;
mod world_query;
mod world_schedule;
