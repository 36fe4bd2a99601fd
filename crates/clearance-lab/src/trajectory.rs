//! Bodies that move through a closed cube, recorded first and replayed by every competitor alike.
//!
//! Each body has a steady velocity and a steady turn per frame, both reversed while it touches another; the walls reflect. Bodies
//! start on a lattice that keeps them apart and move for a while before the recording begins, so that it does not show the
//! lattice. A replay can go forth and back, so that no frame is a jump.

use clearance::world::{BodyId, EventKind, NewBody, World, WorldOptions};
use clearance::{Pose, Shape};
use clearance_testkit::Rng;
use glam::{DQuat, DVec3};
use std::time::Instant;

use crate::Failure;

/// How the bodies move, and how much room they have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// Way per frame.
    pub(crate) speed: f64,
    /// Turn per frame.
    pub(crate) turn_degrees: f64,
    /// Edge of the cell that each body starts in.
    pub(crate) cell: f64,
}

/// A body under way.
pub(crate) struct Mover {
    pub(crate) place: DVec3,
    pub(crate) rotation: DQuat,
    velocity: DVec3,
    /// One frame's turn.
    turn: DQuat,
}

/// Cells along an edge of the smallest cube that has a cell for each body.
pub(crate) fn cells_along(count: usize) -> usize {
    (1..).find(|cells| cells * cells * cells >= count).unwrap_or(1)
}

impl Mover {
    /// The body numbered `i`, in its cell of a cube of that many cells along each edge.
    pub(crate) fn new(rng: &mut Rng, motion: &Motion, i: usize, cells: usize) -> Self {
        let cell = DVec3::new((i % cells) as f64, (i / cells % cells) as f64, (i / cells / cells) as f64);
        Self {
            place: (cell + 0.5) * motion.cell,
            rotation: rng.rotation(),
            velocity: rng.unit_vector() * motion.speed,
            turn: DQuat::from_axis_angle(rng.unit_vector(), motion.turn_degrees.to_radians()),
        }
    }

    /// One frame; the walls of the cube reflect.
    pub(crate) fn advance(&mut self, edge: f64) {
        self.place += self.velocity;
        self.rotation = (self.turn * self.rotation).normalize();
        for axis in 0..3 {
            if self.place[axis] < 0.0 {
                self.velocity[axis] = self.velocity[axis].abs();
            } else if self.place[axis] > edge {
                self.velocity[axis] = -self.velocity[axis].abs();
            }
        }
    }

    pub(crate) fn reverse(&mut self) {
        self.velocity = -self.velocity;
        self.turn = self.turn.inverse();
    }

    pub(crate) fn pose(&self) -> Result<Pose, Failure> {
        Ok(Pose::new(self.place, self.rotation)?)
    }
}

/// What was recorded.
pub(crate) struct Recording {
    /// The points of the hulls.
    pub(crate) points: Vec<Vec<DVec3>>,
    pub(crate) hulls: Vec<Shape>,
    /// The hull of each body.
    pub(crate) hull_of: Vec<usize>,
    /// By frame and body.
    pub(crate) frames: Vec<Vec<Pose>>,
}

impl Recording {
    /// Moves `count` bodies, which have the hulls of these points in turn, for some frames and records as many as asked.
    pub(crate) fn new(
        rng: &mut Rng,
        points: Vec<Vec<DVec3>>,
        count: usize,
        motion: &Motion,
        [settling, frames]: [usize; 2],
    ) -> Result<Self, Failure> {
        let hulls = points.iter().map(|points| Shape::polytope(points)).collect::<Result<Vec<_>, _>>()?;
        let hull_of: Vec<usize> = (0..count).map(|i| i % hulls.len().max(1)).collect();
        let cells = cells_along(count);
        let mut movers: Vec<Mover> = (0..count).map(|i| Mover::new(rng, motion, i, cells)).collect();
        let mut recording = Self { points, hulls, hull_of, frames: Vec::with_capacity(frames) };
        let start = movers.iter().map(Mover::pose).collect::<Result<Vec<_>, _>>()?;
        let (mut world, ids) = recording.world_at(&start)?;
        let mut touching = vec![false; count];
        for frame in 0..settling + frames {
            movers.iter_mut().for_each(|mover| mover.advance(cells as f64 * motion.cell));
            let poses = movers.iter().map(Mover::pose).collect::<Result<Vec<_>, _>>()?;
            for (id, pose) in ids.iter().zip(&poses) {
                world.set_pose(*id, *pose)?;
            }
            touching.fill(false);
            for event in world.step().events.iter().filter(|event| event.kind != EventKind::End) {
                event.bodies.iter().for_each(|id| touching[id.index()] = true);
            }
            movers.iter_mut().zip(&touching).filter(|(_, touching)| **touching).for_each(|(mover, _)| mover.reverse());
            if frame >= settling {
                recording.frames.push(poses);
            }
        }
        Ok(recording)
    }

