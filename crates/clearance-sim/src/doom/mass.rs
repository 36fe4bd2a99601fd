//! A body that moves: its mass, its velocities, and what impulses do to it.

use clearance::{Body, Core, Mat3, Pose, Real, Vec3};

use super::error::RoomError;

/// A body to be added to a room.
#[derive(Debug, Clone)]
pub struct NewMoving {
    /// The body: a solid of any kind.
    pub body: Body,
    /// Where it is.
    pub pose: Pose,
    /// Its mass, spread evenly.
    pub mass: Real,
    /// The velocity of its centre of mass.
    pub velocity: Vec3,
    /// Its angular velocity, in radians.
    pub angular: Vec3,
    /// The coefficient of friction; a pair has the root of the product.
    pub friction: Real,
    /// The coefficient of restitution, from 0 to 1; a pair has the larger one.
    pub restitution: Real,
}

impl NewMoving {
    /// A body at rest with a mass, friction of a half and no restitution.
    pub fn new(body: impl Into<Body>, pose: Pose, mass: Real) -> Self {
        let zero = Vec3::ZERO;
        Self { body: body.into(), pose, mass, velocity: zero, angular: zero, friction: 0.5, restitution: 0.0 }
    }
}

/// What a room keeps of a body that moves.
#[derive(Debug, Clone)]
pub(super) struct Moving {
    pub mass: Real,
    /// The centre of mass in the body's frame.
    center: Vec3,
    /// The inertia about it in the body's frame, and its inverse.
    inertia: Mat3,
    inverse: Mat3,
    /// No point of the body is farther from its centre of mass.
    pub radius: Real,
    pub velocity: Vec3,
    pub angular: Vec3,
    pub friction: Real,
    pub restitution: Real,
    /// Whether it looks the same however it turns.
    pub is_ball: bool,
    /// The number of its figure.
    pub figure: Option<usize>,
    pub is_resting: bool,
    /// For how long it has been slow.
    pub slow: Real,
    /// Whether something was met in this step.
    pub has_met: bool,
    /// How high its centre of mass was at the start of the step.
    pub height: Real,
    /// Where it is.
    pub pose: Pose,
}

impl Moving {
    pub fn new(new: &NewMoving, index: usize) -> Result<Self, RoomError> {
        let body = index;
        let mass = new.mass;
        if !(mass.is_finite() && mass > 0.0) {
            return Err(RoomError::Mass { body, mass });
        }
        for (name, value) in [("velocity", new.velocity), ("angular velocity", new.angular)] {
            if !value.is_finite() {
                return Err(RoomError::Velocity { body, name, value: value.to_array() });
            }
        }
        let friction = ("friction", new.friction, Real::INFINITY, "finite and not negative");
        let restitution = ("restitution", new.restitution, 1.0, "from 0 to 1");
        for (name, value, most, range) in [friction, restitution] {
            if !(value.is_finite() && value >= 0.0 && value <= most) {
                return Err(RoomError::Coefficient { body, name, value, range });
            }
        }
        let unit = new.body.mass_properties();
        let volume = unit.volume;
        let inertia = unit.inertia * (mass / volume);
        if !(volume.is_finite() && volume > 0.0 && inertia.is_finite() && inertia.determinant() > 0.0) {
            return Err(RoomError::NoSolid { body, volume });
        }
        Ok(Self {
            mass,
            center: unit.centroid,
            inertia,
            inverse: inertia.inverse(),
            radius: new.body.bounding_radius() + unit.centroid.length(),
            velocity: new.velocity,
            angular: new.angular,
            friction: new.friction,
            restitution: new.restitution,
            is_ball: matches!(&new.body, Body::Convex(shape) if matches!(shape.core(), Core::Point)),
            figure: None,
            is_resting: false,
            slow: 0.0,
            has_met: false,
            height: 0.0,
            pose: new.pose,
        })
    }

    /// The centre of mass.
    pub fn center(&self) -> Vec3 {
        self.pose.point(self.center)
    }

    /// The velocity of a point of the body.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity + self.angular.cross(point - self.center())
    }

    /// The angular velocity that a torque impulse gives.
    pub fn turn(&self, torque: Vec3) -> Vec3 {
        self.pose.direction(self.inverse * self.pose.direction_to_local(torque))
    }

    /// The angular momentum.
    fn momentum(&self) -> Vec3 {
        self.pose.direction(self.inertia * self.pose.direction_to_local(self.angular))
    }

    /// Gives the body an impulse at a point.
    pub fn push(&mut self, impulse: Vec3, point: Vec3) {
        self.velocity += impulse / self.mass;
        self.angular += self.turn((point - self.center()).cross(impulse));
    }

    /// The velocity that a unit impulse along a direction at a point gives the point along it.
    pub fn response(&self, direction: Vec3, point: Vec3) -> Real {
        let arm = point - self.center();
        let turn = self.turn(arm.cross(direction));
        1.0 / self.mass + turn.cross(arm).dot(direction)
    }

    /// The velocities that unit impulses at a point give another point: columns along the axes.
    pub fn response_between(&self, from: Vec3, to: Vec3) -> Mat3 {
        let (from, to) = (from - self.center(), to - self.center());
        let column = |axis: Vec3| axis / self.mass + self.turn(from.cross(axis)).cross(to);
        Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
    }

    pub fn kinetic(&self) -> Real {
        0.5 * (self.mass * self.velocity.length_squared() + self.angular.dot(self.momentum()))
    }

    /// The highest speed of any point.
    pub fn speed(&self) -> Real {
        self.velocity.length() + self.angular.length() * self.radius
    }

    /// Takes a pose that the body has been moved to. The angular momentum stays, and so the angular velocity does not; the error of a
    /// long step is not allowed to add energy.
    pub fn take(&mut self, pose: Pose) {
        let momentum = self.momentum();
        let before = self.angular.dot(momentum);
        self.pose = pose;
        let angular = self.turn(momentum);
        let after = angular.dot(momentum);
        self.angular = if after > before && before > 0.0 { angular * (before / after).sqrt() } else { angular };
    }
}
