//! `Mesh`: solids and surfaces with flat faces.

use clearance::{Body, Kind, Mesh, MeshOptions};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer;
use crate::body::{Made, PyBody, bytes_of, frozen};
use crate::errors::{argument, raised};
use crate::input::{choice, indices, points, vector};

/// A mesh: a solid if it is closed, otherwise a surface.
///
/// Vertices are an array of shape (n, 3); faces an array of shape (m, 3) of indices, or rows of any length, counter-clockwise seen from
/// outside. `kind` is "auto", "solid" (an open mesh is an error), "surface" or "room". Nothing is repaired unless asked for.
///
/// >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
/// >>> mesh = clearance.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
/// >>> mesh.is_solid, mesh.is_convex, round(mesh.volume, 12)
/// (True, True, 0.166666666667)
/// >>> clearance.Mesh(corners, [[0, 1, 9]])
/// Traceback (most recent call last):
/// clearance.MeshError: faces[0] refers to vertex 9, but there are 4 vertices
#[pyclass(frozen, extends = PyBody, name = "Mesh", module = "clearance")]
#[derive(Debug)]
pub struct PyMesh;

const KINDS: [(&str, Kind); 4] =
    [("auto", Kind::Auto), ("solid", Kind::Solid), ("surface", Kind::Surface), ("room", Kind::Room)];

/// Faces as given: their corners in a row, and how many each has.
pub struct Faces {
    corners: Vec<u32>,
    counts: Vec<u32>,
}

impl Faces {
    /// An array of shape (m, k), or a sequence of rows of any lengths.
    fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ragged = object.cast::<pyo3::types::PyList>().ok().filter(|list| {
            let first = list.get_item(0).and_then(|row| row.len()).unwrap_or(0);
            list.iter().any(|row| row.len().unwrap_or(0) != first)
        });
        let mut faces = Self { corners: Vec::new(), counts: Vec::new() };
        if let Some(rows) = ragged {
            for (face, row) in rows.iter().enumerate() {
                let (corners, shape) = indices(&format!("faces[{face}]"), &row)?;
                if shape.len() != 1 {
                    return Err(argument(&format!("faces[{face}]"), "expected a row of indices"));
                }
                faces.counts.push(corners.len() as u32);
                faces.corners.extend(corners);
            }
            return Ok(faces);
        }
        let (corners, shape) = indices("faces", object)?;
        match shape.as_slice() {
            [0] => Ok(faces),
            &[count, each] => Ok(Self { corners, counts: vec![each as u32; count] }),
            _ => Err(argument(
                "faces",
                format_args!("expected an array of shape (m, 3) or rows of indices, got shape {shape:?}"),
            )),
        }
    }

    /// Those of a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let mut faces = Self { corners: Vec::new(), counts: Vec::new() };
        for face in 0..mesh.face_count() as u32 {
            let corners = mesh.face_vertices(face);
            faces.counts.push(corners.len() as u32);
            faces.corners.extend(corners);
        }
        faces
    }

    fn rows(&self) -> Vec<&[u32]> {
        let mut rest = self.corners.as_slice();
        let row = |&count: &u32| {
            let (row, after) = rest.split_at(count as usize);
            rest = after;
            row
        };
        self.counts.iter().map(row).collect()
    }

    /// As a plain value.
    pub fn frozen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_ne_bytes()).collect::<Vec<u8>>();
        let first = self.counts.first().copied().unwrap_or(3);
        if self.counts.iter().all(|&count| count == first) {
            return frozen(py, "u4", &[self.counts.len(), first as usize], &bytes(&self.corners));
        }
        let corners = frozen(py, "u4", &[self.corners.len()], &bytes(&self.corners))?;
        ("rows", corners, frozen(py, "u4", &[self.counts.len()], &bytes(&self.counts))?).into_pyobject(py)
    }
}

/// A mesh body of a mesh, made by this call.
pub fn mesh_body(py: Python<'_>, mesh: Mesh, made: Made) -> PyResult<Py<PyMesh>> {
    let shown = format!("Mesh(<{} vertices>, <{} faces>)", mesh.vertices().len(), mesh.face_count());
    Py::new(py, PyBody::kind(PyMesh, mesh, made.shown(shown)))
}

impl PyMesh {
    fn mesh<'a>(slf: &'a Bound<'_, Self>) -> PyResult<&'a Mesh> {
        match &slf.as_super().get().body {
            Body::Mesh(mesh) => Ok(mesh),
            _ => Err(argument("self", "not a mesh")),
        }
    }
}

