//! Bodies that are taken away.

use clearance::world::BodyId;

use crate::body::BodyHandle;
use crate::error::SimError;
use crate::simulation::Simulation;

impl Simulation {
    /// Removes a body, and with it the joints that it has. What it touched and was joined to wakes up.
    ///
    /// Its handle and those of its joints are errors from now on, and name nothing else ever; its number goes to a body that is added
    /// later, under another handle. All other handles stay as they are.
    ///
    /// # Errors
    /// If there is no such body, or not any more.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_sim::{RigidBody, SimError, Simulation, SimulationOptions};
    /// let mut simulation = Simulation::new(SimulationOptions::default())?;
    /// let cube = Shape::cuboid([0.5, 0.5, 0.5])?;
    /// let first = simulation.add(RigidBody::dynamic(cube.clone(), Pose::IDENTITY))?;
    /// simulation.remove(first)?;
    /// let second = simulation.add(RigidBody::dynamic(cube, Pose::IDENTITY))?;
    /// assert!(first.index() == second.index() && first != second);
    /// assert_eq!(simulation.pose(first), Err(SimError::UnknownBody { body: 0 }));
    /// assert_eq!(simulation.remove(first), Err(SimError::UnknownBody { body: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, body: BodyHandle) -> Result<(), SimError> {
        let id = self.state(body)?.id.ok_or(SimError::UnknownBody { body: body.index() })?;
        self.wake_around(body.number);
        self.world.remove(id)?;
        self.joints.retain(|joint| !joint.bodies.contains(&body.number));
        self.contacts.forget(body.number);
        self.islands.forget(body.number);
        self.thesis.forget(body.index());
        self.cores[body.index()] = None;
        if self.bodies[body.index()].vacate() {
            self.free.push(body.number);
        }
        self.let_go(id);
        Ok(())
    }

    /// What was held by a body that is gone is held by the next one that it is joined to, if there is one.
    fn let_go(&mut self, id: BodyId) {
        for at in 0..self.bodies.len() {
            if self.bodies[at].held_by == Some(id) {
                let holder = |bodies: [u32; 2]| {
                    let other = bodies.into_iter().find(|&other| other as usize != at)?;
                    let other = self.bodies.get(other as usize).filter(|other| !other.is_dynamic())?;
                    other.id
                };
                let of_body = self.joints.iter().rev().filter(|joint| joint.bodies.contains(&(at as u32)));
                let held_by = of_body.filter(|joint| !joint.collide).find_map(|joint| holder(joint.bodies));
                self.bodies[at].held_by = held_by;
            }
        }
    }
}