    pub(crate) fn shape(&self, body: usize) -> &Shape {
        &self.hulls[self.hull_of[body]]
    }

    /// A world with the bodies as they are in the first frame.
    pub(crate) fn world(&self) -> Result<(World, Vec<BodyId>), Failure> {
        self.world_at(self.frames.first().map_or(&[], Vec::as_slice))
    }

    fn world_at(&self, poses: &[Pose]) -> Result<(World, Vec<BodyId>), Failure> {
        let mut world = World::new(WorldOptions { queries: false, ..WorldOptions::default() });
        let mut ids = Vec::with_capacity(poses.len());
        for (body, pose) in poses.iter().enumerate() {
            ids.push(world.add(NewBody::new(self.shape(body).clone(), *pose))?);
        }
        Ok((world, ids))
    }
}

/// One frame of the library; how many pairs touch.
pub(crate) fn advance((world, ids): &mut (World, Vec<BodyId>), poses: &[Pose]) -> u64 {
    for (id, pose) in ids.iter().zip(poses) {
        // The ids are the world's own: there is nothing to refuse.
        let set = world.set_pose(*id, *pose);
        debug_assert!(set.is_ok(), "{set:?}");
    }
    world.step().statistics.touching
}

/// One competitor's replay: nanoseconds of each visit of a frame.
pub(crate) type Replay<'a> = &'a mut dyn FnMut() -> Vec<f64>;

/// Nanoseconds of each of the visits.
pub(crate) fn visits(way: impl Iterator<Item = usize>, mut visit: impl FnMut(usize)) -> Vec<f64> {
    way.map(|at| {
        let start = Instant::now();
        visit(at);
        start.elapsed().as_nanos() as f64
    })
    .collect()
}

/// Nanoseconds of each of the visits, less what this thread spent waiting for a processor, where the system tells: long visits
/// find no quiet moment on a busy machine. Never less than the visit took while it ran.
pub(crate) fn long_visits(way: impl Iterator<Item = usize>, mut visit: impl FnMut(usize)) -> Vec<f64> {
    way.map(|at| {
        let before = Instant::now();
        let waited = waited();
        let start = Instant::now();
        visit(at);
        let whole = start.elapsed().as_nanos() as f64;
        // All that is subtracted lies between the outer two readings of the clock, so that nothing is subtracted in excess.
        let waited = waited.zip(self::waited()).map_or(0.0, |(from, to)| to - from);
        whole.min(before.elapsed().as_nanos() as f64 - waited)
    })
    .collect()
}

/// Nanoseconds that this thread has been ready to run and was not running.
fn waited() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().nth(1)?.parse().ok()
}

/// All frames forth and back.
pub(crate) fn forth_and_back(frames: usize) -> impl Iterator<Item = usize> {
    (0..frames).chain((0..frames).rev())
}

/// Nanoseconds per visit of each competitor: the least of all rounds for each visit, averaged. Competitors take turns by
/// rounds; the first round warms up and does not count.
pub(crate) fn per_visit<const N: usize>(competitors: [Replay<'_>; N], rounds: usize) -> [f64; N] {
    let mut least: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for round in 0..=rounds {
        for turn in 0..N {
            let who = if round % 2 == 0 { turn } else { N - 1 - turn };
            let times = (competitors[who])();
            if round == 0 {
                least[who] = vec![f64::INFINITY; times.len()];
                continue;
            }
            least[who].iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
        }
    }
    least.map(|times| times.iter().sum::<f64>() / times.len().max(1) as f64)
}
