//! Why a robot, a scene or a request was refused.

use clearance::{MeshError, PoseError, ShapeError};
use thiserror::Error;

/// Why a robot description was refused: the element, its line, and what is wrong with it.
#[derive(Debug, Error)]
#[error("{}{element}: {fault}", place(.file, *.line))]
pub struct RobotError {
    /// The file as it was named; empty for a text in memory.
    pub file: String,
    /// The line in the file, from 1; 0 where no single line is at fault.
    pub line: u32,
    /// The element at fault, such as `joint 'elbow'`.
    pub element: String,
    /// What is wrong.
    pub fault: Box<RobotFault>,
}

/// `arm.urdf:12: `, `line 12: ` or nothing.
fn place(file: &str, line: u32) -> String {
    match (file.is_empty(), line) {
        (true, 0) => String::new(),
        (true, line) => format!("line {line}: "),
        (false, 0) => format!("{file}: "),
        (false, line) => format!("{file}:{line}: "),
    }
}

/// What is wrong with an element of a robot description.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RobotFault {
    /// The file cannot be read.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// The text is not well-formed XML.
    #[error("{0}")]
    Xml(String),
    /// The root element is not `robot`.
    #[error("the root element is '{found}'; it must be 'robot'")]
    NotARobot {
        /// The name of the root element.
        found: String,
    },
    /// A child element or an attribute is missing.
    #[error("{what} is missing")]
    Missing {
        /// Which one.
        what: &'static str,
    },
    /// An attribute is not made of so many finite numbers.
    #[error("{attribute} is '{text}'; it must be {count} finite number{}", if *.count == 1 { "" } else { "s" })]
    Numbers {
        /// The attribute.
        attribute: &'static str,
        /// Its text.
        text: String,
        /// How many numbers it must have.
        count: usize,
    },
    /// A name is used twice for elements of one kind.
    #[error("the name is used before, in line {line}")]
    Duplicate {
        /// Where it was used first.
        line: u32,
    },
    /// A link is named that the robot does not have.
    #[error("there is no link '{name}'")]
    UnknownLink {
        /// The name.
        name: String,
    },
    /// A joint is named that the robot does not have, or that has no value of its own.
    #[error("there is no joint '{name}' with a value")]
    UnknownJoint {
        /// The name.
        name: String,
    },
    /// A group is named that the SRDF does not have.
    #[error("there is no group '{name}'")]
    UnknownGroup {
        /// The name.
        name: String,
    },
    /// A type of joint that does not exist.
    #[error("'{name}' is no type of joint; known: revolute, continuous, prismatic, fixed, floating, planar")]
    JointType {
        /// The type as given.
        name: String,
    },
    /// A geometry that does not exist.
    #[error("'{name}' is no geometry; known: box, cylinder, sphere, capsule, mesh")]
    Geometry {
        /// The element's name.
        name: String,
    },
    /// The axis of a joint has no direction.
    #[error("the axis is {axis:?}; it must not be zero")]
    ZeroAxis {
        /// The axis.
        axis: [f64; 3],
    },
    /// The lower limit of a joint is above the upper one.
    #[error("the lower limit {lower} is above the upper limit {upper}")]
    LimitsReversed {
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
    },
    /// A link is the child of two joints.
    #[error("link '{link}' is the child of joint '{first}' already")]
    TwoParents {
        /// The link.
        link: String,
        /// The other joint.
        first: String,
    },
    /// Following parents leads back to the same link, or mimicry to the same joint.
    #[error("it depends on itself: {path}")]
    Cycle {
        /// The names along the cycle.
        path: String,
    },
    /// Several links have no parent joint.
    #[error("links {names} have no parent joint; exactly one link must be the root")]
    SeveralRoots {
        /// The names of the links.
        names: String,
    },
    /// A mimic joint or its model has not exactly one value.
    #[error("mimic joints and what they follow must have one value each, and '{name}' has not")]
    Mimic {
        /// The joint.
        name: String,
    },
    /// The robot has no links.
    #[error("there are no links")]
    NoLinks,
    /// A mesh file cannot be found or read.
    #[error("mesh '{file}': {reason}")]
    Mesh {
        /// The file name as the description has it.
        file: String,
        /// Why.
        reason: String,
    },
    /// The triangles of a mesh file are no mesh.
    #[error("mesh '{file}': {error}")]
    Surface {
        /// The file name as the description has it.
        file: String,
        /// Why.
        error: MeshError,
    },
    /// A geometry has a size that is no size, or the points of a mesh span no volume.
    #[error("{0}")]
    Shape(#[from] ShapeError),
    /// A position or a rotation is out of range.
    #[error("{0}")]
    Pose(#[from] PoseError),
}

/// Why a change of a workcell was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkcellError {
    /// A link is named that the robot does not have.
    #[error("there is no link '{name}'")]
    UnknownLink {
        /// The name.
        name: String,
    },
    /// A body is named that the workcell does not have.
    #[error("there is no link or body '{name}'")]
    UnknownBody {
        /// The name.
        name: String,
    },
    /// A name is taken by a link or another body.
    #[error("the name '{name}' is used by a link or another body")]
    NameTaken {
        /// The name.
        name: String,
    },
}

/// Why a batch of configurations or edges was refused as a whole.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum BatchError {
    /// The number of values is not a multiple of the robot's degrees of freedom.
    #[error("{what}: {found} values are no whole number of configurations of {dof} values")]
    Length {
        /// The argument.
        what: &'static str,
        /// How many values there are.
        found: usize,
        /// Values of one configuration.
        dof: usize,
    },
    /// Two arrays that belong together have different lengths.
    #[error("q0 has {q0} values and q1 has {q1}; they must have as many")]
    Different {
        /// Values of the first array.
        q0: usize,
        /// Values of the second array.
        q1: usize,
    },
    /// A number of an option is out of range.
    #[error("option {option} is {value}; it must be {must}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// A value is NaN, infinite or out of range, or a quaternion has no length.
    #[error("configuration {row}: value {column} is {value}; it must be finite, and quaternions must have unit length")]
    Value {
        /// The configuration.
        row: usize,
        /// Which of its values.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A path needs at least one configuration.
    #[error("the path is empty")]
    EmptyPath,
    /// A joint without limits cannot be sampled.
    #[error("joint '{name}' has no limits to sample within")]
    Unbounded {
        /// The joint.
        name: String,
    },
}
