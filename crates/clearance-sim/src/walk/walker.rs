//! The walker and its step.

use clearance::world::{BodyId, World};
use clearance::{Pose, Real, Shape, Vec3};

use super::around::{Mover, Scratch};
use super::error::{WalkError, positive};
use super::footing::Footing;
use super::options::Walk;
use super::tolerance::{ALONG, SKIN_ROUNDINGS};

/// What a walker stands on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// The body.
    pub body: BodyId,
    /// The place of the contact, on the body.
    pub point: Vec3,
    /// The normal of the surface stood on, out of the body; of the surface behind it where the contact is an edge.
    pub normal: Vec3,
    /// Whether the walker stands between surfaces of which each alone is too steep.
    pub steep: bool,
}

/// Something that a walker has met in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The body.
    pub body: BodyId,
    /// The place, on the body.
    pub point: Vec3,
    /// The normal of the contact, out of the body.
    pub normal: Vec3,
}

/// How a frame went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walked {
    /// Where the walker is.
    pub pose: Pose,
    /// Its velocity. On the ground: along the level, and that of the ground. In the air: what was wanted, without what led into what was met;
    /// the game adds gravity to it and gives it back in the next frame.
    pub velocity: Vec3,
    /// What it stands on; nothing in the air.
    pub ground: Option<Ground>,
    /// How far the ground has taken it along, and what came to it has pushed it.
    pub carried: Vec3,
    /// Whether it has its low shape.
    pub crouched: bool,
    /// Whether something has moved into it and there is no room to give way; it is then in that body, and in no other.
    pub crushed: bool,
}

/// A character that walks through a world.
///
/// ```
/// use clearance::world::{NewBody, World, WorldOptions};
/// use clearance::{Pose, Real, Shape, Vec3};
/// use clearance_sim::walk::{Walk, Walker};
/// let mut world = World::new(WorldOptions::default());
/// world.add(NewBody::fixed(Shape::cuboid([20.0, 20.0, 1.0])?, Pose::from_translation([0.0, 0.0, -1.0])?))?;
/// world.add(NewBody::fixed(Shape::cuboid([2.0, 2.0, 0.15])?, Pose::from_translation([4.0, 0.0, 0.15])?))?; // a step
/// let body = Shape::cuboid([0.3, 0.3, 0.9])?;
/// let mut walker = Walker::new(body, Pose::from_translation([0.0, 0.0, 1.5])?, Walk::default())?;
/// let (mut fall, dt) = (0.0, 1.0 / 60.0);
/// for _ in 0..120 {
///     let walked = walker.step(&world, Vec3::new(2.0, 0.0, fall), dt)?;
///     fall = if walked.ground.is_some() { 0.0 } else { walked.velocity.z - 9.81 * dt };
/// }
/// let at = walker.pose().translation();
/// assert!((at.z - (0.3 + 0.02 + 0.9)).abs() < 1e-3 && at.x > 3.5); // on the step
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Walker {
    walk: Walk,
    standing: Shape,
    low: Option<Shape>,
    wants_low: bool,
    is_low: bool,
    pose: Pose,
    ground: Option<Footing>,
    base: Real,
    scratch: Scratch,
}

impl Walker {
    /// A walker with a convex body at a pose, in the air until its first step finds ground.
    ///
    /// # Errors
    /// If a number of the options is out of its range, or the upward direction is none.
    pub fn new(body: Shape, pose: Pose, walk: Walk) -> Result<Self, WalkError> {
        let walk = walk.checked()?;
        let base = pose.translation().dot(walk.up);
        Ok(Self {
            walk,
            standing: body,
            low: None,
            wants_low: false,
            is_low: false,
            pose,
            ground: None,
            base,
            scratch: Scratch::default(),
        })
    }

    /// The same walker with a second shape, for [`crouch`](Self::crouch): lower than the first, with the same axes.
    #[must_use]
    pub fn with_low_shape(self, low: Shape) -> Self {
        Self { low: Some(low), ..self }
    }

