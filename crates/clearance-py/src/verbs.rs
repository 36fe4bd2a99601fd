//! The verbs for one pair: one question each, for bodies of every kind.

use std::sync::Mutex;

use clearance::{BodyRef, Cache, CastOptions, ManifoldOptions, Method, Pose, Ray, RayOptions, Rotation};
use pyo3::prelude::*;

use crate::answer::Answer;
use crate::body::{PyBody, placed};
use crate::errors::{argument, raised};
use crate::input::{choice, vec3, vector};
use crate::motion::motion;
use crate::pose::pose;

/// What a pair of bodies remembers from one query to the next: makes the next one faster, never another answer.
#[pyclass(frozen, name = "Cache", module = "clearance")]
#[derive(Debug, Default)]
pub struct PyCache(Mutex<Cache>);

#[pymethods]
impl PyCache {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Forgets everything.
    fn clear(&self) {
        self.with(Cache::clear);
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ()) {
        (slf.get_type().into_any(), ())
    }
}

impl PyCache {
    fn with<T>(&self, ask: impl FnOnce(&mut Cache) -> T) -> T {
        let mut cache = self.0.lock().unwrap_or_else(|poisoned| {
            // A panic left it half written: it starts cold.
            let mut cache = poisoned.into_inner();
            *cache = Cache::default();
            cache
        });
        ask(&mut cache)
    }
}

type GivenCache<'a, 'py> = Option<&'a Bound<'py, PyCache>>;

/// Asks while other threads of Python run.
pub fn ask<T: Send>(py: Python<'_>, cache: GivenCache<'_, '_>, question: impl FnOnce(&mut Cache) -> T + Send) -> T {
    let cache = cache.map(Bound::get);
    py.detach(|| match cache {
        Some(cache) => cache.with(question),
        None => question(&mut Cache::default()),
    })
}

/// Two bodies in their places.
pub struct Pair<'a> {
    pub a: &'a clearance::Body,
    pub pose_a: Pose,
    pub b: &'a clearance::Body,
    pub pose_b: Pose,
}

impl<'a> Pair<'a> {
    pub fn new(
        a: &'a Bound<'_, PyBody>,
        pose_a: &Bound<'_, PyAny>,
        b: &'a Bound<'_, PyBody>,
        pose_b: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (pose_a, pose_b) = (pose("pose_a", Some(pose_a))?, pose("pose_b", Some(pose_b))?);
        Ok(Self { a: &a.get().body, pose_a, b: &b.get().body, pose_b })
    }
}

/// Options of casts by name.
pub fn cast_options(clearance: f64, zone: f64, check_start: bool, tolerance: Option<f64>) -> PyResult<CastOptions> {
    let default = CastOptions::default();
    let tolerance = tolerance.unwrap_or(default.tolerance);
    for (name, value) in [("clearance", clearance), ("zone", zone), ("tolerance", tolerance)] {
        if !(value >= 0.0 && value.is_finite()) {
            let message = format!("{name} is {value}; it must be finite and not negative");
            return Err(crate::errors::CastError::new_err(message));
        }
    }
    Ok(CastOptions { clearance, zone, check_start, tolerance })
}

/// Whether two bodies have a point in common; touching counts. The answer has its witness: a plane or a gap between them, or a common point.
///
/// >>> cube, ball = clearance.Shape.cuboid([1, 1, 1]), clearance.Shape.sphere(0.5)
/// >>> clearance.overlap(cube, None, ball, [1.4, 0, 0]).overlap
/// True
/// >>> clearance.overlap(cube, None, ball, [1.6, 0, 0]).witness.kind
/// 'plane'
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, cache = None))]
pub fn overlap<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, cache, |cache| clearance::overlap(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache)).answer(py)
}

/// The signed distance of two bodies with its bounds, points, normal, features and how the search ended.
///
/// >>> near = clearance.closest(clearance.Shape.sphere(1), None, clearance.Shape.cuboid([1, 1, 1]), [3, 0, 0])
/// >>> near.distance, near.points.tolist(), near.normal.tolist()
/// (1.0, [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [1.0, 0.0, 0.0])
/// >>> near.lower <= near.distance <= near.upper
/// True
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, cache = None))]
pub fn closest<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, cache, |cache| clearance::closest(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache)).answer(py)
}

/// The same for bodies that do not overlap; None for those that do: depths cost more.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.distance(ball, None, ball, [3, 0, 0]).distance, clearance.distance(ball, None, ball, [1, 0, 0])
/// (1.0, None)
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, cache = None))]
pub fn distance<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, cache, |cache| clearance::distance(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache)).answer(py)
}

