//! Two simple bodies around a polytope, along its own axes: its box, and an ellipsoid in the proportions of that box.
//!
//! A box about them under any pose is three sums and three roots, whatever the number of vertices: about the tight one for
//! rounded bodies by the ellipsoid, for boxy ones by the box.

use crate::math::{Mat3, Real, Vec3, length};
use crate::tolerance::CASING_ERROR;

/// The bodies around a polytope.
#[derive(Debug, Clone, Copy)]
pub struct Casing {
    center: Vec3,
    half: Vec3,
    radii: Vec3,
}

impl Casing {
    /// Around some points, not all in one plane.
    pub(super) fn new(points: &[Vec3]) -> Self {
        let least = points.iter().fold(Vec3::INFINITY, |low, &p| low.min(p));
        let largest = points.iter().fold(Vec3::NEG_INFINITY, |high, &p| high.max(p));
        let center = least * 0.5 + largest * 0.5;
        let half = (largest - center).max(center - least);
        let reach = points.iter().map(|&p| length((p - center) / half)).fold(0.0, Real::max);
        Self { center, half, radii: half * reach }
    }

    /// The middle of the box along each column of a rotation, and how far it reaches from there: no point reaches farther.
    #[inline]
    pub fn extents(&self, directions: &Mat3) -> [Vec3; 2] {
        let columns = [directions.x_axis, directions.y_axis, directions.z_axis];
        let middle = columns.map(|d| d.dot(self.center));
        let reach = columns.map(|d| {
            let within_box = d.abs().dot(self.half);
            within_box.min((d * self.radii).length()) + CASING_ERROR * (within_box + d.abs().dot(self.center.abs()))
        });
        [Vec3::from_array(middle), Vec3::from_array(reach)]
    }
}
