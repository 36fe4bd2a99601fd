//! `clearance.robot.Workcell`: a robot and what is around it, checks of configurations and edges.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use clearance_robot::{
    ConfigAnswer, ConfigOptions, Distance, EdgeAnswer, EdgeOptions, EdgeVerdict, PathOptions, Verdict, Workcell,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

use crate::answer;
use crate::body::{Call, PyBody};
use crate::errors::{argument, raised};
use crate::input::choice;
use crate::pose::{PyPose, pose};
use crate::robot::{PyRobot, configurations};
use crate::rows::{Field, both, packed, record_type, records};
use crate::threads::{pieces, thread_count};

/// A robot with its base at a pose, the bodies around it, and the objects attached to its links.
///
/// Every two links are checked, except those joined by a joint, those that the SRDF disables, those that no joint moves against each other and
/// those that were allowed; and every link and attached object against every body around. Links, and then the other bodies in the order in
/// which they were added, are numbered; answers name pairs by these numbers, and `names` says which is which.
///
/// >>> text = '''<robot name="arm"><link name="base"/>
/// ... <link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
/// ... <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/></joint></robot>'''
/// >>> cell = clearance.robot.Workcell(clearance.robot.Robot.parse(text))
/// >>> cell.add("post", clearance.Shape.cylinder(1, 0.1), [0, 0.8, 0])
/// 2
/// >>> rows = cell.check_configs([[0.0], [1.5], [float("nan")]])
/// >>> rows["free"].tolist(), [cell.names[i] for i in rows[1]["pair"]], rows["error"].tolist()
/// ([True, False, False], ['fore', 'post'], [0, 0, 1])
#[pyclass(frozen, name = "Workcell", module = "clearance.robot")]
pub struct PyWorkcell {
    robot: Py<PyRobot>,
    state: RwLock<State>,
}

/// The workcell, and the calls that made it.
struct State {
    cell: Workcell,
    calls: Vec<(&'static str, Py<PyTuple>)>,
}

/// Candidates for each free configuration that is asked for.
const TRIES: usize = 100;

const DISTANCES: [(&str, Distance); 3] =
    [("none", Distance::None), ("when-free", Distance::WhenFree), ("signed", Distance::Signed)];

/// The fields of every row about a configuration, and those with a distance.
const CONFIG: &[Field] = &[("free", "?", 0), ("verdict", "u1", 1), ("error", "u1", 2), ("pair", "(2,)i4", 8)];
const NEAR: &[Field] = &[
    ("near", "(2,)i4", 16),
    ("distance", "f8", 24),
    ("lower", "f8", 32),
    ("upper", "f8", 40),
    ("points", "(2,3)f8", 48),
    ("normal", "(3,)f8", 96),
];
/// Words of a row without and with a distance.
const WORDS: [usize; 2] = [2, 15];

const EDGE: &[Field] = &[
    ("free", "?", 0),
    ("verdict", "u1", 1),
    ("error", "u1", 2),
    ("steps", "u4", 4),
    ("free_from_start", "f8", 8),
    ("free_from_end", "f8", 16),
    ("hits", "(2,)f8", 24),
    ("pair", "(2,)i4", 40),
];

/// A pair of numbers in one word, -1 for none.
fn pair_word(pair: Option<[u32; 2]>) -> u64 {
    both(pair.unwrap_or([u32::MAX; 2]))
}

/// Adds the words of an answer about a configuration.
fn push_config(words: &mut Vec<u64>, answer: &ConfigAnswer, has_distance: bool) {
    let verdict = match answer.verdict {
        Verdict::Free => 0,
        Verdict::Colliding => 1,
        Verdict::Invalid => 2,
        Verdict::Unchecked => 3,
    };
    words.push(packed([u8::from(verdict == 0), verdict, u8::from(verdict == 2), 0], 0));
    words.push(pair_word(answer.pair));
    if !has_distance {
        return;
    }
    words.push(pair_word(answer.near.map(|near| near.pair)));
    let numbers = answer.near.map_or([f64::NAN; 12], |near| {
        let ([p, q], n) = (near.points, near.normal);
        [near.distance, near.lower, near.upper, p.x, p.y, p.z, q.x, q.y, q.z, n.x, n.y, n.z]
    });
    words.extend(numbers.map(f64::to_bits));
}

fn edge_words(answer: &EdgeAnswer) -> [u64; 6] {
    let verdict = match answer.verdict {
        EdgeVerdict::Free => 0,
        EdgeVerdict::Colliding => 1,
        EdgeVerdict::Undecided => 2,
        EdgeVerdict::Invalid => 3,
    };
    let [first, last] = answer.hits.unwrap_or([f64::NAN; 2]).map(f64::to_bits);
    let flags = packed([u8::from(verdict == 0), verdict, u8::from(verdict == 3), 0], answer.steps);
    let shares = [answer.free_from_start, answer.free_from_end].map(f64::to_bits);
    [flags, shares[0], shares[1], first, last, pair_word(answer.pair)]
}

/// The type of rows about configurations: with a distance or not, with so many values of a gradient.
fn config_type<'py>(py: Python<'py>, has_distance: bool, gradient: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if !has_distance {
        return record_type(py, &PLAIN, CONFIG, 8 * WORDS[0]);
    }
    let fields: Vec<Field> = CONFIG.iter().chain(NEAR).copied().collect();
    let (list, at) = (PyList::empty(py), 8 * WORDS[1]);
    let (formats, offsets) = (PyList::empty(py), PyList::empty(py));
    for (name, format, offset) in fields {
        list.append(name)?;
        formats.append(format)?;
        offsets.append(offset)?;
    }
    if let Some(dof) = gradient {
        list.append("gradient")?;
        formats.append(format!("({dof},)f8"))?;
        offsets.append(at)?;
    }
    let description = pyo3::types::PyDict::new(py);
    description.set_item("names", list)?;
    description.set_item("formats", formats)?;
    description.set_item("offsets", offsets)?;
    description.set_item("itemsize", at + 8 * gradient.unwrap_or(0))?;
    crate::input::numpy(py, "dtype")?.call1((description,))
}

