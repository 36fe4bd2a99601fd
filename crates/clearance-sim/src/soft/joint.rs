//! Joints as soft constraints: a point, and rotations that are locked or limited.

use clearance::{Mat3, Quat, Real, Vec3};

use super::contact::Pass;
use super::motion::{Displacement, skew};
use super::softness::Softness;
use crate::body::{Inertial, State, Velocity};
use crate::joint::{Freedom, JointState, twist};
use crate::tolerance::{JOINT_ERROR, SMALL_SINE};

/// A joint during a step.
#[derive(Debug, Clone)]
pub(crate) struct JointConstraint {
    pub bodies: [u32; 2],
    /// Its number in the simulation.
    pub number: u32,
    freedom: Freedom,
    /// In world axes, as the step began.
    anchors: [Vec3; 2],
    frames: [Quat; 2],
    /// From the first anchor to the second, as the step began.
    apart: Vec3,
    impulse: Vec3,
    torque: Vec3,
    limits: [Real; 3],
}

impl JointConstraint {
    pub fn new(number: u32, joint: &JointState, bodies: [&State; 2]) -> Self {
        let anchors = [0, 1].map(|i| bodies[i].rotation * joint.anchors[i]);
        Self {
            bodies: joint.bodies,
            number,
            freedom: joint.freedom,
            anchors,
            frames: [0, 1].map(|i| bodies[i].rotation * joint.frames[i]),
            apart: (bodies[1].center - bodies[0].center) + (anchors[1] - anchors[0]),
            impulse: joint.impulse,
            torque: joint.torque,
            limits: joint.limits,
        }
    }

    /// Writes its impulses back.
    pub fn store(&self, joint: &mut JointState) {
        (joint.impulse, joint.torque, joint.limits) = (self.impulse, self.torque, self.limits);
    }

    /// Applies the impulses of the last sub-step again.
    pub fn warm_start(
        &self,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        displacements: [&Displacement; 2],
    ) {
        let placed = self.placed(displacements);
        let mut torque = self.torque;
        for (axis, impulse) in placed.limit_axes(self.freedom).into_iter().zip(self.limits) {
            torque += axis * impulse;
        }
        twist_by(velocities, inertials, torque);
        push(velocities, inertials, placed.anchors, self.impulse);
    }

    /// One iteration: rotations first, the point last.
    pub fn solve(
        &mut self,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        displacements: [&Displacement; 2],
        softness: &Softness,
        pass: &Pass,
    ) {
        let placed = self.placed(displacements);
        let softness = if pass.use_bias { *softness } else { Softness::RIGID };
        self.solve_limits(&placed, velocities, inertials, &softness, pass);
        self.solve_locked(&placed, velocities, inertials, &softness);
        let moved = displacements[1].of(self.anchors[1]) - displacements[0].of(self.anchors[0]);
        let error = self.apart + moved;
        let [ra, rb] = placed.anchors;
        let speed = velocities[1].at(rb) - velocities[0].at(ra);
        let wanted = -(response(inertials, placed.anchors).inverse()
            * ((speed + error * softness.bias_rate) * softness.mass_scale))
            - self.impulse * softness.impulse_scale;
        if wanted.is_finite() {
            self.impulse += wanted;
            push(velocities, inertials, placed.anchors, wanted);
        }
    }

    /// Moves the bodies so that the anchors meet and locked rotations are undone, velocities left alone. The error before, as a share of
    /// the anchors' distances from the centres of mass.
    pub fn project(&self, displacements: &mut [Displacement; 2], inertials: [&Inertial; 2]) -> Real {
        let [a, b] = &*displacements;
        let placed = self.placed([a, b]);
        let error = self.apart + (b.of(self.anchors[1]) - a.of(self.anchors[0]));
        let size = self.anchors[0].length() + self.anchors[1].length();
        let angle = self.locked_error(&placed);
        let share = (error.length() / size).max(angle.length());
        if share <= JOINT_ERROR {
            return share;
        }
        let inverse = inertials[0].inverse_inertia + inertials[1].inverse_inertia;
        let torque = -(inverse.inverse() * angle);
        if torque.is_finite() && angle != Vec3::ZERO {
            displacements[0].rotate(-(inertials[0].inverse_inertia * torque));
            displacements[1].rotate(inertials[1].inverse_inertia * torque);
        }
        let [a, b] = &*displacements;
        let placed = self.placed([a, b]);
        let left = self.apart + (b.of(self.anchors[1]) - a.of(self.anchors[0]));
        let push = -(response(inertials, placed.anchors).inverse() * left);
        if push.is_finite() {
            for (i, impulse) in [(0, -push), (1, push)] {
                displacements[i].shift += impulse * inertials[i].inverse_mass;
                displacements[i].rotate(inertials[i].inverse_inertia * placed.anchors[i].cross(impulse));
            }
        }
        share
    }

    /// The rotation of the second body against the first that is locked, as axis times angle.
    fn locked_error(&self, placed: &Placed) -> Vec3 {
        match self.freedom {
            Freedom::Ball(_) => Vec3::ZERO,
            Freedom::Fixed => rotation_vector(placed.frames[1] * placed.frames[0].conjugate()),
            Freedom::Hinge(_) => {
                let [axis, other] = placed.axes();
                axis.cross(other)
            }
        }
    }

    fn placed(&self, [a, b]: [&Displacement; 2]) -> Placed {
        Placed {
            anchors: [a.turn * self.anchors[0], b.turn * self.anchors[1]],
            frames: [a.turn * self.frames[0], b.turn * self.frames[1]],
        }
    }

