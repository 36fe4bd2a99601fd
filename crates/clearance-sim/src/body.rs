//! Bodies as they are given to a simulation, and what it keeps of them.

use clearance::world::BodyId;
use clearance::{Body, Mat3, Pose, Quat, Real, Vec3};

use crate::core::inner_radius;
use crate::error::SimError;
use crate::tolerance::{CALM_TIME, CALM_WAY, SINGULAR, SLENDER};

/// Names a body of a simulation. The handle of a body that was removed names no other one, ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHandle {
    pub(crate) number: u32,
    /// How many bodies have had this number before.
    pub(crate) generation: u32,
}

impl BodyHandle {
    /// The number of the body, from 0 in the order of adding. A body that is added after others were removed gets one of their numbers.
    pub fn index(self) -> usize {
        self.number as usize
    }
}

/// How a body takes part in the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyKind {
    /// Never moves.
    Fixed,
    /// Moves with the velocity that it is given and is pushed by nothing: a door, a lift.
    Kinematic,
    /// Moves by forces and contacts.
    #[default]
    Dynamic,
}

/// How heavy a dynamic body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    /// Mass per volume.
    Density(Real),
    /// The mass itself.
    Mass(Real),
}

/// A body to be added to a simulation: what it is, where, how heavy and how it moves.
///
/// ```
/// use clearance::{Pose, Shape, Vec3};
/// use clearance_sim::RigidBody;
/// let mut crate_of_wood = RigidBody::dynamic(Shape::cuboid([0.5, 0.5, 0.5])?, Pose::IDENTITY).with_density(600.0);
/// crate_of_wood.linear = Vec3::new(1.0, 0.0, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RigidBody {
    /// Its solid, of any kind; fixed bodies may also be surfaces and half-spaces.
    pub body: Body,
    /// Where it is.
    pub pose: Pose,
    /// How it takes part.
    pub kind: BodyKind,
    /// How heavy it is, if dynamic. A density of 1,000 if not said otherwise.
    pub weight: Weight,
    /// Coefficient of friction; that of a pair is the geometric mean. 0.6 if not said otherwise.
    pub friction: Real,
    /// Coefficient of restitution from 0 to 1; that of a pair is the larger one. 0 if not said otherwise.
    pub restitution: Real,
    /// Velocity of the centre of mass.
    pub linear: Vec3,
    /// Angular velocity, in radians per second.
    pub angular: Vec3,
    /// Whether a fast motion is stopped by moving bodies, too, and not only by those at rest.
    pub bullet: bool,
}

impl RigidBody {
    /// A body that moves by forces and contacts.
    pub fn dynamic(body: impl Into<Body>, pose: Pose) -> Self {
        Self {
            body: body.into(),
            pose,
            kind: BodyKind::Dynamic,
            weight: Weight::Density(1000.0),
            friction: 0.6,
            restitution: 0.0,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
            bullet: false,
        }
    }

    /// A body that never moves.
    pub fn fixed(body: impl Into<Body>, pose: Pose) -> Self {
        Self { kind: BodyKind::Fixed, ..Self::dynamic(body, pose) }
    }

    /// A body that moves with a given velocity, whatever it meets.
    pub fn kinematic(body: impl Into<Body>, pose: Pose, linear: Vec3, angular: Vec3) -> Self {
        Self { kind: BodyKind::Kinematic, linear, angular, ..Self::dynamic(body, pose) }
    }

    /// The same with another density.
    #[must_use]
    pub fn with_density(self, density: Real) -> Self {
        Self { weight: Weight::Density(density), ..self }
    }

    /// The same with this mass, whatever its volume.
    #[must_use]
    pub fn with_mass(self, mass: Real) -> Self {
        Self { weight: Weight::Mass(mass), ..self }
    }

    /// The same with other coefficients of friction and restitution.
    #[must_use]
    pub fn with_surface(self, friction: Real, restitution: Real) -> Self {
        Self { friction, restitution, ..self }
    }

    /// The same with these velocities of its centre of mass and about it.
    #[must_use]
    pub fn with_velocity(self, linear: impl Into<Vec3>, angular: impl Into<Vec3>) -> Self {
        Self { linear: linear.into(), angular: angular.into(), ..self }
    }
}

/// The velocity of a body: of its centre of mass, and about it in radians per second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Velocity {
    /// Of the centre of mass.
    pub linear: Vec3,
    /// About it.
    pub angular: Vec3,
}

impl Velocity {
    /// The velocity of a point at this offset from the centre of mass.
    #[inline]
    pub fn at(&self, offset: Vec3) -> Vec3 {
        self.linear + self.angular.cross(offset)
    }