    /// Asks the walker to crouch, or to stand up again as soon as there is room. Its feet stay where they are. Without a low shape nothing
    /// happens.
    ///
    /// ```
    /// use clearance::world::{NewBody, World, WorldOptions};
    /// use clearance::{Pose, Shape, Vec3};
    /// use clearance_sim::walk::{Walk, Walker};
    /// let mut world = World::new(WorldOptions::default());
    /// world.add(NewBody::fixed(Shape::cuboid([9.0, 9.0, 1.0])?, Pose::from_translation([0.0, 0.0, -1.0])?))?;
    /// let table = world.add(NewBody::new(Shape::cuboid([1.0, 1.0, 0.1])?, Pose::from_translation([0.0, 0.0, 9.0])?))?;
    /// let at = Pose::from_translation([0.0, 0.0, 0.92])?;
    /// let low = Shape::cuboid([0.3, 0.3, 0.45])?;
    /// let mut walker = Walker::new(Shape::cuboid([0.3, 0.3, 0.9])?, at, Walk::default())?.with_low_shape(low);
    /// walker.crouch(true);
    /// assert!(walker.step(&world, Vec3::ZERO, 0.01)?.crouched);
    /// world.set_pose(table, Pose::from_translation([0.0, 0.0, 1.2])?)?;
    /// walker.crouch(false);
    /// assert!(walker.step(&world, Vec3::ZERO, 0.01)?.crouched); // no room under the table
    /// world.set_pose(table, Pose::from_translation([0.0, 0.0, 9.0])?)?;
    /// assert!(!walker.step(&world, Vec3::ZERO, 0.01)?.crouched);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crouch(&mut self, low: bool) {
        self.wants_low = low;
    }

    /// Where the walker is.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The shape that it has now.
    pub fn shape(&self) -> &Shape {
        self.low.as_ref().filter(|_| self.is_low).unwrap_or(&self.standing)
    }

    /// How it walks.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// What it has met in the last step: walls, and the ground.
    pub fn touches(&self) -> &[Touch] {
        &self.scratch.touches
    }

    /// Puts the walker somewhere else, in the air; what is there pushes it away in the next step.
    pub fn teleport(&mut self, pose: Pose) {
        (self.pose, self.ground) = (pose, None);
        self.base = pose.translation().dot(self.walk.up);
        self.scratch.seen.clear();
    }

    /// Moves the walker for one frame, among the bodies as they are now: with the body it stands on, before what comes to it, and
    /// with the velocity that is wanted.
    ///
    /// On the ground, where the velocity has no upward part, its level part is kept along the ground, and it is relative to the ground. A
    /// velocity with an upward part leaves the ground at once. In the air the velocity is what it is.
    ///
    /// # Errors
    /// If the velocity is not finite, the time is not above zero, or the walker is too far from the origin for its skin. It stays
    /// where it was.
    pub fn step(&mut self, world: &World, wanted: Vec3, dt: Real) -> Result<Walked, WalkError> {
        self.check(wanted, dt)?;
        let Self { walk, standing, low, wants_low, is_low, pose, ground, base, scratch } = self;
        scratch.touches.clear();
        let lower = low.as_ref().filter(|_| *is_low);
        let mut mover = Mover::new(world, walk, lower.unwrap_or(standing), *pose, scratch);
        mover.base = *base;
        let start = pose.translation();
        let crushed = be_moved(&mut mover, ground.as_ref())?;
        let carried = mover.at.translation() - start;
        let changes = match low.as_ref().filter(|_| wants_low != is_low) {
            Some(low) => mover.take_shape(if *wants_low { low } else { standing })?,
            None => false,
        };
        mover.ground = *ground;
        let velocity = if crushed { Vec3::ZERO } else { go(&mut mover, wanted, dt)? };
        let velocity = if ground.is_some() { velocity + carried / dt } else { velocity };
        (*pose, *base, *ground, *is_low) = (mover.at, mover.base, mover.ground, *is_low != changes);
        mover.scratch.remember();
        Ok(Walked {
            pose: *pose,
            velocity,
            ground: ground.map(|footing| footing.ground),
            carried,
            crouched: *is_low,
            crushed,
        })
    }

    /// Turns the walker about the upward axis through its origin as far as there is room; gives the angle, right-handed, in radians.
    ///
    /// # Errors
    /// If the angle is not finite, or as for [`step`](Self::step).
    ///
    /// ```
    /// use clearance::world::{NewBody, World, WorldOptions};
    /// use clearance::{Pose, Shape};
    /// use clearance_sim::walk::{Walk, Walker};
    /// let mut world = World::new(WorldOptions::default());
    /// world.add(NewBody::fixed(Shape::cuboid([1.0, 9.0, 9.0])?, Pose::from_translation([1.5, 0.0, 0.0])?))?;
    /// let mut walker = Walker::new(Shape::cuboid([0.4, 0.8, 0.9])?, Pose::IDENTITY, Walk::default())?;
    /// let angle = walker.turn(&world, 1.5)?;
    /// assert!(angle > 0.05 && angle < 0.3); // a corner meets the wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn(&mut self, world: &World, angle: Real) -> Result<Real, WalkError> {
        if !angle.is_finite() {
            return Err(WalkError::Number { name: "angle", value: angle, range: "finite" });
        }
        self.check(Vec3::ZERO, 1.0)?;
        let Self { walk, standing, low, is_low, pose, scratch, .. } = self;
        let lower = low.as_ref().filter(|_| *is_low);
        let mut mover = Mover::new(world, walk, lower.unwrap_or(standing), *pose, scratch);
        let turned = mover.turn(angle)?;
        *pose = mover.at;
        Ok(turned)
    }

    fn check(&self, wanted: Vec3, dt: Real) -> Result<(), WalkError> {
        positive("the time of a step", dt)?;
        if !wanted.is_finite() {
            let wants = "its components must be finite";
            return Err(WalkError::Vector { name: "the wanted velocity", value: wanted.to_array(), wants });
        }
        let (skin, at) = (self.walk.skin, self.pose.translation().abs().max_element());
        if skin < SKIN_ROUNDINGS * Real::EPSILON * at {
            return Err(WalkError::TooFar { skin, at });
        }
        Ok(())
    }
}

/// Moves the walker with what it stands on and before what comes to it; gives whether it is crushed.
fn be_moved(mover: &mut Mover<'_>, ground: Option<&Footing>) -> Result<bool, WalkError> {
    if let Some(footing) = ground {
        mover.carry(footing)?;
    }
    mover.pushed(ground.map(|footing| footing.ground.body))?;
    Ok(mover.is_disturbed()? && mover.expelled()?)
}

/// Moves the walker as wanted; gives its velocity, without that of the ground.
fn go(mover: &mut Mover<'_>, wanted: Vec3, dt: Real) -> Result<Vec3, WalkError> {
    let walk = mover.walk;
    let is_rising = wanted.dot(walk.up) > ALONG * wanted.length();
    let start = mover.at.translation();
    if mover.ground.is_some() && !is_rising {
        mover.walk(walk.level(wanted) * dt)?;
        return Ok(walk.level(mover.at.translation() - start) / dt);
    }
    mover.ground = None;
    let velocity = mover.fly(wanted * dt, wanted)?;
    if !is_rising {
        mover.land()?;
    }
    Ok(if mover.ground.is_some() { walk.level(velocity) } else { velocity })
}
