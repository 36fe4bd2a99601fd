//! The paper's scenes: a brick wall that is shot at, and a figure that falls down stairs.

use clearance::world::{BodyId, Filter, World};
use clearance::{Cache, Pose, Real, Shape, Vec3, closest};

use super::error::RoomError;
use super::joint::JointId;
use super::mass::NewMoving;
use super::options::RoomOptions;
use super::room::Room;

/// A scene with its moving bodies.
pub struct Scene {
    /// The room.
    pub room: Room,
    /// The bodies that move.
    pub bodies: Vec<BodyId>,
    /// The joints.
    pub joints: Vec<JointId>,
}

/// What was found in a scene, by queries that the room has no part in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneReport {
    /// Steps made.
    pub steps: u32,
    /// The largest depth of any two bodies after any step; zero if none overlapped.
    pub penetration: Real,
    /// The largest growth of the energy in one step, relative to the energy at the start; zero if it never grew.
    pub growth: Real,
    /// The energy at the end, relative to that at the start.
    pub energy: Real,
    /// Energy that had to be taken away, relative to that at the start.
    pub removed: Real,
    /// Bodies below the floor, or not where a number can tell.
    pub lost: u32,
    /// Bodies at rest at the end.
    pub resting: u32,
    /// The time at which the last body came to rest; nothing if one did not.
    pub rested_at: Option<Real>,
    /// The largest distance between the ends of a joint after any step.
    pub joint_error: Real,
    /// Bodies farther than half a metre from where they started, or turned over.
    pub moved: u32,
    /// Depends on all poses at the end.
    pub path: u64,
}

/// A wall of bricks in running bond on a floor, of so many courses of so many bricks, with half bricks at the ends of every other one, and a
/// ball that flies into it.
///
/// # Errors
/// None for walls of a size that fits the room.
///
/// ```
/// use clearance_sim::doom::RoomOptions;
/// use clearance_sim::doom::experiment::brick_wall;
/// let mut scene = brick_wall(2, 2, 15.0, RoomOptions::default())?;
/// let report = scene.run(60.0, 0.5, true)?;
/// assert!(report.penetration == 0.0 && report.growth == 0.0 && report.lost == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn brick_wall(courses: u32, columns: u32, speed: Real, options: RoomOptions) -> Result<Scene, RoomError> {
    let mut room = Room::new(options)?;
    let place = |x: Real, y: Real, z: Real| Pose::from_translation([x, y, z]);
    room.add_fixed(cuboid([20.0, 20.0, 0.5])?, place(0.0, 0.0, -0.5)?)?;
    let half = [0.06, 0.125, 0.04];
    let joint = 2.0 * options.zone;
    let width = 2.0 * half[1] + joint;
    let (brick, end) = (cuboid(half)?, cuboid([half[0], 0.5 * (half[1] - 0.5 * joint), half[2]])?);
    let mut bodies = Vec::new();
    for course in 0..courses {
        let z = (half[2] + joint) + (2.0 * half[2] + joint) * course as Real;
        let left = -0.5 * width * columns as Real;
        let mut lay = |shape: &Shape, y: Real, mass: Real| -> Result<(), RoomError> {
            bodies.push(room.add(NewMoving::new(shape.clone(), place(0.0, left + y, z)?, mass))?);
            Ok(())
        };
        if course % 2 == 0 {
            for column in 0..columns {
                lay(&brick, width * (column as Real + 0.5), 4.0)?;
            }
            continue;
        }
        // Half a brick at each end.
        lay(&end, 0.25 * width, 2.0)?;
        for column in 1..columns {
            lay(&brick, width * column as Real, 4.0)?;
        }
        lay(&end, width * (columns as Real - 0.25), 2.0)?;
    }
    let middle = (half[2] + 0.5 * joint) * courses as Real;
    let ball = NewMoving {
        velocity: Vec3::new(speed, 0.0, 0.0),
        restitution: 0.3,
        ..NewMoving::new(sphere(0.12)?, place(-1.5, 0.02, middle.max(0.125))?, 8.0)
    };
    bodies.push(room.add(ball)?);
    Ok(Scene { room, bodies, joints: Vec::new() })
}

