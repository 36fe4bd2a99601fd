//! Contacts of bodies that rest on each other, and impulses that keep them from approaching.

use clearance::{Real, Vec3};

use super::error::RoomError;
use super::joint::Figures;
use super::mass::Moving;
use super::room::Room;
use super::tolerance::{SAME_CONTACT, SAME_NORMAL, WAKING};

/// A place where two bodies are as near as the expel zone. The normal is from the first to the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    pub bodies: [usize; 2],
    point: Vec3,
    normal: Vec3,
    /// How much nearer they may come.
    room: Real,
    friction: Real,
    /// What an impulse along the normal and along two directions across it does.
    axes: [(Vec3, Real); 3],
    impulses: [Real; 3],
}

impl Room {
    /// Finds the contacts of bodies that are awake, and wakes what they touch fast.
    pub(super) fn find_contacts(&mut self) -> Result<(), RoomError> {
        let Self { world, moving, contacts, last, options, .. } = self;
        std::mem::swap(contacts, last);
        contacts.clear();
        let step = world.try_step()?;
        for pair in step.contacts {
            let bodies = pair.bodies.map(|id| id.index());
            wake(moving, bodies, WAKING * options.rest_speed);
            if bodies.iter().all(|&body| awake(moving, body).is_none()) {
                continue;
            }
            let friction = bodies.map(|body| moving.get(body).and_then(Option::as_ref).map(|one| one.friction));
            let friction = match friction {
                [Some(a), Some(b)] => (a * b).sqrt(),
                // What is fixed is as rough as what touches it.
                [Some(one), None] | [None, Some(one)] => one,
                [None, None] => 0.0,
            };
            for found in pair.manifold.points.iter() {
                let point = found.points[0] + (found.points[1] - found.points[0]) * 0.5;
                let room = (found.distance - options.zone).max(0.0);
                let across = found.normal.any_orthonormal_vector();
                let axes = [found.normal, across, found.normal.cross(across)].map(|axis| (axis, 0.0));
                let mut contact =
                    Contact { bodies, point, normal: found.normal, room, friction, axes, impulses: [0.0; 3] };
                contact.continue_from(last, SAME_CONTACT * options.zone);
                contacts.push(contact);
            }
        }
        Ok(())
    }

    /// Solves for the impulses at contacts and joints. Each row takes as much kinetic energy away as it can by itself, and the joints of a
    /// figure are solved together, so that no pass adds energy.
    pub(super) fn solve(&mut self, dt: Real) {
        let Self { moving, contacts, joints, options, bounce, .. } = self;
        let bounce = *bounce;
        // What comes fast enough to bounce is a collision, which is for the move.
        contacts.retain(|contact| {
            let restitution = contact.bodies.iter().filter_map(|&body| moving.get(body)?.as_ref());
            let restitution = restitution.map(|one| one.restitution).fold(0.0, Real::max);
            restitution == 0.0 || approach(moving, contact) > -bounce
        });
        for contact in contacts.iter_mut() {
            contact.prepare(moving);
            for &body in &contact.bodies {
                if let Some(Some(one)) = moving.get_mut(body) {
                    one.has_met = true;
                }
            }
        }
        start(contacts, moving);
        let figures = Figures::new(joints, moving);
        for iteration in 0..options.iterations {
            // Upwards and downwards in turns: what a stack weighs gets through it in one pass.
            if iteration % 2 == 0 {
                contacts.iter_mut().for_each(|contact| contact.relax(moving, dt));
            } else {
                contacts.iter_mut().rev().for_each(|contact| contact.relax(moving, dt));
            }
            figures.relax(moving, |_| Vec3::ZERO);
        }
    }
}

impl Contact {
    /// Finds out what impulses do here.
    pub fn prepare(&mut self, moving: &[Option<Moving>]) {
        for (axis, inverse) in &mut self.axes {
            let responses = self.bodies.iter().filter_map(|&body| awake(moving, body));
            let response: Real = responses.map(|one| one.response(*axis, self.point)).sum();
            *inverse = if response > 0.0 { 1.0 / response } else { 0.0 };
        }
    }

