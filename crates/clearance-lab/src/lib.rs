//! The papers' experiments and the races against peers, as a library.
//!
//! An [`Experiment`] measures something and hands back a [`Report`]: rows, claims with a verdict, and plots.
//! What becomes of a report (terminal, JSON, files) is the caller's choice:
//!
//! - [`experiment`]: what an experiment is, and how one is found by name
//! - [`report`]: rows and claims, as CSV and JSON; [`text`]: the same for a terminal
//! - [`plot`]: line plots as SVG; [`axis`]: their linear and logarithmic axes
//! - [`timing`]: fair times for ratios; [`Progress`]: a bar for the patient
//! - [`output`]: a report as files in a directory
//!
//! The races against parry are [`race_pairs`], [`race_size`], [`race_batch`], [`race_coherent`], [`race_nbody`], [`race_terrain`], [`race_adversarial`],
//! [`race_cast`], [`race_mesh_cast`] and [`mesh_queries`]; the thesis's randomised benchmark is [`implicit_objects`]; [`q_collide_steps`], [`q_collide_speed`], [`broad_phases`] and [`concave_trees`] are of the
//! other thesis; [`closest_features`] is the lecture's Voronoi marching; [`booleans`] holds all boolean algorithms against the
//! exact truth; [`contact_range`] is the paper on directional contact range; [`ccd_features`] asks the queries of the 2021
//! benchmark; [`doom3_casts`] moves bodies through the brush worlds of a game; [`nothing_passes`] judges casts of polyhedra in exact arithmetic; [`exact_contact`] judges exact mode; [`batch_agreement`] holds batches against single queries; [`hunt`] looks for a wrong answer
//! of any verb, for as long as it is given. Each can also be run with sizes of one's own.
//!
//! A claim that does not hold is a finding, never a failure of the run.

#![deny(missing_docs)]
// The judge of the hunt is compiled once for each precision.
#![allow(clippy::duplicate_mod)]

pub mod axis;
pub mod batch_agreement;
pub mod booleans;
pub mod brick_wall;
pub mod broad_phases;
pub mod ccd_features;
pub mod closest_features;
pub mod concave_trees;
pub mod contact_range;
mod contact_range_bodies;
mod contact_range_oracle;
mod contact_range_report;
pub mod doom3_casts;
mod doom3_casts_report;
pub mod exact_contact;
pub mod experiment;
pub mod hunt;
pub mod implicit_objects;
mod implicit_objects_manifolds;
mod implicit_objects_report;
pub mod lecture;
pub mod mesh_queries;
pub mod nothing_passes;
mod nothing_passes_library;
mod nothing_passes_report;
pub mod output;
pub mod papers;
pub mod plot;
mod precision;
mod q_collide;
pub mod q_collide_speed;
mod q_collide_speed_report;
pub mod q_collide_steps;
pub mod race_adversarial;
pub mod race_batch;
pub mod race_cast;
pub mod race_coherent;
mod race_coherent_world;
pub mod race_mesh_cast;
pub mod race_nbody;
pub mod race_pairs;
pub mod race_rays;
pub mod race_sim;
pub mod race_size;
pub mod race_terrain;
pub mod report;
mod rival_world;
pub mod stacking;
mod support_search;
pub mod text;
pub mod timing;
mod trajectory;
mod verdict;
pub mod walker;
mod workload;

pub use clearance_terminal::Progress;
pub use experiment::{Experiment, Failure, Settings, UnknownExperiment, find_in};
pub use output::{OutputError, write_report};
pub use plot::{Plot, PlotError, Series};
pub use report::{Claim, Report, ReportError, Value};
pub use timing::{Timing, interleaved, nanoseconds_per_call};

/// Every experiment, in the order in which they are listed and run.
static EXPERIMENTS: &[Experiment] = &[
    support_search::EXPERIMENT,
    closest_features::EXPERIMENT,
    lecture::EXPERIMENT,
    broad_phases::EXPERIMENT,
    booleans::EXPERIMENT,
    race_pairs::EXPERIMENT,
    race_size::EXPERIMENT,
    race_batch::EXPERIMENT,
    race_coherent::EXPERIMENT,
    race_nbody::EXPERIMENT,
    race_terrain::EXPERIMENT,
    race_adversarial::EXPERIMENT,
    implicit_objects::EXPERIMENT,
    q_collide_steps::EXPERIMENT,
    q_collide_speed::EXPERIMENT,
    concave_trees::EXPERIMENT,
    contact_range::EXPERIMENT,
    race_cast::EXPERIMENT,
    ccd_features::EXPERIMENT,
    doom3_casts::EXPERIMENT,
    mesh_queries::EXPERIMENT,
    nothing_passes::EXPERIMENT,
    race_mesh_cast::EXPERIMENT,
    race_rays::EXPERIMENT,
    race_sim::EXPERIMENT,
    stacking::EXPERIMENT,
    brick_wall::EXPERIMENT,
    walker::EXPERIMENT,
    exact_contact::EXPERIMENT,
    batch_agreement::EXPERIMENT,
    hunt::EXPERIMENT,
];

/// Every experiment of the lab.
pub fn all() -> &'static [Experiment] {
    EXPERIMENTS
}

/// The experiment of that name.
///
/// # Errors
/// [`UnknownExperiment`], with the nearest name and all the known ones.
pub fn find(name: &str) -> Result<&'static Experiment, UnknownExperiment> {
    find_in(EXPERIMENTS, name)
}
