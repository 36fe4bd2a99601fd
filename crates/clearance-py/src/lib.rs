//! The Python package `clearance`: what Rust gives to it. The Python sources beside it add the classes of answers.

mod answer;
mod body;
mod errors;
mod exact;
mod fields;
mod input;
mod mesh;
mod motion;
mod pose;
mod shape;
mod tolerance;
mod verbs;

use pyo3::prelude::*;

/// What Rust gives to the package `clearance`.
#[pymodule]
mod _clearance {
    #[pymodule_export]
    use super::answer::PyBodyId;
    #[pymodule_export]
    use super::body::PyBody;
    #[pymodule_export]
    use super::errors::{
        ArgumentError, CastError, ClearanceError, DirectionError, FileError, MeshError, MotionError, NotCertified,
        NotExact, PoseError, RayError, ShapeError, WorldError,
    };
    #[pymodule_export]
    use super::fields::{PyCompound, PyHalfSpace, PyHeightField, PyPointCloud};
    #[pymodule_export]
    use super::mesh::PyMesh;
    #[pymodule_export]
    use super::motion::PyMotion;
    #[pymodule_export]
    use super::pose::PyPose;
    #[pymodule_export]
    use super::shape::PyShape;
    #[pymodule_export]
    use super::exact::{certify, certify_cast, certify_within, exact_contact, exact_distance};
    #[pymodule_export]
    use super::verbs::{
        PyCache, cast, cast_ray, cast_ray_all, closest, contact_range, contacts,
        distance, intersection, manifold, move_body, overlap, project, slide,
        time_of_impact, within,
    };
}
