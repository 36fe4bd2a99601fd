//! The bodies of a scene in motion: one call, one frame.
//!
//! In each frame all bodies move by their velocities and turn by their spins, walls send them back, and the world is asked. When
//! two bodies *begin* to touch they turn back (Q_COLLIDE, section 6.2), each body once in a frame however many it meets: it then
//! goes back the way it came, which was free. Bodies that still touch are left alone: turning them back again in each frame would
//! hold them together for ever.

use std::time::{Duration, Instant};

use clearance::world::{BodyId, EventKind, MotionBounds, NewBody, Step, World, WorldError};
use clearance::{Pose, PoseError, Quat, Vec3};
use thiserror::Error;

use super::room::Room;
use super::scene::{Mover, Reaction, Scene};

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The world refused a body.
    #[error("{body}: {error}")]
    Body {
        /// Which.
        body: String,
        /// Why.
        error: WorldError,
    },
    /// More boxes overlap than a world keeps pairs.
    #[error(
        "bodies and swarms: in frame {frame} more than {most} pairs of boxes overlap, the most that are kept; fewer bodies or a larger room have fewer"
    )]
    Crowded {
        /// When.
        frame: u32,
        /// How many pairs are kept.
        most: usize,
    },
    /// A body went where no pose is.
    #[error("{body} in frame {frame}: {error}; a room would keep it")]
    Pose {
        /// Which.
        body: String,
        /// When.
        frame: u32,
        /// Why.
        error: PoseError,
    },
}

/// How a body goes on.
struct Course {
    velocity: Vec3,
    turn: Quat,
    radius: f64,
    /// The frame in which it was last turned back.
    reversed: u32,
}

/// A scene that runs.
pub struct Simulation<'s> {
    scene: &'s Scene,
    world: World,
    ids: Vec<BodyId>,
    courses: Vec<Course>,
    poses: Vec<Pose>,
    frame: u32,
}

/// What a frame brought.
pub struct Frame<'a> {
    /// Its number, from one.
    pub number: u32,
    /// What the world tells. The index of a body is that of the scene.
    pub step: Step<'a>,
    /// Where the bodies are.
    pub poses: &'a [Pose],
    /// How long it took to tell the world the poses and to ask it.
    pub time: Duration,
}

/// What a message calls a body.
pub fn called(body: &Mover, index: usize) -> String {
    body.name.as_ref().map_or_else(|| format!("body {index}"), |name| format!("body {index} ('{name}')"))
}

/// A body of the scene at a pose, for a world.
pub fn body(mover: &Mover, pose: Pose) -> NewBody {
    let motion = MotionBounds { speed: mover.velocity.length(), spin: mover.spin.length(), ..MotionBounds::default() };
    NewBody { group: mover.group, motion: Some(motion), ..NewBody::new(mover.shape.clone(), pose) }
}

/// A world for the bodies of the scene, without them.
pub fn empty_world(scene: &Scene) -> World {
    let mut world = World::new(scene.options);
    for [a, b] in &scene.ignored {
        world.set_groups(*a, *b, false);
    }
    world
}

impl<'s> Simulation<'s> {
    /// All bodies in their places, before the first frame.
    ///
    /// # Errors
    /// If the world refuses a body.
    pub fn new(scene: &'s Scene) -> Result<Self, RunError> {
        let mut world = empty_world(scene);
        let mut ids = Vec::with_capacity(scene.bodies.len());
        for (i, mover) in scene.bodies.iter().enumerate() {
            let added = world.add(body(mover, mover.pose));
            ids.push(added.map_err(|error| RunError::Body { body: called(mover, i), error })?);
        }
        let course = |mover: &Mover| Course {
            velocity: mover.velocity,
            turn: Quat::from_scaled_axis(mover.spin),
            radius: mover.shape.bounding_radius(),
            reversed: 0,
        };
        let courses = scene.bodies.iter().map(course).collect();
        let poses = scene.bodies.iter().map(|mover| mover.pose).collect();
        Ok(Self { scene, world, ids, courses, poses, frame: 0 })
    }

    /// The next frame; the first is that of the scene as it is written.
    ///
    /// # Errors
    /// If a body leaves the range of poses.
    pub fn advance(&mut self) -> Result<Frame<'_>, RunError> {
        self.frame += 1;
        if self.frame > 1 {
            self.move_bodies()?;
        }
        let start = Instant::now();
        if self.frame > 1 {
            for (i, (id, pose)) in self.ids.iter().zip(&self.poses).enumerate() {
                let set = self.world.set_pose(*id, *pose);
                set.map_err(|error| RunError::Body { body: called(&self.scene.bodies[i], i), error })?;
            }
        }
        let (frame, most) = (self.frame, self.scene.options.most_pairs);
        let step = self.world.try_step().map_err(|_| RunError::Crowded { frame, most })?;
        let time = start.elapsed();
        if self.scene.reaction == Reaction::Reverse {
            let begun = step.events.iter().filter(|event| event.kind == EventKind::Begin);
            for index in begun.flat_map(|event| event.bodies).map(BodyId::index) {
                self.courses[index].reverse(self.frame);
            }
        }
        Ok(Frame { number: self.frame, step, time, poses: &self.poses })
    }

    fn move_bodies(&mut self) -> Result<(), RunError> {
        let room = self.scene.room.as_ref();
        for (i, (course, pose)) in self.courses.iter_mut().zip(&mut self.poses).enumerate() {
            let frame = self.frame;
            let next = course.follow(pose, room);
            *pose = next.map_err(|error| RunError::Pose { body: called(&self.scene.bodies[i], i), frame, error })?;
        }
        Ok(())
    }
}

impl Course {
    fn reverse(&mut self, frame: u32) {
        if self.reversed != frame {
            self.reversed = frame;
            self.velocity = -self.velocity;
            self.turn = self.turn.conjugate();
        }
    }

    fn follow(&mut self, pose: &Pose, room: Option<&Room>) -> Result<Pose, PoseError> {
        let mut place = pose.translation() + self.velocity;
        if let Some(room) = room {
            room.fold(&mut place, &mut self.velocity, self.radius);
        }
        Pose::new(place, self.turn * pose.rotation())
    }
}