#[pymethods]
impl PyMesh {
    #[new]
    #[pyo3(signature = (vertices, faces, kind = "auto", weld = false, weld_distance = 0.0, drop_degenerate = false,
        drop_unused = false, turn_outward = false))]
    #[allow(clippy::too_many_arguments)] // the options of a mesh by name
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        kind: &str,
        weld: bool,
        weld_distance: f64,
        drop_degenerate: bool,
        drop_unused: bool,
        turn_outward: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let taken = choice("kind", kind, &KINDS)?;
        let options = MeshOptions { kind: taken, weld, weld_distance, drop_degenerate, drop_unused, turn_outward };
        let (places, faces) = (points("vertices", vertices)?, Faces::read(faces)?);
        let mesh = raised(py.detach(|| Mesh::with_options(&places, &faces.rows(), &options)))?;
        let bytes = bytes_of(places.iter().flat_map(|place| place.to_array()));
        let places = frozen(py, "f8", &[places.len(), 3], &bytes)?;
        let arguments =
            (places, faces.frozen(py)?, kind, weld, weld_distance, drop_degenerate, drop_unused, turn_outward);
        let made = Made::new("Mesh", arguments.into_pyobject(py)?)?;
        let shown = format!("Mesh(<{} vertices>, <{} faces>)", mesh.vertices().len(), mesh.face_count());
        Ok(PyBody::kind(Self, mesh, made.shown(shown)))
    }

    /// The vertices, an array of shape (n, 3).
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        answer::points(slf.py(), Self::mesh(slf)?.vertices())
    }

    /// The triangles that the faces are cut into, an array of shape (m, 3, 3) of corners.
    #[getter]
    fn triangles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, numpy::PyArray3<f64>>> {
        let mesh = Self::mesh(slf)?;
        let corners = (0..mesh.triangle_count() as u32).flat_map(|triangle| mesh.triangle(triangle).0);
        let numbers: Vec<f64> = corners.flat_map(|corner| corner.to_array()).collect();
        PyArray1::from_vec(slf.py(), numbers).reshape([mesh.triangle_count(), 3, 3])
    }

    /// How many faces there are.
    #[getter]
    fn face_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::mesh(slf)?.face_count())
    }

    /// The indices of the vertices of a face.
    fn face(slf: &Bound<'_, Self>, face: u32) -> PyResult<Vec<u32>> {
        let mesh = Self::mesh(slf)?;
        if face as usize >= mesh.face_count() {
            return Err(argument("face", format_args!("{face} is none of the {} faces", mesh.face_count())));
        }
        Ok(mesh.face_vertices(face).to_vec())
    }

    /// Whether what the mesh encloses is part of it.
    #[getter]
    fn is_solid(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Self::mesh(slf)?.is_solid())
    }

    /// Whether it is a convex solid.
    #[getter]
    fn is_convex(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Self::mesh(slf)?.is_convex())
    }

    /// Whether it is a room: free space with all around it solid.
    #[getter]
    fn is_room(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Self::mesh(slf)?.is_room())
    }

    /// Pairs of faces that cross each other, up to a limit.
    #[pyo3(signature = (limit = 100))]
    fn self_intersections(slf: &Bound<'_, Self>, limit: usize) -> PyResult<Vec<[u32; 2]>> {
        let mesh = Self::mesh(slf)?;
        Ok(slf.py().detach(|| mesh.self_intersections(limit)))
    }

    /// What was repaired when the mesh was made, by the numbers of the input.
    #[getter]
    fn repairs<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let repairs = Self::mesh(slf)?.repairs();
        let found = pyo3::types::PyDict::new(slf.py());
        found.set_item("welded", &repairs.welded)?;
        found.set_item("dropped_faces", &repairs.dropped_faces)?;
        found.set_item("dropped_vertices", &repairs.dropped_vertices)?;
        found.set_item("turned_faces", &repairs.turned_faces)?;
        Ok(found)
    }

    /// The mesh scaled along x, y and z.
    ///
    /// >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    /// >>> mesh = clearance.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    /// >>> round(mesh.scaled([1, 2, 3]).volume, 12)
    /// 1.0
    fn scaled(slf: &Bound<'_, Self>, factors: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (py, by) = (slf.py(), vector::<3>("factors", factors)?);
        let mesh = raised(Self::mesh(slf)?.scaled(by))?;
        let made = Made::new("Mesh.scaled", (slf, crate::body::tuple(py, &by)?).into_pyobject(py)?)?;
        mesh_body(py, mesh, made)
    }
}

/// Convex parts that cover a solid mesh and reach no farther beyond it than the tolerance, at most so many of them.
///
/// >>> profile = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
/// >>> corners = [[x, y, z] for z in (0, 1) for x, y in profile]
/// >>> sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
/// >>> caps = [[3, 2, 1, 0], [5, 4, 3, 0], [6, 7, 8, 9], [6, 9, 10, 11]]
/// >>> found = clearance.decompose(clearance.Mesh(corners, caps + sides), 0.01)
/// >>> len(found.parts), found.error <= 0.01, found.end.name
/// (2, True, 'CONVERGED')
#[pyfunction]
#[pyo3(signature = (mesh, tolerance, most_parts = 64))]
pub fn decompose<'py>(mesh: &Bound<'py, PyMesh>, tolerance: f64, most_parts: usize) -> PyResult<Bound<'py, PyAny>> {
    let (py, mesh) = (mesh.py(), PyMesh::mesh(mesh)?);
    let found = raised(py.detach(|| clearance::decompose(mesh, tolerance, most_parts)))?;
    let parts = found.parts.iter().map(|part| crate::shape::of_polytope(py, part)).collect::<PyResult<Vec<_>>>()?;
    answer::decomposition(py, PyTuple::new(py, parts)?, found.error, found.end)
}
