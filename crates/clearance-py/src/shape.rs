//! `Shape`: convex bodies.

use clearance::{Body, Part, Polytope, Shape, Vec3};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::body::{Made, PyBody, bytes_of, frozen, placed, tuple};
use crate::errors::{argument, raised};
use crate::input::{points, vec3, vector};
use crate::pose::PyPose;

/// A convex body. Lengths are half extents and radii; the origin is the centroid.
///
/// >>> clearance.Shape.cuboid([1, 1, 1])
/// Shape.cuboid((1.0, 1.0, 1.0))
/// >>> clearance.Shape.sphere(-1)
/// Traceback (most recent call last):
/// clearance.ShapeError: radius is -1; it must be positive and finite, 1e-75 to 1e75
#[pyclass(frozen, extends = PyBody, name = "Shape", module = "clearance")]
#[derive(Debug)]
pub struct PyShape;

/// A shape that was made, with the call that made it.
fn made<'py>(
    py: Python<'py>,
    call: &'static str,
    shape: Result<Shape, clearance::ShapeError>,
    arguments: Bound<'py, PyTuple>,
) -> PyResult<Py<PyShape>> {
    let made = Made::new(call, arguments)?;
    Py::new(py, PyBody::kind(PyShape, raised(shape)?, made))
}

/// A shape of many points, shown by their number.
fn of_points(
    py: Python<'_>,
    call: &'static str,
    object: &Bound<'_, PyAny>,
    make: impl Fn(&[Vec3]) -> Result<Shape, clearance::ShapeError> + Send + Sync,
) -> PyResult<Py<PyShape>> {
    let points = points("points", object)?;
    let shape = py.detach(|| make(&points));
    let bytes = bytes_of(points.iter().flat_map(|point| point.to_array()));
    let arguments = (frozen(py, "f8", &[points.len(), 3], &bytes)?,).into_pyobject(py)?;
    let made = Made::new(call, arguments)?.shown(format!("{call}(<{} points>)", points.len()));
    Py::new(py, PyBody::kind(PyShape, raised(shape)?, made))
}

/// A polytope as a shape, made again from its vertices.
pub fn of_polytope(py: Python<'_>, polytope: &Polytope) -> PyResult<Py<PyShape>> {
    let vertices = polytope.vertices();
    let bytes = bytes_of(vertices.iter().flat_map(|vertex| vertex.to_array()));
    let arguments = (frozen(py, "f8", &[vertices.len(), 3], &bytes)?,).into_pyobject(py)?;
    let made = Made::new("Shape.polytope", arguments)?.shown(format!("Shape.polytope(<{} points>)", vertices.len()));
    Py::new(py, PyBody::kind(PyShape, Shape::from(polytope.clone()), made))
}

/// The shape of a body, where a convex one is needed.
pub fn convex(field: &str, body: &Bound<'_, PyBody>) -> PyResult<Shape> {
    match &body.get().body {
        Body::Convex(shape) => Ok(shape.clone()),
        _ => Err(argument(field, "expected a Shape, which is convex")),
    }
}

