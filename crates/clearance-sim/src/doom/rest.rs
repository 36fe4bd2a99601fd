//! Bodies come to rest with all that they touch.

use clearance::{Real, Vec3};

use super::room::Room;

impl Room {
    /// Counts for how long bodies have been slow, and puts to rest those that were for long enough, if everything that they touch was too.
    pub(super) fn rest(&mut self, dt: Real) {
        let Self { moving, contacts, joints, options, .. } = self;
        for one in moving.iter_mut().flatten().filter(|one| !one.is_resting) {
            let is_held = one.has_met || one.figure.is_some();
            one.slow = if is_held && one.speed() < options.rest_speed { one.slow + dt } else { 0.0 };
        }
        // The least time of all bodies that are connected, by passing it on until nothing changes.
        let mut times: Vec<Real> = moving
            .iter()
            .map(|one| one.as_ref().filter(|one| !one.is_resting).map_or(Real::INFINITY, |one| one.slow))
            .collect();
        let links = contacts.iter().map(|contact| contact.bodies).chain(joints.iter().map(|joint| joint.bodies()));
        let links: Vec<[usize; 2]> = links
            .filter(|pair| {
                pair.iter()
                    .all(|&body| moving.get(body).is_some_and(|one| one.as_ref().is_some_and(|one| !one.is_resting)))
            })
            .collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &[a, b] in &links {
                let least = times[a].min(times[b]);
                is_changed |= times[a] != least || times[b] != least;
                (times[a], times[b]) = (least, least);
            }
        }
        for (one, time) in moving.iter_mut().zip(times) {
            if let Some(one) = one.as_mut().filter(|one| !one.is_resting)
                && time >= options.rest_time
            {
                (one.is_resting, one.velocity, one.angular) = (true, Vec3::ZERO, Vec3::ZERO);
            }
        }
    }

    /// Stops the bodies that have left the room; gives how many are outside.
    pub(super) fn stop_outside(&mut self) -> u32 {
        let reach = self.options.reach;
        let mut count = 0;
        for one in self.moving.iter_mut().flatten().filter(|one| !(one.center().length() <= reach)) {
            (one.is_resting, one.velocity, one.angular) = (true, Vec3::ZERO, Vec3::ZERO);
            count += 1;
        }
        count
    }
}
