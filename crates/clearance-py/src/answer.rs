//! Answers for Python: objects of the frozen classes in `clearance._answers`, with read-only arrays.

use clearance::world::{BodyId, ContactPair, Event, EventKind, NearBody, NearPair, Statistics};
use clearance::{
    Cast, Closest, Contact, ContactPoint, Cut, Element, End, Feature, Intersection, Manifold, Moved, Overlap,
    Projection, PushOut, Range, RangeEnd, RayHit, Side, Slid, SlideEnd, Start, Vec3, Within, Witness,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use crate::pose::PyPose;

/// Something that Python sees as an answer.
pub trait Answer {
    /// The Python object.
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// Calls a class of `clearance._answers` with the fields in their order.
macro_rules! object {
    ($py:expr, $name:literal, $($field:expr),+ $(,)?) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        CLASS.import($py, "clearance._answers", $name)?.call1(($($field,)+))
    }};
}

/// A member of an enumeration of `clearance._answers` by its number.
macro_rules! member {
    ($py:expr, $name:literal, $number:expr) => {{
        static MEMBERS: PyOnceLock<Py<PyTuple>> = PyOnceLock::new();
        MEMBERS.import($py, "clearance._answers", $name)?.get_item($number as usize)
    }};
}

/// Numbers as a read-only array.
pub fn numbers<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let array = PyArray1::from_slice(py, numbers);
    array.try_readwrite()?.make_nonwriteable();
    Ok(array)
}

/// A vector as a read-only array.
pub fn vector(py: Python<'_>, vector: Vec3) -> PyResult<Bound<'_, PyArray1<f64>>> {
    numbers(py, &vector.to_array())
}

/// Points as a read-only array of shape (n, 3).
pub fn points<'py>(py: Python<'py>, points: &[Vec3]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> = points.iter().flat_map(|point| point.to_array()).collect();
    let array = PyArray1::from_vec(py, numbers).reshape([points.len(), 3])?;
    array.try_readwrite()?.make_nonwriteable();
    Ok(array)
}

/// The number of an element's kind in arrays and enumerations, and its two indices.
pub fn element_code(element: Element) -> (u8, [u32; 2]) {
    match element {
        Element::Vertex(vertex) => (0, [vertex, u32::MAX]),
        Element::Edge(ends) => (1, ends),
        Element::Face(face) => (2, [face, u32::MAX]),
        Element::Smooth => (3, [u32::MAX; 2]),
        Element::Whole => (4, [u32::MAX; 2]),
    }
}

/// The number of a contact in arrays.
pub fn contact_code(contact: Contact) -> u8 {
    match contact {
        Contact::Apart => 0,
        Contact::Touching => 1,
        Contact::Overlapping => 2,
    }
}

/// The number of an end in arrays.
pub fn end_code(end: End) -> u8 {
    match end {
        End::Converged => 0,
        End::IterationLimit => 1,
        End::Degenerate => 2,
    }
}

impl Answer for End {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        member!(py, "ENDS", end_code(*self))
    }
}

impl Answer for Contact {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        member!(py, "CONTACTS", contact_code(*self))
    }
}

impl Answer for Cut {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let number = match self {
            Self::Piercing => 0,
            Self::Protruding => 1,
            Self::InsideB => 2,
            Self::InsideA => 3,
            Self::Duplicate => 4,
        };
        member!(py, "CUTS", number)
    }
}

impl Answer for SlideEnd {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let number = match self {
            Self::Free => 0,
            Self::Slid => 1,
            Self::Stopped => 2,
            Self::StepLimit => 3,
            Self::Overlapping => 4,
        };
        member!(py, "SLIDE_ENDS", number)
    }
}

impl Answer for Feature {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let element = member!(py, "ELEMENTS", element_code(self.element).0)?;
        let index = match self.element {
            Element::Vertex(index) | Element::Face(index) => PyTuple::new(py, [index])?,
            Element::Edge(ends) => PyTuple::new(py, ends)?,
            Element::Smooth | Element::Whole => PyTuple::empty(py),
        };
        object!(py, "Feature", self.part, element, index)
    }
}

impl<T: Answer, const N: usize> Answer for [T; N] {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        list(py, self)
    }
}

impl<T: Answer> Answer for Option<T> {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.as_ref().map_or_else(|| Ok(py.None().into_bound(py)), |answer| answer.answer(py))
    }
}

impl<T: Answer> Answer for Vec<T> {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        list(py, self)
    }
}

