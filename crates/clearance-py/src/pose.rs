//! `Pose`, and all that is taken for one: 4 × 4 matrices, translations with quaternions or SciPy's rotations, nothing.

use clearance::{Pose, Vec3};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::answer;
use crate::body::Call;
use crate::errors::{PoseError, raised};
use crate::input::{class_name, doubles, vec3, vector};
use crate::tolerance::RIGID;

/// A rotation followed by a translation.
///
/// Every argument called a pose takes one of these, or a 4 × 4 matrix, or a translation (3 numbers), or a pair of a translation and a
/// rotation (a quaternion x, y, z, w, or SciPy's Rotation), or None for the identity.
///
/// >>> pose = clearance.Pose([1, 0, 0], [0, 0, 0.5**0.5, 0.5**0.5])
/// >>> pose.point([1, 0, 0]).round(12).tolist()
/// [1.0, 1.0, 0.0]
/// >>> bool(abs((pose @ pose.inverse()).translation).max() < 1e-12)
/// True
#[pyclass(frozen, eq, name = "Pose", module = "clearance")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PyPose(pub Pose);

#[pymethods]
impl PyPose {
    #[new]
    #[pyo3(signature = (translation = None, rotation = None))]
    fn new(translation: Option<&Bound<'_, PyAny>>, rotation: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let translation = translation.map_or(Ok(Vec3::ZERO), |given| vec3("translation", given))?;
        let rotation = rotation.map_or(Ok([0.0, 0.0, 0.0, 1.0]), |given| quaternion("rotation", given))?;
        raised(Pose::new(translation, rotation)).map(Self)
    }

    /// The pose of a 4 × 4 matrix.
    ///
    /// >>> clearance.Pose.from_matrix([[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).translation.tolist()
    /// [5.0, 0.0, 0.0]
    #[staticmethod]
    fn from_matrix(matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        pose("matrix", Some(matrix)).map(Self)
    }

    /// A rotation about an axis through the origin, in radians.
    ///
    /// >>> clearance.Pose.from_axis_angle([0, 0, 2], 3.141592653589793).point([1, 0, 0]).round(12).tolist()
    /// [-1.0, 0.0, 0.0]
    #[staticmethod]
    fn from_axis_angle(axis: &Bound<'_, PyAny>, angle: f64) -> PyResult<Self> {
        raised(Pose::from_axis_angle(vec3("axis", axis)?, angle)).map(Self)
    }

