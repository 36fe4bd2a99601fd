//! `Scene`: parts in their places, every clash of them, and the HTML report.

use std::path::PathBuf;

use clearance_io::check::{CheckOptions, Checked, check};
use clearance_io::scene::{Assembly, Geometry, Part, Rules};
use clearance_io::{Surface, report};
use clearance_terminal::Progress;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer;
use crate::body::{Call, PyBody};
use crate::errors::{FileError, argument};
use crate::pose::{PyPose, pose};
use crate::surface::triangles_of;
use crate::threads::pool;

/// Parts in their places: which of them clash, and a report to look at.
///
/// Parts are triples (name, body, pose). `clearance` is the distance that all pairs must keep.
///
/// >>> scene = clearance.Scene([("plate", clearance.Shape.cuboid([1, 1, 0.1]), None), ("rod", clearance.Shape.cuboid([0.2, 0.2, 2]), None)])
/// >>> [(found.kind, found.parts, round(found.distance, 6)) for found in scene.check()]
/// [('piercing', ('plate', 'rod'), -1.2)]
#[pyclass(frozen, name = "Scene", module = "clearance")]
#[derive(Debug)]
pub struct PyScene {
    assembly: Assembly,
    given: Py<PyTuple>,
    clearance: f64,
}

#[pymethods]
impl PyScene {
    #[new]
    #[pyo3(signature = (parts, *, clearance = 0.0, title = "scene"))]
    fn new(parts: &Bound<'_, PyAny>, clearance: f64, title: &str) -> PyResult<Self> {
        if !(clearance >= 0.0 && clearance.is_finite()) {
            return Err(argument("clearance", format_args!("{clearance} is no distance")));
        }
        let list = parts.try_iter().map_err(|_| argument("parts", "expected a sequence of (name, body, pose)"))?;
        let (mut geometry, mut placed, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (number, object) in list.enumerate() {
            let field = format!("parts[{number}]");
            let wrong = || argument(&field, "expected (name, body, pose)");
            let (name, body, place): (String, Bound<'_, PyAny>, Bound<'_, PyAny>) =
                object?.extract().map_err(|_| wrong())?;
            let part = body.cast_into::<PyBody>().map_err(|_| wrong())?;
            let (body, pose) = (part.get().body.clone(), pose(&format!("{field}.pose"), Some(&place))?);
            given.push((name.clone(), part, PyPose(pose)));
            let corners: Vec<clearance::Vec3> = triangles_of(&body).into_flattened();
            let triangles = (0..corners.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let surface = Surface { name: name.clone(), vertices: corners, triangles };
            geometry.push(Geometry::of_body(name.clone(), body, surface));
            placed.push(Part { name, path: Vec::new(), group: None, colour: None, geometry: number, pose });
        }
        let assembly = Assembly {
            title: title.to_owned(),
            unit: None,
            up: clearance_io::Up::default(),
            geometry,
            parts: placed,
            timeline: None,
            rules: Rules::default().with_clearance(clearance),
            notes: Vec::new(),
        };
        Ok(Self { assembly, given: PyTuple::new(parts.py(), given)?.unbind(), clearance })
    }

    /// Every clash, and what touches, by the parts.
    #[pyo3(signature = (*, threads = None))]
    fn check<'py>(&self, py: Python<'py>, threads: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        let checked = self.checked(py, threads)?;
        let name = |part: usize| self.assembly.parts[part].name.as_str();
        let findings =
            checked.findings.iter().map(|finding| answer::finding(py, finding, (name(finding.a), name(finding.b))));
        Ok(PyTuple::new(py, findings.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }

    /// Writes the findings as one HTML page that opens offline, and returns how many clashes there are.
    #[pyo3(signature = (path, *, threads = None))]
    fn report(&self, py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<usize> {
        let checked = self.checked(py, threads)?;
        let written = py.detach(|| {
            let page = report::html(&report::report(&self.assembly, &checked, true));
            clearance_io::write::write_whole(&path, page.as_bytes())
        });
        written.map_err(|error| FileError::new_err(format!("{}: {error}", path.display())))?;
        Ok(checked.findings.iter().filter(|finding| finding.kind.is_clash()).count())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Call<'py, (Bound<'py, PyTuple>, f64, String)>> {
        let (py, own) = (slf.py(), slf.get());
        let remake = py.import("clearance._pickle")?.getattr("remake_scene")?;
        Ok((remake, (own.given.bind(py).clone(), own.clearance, own.assembly.title.clone())))
    }

    fn __len__(&self) -> usize {
        self.assembly.parts.len()
    }

    fn __repr__(&self) -> String {
        format!("Scene('{}', <{} parts>)", self.assembly.title, self.assembly.parts.len())
    }
}

impl PyScene {
    fn checked(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<Checked> {
        let pool = pool(threads)?;
        let found = py.detach(|| pool.install(|| check(&self.assembly, &CheckOptions::default(), &Progress::hidden())));
        found.map_err(|error| argument("parts", error))
    }
}
