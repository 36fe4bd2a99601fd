//! Translations and rotations, and the body along them.

use glam::DVec3;

use super::surface::Placed;

/// A motion of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Along a straight line.
    Translation(DVec3),
    /// About an axis.
    Rotation {
        /// A point of the axis.
        origin: DVec3,
        /// Its direction, of any length.
        axis: DVec3,
        /// In radians, right-handed.
        angle: f64,
    },
}

impl Motion {
    /// Where a point that starts at `p`, relative to an origin, is at a share of the motion; rounded.
    pub fn moved(&self, p: DVec3, share: f64, origin: DVec3) -> DVec3 {
        match *self {
            Self::Translation(by) => p + by * share,
            Self::Rotation { origin: center, axis, angle } => {
                let k = axis.normalize();
                let sine = k.cross(p - (center - origin));
                let half = 0.5 * angle * share;
                p + sine * (2.0 * half.sin() * half.cos()) + k.cross(sine) * (2.0 * half.sin().powi(2))
            }
        }
    }

    /// The longest way of any of the points.
    pub fn length(&self, points: &[DVec3], origin: DVec3) -> f64 {
        match *self {
            Self::Translation(by) => by.length(),
            Self::Rotation { angle, .. } => angle.abs() * self.arm(points, origin),
        }
    }

    /// The largest distance of a point from the axis of a rotation; zero for a translation.
    pub fn arm(&self, points: &[DVec3], origin: DVec3) -> f64 {
        match *self {
            Self::Translation(_) => 0.0,
            Self::Rotation { origin: center, axis, .. } => {
                let k = axis.normalize();
                points.iter().map(|&p| k.cross(p - (center - origin)).length()).fold(0.0, f64::max)
            }
        }
    }

    /// Puts the body where it is at a share of the motion, given where its vertices start.
    pub fn place(&self, body: &mut Placed, start: &[DVec3], share: f64, origin: DVec3) {
        body.put(|i| self.moved(start[i], share, origin));
    }

    /// Whether it turns.
    pub fn turns(&self) -> bool {
        matches!(self, Self::Rotation { .. })
    }
}