/// Answers as a tuple.
pub fn list<'py, T: Answer>(py: Python<'py>, answers: &[T]) -> PyResult<Bound<'py, PyAny>> {
    let objects = answers.iter().map(|answer| answer.answer(py)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, objects)?.into_any())
}

impl Answer for Closest {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (contact, end) = (self.contact.answer(py)?, self.end.answer(py)?);
        let (places, normal) = (points(py, &self.points)?, vector(py, self.normal)?);
        let features = self.features.answer(py)?;
        object!(
            py,
            "Closest",
            self.distance,
            self.lower,
            self.upper,
            places,
            normal,
            features,
            contact,
            end,
            self.iterations
        )
    }
}

impl Answer for Witness {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let none = || py.None().into_bound(py);
        match *self {
            Self::Plane { normal, offset_a, offset_b } => {
                object!(py, "Witness", "plane", vector(py, normal)?, (offset_a, offset_b), none(), none())
            }
            Self::Point(point) => object!(py, "Witness", "point", none(), none(), points(py, &[point])?, none()),
            Self::Gap(gap) => object!(py, "Witness", "gap", none(), none(), none(), gap),
            Self::Points(both) => object!(py, "Witness", "points", none(), none(), points(py, &both)?, none()),
        }
    }
}

impl Answer for Overlap {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object!(py, "Overlap", self.overlap, self.witness.answer(py)?, self.end.answer(py)?, self.iterations)
    }
}

impl Answer for Within {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (witness, end) = (self.witness.answer(py)?, self.end.answer(py)?);
        object!(py, "Within", self.within, witness, self.lower, self.upper, end, self.iterations)
    }
}

impl Answer for ContactPoint {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (places, normal) = (points(py, &self.points)?, vector(py, self.normal)?);
        object!(py, "ContactPoint", places, normal, self.distance, self.features.answer(py)?)
    }
}

impl Answer for Manifold {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (normal, found) = (vector(py, self.normal)?, list(py, &self.points)?);
        object!(py, "Manifold", normal, self.distance, found, self.end.answer(py)?)
    }
}

impl Answer for Cast {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (start, way_out) = match self.start {
            Start::Apart => (Contact::Apart, None),
            Start::Touching => (Contact::Touching, None),
            Start::Overlapping { way_out } => (Contact::Overlapping, Some(vector(py, way_out)?)),
        };
        let (start, hit, end) = (start.answer(py)?, self.hit.answer(py)?, self.end.answer(py)?);
        object!(py, "Cast", self.fraction, self.lower, self.upper, start, way_out, hit, end, self.iterations)
    }
}

impl Answer for RayHit {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (point, normal) = (vector(py, self.point)?, vector(py, self.normal)?);
        let side = if self.side == Side::Front { "front" } else { "back" };
        let (feature, end) = (self.feature.answer(py)?, self.end.answer(py)?);
        object!(py, "RayHit", self.t, self.lower, self.upper, point, normal, feature, side, self.inside, end)
    }
}

impl Answer for Projection {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (nearest, normal) = (vector(py, self.nearest)?, vector(py, self.normal)?);
        let (feature, contact, end) = (self.feature.answer(py)?, self.contact.answer(py)?, self.end.answer(py)?);
        object!(py, "Projection", self.distance, self.lower, self.upper, nearest, normal, feature, contact, end)
    }
}

impl Answer for RangeEnd {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (places, normal) = (points(py, &self.points)?, vector(py, self.normal)?);
        let (features, end) = (self.features.answer(py)?, self.end.answer(py)?);
        object!(py, "RangeEnd", self.at, self.lower, self.upper, places, normal, features, end)
    }
}

impl Answer for Range {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object!(py, "Range", self.ends.answer(py)?, self.distance(), self.iterations)
    }
}

impl Answer for Intersection {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let curves = self.curves.iter().map(|curve| points(py, curve)).collect::<PyResult<Vec<_>>>()?;
        let bounds = points(py, &[self.bounds.min, self.bounds.max])?;
        let volume = PyTuple::new(py, self.volume)?;
        let (cut, end) = (self.cut.answer(py)?, self.end.answer(py)?);
        object!(py, "Intersection", cut, PyTuple::new(py, curves)?, bounds, volume, end)
    }
}

impl Answer for PushOut {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object!(py, "PushOut", vector(py, self.translation)?, self.near.answer(py)?, self.end.answer(py)?)
    }
}

impl Answer for Slid {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hits = self.hits.iter().map(|(which, hit)| Ok((*which, hit.answer(py)?)));
        let hits = PyTuple::new(py, hits.collect::<PyResult<Vec<_>>>()?)?;
        let way_out = self.way_out.map(|way| vector(py, way)).transpose()?;
        object!(py, "Slid", PyPose(self.pose), hits, vector(py, self.left)?, self.end.answer(py)?, way_out, self.zone)
    }
}

