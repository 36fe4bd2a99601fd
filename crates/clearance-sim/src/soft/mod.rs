//! The soft-step solver: sub-steps of one iteration each on contacts and joints that are stiff, heavily damped springs, followed by
//! an iteration without springs that removes the velocity which these have added.
//!
//! Contacts begin with the impulses of the last step. They are solved colour by colour, so that the result does not depend on the
//! number of threads. Restitution has a pass of its own after all sub-steps, since the springs would swallow it.

pub(crate) mod colour;
pub(crate) mod contact;
pub(crate) mod joint;
pub(crate) mod motion;
mod softness;

use clearance::Vec3;

use self::colour::{Colouring, Planned};
use self::contact::{ContactConstraint, POINTS, Pass, Surface};
use self::joint::JointConstraint;
use self::motion::Movers;
use self::softness::Softness;
use crate::body::{State, Velocity};
use crate::contact::Contacts;
use crate::joint::JointState;
use crate::options::{SimulationOptions, SoftStep};
use crate::tolerance::{JOINT_ERROR, PATCH_SHARE};

/// The most rounds over the joints that are projected after a step.
const PROJECTIONS: u32 = 32;
/// Constraints of one colour that are worth sharing among threads.
#[cfg(feature = "parallel")]
const SHARED: usize = 128;
/// Constraints that one thread takes at a time.
#[cfg(feature = "parallel")]
const CHUNK: usize = 32;

/// What the solver keeps from step to step: memory only.
#[derive(Debug, Default)]
pub(crate) struct SoftSolver {
    pub movers: Movers,
    planned: Vec<Planned>,
    colouring: Colouring,
    constraints: Vec<ContactConstraint>,
    joints: Vec<JointConstraint>,
    shares: Vec<clearance::Real>,
}

/// The sub-steps of one step.
struct Plan {
    h: clearance::Real,
    gravity: Vec3,
    joint: Softness,
    joint_iterations: u32,
    biased: Pass,
    relaxed: Pass,
}

impl SoftSolver {
    /// Velocities and displacements of the awake bodies after one step, in `movers`; the impulses go to the contacts and joints.
    pub fn step(
        &mut self,
        bodies: &[State],
        awake: &[u32],
        contacts: &mut Contacts,
        joints: &mut [JointState],
        options: &SimulationOptions,
        soft: &SoftStep,
    ) {
        let h = options.step / soft.sub_steps as clearance::Real;
        let per_second = 1.0 / h;
        let biased = Pass { use_bias: true, per_second, push_speed: soft.push_speed };
        let hertz = |wanted: clearance::Real| wanted.min(0.25 * per_second);
        let plan = Plan {
            h,
            gravity: options.gravity,
            joint: Softness::new(hertz(soft.joint_hertz), soft.joint_damping, h),
            joint_iterations: soft.joint_iterations,
            biased,
            relaxed: Pass { use_bias: false, ..biased },
        };
        let contact = |factor| Softness::new(hertz(soft.contact_hertz * factor), soft.contact_damping, h);
        self.movers.begin(bodies);
        self.prepare(bodies, contacts, joints, [contact(1.0), contact(2.0)]);
        for _ in 0..soft.sub_steps {
            self.sub_step(bodies, awake, &plan);
        }
        self.bounce(soft.bounce_speed);
        self.project_joints();
        self.constraints.iter().for_each(|constraint| constraint.store(&mut contacts.points));
        self.joints.iter().for_each(|joint| joint.store(&mut joints[joint.number as usize]));
    }

    /// Makes the constraints, in the order in which they are solved. Contacts with what nothing moves are stiffer.
    fn prepare(&mut self, bodies: &[State], contacts: &Contacts, joints: &[JointState], soft: [Softness; 2]) {
        let movable = |body: u32| self.movers.inertials[body as usize].inverse_mass > 0.0;
        self.planned.clear();
        for (number, pair) in contacts.pairs.iter().enumerate() {
            if pair.bodies.iter().any(|&body| movable(body)) {
                let starts = (0..pair.count).step_by(POINTS);
                let count = |start: u32| (pair.count - start).min(POINTS as u32);
                self.planned.extend(starts.map(|start| Planned::new(number as u32, pair.first + start, count(start))));
            }
        }
        self.colouring.sort(&mut self.planned, bodies.len(), |plan| {
            contacts.pairs[plan.pair as usize].bodies.map(|body| Some(body).filter(|&body| movable(body)))
        });
        self.constraints.clear();
        let movers = &self.movers;
        self.constraints.extend(self.planned.iter().map(|plan| {
            let pair = contacts.pairs[plan.pair as usize].bodies;
            let at = pair.map(|body| body as usize);
            let [a, b] = at.map(|body| &bodies[body]);
            let is_single = contacts.pairs[plan.pair as usize].count == 1;
            let both = pair.iter().all(|&body| movers.inertials[body as usize].inverse_mass > 0.0);
            let surface = Surface {
                friction: (a.friction * b.friction).sqrt(),
                restitution: a.restitution.max(b.restitution),
                softness: soft[usize::from(!both)],
                patch: if is_single { PATCH_SHARE * a.radius.min(b.radius) } else { 0.0 },
            };
            let points = &contacts.points[plan.first as usize..(plan.first + plan.count) as usize];
            let velocities = at.map(|body| &movers.velocities[body]);
            let inertials = at.map(|body| &movers.inertials[body]);
            ContactConstraint::new(pair, [a.center, b.center], points, plan.first, &surface, velocities, inertials)
        }));
        self.joints.clear();
        for (number, joint) in joints.iter().enumerate() {
            if joint.bodies.iter().any(|&body| movable(body)) {
                let pair = joint.bodies.map(|body| &bodies[body as usize]);
                self.joints.push(JointConstraint::new(number as u32, joint, pair));
            }
        }
    }

