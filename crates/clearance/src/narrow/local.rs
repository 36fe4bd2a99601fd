//! The signed distance of two shapes on its way to an answer.

use crate::answer::{Contact, End};
use crate::math::{Real, Vec3};

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
    /// Apart, touching or overlapping, given the error of the pair.
    #[inline]
    pub fn contact(&self, sigma: Real) -> Contact {
        Contact::of(self.distance, self.lower, sigma)
    }
}