    #[inline]
    pub(crate) fn push(&mut self, inertial: &Inertial, offset: Vec3, impulse: Vec3) {
        self.linear += impulse * inertial.inverse_mass;
        self.angular += inertial.inverse_inertia * offset.cross(impulse);
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

/// What a body opposes to impulses, in world axes. Zero for bodies that nothing pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Inertial {
    pub inverse_mass: Real,
    pub inverse_inertia: Mat3,
}

impl Inertial {
    pub const IMMOVABLE: Self = Self { inverse_mass: 0.0, inverse_inertia: Mat3::ZERO };

    /// The inverse of the mass that an impulse along a unit direction at an offset meets.
    #[inline]
    pub fn inverse_along(&self, offset: Vec3, direction: Vec3) -> Real {
        let arm = offset.cross(direction);
        self.inverse_mass + arm.dot(self.inverse_inertia * arm)
    }
}

/// Where a body was, and for how long it had been calm.
#[derive(Debug, Clone, Copy, Default)]
struct Rest {
    center: Vec3,
    rotation: Quat,
    since: Real,
}

/// What a simulation keeps of a body.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Its name in the world, once it is there and until it is removed.
    pub id: Option<BodyId>,
    /// How many bodies have had this number before.
    pub generation: u32,
    pub kind: BodyKind,
    pub bullet: bool,
    /// A fixed or kinematic body that it is joined to and does not collide with.
    pub held_by: Option<BodyId>,
    pub friction: Real,
    pub restitution: Real,
    /// Zero unless dynamic.
    pub mass: Real,
    pub inverse_mass: Real,
    /// About the centre of mass, along the body's axes.
    pub inertia: Mat3,
    pub inverse_inertia: Mat3,
    /// The centre of mass in the body's frame.
    pub local_center: Vec3,
    /// Of a ball about the centre of mass that contains the body.
    pub radius: Real,
    /// Of a ball about the centre of mass that is cast for the body when it is fast.
    pub core: Real,
    pub center: Vec3,
    pub rotation: Quat,
    pub velocity: Velocity,
    /// The island that it sleeps with.
    pub island: Option<u32>,
    /// For how long it has been calm; zero if that is to be found out anew.
    pub calm: Real,
    /// Where it was at most `CALM_TIME` ago.
    rest: Rest,
    /// Whether it is too far away to be simulated.
    pub outside: bool,
}

impl State {
    /// Checks a body and takes what is needed of it. `number` is what it will be called.
    pub fn new(new: &RigidBody, number: usize) -> Result<Self, SimError> {
        let velocity = Velocity { linear: new.linear, angular: new.angular };
        check_velocity(new.kind, number, &velocity)?;
        for (name, value, most) in [("friction", new.friction, Real::INFINITY), ("restitution", new.restitution, 1.0)] {
            if !(value.is_finite() && (0.0..=most).contains(&value)) {
                return Err(SimError::Coefficient { body: number, name, value });
            }
        }
        let dynamic = new.kind == BodyKind::Dynamic;
        let solid = if dynamic { Some(solid(new, number)?) } else { None };
        let local_center = solid.as_ref().map_or(Vec3::ZERO, |s| s.center);
        let reach = new.body.bounding_radius();
        Ok(Self {
            id: None,
            generation: 0,
            kind: new.kind,
            bullet: new.bullet,
            held_by: None,
            friction: new.friction,
            restitution: new.restitution,
            mass: solid.as_ref().map_or(0.0, |s| s.mass),
            inverse_mass: solid.as_ref().map_or(0.0, |s| 1.0 / s.mass),
            inertia: solid.as_ref().map_or(Mat3::ZERO, |s| s.inertia),
            inverse_inertia: solid.as_ref().map_or(Mat3::ZERO, |s| s.inverse_inertia),
            local_center,
            radius: reach + local_center.length(),
            core: if dynamic { inner_radius(&new.body, local_center) } else { 0.0 },
            center: new.pose.point(local_center),
            rotation: new.pose.rotation(),
            velocity,
            island: None,
            calm: 0.0,
            rest: Rest::default(),
            outside: false,
        })
    }

    /// Makes it the place of a body that was removed: nothing moves it and nothing meets it. Gives whether the place can be used again.
    pub fn vacate(&mut self) -> bool {
        let next = self.generation.checked_add(1);
        (self.id, self.kind, self.island, self.held_by) = (None, BodyKind::Fixed, None, None);
        (self.mass, self.inverse_mass, self.velocity) = (0.0, 0.0, Velocity::default());
        (self.outside, self.generation) = (false, next.unwrap_or(self.generation));
        next.is_some()
    }

