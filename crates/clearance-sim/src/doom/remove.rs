//! Bodies that are taken away.

use clearance::world::{BodyId, Filter};

use super::error::RoomError;
use super::room::Room;
use super::tolerance::CONTACT_ZONES;

impl Room {
    /// Removes a body, and with it the joints that it has. What rested on it wakes up, with all that rested on that.
    ///
    /// Links of a figure that are left stay one figure: they do not collide with each other, since they may be in each other where the
    /// body that is gone held them together.
    ///
    /// # Errors
    /// If there is no such body, or not any more.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_sim::doom::{NewMoving, Room, RoomOptions};
    /// let mut room = Room::new(RoomOptions::default())?;
    /// let floor = room.add_fixed(Shape::cuboid([5.0, 5.0, 0.5])?, Pose::from_translation([0.0, 0.0, -0.5])?)?;
    /// let cube = NewMoving::new(Shape::cuboid([0.5, 0.5, 0.5])?, Pose::from_translation([0.0, 0.0, 0.502])?, 1.0);
    /// let cube = room.add(cube)?;
    /// for _ in 0..120 {
    ///     room.step(1.0 / 60.0)?;
    /// }
    /// assert!(room.is_resting(cube)?);
    /// room.remove(floor)?;
    /// room.step(1.0 / 60.0)?;
    /// assert!(!room.is_resting(cube)? && room.pose(floor).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> Result<(), RoomError> {
        self.wake_around(id)?;
        self.world.remove(id)?;
        let index = id.index();
        for one in self.joints.iter().filter(|joint| joint.ids.contains(&id)).flat_map(|joint| joint.bodies()) {
            if let Some(Some(one)) = self.moving.get_mut(one) {
                (one.is_resting, one.slow) = (false, 0.0);
            }
        }
        self.joints.retain(|joint| !joint.ids.contains(&id));
        for contacts in [&mut self.contacts, &mut self.last] {
            contacts.retain(|contact| !contact.bodies.contains(&index));
        }
        if let Some(moving) = self.moving.get_mut(index) {
            *moving = None;
        }
        self.ids.retain(|&other| other != id);
        self.free.push(index);
        self.ceiling = None;
        Ok(())
    }

    /// Wakes what rests within the reach of contacts of a body, and what rests there of these.
    fn wake_around(&mut self, id: BodyId) -> Result<(), RoomError> {
        let (mut next, mut found) = (vec![id], Vec::new());
        while let Some(id) = next.pop() {
            let (body, pose) = (self.world.body(id)?.clone(), *self.world.pose(id)?);
            let near = body.padded(CONTACT_ZONES * self.options.zone).map_err(clearance::world::WorldError::from)?;
            self.world.overlapping(&near, &pose, &Filter::except(id), &mut found);
            for &other in &found {
                if let Some(Some(one)) = self.moving.get_mut(other.index())
                    && one.is_resting
                {
                    (one.is_resting, one.slow) = (false, 0.0);
                    next.push(other);
                }
            }
        }
        Ok(())
    }
}
