//! What may be asked of a cast of bodies.

use super::super::polyhedra::CastError;
use crate::math::Real;
use crate::tolerance::CAST_TOLERANCE;

/// What to ask of a cast of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastOptions {
    /// The distance to be kept: the motion ends where the bodies come as near as this. Not negative; zero asks for contact.
    pub clearance: Real,
    /// The thickness of the expel zone of casts by trajectories; the least that the arithmetic needs is used if that is more.
    pub zone: Real,
    /// Look whether the bodies overlap at the start.
    pub check_start: bool,
    /// How near bodies come that are cast by advancement, relative to the sum of their bounding radii.
    pub tolerance: Real,
}

impl Default for CastOptions {
    fn default() -> Self {
        Self { clearance: 0.0, zone: 0.0, check_start: true, tolerance: CAST_TOLERANCE }
    }
}

impl CastOptions {
    /// Refuses distances that are none.
    pub(super) fn check(&self) -> Result<(), CastError> {
        for distance in [self.clearance, self.zone] {
            if !(distance >= 0.0 && distance.is_finite()) {
                return Err(if distance == self.clearance {
                    CastError::Distance { distance }
                } else {
                    CastError::Zone { zone: distance }
                });
            }
        }
        Ok(())
    }
}
