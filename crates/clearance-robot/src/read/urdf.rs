//! The types of a robot description: links with collision geometry, and joints.

use clearance::{Pose, Vec3};

/// A robot description as the URDF has it, with names resolved to indices.
#[derive(Debug, Clone, PartialEq)]
pub struct Urdf {
    /// The robot's name; empty if it has none.
    pub name: String,
    /// The links in the order of the file.
    pub links: Vec<LinkDescription>,
    /// The joints in the order of the file.
    pub joints: Vec<JointDescription>,
}

/// A link: a rigid part of the robot.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkDescription {
    /// Its name.
    pub name: String,
    /// The line of its element.
    pub line: u32,
    /// Its collision geometry; several are taken together.
    pub collisions: Vec<Collision>,
}

/// A geometry of a link in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// The line of its element.
    pub line: u32,
    /// Where it is in the frame of the link.
    pub origin: Pose,
    /// What it is.
    pub geometry: Geometry,
}

/// A geometry as the URDF has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A box by its edges.
    Box {
        /// The lengths of its edges along x, y, z.
        size: [f64; 3],
    },
    /// A cylinder along z.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its height.
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder along z with a half ball at either end.
    Capsule {
        /// Its radius.
        radius: f64,
        /// The height of the cylinder, without the half balls.
        length: f64,
    },
    /// Triangles in a file.
    Mesh {
        /// The file's name or address, such as `package://robot/meshes/arm.stl`.
        file: String,
        /// Factors of its coordinates.
        scale: [f64; 3],
    },
}

/// How a joint moves its child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// It turns about its axis, within limits: one value, in radians.
    Revolute,
    /// It turns about its axis without limits: one value, in radians.
    Continuous,
    /// It slides along its axis: one value, a length.
    Prismatic,
    /// It does not move.
    Fixed,
    /// It moves freely: seven values, the translation x, y, z and the unit quaternion x, y, z, w.
    Floating,
    /// It moves in the plane across its axis: three values, two lengths along the plane's axes and an angle about the joint's axis.
    Planar,
}

impl JointKind {
    /// How many values it has.
    pub fn value_count(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Planar => 3,
            Self::Floating => 7,
        }
    }
}

/// A joint's value that follows another one's: `multiplier · value + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// The joint that it follows, by its index.
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// What is added.
    pub offset: f64,
}

/// A joint between two links.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDescription {
    /// Its name.
    pub name: String,
    /// The line of its element.
    pub line: u32,
    /// How it moves.
    pub kind: JointKind,
    /// The link that it hangs on, by its index.
    pub parent: usize,
    /// The link that it moves, by its index.
    pub child: usize,
    /// The joint's frame in that of its parent link.
    pub origin: Pose,
    /// The unit axis in the joint's frame.
    pub axis: Vec3,
    /// The lower and upper limit of the value; none for continuous, floating and planar joints.
    pub limits: Option<[f64; 2]>,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
}
