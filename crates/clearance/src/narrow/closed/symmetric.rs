//! Symmetric matrices of three rows: what ellipsoids are made of.

use crate::math::{Mat3, Real, Vec3};

/// A symmetric matrix by its diagonal and what is beside it (yz, zx, xy).
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetric {
    pub diagonal: Vec3,
    pub mixed: Vec3,
}

impl Symmetric {
    /// The matrix with these axes, which are at right angles and of unit length, and these values along them.
    #[inline]
    pub(super) fn of_axes(axes: &Mat3, values: Vec3) -> Self {
        let [x, y, z] = [axes.x_axis * values.x, axes.y_axis * values.y, axes.z_axis * values.z];
        Self {
            diagonal: x * axes.x_axis + y * axes.y_axis + z * axes.z_axis,
            mixed: beside(x, axes.x_axis) + beside(y, axes.y_axis) + beside(z, axes.z_axis),
        }
    }

    /// The square of a matrix with these columns.
    #[inline]
    pub(super) fn square([x, y, z]: [Vec3; 3]) -> Self {
        Self { diagonal: Vec3::new(x.dot(x), y.dot(y), z.dot(z)), mixed: Vec3::new(y.dot(z), z.dot(x), x.dot(y)) }
    }

    /// Itself times a factor and `v vᵀ` times another.
    #[inline]
    pub(super) fn with(&self, factor: Real, v: Vec3, of_v: Real) -> Self {
        let scaled = v * of_v;
        Self { diagonal: self.diagonal * factor + scaled * v, mixed: self.mixed * factor + beside(scaled, v) }
    }

    #[inline]
    pub(super) fn rows(&self) -> [Vec3; 3] {
        let (d, m) = (self.diagonal, self.mixed);
        [Vec3::new(d.x, m.z, m.y), Vec3::new(m.z, d.y, m.x), Vec3::new(m.y, m.x, d.z)]
    }

    #[inline]
    pub(super) fn times(&self, v: Vec3) -> Vec3 {
        let [x, y, z] = self.rows();
        x * v.x + y * v.y + z * v.z
    }

    /// What it makes `v` of, if it is positive definite.
    #[inline]
    pub(super) fn solve(&self, v: Vec3) -> Option<Vec3> {
        let [x, y, z] = self.rows();
        let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
        let determinant = x.dot(yz);
        let is_positive = self.diagonal.x > 0.0 && xy.z > 0.0 && determinant > 0.0;
        is_positive.then(|| (yz * v.x + zx * v.y + xy * v.z) * (1.0 / determinant))
    }

    /// Whether all its values are above `least` by more than an error relative to the largest of them.
    #[inline]
    pub(super) fn is_above(&self, least: Real, error: Real) -> bool {
        let size = self.diagonal.element_sum();
        let enough = error * size;
        let shifted = Self { diagonal: self.diagonal - Vec3::splat(least + enough), ..*self };
        let [x, y, z] = shifted.rows();
        let (yz, xy) = (y.cross(z), x.cross(y));
        x.x > 0.0 && xy.z > enough * size && x.dot(yz) > enough * size * size
    }
}

#[inline]
fn beside(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z, a.z * b.x, a.x * b.y)
}
