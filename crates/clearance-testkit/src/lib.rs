//! Seeded generators and slow, exact, independent oracles for the tests of `clearance`.
//!
//! Nothing here depends on the library under test: plain `f64` data goes in (an `f32` value
//! converts exactly), and every verdict is reached in exact dyadic arithmetic, with ordinary
//! floating point used only where an error bound proves that it cannot change the verdict.
//!
//! - [`exact`]: numbers, vectors and predicates without rounding
//! - [`solid`]: convex solids, brute-force hull, containment and structural checks
//! - [`support`]: the farthest point along a direction
//! - [`minkowski`]: signed distance of two solids over every candidate direction
//! - [`ccd`]: features that move and deform, whether they touch
//! - [`features`]: distance of two solids over every pair of features
//! - [`building`]: a world of convex brushes
//! - [`cells`]: unions of cells of a grid, decided by counting
//! - [`meshes`]: polyhedra of any shape
//! - [`surfaces`]: distance, contact and containment of triangle surfaces over all triangles
//! - [`passing`]: whether a moved polyhedron went through another one
//! - [`random`]: seeded randomness
//! - [`families`]: random and degenerate point clouds and pairs
//! - [`sources`]: imports, sizes and public names, read from the sources
//! - [`guard`]: hit rates, so that a random test cannot pass by missing

pub mod building;
pub mod ccd;
pub mod cells;
pub mod exact;
pub mod families;
pub mod features;
pub mod guard;
pub mod meshes;
pub mod minkowski;
pub mod passing;
pub mod random;
pub mod solid;
pub mod sources;
pub mod support;
pub mod surfaces;

pub use building::{Building, BuildingPlan};
pub use cells::Cells;
pub use exact::{Dyadic, Exact3};
pub use families::{Cloud, FlatCloud, PairCase, PairFamily, round_to_f32};
pub use guard::HitRate;
pub use meshes::Polyhedron;
pub use minkowski::{LineEnd, LineRange, MinkowskiDifference, PosedSolid, Separation, SignedDistance};
pub use random::Rng;
pub use solid::{Containment, Solid};
