//! `World`: many bodies, frame after frame.

use std::sync::{Mutex, MutexGuard, PoisonError};

use clearance::world::{
    BodyId, Boxes, Broad, Event, EventKind, Filter, Group, Mode, MotionBounds, NewBody, PairRule, World, WorldOptions,
};
use clearance::{Aabb, Cache, Ray, RayOptions};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::answer::{self, Answer, PyBodyId};
use crate::body::PyBody;
use crate::errors::{argument, raised};
use crate::input::{choice, vec3, vector};
use crate::motion::motion;
use crate::pose::{PyPose, pose};
use crate::poses::poses;
use crate::rows::{Field, NearRow, Row, array, both, packed, record_type, records};
use crate::threads::pool;
use crate::verbs::{cast_options, manifold_options};

/// Many bodies, frame after frame: which pairs touch, and what began and ended.
///
/// `mode` is "boolean", "combined" (with the nearest points before a contact began), "closest" (all pairs within the distance `within`)
/// or "contacts" (contact points, also within `margin`). `broad` is "grid", "tree", "sweep-and-prune", "partitioned-sweep" or
/// "brute-force".
///
/// >>> world = clearance.World()
/// >>> floor = world.add(clearance.HalfSpace([0, 0, 1]), fixed=True)
/// >>> ball = world.add(clearance.Shape.sphere(1), [0, 0, 3])
/// >>> len(world.step().events)
/// 0
/// >>> world.set_pose(ball, [0, 0, 0.5])
/// >>> [(event.kind, event.bodies == (floor, ball)) for event in world.step().events]
/// [('begin', True)]
#[pyclass(frozen, name = "World", module = "clearance")]
pub struct PyWorld {
    world: Mutex<World>,
    threads: Option<usize>,
}

const BROAD: [(&str, Broad); 5] = [
    ("grid", Broad::Grid),
    ("tree", Broad::Tree),
    ("sweep-and-prune", Broad::SweepAndPrune),
    ("partitioned-sweep", Broad::PartitionedSweep),
    ("brute-force", Broad::BruteForce),
];
const BOXES: [(&str, Boxes); 3] = [("auto", Boxes::Auto), ("dynamic", Boxes::Dynamic), ("fixed", Boxes::Fixed)];

static EVENTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
const EVENT: &[Field] = &[("kind", "u1", 0), ("bodies", "(2,)u4", 8)];

/// The indices of two bodies in one word.
fn bodies_word(bodies: [BodyId; 2]) -> u64 {
    both(bodies.map(|body| body.index() as u32))
}

fn event_words(event: &Event) -> [u64; 2] {
    let kind = match event.kind {
        EventKind::Begin => 0,
        EventKind::Persist => 1,
        EventKind::End => 2,
    };
    [packed([kind, 0, 0, 0], 0), bodies_word(event.bodies)]
}

impl PyWorld {
    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the world with other threads of Python running, so that one that holds the world can end.
    fn ask<T: Send>(&self, py: Python<'_>, question: impl FnOnce(&mut World) -> T + Send) -> T {
        py.detach(|| question(&mut self.lock()))
    }
}

fn ids(found: Vec<BodyId>) -> Vec<PyBodyId> {
    found.into_iter().map(PyBodyId).collect()
}

fn group(number: usize) -> PyResult<Group> {
    raised(Group::new(number))
}

