//! One step of a simulation.

use std::time::Instant;

use clearance::world::{Filter, Group};
use clearance::{Cache, CastOptions, Motion, Pose, Quat, Real, Vec3};

use crate::body::{BodyHandle, BodyKind, Velocity};
use crate::error::SimError;
use crate::options::{SoftStep, Solver};
use crate::report::{Phases, StepReport};
use crate::simulation::{ASLEEP, AWAKE, FIXED, KINEMATIC, Simulation};
use crate::tolerance::FAST_SHARE;

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
        let mut report = self.report();
        report.stopped = stopped;
        report.phases =
            Phases { collide: collided - begin, solve: solved - collided, finish: solved.elapsed() };
        Ok(report)
    }

    /// Finds the contacts of the bodies as they are.
    pub(crate) fn collide(&mut self) -> Result<(), SimError> {
        let found = self.world.try_step()?;
        self.contacts.follow(found.contacts, &self.bodies);
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
        let shares = self.free_shares()?;
        let mut stopped = 0;
        for i in 0..self.awake.len() {
            let at = self.awake[i] as usize;
            let (velocity, moved) = (self.soft.movers.velocities[at], self.soft.movers.displacements[at]);
            let free = shares.get(i).copied().unwrap_or(1.0);
            stopped += usize::from(free < 1.0);
            let turn = if free < 1.0 { Quat::IDENTITY.lerp(moved.turn, free) } else { moved.turn };
            self.bodies[at].velocity = velocity;
            self.put(at, moved.shift * free, turn)?;
        }
        Ok(stopped)
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

    /// The share of its way that each awake body may go; empty if all may go on.
    fn free_shares(&self) -> Result<Vec<Real>, SimError> {
        let shift = |at: usize| self.soft.movers.displacements[at].shift;
        let is_fast = |&at: &u32| shift(at as usize).length() > FAST_SHARE * self.bodies[at as usize].core;
        let moves = |&at: &u32| self.bodies[at as usize].is_dynamic() && is_fast(&at);
        if !self.options.continuous || !self.awake.iter().any(moves) {
            return Ok(Vec::new());
        }
        let share = |at: &u32| if moves(at) { self.free_share(*at as usize, shift(*at as usize)) } else { Ok(1.0) };
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            return self.awake.par_iter().map(share).collect();
        }
        self.awake.iter().map(share).collect()
    }

    /// The share of its way that a fast body may go before the middle of it meets something.
    fn free_share(&self, at: usize, shift: Vec3) -> Result<Real, SimError> {
        let body = &self.bodies[at];
        let (Some(core), Some(id), Ok(start)) = (&self.cores[at], body.id, Pose::from_translation(body.center)) else {
            return Ok(1.0);
        };
        let motion = Motion::translation(start, shift)?;
        let resting = [FIXED, ASLEEP, KINEMATIC].map(Group::new).into_iter().collect::<Result<Vec<_>, _>>()?;
        let filter = if body.bullet { Filter::except(id) } else { Filter::groups(resting).without(id) };
        let found = self.world.cast(core, &motion, &mut Cache::default(), &CastOptions::default(), &filter)?;
        Ok(found.map_or(1.0, |(_, cast)| cast.fraction))
    }

    pub(crate) fn report(&self) -> StepReport {
        let numbered = self.bodies.iter().enumerate();
        StepReport {
            outside: numbered
                .filter(|(_, body)| body.outside)
                .map(|(at, _)| BodyHandle(at as u32))
                .collect(),
            pairs: self.contacts.pairs.len(),
            points: self.contacts.points.len(),
            awake: self.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic && body.is_awake()).count(),
            ..StepReport::default()
        }
    }
}
