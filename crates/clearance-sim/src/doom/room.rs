//! The room and its step.

use clearance::world::{BodyId, Group, Mode, NewBody, World, WorldOptions};
use clearance::{Body, Cache, CastOptions, ManifoldOptions, Pose, Real, Vec3};

use super::contact::Contact;
use super::error::RoomError;
use super::joint::Joint;
use super::mass::{Moving, NewMoving};
use super::options::RoomOptions;
use super::tolerance::{BOUNCE_STEPS, CONTACT_ZONES, DIVIDED, MOST_PARTS};

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stepped {
    /// Contact points at rest.
    pub contacts: usize,
    /// Collisions on the way.
    pub collisions: u32,
    /// Bodies that move and are not at rest.
    pub awake: u32,
    /// Bodies that have left the room and were stopped: see [`RoomOptions::reach`].
    pub outside: u32,
    /// The energy after the step: kinetic, and that of the height.
    pub energy: Real,
    /// Energy that had to be taken away because bodies were held.
    pub removed: Real,
    /// The largest distance between the two ends of a joint.
    pub joint_error: Real,
}

/// Bodies that move one by one through the others.
///
/// ```
/// use clearance::{Pose, Shape, Vec3};
/// use clearance_sim::doom::{NewMoving, Room, RoomOptions};
/// let mut room = Room::new(RoomOptions::default())?;
/// room.add_fixed(Shape::cuboid([5.0, 5.0, 0.5])?, Pose::from_translation([0.0, 0.0, -0.5])?)?;
/// let cube = NewMoving::new(Shape::cuboid([0.5, 0.5, 0.5])?, Pose::from_translation([0.0, 0.0, 2.0])?, 1.0);
/// let cube = room.add(cube)?;
/// for _ in 0..120 {
///     room.step(1.0 / 60.0)?;
/// }
/// let height = room.pose(cube)?.translation().z;
/// assert!(height > 0.5 && height < 0.503 && room.is_resting(cube)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Room {
    pub(super) world: World,
    pub(super) options: RoomOptions,
    /// By the index of the body; nothing for fixed ones.
    pub(super) moving: Vec<Option<Moving>>,
    pub(super) ids: Vec<BodyId>,
    pub(super) joints: Vec<Joint>,
    pub(super) joints_added: u64,
    /// Indices of removed bodies, which those to come will have.
    pub(super) free: Vec<usize>,
    /// The contacts of this step and of the last one, in ascending order of the bodies.
    pub(super) contacts: Vec<Contact>,
    pub(super) last: Vec<Contact>,
    pub(super) cache: Cache,
    pub(super) collisions: u32,
    /// Collisions slower than this do not bounce in this step.
    pub(super) bounce: Real,
    /// The least energy since the last change from outside: there is never more than this again, but for what cannot be taken away.
    pub(super) ceiling: Option<Real>,
}

impl Room {
    /// An empty room.
    ///
    /// # Errors
    /// If a number of the options is negative or not finite.
    pub fn new(options: RoomOptions) -> Result<Self, RoomError> {
        let options = options.checked()?;
        let contacts = ManifoldOptions { margin: CONTACT_ZONES * options.zone, ..ManifoldOptions::default() };
        let world = World::new(WorldOptions { mode: Mode::Contacts(contacts), ..WorldOptions::default() });
        Ok(Self {
            world,
            options,
            moving: Vec::new(),
            ids: Vec::new(),
            joints: Vec::new(),
            joints_added: 0,
            free: Vec::new(),
            contacts: Vec::new(),
            last: Vec::new(),
            cache: Cache::default(),
            collisions: 0,
            bounce: 0.0,
            ceiling: None,
        })
    }

    /// Adds a body that does not move, of any kind.
    ///
    /// # Errors
    /// If the world has no room for it.
    pub fn add_fixed(&mut self, body: impl Into<Body>, pose: Pose) -> Result<BodyId, RoomError> {
        let id = self.world.add(NewBody::fixed(body, pose))?;
        self.place(id, None);
        Ok(id)
    }

