//! `Compound`, `HeightField`, `PointCloud` and `HalfSpace`.

use clearance::{Body, Compound, HalfSpace, HeightField, PointCloud};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer;
use crate::body::{Made, PyBody, bytes_of, frozen, placed, tuple};
use crate::errors::{argument, raised};
use crate::input::{points, shaped, vec3, vector};
use crate::pose::PyPose;

/// Several bodies as one: parts that are bodies, or pairs (body, pose).
///
/// >>> bell = clearance.Compound([(clearance.Shape.sphere(1), [-2, 0, 0]), (clearance.Shape.sphere(1), [2, 0, 0])])
/// >>> len(bell), bell.aabb()[1].tolist()
/// (2, [3.0, 1.0, 1.0])
#[pyclass(frozen, extends = PyBody, name = "Compound", module = "clearance")]
#[derive(Debug)]
pub struct PyCompound;

#[pymethods]
impl PyCompound {
    #[new]
    fn new(parts: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let py = parts.py();
        let (mut bodies, mut given) = (Vec::new(), Vec::new());
        let list =
            parts.try_iter().map_err(|_| argument("parts", "expected a sequence of bodies or pairs (body, pose)"))?;
        for (part, object) in list.enumerate() {
            let (body, pose) = placed(&format!("parts[{part}]"), &object?)?;
            bodies.push((body.get().body.clone(), pose));
            given.push((body, PyPose(pose)));
        }
        let count = bodies.len();
        let compound = raised(py.detach(|| Compound::new(bodies)))?;
        let made = Made::new("Compound", (PyTuple::new(py, given)?,).into_pyobject(py)?)?;
        Ok(PyBody::kind(Self, compound, made.shown(format!("Compound(<{count} parts>)"))))
    }

    fn __len__(slf: &Bound<'_, Self>) -> usize {
        if let Body::Compound(compound) = &slf.as_super().get().body { compound.part_count() } else { 0 }
    }
}

/// A surface over a grid: rows of heights; numbers of a row go along x and rows along y, `cell` apart. With `holes`, NaN is a hole.
///
/// >>> field = clearance.HeightField([[0, 0, 0], [0, 1, 0], [0, 0, 0]], [1, 1])
/// >>> clearance.overlap(field, None, clearance.Shape.sphere(0.5), [1, 1, 1.4]).overlap
/// True
#[pyclass(frozen, extends = PyBody, name = "HeightField", module = "clearance")]
#[derive(Debug)]
pub struct PyHeightField;

#[pymethods]
impl PyHeightField {
    #[new]
    #[pyo3(signature = (heights, cell, holes = false))]
    fn new(heights: &Bound<'_, PyAny>, cell: &Bound<'_, PyAny>, holes: bool) -> PyResult<PyClassInitializer<Self>> {
        let py = heights.py();
        let (numbers, shape) = shaped("heights", heights)?;
        let cell = vector::<2>("cell", cell)?;
        let &[_, columns] = shape.as_slice() else {
            return Err(argument("heights", format_args!("expected an array of shape (rows, columns), got {shape:?}")));
        };
        let make = || {
            let rows: Vec<&[f64]> = numbers.chunks_exact(columns.max(1)).collect();
            if !holes {
                return HeightField::new(&rows, cell);
            }
            let some = |&height: &f64| (!height.is_nan()).then_some(height);
            let rows: Vec<Vec<Option<f64>>> = rows.iter().map(|row| row.iter().map(some).collect()).collect();
            HeightField::with_holes(&rows, cell)
        };
        let field = raised(py.detach(make))?;
        let given = frozen(py, "f8", &shape, &bytes_of(numbers.iter().copied()))?;
        let made = Made::new("HeightField", (given, tuple(py, &cell)?, holes).into_pyobject(py)?)?;
        Ok(PyBody::kind(Self, field, made.shown(format!("HeightField(<{} × {}>, {cell:?})", shape[0], columns))))
    }
}

/// Points with a radius: balls of one size.
///
/// >>> cloud = clearance.PointCloud([[0, 0, 0], [1, 0, 0]], 0.1)
/// >>> len(cloud), round(clearance.closest(cloud, None, clearance.Shape.point(), [2, 0, 0]).distance, 9)
/// (2, 0.9)
#[pyclass(frozen, extends = PyBody, name = "PointCloud", module = "clearance")]
#[derive(Debug)]
pub struct PyPointCloud;

#[pymethods]
impl PyPointCloud {
    #[new]
    #[pyo3(signature = (points, radius = 0.0))]
    fn new(points: &Bound<'_, PyAny>, radius: f64) -> PyResult<PyClassInitializer<Self>> {
        let py = points.py();
        let places = self::points("points", points)?;
        let cloud = raised(py.detach(|| PointCloud::new(&places, radius)))?;
        let given = frozen(py, "f8", &[places.len(), 3], &bytes_of(places.iter().flat_map(|place| place.to_array())))?;
        let made = Made::new("PointCloud", (given, radius).into_pyobject(py)?)?;
        Ok(PyBody::kind(Self, cloud, made.shown(format!("PointCloud(<{} points>, {radius:?})", places.len()))))
    }

    fn __len__(slf: &Bound<'_, Self>) -> usize {
        if let Body::PointCloud(cloud) = &slf.as_super().get().body { cloud.len() } else { 0 }
    }
}

/// All points x with `normal · x ≤ offset`; the normal is made a unit vector.
///
/// >>> floor = clearance.HalfSpace([0, 0, 1])
/// >>> clearance.closest(floor, None, clearance.Shape.sphere(1), [0, 0, 3]).distance
/// 2.0
#[pyclass(frozen, extends = PyBody, name = "HalfSpace", module = "clearance")]
#[derive(Debug)]
pub struct PyHalfSpace;

#[pymethods]
impl PyHalfSpace {
    #[new]
    #[pyo3(signature = (normal, offset = 0.0))]
    fn new(normal: &Bound<'_, PyAny>, offset: f64) -> PyResult<PyClassInitializer<Self>> {
        let (py, along) = (normal.py(), vec3("normal", normal)?);
        let half_space = raised(HalfSpace::new(along, offset))?;
        let made = Made::new("HalfSpace", (tuple(py, &along.to_array())?, offset).into_pyobject(py)?)?;
        Ok(PyBody::kind(Self, half_space, made))
    }

    /// The unit normal, out of the solid.
    #[getter]
    fn normal<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        match &slf.as_super().get().body {
            Body::HalfSpace(half_space) => answer::vector(slf.py(), half_space.normal()),
            _ => Err(argument("self", "not a half-space")),
        }
    }

    /// The offset of the surface along the unit normal.
    #[getter]
    fn offset(slf: &Bound<'_, Self>) -> f64 {
        if let Body::HalfSpace(half_space) = &slf.as_super().get().body { half_space.offset() } else { f64::NAN }
    }
}
