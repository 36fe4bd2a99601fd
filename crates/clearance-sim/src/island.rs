//! Islands: bodies that touch each other or are joined, which fall asleep and wake up together.

use clearance::Real;

use crate::body::{State, Velocity};
use crate::contact::Contacts;
use crate::joint::JointState;
use crate::tolerance::CALM_TIME;

/// The islands that sleep, and memory for finding those that are awake.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    /// The bodies of each sleeping island; empty where one has woken up.
    sleeping: Vec<Vec<u32>>,
    free: Vec<u32>,
    parents: Vec<u32>,
    /// The shortest time for which a body of the island with this root has been calm.
    calm: Vec<Real>,
    names: Vec<Option<u32>>,
    /// Bodies that have fallen asleep or woken up.
    pub changed: Vec<u32>,
}

impl Islands {
    /// Wakes the island of a body.
    pub fn wake(&mut self, bodies: &mut [State], body: u32) {
        bodies[body as usize].calm = 0.0;
        let Some(island) = bodies[body as usize].island else { return };
        for member in std::mem::take(&mut self.sleeping[island as usize]) {
            (bodies[member as usize].island, bodies[member as usize].calm) = (None, 0.0);
            self.changed.push(member);
        }
        self.free.push(island);
    }

    /// Forgets that a body has woken up, which is awake and is about to be removed.
    pub fn forget(&mut self, body: u32) {
        self.changed.retain(|&changed| changed != body);
    }

    /// Puts the islands to sleep of which all bodies have been calm for long enough.
    pub fn settle(
        &mut self,
        bodies: &mut [State],
        awake: &[u32],
        contacts: &Contacts,
        joints: &[JointState],
        step: Real,
    ) {
        self.parents.clear();
        self.parents.extend(0..bodies.len() as u32);
        let is_awake = |body: &State| body.is_dynamic() && body.is_awake();
        for pair in contacts.pairs.iter() {
            let touches = || contacts.points[pair.range()].iter().any(|touch| touch.impulse > 0.0);
            if pair.bodies.iter().all(|&body| is_awake(&bodies[body as usize])) && touches() {
                self.join(pair.bodies);
            }
        }
        for joint in joints {
            if joint.bodies.iter().all(|&body| is_awake(&bodies[body as usize])) {
                self.join(joint.bodies);
            }
        }
        self.calm.clear();
        self.calm.resize(bodies.len(), Real::INFINITY);
        for &at in awake {
            let body = &mut bodies[at as usize];
            if !is_awake(body) {
                continue;
            }
            body.calm_down(step);
            let (calm, root) = (body.calm, self.root(at) as usize);
            self.calm[root] = self.calm[root].min(calm);
        }
        self.keep_awake_by_kinematic(bodies, contacts, joints);
        self.put_to_sleep(bodies, awake);
    }

    /// What touches a moving kinematic body stays awake.
    fn keep_awake_by_kinematic(&mut self, bodies: &[State], contacts: &Contacts, joints: &[JointState]) {
        let moves = |body: u32| {
            let body = &bodies[body as usize];
            !body.is_dynamic() && body.velocity != Velocity::default()
        };
        let pairs = contacts.pairs.iter().map(|pair| pair.bodies).chain(joints.iter().map(|joint| joint.bodies));
        for [a, b] in pairs {
            for (mover, other) in [(a, b), (b, a)] {
                if moves(mover) {
                    let root = self.root(other) as usize;
                    self.calm[root] = 0.0;
                }
            }
        }
    }

    fn put_to_sleep(&mut self, bodies: &mut [State], awake: &[u32]) {
        self.names.clear();
        self.names.resize(bodies.len(), None);
        for &at in awake {
            let root = self.root(at) as usize;
            if !bodies[at as usize].is_dynamic() || bodies[at as usize].outside || self.calm[root] < CALM_TIME {
                continue;
            }
            let island = match self.names[root] {
                Some(island) => island,
                None => {
                    let island = self.free.pop().unwrap_or_else(|| {
                        self.sleeping.push(Vec::new());
                        self.sleeping.len() as u32 - 1
                    });
                    self.names[root] = Some(island);
                    island
                }
            };
            self.sleeping[island as usize].push(at);
            let body = &mut bodies[at as usize];
            (body.island, body.velocity) = (Some(island), Velocity::default());
            self.changed.push(at);
        }
    }

    fn join(&mut self, [a, b]: [u32; 2]) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower number is the root: the same islands whatever the order.
        self.parents[a.max(b) as usize] = a.min(b);
    }

    fn root(&mut self, mut body: u32) -> u32 {
        while self.parents[body as usize] != body {
            let parent = self.parents[body as usize];
            self.parents[body as usize] = self.parents[parent as usize];
            body = parent;
        }
        body
    }
}
