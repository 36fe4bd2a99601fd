//! `clearance.robot.Robot`: kinematics and geometry from URDF and SRDF.

use std::path::PathBuf;

use clearance_robot::{MeshUse, Robot, RobotOptions};
use numpy::{PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrow::{columns, is_arrow, side_by_side};
use crate::body::Call;
use crate::errors::{argument, raised};
use crate::input::{choice, shaped};
use crate::pose::matrix_of;
use crate::surface::triangles_of;

/// A robot: joints and links with their bodies, from a URDF and its SRDF.
///
/// A configuration is the values of the joints one after the other, in the order of the URDF; joints that are fixed, follow another one,
/// are passive or were locked have none. Robots are pickled as the files or texts that they were made from.
///
/// >>> text = '''<robot name="arm"><link name="base"/>
/// ... <link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
/// ... <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/></joint></robot>'''
/// >>> arm = clearance.robot.Robot.parse(text)
/// >>> arm.dof, arm.link_names, arm.value_names
/// (1, ['base', 'fore'], ['elbow'])
#[pyclass(frozen, name = "Robot", module = "clearance.robot")]
#[derive(Debug)]
pub struct PyRobot {
    /// The robot itself.
    pub robot: Robot,
    made: (&'static str, Py<PyTuple>, Option<Py<PyDict>>),
}

const MESHES: [(&str, MeshUse); 3] = [("exact", MeshUse::Exact), ("hull", MeshUse::Hull), ("parts", MeshUse::Parts)];

/// Options as Python gives them: keywords of `load` and `parse`.
fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<RobotOptions> {
    let mut options = RobotOptions::default();
    for (key, value) in given.into_iter().flatten() {
        let key: String = key.extract()?;
        match key.as_str() {
            "meshes" => options.meshes = choice("meshes", &value.extract::<String>()?, &MESHES)?,
            "meshes_of" => {
                let of = |(link, name): (String, String)| Ok((link, choice("meshes_of", &name, &MESHES)?));
                options.meshes_of = items(&key, &value)?.into_iter().map(of).collect::<PyResult<_>>()?;
            }
            "padding" => options.padding = value.extract()?,
            "padding_of" => options.padding_of = items(&key, &value)?,
            "packages" => options.packages = items(&key, &value)?,
            "mesh_folders" => options.mesh_folders = value.extract()?,
            _ => return Err(pyo3::exceptions::PyTypeError::new_err(format!("unexpected keyword argument '{key}'"))),
        }
    }
    Ok(options)
}

/// The entries of a dictionary.
fn items<T>(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<(String, T)>>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let Ok(entries) = object.cast::<PyDict>() else {
        return Err(argument(field, format_args!("expected a dictionary, got {}", crate::input::class_name(object))));
    };
    entries.iter().map(|(name, value)| Ok((name.extract()?, value.extract().map_err(Into::into)?))).collect()
}

/// Configurations: an array of shape (n, dof), or one of shape (dof,), or Arrow data with a column for each value.
pub fn configurations(field: &str, robot: &Robot, object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let dof = robot.dof();
    if is_arrow(object)? {
        let names = robot.value_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let values = side_by_side(&columns(field, object)?, "q", &names);
        return values
            .ok_or_else(|| argument(field, format_args!("expected the columns {}, or a list q", names.join(", "))));
    }
    let (values, shape) = shaped(field, object)?;
    match shape.as_slice() {
        &[_, columns] if columns == dof => Ok(values),
        &[columns] if columns == dof || columns == 0 => Ok(values),
        shape => Err(argument(field, format_args!("expected shape (n, {dof}) or ({dof},), got {shape:?}"))),
    }
}

#[pymethods]
impl PyRobot {
    /// A robot from a URDF file, its SRDF if there is one, and the meshes that it names.
    ///
    /// Options: `meshes` is "exact" (the triangles as they are; convex ones are recognised), "parts" (convex
    /// parts that cover them) or "hull"; `meshes_of` says so of single links by
    /// name. `padding` grows all links, `padding_of` single ones. `packages` maps names of packages to folders, and
    /// `mesh_folders` are searched for files that are found nowhere else.
    #[staticmethod]
    #[pyo3(signature = (urdf, srdf = None, **keywords))]
    fn load(
        py: Python<'_>,
        urdf: PathBuf,
        srdf: Option<PathBuf>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let taken = options(keywords)?;
        let robot = raised(py.detach(|| Robot::load(&urdf, srdf.as_deref(), &taken)))?;
        Ok(Self { robot, made: ("load", (&urdf, &srdf).into_pyobject(py)?.unbind(), keywords.map(kept).transpose()?) })
    }

    /// A robot from the text of a URDF and of an SRDF, with the same options as `load`.
    #[staticmethod]
    #[pyo3(signature = (urdf, srdf = "", **keywords))]
    fn parse(py: Python<'_>, urdf: &str, srdf: &str, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let taken = options(keywords)?;
        let robot = raised(py.detach(|| Robot::parse(urdf, srdf, &taken)))?;
        Ok(Self { robot, made: ("parse", (urdf, srdf).into_pyobject(py)?.unbind(), keywords.map(kept).transpose()?) })
    }

    /// The same robot with some joints held at values: they are not in its configurations any more.
    fn with_locked(slf: &Bound<'_, Self>, values: &Bound<'_, PyDict>) -> PyResult<Self> {
        let read: Vec<(String, f64)> =
            values.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?))).collect::<PyResult<_>>()?;
        let given: Vec<(&str, f64)> = read.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let robot = raised(slf.get().robot.with_locked(&given))?;
        Ok(Self { robot, made: ("with_locked", (slf, values.copy()?).into_pyobject(slf.py())?.unbind(), None) })
    }

    /// The same robot with the joints of one group of its SRDF only; the others are held at their home values.
    fn with_group(slf: &Bound<'_, Self>, name: &str) -> PyResult<Self> {
        let robot = raised(slf.get().robot.with_group(name))?;
        Ok(Self { robot, made: ("with_group", (slf, name).into_pyobject(slf.py())?.unbind(), None) })
    }

    /// The robot's name.
    #[getter]
    fn name(&self) -> &str {
        self.robot.name()
    }

    /// How many values a configuration has.
    #[getter]
    fn dof(&self) -> usize {
        self.robot.dof()
    }

    /// The names of the values of a configuration: those of the joints.
    #[getter]
    fn value_names(&self) -> Vec<String> {
        self.robot.value_names()
    }

    /// The names of the links, in the order of the URDF.
    #[getter]
    fn link_names(&self) -> Vec<&str> {
        self.robot.link_names().collect()
    }

    /// The names of the states that the SRDF has.
    #[getter]
    fn state_names(&self) -> Vec<&str> {
        self.robot.srdf().states.iter().map(|state| state.name.as_str()).collect()
    }

    /// The lower and upper limits of each value, an array of shape (dof, 2); infinite where there are none.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        PyArray1::from_vec(py, self.robot.limits().into_flattened()).reshape([self.robot.dof(), 2])
    }

    /// The configuration with all values at zero, or at the limit nearest to it.
    fn home<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.robot.home())
    }

    /// The configuration of a named state of the SRDF.
    fn state<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let state = self.robot.state(name);
        let state = state.ok_or_else(|| argument("name", format_args!("the SRDF has no state '{name}'")))?;
        Ok(PyArray1::from_vec(py, state))
    }

    /// Whether each configuration is made of valid numbers within their limits.
    fn is_within_limits<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let values = configurations("q", &self.robot, q)?;
        let within = values.chunks_exact(self.robot.dof().max(1)).map(|row| self.robot.is_within_limits(row));
        Ok(PyArray1::from_vec(q.py(), within.collect()))
    }

    /// The poses of all links for each configuration: an array of shape (n, links, 4, 4), the root link at the identity.
    fn link_poses<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let (py, values) = (q.py(), configurations("q", &self.robot, q)?);
        let numbers = py.detach(|| {
            let poses = self.robot.link_poses(&values)?;
            Ok::<Vec<f64>, clearance_robot::BatchError>(poses.iter().flat_map(matrix_of).collect())
        });
        let (numbers, links) = (raised(numbers)?, self.robot.link_names().len());
        let rows = numbers.len() / (16 * links.max(1));
        PyArray1::from_vec(py, numbers).reshape([rows, links, 4, 4])
    }

    /// Triangles of the links to look at, in their frames: a pair of the link's number and an array of shape (m, 3, 3) for each body.
    fn link_surfaces<'py>(&self, py: Python<'py>) -> PyResult<Vec<(usize, Bound<'py, PyArray3<f64>>)>> {
        let surface = |(link, body, pose): (usize, &clearance::Body, &clearance::Pose)| {
            let corners = triangles_of(body).into_flattened();
            let numbers: Vec<f64> = corners.iter().flat_map(|corner| pose.point(*corner).to_array()).collect();
            Ok((link, PyArray1::from_vec(py, numbers).reshape([corners.len() / 3, 3, 3])?))
        };
        self.robot.link_bodies().map(surface).collect()
    }

    fn __repr__(&self) -> String {
        format!("Robot('{}', dof={})", self.robot.name(), self.robot.dof())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Call<'py, Remade<'py>>> {
        let (py, (call, arguments, keywords)) = (slf.py(), &slf.get().made);
        let remake = py.import(intern!(py, "clearance._pickle"))?.getattr(intern!(py, "remake_robot"))?;
        let keywords = keywords.as_ref().map_or_else(|| PyDict::new(py), |given| given.bind(py).clone());
        Ok((remake, (call, arguments.bind(py).clone(), keywords)))
    }
}

/// A call by name.
type Remade<'py> = (&'static str, Bound<'py, PyTuple>, Bound<'py, PyDict>);

fn kept(keywords: &Bound<'_, PyDict>) -> PyResult<Py<PyDict>> {
    Ok(keywords.copy()?.unbind())
}
