//! `Motion`: how a body moves over the time from 0 to 1.

use clearance::{Motion, Pose};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::input::vec3;
use crate::pose::{PyPose, pose};

/// How a body moves over the time from 0 to 1.
///
/// >>> motion = clearance.Motion.translation([2, 0, 0], [-2, 0, 0])
/// >>> motion.pose(0.5).translation.tolist()
/// [1.0, 0.0, 0.0]
#[pyclass(frozen, eq, name = "Motion", module = "clearance")]
#[derive(Debug, Clone, PartialEq)]
pub struct PyMotion {
    /// The motion itself.
    pub motion: Motion,
    made: Call,
}

/// The call that made a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Still(Pose),
    Translation(Pose, [f64; 3]),
    Rotation(Pose, [f64; 3], [f64; 3], f64),
    Between(Pose, Pose),
    Velocity(Pose, [f64; 3], [f64; 3]),
}

impl PyMotion {
    fn new(motion: Motion, made: Call) -> Self {
        Self { motion, made }
    }
}

/// What is taken for a motion: one of these, or a pose, at which the body rests.
pub fn motion(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Motion> {
    if let Ok(motion) = object.cast::<PyMotion>() {
        return Ok(motion.get().motion.clone());
    }
    Ok(Motion::still(pose(field, Some(object))?))
}

#[pymethods]
impl PyMotion {
    /// No motion.
    #[staticmethod]
    #[pyo3(signature = (pose = None))]
    fn still(pose: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let place = self::pose("pose", pose)?;
        Ok(Self::new(Motion::still(place), Call::Still(place)))
    }

    /// Straight on, without turning.
    #[staticmethod]
    fn translation(start: &Bound<'_, PyAny>, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (start, by) = (pose("start", Some(start))?, vec3("by", by)?);
        Ok(Self::new(raised(Motion::translation(start, by))?, Call::Translation(start, by.to_array())))
    }

    /// A turn about an axis through a point, in radians, right-handed, of any size.
    #[staticmethod]
    fn rotation(
        start: &Bound<'_, PyAny>,
        origin: &Bound<'_, PyAny>,
        axis: &Bound<'_, PyAny>,
        angle: f64,
    ) -> PyResult<Self> {
        let (start, origin, axis) = (pose("start", Some(start))?, vec3("origin", origin)?, vec3("axis", axis)?);
        let made = Call::Rotation(start, origin.to_array(), axis.to_array(), angle);
        Ok(Self::new(raised(Motion::rotation(start, origin, axis, angle))?, made))
    }

    /// From one pose to another: a screw motion.
    #[staticmethod]
    fn between(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (start, end) = (pose("start", Some(start))?, pose("end", Some(end))?);
        Ok(Self::new(Motion::between(start, end), Call::Between(start, end)))
    }

    /// Constant velocities of the origin and about it.
    #[staticmethod]
    fn with_velocity(
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (start, linear, angular) =
            (pose("start", Some(start))?, vec3("linear", linear)?, vec3("angular", angular)?);
        let made = Call::Velocity(start, linear.to_array(), angular.to_array());
        Ok(Self::new(raised(Motion::with_velocity(start, linear, angular))?, made))
    }

    /// The pose at the start.
    #[getter]
    fn start(&self) -> PyPose {
        PyPose(*self.motion.start())
    }

    /// The pose at a time from 0 to 1.
    fn pose(&self, time: f64) -> PyPose {
        PyPose(self.motion.pose(time))
    }

    /// A bound on the speed of every point within a radius of the body's origin.
    fn speed(&self, radius: f64) -> f64 {
        self.motion.speed(radius)
    }

    fn __repr__(&self) -> String {
        let shown =
            |pose: &Pose| format!("Pose({:?}, {:?})", pose.translation().to_array(), pose.rotation().to_array());
        match &self.made {
            Call::Still(start) => format!("Motion.still({})", shown(start)),
            Call::Translation(start, by) => format!("Motion.translation({}, {by:?})", shown(start)),
            Call::Rotation(start, origin, axis, angle) => {
                format!("Motion.rotation({}, {origin:?}, {axis:?}, {angle:?})", shown(start))
            }
            Call::Between(start, end) => format!("Motion.between({}, {})", shown(start), shown(end)),
            Call::Velocity(start, linear, angular) => {
                format!("Motion.with_velocity({}, {linear:?}, {angular:?})", shown(start))
            }
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, class) = (slf.py(), slf.get_type());
        let (name, arguments) = match slf.get().made {
            Call::Still(start) => ("still", (PyPose(start),).into_pyobject(py)?.into_any()),
            Call::Translation(start, by) => ("translation", (PyPose(start), by).into_pyobject(py)?.into_any()),
            Call::Rotation(start, origin, axis, angle) => {
                ("rotation", (PyPose(start), origin, axis, angle).into_pyobject(py)?.into_any())
            }
            Call::Between(start, end) => ("between", (PyPose(start), PyPose(end)).into_pyobject(py)?.into_any()),
            Call::Velocity(start, linear, angular) => {
                ("with_velocity", (PyPose(start), linear, angular).into_pyobject(py)?.into_any())
            }
        };
        Ok((class.getattr(name)?, arguments))
    }
}
