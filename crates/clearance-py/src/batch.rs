//! The verbs for many pairs: arrays in, arrays of records out.

use clearance::{Body, Pose, batch};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;

use crate::body::{Call, PyBody};
use crate::errors::argument;
use crate::input::pairs;
use crate::pose::pose;
use crate::poses::poses;
use crate::rows::{Row, array};
use crate::threads::in_pieces;

/// A table of bodies, read once, to be used in several batches.
///
/// >>> table = clearance.Bodies([clearance.Shape.sphere(1), clearance.Shape.cuboid([1, 1, 1])])
/// >>> len(table), clearance.batch.overlap(table, [[0, 0, 0], [1, 0, 0]], [[0, 1]])["overlap"].tolist()
/// (2, [True])
#[pyclass(frozen, name = "Bodies", module = "clearance")]
#[derive(Debug)]
pub struct PyBodies {
    bodies: Vec<Body>,
    given: Py<PyTuple>,
}

#[pymethods]
impl PyBodies {
    #[new]
    fn new(bodies: &Bound<'_, PyAny>) -> PyResult<Self> {
        let list = bodies.try_iter().map_err(|_| argument("bodies", "expected a sequence of bodies"))?;
        let (mut table, mut given) = (Vec::new(), Vec::new());
        for (row, object) in list.enumerate() {
            let object = object?;
            let body = object.cast_into::<PyBody>().map_err(|error| {
                let class = crate::input::class_name(&error.into_inner());
                argument(&format!("bodies[{row}]"), format_args!("expected a body, got {class}"))
            })?;
            table.push(body.get().body.clone());
            given.push(body);
        }
        Ok(Self { bodies: table, given: PyTuple::new(bodies.py(), given)?.unbind() })
    }

    fn __len__(&self) -> usize {
        self.bodies.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        self.given.bind(py).as_any().get_item(row)
    }

    fn __repr__(&self) -> String {
        format!("Bodies(<{}>)", self.bodies.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Call<'py, (Bound<'py, PyTuple>,)> {
        (slf.get_type().into_any(), (slf.get().given.bind(slf.py()).clone(),))
    }
}

/// A table as given: read already, or to be read.
fn table<'py>(bodies: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBodies>> {
    match bodies.cast::<PyBodies>() {
        Ok(table) => Ok(table.clone()),
        Err(_) => Bound::new(bodies.py(), PyBodies::new(bodies)?),
    }
}

/// Pairs of bodies by their numbers, all of which are in the table.
fn checked_pairs(bodies: usize, poses: usize, given: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 2]>> {
    if bodies != poses {
        return Err(argument("poses", format_args!("there are {poses} poses for {bodies} bodies")));
    }
    let pairs = pairs("pairs", given)?;
    if let Some(row) = pairs.iter().position(|pair| pair.iter().any(|&body| body as usize >= bodies)) {
        let message = format_args!("pair {row} is {:?}, and there are {bodies} bodies", pairs[row]);
        return Err(argument("pairs", message));
    }
    Ok(pairs)
}

/// Rows that one thread writes at a time.
const ROWS: usize = 512;

/// Writes the words of answers; of rows whose input is wrong, the error.
fn write_rows<T: Row<W>, const W: usize>(words: &mut [u64], answers: &[T], error_of: impl Fn(usize) -> u8 + Sync) {
    words.par_chunks_mut(W * ROWS).zip(answers.par_chunks(ROWS)).enumerate().for_each(|(part, (words, answers))| {
        for (nth, (row, answer)) in words.as_chunks_mut::<W>().0.iter_mut().zip(answers).enumerate() {
            let error = error_of(part * ROWS + nth);
            *row = if error == 0 { answer.row() } else { T::refused(error) };
        }
    });
}

/// The array of the answers about pairs of a table; a pair with a wrong pose is an error of its row.
fn of_table<'py, T: Row<W>, const W: usize>(
    py: Python<'py>,
    bodies: &Bound<'py, PyAny>,
    given: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    threads: Option<usize>,
    ask: impl Fn(&[Body], &[Pose], &[[u32; 2]]) -> Result<Vec<T>, batch::BatchError> + Sync + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let given = poses("poses", given)?;
    let read = given.get();
    let table = table(bodies)?;
    let bodies = &table.get().bodies;
    let pairs = checked_pairs(bodies.len(), read.poses.len(), pairs)?;
    let mut words = vec![0; W * pairs.len()];
    in_pieces(py, threads, pairs.len(), |range| {
        let asked = &pairs[range.clone()];
        let answers = ask(bodies, &read.poses, asked).map_err(|error| argument("pairs", error))?;
        let error_of = |row: usize| {
            let [a, b] = asked[row].map(|body| read.errors[body as usize]);
            if a == 0 { b } else { a }
        };
        write_rows(&mut words[W * range.start..W * range.end], &answers, error_of);
        Ok(())
    })?;
    array::<T, W>(py, words)
}

