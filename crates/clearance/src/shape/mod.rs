//! Every convex shape: a sharp core and a rounding radius.
//!
//! A sphere is a rounded point, a capsule a rounded segment, a lozenge a rounded rectangle, a round box a rounded box and a
//! wheel a rounded disc. Queries run on cores and add radii afterwards, exactly. So [`Shape`] is a [`Core`] with a radius
//! rather than one enum of everything: a departure from the design that makes rounding a property instead of a case.

mod assemble;
mod between;
mod body;
mod compound;
mod construct;
mod convex;
mod core;
mod error;
mod half_space;
mod height_field;
mod kinds;
mod mass;
mod measure;
pub mod mesh;
mod point_cloud;

pub use body::{Body, BodyRef, Geometry, Padded};
pub use compound::Compound;
pub(crate) use compound::Leaf;
pub use error::ShapeError;
pub use half_space::HalfSpace;
pub(crate) use height_field::FieldNode;
pub use height_field::HeightField;
pub use kinds::{Core, Part, Shape};
pub use mass::MassProperties;
pub(crate) use point_cloud::CloudNode;
pub use point_cloud::PointCloud;
