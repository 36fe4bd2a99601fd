//! A brick wall that a ball is shot at (the demonstration of the paper on casts).

use clearance::{Pose, Real, Shape, Vec3};

use super::floor;
use crate::body::RigidBody;
use crate::error::SimError;
use crate::options::SimulationOptions;
use crate::simulation::Simulation;

/// Half extents of a brick: along the wall, through it, up.
const BRICK: [Real; 3] = [0.25, 0.125, 0.1];
/// Room between neighbours.
const JOINT: Real = 0.002;
/// How fast the ball is shot.
pub const BALL_SPEED: Real = 40.0;

/// Builds a wall of bricks in a running bond and a heavy ball that flies at it. Body 0 is the floor, body 1 the ball, all others bricks.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// let mut simulation = clearance_sim::scenes::brick_wall(4, 3, SimulationOptions::default())?;
/// assert_eq!(simulation.bodies().count(), 2 + 4 * 3);
/// simulation.step()?;
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn brick_wall(columns: usize, rows: usize, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?)?;
    let middle = BRICK[2] * rows as Real;
    let from = Vec3::new(0.0, -6.0, middle);
    let ball = RigidBody::dynamic(Shape::sphere(0.25)?, Pose::from_translation(from)?).with_density(4000.0);
    simulation.add(RigidBody { bullet: true, ..ball.with_velocity(Vec3::Y * BALL_SPEED, Vec3::ZERO) })?;
    let brick = Shape::cuboid(BRICK)?;
    let pitch = 2.0 * BRICK[0] + JOINT;
    for row in 0..rows {
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        for column in 0..columns {
            let x = (column as Real + shift - 0.5 * (columns as Real - 0.5)) * pitch;
            let at = Vec3::new(x, 0.0, BRICK[2] * (2 * row + 1) as Real);
            simulation.add(RigidBody::dynamic(brick.clone(), Pose::from_translation(at)?).with_density(2000.0))?;
        }
    }
    Ok(simulation)
}
