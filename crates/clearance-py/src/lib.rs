//! The Python package `clearance`: what Rust gives to it. The Python sources beside it add the classes of answers.

mod answer;
mod arrow;
mod batch;
mod body;
mod errors;
mod exact;
mod fields;
mod file;
mod input;
mod mesh;
mod motion;
mod pose;
mod poses;
mod robot;
mod rows;
mod scene;
mod shape;
mod surface;
mod threads;
mod tolerance;
mod verbs;
mod workcell;
mod world;

use pyo3::prelude::*;

/// Panics, for the test that a panic is an exception and no abort.
#[pyfunction]
fn _panic() {
    #[allow(clippy::panic)] // on purpose
    {
        panic!("on purpose");
    }
}

/// What Rust gives to the package `clearance`.
#[pymodule]
mod _clearance {
    #[pymodule_export]
    use super::answer::PyBodyId;
    #[pymodule_export]
    use super::arrow::{ArrowColumns, arrow_columns};
    #[pymodule_export]
    use super::batch::{
        PyBodies, batch_closest, batch_closest_at, batch_distance, batch_distance_at, batch_overlap, batch_overlap_at,
        batch_within, batch_within_at,
    };
    #[pymodule_export]
    use super::body::PyBody;
    #[pymodule_export]
    use super::errors::{
        ArgumentError, CastError, ClearanceError, DirectionError, FileError, MeshError, MotionError, NotCertified,
        NotExact, PoseError, RayError, RobotError, ShapeError, WorldError,
    };
    #[pymodule_export]
    use super::exact::{certify, certify_cast, certify_within, exact_contact, exact_distance};
    #[pymodule_export]
    use super::fields::{PyCompound, PyHalfSpace, PyHeightField, PyPointCloud};
    #[pymodule_export]
    use super::file::load;
    #[pymodule_export]
    use super::mesh::{PyMesh, decompose};
    #[pymodule_export]
    use super::motion::PyMotion;
    #[pymodule_export]
    use super::pose::PyPose;
    #[pymodule_export]
    use super::poses::PyPoses;
    #[pymodule_export]
    use super::robot::PyRobot;
    #[pymodule_export]
    use super::scene::PyScene;
    #[pymodule_export]
    use super::shape::PyShape;
    #[pymodule_export]
    use super::verbs::{
        PyCache, cast, cast_ray, cast_ray_all, closest, contact_range, contacts, distance, intersection, manifold,
        move_body, overlap, project, push_out, slide, time_of_impact, within,
    };
    #[pymodule_export]
    use super::workcell::PyWorkcell;
    #[pymodule_export]
    use super::world::PyWorld;

    #[pymodule_export]
    use super::_panic;

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // the name that Python has for it
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
