//! Joints as they are given to a simulation, and what it keeps of them.

use clearance::{Quat, Real, Vec3};

use crate::body::{BodyHandle, State};
use crate::error::SimError;

/// Names a joint of a simulation: its number in the order of adding. No other joint gets it, ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointHandle(pub(crate) u64);

impl JointHandle {
    /// The number of the joint, from 0 in the order of adding.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How far a ball joint may turn away from how it was added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// The direction, in world space when the joint is added, that stays within the cone.
    pub axis: Vec3,
    /// The largest angle (radians) between the axis as each body carries it.
    pub swing: Real,
    /// The largest angle by which one body is turned about the axis against the other, either way.
    pub twist: Real,
}

/// What a joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// All rotations, or those within a cone.
    Ball(Option<Cone>),
    /// Rotation about an axis.
    Hinge {
        /// The axis, in world space when the joint is added.
        axis: Vec3,
        /// The least and the largest angle by which the second body is turned against the first, from how it was added.
        limits: Option<[Real; 2]>,
    },
    /// Nothing.
    Fixed,
}

/// A joint to be added to a simulation: two bodies held together at a point.
///
/// ```
/// use clearance::Vec3;
/// # use clearance::{Pose, Shape};
/// # use clearance_sim::{RigidBody, Simulation, SimulationOptions};
/// use clearance_sim::Joint;
/// # let mut simulation = Simulation::new(SimulationOptions::default())?;
/// # let rod = Shape::cuboid([0.1, 0.1, 0.5])?;
/// # let upper = simulation.add(RigidBody::dynamic(rod.clone(), Pose::from_translation([0.0, 0.0, 1.5])?))?;
/// # let lower = simulation.add(RigidBody::dynamic(rod, Pose::from_translation([0.0, 0.0, 0.5])?))?;
/// let knee = Joint::hinge([upper, lower], Vec3::new(0.0, 0.0, 1.0), Vec3::Y).with_limits(0.0, 2.5);
/// let knee = simulation.add_joint(knee)?;
/// assert!(simulation.joint_error(knee)? < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// The bodies that it joins.
    pub bodies: [BodyHandle; 2],
    /// Where, in world space when it is added.
    pub anchor: Vec3,
    /// What it leaves free.
    pub kind: JointKind,
    /// Whether the two bodies also collide with each other. They do not if not said otherwise.
    pub collide: bool,
}

impl Joint {
    /// A joint that leaves all rotations free.
    pub fn ball(bodies: [BodyHandle; 2], anchor: impl Into<Vec3>) -> Self {
        Self { bodies, anchor: anchor.into(), kind: JointKind::Ball(None), collide: false }
    }

    /// A joint that leaves the rotation about an axis free.
    pub fn hinge(bodies: [BodyHandle; 2], anchor: impl Into<Vec3>, axis: impl Into<Vec3>) -> Self {
        Self { kind: JointKind::Hinge { axis: axis.into(), limits: None }, ..Self::ball(bodies, anchor) }
    }

    /// A joint that leaves nothing free.
    pub fn fixed(bodies: [BodyHandle; 2], anchor: impl Into<Vec3>) -> Self {
        Self { kind: JointKind::Fixed, ..Self::ball(bodies, anchor) }
    }

    /// A hinge with a least and a largest angle; other joints are left as they are.
    #[must_use]
    pub fn with_limits(mut self, least: Real, largest: Real) -> Self {
        if let JointKind::Hinge { limits, .. } = &mut self.kind {
            *limits = Some([least, largest]);
        }
        self
    }

    /// A ball joint with a cone; other joints are left as they are.
    #[must_use]
    pub fn with_cone(mut self, axis: impl Into<Vec3>, swing: Real, twist: Real) -> Self {
        if let JointKind::Ball(cone) = &mut self.kind {
            *cone = Some(Cone { axis: axis.into(), swing, twist });
        }
        self
    }
}

/// The rotations that a joint leaves free, as it is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Freedom {
    Ball(Option<[Real; 2]>),
    Hinge(Option<[Real; 2]>),
    Fixed,
}

/// What a simulation keeps of a joint.
#[derive(Debug, Clone)]
pub(crate) struct JointState {
    /// What it is called.
    pub number: u64,
    pub bodies: [u32; 2],
    /// Whether its bodies collide with each other.
    pub collide: bool,
    pub freedom: Freedom,
    /// The anchor against the centre of mass of each body, in its frame.
    pub anchors: [Vec3; 2],
    /// The frame of the joint, its axis along z, in each body's frame.
    pub frames: [Quat; 2],
    pub impulse: Vec3,
    pub torque: Vec3,
    pub limits: [Real; 3],
}

impl JointState {
    /// Checks a joint of two bodies. `number` is what it will be called.
    pub fn new(joint: &Joint, number: usize, [a, b]: [&State; 2]) -> Result<Self, SimError> {
        let bodies = joint.bodies.map(BodyHandle::index);
        if bodies[0] == bodies[1] {
            return Err(SimError::JointWithItself { joint: number, body: bodies[0] });
        }
        if !a.is_dynamic() && !b.is_dynamic() {
            return Err(SimError::JointWithoutMotion { joint: number, bodies });
        }
        let wrong = |name, value, wanted| SimError::JointGeometry { joint: number, name, value, wanted };
        if !joint.anchor.is_finite() {
            return Err(wrong("anchor", joint.anchor.to_array(), "finite"));
        }
        let (axis, freedom) = match joint.kind {
            JointKind::Ball(None) => (Vec3::Z, Freedom::Ball(None)),
            JointKind::Ball(Some(Cone { axis, swing, twist })) => {
                for (name, value) in [("swing", swing), ("twist", twist)] {
                    if !(value.is_finite() && value >= 0.0) {
                        return Err(wrong(name, [value, 0.0, 0.0], "finite and not negative"));
                    }
                }
                (axis, Freedom::Ball(Some([swing, twist])))
            }
            JointKind::Hinge { axis, limits } => {
                if let Some([low, high]) = limits
                    && !(low <= high && low.is_finite() && high.is_finite())
                {
                    return Err(wrong("limits", [low, high, 0.0], "finite and in ascending order"));
                }
                (axis, Freedom::Hinge(limits))
            }
            JointKind::Fixed => (Vec3::Z, Freedom::Fixed),
        };
        let unit = axis.normalize_or_zero();
        if unit == Vec3::ZERO || !unit.is_finite() {
            return Err(wrong("axis", axis.to_array(), "finite and not zero"));
        }
        let frame = Quat::from_rotation_arc(Vec3::Z, unit);
        Ok(Self {
            number: number as u64,
            bodies: bodies.map(|body| body as u32),
            collide: joint.collide,
            freedom,
            anchors: [a, b].map(|body| body.rotation.conjugate() * (joint.anchor - body.center)),
            frames: [a, b].map(|body| (body.rotation.conjugate() * frame).normalize()),
            impulse: Vec3::ZERO,
            torque: Vec3::ZERO,
            limits: [0.0; 3],
        })
    }

    /// The distance of the two anchors.
    pub fn error(&self, [a, b]: [&State; 2]) -> Real {
        let at = |body: &State, anchor: Vec3| body.center + body.rotation * anchor;
        at(a, self.anchors[0]).distance(at(b, self.anchors[1]))
    }
}

/// The angle about z of a rotation, from −π to π.
pub(crate) fn twist(rotation: Quat) -> Real {
    let (sine, cosine) = if rotation.w < 0.0 { (-rotation.z, -rotation.w) } else { (rotation.z, rotation.w) };
    2.0 * sine.atan2(cosine)
}
