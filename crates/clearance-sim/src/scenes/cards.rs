//! A card house, and a row of dominoes.

use clearance::{Pose, Real, Shape, Vec3};

use super::floor;
use crate::body::{BodyHandle, RigidBody, Velocity};
use crate::error::SimError;
use crate::options::SimulationOptions;
use crate::simulation::Simulation;

/// Length, width and thickness of a card.
const CARD: [Real; 3] = [1.0, 0.7, 0.02];
/// By how much leaning cards are turned away from upright, in radians.
const LEAN: Real = 0.4;
/// How much shorter a lying card is than the distance of the ridges it lies on.
const SHORTER: Real = 0.004;

/// Builds a card house with this many storeys: pairs of cards that lean on each other, and cards that lie across.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// let mut simulation = clearance_sim::scenes::card_house(2, SimulationOptions::default())?;
/// assert_eq!(simulation.bodies().count(), 1 + 2 * 2 + 1 + 2); // floor, two pairs, one across, one pair
/// simulation.step()?;
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn card_house(storeys: usize, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?.with_surface(0.8, 0.0))?;
    let [length, width, thickness] = CARD;
    let (sine, cosine) = LEAN.sin_cos();
    let storey = length * cosine + thickness * sine;
    // Feet and a little more.
    let pitch = 2.0 * length * sine + 0.06;
    let leaning = Shape::cuboid([thickness / 2.0, width / 2.0, length / 2.0])?;
    let lying = Shape::cuboid([(pitch - SHORTER) / 2.0, width / 2.0, thickness / 2.0])?;
    let mut add = |shape: &Shape, at: Vec3, lean: Real| -> Result<BodyHandle, SimError> {
        let pose = Pose::from_axis_angle(Vec3::Y, lean)?.with_translation(at)?;
        simulation.add(RigidBody::dynamic(shape.clone(), pose).with_density(700.0).with_surface(0.8, 0.0))
    };
    for level in 0..storeys {
        let pairs = storeys - level;
        let base = level as Real * (storey + thickness);
        for pair in 0..pairs {
            let x = (pair as Real - 0.5 * (pairs as Real - 1.0)) * pitch;
            let aside = 0.5 * (thickness * cosine + length * sine);
            add(&leaning, Vec3::new(x - aside, 0.0, base + storey / 2.0), LEAN)?;
            add(&leaning, Vec3::new(x + aside, 0.0, base + storey / 2.0), -LEAN)?;
        }
        for gap in 1..pairs {
            let x = (gap as Real - 0.5 * pairs as Real) * pitch;
            add(&lying, Vec3::new(x, 0.0, base + storey + thickness / 2.0), 0.0)?;
        }
    }
    Ok(simulation)
}

/// Builds a row of dominoes of which the first is pushed over. Body 0 is the floor, the dominoes follow in order.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// let mut simulation = clearance_sim::scenes::dominoes(5, SimulationOptions::default())?;
/// simulation.step()?;
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn dominoes(count: usize, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?)?;
    let stone = Shape::cuboid([0.05, 0.25, 0.5])?;
    for number in 0..count {
        let pose = Pose::from_translation([0.5 * number as Real, 0.0, 0.5])?;
        let body = simulation.add(RigidBody::dynamic(stone.clone(), pose))?;
        if number == 0 {
            // About its lower edge.
            let angular = Vec3::Y * 2.0;
            let linear = angular.cross(Vec3::new(-0.05, 0.0, 0.5));
            simulation.set_velocity(body, Velocity { linear, angular })?;
        }
    }
    Ok(simulation)
}
