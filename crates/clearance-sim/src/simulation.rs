//! A simulation: bodies, joints and the world in which they meet.

use clearance::world::{Broad, Group, Mode, NewBody, PairRule, World, WorldOptions};
use clearance::{Body, ManifoldOptions, Method, Pose, Real, Vec3};

use crate::body::{BodyHandle, BodyKind, RigidBody, State, Velocity, check_velocity};
use crate::contact::Contacts;
use crate::core::Core;
use crate::error::SimError;
use crate::island::Islands;
use crate::joint::{Joint, JointHandle, JointState};
use crate::options::{Narrow, SimulationOptions, Solver};
use crate::report::{BodyContact, Energy};
use crate::soft::SoftSolver;
use crate::thesis::ThesisSolver;

/// The groups of bodies in the world: sleeping bodies meet only what is awake.
pub(crate) const AWAKE: usize = 0;
pub(crate) const FIXED: usize = 1;
pub(crate) const ASLEEP: usize = 2;
pub(crate) const KINEMATIC: usize = 3;

/// Rigid bodies under gravity, in steps of equal length.
///
/// A step is the same bits for any number of threads, on any processor.
///
/// ```
/// use clearance::{HalfSpace, Pose, Shape, Vec3};
/// use clearance_sim::{RigidBody, Simulation, SimulationOptions};
/// let mut simulation = Simulation::new(SimulationOptions::default())?;
/// simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?;
/// let ball = simulation.add(RigidBody::dynamic(Shape::sphere(0.5)?, Pose::from_translation([0.0, 0.0, 3.0])?))?;
/// for _ in 0..180 {
///     simulation.step()?;
/// }
/// assert!((simulation.pose(ball)?.translation().z - 0.5).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    pub(crate) options: SimulationOptions,
    pub(crate) world: World,
    pub(crate) bodies: Vec<State>,
    /// What is cast for each body when it is fast.
    pub(crate) cores: Vec<Option<Core>>,
    /// Numbers of removed bodies, which those to come will have.
    pub(crate) free: Vec<u32>,
    /// In ascending order of their numbers.
    pub(crate) joints: Vec<JointState>,
    /// How many joints have been added.
    pub(crate) joints_added: u64,
    pub(crate) contacts: Contacts,
    pub(crate) islands: Islands,
    pub(crate) soft: SoftSolver,
    pub(crate) thesis: ThesisSolver,
    /// Bodies that move in this step, in ascending order.
    pub(crate) awake: Vec<u32>,
    /// Whether nothing was awake in the last step and nothing has been touched since: then a step changes nothing.
    pub(crate) is_still: bool,
    pub(crate) steps: u64,
}

impl Simulation {
    /// An empty simulation.
    ///
    /// # Errors
    /// If the step is zero or below, or another option is out of its range.
    pub fn new(options: SimulationOptions) -> Result<Self, SimError> {
        options.check()?;
        let mut world = World::new(WorldOptions {
            mode: Mode::Contacts(manifolds(&options)),
            broad: Broad::Grid,
            keep_contacts: if let Solver::SoftStep(soft) = options.solver { soft.keep_contacts } else { 0.0 },
            name_kept: true,
            before: false,
            ..WorldOptions::default()
        });
        for (a, b) in [(ASLEEP, ASLEEP), (ASLEEP, FIXED), (KINEMATIC, KINEMATIC), (KINEMATIC, FIXED)] {
            world.set_groups(Group::new(a)?, Group::new(b)?, false);
        }
        Ok(Self {
            options,
            world,
            bodies: Vec::new(),
            cores: Vec::new(),
            free: Vec::new(),
            joints: Vec::new(),
            joints_added: 0,
            contacts: Contacts::default(),
            islands: Islands::default(),
            soft: SoftSolver::default(),
            thesis: ThesisSolver::default(),
            awake: Vec::new(),
            is_still: false,
            steps: 0,
        })
    }

