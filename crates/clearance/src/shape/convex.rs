//! What every convex shape answers about itself.

use super::kinds::{Core, Shape};
use crate::math::{Aabb, Pose, Real, Vec3, length, unit_or};
use crate::support::{Support, SupportPoint, VertexId};

impl Shape {
    /// What remains without the rounding radius.
    #[inline]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The rounding radius: the shape is every point within it of the core.
    #[inline]
    pub fn radius(&self) -> Real {
        self.radius
    }

    /// The interval `[lowest, highest]` of `direction · x` over the shape.
    pub fn extent(&self, direction: Vec3) -> [Real; 2] {
        let [low, high] = self.core.extent(direction);
        if self.radius == 0.0 {
            return [low, high];
        }
        let reach = self.radius * length(direction);
        [low - reach, high + reach]
    }

    /// The tight axis-aligned box of the shape under a pose.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// let wheel = Shape::wheel(1.0, 0.25)?; // axis along z
    /// let bounds = wheel.aabb(&Pose::IDENTITY);
    /// assert_eq!((bounds.max.x, bounds.max.z), (1.25, 0.25));
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        // A world axis seen from the local frame is a row of the rotation matrix.
        let rows = pose.matrix().transpose();
        let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| self.extent(row));
        let t = pose.translation();
        Aabb { min: t + Vec3::new(x[0], y[0], z[0]), max: t + Vec3::new(x[1], y[1], z[1]) }
    }

    /// A ball of this radius about the local origin contains the shape.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.reach
    }

    /// Whether the surface is curved where it is farthest along `direction`: a small turn of the direction moves the farthest
    /// point a little, instead of leaving it where it is or making it jump across a face.
    pub fn is_curved(&self, direction: Vec3) -> bool {
        if self.radius > 0.0 { !self.core.is_flat(direction) } else { self.core.is_curved(direction) }
    }
}

impl Support for Shape {
    #[inline]
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        let mut support = self.core.support(direction, hint);
        if self.radius > 0.0 {
            support.point += unit_or(direction, Vec3::X) * self.radius;
        }
        support
    }

    fn curvature(&self, direction: Vec3, tangent: Vec3) -> Vec3 {
        self.core.curvature(direction, tangent) + (tangent - direction * direction.dot(tangent)) * self.radius
    }
}
