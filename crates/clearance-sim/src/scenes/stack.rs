//! Stacks of boxes (implicit-objects thesis, sections 4.2.1 and 4.2.2), and the search for the tallest that stands.

use std::time::Duration;

use clearance::{Pose, Real, Shape};

use super::floor;
use super::random::Random;
use crate::body::{BodyHandle, RigidBody};
use crate::error::SimError;
use crate::options::{Narrow, SimulationOptions, Solver, Thesis};
use crate::simulation::Simulation;

/// Half extents of a box of the thesis, 4 × 2 × 4, its height along z.
const HALF: [Real; 3] = [2.0, 2.0, 1.0];
/// Rounding radius of a round box of the same size.
const ROUNDING: Real = 0.25;
/// How far boxes are moved aside at random.
const OFFSET: Real = 0.2;
/// Seconds between two looks at whether a stack still stands.
const LOOK: Real = 0.1;
/// Seconds after which a stack that still stands is taken for a candidate of the tallest.
const SCREEN: Real = 20.0;

/// A stack of boxes of 4 × 2 × 4, each moved aside by up to 0.2 along both horizontal axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// How many boxes.
    pub count: usize,
    /// Round boxes instead of sharp ones.
    pub round: bool,
    /// Of the random offsets.
    pub seed: u64,
}

/// Builds a stack on a floor; its boxes are bodies 1 and up. The thesis has 200 steps a second.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::SimulationOptions;
/// use clearance_sim::scenes::{Stack, stacking};
/// let stack = Stack { count: 5, round: false, seed: 1 };
/// let mut simulation = stacking(&stack, SimulationOptions { step: 1.0 / 200.0, ..SimulationOptions::default() })?;
/// for _ in 0..200 {
///     simulation.step()?;
/// }
/// assert!(simulation.fastest() < 0.05);
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn stacking(stack: &Stack, options: SimulationOptions) -> Result<Simulation, SimError> {
    let mut simulation = Simulation::new(options)?;
    simulation.add(floor()?)?;
    let shape =
        if stack.round { Shape::round_box(HALF.map(|half| half - ROUNDING), ROUNDING)? } else { Shape::cuboid(HALF)? };
    let mut random = Random::new(stack.seed);
    for number in 0..stack.count {
        let [x, y] = [(); 2].map(|()| random.uniform(-OFFSET, OFFSET));
        let pose = Pose::from_translation([x, y, height(number, &options)])?;
        simulation.add(RigidBody::dynamic(shape.clone(), pose).with_density(1.0))?;
    }
    Ok(simulation)
}

/// Where the centre of a box of the stack is. Boxes that are swept by a ball rest that much farther apart.
fn height(number: usize, options: &SimulationOptions) -> Real {
    let apart = match options.solver {
        Solver::Thesis(Thesis { narrow: Narrow::SweptGjk { radius }, .. }) => 2.0 * radius,
        _ => 0.0,
    };
    HALF[2] * (2 * number + 1) as Real + apart * (number + 1) as Real
}

/// How a stack has fared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackEnd {
    /// Whether it still stood.
    pub stands: bool,
    /// Seconds simulated: until it had collapsed, or all that were asked for.
    pub seconds: Real,
    /// The largest speed of a box at the end.
    pub fastest: Real,
    /// Collision detection per step and pair in contact.
    pub per_pair: Duration,
}

/// Simulates a stack for some seconds, or until it has collapsed: until the top box is half a box lower than it was, or off the stack.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::scenes::{Stack, stack_end};
/// use clearance_sim::{SimulationOptions, Solver, Thesis};
/// let solver = Solver::Thesis(Thesis { iterations: 20, ..Thesis::default() });
/// let options = SimulationOptions { step: 1.0 / 200.0, solver, ..SimulationOptions::default() };
/// assert!(stack_end(&Stack { count: 3, round: false, seed: 1 }, options, 2.0)?.stands);
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn stack_end(stack: &Stack, options: SimulationOptions, seconds: Real) -> Result<StackEnd, SimError> {
    let mut simulation = stacking(stack, options)?;
    let top = simulation.handle(stack.count as u32);
    let steps = (seconds / options.step).round().max(0.0) as u64;
    let between = (LOOK / options.step).ceil().max(1.0) as u64;
    let (mut collide, mut pairs) = (Duration::ZERO, 0);
    for step in 1..=steps {
        let report = simulation.step()?;
        collide += report.phases.collide;
        pairs += report.pairs as u64;
        if (step % between == 0 || step == steps) && !stands(&simulation, top)? {
            break;
        }
    }
    let per_pair = Duration::from_nanos((collide.as_nanos() / u128::from(pairs.max(1))) as u64);
    let (seconds, fastest) = (simulation.time(), simulation.fastest());
    Ok(StackEnd { stands: stands(&simulation, top)?, seconds, fastest, per_pair })
}

fn stands(simulation: &Simulation, top: BodyHandle) -> Result<bool, SimError> {
    let at = simulation.pose(top)?.translation();
    let first = height(top.index().saturating_sub(1), simulation.options());
    Ok((at.z - first).abs() < HALF[2] && at.truncate().length() < 2.0 * HALF[0] * (1.0 + first / 100.0))
}

/// The tallest stack that stood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TallestStack {
    /// Its boxes.
    pub count: usize,
    /// Collision detection per step and pair, of that stack.
    pub per_pair: Duration,
    /// How long the next taller one stood; nothing if none taller was tried.
    pub next: Option<Real>,
}

/// Searches the tallest stack that stands for `seconds`, of at most `most` boxes.
///
/// From `first` boxes upward until one collapses within 20 seconds (most that collapse do so early), then downward until one stands the
/// whole time.
///
/// # Errors
/// If an option is out of range.
///
/// ```
/// use clearance_sim::scenes::{Stack, tallest_stack};
/// use clearance_sim::{SimulationOptions, Solver, Thesis};
/// let solver = Solver::Thesis(Thesis { iterations: 20, ..Thesis::default() });
/// let options = SimulationOptions { step: 1.0 / 200.0, solver, ..SimulationOptions::default() };
/// let found = tallest_stack(&Stack { count: 2, round: false, seed: 1 }, options, 1.0, 3)?; // one second, up to three boxes
/// assert_eq!(found.count, 3);
/// # Ok::<(), clearance_sim::SimError>(())
/// ```
pub fn tallest_stack(
    first: &Stack,
    options: SimulationOptions,
    seconds: Real,
    most: usize,
) -> Result<TallestStack, SimError> {
    let of = |count: usize, seconds: Real| stack_end(&Stack { count, ..*first }, options, seconds);
    let (mut count, mut next) = (first.count.clamp(1, most.max(1)), None);
    while count <= most {
        let end = of(count, seconds.min(SCREEN))?;
        if !end.stands {
            next = Some(end.seconds);
            break;
        }
        count += 1;
    }
    while count > 1 {
        count -= 1;
        let end = of(count, seconds)?;
        if end.stands {
            return Ok(TallestStack { count, per_pair: end.per_pair, next });
        }
        next = Some(end.seconds);
    }
    Ok(TallestStack { count: 0, per_pair: Duration::ZERO, next })
}