impl PyWorkcell {
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the workcell, and notes the call.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        call: (&'static str, Bound<'_, PyTuple>),
        change: impl FnOnce(&mut Workcell) -> Result<T, clearance_robot::WorkcellError> + Send,
    ) -> PyResult<T> {
        let noted = (call.0, call.1.unbind());
        let done = py.detach(|| {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            let done = change(&mut state.cell);
            if done.is_ok() {
                state.calls.push(noted);
            }
            done
        });
        raised(done)
    }
}

#[pymethods]
impl PyWorkcell {
    #[new]
    #[pyo3(signature = (robot, base = None))]
    fn new(robot: &Bound<'_, PyRobot>, base: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let cell = Workcell::new(&robot.get().robot);
        let made = Self { robot: robot.clone().unbind(), state: RwLock::new(State { cell, calls: Vec::new() }) };
        if let Some(base) = base {
            made.set_base(robot.py(), base)?;
        }
        Ok(made)
    }

    /// Puts the root link at a pose.
    fn set_base(&self, py: Python<'_>, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let place = self::pose("pose", Some(pose))?;
        self.change(py, ("set_base", (PyPose(place),).into_pyobject(py)?), |cell| {
            cell.set_base(&place);
            Ok(())
        })
    }

    /// Adds a body at rest; returns its number.
    #[pyo3(signature = (name, body, pose = None))]
    fn add(
        &self,
        py: Python<'_>,
        name: &str,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let (place, shape) = (self::pose("pose", pose)?, body.get().body.clone());
        let call = ("add", (name, body, PyPose(place)).into_pyobject(py)?);
        self.change(py, call, |cell| cell.add(name, shape, &place))
    }

    /// Adds many bodies at rest, triples (name, body, pose), faster than one by one; returns their numbers.
    fn add_all(&self, bodies: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let py = bodies.py();
        let list = bodies.try_iter().map_err(|_| argument("bodies", "expected a sequence of (name, body, pose)"))?;
        let (mut taken, mut noted) = (Vec::new(), Vec::new());
        for (number, object) in list.enumerate() {
            let field = format!("bodies[{number}]");
            let wrong = || argument(&field, "expected (name, body, pose)");
            let (name, body, place): (String, Bound<'_, PyAny>, Bound<'_, PyAny>) =
                object?.extract().map_err(|_| wrong())?;
            let (body, place) = (body.cast_into::<PyBody>().map_err(|_| wrong())?, pose(&field, Some(&place))?);
            noted.push((name.clone(), body.clone(), PyPose(place)));
            taken.push((name, body.get().body.clone(), place));
        }
        // None is added if one cannot be.
        let mut known: std::collections::HashSet<String> = self.names(py).into_iter().collect();
        if let Some((name, ..)) = taken.iter().find(|(name, ..)| !known.insert(name.clone())) {
            return Err(argument("bodies", format_args!("the name '{name}' is taken")));
        }
        let call = ("add_all", (PyTuple::new(py, noted)?,).into_pyobject(py)?);
        let given = taken.iter().map(|(name, body, place)| (name.as_str(), body.clone(), *place));
        let first = self.change(py, call, |cell| cell.add_all(given))?;
        Ok((first..first + taken.len() as u32).collect())
    }

