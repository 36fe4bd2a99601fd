//! Axis-aligned bounding boxes.

use super::{Real, Vec3};

/// A box with sides along the axes, `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box that contains nothing and grows from the first point joined to it.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box of some points; [`Aabb::EMPTY`] for none.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, p| Self { min: bounds.min.min(p), max: bounds.max.max(p) })
    }

    /// The middle.
    #[inline]
    pub fn center(&self) -> Vec3 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Half the edge lengths.
    #[inline]
    pub fn half_extents(&self) -> Vec3 {
        (self.max - self.min) * 0.5
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether the closed box contains the point.
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box with every side moved out by `margin`.
    #[inline]
    #[must_use]
    pub fn grown(&self, margin: Real) -> Self {
        Self { min: self.min - Vec3::splat(margin), max: self.max + Vec3::splat(margin) }
    }

    /// Half the surface area, the measure of the surface-area heuristic.
    #[inline]
    pub fn half_area(&self) -> Real {
        let d = self.max - self.min;
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}
