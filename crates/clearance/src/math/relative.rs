//! One body seen from the frame of another: the frame, the size and the error of a pair, in one place.
//!
//! Translations are subtracted before anything is turned, so that nothing depends on how far both bodies are from the origin. The size
//! is what every error bound of a pair is relative to: both bounding radii and the sum of the components of the vector between the
//! origins. That sum is never less than the vector's length and never more than 1.74 times it, whichever frame it is taken in.

use glam::DVec3;

use super::{Mat3, Pose, Real, Vec3, narrow, widen};
use crate::tolerance::{TOUCHING_SIGMAS, sigma};

/// The size of a pair of bodies with these bounding radii and this vector between their origins, seen from any frame.
#[inline]
pub fn pair_size(radii: [Real; 2], between: Vec3) -> Real {
    radii[0] + radii[1] + between.abs().element_sum()
}

/// The second body of a pair in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// From the frame of B to that of A.
    pub rotation: Mat3,
    /// The origin of B in the frame of A.
    pub translation: Vec3,
    /// The size of the pair.
    pub size: Real,
}

impl Relative {
    /// Two bodies with these bounding radii at these poses.
    #[inline]
    pub fn new(radii: [Real; 2], pose_a: &Pose, pose_b: &Pose) -> Self {
        let (of_a, of_b) = (pose_a.matrix(), pose_b.matrix());
        // In f64 in both builds, so that single precision rounds each number once.
        let axes = [of_a.x_axis, of_a.y_axis, of_a.z_axis].map(widen);
        let to_a = |v: DVec3| narrow(DVec3::new(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v)));
        let rotation = Mat3::from_cols(to_a(widen(of_b.x_axis)), to_a(widen(of_b.y_axis)), to_a(widen(of_b.z_axis)));
        let translation = to_a(widen(pose_b.translation()) - widen(pose_a.translation()));
        Self { rotation, translation, size: pair_size(radii, translation) }
    }

    /// The error of a support value of the pair: distances below it are rounding.
    #[inline]
    pub fn sigma(&self) -> Real {
        sigma(self.size)
    }

    /// How deep bodies may be inside each other and still only touch.
    #[inline]
    pub fn touching(&self) -> Real {
        TOUCHING_SIGMAS * self.sigma()
    }

    /// A point of B's frame in that of A.
    #[inline]
    pub fn point(&self, of_b: Vec3) -> Vec3 {
        self.rotation * of_b + self.translation
    }

    /// A direction of A's frame in that of B.
    #[inline]
    pub fn to_b(&self, direction: Vec3) -> Vec3 {
        let r = &self.rotation;
        Vec3::new(r.x_axis.dot(direction), r.y_axis.dot(direction), r.z_axis.dot(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relative_pair_is_the_relative_pose() {
        let [a, b] = [[1.0, -2.0, 3.0], [-4.0, 0.5, 2.0]].map(Vec3::from);
        let quarter = [0.0, 0.0, 0.5, 0.5].map(Real::sqrt);
        let pose_a = Pose::new(a, quarter).expect("a pose");
        let pose_b = Pose::new(b, [0.6, 0.0, 0.8, 0.0]).expect("a pose");
        let relative = Relative::new([1.0, 2.0], &pose_a, &pose_b);
        let pose = pose_b.relative_to(&pose_a);
        assert!((relative.point(Vec3::X) - pose.point(Vec3::X)).length() < relative.sigma());
        assert!((relative.to_b(Vec3::Y) - pose.direction_to_local(Vec3::Y)).length() < relative.sigma());
        assert!(relative.size >= 3.0 + (b - a).length() && relative.size <= 3.0 + 1.74 * (b - a).length());
        assert_eq!(relative.touching(), TOUCHING_SIGMAS * relative.sigma());
    }
}
