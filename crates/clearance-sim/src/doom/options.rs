//! What a room is like.

use clearance::{Real, Vec3};

use super::error::RoomError;

/// What a room is like: metres, seconds, kilograms if not said otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoomOptions {
    /// The acceleration of all bodies.
    pub gravity: Vec3,
    /// The thickness of the expel zone: how far bodies stop from each other. What the arithmetic needs is used if that is more.
    pub zone: Real,
    /// Bodies farther from the origin than this are outside: they stop there, and steps tell how many there are.
    pub reach: Real,
    /// The longest time in which bodies are moved once. A longer step is divided: bodies that wait for others to get out of their way, and
    /// these for their turn, lose time. Above zero; infinite never divides.
    pub longest_step: Real,
    /// Passes over all contacts in one step.
    pub iterations: u32,
    /// Bodies slower than this, at every point, come to rest.
    pub rest_speed: Real,
    /// For how long they must have been that slow.
    pub rest_time: Real,
    /// The rate, in shares of a second, at which bodies that touch others lose their velocities: what rolls would never come to rest.
    pub drag: Real,
    /// Collisions slower than this do not bounce, nor those that gravity brings about in a few steps.
    pub bounce_speed: Real,
}

impl Default for RoomOptions {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            zone: 0.001,
            reach: 10_000.0,
            longest_step: 1.0 / 120.0,
            iterations: 24,
            rest_speed: 0.05,
            rest_time: 0.5,
            drag: 1.0,
            bounce_speed: 0.5,
        }
    }
}

impl RoomOptions {
    pub(super) fn checked(self) -> Result<Self, RoomError> {
        let speeds = [("rest_speed", self.rest_speed), ("bounce_speed", self.bounce_speed)];
        let lengths = [("zone", self.zone), ("rest_time", self.rest_time), ("gravity", self.gravity.length())];
        for (name, value) in speeds.into_iter().chain(lengths).chain([("drag", self.drag), ("reach", self.reach)]) {
            if !(value.is_finite() && value >= 0.0) {
                return Err(RoomError::Option { name, value });
            }
        }
        if !(self.longest_step > 0.0) {
            return Err(RoomError::Option { name: "longest_step", value: self.longest_step });
        }
        Ok(self)
    }
}