    /// Where the origin of the body is.
    #[getter]
    fn translation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::vector(py, self.0.translation())
    }

    /// The rotation as a unit quaternion x, y, z, w.
    #[getter]
    fn rotation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::numbers(py, &self.0.rotation().to_array())
    }

    /// The 4 × 4 matrix.
    ///
    /// >>> clearance.Pose([1, 2, 3]).matrix()[:3, 3].tolist()
    /// [1.0, 2.0, 3.0]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        PyArray1::from_slice(py, &matrix_of(&self.0)).reshape([4, 4])
    }

    /// The pose that undoes this one.
    fn inverse(&self) -> Self {
        Self(self.0.inverse())
    }

    /// A point of the body in the world.
    fn point<'py>(&self, point: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::vector(point.py(), self.0.point(vec3("point", point)?))
    }

    /// A point of the world in the frame of the body.
    fn point_to_local<'py>(&self, point: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::vector(point.py(), self.0.point_to_local(vec3("point", point)?))
    }

    /// A direction of the body in the world.
    fn direction<'py>(&self, direction: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::vector(direction.py(), self.0.direction(vec3("direction", direction)?))
    }

    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let composed = self.0.compose(&pose("pose", Some(other))?);
        // Translations may leave the range that poses have.
        raised(Pose::new(composed.translation(), composed.rotation().to_array())).map(Self)
    }

    fn __repr__(&self) -> String {
        format!("Pose({:?}, {:?})", self.0.translation().to_array(), self.0.rotation().to_array())
    }

    fn __hash__(&self) -> u64 {
        let numbers = self.0.translation().to_array().into_iter().chain(self.0.rotation().to_array());
        numbers
            .fold(17, |hash, number| (hash ^ (number + 0.0).to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Call<'py, ([f64; 3], [f64; 4])>> {
        let pose = &slf.get().0;
        let class = slf.get_type().into_any();
        Ok((class, (pose.translation().to_array(), pose.rotation().to_array())))
    }
}

/// The matrix of a pose, row by row.
pub fn matrix_of(pose: &Pose) -> [f64; 16] {
    let ([x, y, z], t) = (pose.matrix().to_cols_array_2d(), pose.translation());
    [x[0], y[0], z[0], t.x, x[1], y[1], z[1], t.y, x[2], y[2], z[2], t.z, 0.0, 0.0, 0.0, 1.0]
}

/// A rotation: four numbers x, y, z, w, or an object that has them.
pub fn quaternion(field: &str, object: &Bound<'_, PyAny>) -> PyResult<[f64; 4]> {
    let py = object.py();
    if object.hasattr(intern!(py, "as_quat"))? {
        return vector(field, &object.call_method0(intern!(py, "as_quat"))?);
    }
    vector(field, object)
}

/// The pose of the numbers of a 4 × 4 matrix, row by row; nothing if it is not rigid.
pub fn of_matrix(m: &[f64; 16]) -> Option<(Vec3, [f64; 4])> {
    let columns = [0, 1, 2].map(|i| Vec3::new(m[i], m[4 + i], m[8 + i]));
    let [x, y, z] = columns;
    let near = |value: f64, wanted: f64| (value - wanted).abs() <= RIGID;
    let is_unit = columns.iter().all(|column| near(column.length_squared(), 1.0));
    let is_right = near(x.dot(y), 0.0) && near(y.dot(z), 0.0) && near(z.dot(x), 0.0) && x.cross(y).dot(z) > 0.0;
    let is_affine = near(m[12], 0.0) && near(m[13], 0.0) && near(m[14], 0.0) && near(m[15], 1.0);
    if !(is_unit && is_right && is_affine) {
        return None;
    }
    let rotation = clearance::Quat::from_mat3(&clearance::Mat3::from_cols(x, y, z)).normalize();
    Some((Vec3::new(m[3], m[7], m[11]), rotation.to_array()))
}

/// What is taken for a pose.
pub fn pose(field: &str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let Some(object) = object.filter(|object| !object.is_none()) else { return Ok(Pose::IDENTITY) };
    if let Ok(pose) = object.cast::<PyPose>() {
        return Ok(pose.get().0);
    }
    let named = |error: clearance::PoseError| PoseError::new_err(format!("{field}: {error}"));
    if let Some([translation, rotation]) = two(object)? {
        let translation = vec3(&format!("{field}.translation"), &translation)?;
        let rotation = quaternion(&format!("{field}.rotation"), &rotation)?;
        return Pose::new(translation, rotation).map_err(named);
    }
    if object.hasattr(intern!(object.py(), "as_quat"))? {
        return Pose::new(Vec3::ZERO, quaternion(field, object)?).map_err(named);
    }
    let array = doubles(field, object)?;
    let view = array.as_array();
    let mut numbers = [0.0; 16];
    match array.shape() {
        [4, 4] => {
            numbers.iter_mut().zip(view.iter()).for_each(|(to, from)| *to = *from);
            if numbers.iter().any(|number| !number.is_finite()) {
                return Err(PoseError::new_err(format!("{field}: the matrix is not finite")));
            }
            let rigid = of_matrix(&numbers).ok_or_else(|| {
                PoseError::new_err(format!(
                    "{field}: the 4 × 4 matrix is no rigid transform (a rotation and a translation)"
                ))
            })?;
            Pose::new(rigid.0, rigid.1).map_err(named)
        }
        [3] => Pose::from_translation(Vec3::new(view[[0]], view[[1]], view[[2]])).map_err(named),
        shape => Err(PoseError::new_err(format!(
            "{field}: expected a Pose, a 4 × 4 matrix, 3 numbers, a pair (translation, quaternion) or None; got {} of shape {shape:?}",
            class_name(object)
        ))),
    }
}

/// A tuple or list of two that are not numbers: a translation and a rotation.
pub fn two<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    let is_sequence = object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>();
    if !is_sequence || object.len()? != 2 {
        return Ok(None);
    }
    Ok(Some([object.get_item(0)?, object.get_item(1)?]))
}

impl From<Pose> for PyPose {
    fn from(pose: Pose) -> Self {
        Self(pose)
    }
}