    /// Adds a body.
    ///
    /// # Errors
    /// If its mass is not positive and finite, a moving body is not a solid, a velocity is not finite, or a coefficient is out of range.
    /// The error names the number that the body would have had.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_sim::{RigidBody, SimError, Simulation, SimulationOptions};
    /// let mut simulation = Simulation::new(SimulationOptions::default())?;
    /// let weightless = RigidBody::dynamic(Shape::sphere(0.5)?, Pose::IDENTITY).with_mass(0.0);
    /// assert!(matches!(simulation.add(weightless), Err(SimError::Mass { body: 0, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, body: RigidBody) -> Result<BodyHandle, SimError> {
        let number = self.free.last().map_or(self.bodies.len(), |&free| free as usize);
        let group = Group::new(match body.kind {
            BodyKind::Dynamic => AWAKE,
            BodyKind::Kinematic => KINEMATIC,
            BodyKind::Fixed => FIXED,
        })?;
        let entry =
            NewBody { group, fixed: body.kind == BodyKind::Fixed, ..NewBody::new(body.body.clone(), body.pose) };
        // Checked before the world hears of it, which numbers its bodies alike: it gives out the number that became free last.
        let mut state = State::new(&body, number)?;
        state.id = Some(self.world.add(entry)?);
        let core = Core::new(&body.body, &state);
        if self.free.pop().is_some() {
            state.generation = self.bodies[number].generation;
            (self.bodies[number], self.cores[number]) = (state, core);
        } else {
            self.bodies.push(state);
            self.cores.push(core);
        }
        self.is_still = false;
        self.thesis.set(number, &body.body);
        Ok(self.handle(number as u32))
    }

    /// Joins two bodies.
    ///
    /// # Errors
    /// If a body is joined with itself, does not exist, neither can move, an axis or a limit makes no sense, or the solver
    /// has no joints.
    ///
    /// ```
    /// use clearance::{Pose, Shape, Vec3};
    /// use clearance_sim::{Joint, RigidBody, SimError, Simulation, SimulationOptions};
    /// let mut simulation = Simulation::new(SimulationOptions::default())?;
    /// let ball = simulation.add(RigidBody::dynamic(Shape::sphere(0.5)?, Pose::IDENTITY))?;
    /// let joint = simulation.add_joint(Joint::ball([ball, ball], Vec3::ZERO));
    /// assert!(matches!(joint, Err(SimError::JointWithItself { body: 0, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_joint(&mut self, joint: Joint) -> Result<JointHandle, SimError> {
        let number = self.joints_added as usize;
        let [a, b] = joint.bodies;
        let state = JointState::new(&joint, number, [self.state(a)?, self.state(b)?])?;
        if matches!(self.options.solver, Solver::Thesis(_)) {
            return Err(SimError::JointWithThesis { joint: number });
        }
        if let (false, Some(id_a), Some(id_b)) = (joint.collide, self.state(a)?.id, self.state(b)?.id) {
            self.world.set_pair(id_a, id_b, Some(PairRule::Ignore))?;
            for (one, other, id) in [(a, b, id_b), (b, a, id_a)] {
                if !self.bodies[other.index()].is_dynamic() {
                    self.bodies[one.index()].held_by = Some(id);
                }
            }
        }
        let handle = JointHandle(state.number);
        self.joints.push(state);
        self.joints_added += 1;
        self.is_still = false;
        joint.bodies.into_iter().for_each(|body| self.islands.wake(&mut self.bodies, body.number));
        Ok(handle)
    }

    /// Where a body is.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn pose(&self, body: BodyHandle) -> Result<Pose, SimError> {
        let id = self.state(body)?.id.ok_or(SimError::UnknownBody { body: body.index() })?;
        Ok(*self.world.pose(id)?)
    }

    /// How a body moves.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn velocity(&self, body: BodyHandle) -> Result<Velocity, SimError> {
        Ok(self.state(body)?.velocity)
    }

    /// Gives a body another velocity and wakes it.
    ///
    /// # Errors
    /// If there is no such body, a component is NaN or infinite, or the body is fixed.
    pub fn set_velocity(&mut self, body: BodyHandle, velocity: Velocity) -> Result<(), SimError> {
        check_velocity(self.state(body)?.kind, body.index(), &velocity)?;
        self.wake_around(body.number);
        self.bodies[body.index()].velocity = velocity;
        Ok(())
    }

    /// Pushes a dynamic body at a point in world space and wakes it; other bodies are not moved by it.
    ///
    /// # Errors
    /// If there is no such body, or a component is NaN or infinite.
    pub fn push(&mut self, body: BodyHandle, impulse: Vec3, point: Vec3) -> Result<(), SimError> {
        let state = self.state(body)?;
        for (name, value) in [("impulse", impulse), ("point", point)] {
            if !value.is_finite() {
                return Err(SimError::Velocity { body: body.index(), name, value: value.to_array() });
            }
        }
        let (mut velocity, offset) = (state.velocity, point - state.center);
        self.wake_around(body.number);
        let state = &mut self.bodies[body.index()];
        velocity.push(&state.inertial(), offset, impulse);
        check_velocity(state.kind, body.index(), &velocity)?;
        state.velocity = velocity;
        Ok(())
    }

    /// Puts a body somewhere else, whatever is there, and wakes it and what it touched.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_pose(&mut self, body: BodyHandle, pose: Pose) -> Result<(), SimError> {
        let id = self.state(body)?.id.ok_or(SimError::UnknownBody { body: body.index() })?;
        self.wake_around(body.number);
        self.world.set_pose(id, pose)?;
        let state = &mut self.bodies[body.index()];
        (state.center, state.rotation) = (pose.point(state.local_center), pose.rotation());
        state.outside = false;
        Ok(())
    }

    /// Whether a body sleeps.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn is_asleep(&self, body: BodyHandle) -> Result<bool, SimError> {
        Ok(self.state(body)?.island.is_some())
    }

    /// The distance of a joint's two anchors, which is zero but for errors.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn joint_error(&self, joint: JointHandle) -> Result<Real, SimError> {
        let found = self.joints.binary_search_by_key(&joint.0, |state| state.number);
        let state = found.map_err(|_| SimError::UnknownJoint { joint: joint.index() })?;
        let state = &self.joints[state];
        Ok(state.error(state.bodies.map(|body| &self.bodies[body as usize])))
    }

    /// All bodies, by their numbers: in the order of adding if none was removed.
    pub fn bodies(&self) -> impl Iterator<Item = BodyHandle> + use<> {
        let numbered = self.bodies.iter().zip(0..).filter(|(state, _)| state.id.is_some());
        numbered.map(|(_, number)| self.handle(number)).collect::<Vec<_>>().into_iter()
    }

    /// All joints, in the order of adding.
    pub fn joints(&self) -> impl Iterator<Item = JointHandle> + use<> {
        self.joints.iter().map(|state| JointHandle(state.number)).collect::<Vec<_>>().into_iter()
    }

    /// The solid that a body is.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, body: BodyHandle) -> Result<&Body, SimError> {
        let id = self.state(body)?.id.ok_or(SimError::UnknownBody { body: body.index() })?;
        Ok(self.world.body(id)?)
    }

    /// How a body takes part in the motion.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn kind(&self, body: BodyHandle) -> Result<BodyKind, SimError> {
        Ok(self.state(body)?.kind)
    }

    /// The contact points that the last step solved.
    pub fn contacts(&self) -> impl Iterator<Item = BodyContact> + '_ {
        self.contacts.pairs.iter().flat_map(|pair| {
            self.contacts.points[pair.range()].iter().map(|touch| BodyContact {
                bodies: pair.bodies.map(|body| self.handle(body)),
                point: touch.point,
                normal: touch.normal,
                distance: touch.distance,
                features: touch.features,
                impulse: touch.impulse,
                friction: touch.friction,
            })
        })
    }

    /// The mechanical energy of the dynamic bodies.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for body in self.bodies.iter().filter(|body| body.is_dynamic()) {
            energy.kinetic += body.kinetic_energy();
            energy.potential -= body.mass * self.options.gravity.dot(body.center);
        }
        energy
    }

    /// The largest speed of a dynamic body, its rotation at its bounding radius included.
    pub fn fastest(&self) -> Real {
        self.bodies.iter().filter(|body| body.is_dynamic()).map(State::speed).fold(0.0, Real::max)
    }

    /// Seconds simulated so far.
    pub fn time(&self) -> Real {
        self.options.step * self.steps as Real
    }

    /// What was asked of it.
    pub fn options(&self) -> &SimulationOptions {
        &self.options
    }

    /// The bodies as collision detection sees them, for queries: rays, casts, what is near.
    pub fn world(&self) -> &World {
        &self.world
    }

    pub(crate) fn state(&self, body: BodyHandle) -> Result<&State, SimError> {
        let known = self.bodies.get(body.index());
        let known = known.filter(|state| state.generation == body.generation && state.id.is_some());
        known.ok_or(SimError::UnknownBody { body: body.index() })
    }

    /// The handle of the body that has this number now.
    pub(crate) fn handle(&self, number: u32) -> BodyHandle {
        let generation = self.bodies.get(number as usize).map_or(0, |state| state.generation);
        BodyHandle { number, generation }
    }

    /// Wakes a body and all that it touches or is joined to.
    pub(crate) fn wake_around(&mut self, body: u32) {
        self.is_still = false;
        let touching = self.contacts.pairs.iter().map(|pair| pair.bodies);
        let joined = self.joints.iter().map(|joint| joint.bodies);
        for pair in touching.chain(joined).filter(|pair| pair.contains(&body)) {
            pair.into_iter().for_each(|body| self.islands.wake(&mut self.bodies, body));
        }
        self.islands.wake(&mut self.bodies, body);
    }
}

/// What the world is asked for.
fn manifolds(options: &SimulationOptions) -> ManifoldOptions {
    match options.solver {
        Solver::SoftStep(_) => ManifoldOptions { margin: options.margin, ..ManifoldOptions::default() },
        Solver::Thesis(thesis) => {
            let margin = if let Narrow::SweptGjk { radius } = thesis.narrow { 2.0 * radius } else { 0.0 };
            let max_points = if thesis.manifold == Method::Clip { 4 } else { 8 };
            ManifoldOptions { method: thesis.manifold, margin, max_points, ..ManifoldOptions::default() }
        }
    }
}