    /// The rotations that are locked.
    fn solve_locked(
        &mut self,
        placed: &Placed,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        softness: &Softness,
    ) {
        let turning = velocities[1].angular - velocities[0].angular;
        let inverse = inertials[0].inverse_inertia + inertials[1].inverse_inertia;
        let wanted = match self.freedom {
            Freedom::Ball(_) => return,
            Freedom::Fixed => {
                let speed = turning + self.locked_error(placed) * softness.bias_rate;
                -(inverse.inverse() * (speed * softness.mass_scale)) - self.torque * softness.impulse_scale
            }
            Freedom::Hinge(_) => {
                let [axis, _] = placed.axes();
                let error = self.locked_error(placed);
                let across = axis.any_orthonormal_vector();
                let basis = [across, axis.cross(across)];
                let speed = turning + error * softness.bias_rate;
                let k = |i: usize, j: usize| basis[i].dot(inverse * basis[j]);
                let (k11, k12, k22) = (k(0, 0), k(0, 1), k(1, 1));
                let determinant = k11 * k22 - k12 * k12;
                let [u, v] = basis.map(|b| b.dot(speed) * softness.mass_scale);
                let (x, y) = ((k12 * v - k22 * u) / determinant, (k12 * u - k11 * v) / determinant);
                // What was along the axis when the joint was turned differently is given back as well.
                basis[0] * x + basis[1] * y - self.torque * softness.impulse_scale
            }
        };
        if wanted.is_finite() {
            self.torque += wanted;
            twist_by(velocities, inertials, wanted);
        }
    }

    /// The rotations that are limited: one-sided, and stopped before they reach the limit.
    fn solve_limits(
        &mut self,
        placed: &Placed,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        softness: &Softness,
        pass: &Pass,
    ) {
        let gaps = match self.freedom {
            Freedom::Hinge(Some([low, high])) => {
                let angle = twist(placed.frames[0].conjugate() * placed.frames[1]);
                [angle - low, high - angle, 0.0]
            }
            Freedom::Ball(Some([swing, about])) => {
                let [axis, other] = placed.axes();
                let angle = axis.cross(other).length().atan2(axis.dot(other));
                let turned = twist(placed.frames[0].conjugate() * placed.frames[1]);
                [turned + about, about - turned, swing - angle]
            }
            _ => return,
        };
        let axes = placed.limit_axes(self.freedom);
        for ((axis, gap), total) in axes.into_iter().zip(gaps).zip(&mut self.limits) {
            if axis == Vec3::ZERO {
                *total = 0.0;
                continue;
            }
            let inverse = axis.dot((inertials[0].inverse_inertia + inertials[1].inverse_inertia) * axis);
            let (bias, mass_scale, impulse_scale) = if gap > 0.0 {
                (gap * pass.per_second, 1.0, 0.0)
            } else {
                (softness.bias_rate * gap, softness.mass_scale, softness.impulse_scale)
            };
            let speed = axis.dot(velocities[1].angular - velocities[0].angular);
            let next = (*total - mass_scale / inverse * (speed + bias) - impulse_scale * *total).max(0.0);
            if next.is_finite() {
                twist_by(velocities, inertials, axis * (next - *total));
                *total = next;
            }
        }
    }
}

/// A joint where its bodies are now.
struct Placed {
    anchors: [Vec3; 2],
    frames: [Quat; 2],
}

impl Placed {
    /// The joint's axis as each body carries it.
    fn axes(&self) -> [Vec3; 2] {
        self.frames.map(|frame| frame * Vec3::Z)
    }

    /// The axes about which the second body is turned away from each limit; zero where there is none.
    fn limit_axes(&self, freedom: Freedom) -> [Vec3; 3] {
        let [axis, other] = self.axes();
        match freedom {
            Freedom::Hinge(Some(_)) => [axis, -axis, Vec3::ZERO],
            Freedom::Ball(Some(_)) => {
                let middle = (axis + other).normalize_or_zero();
                let across = axis.cross(other);
                let length = across.length();
                let back = if length > SMALL_SINE { -across / length } else { Vec3::ZERO };
                [middle, -middle, back]
            }
            _ => [Vec3::ZERO; 3],
        }
    }
}

/// The matrix from an impulse between two anchors to the change of their relative velocity.
fn response([a, b]: [&Inertial; 2], [ra, rb]: [Vec3; 2]) -> Mat3 {
    let part = |body: &Inertial, anchor: Vec3| {
        let arm = skew(anchor);
        Mat3::from_diagonal(Vec3::splat(body.inverse_mass)) - arm * body.inverse_inertia * arm
    };
    part(a, ra) + part(b, rb)
}

fn push(velocities: &mut [Velocity; 2], [a, b]: [&Inertial; 2], [ra, rb]: [Vec3; 2], impulse: Vec3) {
    velocities[0].push(a, ra, -impulse);
    velocities[1].push(b, rb, impulse);
}

fn twist_by(velocities: &mut [Velocity; 2], [a, b]: [&Inertial; 2], torque: Vec3) {
    velocities[0].angular -= a.inverse_inertia * torque;
    velocities[1].angular += b.inverse_inertia * torque;
}

/// Axis times angle of a small rotation.
fn rotation_vector(rotation: Quat) -> Vec3 {
    let sign = if rotation.w < 0.0 { -2.0 } else { 2.0 };
    Vec3::new(rotation.x, rotation.y, rotation.z) * sign
}
