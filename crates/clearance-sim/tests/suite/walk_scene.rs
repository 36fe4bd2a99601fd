//! Worlds to walk through, and a game that walks through them.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::world::{BodyId, NewBody, World, WorldOptions};
use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::walk::{Walk, Walked, Walker};

pub const RATES: [u32; 4] = [30, 60, 144, 300];
pub const GRAVITY: Real = 9.81;

/// The bodies that walk: an upright capsule and a box, of the same height and width.
pub fn bodies() -> [(&'static str, Shape, [Real; 4]); 2] {
    let half = Real::sqrt(0.5);
    // The capsule's axis is x; a quarter turn about y puts it upright.
    [
        ("capsule", Shape::capsule(0.6, 0.3).unwrap(), [0.0, half, 0.0, half]),
        ("box", Shape::cuboid([0.3, 0.3, 0.9]).unwrap(), [0.0, 0.0, 0.0, 1.0]),
    ]
}

pub fn world() -> World {
    World::new(WorldOptions::default())
}

pub fn at(x: Real, y: Real, z: Real) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

/// A fixed box by its corners.
pub fn block(world: &mut World, min: [Real; 3], max: [Real; 3]) -> BodyId {
    let (min, max) = (Vec3::from(min), Vec3::from(max));
    let shape = Shape::cuboid(((max - min) * 0.5).to_array()).unwrap();
    world.add(NewBody::fixed(shape, Pose::from_translation((min + max) * 0.5).unwrap())).unwrap()
}

pub fn floor(world: &mut World) -> BodyId {
    block(world, [-40.0, -40.0, -1.0], [40.0, 40.0, 0.0])
}

/// A fixed prism along y with a profile in x and z.
pub fn prism(world: &mut World, profile: &[[Real; 2]], y: [Real; 2]) -> BodyId {
    let points: Vec<Vec3> = profile.iter().flat_map(|&[x, z]| y.map(|y| Vec3::new(x, y, z))).collect();
    world.add(NewBody::fixed(Shape::polytope(&points).unwrap(), Pose::IDENTITY)).unwrap()
}

/// A walker in a world with gravity.
pub struct Game {
    pub walker: Walker,
    pub dt: Real,
    pub fall: Real,
    pub last: Option<Walked>,
}

impl Game {
    pub fn new((_, shape, rotation): &(&str, Shape, [Real; 4]), place: [Real; 3], walk: Walk, rate: u32) -> Self {
        let pose = Pose::new(place, *rotation).unwrap();
        Self { walker: Walker::new(shape.clone(), pose, walk).unwrap(), dt: 1.0 / rate as Real, fall: 0.0, last: None }
    }

    /// One frame with a level velocity, and an upward one that is used on the ground.
    pub fn frame(&mut self, world: &World, level: [Real; 2], jump: Option<Real>) -> Walked {
        let is_grounded = self.last.is_some_and(|last| last.ground.is_some());
        let fall = match jump {
            Some(jump) if is_grounded => jump,
            _ if is_grounded => 0.0,
            // The mean of the velocities at the ends of the frame.
            _ => self.fall - 0.5 * GRAVITY * self.dt,
        };
        let walked = self.walker.step(world, Vec3::new(level[0], level[1], fall), self.dt).unwrap();
        self.fall = if walked.ground.is_some() {
            0.0
        } else {
            let left = walked.velocity.z;
            // A jump and a step off an edge begin at the start of the frame.
            if is_grounded { left - GRAVITY * self.dt } else { left - 0.5 * GRAVITY * self.dt }
        };
        self.last = Some(walked);
        walked
    }

    /// Frames for a time; calls back after each.
    pub fn run(&mut self, world: &World, seconds: Real, level: [Real; 2], mut each: impl FnMut(&Walked)) {
        let frames = (seconds / self.dt).round() as u32;
        for _ in 0..frames {
            each(&self.frame(world, level, None));
        }
    }

    pub fn place(&self) -> Vec3 {
        self.walker.pose().translation()
    }
}

/// The least distance of a walker from all bodies of a world, asked without it.
pub fn least_distance(world: &World, walker: &Walker) -> Real {
    world
        .ids()
        .map(|id| {
            let (body, pose) = (world.body(id).unwrap(), world.pose(id).unwrap());
            clearance::closest(body, pose, walker.shape(), walker.pose(), &mut clearance::Cache::default()).distance
        })
        .fold(Real::INFINITY, Real::min)
}