/// A translation of B, as short as is found, after which it does not overlap A any more; ``near`` is the signed distance then.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> out = clearance.push_out(cube, None, cube, [1.5, 0.2, 0])
/// >>> out.translation.round(2).tolist(), out.near.contact.name
/// ([0.5, 0.0, 0.0], 'APART')
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, cache = None))]
pub fn push_out<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, cache, |cache| clearance::push_out(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache)).answer(py)
}

/// Whether two bodies are nearer than a distance, with the reason.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> clearance.within(ball, None, ball, [3, 0, 0], 1.5).within
/// True
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, distance, *, cache = None))]
pub fn within<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    distance: f64,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, cache, |cache| clearance::within(pair.a, &pair.pose_a, pair.b, &pair.pose_b, distance, cache)).answer(py)
}

/// Contact points for a simulator; None if the bodies are farther apart than `margin`. `method` is "clip" or "perturbed".
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> len(clearance.manifold(cube, None, cube, [0, 0, 1.99]).points)
/// 4
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, method = "clip", max_points = 4, margin = 0.0, cache = None))]
#[allow(clippy::too_many_arguments)] // the options of the verb by name
pub fn manifold<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    method: &str,
    max_points: usize,
    margin: f64,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let options = manifold_options(method, max_points, margin)?;
    ask(py, cache, |cache| clearance::manifold(pair.a, &pair.pose_a, pair.b, &pair.pose_b, cache, &options)).answer(py)
}

/// Options of manifolds by name.
pub fn manifold_options(method: &str, max_points: usize, margin: f64) -> PyResult<ManifoldOptions> {
    let method = choice("method", method, &[("clip", Method::Clip), ("perturbed", Method::Perturbed)])?;
    Ok(ManifoldOptions { method, max_points, margin, ..ManifoldOptions::default() })
}

/// Every vertex over a face and every two edges within a distance of each other.
///
/// >>> cube = clearance.Shape.cuboid([1, 1, 1])
/// >>> found = clearance.contacts(cube, None, cube, [0, 0, 2.05], 0.1)
/// >>> sorted({round(point.distance, 9) for point in found})
/// [0.05]
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, distance, *, cache = None))]
pub fn contacts<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    distance: f64,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    let mut found = Vec::new();
    let question = |cache: &mut Cache| {
        clearance::contacts(pair.a, &pair.pose_a, pair.b, &pair.pose_b, distance, cache, &mut found)
    };
    raised(ask(py, cache, question))?;
    found.answer(py)
}

/// The positions of B along a direction at which it touches A: the first and the last. None if it never does.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> found = clearance.contact_range(ball, None, ball, [5, 0, 0], [1, 0, 0])
/// >>> [round(end.at, 9) for end in found.ends]
/// [-7.0, -3.0]
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, direction, *, cache = None))]
pub fn contact_range<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
    direction: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (pair, along) = (Pair::new(a, pose_a, b, pose_b)?, vec3("direction", direction)?);
    let question =
        |cache: &mut Cache| clearance::contact_range(pair.a, &pair.pose_a, pair.b, &pair.pose_b, along, cache);
    raised(ask(py, cache, question))?.answer(py)
}

/// What two solids that overlap have in common: curves, box, volume. None if they do not overlap.
///
/// >>> plate, rod = clearance.Shape.cuboid([1, 1, 0.1]), clearance.Shape.cuboid([0.2, 0.2, 2])
/// >>> found = clearance.intersection(plate, None, rod, None)
/// >>> found.cut.name, len(found.curves)
/// ('PIERCING', 2)
#[pyfunction]
pub fn intersection<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    pose_b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(a, pose_a, b, pose_b)?;
    ask(py, None, |_| clearance::intersection(pair.a, &pair.pose_a, pair.b, &pair.pose_b)).answer(py)
}

/// The first contact of B, which moves, with A, which rests. `clearance` is the distance to be kept.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> stop = clearance.cast(ball, None, ball, clearance.Motion.translation([6, 0, 0], [-8, 0, 0]))
/// >>> round(stop.fraction, 6), stop.lower <= stop.fraction <= stop.upper
/// (0.5, True)
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, motion, *, clearance = 0.0, zone = 0.0, check_start = true, tolerance = None, cache = None))]
#[allow(clippy::too_many_arguments)] // the options of the verb by name
pub fn cast<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    motion: &Bound<'py, PyAny>,
    clearance: f64,
    zone: f64,
    check_start: bool,
    tolerance: Option<f64>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, motion) = (pose("pose_a", Some(pose_a))?, self::motion("motion", motion)?);
    let options = cast_options(clearance, zone, check_start, tolerance)?;
    let (a, b) = (&a.get().body, &b.get().body);
    raised(ask(py, cache, |cache| ::clearance::cast(a, &place, b, &motion, cache, &options)))?.answer(py)
}