impl Answer for Moved {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [translation, rotation] = [&self.translation, &self.rotation].map(|(which, cast)| (*which, cast));
        let translation = (translation.0, translation.1.answer(py)?);
        let rotation = (rotation.0, rotation.1.answer(py)?);
        object!(py, "Moved", PyPose(self.pose), translation, rotation)
    }
}

/// Names a body of a world. The id of a removed body never becomes valid again.
#[pyclass(frozen, eq, ord, hash, name = "BodyId", module = "clearance")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyBodyId(pub BodyId);

#[pymethods]
impl PyBodyId {
    /// Where the body is in tables indexed by body: small, and used again after a removal.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("BodyId({})", self.0.index())
    }
}

impl Answer for Event {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let kind = match self.kind {
            EventKind::Begin => "begin",
            EventKind::Persist => "persist",
            EventKind::End => "end",
        };
        let [a, b] = self.bodies.map(PyBodyId);
        object!(py, "Event", kind, (a, b), self.before.answer(py)?)
    }
}

impl Answer for NearPair {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [a, b] = self.bodies.map(PyBodyId);
        object!(py, "NearPair", (a, b), self.closest.answer(py)?)
    }
}

impl Answer for NearBody {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object!(py, "NearBody", PyBodyId(self.body), self.closest.answer(py)?)
    }
}

impl Answer for ContactPair {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [a, b] = self.bodies.map(PyBodyId);
        object!(py, "ContactPair", (a, b), self.manifold.answer(py)?, self.is_kept)
    }
}

impl Answer for Statistics {
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (asleep, surprises) = (self.asleep, self.surprises);
        object!(
            py,
            "Statistics",
            self.pairs,
            self.beyond_spheres,
            asleep,
            self.tested,
            self.kept,
            self.touching,
            self.supports,
            surprises
        )
    }
}

/// What a step of a world tells.
pub fn step<'py>(
    py: Python<'py>,
    events: &[Event],
    near: &[NearPair],
    contacts: &[ContactPair],
    statistics: &Statistics,
) -> PyResult<Bound<'py, PyAny>> {
    object!(py, "Step", list(py, events)?, list(py, near)?, list(py, contacts)?, statistics.answer(py)?)
}

/// An exact distance: its neighbours among the doubles, and those of its square.
pub fn exact_distance<'py>(py: Python<'py>, distance: &clearance::exact::Distance) -> PyResult<Bound<'py, PyAny>> {
    let ([lower, upper], [least, most]) = (distance.bounds(), distance.square_bounds());
    object!(py, "ExactDistance", lower, upper, (least, most))
}

/// A certificate: its text and what it claims.
pub fn certificate<'py>(py: Python<'py>, of: &clearance::exact::Certificate) -> PyResult<Bound<'py, PyAny>> {
    object!(py, "Certificate", of.to_string(), of.lower(), of.upper(), of.free_until())
}

/// The least clearance along a path.
pub fn path_clearance<'py>(py: Python<'py>, found: &clearance_robot::PathClearance) -> PyResult<Bound<'py, PyAny>> {
    let pair = found.near.map(|near| (near.pair[0], near.pair[1]));
    let places = found.near.map(|near| points(py, &near.points)).transpose()?;
    let normal = found.near.map(|near| vector(py, near.normal)).transpose()?;
    object!(
        py,
        "PathClearance",
        found.clearance,
        found.lower,
        found.upper,
        found.time,
        pair,
        places,
        normal,
        found.steps
    )
}

/// A finding about two parts of a scene.
pub fn finding<'py>(
    py: Python<'py>,
    found: &clearance_io::check::Finding,
    parts: (&str, &str),
) -> PyResult<Bound<'py, PyAny>> {
    let places = found.points.map(|both| points(py, &both)).transpose()?;
    let normal = found.normal.map(|normal| vector(py, normal)).transpose()?;
    let volume = found.volume.map(|[least, most]| (least, most));
    object!(py, "Finding", found.kind.name(), parts, found.distance, found.lower, found.upper, places, normal, volume)
}

/// Convex parts of a solid.
pub fn decomposition<'py>(
    py: Python<'py>,
    parts: Bound<'py, PyTuple>,
    error: f64,
    end: End,
) -> PyResult<Bound<'py, PyAny>> {
    object!(py, "Decomposition", parts, error, end.answer(py)?)
}
