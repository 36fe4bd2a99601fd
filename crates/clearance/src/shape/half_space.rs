//! Half-spaces: all that is on one side of a plane.

use super::error::ShapeError;
use crate::math::{Aabb, Pose, Real, Vec3, length, narrow_real, unit_or, widen};
use crate::tolerance::LARGEST_SIZE;

/// All points with `normal · x ≤ offset`: a solid without end below a plane, such as a floor. The normal points out of the solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: Real,
}

impl HalfSpace {
    /// The half-space `normal · x ≤ offset`. The normal may have any length but zero; both are divided by it.
    ///
    /// # Errors
    /// If the normal is zero or not finite, or the offset is not finite or, after the division, out of range.
    ///
    /// ```
    /// use clearance::{HalfSpace, Vec3};
    /// let floor = HalfSpace::new(Vec3::Z, 0.5)?;
    /// assert_eq!(floor.signed_distance(Vec3::new(3.0, 4.0, 2.0)), 1.5);
    /// assert!(HalfSpace::new(Vec3::ZERO, 0.0).is_err());
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn new(normal: impl Into<Vec3>, offset: Real) -> Result<Self, ShapeError> {
        let normal: Vec3 = normal.into();
        let unit = unit_or(normal, Vec3::ZERO);
        if unit == Vec3::ZERO {
            return Err(ShapeError::Normal { normal: normal.to_array() });
        }
        let scaled = offset / length(normal);
        if !(scaled.abs() <= LARGEST_SIZE) {
            return Err(ShapeError::Offset { value: offset });
        }
        Ok(Self { normal: unit, offset: scaled })
    }

    /// The half-space below the plane through a point.
    ///
    /// # Errors
    /// If the normal is zero or not finite, or the plane is out of range.
    pub fn through(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let unit = Self::new(normal, 0.0)?.normal;
        Self::new(unit, unit.dot(point.into()))
    }

    /// The unit normal of the plane, out of the solid.
    #[inline]
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The distance of the plane from the origin along the normal.
    #[inline]
    pub fn offset(&self) -> Real {
        self.offset
    }

    /// How far a point is above the plane; negative in the solid.
    #[inline]
    pub fn signed_distance(&self, point: Vec3) -> Real {
        narrow_real(widen(self.normal).dot(widen(point))) - self.offset
    }

    /// The half-space moved by a pose.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let normal = pose.direction(self.normal);
        Self { normal, offset: self.offset + narrow_real(widen(normal).dot(widen(pose.translation()))) }
    }

    /// The box of the half-space under a pose: it is bounded on one side where the normal is along an axis, else everywhere.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let Self { normal, offset } = self.posed(pose);
        let mut bounds = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        for axis in 0..3 {
            let across = (0..3).all(|other| other == axis || normal[other] == 0.0);
            if across && normal[axis] > 0.0 {
                bounds.max[axis] = offset;
            } else if across {
                bounds.min[axis] = -offset;
            }
        }
        bounds
    }

    /// Infinite: no ball contains a half-space.
    pub fn bounding_radius(&self) -> Real {
        Real::INFINITY
    }
}