/// When two moving bodies meet. A pose in place of a motion is a body at rest.
///
/// >>> ball = clearance.Shape.sphere(1)
/// >>> towards = clearance.Motion.translation([6, 0, 0], [-4, 0, 0])
/// >>> round(clearance.time_of_impact(ball, clearance.Motion.translation(None, [4, 0, 0]), ball, towards).fraction, 4)
/// 0.5
#[pyfunction]
#[pyo3(signature = (a, motion_a, b, motion_b, *, clearance = 0.0, zone = 0.0, check_start = true, tolerance = None, cache = None))]
#[allow(clippy::too_many_arguments)] // the options of the verb by name
pub fn time_of_impact<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyBody>,
    motion_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyBody>,
    motion_b: &Bound<'py, PyAny>,
    clearance: f64,
    zone: f64,
    check_start: bool,
    tolerance: Option<f64>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let [motion_a, motion_b] = [motion("motion_a", motion_a)?, motion("motion_b", motion_b)?];
    let options = cast_options(clearance, zone, check_start, tolerance)?;
    let (a, b) = (&a.get().body, &b.get().body);
    let question = |cache: &mut Cache| ::clearance::time_of_impact(a, &motion_a, b, &motion_b, cache, &options);
    raised(ask(py, cache, question))?.answer(py)
}

/// A ray, and how far and how it looks.
fn ray(origin: &Bound<'_, PyAny>, direction: &Bound<'_, PyAny>, max: f64, solid: bool) -> PyResult<(Ray, RayOptions)> {
    let ray = raised(Ray::new(vec3("origin", origin)?, vec3("direction", direction)?))?;
    let options = raised(RayOptions::up_to(max))?;
    Ok((ray, if solid { options } else { options.surface() }))
}

/// Where a ray first meets a body; None if it does not. Positions are in units of the direction's length. With `solid`, a ray that starts
/// inside has met it at once.
///
/// >>> hit = clearance.cast_ray(clearance.Shape.sphere(1), [5, 0, 0], [0, 0, 0], [1, 0, 0])
/// >>> round(hit.t, 9), hit.normal.tolist()
/// (4.0, [-1.0, 0.0, 0.0])
#[pyfunction]
#[pyo3(signature = (body, pose, origin, direction, *, max = f64::INFINITY, solid = true))]
pub fn cast_ray<'py>(
    py: Python<'py>,
    body: &Bound<'py, PyBody>,
    pose: &Bound<'py, PyAny>,
    origin: &Bound<'py, PyAny>,
    direction: &Bound<'py, PyAny>,
    max: f64,
    solid: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, (ray, options)) = (self::pose("pose", Some(pose))?, ray(origin, direction, max, solid)?);
    let body = &body.get().body;
    ask(py, None, |_| clearance::cast_ray(body, &place, &ray, &options)).answer(py)
}

/// All places where a ray meets a body, in order.
///
/// >>> found = clearance.cast_ray_all(clearance.Shape.sphere(1), [5, 0, 0], [0, 0, 0], [1, 0, 0])
/// >>> [round(hit.t, 9) for hit in found]
/// [4.0, 6.0]
#[pyfunction]
#[pyo3(signature = (body, pose, origin, direction, *, max = f64::INFINITY, solid = true))]
pub fn cast_ray_all<'py>(
    py: Python<'py>,
    body: &Bound<'py, PyBody>,
    pose: &Bound<'py, PyAny>,
    origin: &Bound<'py, PyAny>,
    direction: &Bound<'py, PyAny>,
    max: f64,
    solid: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, (ray, options)) = (self::pose("pose", Some(pose))?, ray(origin, direction, max, solid)?);
    let (body, mut hits) = (&body.get().body, Vec::new());
    ask(py, None, |_| clearance::cast_ray_all(body, &place, &ray, &options, &mut hits));
    hits.answer(py)
}

