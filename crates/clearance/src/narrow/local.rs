//! The signed distance of two shapes on its way to an answer.

use super::witness::aligned;
use crate::answer::{Contact, End};
use crate::math::{Real, Vec3, length};
use crate::tolerance::STALL_SIGMAS;

/// The signed distance of two shapes in the frame of A, with points of the cores. Small, since it passes through several hands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    pub distance: Real,
    pub lower: Real,
    pub upper: Real,
    pub points: [Vec3; 2],
    pub normal: Vec3,
    pub end: End,
    pub iterations: u32,
}

impl Local {
    /// The answer with the nearest or deepest points, which differ by `difference`, the vector that the distance of the cores and the normal
    /// say. Points that do not are moved to where they do, and the bounds are no closer than the points are off their bodies then.
    #[inline]
    pub(super) fn with_points(mut self, points: [Vec3; 2], difference: Vec3, sigma: Real) -> Self {
        self.points = aligned(points, difference);
        let moved = length(self.points[0] - points[0]);
        if moved > STALL_SIGMAS * sigma + (self.upper - self.lower) {
            let lack = 0.5 * (moved - (self.upper - self.lower));
            (self.lower, self.upper) = (self.lower - lack, self.upper + lack);
        }
        self
    }

    /// Apart, touching or overlapping, given the error of the pair.
    #[inline]
    pub fn contact(&self, sigma: Real) -> Contact {
        Contact::of(self.distance, self.lower, sigma)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_moved_widen_the_bounds() {
        let local = Local {
            distance: -1.0,
            lower: -1.0,
            upper: -1.0,
            points: [Vec3::ZERO; 2],
            normal: Vec3::Z,
            end: End::Converged,
            iterations: 0,
        };
        let exact = local.with_points([Vec3::Z, Vec3::ZERO], -Vec3::Z, 1.0e-6);
        assert_eq!((exact.lower, exact.upper), (-1.0, -1.0));
        let beside = local.with_points([Vec3::Z, Vec3::X * 0.25], -Vec3::Z, 1.0e-6);
        assert_eq!(beside.points[1] - beside.points[0], -Vec3::Z);
        assert!((beside.upper - beside.lower - 0.125).abs() < 1.0e-6 && beside.lower < -1.0, "{beside:?}");
    }
}
