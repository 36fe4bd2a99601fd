//! `Poses`: many poses, checked once, with what is wrong with each.

use clearance::{Pose, PoseError, Vec3};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;

use crate::arrow::{columns, is_arrow, side_by_side};
use crate::errors::{ArgumentError, argument};
use crate::input::{doubles, shaped};
use crate::pose::{PyPose, matrix_of, of_matrix, two};

/// What is wrong with a row of input, as arrays of answers say it.
pub mod row_error {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// A number is NaN or infinite.
    pub const NOT_FINITE: u8 = 1;
    /// A matrix or quaternion is no rotation.
    pub const NO_ROTATION: u8 = 2;
    /// A number is out of the range of poses.
    pub const OUT_OF_RANGE: u8 = 3;
}

/// Many poses, read and checked once, to be used in several batches.
///
/// Takes what batches take: an array of shape (n, 4, 4) of matrices, (n, 7) of x, y, z and a quaternion x, y, z, w, (n, 3) of translations, or a
/// pair of translations (n, 3) and quaternions (n, 4) or SciPy's Rotation; or Arrow data with columns x, y, z (or a list translation) and qx, qy,
/// qz, qw (or a list rotation). A row that is no pose is marked in `errors`; the others
/// are as good as ever.
///
/// >>> poses = clearance.Poses([[1, 0, 0], [float("nan"), 0, 0]])
/// >>> len(poses), poses.errors.tolist(), poses[0].translation.tolist()
/// (2, [0, 1], [1.0, 0.0, 0.0])
#[pyclass(frozen, name = "Poses", module = "clearance")]
#[derive(Debug)]
pub struct PyPoses {
    /// The poses; the identity in rows that are none.
    pub poses: Vec<Pose>,
    /// What is wrong with each.
    pub errors: Vec<u8>,
}

/// The pose of numbers, and what is wrong with them.
fn checked(translation: Vec3, rotation: [f64; 4]) -> (Pose, u8) {
    let error = match Pose::new(translation, rotation) {
        Ok(pose) => return (pose, row_error::NONE),
        Err(_) if !translation.is_finite() || rotation.iter().any(|number| !number.is_finite()) => {
            row_error::NOT_FINITE
        }
        Err(PoseError::NotUnit { .. } | PoseError::NotRigid) => row_error::NO_ROTATION,
        Err(_) => row_error::OUT_OF_RANGE,
    };
    (Pose::IDENTITY, error)
}

fn of_row(row: &[f64; 16]) -> (Pose, u8) {
    if row.iter().any(|number| !number.is_finite()) {
        return (Pose::IDENTITY, row_error::NOT_FINITE);
    }
    of_matrix(row).map_or((Pose::IDENTITY, row_error::NO_ROTATION), |(t, r)| checked(t, r))
}

impl PyPoses {
    fn collect(rows: impl ExactSizeIterator<Item = (Pose, u8)>) -> Self {
        let (poses, errors) = rows.unzip();
        Self { poses, errors }
    }

    /// What is taken for many poses.
    pub fn read(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some([translations, rotations]) = two(object)?.filter(|[_, rotations]| !is_row(rotations)) {
            return Self::of_columns(field, &translations, &rotations);
        }
        if let Some(poses) = Self::of_list(object)? {
            return Ok(poses);
        }
        if is_arrow(object)? {
            return Self::of_arrow(field, object);
        }
        let array = doubles(field, object)?;
        let view = array.as_array();
        let contiguous = view.as_slice().map_or_else(|| view.iter().copied().collect(), <[f64]>::to_vec);
        match view.shape() {
            [_, 4, 4] => Ok(Self::collect(contiguous.as_chunks::<16>().0.iter().map(of_row))),
            [_, 7] => {
                let row = |&[x, y, z, a, b, c, d]: &[f64; 7]| checked(Vec3::new(x, y, z), [a, b, c, d]);
                Ok(Self::collect(contiguous.as_chunks::<7>().0.iter().map(row)))
            }
            [_, 3] => {
                let row = |&place: &[f64; 3]| checked(place.into(), [0.0, 0.0, 0.0, 1.0]);
                Ok(Self::collect(contiguous.as_chunks::<3>().0.iter().map(row)))
            }
            [0] => Ok(Self { poses: Vec::new(), errors: Vec::new() }),
            shape => Err(argument(
                field,
                format_args!(
                    "expected poses of shape (n, 4, 4), (n, 7) or (n, 3), or a pair (translations, quaternions); got shape {shape:?}"
                ),
            )),
        }
    }