    /// Adds a body that moves. It should be free of all others, by an expel zone; one that is not is held where it is.
    ///
    /// # Errors
    /// If its mass is not above zero, a velocity is not finite, a coefficient is out of its range, or it is no solid.
    pub fn add(&mut self, new: NewMoving) -> Result<BodyId, RoomError> {
        let moving = Moving::new(&new, self.free.last().copied().unwrap_or(self.moving.len()))?;
        let id = self.world.add(NewBody::new(new.body, new.pose))?;
        self.place(id, Some(moving));
        Ok(id)
    }

    fn place(&mut self, id: BodyId, moving: Option<Moving>) {
        let index = id.index();
        if self.moving.len() <= index {
            self.moving.resize_with(index + 1, || None);
        }
        self.moving[index] = moving;
        self.free.retain(|&free| free != index);
        self.ids.push(id);
        self.ceiling = None;
    }

    /// The bodies, as a world that can be asked.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Where a body is.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn pose(&self, id: BodyId) -> Result<&Pose, RoomError> {
        Ok(self.world.pose(id)?)
    }

    /// The velocity of a body's centre of mass, and its angular velocity.
    ///
    /// # Errors
    /// If there is no such body, or it is fixed.
    pub fn velocity(&self, id: BodyId) -> Result<[Vec3; 2], RoomError> {
        let moving = self.get(id)?;
        Ok([moving.velocity, moving.angular])
    }

    /// Gives a body velocities, and wakes it.
    ///
    /// # Errors
    /// If there is no such body, it is fixed, or a velocity is not finite.
    ///
    /// ```
    /// use clearance::{Pose, Shape, Vec3};
    /// use clearance_sim::doom::{NewMoving, Room, RoomOptions};
    /// let mut room = Room::new(RoomOptions { gravity: Vec3::ZERO, ..RoomOptions::default() })?;
    /// let ball = room.add(NewMoving::new(Shape::sphere(0.5)?, Pose::IDENTITY, 1.0))?;
    /// room.set_velocity(ball, Vec3::X, Vec3::ZERO)?;
    /// room.step(0.5)?;
    /// assert!((room.pose(ball)?.translation().x - 0.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_velocity(&mut self, id: BodyId, velocity: Vec3, angular: Vec3) -> Result<(), RoomError> {
        let body = id.index();
        for (name, value) in [("velocity", velocity), ("angular velocity", angular)] {
            if !value.is_finite() {
                return Err(RoomError::Velocity { body, name, value: value.to_array() });
            }
        }
        self.get(id)?;
        if let Some(moving) = self.moving.get_mut(body).and_then(Option::as_mut) {
            (moving.velocity, moving.angular) = (velocity, angular);
            (moving.is_resting, moving.slow) = (false, 0.0);
        }
        self.ceiling = None;
        Ok(())
    }

    /// Whether a body has come to rest; a fixed one always is.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn is_resting(&self, id: BodyId) -> Result<bool, RoomError> {
        self.world.pose(id)?;
        Ok(self.moving.get(id.index()).and_then(Option::as_ref).is_none_or(|moving| moving.is_resting))
    }

    fn get(&self, id: BodyId) -> Result<&Moving, RoomError> {
        self.world.pose(id)?;
        self.moving.get(id.index()).and_then(Option::as_ref).ok_or(RoomError::Fixed { body: id })
    }

    /// The kinetic energy of all bodies and the energy of their height above the origin.
    pub fn energy(&self) -> Real {
        let gravity = self.options.gravity;
        let of = |moving: &Moving| moving.kinetic() - moving.mass * gravity.dot(moving.center());
        self.moving.iter().flatten().map(of).sum()
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// If the time is not above zero, or coordinates leave the range of the precision.
    pub fn step(&mut self, dt: Real) -> Result<Stepped, RoomError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(RoomError::Step { dt });
        }
        // A share of a step is not worth another one if it is rounding.
        let parts = (dt / self.options.longest_step - DIVIDED).ceil().clamp(1.0, MOST_PARTS);
        let mut whole = Stepped::default();
        for _ in 0..parts as u32 {
            let part = self.part(dt / parts)?;
            let (collisions, removed) = (whole.collisions + part.collisions, whole.removed + part.removed);
            whole = Stepped { collisions, removed, ..part };
        }
        Ok(whole)
    }

    /// Lets a short time pass.
    fn part(&mut self, dt: Real) -> Result<Stepped, RoomError> {
        let before = self.ceiling.map_or(self.energy(), |ceiling| ceiling.min(self.energy()));
        self.collisions = 0;
        self.bounce = self.options.bounce_speed.max(BOUNCE_STEPS * self.options.gravity.length() * dt);
        self.find_contacts()?;
        let (gravity, kept) = (self.options.gravity * dt, (-self.options.drag * dt).exp());
        let down = self.options.gravity.normalize_or_zero();
        for moving in self.moving.iter_mut().flatten().filter(|moving| !moving.is_resting) {
            moving.height = -down.dot(moving.center());
            if std::mem::take(&mut moving.has_met) {
                moving.velocity *= kept;
                moving.angular *= kept;
            }
            moving.velocity += gravity;
        }
        self.solve(dt);
        self.move_all(dt)?;
        self.pull_together()?;
        let removed = self.remove_energy(before);
        self.lower(before)?;
        self.rest(dt);
        let outside = self.stop_outside();
        let awake = self.moving.iter().flatten().filter(|moving| !moving.is_resting).count() as u32;
        let (contacts, collisions, energy) = (self.contacts.len(), self.collisions, self.energy());
        self.ceiling = Some(before.min(energy));
        let joint_error = self.largest_joint_error();
        Ok(Stepped { contacts, collisions, awake, outside, energy, removed, joint_error })
    }

    /// What casts of moves ask for.
    pub(super) fn cast_options(&self) -> CastOptions {
        CastOptions { zone: self.options.zone, check_start: false, ..CastOptions::default() }
    }

    /// The group of a figure. Links of one figure do not collide with each other; the first group is of all other bodies.
    pub(super) fn group(figure: usize) -> Result<Group, RoomError> {
        Group::new(figure + 1).map_err(|_| RoomError::TooManyFigures { most: Group::COUNT - 1 })
    }

    /// Takes away the energy that a step has added, first of bodies that have met others; gives how much that was.
    fn remove_energy(&mut self, before: Real) -> Real {
        let excess = self.energy() - before;
        let mut left = excess;
        for of_all in [false, true] {
            let is_taken = |moving: &Moving| (of_all || moving.has_met) && !moving.is_resting;
            let taken = self.moving.iter().flatten().filter(|moving| is_taken(moving));
            let kinetic: Real = taken.map(Moving::kinetic).sum();
            if !(left > 0.0 && kinetic > 0.0) {
                continue;
            }
            let share = (1.0 - left / kinetic).max(0.0).sqrt();
            for moving in self.moving.iter_mut().flatten().filter(|moving| is_taken(moving)) {
                moving.velocity *= share;
                moving.angular *= share;
            }
            left = self.energy() - before;
        }
        excess.max(0.0)
    }

    /// Lets down what has risen in a step, as far as there is room, if no velocity is left to pay for it: links that were drawn up, and bodies
    /// that met something after they had risen.
    fn lower(&mut self, before: Real) -> Result<(), RoomError> {
        let excess = self.energy() - before;
        if !(excess > 0.0) {
            return Ok(());
        }
        let gravity = self.options.gravity;
        let size = gravity.length();
        // Heights are along gravity, of unit length.
        let rise = |moving: &Moving| (-gravity.dot(moving.center()) / size - moving.height).max(0.0);
        let risen = |id: &BodyId| {
            let moving = self.moving.get(id.index())?.as_ref().filter(|moving| !moving.is_resting)?;
            (rise(moving) > 0.0).then(|| (*id, rise(moving), moving.mass))
        };
        let risen: Vec<(BodyId, Real, Real)> = self.ids.iter().filter_map(risen).collect();
        let work: Real = risen.iter().map(|(_, rise, mass)| rise * mass * size).sum();
        let share = (excess / work).min(1.0);
        for (id, rise, _) in risen {
            self.shift(id, gravity * (share * rise / size), Vec3::ZERO)?;
        }
        Ok(())
    }
}
