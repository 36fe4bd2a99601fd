//! A point moving through a surface, in `f64` with a slack.

use glam::DVec3;

use super::surface::Fixed;
use crate::features::point_polygon;

impl Fixed<'_> {
    /// The share of a point's way at which it first goes through the front of a triangle by more than the slack, at both ends of the
    /// way and sideways; and by how much all of the way sinks along its normal.
    pub(super) fn first_front(&self, from: DVec3, by: DVec3, slack: f64) -> Option<(f64, f64)> {
        let mut first: Option<(f64, f64)> = None;
        self.tree.along(from, by, |index| {
            let corners = self.placed.corners(index);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let (start, end) = (normal.dot(from - corners[0]), normal.dot(from + by - corners[0]));
            if !(start > slack && end < -slack) {
                return false;
            }
            let at = start / (start - end);
            let inside = (0..3).all(|i| {
                let side = corners[(i + 1) % 3] - corners[i];
                // By how much the way passes the side, across both.
                let across = side.cross(by).normalize_or_zero();
                let clear = across.dot(from - corners[i]);
                clear.abs() > slack && normal.cross(side).dot(from + by * at - corners[i]) > 0.0
            });
            if inside && first.is_none_or(|(found, _)| at < found) {
                first = Some((at, start - end));
            }
            false
        });
        first
    }

    /// The distance of a point from the surface.
    pub(super) fn surface_distance(&self, p: DVec3) -> f64 {
        let here = super::tree::Bounds { min: p, max: p };
        let square = self.tree.nearest(&here, f64::INFINITY, |index, least| {
            least.min(point_polygon(p, &self.placed.corners(index)).powi(2))
        });
        square.sqrt()
    }
}
