//! Bodies from mesh files.

use std::path::PathBuf;

use clearance::{Compound, Mesh, MeshOptions};
use clearance_io::{Model, Repair, read};
use pyo3::prelude::*;

use crate::body::{Made, PyBody, bytes_of, frozen};
use crate::errors::{FileError, MeshError, raised};
use crate::mesh::mesh_body;

/// A body from a mesh file: STL, OBJ, PLY, OFF, glTF, GLB, 3MF or a brush map, by its extension.
///
/// A file of one part is a Mesh; one of several placed parts a Compound. With `repair`, vertices at the same place are made one, faces without
/// area are left out and closed parts that are inside out are turned, as files need it that are triangle soups (STL).
///
/// >>> clearance.load("missing.stl")
/// Traceback (most recent call last):
/// clearance.FileError: missing.stl: No such file or directory (os error 2)
#[pyfunction]
#[pyo3(signature = (path, *, repair = true, scale = 1.0))]
pub fn load(py: Python<'_>, path: PathBuf, repair: bool, scale: f64) -> PyResult<Py<PyAny>> {
    let model = raised(py.detach(|| read(&path)))?;
    let name = path.display().to_string();
    let whole = model.parts.len() <= 1 && model.surfaces.len() <= 1;
    if whole {
        let surface = model.merged();
        let mesh = py.detach(|| of_surface(&surface, repair, scale));
        let mesh = mesh.map_err(|error| MeshError::new_err(format!("{name}: {error}")))?;
        return Ok(as_mesh(py, &mesh)?.into_any());
    }
    let parts =
        py.detach(|| placed(&model, repair, scale)).map_err(|error| FileError::new_err(format!("{name}: {error}")))?;
    let mut pairs = Vec::with_capacity(parts.len());
    for (mesh, pose) in &parts {
        pairs.push((as_mesh(py, mesh)?, crate::pose::PyPose(*pose)));
    }
    let count = parts.len();
    let compound = raised(py.detach(|| Compound::new(parts.into_iter().map(|(mesh, pose)| (mesh.into(), pose)))))?;
    let made = Made::new("Compound", (pyo3::types::PyTuple::new(py, pairs)?,).into_pyobject(py)?)?;
    let made = made.shown(format!("Compound(<{count} parts>)"));
    Ok(Py::new(py, PyBody::kind(crate::fields::PyCompound, compound, made))?.into_any())
}

/// The mesh of a surface.
fn of_surface(surface: &clearance_io::Surface, repair: bool, scale: f64) -> Result<Mesh, clearance::MeshError> {
    let mesh = if repair {
        clearance_io::repaired(surface, &Repair::ALL)?.0
    } else {
        Mesh::with_options(&surface.vertices, &surface.triangles, &MeshOptions::default())?
    };
    if scale == 1.0 { Ok(mesh) } else { mesh.scaled([scale; 3]) }
}

/// The parts of a model, each a mesh in its place.
fn placed(model: &Model, repair: bool, scale: f64) -> Result<Vec<(Mesh, clearance::Pose)>, String> {
    let part = |part: &clearance_io::Placed| {
        let surface = &model.surfaces[part.surface];
        let mesh = of_surface(surface, repair, scale).map_err(|error| format!("part {}: {error}", part.name))?;
        let pose = clearance::Pose::new(part.pose.translation() * scale, part.pose.rotation().to_array());
        Ok((mesh, pose.map_err(|error| format!("part {}: {error}", part.name))?))
    };
    model.parts.iter().map(part).collect()
}

/// A mesh as Python has it: made again from its vertices and faces as they are now.
pub fn as_mesh(py: Python<'_>, mesh: &Mesh) -> PyResult<Py<crate::mesh::PyMesh>> {
    let bytes = bytes_of(mesh.vertices().iter().flat_map(|place| place.to_array()));
    let vertices = frozen(py, "f8", &[mesh.vertices().len(), 3], &bytes)?;
    let faces = crate::mesh::Faces::of(mesh).frozen(py)?;
    let kind = if mesh.is_solid() { "solid" } else { "surface" };
    let arguments = (vertices, faces, kind, false, 0.0, false, false, false).into_pyobject(py)?;
    mesh_body(py, mesh.clone(), Made::new("Mesh", arguments)?)
}
