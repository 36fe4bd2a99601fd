//! Exact answers and certificates.

use clearance::Cache;
use pyo3::prelude::*;

use crate::answer::{self, Answer};
use crate::body::PyBody;
use crate::errors::raised;
use crate::motion::motion;
use crate::pose::pose;
use crate::verbs::{Pair, ask, cast_options};

/// Whether two bodies with flat faces are apart, touch or overlap, exactly.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> clearance.exact.contact(cube, None, cube, [2, 2, 0]).name
/// 'TOUCHING'
#[pyfunction]
pub fn exact_contact<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let question = |cache: &mut Cache| clearance::exact::contact(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache);
    raised(ask(py, None, question))?.answer(py)
}

/// The exact distance of two bodies with flat faces: its neighbours among the doubles. Zero if they have a point in common.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> clearance.exact.distance(cube, None, cube, [3, 3, 3]).square
/// (3.0, 3.0)
#[pyfunction]
pub fn exact_distance<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let question = |cache: &mut Cache| clearance::exact::distance(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache);
    answer::exact_distance(py, &raised(ask(py, None, question))?)
}

/// A proof of the distance of two bodies that anyone can check with exact arithmetic.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> clearance.exact.certify(cube, None, cube, [3, 0, 0]).lower > 0.999999
/// True
#[pyfunction]
pub fn certify<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let question = |cache: &mut Cache| clearance::exact::certify(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache);
    answer::certificate(py, &raised(ask(py, None, question))?)
}

/// A proof that two bodies are nearer than a distance, or that they are not.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> clearance.exact.certify_within(cube, None, cube, [3, 0, 0], 0.5).lower >= 0.5
/// True
#[pyfunction]
pub fn certify_within<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    distance: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let question = |cache: &mut Cache| {
        clearance::exact::certify_within(pair.a, &pair.pose_a, pair.b, &pair.pose_b, distance, cache)
    };
    answer::certificate(py, &raised(ask(py, None, question))?)
}

/// A proof that a motion of B is free up to a share of it.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> proof = clearance.exact.certify_cast(cube, None, cube, clearance.Motion.translation([4, 0, 0], [0, 2, 0]))
/// >>> proof.free_until
/// 1.0
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, motion, *, clearance = 0.0, tolerance = None))]
pub fn certify_cast<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    motion: &Bound<'py, PyAny>,
    clearance: f64,
    tolerance: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, motion) = (pose("pose_a", Some(pose_a))?, self::motion("motion", motion)?);
    let options = cast_options(clearance, 0.0, true, tolerance)?;
    let (a, b) = (&a.get().body, &b.get().body);
    let question = |cache: &mut Cache| ::clearance::exact::certify_cast(a, &place, b, &motion, cache, &options);
    answer::certificate(py, &raised(ask(py, None, question))?)
}