    /// Translations beside rotations.
    pub fn of_columns(field: &str, translations: &Bound<'_, PyAny>, rotations: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = rotations.py();
        let (places, shape) = shaped(&format!("{field}.translation"), translations)?;
        let quaternions = if rotations.hasattr(intern!(py, "as_quat"))? {
            rotations.call_method0(intern!(py, "as_quat"))?
        } else {
            rotations.clone()
        };
        let (turns, turned) = shaped(&format!("{field}.rotation"), &quaternions)?;
        match (shape.as_slice(), turned.as_slice()) {
            (&[n, 3], &[m, 4]) if n == m => {
                let (places, turns) = (places.as_chunks::<3>().0.iter(), turns.as_chunks::<4>().0.iter());
                Ok(Self::collect(places.zip(turns).map(|(&place, &turn)| checked(place.into(), turn))))
            }
            (places, turns) => Err(argument(
                field,
                format_args!(
                    "expected translations (n, 3) and quaternions (n, 4), got shapes {places:?} and {turns:?}"
                ),
            )),
        }
    }

    /// Columns of Arrow data: `x`, `y`, `z` or a list `translation`, and `qx`, `qy`, `qz`, `qw` or a list `rotation` if there are rotations.
    fn of_arrow(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let found = columns(field, object)?;
        let Some(places) = side_by_side(&found, "translation", &["x", "y", "z"]) else {
            let names: Vec<&str> = found.iter().map(|column| column.name.as_str()).collect();
            let message =
                format_args!("no columns x, y, z and no list translation of 3 numbers; there are {}", names.join(", "));
            return Err(argument(field, message));
        };
        let places = places.as_chunks::<3>().0.iter();
        let Some(turns) = side_by_side(&found, "rotation", &["qx", "qy", "qz", "qw"]) else {
            return Ok(Self::collect(places.map(|&place| checked(place.into(), [0.0, 0.0, 0.0, 1.0]))));
        };
        let turns = turns.as_chunks::<4>().0.iter();
        Ok(Self::collect(places.zip(turns).map(|(&place, &turn)| checked(place.into(), turn))))
    }

    /// A list of Pose objects.
    fn of_list(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Ok(list) = object.cast::<pyo3::types::PyList>() else { return Ok(None) };
        if list.is_empty() || !list.get_item(0)?.is_instance_of::<PyPose>() {
            return Ok(None);
        }
        let mut poses = Vec::with_capacity(list.len());
        for (row, object) in list.iter().enumerate() {
            let pose = object.cast_into::<PyPose>();
            let pose = pose.map_err(|_| ArgumentError::new_err(format!("poses[{row}]: expected a Pose")))?;
            poses.push((pose.get().0, row_error::NONE));
        }
        Ok(Some(Self::collect(poses.into_iter())))
    }
}

/// Whether an object is a row of numbers, not columns of them: then a list of two is two translations.
fn is_row(object: &Bound<'_, PyAny>) -> bool {
    object.get_item(0).is_ok_and(|first| first.extract::<f64>().is_ok())
}

/// Poses as given: read already, or to be read.
pub enum Given<'py> {
    Read(Bound<'py, PyPoses>),
    Fresh(PyPoses),
}

impl Given<'_> {
    /// The poses.
    pub fn get(&self) -> &PyPoses {
        match self {
            Self::Read(poses) => poses.get(),
            Self::Fresh(poses) => poses,
        }
    }
}

/// What is taken for many poses.
pub fn poses<'py>(field: &str, object: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
    match object.cast::<PyPoses>() {
        Ok(poses) => Ok(Given::Read(poses.clone())),
        Err(_) => PyPoses::read(field, object).map(Given::Fresh),
    }
}

#[pymethods]
impl PyPoses {
    #[new]
    fn new(poses: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read("poses", poses)
    }

    /// What is wrong with each row: 0 if nothing; see `clearance.batch.ERRORS`.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.errors)
    }

    /// The poses as matrices, an array of shape (n, 4, 4).
    fn matrices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let numbers: Vec<f64> = self.poses.iter().flat_map(matrix_of).collect();
        PyArray1::from_vec(py, numbers).reshape([self.poses.len(), 4, 4])
    }

    fn __len__(&self) -> usize {
        self.poses.len()
    }

    fn __getitem__(&self, row: isize) -> PyResult<PyPose> {
        let at = if row < 0 { row + self.poses.len() as isize } else { row };
        let pose = usize::try_from(at).ok().and_then(|at| self.poses.get(at));
        pose.map(|pose| PyPose(*pose)).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(format!("no pose {row}")))
    }

    fn __repr__(&self) -> String {
        let wrong = self.errors.iter().filter(|error| **error != 0).count();
        if wrong == 0 {
            format!("Poses(<{}>)", self.poses.len())
        } else {
            format!("Poses(<{}, {wrong} of them wrong>)", self.poses.len())
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (py, own) = (slf.py(), slf.get());
        let row = |(pose, error): (&Pose, &u8)| {
            let ([x, y, z], [a, b, c, d]) = (pose.translation().to_array(), pose.rotation().to_array());
            let numbers = [x, y, z, a, b, c, d];
            if *error == row_error::NONE { numbers } else { [f64::NAN; 7] }
        };
        let numbers: Vec<[f64; 7]> = own.poses.iter().zip(&own.errors).map(row).collect();
        let array = PyArray1::from_vec(py, numbers.into_flattened()).reshape([own.poses.len(), 7])?;
        Ok((slf.get_type().into_any(), (array.into_any(),)))
    }
}
