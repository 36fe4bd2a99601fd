//! Fast bodies: their ways in a step are cast, so that they pass through nothing, and they are stopped and pushed back where they hit.

use clearance::world::{BodyId, Filter, Group};
use clearance::{Cache, Cast, CastOptions, Motion, Pose, Real, Shape, Start, Vec3};

use crate::body::{BodyKind, State, Velocity};
use crate::core::Core;
use crate::error::SimError;
use crate::options::Solver;
use crate::simulation::{ASLEEP, FIXED, KINEMATIC, Simulation};
use crate::tolerance::{AROUND_WAY, FAST_SHARE};

/// Where a body is stopped on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    /// The share of its way that is free.
    pub share: Real,
    /// What it hits there: the body, a point, and the normal out of it.
    hit: Option<(u32, Vec3, Vec3)>,
}

impl Simulation {
    /// The awake bodies that are stopped, and where.
    pub(crate) fn stops(&self) -> Result<Vec<(u32, Stop)>, SimError> {
        let is_fast = |&at: &u32| {
            let (body, moved) = (&self.bodies[at as usize], &self.soft.movers.displacements[at as usize]);
            // The sine of half the angle: the ends of a slender body may be fast where its middle is not.
            let turn = 2.0 * moved.turn.xyz().length() * if body.is_slender() { body.radius } else { 0.0 };
            body.is_dynamic() && moved.shift.length() + turn > FAST_SHARE * body.core
        };
        if !self.options.continuous {
            return Ok(Vec::new());
        }
        let fast: Vec<u32> = self.awake.iter().copied().filter(is_fast).collect();
        let stop = |&at: &u32| Ok(self.stop(at as usize)?.map(|stop| (at, stop)));
        let found: Result<Vec<_>, SimError> = {
            #[cfg(feature = "parallel")]
            {
                use rayon::prelude::*;
                if rayon::current_num_threads() > 1 {
                    fast.par_iter().map(stop).collect()
                } else {
                    fast.iter().map(stop).collect()
                }
            }
            #[cfg(not(feature = "parallel"))]
            fast.iter().map(stop).collect()
        };
        Ok(found?.into_iter().flatten().collect())
    }

    /// Where a fast body is stopped, by what is cast for it. A slender one is cast as it is; if it touches something already, which would
    /// hold it, by a smaller one inside of it; if that overlaps, as all others, by a ball.
    fn stop(&self, at: usize) -> Result<Option<Stop>, SimError> {
        let (body, moved) = (&self.bodies[at], &self.soft.movers.displacements[at]);
        let (Some(core), Some(id)) = (&self.cores[at], body.id) else { return Ok(None) };
        let Ok(start) = Pose::new(body.center, body.rotation) else { return Ok(None) };
        let resting = [FIXED, ASLEEP, KINEMATIC].map(Group::new).into_iter().collect::<Result<Vec<_>, _>>()?;
        let filter =
            if body.bullet { Filter::except(id) } else { Filter::groups(resting).without(body.held_by.unwrap_or(id)) };
        if self.is_free_around(body, core, moved.shift, &filter) {
            return Ok(None);
        }
        let (cache, options) = (&mut Cache::default(), CastOptions::default());
        if let Some([outer, inner]) = &core.turning {
            let motion = Motion::with_velocity(start, moved.shift, moved.turn.to_scaled_axis())?;
            for (shape, may_touch) in [(outer, false), (inner, true)] {
                // A world too large for a cast of edges and faces is left to the ball.
                let Ok(found) = self.world.cast(shape, &motion, cache, &options, &filter) else { break };
                let Some((other, cast)) = found else { return Ok(None) };
                if cast.start == Start::Apart || may_touch && cast.start == Start::Touching {
                    return Ok(Some(Stop::new(other, &cast)));
                }
            }
        }
        let motion = Motion::translation(start, moved.shift)?;
        let found = self.world.cast(&core.ball, &motion, cache, &options, &filter)?;
        Ok(found.map(|(other, cast)| Stop::new(other, &cast)))
    }

    /// Whether nothing that the filter admits is in a ball around the whole way of a body: most that fall meet nothing, and that costs
    /// much less to find out than a cast.
    fn is_free_around(&self, body: &State, core: &Core, shift: Vec3, filter: &Filter) -> bool {
        let radius = if core.turning.is_some() { body.radius } else { core.ball.radius() };
        let around = Shape::sphere((radius + 0.5 * shift.length()) * (1.0 + AROUND_WAY));
        let (Ok(around), Ok(middle)) = (around, Pose::from_translation(body.center + 0.5 * shift)) else {
            return false;
        };
        let mut found = Vec::new();
        self.world.overlapping(&around, &middle, filter, &mut found);
        found.is_empty()
    }

    /// Takes away the velocity with which a body that was stopped goes on into what it hit, or turns it back by the restitution. What
    /// hits a dynamic body has a contact with it in the next step, which moves both.
    pub(crate) fn hit(&mut self, at: usize, stop: &Stop) {
        let Some((other, point, normal)) = stop.hit else { return };
        let other = &self.bodies[other as usize];
        if other.kind == BodyKind::Dynamic {
            return;
        }
        let against = if other.kind == BodyKind::Kinematic { other.velocity } else { Velocity::default() };
        let (against, bounce) = (against.at(point - other.center), other.restitution);
        let body = &mut self.bodies[at];
        let (inertial, offset) = (body.inertial(), point - body.center);
        let speed = normal.dot(body.velocity.at(offset) - against);
        let slow = if let Solver::SoftStep(soft) = self.options.solver { soft.bounce_speed } else { 0.0 };
        let bounce = if -speed > slow { bounce.max(body.restitution) } else { 0.0 };
        let inverse = inertial.inverse_along(offset, normal);
        if speed < 0.0 && inverse > 0.0 {
            body.velocity.push(&inertial, offset, normal * (-(1.0 + bounce) * speed / inverse));
        }
    }
}

impl Stop {
    fn new(other: BodyId, cast: &Cast) -> Self {
        let hit = cast.hit.map(|hit| (other.index() as u32, hit.points[1], hit.normal));
        Self { share: cast.fraction, hit }
    }
}
