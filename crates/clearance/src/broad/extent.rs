//! The box of a body under way: the fixed cube or the dynamic box of the proximity-queries lecture ("Updating Bounding Boxes").
//!
//! The fixed cube has the bounding radius about the body's origin and never changes its size: three additions. The dynamic box is
//! tight. On a polytope its six sides are at six vertices, which change little from frame to frame and are found by climbing
//! from the last ones; small polytopes are scanned for all six at once. Other shapes have their extents in closed form.
//!
//! Beyond the lecture: the box about the simple bodies that encase a polytope, for those with many vertices. It is a little larger
//! than the tight one, and costs a tenth.

use crate::math::{Aabb, Pose, Real, Vec3};
use crate::shape::{Core, Shape};
use crate::support::VertexId;
use crate::tolerance::CASING_ERROR;

/// How a body's box follows it. Small and `Copy`: one per body, of use for one shape only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxTracker {
    /// A cube of the bounding radius.
    Fixed,
    /// For polytopes, a box about the bodies around them ([`Casing`](crate::polytope::Casing)); for others, the tight one.
    Casing,
    /// The tight box, with the vertices at its lower and upper sides along x, y and z in the last frame.
    Dynamic([[VertexId; 2]; 3]),
}

impl Default for BoxTracker {
    fn default() -> Self {
        Self::DYNAMIC
    }
}

impl BoxTracker {
    /// The tight box, starting cold.
    pub const DYNAMIC: Self = Self::Dynamic([[VertexId::NONE; 2]; 3]);

    /// The box of the shape under the pose. The dynamic one is [`Shape::aabb`]'s: the same bits for all but large polytopes,
    /// whose extreme vertices may be others that are as far to rounding.
    #[inline]
    pub fn aabb(&mut self, shape: &Shape, pose: &Pose) -> Aabb {
        self.aabb_within(shape, pose, 0.0)
    }

    /// The box that reaches so far beyond the shape. The translation is added last: rounding is monotone, so that boxes which
    /// overlap without it overlap with it, however far from the origin.
    #[inline]
    pub fn aabb_within(&mut self, shape: &Shape, pose: &Pose, reach: Real) -> Aabb {
        let t = pose.translation();
        match self {
            Self::Fixed => {
                let half = Vec3::splat(shape.bounding_radius() + reach);
                Aabb { min: t - half, max: t + half }
            }
            Self::Casing => match shape.core() {
                Core::Polytope(polytope) => {
                    let [middle, half] = polytope.search().casing().extents(&pose.matrix().transpose());
                    let half = half + Vec3::splat(shape.radius() * (1.0 + CASING_ERROR) + reach);
                    Aabb { min: t + (middle - half), max: t + (middle + half) }
                }
                _ => tight(shape, pose, reach),
            },
            Self::Dynamic(extremes) => match shape.core() {
                Core::Polytope(polytope) => {
                    let rows = pose.matrix().transpose();
                    let [min, max] = polytope.search().extents(&rows, extremes);
                    // As far out along each axis as a unit row of the matrix reaches.
                    let along = |row: Vec3| if shape.radius() > 0.0 { shape.radius() * row.length() } else { 0.0 };
                    let radius = Vec3::new(along(rows.x_axis), along(rows.y_axis), along(rows.z_axis));
                    let reach = Vec3::splat(reach);
                    Aabb { min: t + (min - radius - reach), max: t + (max + radius + reach) }
                }
                _ => tight(shape, pose, reach),
            },
        }
    }
}

fn tight(shape: &Shape, pose: &Pose, reach: Real) -> Aabb {
    let (t, centered) = (pose.translation(), shape.aabb(&pose.moved_to(Vec3::ZERO)).grown(reach));
    Aabb { min: t + centered.min, max: t + centered.max }
}
