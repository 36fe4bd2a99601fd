//! The solver of the thesis on implicit objects (section 4.2), as printed.
//!
//! A step moves the bodies, finds contacts, applies impulses to approaching contact points until there are none or a limit is
//! reached, and projects overlaps apart: level by level of the contact graph from the ground up, moving only the upper body, by a
//! share of its overlap. Contacts are treated as collisions without restitution, nothing is remembered between steps, and a damping
//! of all velocities takes away what this adds. The thesis does not print share, damping and friction; they are options.
//!
//! It ends: the iterations are limited, and each level is looked at once.

use std::time::Instant;

use clearance::{Body, ContactPoint, Manifold, Pose, Real, Shape, Vec3};

use crate::body::{Inertial, State, Velocity};
use crate::contact::Contacts;
use crate::error::SimError;
use crate::options::{Narrow, Thesis};
use crate::report::{Phases, StepReport};
use crate::simulation::Simulation;
use crate::soft::motion::{gyroscopic, turned};

/// What the solver keeps from step to step: convex shapes for the algorithms by name, and memory.
#[derive(Debug, Default)]
pub(crate) struct ThesisSolver {
    shapes: Vec<Option<Shape>>,
    points: Vec<ContactPoint>,
    inertials: Vec<Inertial>,
    levels: Vec<Option<u32>>,
    shifts: Vec<Vec3>,
    order: Vec<u32>,
}

impl ThesisSolver {
    /// Remembers the shape of the body of this number, if it is convex.
    pub fn set(&mut self, at: usize, body: &Body) {
        self.shapes.resize(self.shapes.len().max(at + 1), None);
        self.shapes[at] = if let Body::Convex(shape) = body { Some(shape.clone()) } else { None };
    }

    /// Lets go of the shape of a body that is removed.
    pub fn forget(&mut self, at: usize) {
        if let Some(shape) = self.shapes.get_mut(at) {
            *shape = None;
        }
    }
}

impl Simulation {
    pub(crate) fn thesis_step(&mut self, thesis: &Thesis) -> Result<StepReport, SimError> {
        self.list_awake();
        self.move_freely(thesis)?;
        let begin = Instant::now();
        self.find_contacts(thesis)?;
        let collided = Instant::now();
        let iterations = self.apply_impulses(thesis.iterations);
        self.project(thesis.projection)?;
        let mut report = self.report();
        report.iterations = iterations;
        report.phases = Phases { collide: collided - begin, solve: collided.elapsed(), ..Phases::default() };
        Ok(report)
    }

    /// Step 1: velocities and poses forward in time.
    fn move_freely(&mut self, thesis: &Thesis) -> Result<(), SimError> {
        self.steps += 1;
        let h = self.options.step;
        let kept = (1.0 - thesis.damping * h).max(0.0);
        for i in 0..self.awake.len() {
            let at = self.awake[i] as usize;
            let body = &mut self.bodies[at];
            if body.is_dynamic() {
                body.velocity.linear = (body.velocity.linear + self.options.gravity * h) * kept;
                body.velocity.angular = gyroscopic(body.velocity.angular, &body.inertia, body.rotation, h) * kept;
            }
            let shift = body.velocity.linear * h;
            let turn = turned(clearance::Quat::IDENTITY, body.velocity.angular, h);
            self.put(at, shift, turn)?;
        }
        Ok(())
    }

    /// Step 2: contact points, with normal and depth by the algorithm asked for.
    fn find_contacts(&mut self, thesis: &Thesis) -> Result<(), SimError> {
        self.contacts.clear();
        let found = self.world.try_step()?;
        for pair in found.contacts {
            let key = pair.bodies.map(|id| id.index() as u32);
            let at = key.map(|body| body as usize);
            let shapes = at.map(|body| self.thesis.shapes[body].as_ref());
            let poses = [self.bodies[at[0]].pose()?, self.bodies[at[1]].pose()?];
            self.thesis.points.clear();
            if seen_by(thesis.narrow, shapes, &poses, &pair.manifold, &mut self.thesis.points) {
                self.contacts.add(key, &self.thesis.points, &[], None, &self.bodies);
            }
        }
        Ok(())
    }

