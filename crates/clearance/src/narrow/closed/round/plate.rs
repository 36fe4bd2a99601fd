//! Whether a box and an ellipsoid meet: by the point of the box nearest to the centre of the ellipsoid as the ellipsoid measures.
//!
//! That measure is √(vᵀQ⁻¹v). The point is found one coordinate after the other, each put where it is best within the box. Any point on
//! the way that is nearer than one is a common one; the direction Q⁻¹v may separate.

use super::{Lie, Round};
use crate::math::{Real, Vec3};
use crate::narrow::closed::symmetric::Symmetric;

/// Rounds through the coordinates; what is not decided by then is near to touching, or a thin ellipsoid.
const MOST_ROUNDS: u32 = 6;

impl Round {
    #[inline]
    pub(super) fn plate(&self, half: Vec3) -> Option<Lie> {
        let inverse = Vec3::ONE / self.radii;
        let measure = Symmetric::of_axes(&self.axes, inverse * inverse);
        let rows = measure.rows();
        let shares = Vec3::ONE / measure.diagonal;
        let mut point = self.between.clamp(-half, half);
        // The gradient at the point, kept up as coordinates change.
        let mut slope = measure.times(point - self.between);
        for _ in 0..MOST_ROUNDS {
            let away = self.between - point;
            let square = -slope.dot(away);
            if square <= 1.0 {
                return Some(Lie::Meeting(point, -slope));
            }
            let gap = half.dot(slope.abs()) + slope.dot(self.between);
            if gap < 0.0 && gap * gap > square {
                return Some(Lie::Apart(-slope));
            }
            for i in 0..3 {
                let best: Real = (point[i] - slope[i] * shares[i]).clamp(-half[i], half[i]);
                slope += rows[i] * (best - point[i]);
                point[i] = best;
            }
        }
        Some(Lie::Unclear(-slope))
    }
}
