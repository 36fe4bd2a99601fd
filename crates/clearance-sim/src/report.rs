//! What a simulation tells of itself.

use std::time::Duration;

use clearance::{Feature, Real, Vec3};

use crate::body::BodyHandle;

/// What a step did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepReport {
    /// Bodies beyond the bounds, or whose numbers have left their range: they are held where they are, and reported by every step
    /// until they are given another pose.
    pub outside: Vec<BodyHandle>,
    /// Pairs of bodies in contact.
    pub pairs: usize,
    /// Contact points.
    pub points: usize,
    /// Dynamic bodies that are awake.
    pub awake: usize,
    /// Fast bodies that were stopped on their way.
    pub stopped: usize,
    /// The most that was computed in a row before the thesis's solver had no approaching points left; 0 for other solvers.
    pub iterations: u32,
    /// What took how long.
    pub phases: Phases,
}

/// How long the phases of a step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phases {
    /// Boxes, pairs and contact points.
    pub collide: Duration,
    /// Contacts and joints.
    pub solve: Duration,
    /// Casts of fast bodies, poses, islands and sleep.
    pub finish: Duration,
}

impl Phases {
    /// The sum of both, phase by phase.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            collide: self.collide + other.collide,
            solve: self.solve + other.solve,
            finish: self.finish + other.finish,
        }
    }
}

/// The mechanical energy of the dynamic bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Of motion.
    pub kinetic: Real,
    /// Of height, against the origin.
    pub potential: Real,
}

impl Energy {
    /// Both together.
    pub fn total(&self) -> Real {
        self.kinetic + self.potential
    }
}

/// A contact point of two bodies and what pushes there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// The bodies, in ascending order.
    pub bodies: [BodyHandle; 2],
    /// Halfway between the two surfaces, in world space.
    pub point: Vec3,
    /// Unit vector from the first body to the second.
    pub normal: Vec3,
    /// The signed gap when the step began; negative where the bodies overlap.
    pub distance: Real,
    /// The features in contact.
    pub features: [Feature; 2],
    /// The impulse along the normal in the last sub-step.
    pub impulse: Real,
    /// The impulse of friction in the last sub-step.
    pub friction: Vec3,
}
