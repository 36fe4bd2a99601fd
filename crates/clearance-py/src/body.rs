//! `Body`, the base of all kinds of bodies: what they have in common, and how they were made, for pickling.

use clearance::{Body, Mat3};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use pyo3::{PyClass, intern};

use crate::answer;
use crate::errors::raised;
use crate::input::vec3;
use crate::pose::pose;
use crate::surface::triangles_of;

/// A body of any kind: Shape, Mesh, Compound, HeightField, PointCloud or HalfSpace. Immutable; every verb takes it.
#[pyclass(frozen, subclass, name = "Body", module = "clearance")]
#[derive(Debug)]
pub struct PyBody {
    /// The body itself.
    pub body: Body,
    made: Made,
}

/// A function and its arguments, as pickling wants them.
pub type Call<'py, T> = (Bound<'py, PyAny>, T);

/// The call that made a body: made again from it in another process, equal if it is.
#[derive(Debug)]
pub struct Made {
    call: &'static str,
    arguments: Py<PyTuple>,
    shown: String,
}

impl Made {
    /// The call and its arguments, which are plain immutable values, and how it is shown.
    pub fn new(call: &'static str, arguments: Bound<'_, PyTuple>) -> PyResult<Self> {
        let repr = arguments.as_any().repr()?.to_string();
        let inside = repr.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&repr);
        let shown = format!("{call}({})", inside.trim_end_matches(','));
        Ok(Self { call, arguments: arguments.unbind(), shown })
    }

    /// The same, shown as said.
    pub fn shown(mut self, shown: String) -> Self {
        self.shown = shown;
        self
    }
}

/// Numbers as a plain value that is compared and pickled fast: the name of the type, the shape and the bytes.
pub fn frozen<'py>(py: Python<'py>, kind: &str, shape: &[usize], bytes: &[u8]) -> PyResult<Bound<'py, PyTuple>> {
    ("array", kind, PyTuple::new(py, shape)?, PyBytes::new(py, bytes)).into_pyobject(py)
}

/// The bytes of doubles.
pub fn bytes_of(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(f64::to_ne_bytes).collect()
}

/// A tuple of numbers.
pub fn tuple<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, numbers)
}

impl PyBody {
    /// A body of the base class.
    pub fn base(body: impl Into<Body>, made: Made) -> Self {
        Self { body: body.into(), made }
    }

    /// A body of a kind.
    pub fn kind<K: PyClass<BaseType = Self>>(kind: K, body: impl Into<Body>, made: Made) -> PyClassInitializer<K> {
        PyClassInitializer::from(Self::base(body, made)).add_subclass(kind)
    }
}

/// The numbers of a matrix as an array.
fn matrix<'py>(py: Python<'py>, matrix: &Mat3) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, &matrix.transpose().to_cols_array()).reshape([3, 3])
}

#[pymethods]
impl PyBody {
    /// The volume; zero of surfaces, points and half-spaces.
    ///
    /// >>> clearance.Shape.cuboid([1, 2, 3]).volume
    /// 48.0
    #[getter]
    fn volume(&self) -> f64 {
        self.body.mass().0
    }

    /// The centre of the volume, or of the surface where there is none.
    #[getter]
    fn centroid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        answer::vector(py, self.body.mass().1)
    }

    /// The inertia of density one about the centroid, along the body's axes: a 3 × 3 matrix.
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let properties = self.body.mass_properties();
        matrix(py, &properties.inertia_about(properties.centroid))
    }

    /// A ball of this radius about the body's origin contains it.
    #[getter]
    fn bounding_radius(&self) -> f64 {
        self.body.bounding_radius()
    }

    /// By how much the body is larger than its geometry.
    #[getter]
    fn padding(&self) -> f64 {
        self.body.padding()
    }

    /// The least and the greatest coordinates at a pose, as an array of two rows.
    ///
    /// >>> clearance.Shape.sphere(1).aabb([5, 0, 0]).tolist()
    /// [[4.0, -1.0, -1.0], [6.0, 1.0, 1.0]]
    #[pyo3(signature = (pose = None))]
    fn aabb<'py>(&self, py: Python<'py>, pose: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = self.body.aabb(&crate::pose::pose("pose", pose)?);
        answer::points(py, &[bounds.min, bounds.max])
    }

    /// Triangles of the surface to look at, an array of shape (m, 3, 3) in the body's frame: exact for flat faces, hulls of many points for
    /// curved ones, without padding; of a half-space a square.
    ///
    /// >>> clearance.Shape.cuboid([1, 1, 1]).surface().shape
    /// (12, 3, 3)
    fn surface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let corners = py.detach(|| triangles_of(&self.body)).into_flattened();
        let numbers: Vec<f64> = corners.iter().flat_map(|corner| corner.to_array()).collect();
        PyArray1::from_vec(py, numbers).reshape([corners.len() / 3, 3, 3])
    }

    /// A point of the body that is farthest along a direction, in the body's frame.
    ///
    /// >>> clearance.Shape.cuboid([1, 1, 1]).support([1, 2, -3]).tolist()
    /// [1.0, 1.0, -1.0]
    fn support<'py>(&self, direction: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let towards = vec3("direction", direction)?;
        if !(towards.is_finite() && towards.length_squared() > 0.0) {
            return Err(crate::errors::DirectionError::new_err("direction: it must be finite and not zero"));
        }
        answer::vector(direction.py(), self.body.support(towards))
    }

    /// The body, larger by a padding on all sides.
    ///
    /// >>> clearance.overlap(clearance.Shape.sphere(1).padded(0.5), None, clearance.Shape.sphere(1), [2.4, 0, 0]).overlap
    /// True
    fn padded(slf: &Bound<'_, Self>, padding: f64) -> PyResult<Py<Self>> {
        let py = slf.py();
        let body = raised(slf.get().body.clone().padded(padding))?;
        let made = Made::new("Body.padded", (slf, padding).into_pyobject(py)?)?;
        Py::new(py, Self::base(body, made.shown(format!("{}.padded({padding:?})", slf.get().made.shown))))
    }

    fn __repr__(&self) -> &str {
        &self.made.shown
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let (a, b) = (&slf.get().made, &other.get().made);
        Ok(a.call == b.call && a.arguments.bind(slf.py()).as_any().eq(b.arguments.bind(slf.py()))?)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        slf.get().made.arguments.bind(slf.py()).as_any().hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Call<'py, (&'static str, Bound<'py, PyTuple>)>> {
        let (py, made) = (slf.py(), &slf.get().made);
        let remake = py.import(intern!(py, "clearance._pickle"))?.getattr(intern!(py, "remake"))?;
        Ok((remake, (made.call, made.arguments.bind(py).clone())))
    }
}

/// A pair of a body and its pose inside a whole: a body, or a pair of a body and a pose.
pub fn placed<'py>(field: &str, object: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyBody>, clearance::Pose)> {
    if let Ok(body) = object.cast::<PyBody>() {
        return Ok((body.clone(), clearance::Pose::IDENTITY));
    }
    if let Some([body, place]) = crate::pose::two(object)?
        && let Ok(body) = body.cast_into::<PyBody>()
    {
        return Ok((body, pose(&format!("{field}.pose"), Some(&place))?));
    }
    Err(crate::errors::argument(
        field,
        format_args!("expected a body or a pair (body, pose), got {}", crate::input::class_name(object)),
    ))
}