/// The bodies a query looks at: of some groups, without one.
fn filter(groups: Option<Vec<usize>>, without: Option<&Bound<'_, PyBodyId>>) -> PyResult<Filter> {
    let mut filter = Filter::default();
    if let Some(numbers) = groups {
        filter = Filter::groups(numbers.into_iter().map(group).collect::<PyResult<Vec<_>>>()?);
    }
    Ok(without.map_or(filter, |body| filter.without(body.get().0)))
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (*, mode = "boolean", within = 0.0, margin = 0.0, max_points = 4, broad = "grid", boxes = "auto", queries = true,
        schedule = false, most_pairs = None, keep_contacts = 0.0, threads = None))]
    #[allow(clippy::too_many_arguments)] // the options of a world by name
    fn new(
        mode: &str,
        within: f64,
        margin: f64,
        max_points: usize,
        broad: &str,
        boxes: &str,
        queries: bool,
        schedule: bool,
        most_pairs: Option<usize>,
        keep_contacts: f64,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        for (name, value) in [("within", within), ("margin", margin), ("keep_contacts", keep_contacts)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(argument(name, format_args!("{value} is negative or not finite")));
            }
        }
        let contacts = Mode::Contacts(manifold_options("clip", max_points, margin)?);
        let modes = [
            ("boolean", Mode::Boolean),
            ("combined", Mode::Combined),
            ("closest", Mode::Closest { within }),
            ("contacts", contacts),
        ];
        let default = WorldOptions::default();
        let options = WorldOptions {
            mode: choice("mode", mode, &modes)?,
            broad: choice("broad", broad, &BROAD)?,
            boxes: choice("boxes", boxes, &BOXES)?,
            queries,
            schedule,
            most_pairs: most_pairs.unwrap_or(default.most_pairs),
            keep_contacts,
            ..default
        };
        pool(threads)?;
        Ok(Self { world: Mutex::new(World::new(options)), threads })
    }

    /// Adds a body and names it. A fixed body costs a step nothing; a body with a margin counts as larger by it.
    #[pyo3(signature = (body, pose = None, *, fixed = false, group = 0, margin = 0.0))]
    fn add(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
        fixed: bool,
        group: usize,
        margin: f64,
    ) -> PyResult<PyBodyId> {
        let mut new = NewBody::new(body.get().body.clone(), self::pose("pose", pose)?);
        (new.group, new.margin, new.fixed) = (self::group(group)?, margin, fixed);
        raised(self.ask(py, |world| world.add(new))).map(PyBodyId)
    }

    /// Removes a body. If it touches others, the next step tells that this has ended.
    fn remove(&self, py: Python<'_>, body: &Bound<'_, PyBodyId>) -> PyResult<()> {
        let id = body.get().0;
        raised(self.ask(py, |world| world.remove(id)))
    }

    /// Puts a body somewhere else.
    fn set_pose(&self, py: Python<'_>, body: &Bound<'_, PyBodyId>, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, place) = (body.get().0, self::pose("pose", Some(pose))?);
        raised(self.ask(py, |world| world.set_pose(id, place)))
    }

    /// Puts many bodies somewhere else: as many poses as bodies, in an array as batches take it. None is moved if a row is no pose.
    ///
    /// >>> world = clearance.World()
    /// >>> balls = [world.add(clearance.Shape.sphere(1), [3 * i, 0, 0]) for i in range(3)]
    /// >>> world.set_poses(balls, [[0, 0, 0], [1, 0, 0], [9, 0, 0]])
    /// >>> len(world.step().events)
    /// 1
    fn set_poses(&self, py: Python<'_>, bodies: Vec<Bound<'_, PyBodyId>>, poses: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<BodyId> = bodies.iter().map(|body| body.get().0).collect();
        let given = self::poses("poses", poses)?;
        let read = given.get();
        if read.poses.len() != ids.len() {
            return Err(argument("poses", format_args!("{} poses for {} bodies", read.poses.len(), ids.len())));
        }
        if let Some(row) = read.errors.iter().position(|error| *error != 0) {
            return Err(argument("poses", format_args!("row {row} is no pose")));
        }
        let moved = self.ask(py, |world| {
            let known = ids.iter().try_for_each(|&id| world.pose(id).map(drop));
            known.and_then(|()| ids.iter().zip(&read.poses).try_for_each(|(&id, &pose)| world.set_pose(id, pose)))
        });
        raised(moved)
    }

    /// Bounds on the motion of a body, with a step as the unit of time, for worlds that schedule their tests.
    #[pyo3(signature = (body, *, speed = 0.0, spin = 0.0, acceleration = 0.0, spin_acceleration = 0.0))]
    fn set_motion(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyBodyId>,
        speed: f64,
        spin: f64,
        acceleration: f64,
        spin_acceleration: f64,
    ) -> PyResult<()> {
        let (id, bounds) = (body.get().0, MotionBounds { speed, spin, acceleration, spin_acceleration });
        raised(self.ask(py, |world| world.set_motion(id, Some(bounds))))
    }

    /// Puts a body into a group, from 0 to 63.
    fn set_group(&self, py: Python<'_>, body: &Bound<'_, PyBodyId>, group: usize) -> PyResult<()> {
        let (id, group) = (body.get().0, self::group(group)?);
        raised(self.ask(py, |world| world.set_group(id, group)))
    }

    /// Whether bodies of the one group are tested against those of the other.
    fn set_groups(&self, py: Python<'_>, a: usize, b: usize, enabled: bool) -> PyResult<()> {
        let (a, b) = (group(a)?, group(b)?);
        self.ask(py, |world| world.set_groups(a, b, enabled));
        Ok(())
    }

    /// What is asked of one pair: never looked at (`ignore`), said to touch within a distance already, or what their groups say.
    #[pyo3(signature = (a, b, *, ignore = false, within = None))]
    fn set_pair(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyBodyId>,
        b: &Bound<'_, PyBodyId>,
        ignore: bool,
        within: Option<f64>,
    ) -> PyResult<()> {
        let rule = if ignore { Some(PairRule::Ignore) } else { within.map(PairRule::Within) };
        let (a, b) = (a.get().0, b.get().0);
        raised(self.ask(py, |world| world.set_pair(a, b, rule)))
    }

    /// Looks at the bodies as they are now, and tells what has begun, persists and has ended since the last step.
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pool = pool(self.threads)?;
        let told = self.ask(py, |world| {
            let step = pool.install(|| world.try_step());
            step.map(|step| (step.events.to_vec(), step.near.to_vec(), step.contacts.to_vec(), step.statistics))
        });
        let (events, near, contacts, statistics) = raised(told)?;
        answer::step(py, &events, &near, &contacts, &statistics)
    }

    /// The same step as two arrays of records, for worlds of many bodies: the events (`kind` 0 for begin, 1 for persist, 2 for end, and the
    /// `bodies` by their index), and in the mode "closest" the pairs within the distance, with the fields of `clearance.batch.closest` and their
    /// `bodies`.
    ///
    /// >>> world = clearance.World(mode="closest", within=2.0)
    /// >>> balls = [world.add(clearance.Shape.sphere(1), [2.5 * i, 0, 0]) for i in range(3)]
    /// >>> events, near = world.step_rows()
    /// >>> len(events), near["bodies"].tolist(), near["distance"].tolist()
    /// (0, [[0, 1], [1, 2]], [0.5, 0.5])
    fn step_rows<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let pool = pool(self.threads)?;
        let told = self.ask(py, |world| {
            pool.install(|| world.try_step()).map(|step| {
                let events = step.events.iter().flat_map(event_words).collect::<Vec<u64>>();
                (events, step.near.iter().flat_map(|pair| NearRow(*pair).row()).collect::<Vec<u64>>())
            })
        });
        let (events, near) = raised(told)?;
        let events = records(py, events, &record_type(py, &EVENTS, EVENT, 16)?)?;
        Ok((events, array::<NearRow, 18>(py, near)?))
    }

    /// Where a body is.
    fn pose(&self, py: Python<'_>, body: &Bound<'_, PyBodyId>) -> PyResult<PyPose> {
        let id = body.get().0;
        raised(self.ask(py, |world| world.pose(id).copied())).map(PyPose)
    }

    /// All bodies, in ascending order.
    fn ids(&self, py: Python<'_>) -> Vec<PyBodyId> {
        ids(self.ask(py, |world| world.ids().collect()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.ask(py, |world| world.len())
    }

    /// The bodies that a body at a pose overlaps; of these groups only, and without one of them, if said.
    #[pyo3(signature = (body, pose = None, *, groups = None, without = None))]
    fn overlapping(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
        groups: Option<Vec<usize>>,
        without: Option<&Bound<'_, PyBodyId>>,
    ) -> PyResult<Vec<PyBodyId>> {
        let (place, filter, body) = (self::pose("pose", pose)?, filter(groups, without)?, &body.get().body);
        let mut found = Vec::new();
        self.ask(py, |world| world.overlapping(body, &place, &filter, &mut found));
        Ok(ids(found))
    }

    /// The bodies that a box overlaps, by its least and greatest coordinates.
    #[pyo3(signature = (min, max, *, groups = None, without = None))]
    fn overlapping_box(
        &self,
        py: Python<'_>,
        min: &Bound<'_, PyAny>,
        max: &Bound<'_, PyAny>,
        groups: Option<Vec<usize>>,
        without: Option<&Bound<'_, PyBodyId>>,
    ) -> PyResult<Vec<PyBodyId>> {
        let bounds = Aabb { min: vec3("min", min)?, max: vec3("max", max)? };
        let (filter, mut found) = (filter(groups, without)?, Vec::new());
        self.ask(py, |world| world.overlapping_box(&bounds, &filter, &mut found));
        Ok(ids(found))
    }

    /// The k bodies nearest to a body at a pose, nearest first.
    #[pyo3(signature = (k, body, pose = None, *, groups = None, without = None))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        k: usize,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        groups: Option<Vec<usize>>,
        without: Option<&Bound<'py, PyBodyId>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (place, filter, body) = (self::pose("pose", pose)?, filter(groups, without)?, &body.get().body);
        let mut found = Vec::new();
        self.ask(py, |world| world.nearest(k, body, &place, &filter, &mut found));
        found.answer(py)
    }

    /// The first body that a ray meets, with where; None if there is none.
    #[pyo3(signature = (origin, direction, *, max = f64::INFINITY, groups = None, without = None))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max: f64,
        groups: Option<Vec<usize>>,
        without: Option<&Bound<'py, PyBodyId>>,
    ) -> PyResult<Option<(PyBodyId, Bound<'py, PyAny>)>> {
        let ray = raised(Ray::new(vec3("origin", origin)?, vector::<3>("direction", direction)?))?;
        let (options, filter) = (raised(RayOptions::up_to(max))?, filter(groups, without)?);
        let hit = self.ask(py, |world| world.cast_ray(&ray, &options, &filter));
        hit.map(|(body, hit)| Ok((PyBodyId(body), hit.answer(py)?))).transpose()
    }

    /// The first body that a moving body meets, with where; None if the way is free.
    #[pyo3(signature = (body, motion, *, clearance = 0.0, groups = None, without = None))]
    fn cast<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        motion: &Bound<'py, PyAny>,
        clearance: f64,
        groups: Option<Vec<usize>>,
        without: Option<&Bound<'py, PyBodyId>>,
    ) -> PyResult<Option<(PyBodyId, Bound<'py, PyAny>)>> {
        let (motion, filter) = (self::motion("motion", motion)?, filter(groups, without)?);
        let (options, body) = (cast_options(clearance, 0.0, true, None)?, &body.get().body);
        let found = raised(self.ask(py, |world| world.cast(body, &motion, &mut Cache::default(), &options, &filter)))?;
        found.map(|(body, cast)| Ok((PyBodyId(body), cast.answer(py)?))).transpose()
    }
}
