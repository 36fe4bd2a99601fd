//! Rays: where a half-line meets a body first, and everywhere.
//!
//! **Positions** are in units of the direction's length. The exact position is between `lower` and `upper`.
//!
//! **Bodies are closed**: a ray that touches a surface, an edge or a vertex has hit it. A ray that starts on a surface hits it at 0.
//!
//! **Inside.** If the origin is in the interior of a solid, the hit is where the ray leaves the solid for the first time, its side is
//! [`Side::Back`](crate::Side::Back) and `inside` is set. If the ray ends (see [`RayOptions::max`]) before it leaves, nothing is hit.
//!
//! **Meshes do not leak.** Whether a ray passes a triangle is decided by exact predicates for the ray as rounded into the mesh's frame:
//! two triangles with a common edge agree about it, and a ray through an edge or a vertex hits.
//!
//! **All hits** of a mesh are its crossings: the ray is moved by an infinitesimal step so that it passes no edge and no vertex, and
//! every triangle it then passes is one hit. For a closed surface entering and leaving alternate. A ray that only grazes an edge has two
//! hits or none there.

mod compound;
mod convex;
mod half_space;
mod implicit;
mod input;
mod local;
mod mesh;
mod project;
mod triangle;

pub use compound::cast_ray_compound;
pub use convex::{cast_ray_convex, convex_crossings};
pub use half_space::{cast_ray_half_space, project_on_half_space};
pub use implicit::{cast_ray_cloud, cast_ray_height_field, project_on_cloud, project_on_height_field};
pub use input::{Ray, RayError, RayOptions};
pub use mesh::{cast_ray_mesh, mesh_crossings};
pub use project::{project_on_compound, project_on_convex, project_on_mesh};