    pub fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic
    }

    /// Whether it is simulated in this step.
    pub fn is_awake(&self) -> bool {
        self.kind != BodyKind::Fixed && self.island.is_none() && !self.outside
    }

    /// The speed of any of its points, at most.
    pub fn speed(&self) -> Real {
        self.velocity.linear.length() + self.velocity.angular.length() * self.radius
    }

    /// Counts another step of calm, or begins anew if it has strayed too far since it was looked at.
    pub fn calm_down(&mut self, step: Real) {
        let is_calm = self.calm > 0.0 && self.strayed().max(self.speed() * step) <= CALM_WAY;
        self.calm = if is_calm { self.calm + step } else { step };
        if !is_calm || self.calm - self.rest.since >= CALM_TIME {
            self.rest = Rest { center: self.center, rotation: self.rotation, since: self.calm };
        }
    }

    /// How far any of its points is from where it was, at most.
    fn strayed(&self) -> Real {
        // The chord of the turn, not its arc: none of its points is farther away.
        let turn = self.rotation * self.rest.rotation.conjugate();
        self.center.distance(self.rest.center) + 2.0 * turn.xyz().length() * self.radius
    }

    pub fn inertial(&self) -> Inertial {
        if !self.is_dynamic() || !self.is_awake() {
            return Inertial::IMMOVABLE;
        }
        self.inertial_turned(self.rotation)
    }

    /// What it opposes to impulses with another rotation.
    pub fn inertial_turned(&self, rotation: Quat) -> Inertial {
        let turn = Mat3::from_quat(rotation);
        Inertial { inverse_mass: self.inverse_mass, inverse_inertia: turn * self.inverse_inertia * turn.transpose() }
    }

    /// Whether it is so long or flat that a ball in its middle says little about the rest.
    pub fn is_slender(&self) -> bool {
        self.radius > SLENDER * self.core
    }

    /// Where its frame is.
    pub fn pose(&self) -> Result<Pose, SimError> {
        Ok(Pose::new(self.center - self.rotation * self.local_center, self.rotation)?)
    }

    pub fn kinetic_energy(&self) -> Real {
        let about = self.rotation.conjugate() * self.velocity.angular;
        0.5 * (self.mass * self.velocity.linear.length_squared() + about.dot(self.inertia * about))
    }
}

/// Refuses velocities that are none.
pub(crate) fn check_velocity(kind: BodyKind, body: usize, velocity: &Velocity) -> Result<(), SimError> {
    for (name, value) in [("linear velocity", velocity.linear), ("angular velocity", velocity.angular)] {
        if !value.is_finite() || kind == BodyKind::Fixed && value != Vec3::ZERO {
            return Err(SimError::Velocity { body, name, value: value.to_array() });
        }
    }
    Ok(())
}

/// The mass properties of a dynamic body.
struct Solid {
    mass: Real,
    center: Vec3,
    inertia: Mat3,
    inverse_inertia: Mat3,
}

fn solid(new: &RigidBody, body: usize) -> Result<Solid, SimError> {
    let (name, value) = match new.weight {
        Weight::Density(density) => ("density", density),
        Weight::Mass(mass) => ("mass", mass),
    };
    if !(value.is_finite() && value > 0.0) {
        return Err(SimError::Mass { body, name, value });
    }
    if let Body::Mesh(mesh) = bare(&new.body)
        && !mesh.is_solid()
    {
        return Err(SimError::OpenMesh { body });
    }
    let properties = new.body.mass_properties();
    let volume = properties.volume;
    let is_solid = volume > 0.0 && volume.is_finite() && !matches!(bare(&new.body), Body::HeightField(_));
    let density = match new.weight {
        Weight::Density(density) => density,
        Weight::Mass(mass) => mass / volume,
    };
    let mass = density * volume;
    let inertia = properties.inertia * density;
    let largest = inertia.x_axis.abs().max(inertia.y_axis.abs()).max(inertia.z_axis.abs()).max_element();
    let scaled = inertia * (1.0 / largest);
    let can_turn = largest.is_finite() && largest > 0.0 && scaled.determinant() > SINGULAR;
    let inverse_inertia = scaled.inverse() * (1.0 / largest);
    if !(is_solid && can_turn && inverse_inertia.is_finite() && (1.0 / mass).is_finite() && mass.is_finite()) {
        return Err(SimError::NoVolume { body, volume });
    }
    Ok(Solid { mass, center: properties.centroid, inertia, inverse_inertia })
}

/// The body without its padding.
fn bare(body: &Body) -> &Body {
    if let Body::Padded(padded) = body { padded.body() } else { body }
}
