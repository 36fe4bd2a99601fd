//! Whether a moved polyhedron goes through another one: exact at the pose it was moved to, dense along the way.
//!
//! - [`surface`]: a surface of triangles, and where a pose as stored puts it, exactly
//! - [`meet`]: whether two surfaces share a point, and how often one winds about a point: signs of determinants, by a floating
//!   filter with a proven bound and exactly where that cannot tell
//! - [`gap`]: how far apart two surfaces are
//! - [`motion`]: translations and rotations, sampled
//! - [`worlds`], [`bodies`]: concave worlds, and bodies to move in them
//! - [`casts`]: chains of casts, each judged; [`walk`]: a walk with sliding
//!
//! The library under test is seen through [`Caster`]; nothing of it is used to judge it.

pub mod bodies;
pub mod casts;
mod double;
pub mod gap;
pub mod judge;
pub mod meet;
pub mod motion;
mod points;
pub mod surface;
pub mod tally;
mod tree;
pub mod walk;
pub mod worlds;

use glam::{DQuat, DVec3};

use crate::meshes::Polyhedron;

pub use casts::{Arena, Place, Scene};
pub use motion::Motion;
pub use surface::{Fixed, Placed, Placement, Surface};
pub use tally::Tally;
pub use walk::{Walk, WalkTally};

/// What a cast answered.
#[derive(Clone, Copy, Debug)]
pub struct Answer<P> {
    /// The share of the motion that is free.
    pub fraction: f64,
    /// Bounds of the share at which the bodies first share a point.
    pub bounds: [f64; 2],
    /// The unit vector from the world to the body where something is in the way.
    pub normal: Option<DVec3>,
    /// Where the body is then.
    pub pose: P,
    /// The bodies were said to overlap at the start.
    pub overlaps: bool,
    /// The thickness of the zone kept free.
    pub zone: f64,
    /// The answer is said to be complete.
    pub converged: bool,
}

/// How a slide went.
#[derive(Clone, Copy, Debug)]
pub struct Slid<P> {
    /// Where the body is then.
    pub pose: P,
    /// The thickness of the zone kept free.
    pub zone: f64,
    /// The bodies were said to overlap at the start.
    pub overlaps: bool,
    /// It went all the way, along surfaces or not.
    pub arrived: bool,
}

/// What a polyhedron is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Solid inside.
    Solid,
    /// Solid outside.
    Room,
    /// Solid pieces that may overlap; what they cover of each other may be left out.
    Pieces,
}

/// A library that casts polyhedra, in some precision. Numbers are handed over as `f64` that the precision can hold.
pub trait Caster: Sync {
    /// A polyhedron prepared for casts.
    type Shape: Send + Sync;
    /// A pose as the library stores it.
    type Pose: Copy + Send + Sync + std::fmt::Debug;
    /// Memory that casts reuse.
    type Scratch: Default + Send;

    /// Half the spacing of the precision's numbers above one.
    fn roundoff() -> f64;
    /// The nearest number that the precision can hold.
    fn held(x: f64) -> f64;
    /// A polyhedron prepared for casts.
    ///
    /// # Errors
    /// What the library refused it with.
    fn shape(polyhedron: &Polyhedron, kind: Kind) -> Result<Self::Shape, String>;
    /// The pose that the library makes of a place and a unit quaternion.
    fn pose(place: DVec3, turn: DQuat) -> Self::Pose;
    /// The matrix and the translation as stored, and the quaternion.
    fn stored(pose: &Self::Pose) -> (Placement, DQuat);
    /// Casts the second shape against the first.
    ///
    /// # Errors
    /// What the library refused it with.
    fn cast(
        bodies: [&Self::Shape; 2],
        poses: [&Self::Pose; 2],
        motion: &Motion,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self::Pose>, String>;
    /// Moves the second shape by a translation, along the first where that is in the way.
    ///
    /// # Errors
    /// What the library refused it with.
    fn slide(
        bodies: [&Self::Shape; 2],
        poses: [&Self::Pose; 2],
        translation: DVec3,
        scratch: &mut Self::Scratch,
    ) -> Result<Slid<Self::Pose>, String>;
    /// The share of a point's way that is free of the shape's fronts; 1 if all of it is.
    fn cast_point(world: &Self::Shape, pose: &Self::Pose, from: DVec3, by: DVec3) -> f64;

    /// A vector that the precision can hold.
    fn held_vector(v: DVec3) -> DVec3 {
        DVec3::from_array(v.to_array().map(Self::held))
    }
}