    /// Attaches an object to a link, at a pose in the link's frame; it may touch that link and those named in `touching`.
    #[pyo3(signature = (name, link, body, pose = None, touching = Vec::new()))]
    fn attach(
        &self,
        py: Python<'_>,
        name: &str,
        link: &str,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
        touching: Vec<String>,
    ) -> PyResult<u32> {
        let (place, shape) = (self::pose("pose", pose)?, body.get().body.clone());
        let call = ("attach", (name, link, body, PyPose(place), &touching).into_pyobject(py)?);
        let touching: Vec<&str> = touching.iter().map(String::as_str).collect();
        self.change(py, call, |cell| cell.attach(name, link, shape, &place, &touching))
    }

    /// Takes a body or an attached object away. The numbers of the others stay.
    fn remove(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, ("remove", (name,).into_pyobject(py)?), |cell| cell.remove(name))
    }

    /// Allows two links or bodies to touch and overlap: their pair is not checked any more.
    fn allow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        self.change(py, ("allow", (a, b).into_pyobject(py)?), |cell| cell.allow(a, b))
    }

    /// Forbids two links or bodies to touch again, also those joined by a joint or disabled by the SRDF.
    fn forbid(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        self.change(py, ("forbid", (a, b).into_pyobject(py)?), |cell| cell.forbid(a, b))
    }

    /// The robot.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.robot.clone_ref(py)
    }

    /// Where the root link is.
    #[getter]
    fn base(&self, py: Python<'_>) -> PyPose {
        PyPose(py.detach(|| *self.read().cell.base()))
    }

    /// The names of links and bodies by their numbers.
    #[getter]
    fn names(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.read().cell.names().to_vec())
    }

    /// How many pairs of bodies are checked for each configuration.
    #[getter]
    fn pair_count(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().cell.pair_count())
    }

    /// Checks configurations, an array of shape (n, dof).
    ///
    /// The rows say `free` or not, the `verdict` (clearance.robot.Verdict) and the `pair` that was found to collide. `distance` is "none",
    /// "when-free" (of free configurations) or "signed" (of all); then the nearest or deepest pair is `near`, with its `distance`, bounds, `points`
    /// and `normal`, and with `gradient` the gradient of the distance by the values. With `stop_at_collision` the rows after the first that
    /// collides are not looked at. A row that is not finite is an `error`; the others are answered.
    #[pyo3(signature = (q, *, distance = "none", gradient = false, stop_at_collision = false, threads = None))]
    fn check_configs<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        distance: &str,
        gradient: bool,
        stop_at_collision: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, robot) = (q.py(), &self.robot.get().robot);
        let (values, dof) = (configurations("q", robot, q)?, robot.dof());
        let wanted = choice("distance", distance, &DISTANCES)?;
        if gradient && wanted == Distance::None {
            return Err(argument("gradient", "it is that of a distance, and none was asked for"));
        }
        let threads = thread_count(threads)?;
        let options = ConfigOptions { distance: wanted, gradient, stop_at_collision, threads };
        let (count, has_distance) = (values.len() / dof.max(1), wanted != Distance::None);
        let width = WORDS[usize::from(has_distance)] + if gradient { dof } else { 0 };
        let (mut words, mut stopped) = (Vec::with_capacity(width * count), false);
        pieces(py, count, |range| {
            let state = self.read();
            let unchecked = ConfigAnswer { verdict: Verdict::Unchecked, pair: None, near: None };
            let batch = if stopped {
                None
            } else {
                let rows = &values[range.start * dof..range.end * dof];
                Some(raised(state.cell.check_configs(rows, &options))?)
            };
            for row in 0..range.len() {
                push_config(&mut words, batch.as_ref().map_or(&unchecked, |batch| &batch.answers[row]), has_distance);
                if gradient {
                    let given = batch.as_ref().and_then(|batch| batch.gradients.get(row * dof..(row + 1) * dof));
                    words.extend((0..dof).map(|at| given.map_or(f64::NAN, |of| of[at]).to_bits()));
                }
            }
            let collides = |answer: &ConfigAnswer| answer.verdict == Verdict::Colliding;
            stopped |= stop_at_collision && batch.is_some_and(|batch| batch.answers.iter().any(collides));
            Ok(())
        })?;
        records(py, words, &config_type(py, has_distance, gradient.then_some(dof))?)
    }

    /// Checks the straight edges from the configurations `q0` to `q1`, arrays of shape (n, dof): free with proof, or how far.
    ///
    /// The rows say `free` or not, the `verdict` (clearance.robot.EdgeVerdict), the shares that are proved free from the start and from the
    /// end, the certain `hits` nearest to either, and the `pair` that overlaps or is not decided.
    #[pyo3(signature = (q0, q1, *, fractions = true, resolution = None, max_steps = None, threads = None))]
    fn check_edges<'py>(
        &self,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
        fractions: bool,
        resolution: Option<f64>,
        max_steps: Option<u32>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        static TYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (py, robot) = (q0.py(), &self.robot.get().robot);
        let (from, to) = (configurations("q0", robot, q0)?, configurations("q1", robot, q1)?);
        if from.len() != to.len() {
            return Err(argument("q1", "there must be as many configurations as in q0"));
        }
        let default = EdgeOptions::default();
        let options = EdgeOptions {
            fractions,
            resolution: resolution.unwrap_or(default.resolution),
            max_steps: max_steps.unwrap_or(default.max_steps),
            threads: thread_count(threads)?,
        };
        let dof = robot.dof();
        let count = from.len() / dof.max(1);
        let mut words = Vec::with_capacity(6 * count);
        pieces(py, count, |range| {
            let rows = range.start * dof..range.end * dof;
            let answers = raised(self.read().cell.check_edges(&from[rows.clone()], &to[rows], &options))?;
            words.extend(answers.iter().flat_map(edge_words));
            Ok(())
        })?;
        records(py, words, &record_type(py, &TYPE, EDGE, 48)?)
    }

    /// The least signed distance of any pair along a path of straight edges through configurations, an array of shape (n, dof), with bounds,
    /// its time (the number of the edge and the share of it) and its place. The bounds are `accuracy` apart unless `max_steps` end the search.
    ///
    /// >>> text = '''<robot name="slider"><link name="rail"/>
    /// ... <link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    /// ... <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint></robot>'''
    /// >>> cell = clearance.robot.Workcell(clearance.robot.Robot.parse(text))
    /// >>> lamp = cell.add("lamp", clearance.Shape.sphere(0.5), [3, 0, 2])
    /// >>> least = cell.clearance_along([[0], [1], [5]])
    /// >>> least.lower <= 1 <= least.upper, round(least.time, 1)
    /// (True, 1.5)
    #[pyo3(signature = (path, *, accuracy = None, max_steps = None))]
    fn clearance_along<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        accuracy: Option<f64>,
        max_steps: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, values) = (path.py(), configurations("path", &self.robot.get().robot, path)?);
        let default = PathOptions::default();
        let accuracy = accuracy.unwrap_or(default.accuracy);
        let options = PathOptions { accuracy, max_steps: max_steps.unwrap_or(default.max_steps) };
        let found = raised(py.detach(|| self.read().cell.clearance_along(&values, &options)))?;
        answer::path_clearance(py, &found)
    }

    /// Free configurations, random and uniform within the limits, an array of shape (n, dof): `count` of them if `max_tries` candidates yield so
    /// many. The same seed gives the same ones for any number of threads.
    #[pyo3(signature = (count, *, seed = 0, max_tries = None, threads = None))]
    fn sample_free<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        seed: u64,
        max_tries: Option<usize>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (dof, threads) = (self.robot.get().robot.dof(), thread_count(threads)?);
        let tries = max_tries.unwrap_or_else(|| count.saturating_mul(TRIES).max(TRIES * TRIES));
        let values = raised(py.detach(|| self.read().cell.sample_free(count, seed, tries, threads)))?;
        let rows = values.len() / dof.max(1);
        PyArray1::from_vec(py, values).reshape([rows, dof])
    }

    /// A free configuration near a given one and within the limits; None if none is found, which need not mean that there is none.
    #[pyo3(signature = (q, *, seed = 0))]
    fn nearest_free<'py>(&self, q: &Bound<'py, PyAny>, seed: u64) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let (py, values) = (q.py(), configurations("q", &self.robot.get().robot, q)?);
        let found = raised(py.detach(|| self.read().cell.nearest_free(&values, seed)))?;
        Ok(found.map(|values| PyArray1::from_vec(py, values)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (names, pairs) = py.detach(|| {
            let state = self.read();
            (state.cell.names().len(), state.cell.pair_count())
        });
        let robot = &self.robot.get().robot;
        let bodies = names - robot.link_names().len();
        format!("Workcell('{}', {bodies} bodies around, {pairs} pairs)", robot.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Call<'py, (Py<PyRobot>, Bound<'py, PyTuple>)>> {
        let (py, own) = (slf.py(), slf.get());
        let remake = py.import(intern!(py, "clearance._pickle"))?.getattr(intern!(py, "remake_workcell"))?;
        let state = own.read();
        let calls = state.calls.iter().map(|(name, arguments)| (*name, arguments.clone_ref(py)));
        Ok((remake, (own.robot.clone_ref(py), PyTuple::new(py, calls.collect::<Vec<_>>())?)))
    }
}
