//! The world's frame, in which casts compute, and the thickness of the zone there.

use glam::{DMat3, DVec3};

use super::answer::TrajectoryOptions;
use super::error::CastError;
use crate::math::{Mat3, Pose, Vec3, narrow, narrow_real, widen, widen_real};
use crate::tolerance::{LARGEST_ZONE, zone};

fn wide(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

/// The world's frame, and where the body is in it. Translations are subtracted first.
pub(super) struct Frame {
    pub turn: DMat3,
    pub shift: DVec3,
    world_turn: DMat3,
    world_shift: DVec3,
    far: f64,
}

impl Frame {
    pub fn new(world: &Pose, body: &Pose) -> Self {
        let world_turn = wide(world.matrix());
        let (to, from) = (widen(body.translation()), widen(world.translation()));
        let back = world_turn.transpose();
        let far = to.abs().max_element().max(from.abs().max_element());
        Self { turn: back * wide(body.matrix()), shift: back * (to - from), world_turn, world_shift: from, far }
    }

    pub fn direction_in(&self, v: Vec3) -> DVec3 {
        self.world_turn.transpose() * widen(v)
    }

    pub fn point_in(&self, p: Vec3) -> DVec3 {
        self.world_turn.transpose() * (widen(p) - self.world_shift)
    }

    pub fn direction_out(&self, v: DVec3) -> Vec3 {
        narrow(self.world_turn * v)
    }

    pub fn point_out(&self, p: DVec3) -> Vec3 {
        narrow(self.world_turn * p + self.world_shift)
    }

    /// The thickness of the zone for a way of the given length; an error if the body is not much larger than that.
    pub fn zone(&self, reach: f64, body: f64, way: f64, options: &TrajectoryOptions) -> Result<f64, CastError> {
        if !(options.zone >= 0.0 && options.zone.is_finite()) {
            return Err(CastError::Zone { zone: options.zone });
        }
        let local = narrow_real(reach + self.shift.length() + way);
        let derived = zone(local, narrow_real(self.far + way));
        if !derived.is_finite() {
            return Err(CastError::Range);
        }
        let radius = narrow_real(body);
        if derived > LARGEST_ZONE * radius && radius > 0.0 {
            return Err(CastError::TooLarge { zone: derived, radius });
        }
        Ok(widen_real(derived.max(options.zone)))
    }
}
