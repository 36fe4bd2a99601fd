//! The box of a body under way: the fixed cube or the dynamic box of the proximity-queries lecture ("Updating Bounding Boxes").
//!
//! The fixed cube has the bounding radius about the body's origin and never changes its size: three additions. The dynamic box is
//! tight. On a polytope its six sides are at six vertices, which change little from frame to frame and are found by climbing
//! from the last ones; small polytopes are scanned for all six at once. Other shapes have their extents in closed form.

use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Core, Shape};
use crate::support::VertexId;

/// How a body's box follows it. Small and `Copy`: one per body, of use for one shape only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxTracker {
    /// A cube of the bounding radius.
    Fixed,
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
        match self {
            Self::Fixed => {
                let center = Aabb { min: pose.translation(), max: pose.translation() };
                center.grown(shape.bounding_radius())
            }
            Self::Dynamic(extremes) => match shape.core() {
                Core::Polytope(polytope) => {
                    let rows = pose.matrix().transpose();
                    let [min, max] = polytope.search().extents(&rows, extremes);
                    // As far out along each axis as a unit row of the matrix reaches.
                    let reach = |row: Vec3| if shape.radius() > 0.0 { shape.radius() * row.length() } else { 0.0 };
                    let reach = Vec3::new(reach(rows.x_axis), reach(rows.y_axis), reach(rows.z_axis));
                    let t = pose.translation();
                    Aabb { min: t + (min - reach), max: t + (max + reach) }
                }
                _ => shape.aabb(pose),
            },
        }
    }
}
