//! Oriented bounding boxes.

use super::{Aabb, Pose, Vec3};

/// A box of any orientation: half extents about the origin of its pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    /// Where the box's centre is and how it is turned.
    pub pose: Pose,
    /// Half the edge lengths along the box's own axes.
    pub half_extents: Vec3,
}

impl Obb {
    /// The box of a local axis-aligned box under a pose.
    pub fn from_aabb(local: &Aabb, pose: &Pose) -> Self {
        let centre = Pose::from_translation(local.center()).unwrap_or_default();
        Self { pose: pose.compose(&centre), half_extents: local.half_extents() }
    }

    /// The axis-aligned box around it.
    pub fn aabb(&self) -> Aabb {
        let m = self.pose.matrix();
        let reach = m.x_axis.abs() * self.half_extents.x
            + m.y_axis.abs() * self.half_extents.y
            + m.z_axis.abs() * self.half_extents.z;
        let centre = self.pose.translation();
        Aabb { min: centre - reach, max: centre + reach }
    }

    /// Whether the closed box contains the point.
    pub fn contains(&self, point: Vec3) -> bool {
        self.pose.point_to_local(point).abs().cmple(self.half_extents).all()
    }

    /// Whether the closed boxes share a point, by the fifteen candidate separating axes of two boxes.
    pub fn overlaps(&self, other: &Self) -> bool {
        let relative = other.pose.relative_to(&self.pose);
        let (m, t) = (relative.matrix(), relative.translation());
        let columns = [m.x_axis, m.y_axis, m.z_axis];
        let own = [Vec3::X, Vec3::Y, Vec3::Z];
        let separates = |axis: Vec3| {
            let reach_own = axis.abs().dot(self.half_extents);
            let reach_other = Vec3::from_array(columns.map(|c| c.dot(axis).abs())).dot(other.half_extents);
            t.dot(axis).abs() > reach_own + reach_other
        };
        let crosses = own.into_iter().flat_map(|a| columns.into_iter().map(move |b| a.cross(b)));
        !own.into_iter().chain(columns).chain(crosses).any(separates)
    }
}