    /// Step 3: impulses until no contact point approaches; how many iterations that took.
    fn apply_impulses(&mut self, most: u32) -> u32 {
        let Self { bodies, contacts, thesis, .. } = self;
        thesis.inertials.clear();
        thesis.inertials.extend(bodies.iter().map(State::inertial));
        for iteration in 0..most {
            let mut is_calm = true;
            for pair in &contacts.pairs {
                let at = pair.bodies.map(|body| body as usize);
                let coefficient = (bodies[at[0]].friction * bodies[at[1]].friction).sqrt();
                let restitution = bodies[at[0]].restitution.max(bodies[at[1]].restitution);
                let mut velocities = at.map(|body| bodies[body].velocity);
                let inertials = at.map(|body| &thesis.inertials[body]);
                let centers = at.map(|body| bodies[body].center);
                for touch in &mut contacts.points[pair.first as usize..(pair.first + pair.count) as usize] {
                    let anchors = centers.map(|center| touch.point - center);
                    let impulse = collide(&mut velocities, inertials, anchors, touch.normal, coefficient, restitution);
                    touch.impulse += impulse;
                    is_calm &= impulse == 0.0;
                }
                at.into_iter().zip(velocities).for_each(|(body, velocity)| bodies[body].velocity = velocity);
            }
            if is_calm {
                return iteration;
            }
        }
        most
    }

    /// Step 4: overlaps are projected apart, level by level.
    fn project(&mut self, share: Real) -> Result<(), SimError> {
        self.thesis.level(&self.bodies, &self.contacts);
        let ThesisSolver { levels, shifts, order, .. } = &mut self.thesis;
        shifts.clear();
        shifts.resize(self.bodies.len(), Vec3::ZERO);
        for &number in order.iter() {
            let pair = &self.contacts.pairs[number as usize];
            let [a, b] = pair.bodies.map(|body| body as usize);
            // The upper body is moved; of two on one level the later one.
            let moves_b = levels[b] >= levels[a];
            let upper = if moves_b { b } else { a };
            if !self.bodies[upper].is_dynamic() {
                continue;
            }
            let deepest = self.contacts.points[pair.range()].iter().min_by(|p, q| p.distance.total_cmp(&q.distance));
            if let Some(touch) = deepest {
                let distance = touch.distance + touch.normal.dot(shifts[b] - shifts[a]);
                let by = touch.normal * (distance.min(0.0) * share);
                shifts[upper] += if moves_b { -by } else { by };
            }
        }
        for at in 0..self.bodies.len() {
            let shift = self.thesis.shifts[at];
            if shift != Vec3::ZERO {
                self.put(at, shift, clearance::Quat::IDENTITY)?;
            }
        }
        Ok(())
    }
}

impl ThesisSolver {
    /// The contact graph: how many bodies are between each and the ground, and the pairs by the level of their upper body.
    /// What hangs in the air is on no level and comes last.
    fn level(&mut self, bodies: &[State], contacts: &Contacts) {
        self.levels.clear();
        self.levels.extend(bodies.iter().map(|body| if body.is_dynamic() { None } else { Some(0) }));
        let mut level = 0;
        loop {
            let mut grown = false;
            for pair in &contacts.pairs {
                let [a, b] = pair.bodies.map(|body| body as usize);
                for (lower, upper) in [(a, b), (b, a)] {
                    if self.levels[lower] == Some(level) && self.levels[upper].is_none() {
                        self.levels[upper] = Some(level + 1);
                        grown = true;
                    }
                }
            }
            if !grown {
                break;
            }
            level += 1;
        }
        for known in &mut self.levels {
            known.get_or_insert(level + 1);
        }
        let levels = &self.levels;
        let upper = |pair: &u32| {
            let [a, b] = contacts.pairs[*pair as usize].bodies.map(|body| levels[body as usize]);
            (a.max(b), *pair)
        };
        self.order.clear();
        self.order.extend(0..contacts.pairs.len() as u32);
        self.order.sort_unstable_by_key(upper);
    }
}