/// A shape made of two, each with its pose in the whole.
fn of_two(
    py: Python<'_>,
    call: &'static str,
    [a, b]: [&Bound<'_, PyAny>; 2],
    make: impl Fn(Part, Part) -> Shape,
) -> PyResult<Py<PyShape>> {
    let ((body_a, pose_a), (body_b, pose_b)) = (placed("a", a)?, placed("b", b)?);
    let part = |field, body, pose| Ok::<_, PyErr>(Part { shape: convex(field, body)?, pose });
    let shape = make(part("a", &body_a, pose_a)?, part("b", &body_b, pose_b)?);
    let arguments = ((body_a, PyPose(pose_a)), (body_b, PyPose(pose_b))).into_pyobject(py)?;
    made(py, call, Ok(shape), arguments)
}

#[pymethods]
impl PyShape {
    /// The origin.
    #[staticmethod]
    fn point(py: Python<'_>) -> PyResult<Py<Self>> {
        made(py, "Shape.point", Ok(Shape::point()), PyTuple::empty(py))
    }

    /// A segment along x.
    #[staticmethod]
    fn segment(py: Python<'_>, half_length: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.segment", Shape::segment(half_length), (half_length,).into_pyobject(py)?)
    }

    /// A rectangle in the plane of x and y, by its two half extents.
    #[staticmethod]
    fn rectangle(half_extents: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, sides) = (half_extents.py(), vector::<2>("half_extents", half_extents)?);
        made(py, "Shape.rectangle", Shape::rectangle(sides), (tuple(py, &sides)?,).into_pyobject(py)?)
    }

    /// A box, by its three half extents.
    ///
    /// >>> round(clearance.Shape.cuboid([0.5, 1, 2]).volume, 12)
    /// 8.0
    #[staticmethod]
    fn cuboid(half_extents: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, sides) = (half_extents.py(), vector::<3>("half_extents", half_extents)?);
        made(py, "Shape.cuboid", Shape::cuboid(sides), (tuple(py, &sides)?,).into_pyobject(py)?)
    }

    /// A disc in the plane of x and y.
    #[staticmethod]
    fn disc(py: Python<'_>, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.disc", Shape::disc(radius), (radius,).into_pyobject(py)?)
    }

    /// A ball.
    #[staticmethod]
    fn sphere(py: Python<'_>, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.sphere", Shape::sphere(radius), (radius,).into_pyobject(py)?)
    }

    /// An ellipse in the plane of x and y, by its two semi-axes.
    #[staticmethod]
    fn ellipse(radii: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, sides) = (radii.py(), vector::<2>("radii", radii)?);
        made(py, "Shape.ellipse", Shape::ellipse(sides), (tuple(py, &sides)?,).into_pyobject(py)?)
    }

    /// An ellipsoid, by its three semi-axes.
    #[staticmethod]
    fn ellipsoid(radii: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, sides) = (radii.py(), vector::<3>("radii", radii)?);
        made(py, "Shape.ellipsoid", Shape::ellipsoid(sides), (tuple(py, &sides)?,).into_pyobject(py)?)
    }

    /// A capsule along x: a segment of this half length, rounded.
    #[staticmethod]
    fn capsule(py: Python<'_>, half_length: f64, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.capsule", Shape::capsule(half_length, radius), (half_length, radius).into_pyobject(py)?)
    }

    /// A rectangle in the plane of x and y, rounded.
    #[staticmethod]
    fn lozenge(half_extents: &Bound<'_, PyAny>, radius: f64) -> PyResult<Py<Self>> {
        let (py, sides) = (half_extents.py(), vector::<2>("half_extents", half_extents)?);
        made(py, "Shape.lozenge", Shape::lozenge(sides, radius), (tuple(py, &sides)?, radius).into_pyobject(py)?)
    }

    /// A box, rounded: larger than its half extents by the radius.
    #[staticmethod]
    fn round_box(half_extents: &Bound<'_, PyAny>, radius: f64) -> PyResult<Py<Self>> {
        let (py, sides) = (half_extents.py(), vector::<3>("half_extents", half_extents)?);
        made(py, "Shape.round_box", Shape::round_box(sides, radius), (tuple(py, &sides)?, radius).into_pyobject(py)?)
    }

    /// A cylinder along z.
    #[staticmethod]
    fn cylinder(py: Python<'_>, half_height: f64, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.cylinder", Shape::cylinder(half_height, radius), (half_height, radius).into_pyobject(py)?)
    }

    /// A cone along z with the apex on top; the base is a quarter of the height below the origin.
    #[staticmethod]
    fn cone(py: Python<'_>, height: f64, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.cone", Shape::cone(height, radius), (height, radius).into_pyobject(py)?)
    }

    /// A disc in the plane of x and y, rounded.
    #[staticmethod]
    fn wheel(py: Python<'_>, disc_radius: f64, radius: f64) -> PyResult<Py<Self>> {
        made(py, "Shape.wheel", Shape::wheel(disc_radius, radius), (disc_radius, radius).into_pyobject(py)?)
    }

    /// A frustum along z: a rectangle at either end, by their half extents, and the height.
    #[staticmethod]
    fn frustum(bottom: &Bound<'_, PyAny>, top: &Bound<'_, PyAny>, height: f64) -> PyResult<Py<Self>> {
        let (py, low, high) = (bottom.py(), vector::<2>("bottom", bottom)?, vector::<2>("top", top)?);
        let arguments = (tuple(py, &low)?, tuple(py, &high)?, height).into_pyobject(py)?;
        made(py, "Shape.frustum", Shape::frustum(low, high, height), arguments)
    }

    /// A cylinder along z with another radius at its top.
    #[staticmethod]
    fn tapered_cylinder(py: Python<'_>, bottom_radius: f64, top_radius: f64, height: f64) -> PyResult<Py<Self>> {
        let shape = Shape::tapered_cylinder(bottom_radius, top_radius, height);
        made(py, "Shape.tapered_cylinder", shape, (bottom_radius, top_radius, height).into_pyobject(py)?)
    }

    /// A capsule along x with a radius at either end.
    #[staticmethod]
    fn tapered_capsule(py: Python<'_>, half_length: f64, radii: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let ends = vector::<2>("radii", radii)?;
        let arguments = (half_length, tuple(py, &ends)?).into_pyobject(py)?;
        made(py, "Shape.tapered_capsule", Shape::tapered_capsule(half_length, ends), arguments)
    }

    /// A capsule between two points.
    #[staticmethod]
    fn capsule_between(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, radius: f64) -> PyResult<Py<Self>> {
        between("Shape.capsule_between", [("start", start), ("end", end)], &[radius], |a, b| {
            Shape::capsule_between(a, b, radius)
        })
    }

    /// A cylinder between two points.
    #[staticmethod]
    fn cylinder_between(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, radius: f64) -> PyResult<Py<Self>> {
        between("Shape.cylinder_between", [("start", start), ("end", end)], &[radius], |a, b| {
            Shape::cylinder_between(a, b, radius)
        })
    }

    /// A cone between the centre of its base and its apex.
    #[staticmethod]
    fn cone_between(base: &Bound<'_, PyAny>, apex: &Bound<'_, PyAny>, radius: f64) -> PyResult<Py<Self>> {
        between("Shape.cone_between", [("base", base), ("apex", apex)], &[radius], |a, b| {
            Shape::cone_between(a, b, radius)
        })
    }

    /// A capsule between two points with a radius at either end.
    #[staticmethod]
    fn tapered_capsule_between(
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let ends = vector::<2>("radii", radii)?;
        between("Shape.tapered_capsule_between", [("start", start), ("end", end)], &ends, |a, b| {
            Shape::tapered_capsule_between(a, b, ends)
        })
    }

    /// A cylinder between two points with a radius at either end.
    #[staticmethod]
    fn tapered_cylinder_between(
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let ends = vector::<2>("radii", radii)?;
        between("Shape.tapered_cylinder_between", [("start", start), ("end", end)], &ends, |a, b| {
            Shape::tapered_cylinder_between(a, b, ends)
        })
    }

    /// A triangle, by its three corners.
    #[staticmethod]
    fn triangle(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_points(py, "Shape.triangle", points, |points| match points {
            &[a, b, c] => Shape::triangle([a, b, c]),
            _ => Err(clearance::ShapeError::PointCount { count: points.len() }),
        })
    }

    /// The convex hull of points, an array of shape (n, 3).
    ///
    /// >>> clearance.Shape.polytope([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// Shape.polytope(<4 points>)
    #[staticmethod]
    fn polytope(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_points(py, "Shape.polytope", points, Shape::polytope)
    }

    /// A flat convex polygon: the hull of points in one plane.
    #[staticmethod]
    fn polygon(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_points(py, "Shape.polygon", points, Shape::polygon)
    }

    /// The Minkowski sum of two shapes, each a Shape or a pair (Shape, pose).
    #[staticmethod]
    fn sum(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_two(a.py(), "Shape.sum", [a, b], Shape::sum)
    }

    /// The Minkowski difference of two shapes, each a Shape or a pair (Shape, pose).
    #[staticmethod]
    fn difference(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_two(a.py(), "Shape.difference", [a, b], Shape::difference)
    }

    /// The convex hull of two shapes, each a Shape or a pair (Shape, pose).
    ///
    /// >>> ball = clearance.Shape.sphere(1)
    /// >>> clearance.Shape.hull(ball, (ball, [3, 0, 0])).support([1, 0, 0]).round(9).tolist()
    /// [4.0, 0.0, 0.0]
    #[staticmethod]
    fn hull(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        of_two(a.py(), "Shape.hull", [a, b], Shape::hull)
    }

    /// The shape, rounded: larger by a radius on all sides.
    ///
    /// >>> clearance.Shape.segment(1).rounded(0.5).aabb().tolist()
    /// [[-1.5, -0.5, -0.5], [1.5, 0.5, 0.5]]
    fn rounded(slf: &Bound<'_, Self>, radius: f64) -> PyResult<Py<Self>> {
        let py = slf.py();
        let shape = convex("self", slf.as_super())?.rounded(radius);
        made(py, "Shape.rounded", shape, (slf, radius).into_pyobject(py)?)
    }

    /// The shape at a pose, as a shape.
    fn posed(slf: &Bound<'_, Self>, pose: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, place) = (slf.py(), crate::pose::pose("pose", Some(pose))?);
        let shape = convex("self", slf.as_super())?.posed(place);
        made(py, "Shape.posed", Ok(shape), (slf, PyPose(place)).into_pyobject(py)?)
    }
}

/// A shape between two points, with a radius or two.
fn between(
    call: &'static str,
    [start, end]: [(&str, &Bound<'_, PyAny>); 2],
    radii: &[f64],
    make: impl Fn(Vec3, Vec3) -> Result<Shape, clearance::ShapeError>,
) -> PyResult<Py<PyShape>> {
    let (py, a, b) = (start.1.py(), vec3(start.0, start.1)?, vec3(end.0, end.1)?);
    let radii = if let [one] = radii { one.into_pyobject(py)?.into_any() } else { tuple(py, radii)?.into_any() };
    let arguments = (tuple(py, &a.to_array())?, tuple(py, &b.to_array())?, radii).into_pyobject(py)?;
    made(py, call, make(a, b), arguments)
}
