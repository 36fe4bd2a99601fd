//! What changes during a step: velocities, and how far the bodies are from where the step began.

use clearance::{Mat3, Quat, Real, Vec3};

use crate::body::{Inertial, State, Velocity};
use crate::tolerance::LARGEST_TURN;

/// How far a body has moved since the step began. Small numbers, so that single precision loses nothing to where the body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Displacement {
    pub shift: Vec3,
    pub turn: Quat,
}

impl Displacement {
    pub const NONE: Self = Self { shift: Vec3::ZERO, turn: Quat::IDENTITY };

    /// How far a point at this offset from the centre, as the step began, has moved.
    #[inline]
    pub fn of(&self, offset: Vec3) -> Vec3 {
        let axis = Vec3::new(self.turn.x, self.turn.y, self.turn.z);
        let twice = 2.0 * axis.cross(offset);
        self.shift + twice * self.turn.w + axis.cross(twice)
    }
}

impl Displacement {
    /// The first share of it.
    pub fn cut(&self, share: Real) -> Self {
        Self { shift: self.shift * share, turn: Quat::IDENTITY.slerp(self.turn, share) }
    }

    /// Turns by a small rotation, given as axis times angle.
    pub fn rotate(&mut self, by: Vec3) {
        self.turn = turned(self.turn, by, 1.0);
    }
}

/// The bodies of a simulation as the solver sees them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Movers {
    pub velocities: Vec<Velocity>,
    pub displacements: Vec<Displacement>,
    pub inertials: Vec<Inertial>,
}

impl Movers {
    /// Takes over the bodies as a step begins.
    pub fn begin(&mut self, bodies: &[State]) {
        self.velocities.clear();
        self.displacements.clear();
        self.inertials.clear();
        for body in bodies {
            self.velocities.push(if body.is_awake() { body.velocity } else { Velocity::default() });
            self.displacements.push(Displacement::NONE);
            self.inertials.push(body.inertial());
        }
    }

    /// Gravity and the gyroscopic torque for a sub-step.
    pub fn accelerate(&mut self, bodies: &[State], awake: &[u32], gravity: Vec3, h: Real) {
        for &at in awake.iter().filter(|&&at| bodies[at as usize].is_dynamic()) {
            let at = at as usize;
            let rotation = self.displacements[at].turn * bodies[at].rotation;
            let velocity = &mut self.velocities[at];
            velocity.linear += gravity * h;
            velocity.angular = gyroscopic(velocity.angular, &bodies[at].inertia, rotation, h);
        }
    }

    /// Moves the bodies along their velocities for a sub-step.
    pub fn advance(&mut self, bodies: &[State], awake: &[u32], h: Real) {
        for &at in awake {
            let at = at as usize;
            let velocity = &mut self.velocities[at];
            let turn = velocity.angular.length() * h;
            if turn > LARGEST_TURN {
                velocity.angular *= LARGEST_TURN / turn;
            }
            let displacement = &mut self.displacements[at];
            displacement.shift += velocity.linear * h;
            displacement.turn = turned(displacement.turn, velocity.angular, h);
            if bodies[at].is_dynamic() {
                self.inertials[at] = bodies[at].inertial_turned(displacement.turn * bodies[at].rotation);
            }
        }
    }
}

/// A rotation after turning with an angular velocity for `h` seconds.
pub(crate) fn turned(rotation: Quat, angular: Vec3, h: Real) -> Quat {
    let half = angular * (0.5 * h);
    (rotation + Quat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation).normalize()
}

/// The angular velocity after `h` seconds of free rotation: one step of Newton's method for the implicit equation in the body's
/// frame, which loses energy rather than gaining it.
pub(crate) fn gyroscopic(angular: Vec3, inertia: &Mat3, rotation: Quat, h: Real) -> Vec3 {
    let local = rotation.conjugate() * angular;
    let momentum = *inertia * local;
    let error = local.cross(momentum) * h;
    if error == Vec3::ZERO {
        return angular;
    }
    let jacobian = *inertia + (skew(local) * *inertia - skew(momentum)) * h;
    let next = local - jacobian.inverse() * error;
    if next.is_finite() { rotation * next } else { angular }
}

/// The matrix of the cross product with a vector from the left.
pub(crate) fn skew(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}
