//! Height fields, point clouds and half-spaces with bodies of every kind.
//!
//! Bodies are trees of boxes with convex leaves: a triangle of a mesh or of a height field, a point of a cloud with its radius, a convex
//! shape as a whole. One walk down two trees, nearest boxes first, serves all pairs; leaves go to the narrow phase. Compounds are
//! taken part by part. Half-spaces have closed forms.
//!
//! **What is answered** is what the [module above](super) says for meshes: distances of bodies that are apart are exact to within the bounds;
//! a negative distance is that of the deepest pair of pieces, or of a point of a cloud or a field inside a solid mesh. A height field
//! is a surface without thickness; a cloud is the union of its balls. The distance from a half-space is exact for all bodies, on both
//! sides of zero; two half-spaces that are not opposite each other overlap without end, by a depth of infinity.
//!
//! Every walk visits a pair of nodes at most once, and looks at a limited number of pairs of leaves that touch: surfaces that coincide
//! over more than that end with `IterationLimit`, and a deeper place may exist.

mod along;
mod half_space;
mod inside;
mod pair;
mod tree;
mod verbs;
mod walk;

pub(crate) use half_space::Below;
pub(super) use half_space::half_space_range;
pub(super) use pair::Pair;
pub(super) use tree::Piece;
pub(crate) use tree::{Node, Tree};
pub(crate) use verbs::within;
pub(super) use verbs::{closest, each_part, overlap};
pub(super) use walk::Trees;