    fn sub_step(&mut self, bodies: &[State], awake: &[u32], plan: &Plan) {
        self.movers.accelerate(bodies, awake, plan.gravity, plan.h);
        let Movers { velocities, displacements, inertials } = &mut self.movers;
        for joint in &mut self.joints {
            let (mut pair, at) = (load(velocities, joint.bodies), joint.bodies.map(|body| body as usize));
            joint.warm_start(&mut pair, at.map(|at| &inertials[at]), at.map(|at| &displacements[at]));
            store(velocities, joint.bodies, pair);
        }
        run(&mut self.constraints, &self.colouring.ends, velocities, &|constraint, pair| {
            let at = constraint.bodies.map(|body| body as usize);
            constraint.warm_start(pair, at.map(|at| &inertials[at]));
        });
        self.solve(plan, &plan.biased);
        self.movers.advance(bodies, awake, plan.h);
        self.solve(plan, &plan.relaxed);
    }

    /// One iteration over joints and contacts.
    fn solve(&mut self, plan: &Plan, pass: &Pass) {
        let Movers { velocities, displacements, inertials } = &mut self.movers;
        for _ in 0..plan.joint_iterations {
            for joint in &mut self.joints {
                let (mut pair, at) = (load(velocities, joint.bodies), joint.bodies.map(|body| body as usize));
                let (inertials, displacements) = (at.map(|at| &inertials[at]), at.map(|at| &displacements[at]));
                joint.solve(&mut pair, inertials, displacements, &plan.joint, pass);
                store(velocities, joint.bodies, pair);
            }
        }
        run(&mut self.constraints, &self.colouring.ends, velocities, &|constraint, pair| {
            let at = constraint.bodies.map(|body| body as usize);
            constraint.solve(pair, at.map(|at| &inertials[at]), at.map(|at| &displacements[at]), pass);
        });
    }

    /// Lets some bodies go only a share of their way, and what is joined to them no farther.
    pub fn hold_back(&mut self, shares: impl Iterator<Item = (u32, clearance::Real)>) {
        self.shares.clear();
        self.shares.resize(self.movers.displacements.len(), 1.0);
        shares.for_each(|(body, share)| self.shares[body as usize] = share);
        for _ in 0..self.joints.len() {
            let mut changed = false;
            for joint in &self.joints {
                let [a, b] = joint.bodies.map(|body| body as usize);
                let movable = |body: usize| self.movers.inertials[body].inverse_mass > 0.0;
                if movable(a) && movable(b) && self.shares[a] != self.shares[b] {
                    let least = self.shares[a].min(self.shares[b]);
                    (self.shares[a], self.shares[b], changed) = (least, least, true);
                }
            }
            if !changed {
                break;
            }
        }
        for (moved, &share) in self.movers.displacements.iter_mut().zip(&self.shares).filter(|(_, share)| **share < 1.0)
        {
            *moved = moved.cut(share);
        }
        self.project_joints();
    }

    /// Brings the anchors of joints together where the springs have left them apart.
    fn project_joints(&mut self) {
        let Movers { displacements, inertials, .. } = &mut self.movers;
        for _ in 0..PROJECTIONS {
            let mut worst: clearance::Real = 0.0;
            for joint in &self.joints {
                let at = joint.bodies.map(|body| body as usize);
                let mut pair = at.map(|body| displacements[body]);
                worst = worst.max(joint.project(&mut pair, at.map(|body| &inertials[body])));
                at.into_iter().zip(pair).for_each(|(body, moved)| displacements[body] = moved);
            }
            if worst <= JOINT_ERROR {
                break;
            }
        }
    }

    fn bounce(&mut self, least: clearance::Real) {
        if !self.constraints.iter().any(ContactConstraint::can_bounce) {
            return;
        }
        let Movers { velocities, inertials, .. } = &mut self.movers;
        run(&mut self.constraints, &self.colouring.ends, velocities, &|constraint, pair| {
            if constraint.can_bounce() {
                let at = constraint.bodies.map(|body| body as usize);
                constraint.bounce(pair, at.map(|at| &inertials[at]), least);
            }
        });
    }
}

fn load(velocities: &[Velocity], bodies: [u32; 2]) -> [Velocity; 2] {
    bodies.map(|body| velocities[body as usize])
}

fn store(velocities: &mut [Velocity], bodies: [u32; 2], pair: [Velocity; 2]) {
    for (body, velocity) in bodies.into_iter().zip(pair) {
        velocities[body as usize] = velocity;
    }
}

/// Runs over the constraints colour by colour. Within one, no two change the same body; threads leave what they find in the
/// constraints, and it is stored afterwards.
fn run(
    constraints: &mut [ContactConstraint],
    ends: &[usize],
    velocities: &mut [Velocity],
    solve: &(impl Fn(&mut ContactConstraint, &mut [Velocity; 2]) + Sync),
) {
    let mut first = 0;
    for &end in ends {
        let colour = &mut constraints[first..end];
        first = end;
        #[cfg(feature = "parallel")]
        if colour.len() >= SHARED && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            let known: &[Velocity] = velocities;
            colour.par_chunks_mut(CHUNK).flatten_iter().for_each(|constraint| {
                let mut pair = load(known, constraint.bodies);
                solve(constraint, &mut pair);
                constraint.result = pair;
            });
            colour.iter().for_each(|constraint| store(velocities, constraint.bodies, constraint.result));
            continue;
        }
        for constraint in colour {
            let mut pair = load(velocities, constraint.bodies);
            solve(constraint, &mut pair);
            store(velocities, constraint.bodies, pair);
        }
    }
}
