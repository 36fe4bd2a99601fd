//! Why a simulation refuses a call.

use clearance::world::WorldError;
use clearance::{CastError, MeshError, MotionError, PoseError, Real, ShapeError};
use thiserror::Error;

/// Why a simulation refused a call; nothing has changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SimError {
    /// The mass or density of a moving body is zero, negative, NaN or infinite.
    #[error("body {body}: {name} is {value}; it must be positive and finite")]
    Mass {
        /// The number of the body.
        body: usize,
        /// `"mass"` or `"density"`.
        name: &'static str,
        /// The number given.
        value: Real,
    },
    /// A moving body is an open mesh, which has no inside and so no mass.
    #[error("body {body}: an open mesh cannot move as a solid; close it, or add it as a fixed body")]
    OpenMesh {
        /// The number of the body.
        body: usize,
    },
    /// A moving body has no volume, an infinite one, or an inertia that is beyond the range of the numbers.
    #[error("body {body}: its volume is {volume}; a moving body must be a solid with a finite volume")]
    NoVolume {
        /// The number of the body.
        body: usize,
        /// Its volume.
        volume: Real,
    },
    /// A velocity or an impulse has a component that is NaN or infinite, or a fixed body has a velocity.
    #[error("body {body}: {name} is {value:?}; it must be finite, and zero for a fixed body")]
    Velocity {
        /// The number of the body.
        body: usize,
        /// Which one.
        name: &'static str,
        /// The vector given.
        value: [Real; 3],
    },
    /// A coefficient of friction or restitution is out of range.
    #[error("body {body}: {name} is {value}; it must be finite and not negative, restitution at most 1")]
    Coefficient {
        /// The number of the body.
        body: usize,
        /// `"friction"` or `"restitution"`.
        name: &'static str,
        /// The number given.
        value: Real,
    },
    /// The time step is zero, negative, NaN or infinite.
    #[error("step is {value}; it must be positive and finite")]
    Step {
        /// The number given.
        value: Real,
    },
    /// Another option is out of range.
    #[error("option {name} is {value}; it must be {wanted}")]
    Option {
        /// Which one.
        name: &'static str,
        /// The number given.
        value: Real,
        /// What it must be.
        wanted: &'static str,
    },
    /// There is no such body in this simulation.
    #[error("body {body} does not exist in this simulation")]
    UnknownBody {
        /// The number given.
        body: usize,
    },
    /// There is no such joint in this simulation.
    #[error("joint {joint} does not exist in this simulation")]
    UnknownJoint {
        /// The number given.
        joint: usize,
    },
    /// A joint of a body with itself.
    #[error("joint {joint}: it joins body {body} with itself")]
    JointWithItself {
        /// The number of the joint.
        joint: usize,
        /// The body.
        body: usize,
    },
    /// Neither body of a joint is dynamic.
    #[error("joint {joint}: of its bodies {bodies:?} none is dynamic")]
    JointWithoutMotion {
        /// The number of the joint.
        joint: usize,
        /// Its bodies.
        bodies: [usize; 2],
    },
    /// An axis or a limit of a joint is out of range.
    #[error("joint {joint}: {name} is {value:?}; it must be {wanted}")]
    JointGeometry {
        /// The number of the joint.
        joint: usize,
        /// What.
        name: &'static str,
        /// The numbers given.
        value: [Real; 3],
        /// What they must be.
        wanted: &'static str,
    },
    /// The thesis's solver has no joints.
    #[error("joint {joint}: the thesis's solver has no joints")]
    JointWithThesis {
        /// The number of the joint.
        joint: usize,
    },
    /// The option asks for an algorithm that this build does not have.
    #[error("the narrow phase {name} needs the feature `study`")]
    WithoutStudy {
        /// Its name.
        name: &'static str,
    },
    /// The world of bodies refused something.
    #[error("world: {0}")]
    World(#[from] WorldError),
    /// A pose could not be made.
    #[error("pose: {0}")]
    Pose(#[from] PoseError),
    /// A shape could not be made.
    #[error("shape: {0}")]
    Shape(#[from] ShapeError),
    /// A mesh could not be made.
    #[error("mesh: {0}")]
    Mesh(#[from] MeshError),
    /// A motion could not be made.
    #[error("motion: {0}")]
    Motion(#[from] MotionError),
    /// A cast could not be made.
    #[error("cast: {0}")]
    Cast(#[from] CastError),
}
