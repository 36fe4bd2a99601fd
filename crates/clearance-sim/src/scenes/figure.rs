//! A figure of twelve links that falls down a flight of stairs.

use clearance::{Pose, Real, Shape, Vec3};

use super::floor;
use crate::body::{BodyHandle, RigidBody};
use crate::error::SimError;
use crate::joint::Joint;
use crate::options::SimulationOptions;
use crate::simulation::Simulation;

/// How many links the figure has.
pub const LINKS: usize = 12;

/// Rise and going of a step.
const STEP: [Real; 2] = [0.2, 0.3];
/// Half the width of the stairs.
const HALF_WIDTH: Real = 2.0;
/// Rounding radius of a link.
const ROUNDING: Real = 0.02;

/// Builds stairs of this many steps down along x, and a figure of twelve links on the top step that tips over. Body 0 is the floor,
/// the steps follow, then the links; the links' joints are all there are.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// use clearance_sim::scenes::{LINKS, figure_on_stairs};
/// let mut simulation = figure_on_stairs(6, SimulationOptions::default())?;
/// assert_eq!(simulation.joints().count(), LINKS - 1);
/// simulation.step()?;
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn figure_on_stairs(steps: usize, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?)?;
    let [rise, going] = STEP;
    for number in 0..steps {
        let top = rise * (steps - number) as Real;
        let long = if number == 0 { 2.0 } else { going / 2.0 };
        let shape = Shape::cuboid([long, HALF_WIDTH, top / 2.0])?;
        let end = going * (number + 1) as Real;
        simulation.add(RigidBody::fixed(shape, Pose::from_translation([end - long, 0.0, top / 2.0])?))?;
    }
    let feet = Vec3::new(0.0, 0.0, rise * steps as Real + 0.01);
    figure(&mut simulation, feet, Vec3::new(1.2, 0.1, 0.0))?;
    Ok(simulation)
}

/// A standing figure that faces along x, with a velocity that is larger the higher a link is.
fn figure(simulation: &mut Simulation, feet: Vec3, at_head: Vec3) -> Result<(), SimError> {
    let mut link = |half: [Real; 3], at: [Real; 3]| -> Result<BodyHandle, SimError> {
        let shape = Shape::round_box(half.map(|half| half - ROUNDING), ROUNDING)?;
        let at = Vec3::from(at);
        let body = RigidBody::dynamic(shape, Pose::from_translation(feet + at)?);
        simulation.add(body.with_velocity(at_head * at.z, Vec3::ZERO))
    };
    let pelvis = link([0.10, 0.15, 0.08], [0.0, 0.0, 1.00])?;
    let abdomen = link([0.09, 0.13, 0.09], [0.0, 0.0, 1.19])?;
    let chest = link([0.11, 0.17, 0.14], [0.0, 0.0, 1.44])?;
    let head = link([0.09, 0.08, 0.11], [0.0, 0.0, 1.72])?;
    let mut limbs = Vec::new();
    for side in [-1.0, 1.0] {
        let upper_arm = link([0.05, 0.05, 0.15], [0.0, 0.24 * side, 1.40])?;
        let forearm = link([0.045, 0.045, 0.15], [0.0, 0.24 * side, 1.08])?;
        let thigh = link([0.075, 0.07, 0.2], [0.0, 0.09 * side, 0.70])?;
        let shin = link([0.06, 0.055, 0.24], [0.0, 0.09 * side, 0.25])?;
        limbs.push((side, [upper_arm, forearm, thigh, shin]));
    }
    let at = |y: Real, z: Real| feet + Vec3::new(0.0, y, z);
    let mut join = |joint: Joint| simulation.add_joint(joint);
    join(Joint::ball([pelvis, abdomen], at(0.0, 1.09)).with_cone(Vec3::Z, 0.5, 0.4))?;
    join(Joint::ball([abdomen, chest], at(0.0, 1.29)).with_cone(Vec3::Z, 0.4, 0.3))?;
    join(Joint::ball([chest, head], at(0.0, 1.595)).with_cone(Vec3::Z, 0.6, 0.8))?;
    for (side, [upper_arm, forearm, thigh, shin]) in limbs {
        join(Joint::ball([chest, upper_arm], at(0.24 * side, 1.54)).with_cone(-Vec3::Z, 2.0, 0.9))?;
        join(Joint::hinge([upper_arm, forearm], at(0.24 * side, 1.24), Vec3::Y).with_limits(-2.3, 0.0))?;
        join(Joint::ball([pelvis, thigh], at(0.09 * side, 0.91)).with_cone(-Vec3::Z, 1.1, 0.5))?;
        join(Joint::hinge([thigh, shin], at(0.09 * side, 0.495), Vec3::Y).with_limits(0.0, 2.3))?;
    }
    Ok(())
}