    /// Takes the impulse of the last step where there was a contact of the same bodies at the same place.
    fn continue_from(&mut self, last: &[Self], near: Real) {
        let begin = last.partition_point(|old| old.bodies < self.bodies);
        let of_pair = last[begin..].iter().take_while(|old| old.bodies == self.bodies);
        let same = of_pair.filter(|old| old.normal.dot(self.normal) > SAME_NORMAL);
        let distance = |old: &Self| (old.point - self.point).length_squared();
        let nearest = same.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        if let Some(old) = nearest.filter(|old| distance(old) < near * near) {
            self.impulses[0] = old.impulses[0];
        }
    }

    /// Gives the impulse that the contact starts with.
    fn start(&self, moving: &mut [Option<Moving>]) {
        push_apart(moving, self.bodies, self.normal * self.impulses[0], self.point);
    }

    /// The same contact without friction.
    pub fn smooth(self) -> Self {
        Self { friction: 0.0, impulses: [0.0; 3], ..self }
    }

    /// The best impulses at this contact with all others as they are.
    pub fn relax(&mut self, moving: &mut [Option<Moving>], dt: Real) {
        for row in 0..3 {
            let (axis, inverse) = self.axes[row];
            let speed = relative(moving, self.bodies, self.point).dot(axis);
            let old = self.impulses[row];
            let new = if row == 0 {
                (old - inverse * (speed + self.room / dt)).max(0.0)
            } else {
                let most = self.friction * self.impulses[0];
                (old - inverse * speed).clamp(-most, most)
            };
            self.impulses[row] = new;
            push_apart(moving, self.bodies, axis * (new - old), self.point);
        }
    }
}

/// Gives the impulses that contacts start with, or none if that would add energy: a collision is over in the next step.
fn start(contacts: &mut [Contact], moving: &mut [Option<Moving>]) {
    let kinetic = |moving: &[Option<Moving>]| moving.iter().flatten().map(Moving::kinetic).sum::<Real>();
    let before = kinetic(moving);
    for contact in contacts.iter() {
        contact.start(moving);
    }
    if kinetic(moving) > before {
        for contact in contacts.iter_mut() {
            push_apart(moving, contact.bodies, contact.normal * -contact.impulses[0], contact.point);
            contact.impulses = [0.0; 3];
        }
    }
}

/// How fast the second body of a contact leaves the first; negative if it approaches.
fn approach(moving: &[Option<Moving>], contact: &Contact) -> Real {
    relative(moving, contact.bodies, contact.point).dot(contact.normal)
}

/// A body that moves and is not at rest.
pub(super) fn awake(moving: &[Option<Moving>], body: usize) -> Option<&Moving> {
    moving.get(body)?.as_ref().filter(|one| !one.is_resting)
}

/// The velocity of the second body relative to the first, at a point.
pub(super) fn relative(moving: &[Option<Moving>], bodies: [usize; 2], point: Vec3) -> Vec3 {
    let [a, b] = bodies.map(|body| awake(moving, body).map_or(Vec3::ZERO, |one| one.velocity_at(point)));
    b - a
}

/// Gives the second body an impulse at a point, and the first its opposite.
pub(super) fn push_apart(moving: &mut [Option<Moving>], bodies: [usize; 2], impulse: Vec3, point: Vec3) {
    for (body, impulse) in bodies.into_iter().zip([-impulse, impulse]) {
        if let Some(Some(one)) = moving.get_mut(body)
            && !one.is_resting
        {
            one.push(impulse, point);
        }
    }
}

/// Wakes a body that another one touches which is fast.
fn wake(moving: &mut [Option<Moving>], bodies: [usize; 2], speed: Real) {
    let is_fast = bodies.map(|body| awake(moving, body).is_some_and(|one| one.speed() > speed));
    for (body, is_touched) in bodies.into_iter().zip([is_fast[1], is_fast[0]]) {
        if let Some(Some(one)) = moving.get_mut(body)
            && is_touched
            && one.is_resting
        {
            (one.is_resting, one.slow) = (false, 0.0);
        }
    }
}
