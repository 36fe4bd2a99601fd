//! An answer in the frame of A, in f64, on its way to the world.

use glam::DVec3;

use crate::answer::{Closest, Contact, End, Feature};
use crate::math::{Pose, Real, narrow, narrow_real, widen};

/// What is known of two bodies, in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    pub contact: Contact,
    pub distance: f64,
    pub lower: f64,
    pub upper: f64,
    pub points: [DVec3; 2],
    pub normal: DVec3,
    pub features: [Feature; 2],
    pub end: End,
    pub iterations: u32,
}

impl Local {
    /// The same seen from the other body, whose frame's pose in the first one's is not needed: points stay where they are.
    pub fn swapped(self) -> Self {
        let [a, b] = self.points;
        let [of_a, of_b] = self.features;
        Self { points: [b, a], normal: -self.normal, features: [of_b, of_a], ..self }
    }

    /// In world space, with the bounds rounded outwards.
    pub fn in_the_world(&self, pose_a: &Pose, sigma: Real) -> Closest {
        let turn = pose_a.matrix();
        let direction = |d: DVec3| widen(turn.x_axis) * d.x + widen(turn.y_axis) * d.y + widen(turn.z_axis) * d.z;
        let point = |p: DVec3| narrow(direction(p) + widen(pose_a.translation()));
        let slack = if size_of::<Real>() == size_of::<f64>() { 0.0 } else { sigma };
        Closest {
            distance: narrow_real(self.distance),
            lower: narrow_real(self.lower) - slack,
            upper: narrow_real(self.upper) + slack,
            points: self.points.map(point),
            normal: narrow(direction(self.normal)),
            features: self.features,
            contact: self.contact,
            end: self.end,
            iterations: self.iterations,
        }
    }
}