/// The array of the answers about two bodies, the second at many poses.
fn at_poses<'py, T: Row<W>, const W: usize>(
    py: Python<'py>,
    pose_a: &Bound<'py, PyAny>,
    poses_b: &Bound<'py, PyAny>,
    threads: Option<usize>,
    ask: impl Fn(&Pose, &[Pose]) -> Vec<T> + Sync + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let place = pose("pose_a", Some(pose_a))?;
    let given = poses("poses_b", poses_b)?;
    let read = given.get();
    let mut words = vec![0; W * read.poses.len()];
    in_pieces(py, threads, read.poses.len(), |range| {
        let answers = ask(&place, &read.poses[range.clone()]);
        let errors = &read.errors[range.clone()];
        write_rows(&mut words[W * range.start..W * range.end], &answers, |row| errors[row]);
        Ok(())
    })?;
    array::<T, W>(py, words)
}

/// Whether the bodies of each pair have a point in common. Pairs are rows of two indices into the tables of bodies and of their poses.
///
/// >>> cube, ball = clearance.Shape.cuboid([1, 1, 1]), clearance.Shape.sphere(0.5)
/// >>> rows = clearance.batch.overlap([cube, ball, ball], [[0, 0, 0], [1.4, 0, 0], [5, 0, 0]], [[0, 1], [0, 2]])
/// >>> rows["overlap"].tolist()
/// [True, False]
#[pyfunction]
#[pyo3(signature = (bodies, poses, pairs, *, threads = None))]
pub fn batch_overlap<'py>(
    py: Python<'py>,
    bodies: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    of_table(py, bodies, poses, pairs, threads, |b, p, n| batch::overlap(b, p, n))
}

/// The signed distance of each pair, with bounds, points, normal, features and how it ended.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> rows = clearance.batch.closest([ball, ball], [[0, 0, 0], [3, 0, 0]], [[0, 1]])
/// >>> rows["distance"].tolist(), rows["normal"].tolist()
/// ([1.0], [[1.0, 0.0, 0.0]])
#[pyfunction]
#[pyo3(signature = (bodies, poses, pairs, *, threads = None))]
pub fn batch_closest<'py>(
    py: Python<'py>,
    bodies: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    of_table(py, bodies, poses, pairs, threads, |b, p, n| batch::closest(b, p, n))
}

/// The distance of each pair that does not overlap; NaN, and the contact OVERLAPPING, for those that do.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.batch.distance([ball, ball], [[0, 0, 0], [1, 0, 0]], [[0, 1]])["contact"].tolist()
/// [2]
#[pyfunction]
#[pyo3(signature = (bodies, poses, pairs, *, threads = None))]
pub fn batch_distance<'py>(
    py: Python<'py>,
    bodies: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    of_table(py, bodies, poses, pairs, threads, |b, p, n| batch::distance(b, p, n))
}

/// Whether the bodies of each pair are within a distance of each other.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.batch.within([ball, ball], [[0, 0, 0], [3, 0, 0]], [[0, 1]], 0.5)["within"].tolist()
/// [False]
#[pyfunction]
#[pyo3(signature = (bodies, poses, pairs, distance, *, threads = None))]
pub fn batch_within<'py>(
    py: Python<'py>,
    bodies: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    distance: f64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    of_table(py, bodies, poses, pairs, threads, |b, p, n| batch::within(b, p, n, distance))
}

/// Whether A and B have a point in common, for B at each of many poses.
///
/// >>> cube, ball = clearance.Shape.cuboid([1, 1, 1]), clearance.Shape.sphere(0.5)
/// >>> rows = clearance.batch.overlap_at(cube, None, ball, [[1.4, 0, 0], [float("nan"), 0, 0], [1.6, 0, 0]])
/// >>> rows["overlap"].tolist(), rows["error"].tolist()
/// ([True, False, False], [0, 1, 0])
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, poses_b, *, threads = None))]
pub fn batch_overlap_at<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    poses_b: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (&a.get().body, &b.get().body);
    at_poses(py, pose_a, poses_b, threads, |place, poses| batch::overlap_at(a, place, b, poses))
}

/// The signed distance of A and B, for B at each of many poses.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.batch.closest_at(ball, None, ball, [[3, 0, 0], [0, 4, 0]])["distance"].tolist()
/// [1.0, 2.0]
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, poses_b, *, threads = None))]
pub fn batch_closest_at<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    poses_b: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (&a.get().body, &b.get().body);
    at_poses(py, pose_a, poses_b, threads, |place, poses| batch::closest_at(a, place, b, poses))
}

/// The distance of A and B, for B at each of many poses; NaN, and the contact OVERLAPPING, where they overlap.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.batch.distance_at(ball, None, ball, [[3, 0, 0], [1, 0, 0]])["distance"].tolist()
/// [1.0, nan]
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, poses_b, *, threads = None))]
pub fn batch_distance_at<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    poses_b: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (&a.get().body, &b.get().body);
    at_poses(py, pose_a, poses_b, threads, |place, poses| batch::distance_at(a, place, b, poses))
}

/// Whether A and B are within a distance of each other, for B at each of many poses.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.batch.within_at(ball, None, ball, [[3, 0, 0], [0, 4, 0]], 1.5)["within"].tolist()
/// [True, False]
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, poses_b, distance, *, threads = None))]
pub fn batch_within_at<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    poses_b: &Bound<'py, PyAny>,
    distance: f64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (&a.get().body, &b.get().body);
    at_poses(py, pose_a, poses_b, threads, |place, poses| batch::within_at(a, place, b, poses, distance))
}