/// One impulse at one contact point, with friction; the impulse along the normal.
fn collide(
    velocities: &mut [Velocity; 2],
    [a, b]: [&Inertial; 2],
    [ra, rb]: [Vec3; 2],
    normal: Vec3,
    coefficient: Real,
    restitution: Real,
) -> Real {
    let slip = velocities[1].at(rb) - velocities[0].at(ra);
    let speed = normal.dot(slip);
    let inverse = a.inverse_along(ra, normal) + b.inverse_along(rb, normal);
    // What is left of an approach by rounding is none.
    let rounding =
        16.0 * Real::EPSILON * (velocities[0].linear.length() + velocities[1].linear.length() + slip.length());
    if !(speed < -rounding && inverse > 0.0) {
        return 0.0;
    }
    let push = -(1.0 + restitution) * speed / inverse;
    let mut impulse = normal * push;
    let sliding = slip - normal * speed;
    let length = sliding.length();
    if length > 0.0 {
        let along = sliding / length;
        let inverse = a.inverse_along(ra, along) + b.inverse_along(rb, along);
        impulse -= along * (length / inverse).min(coefficient * push);
    }
    velocities[0].push(a, ra, -impulse);
    velocities[1].push(b, rb, impulse);
    push
}

/// The points of a pair with normal and depth as an algorithm sees them; false if it sees no contact. The places of the points are
/// those of the library's manifold.
fn seen_by(
    narrow: Narrow,
    shapes: [Option<&Shape>; 2],
    poses: &[Pose; 2],
    manifold: &Manifold,
    points: &mut Vec<ContactPoint>,
) -> bool {
    let margin = if let Narrow::SweptGjk { radius } = narrow { 2.0 * radius } else { 0.0 };
    let (normal, distance) = match (narrow, shapes) {
        (Narrow::Verbs, _) | (_, [None, _]) | (_, [_, None]) => (None, manifold.distance - margin),
        (_, [Some(a), Some(b)]) => match named(narrow, a, &poses[0], b, &poses[1]) {
            Some((normal, distance)) => (Some(normal), distance),
            None => return false,
        },
    };
    let deeper = distance - manifold.distance;
    points.extend(manifold.points.iter().map(|point| ContactPoint {
        normal: normal.unwrap_or(point.normal),
        distance: point.distance + deeper,
        ..*point
    }));
    points.retain(|point| point.distance <= 0.0);
    !points.is_empty()
}

/// Normal and signed distance by an algorithm of that name; nothing if the bodies are apart.
#[cfg(feature = "study")]
fn named(narrow: Narrow, a: &Shape, at_a: &Pose, b: &Shape, at_b: &Pose) -> Option<(Vec3, Real)> {
    use clearance::study::gjk::{SubAlgorithm, closest_by};
    use clearance::study::{PairCache, mpr, sa_gjk, swept_gjk};
    let cache = &mut PairCache::default();
    let near = match narrow {
        Narrow::SweptGjk { radius } => swept_gjk::closest(radius, a, at_a, b, at_b, cache),
        Narrow::Mpr => mpr::depth(a, at_a, b, at_b),
        _ if !sa_gjk::overlap(a, at_a, b, at_b, cache).overlap => return None,
        _ => closest_by(SubAlgorithm::Regions, a, at_a, b, at_b, cache),
    };
    (near.distance <= 0.0).then_some((near.normal, near.distance))
}

/// Without the feature no simulation that asks for one is made.
#[cfg(not(feature = "study"))]
fn named(_: Narrow, _: &Shape, _: &Pose, _: &Shape, _: &Pose) -> Option<(Vec3, Real)> {
    None
}