/// The point of a body that is nearest to a point, with the signed distance: negative inside of a solid.
///
/// >>> clearance.project(clearance.Shape.cuboid([1, 1, 1]), None, [0, 0, 3]).nearest.tolist()
/// [0.0, 0.0, 1.0]
#[pyfunction]
#[pyo3(signature = (body, pose, point, *, cache = None))]
pub fn project<'py>(
    py: Python<'py>,
    body: &Bound<'py, PyBody>,
    pose: &Bound<'py, PyAny>,
    point: &Bound<'py, PyAny>,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, at) = (self::pose("pose", Some(pose))?, vec3("point", point)?);
    if !at.is_finite() {
        return Err(argument("point", format_args!("{:?} is not finite", at.to_array())));
    }
    let body = &body.get().body;
    ask(py, cache, |cache| clearance::project(body, &place, at, cache)).answer(py)
}

/// Obstacles: bodies, or pairs (body, pose).
fn obstacles<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<(Bound<'py, PyBody>, Pose)>> {
    let list = object.try_iter().map_err(|_| argument("obstacles", "expected a sequence of pairs (body, pose)"))?;
    list.enumerate().map(|(i, object)| placed(&format!("obstacles[{i}]"), &object?)).collect()
}

/// Moves a body along a translation among obstacles as far as it is free, and on along what it meets.
///
/// >>> floor = clearance.HalfSpace([0, 0, 1])
/// >>> found = clearance.slide([floor], clearance.Shape.cuboid([1, 1, 1]), [0, 0, 3], [5, 0, -5])
/// >>> [round(x, 3) for x in found.pose.translation.tolist()], found.end.name
/// ([5.0, 0.0, 1.0], 'SLID')
#[pyfunction]
#[pyo3(signature = (obstacles, body, pose, translation, *, clearance = 0.0, zone = 0.0, cache = None))]
#[allow(clippy::too_many_arguments)] // the options of the verb by name
pub fn slide<'py>(
    py: Python<'py>,
    obstacles: &Bound<'py, PyAny>,
    body: &Bound<'py, PyBody>,
    pose: &Bound<'py, PyAny>,
    translation: &Bound<'py, PyAny>,
    clearance: f64,
    zone: f64,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, by) = (self::pose("pose", Some(pose))?, vec3("translation", translation)?);
    let (given, options) = (self::obstacles(obstacles)?, cast_options(clearance, zone, true, None)?);
    let (body, among) = (&body.get().body, among(&given));
    raised(ask(py, cache, |cache| ::clearance::slide(&among, body, &place, by, cache, &options)))?.answer(py)
}

fn among<'a>(given: &'a [(Bound<'_, PyBody>, Pose)]) -> Vec<(BodyRef<'a>, Pose)> {
    given.iter().map(|(body, pose)| (BodyRef::from(&body.get().body), *pose)).collect()
}

/// Moves a body along a translation and then turns it about an axis, each until an obstacle is in the way. The rotation's origin moves
/// with the body.
///
/// >>> wall = (clearance.Shape.cuboid([1, 9, 9]), [5, 0, 0])
/// >>> found = clearance.move_body([wall], clearance.Shape.sphere(1), None, [9, 0, 0])
/// >>> found.pose.translation.round(3).tolist()
/// [3.0, 0.0, 0.0]
#[pyfunction]
#[pyo3(signature = (obstacles, body, pose, translation, *, origin = None, axis = None, angle = 0.0, clearance = 0.0, zone = 0.0, cache = None))]
#[allow(clippy::too_many_arguments)] // the options of the verb by name
pub fn move_body<'py>(
    py: Python<'py>,
    obstacles: &Bound<'py, PyAny>,
    body: &Bound<'py, PyBody>,
    pose: &Bound<'py, PyAny>,
    translation: &Bound<'py, PyAny>,
    origin: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
    angle: f64,
    clearance: f64,
    zone: f64,
    cache: GivenCache<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (place, by) = (self::pose("pose", Some(pose))?, vec3("translation", translation)?);
    let origin = origin.map_or(Ok([0.0; 3]), |given| vector("origin", given))?.into();
    let axis = axis.map_or(Ok([0.0, 0.0, 1.0]), |given| vector("axis", given))?.into();
    let (given, options) = (self::obstacles(obstacles)?, cast_options(clearance, zone, true, None)?);
    let (body, among, turn) = (&body.get().body, among(&given), Rotation { origin, axis, angle });
    raised(ask(py, cache, |cache| ::clearance::move_body(&among, body, &place, by, turn, cache, &options)))?.answer(py)
}