/// A figure of twelve links (a trunk of three, a head, arms and legs of two each) above a flight of stairs.
///
/// # Errors
/// None for these numbers.
pub fn figure_on_stairs(options: RoomOptions) -> Result<Scene, RoomError> {
    let mut room = Room::new(options)?;
    let place = |x: Real, y: Real, z: Real| Pose::from_translation([x, y, z]);
    room.add_fixed(cuboid([20.0, 20.0, 0.5])?, place(0.0, 0.0, -0.5)?)?;
    for step in 0..8 {
        let height = 0.1 * (8 - step) as Real;
        room.add_fixed(cuboid([0.15, 2.0, height])?, place(0.3 * step as Real, 0.0, height)?)?;
    }
    // Links as (middle, half extents, mass), then joints as (links, point); the figure lies along y, above the top of the stairs.
    let z = 2.2;
    let links: [([Real; 3], [Real; 3], Real); 12] = [
        ([0.0, 0.0, z], [0.12, 0.09, 0.08], 12.0),
        ([0.0, 0.2, z], [0.13, 0.09, 0.08], 12.0),
        ([0.0, 0.4, z], [0.15, 0.09, 0.08], 12.0),
        ([0.0, 0.6, z], [0.08, 0.09, 0.09], 5.0),
        ([-0.32, 0.42, z], [0.14, 0.05, 0.05], 2.5),
        ([-0.62, 0.42, z], [0.14, 0.04, 0.04], 2.0),
        ([0.32, 0.42, z], [0.14, 0.05, 0.05], 2.5),
        ([0.62, 0.42, z], [0.14, 0.04, 0.04], 2.0),
        ([-0.08, -0.3, z], [0.06, 0.19, 0.06], 7.0),
        ([-0.08, -0.7, z], [0.05, 0.19, 0.05], 4.0),
        ([0.08, -0.3, z], [0.06, 0.19, 0.06], 7.0),
        ([0.08, -0.7, z], [0.05, 0.19, 0.05], 4.0),
    ];
    let joints: [([usize; 2], [Real; 3]); 11] = [
        ([0, 1], [0.0, 0.1, z]),
        ([1, 2], [0.0, 0.3, z]),
        ([2, 3], [0.0, 0.5, z]),
        ([2, 4], [-0.165, 0.42, z]),
        ([4, 5], [-0.47, 0.42, z]),
        ([2, 6], [0.165, 0.42, z]),
        ([6, 7], [0.47, 0.42, z]),
        ([0, 8], [-0.08, -0.1, z]),
        ([8, 9], [-0.08, -0.5, z]),
        ([0, 10], [0.08, -0.1, z]),
        ([10, 11], [0.08, -0.5, z]),
    ];
    let mut bodies = Vec::new();
    for (at, half, mass) in links {
        let new = NewMoving {
            velocity: Vec3::new(0.8, 0.0, 0.0),
            ..NewMoving::new(cuboid(half)?, Pose::from_translation(at)?, mass)
        };
        bodies.push(room.add(new)?);
    }
    let join = |([a, b], point): ([usize; 2], [Real; 3])| room.join(bodies[a], bodies[b], Vec3::from(point));
    let joints = joints.into_iter().map(join).collect::<Result<Vec<_>, _>>()?;
    Ok(Scene { room, bodies, joints })
}

fn cuboid(half: [Real; 3]) -> Result<Shape, RoomError> {
    Ok(Shape::cuboid(half).map_err(clearance::world::WorldError::from)?)
}

fn sphere(radius: Real) -> Result<Shape, RoomError> {
    Ok(Shape::sphere(radius).map_err(clearance::world::WorldError::from)?)
}

impl Scene {
    /// Runs the scene at a rate for a time, with or without looking for overlaps after every step.
    ///
    /// # Errors
    /// As [`Room::step`].
    pub fn run(&mut self, rate: Real, seconds: Real, looks: bool) -> Result<SceneReport, RoomError> {
        let dt = 1.0 / rate;
        let start = self.room.energy();
        let poses: Vec<Pose> = self.bodies.iter().filter_map(|&id| self.room.pose(id).ok().copied()).collect();
        let mut report = SceneReport {
            steps: (seconds * rate).round() as u32,
            penetration: 0.0,
            growth: 0.0,
            energy: 1.0,
            removed: 0.0,
            lost: 0,
            resting: 0,
            rested_at: None,
            joint_error: 0.0,
            moved: 0,
            path: 0xcbf2_9ce4_8422_2325,
        };
        let mut energy = start;
        for step in 0..report.steps {
            let stepped = self.room.step(dt)?;
            report.growth = report.growth.max((stepped.energy - energy) / start);
            report.removed += stepped.removed / start;
            report.joint_error = report.joint_error.max(stepped.joint_error);
            energy = stepped.energy;
            match (stepped.awake, report.rested_at) {
                (0, None) => report.rested_at = Some((step + 1) as Real * dt),
                (0, _) => {}
                _ => report.rested_at = None,
            }
            if looks {
                report.penetration = report.penetration.max(self.deepest());
            }
        }
        report.energy = energy / start;
        self.finish(&mut report, &poses);
        Ok(report)
    }

    fn finish(&self, report: &mut SceneReport, starts: &[Pose]) {
        for (&id, start) in self.bodies.iter().zip(starts) {
            let Ok(pose) = self.room.pose(id) else { continue };
            let at = pose.translation();
            report.lost += u32::from(!(at.is_finite() && at.z > 0.0));
            report.resting += u32::from(self.room.is_resting(id).unwrap_or(false));
            let is_far = (at - start.translation()).length() > 0.5;
            report.moved += u32::from(is_far || pose.direction(Vec3::Z).dot(start.direction(Vec3::Z)) < 0.5);
            for byte in at.to_array().into_iter().flat_map(Real::to_le_bytes) {
                report.path = (report.path ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }

    /// How deep the deepest pair of bodies overlaps, links of one figure with each other left out; zero if none does.
    fn deepest(&self) -> Real {
        let world = self.room.world();
        let (mut found, mut depth): (Vec<BodyId>, Real) = (Vec::new(), 0.0);
        for &id in &self.bodies {
            let (Ok(body), Ok(pose)) = (world.body(id), world.pose(id)) else { continue };
            world.overlapping(body, pose, &Filter::except(id), &mut found);
            let is_link = |other: BodyId| !self.joints.is_empty() && self.bodies.contains(&other);
            for &other in found.iter().filter(|&&other| !is_link(other)) {
                depth = depth.max(depth_of(world, id, other));
            }
        }
        depth
    }
}

fn depth_of(world: &World, a: BodyId, b: BodyId) -> Real {
    let (Ok(body), Ok(pose), Ok(other), Ok(there)) = (world.body(a), world.pose(a), world.body(b), world.pose(b))
    else {
        return 0.0;
    };
    // Touching, which is within rounding, counts as an overlap by a rounding.
    let near = closest(body, pose, other, there, &mut Cache::default());
    (-near.distance).max(Real::MIN_POSITIVE)
}
