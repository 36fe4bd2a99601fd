//! A walker that changes its shape where there is room.

use clearance::{Real, Shape};

use super::around::Mover;
use super::error::WalkError;
use super::tolerance::PLANE;

impl<'a> Mover<'a> {
    /// Takes another shape with its feet where they are, if there is room for it; says whether it has.
    pub fn take_shape(&mut self, shape: &'a Shape) -> Result<bool, WalkError> {
        let (old, at, feet) = (self.shape, self.at, self.feet());
        self.shape = shape;
        let rise = self.feet() - feet;
        self.advance(self.walk.up * rise)?;
        self.measure();
        let mut least = Real::INFINITY;
        self.each_distance(|_, near| least = least.min(near.distance))?;
        let has_room = least >= (1.0 - 2.0 * PLANE) * self.walk.skin;
        if !has_room {
            (self.shape, self.at) = (old, at);
            self.measure();
        }
        Ok(has_room)
    }
}
