//! One step of a simulation.

use std::time::Instant;

use clearance::world::Group;
use clearance::{Quat, Vec3};

use crate::body::{BodyKind, Velocity};
use crate::error::SimError;
use crate::options::{SoftStep, Solver};
use crate::report::{Phases, StepReport};
use crate::simulation::{ASLEEP, AWAKE, Simulation};

impl Simulation {
    /// Simulates one step.
    ///
    /// # Errors
    /// If more boxes overlap than a world keeps pairs: then nothing has moved.
    ///
    /// ```
    /// # use clearance::{HalfSpace, Pose, Shape, Vec3};
    /// # use clearance_sim::{RigidBody, Simulation, SimulationOptions};
    /// # let mut simulation = Simulation::new(SimulationOptions::default())?;
    /// # simulation.add(RigidBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?;
    /// # simulation.add(RigidBody::dynamic(Shape::cuboid([0.5, 0.5, 0.5])?, Pose::from_translation([0.0, 0.0, 0.5])?))?;
    /// let report = simulation.step()?;
    /// assert_eq!((report.awake, report.pairs, report.points), (1, 1, 4));
    /// assert!(report.outside.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self) -> Result<StepReport, SimError> {
        match self.options.solver {
            Solver::SoftStep(soft) => self.soft_step(&soft),
            Solver::Thesis(thesis) => self.thesis_step(&thesis),
        }
    }

    fn soft_step(&mut self, soft: &SoftStep) -> Result<StepReport, SimError> {
        if self.is_still {
            self.steps += 1;
            return Ok(self.report());
        }
        let begin = Instant::now();
        self.tell_groups()?;
        self.collide()?;
        self.wake_touched();
        self.list_awake();
        let collided = Instant::now();
        let Self { bodies, awake, contacts, joints, options, .. } = self;
        self.soft.step(bodies, awake, contacts, joints, options, soft);
        let solved = Instant::now();
        let stopped = self.advance()?;
        if self.options.sleeping {
            let Self { bodies, awake, contacts, joints, .. } = self;
            self.islands.settle(bodies, awake, contacts, joints, self.options.step);
        }
        self.is_still = self.awake.is_empty() && self.islands.changed.is_empty();
        let mut report = self.report();
        report.stopped = stopped;
        report.phases = Phases { collide: collided - begin, solve: solved - collided, finish: solved.elapsed() };
        Ok(report)
    }

    /// Finds the contacts of the bodies as they are.
    pub(crate) fn collide(&mut self) -> Result<(), SimError> {
        let found = self.world.try_step()?;
        self.contacts.follow(&found, &self.bodies);
        Ok(())
    }

    /// Tells the world who sleeps.
    fn tell_groups(&mut self) -> Result<(), SimError> {
        for at in std::mem::take(&mut self.islands.changed) {
            let body = &self.bodies[at as usize];
            if let Some(id) = body.id {
                self.world.set_group(id, Group::new(if body.island.is_some() { ASLEEP } else { AWAKE })?)?;
            }
        }
        Ok(())
    }

    /// Wakes the islands that something awake has come upon.
    fn wake_touched(&mut self) {
        for at in 0..self.contacts.pairs.len() {
            let pair = self.contacts.pairs[at];
            for [one, other] in [pair.bodies, [pair.bodies[1], pair.bodies[0]]] {
                let [a, b] = [one, other].map(|body| &self.bodies[body as usize]);
                let stirs = a.is_awake() && (a.is_dynamic() || a.velocity != Velocity::default());
                let touches = || self.contacts.points[pair.range()].iter().any(|touch| touch.distance <= 0.0);
                if stirs && b.island.is_some() && touches() {
                    self.islands.wake(&mut self.bodies, other);
                }
            }
        }
    }

    pub(crate) fn list_awake(&mut self) {
        self.awake.clear();
        let all = self.bodies.iter().enumerate();
        self.awake.extend(all.filter(|(_, body)| body.is_awake()).map(|(at, _)| at as u32));
    }

    /// Moves the bodies to where the solver has brought them; how many were stopped on their way.
    fn advance(&mut self) -> Result<usize, SimError> {
        self.steps += 1;
        let stops = self.stops()?;
        if !stops.is_empty() {
            self.soft.hold_back(stops.iter().map(|(body, stop)| (*body, stop.share)));
        }
        for i in 0..self.awake.len() {
            let at = self.awake[i] as usize;
            let moved = self.soft.movers.displacements[at];
            self.bodies[at].velocity = self.soft.movers.velocities[at];
            self.put(at, moved.shift, moved.turn)?;
        }
        stops.iter().for_each(|(body, stop)| self.hit(*body as usize, stop));
        Ok(stops.len())
    }

    /// Moves a body, unless that takes it out of bounds or its numbers have left their range: then it is held.
    pub(crate) fn put(&mut self, at: usize, shift: Vec3, turn: Quat) -> Result<(), SimError> {
        let body = &mut self.bodies[at];
        let before = (body.center, body.rotation);
        body.center += shift;
        body.rotation = (turn * body.rotation).normalize();
        let pose = body.pose().ok().filter(|_| body.velocity.is_finite());
        let is_near = body.center.length() <= self.options.bounds;
        match (pose, body.id) {
            (Some(pose), Some(id)) => self.world.set_pose(id, pose)?,
            _ => (body.center, body.rotation) = before,
        }
        if pose.is_none() || !is_near {
            body.outside = true;
            body.velocity = Velocity::default();
        }
        Ok(())
    }

    pub(crate) fn report(&self) -> StepReport {
        let numbered = self.bodies.iter().enumerate();
        StepReport {
            outside: numbered.filter(|(_, body)| body.outside).map(|(at, _)| self.handle(at as u32)).collect(),
            pairs: self.contacts.pairs.len(),
            points: self.contacts.points.len(),
            awake: self.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic && body.is_awake()).count(),
            ..StepReport::default()
        }
    }
}
