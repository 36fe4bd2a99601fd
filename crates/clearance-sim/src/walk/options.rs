//! How a walker walks.

use clearance::world::Filter;
use clearance::{Real, Vec3};

use super::error::{WalkError, not_negative, positive};

/// How a walker walks: lengths in the units of the world, metres if not said otherwise.
///
/// ```
/// use clearance_sim::walk::Walk;
/// let metres = Walk::default();
/// assert!(metres.step_height == 0.4 && metres.skin == 0.02);
/// let map = Walk { step_height: 18.0, ..Walk::in_units(32.0) }; // 32 units are a metre
/// assert!(map.skin == 0.64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    /// The direction against gravity; of any length but zero.
    pub up: Vec3,
    /// The highest step that is climbed, above the last footing.
    pub step_height: Real,
    /// The steepest slope that can be stood on and climbed, in radians from level; above 0 and below a right angle.
    pub max_slope: Real,
    /// How far below its feet a walker on the ground looks for the ground, to follow steps and slopes downwards.
    pub snap: Real,
    /// The distance that is kept from everything.
    pub skin: Real,
    /// The bodies that are walked on and bumped into. All by default; the walker's own body, if the world has one, is left out here.
    pub filter: Filter,
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            up: Vec3::Z,
            step_height: 0.4,
            max_slope: Real::to_radians(50.0),
            snap: 0.4,
            skin: 0.02,
            filter: Filter::default(),
        }
    }
}

impl Walk {
    /// The default for a world in which so many units are a metre.
    pub fn in_units(per_metre: Real) -> Self {
        let Self { step_height, snap, skin, .. } = Self::default();
        Self { step_height: step_height * per_metre, snap: snap * per_metre, skin: skin * per_metre, ..Self::default() }
    }

    /// The same with an upward direction of length one, if all of it can be used.
    pub(super) fn checked(self) -> Result<Self, WalkError> {
        not_negative("step_height", self.step_height)?;
        not_negative("snap", self.snap)?;
        positive("skin", self.skin)?;
        positive("max_slope", self.max_slope)?;
        if self.max_slope.cos() <= 0.0 || self.max_slope > Real::to_radians(90.0) {
            let range = "below a right angle, in radians";
            return Err(WalkError::Number { name: "max_slope", value: self.max_slope, range });
        }
        let up = self.up.normalize_or_zero();
        if !self.up.is_finite() || up == Vec3::ZERO {
            let wants = "it must be a direction";
            return Err(WalkError::Vector { name: "up", value: self.up.to_array(), wants });
        }
        Ok(Self { up, ..self })
    }

    /// The part of a vector along the ground.
    pub(super) fn level(&self, v: Vec3) -> Vec3 {
        v - self.up * self.up.dot(v)
    }

    /// Whether a surface with this normal can be stood on.
    pub(super) fn is_walkable(&self, normal: Vec3) -> bool {
        normal.dot(self.up) >= self.max_slope.cos()
    }
}
