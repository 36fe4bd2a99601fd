//! Ten boxes on a floor come to rest: a plain sequential-impulse solver that starts each frame with the impulses of the last one.
//!
//! What it needs of the library: points whose feature ids stay from frame to frame, with one [`Cache`] for each pair, and a margin, so
//! that points are there before they touch. A stack of ten is a beam, along which impulses spread slowly: friction and normals are gone
//! through up the stack and down again, which settles (in one direction only it does not), often enough to rest after seconds.

use clearance::{Cache, ContactPoint, Feature, ManifoldOptions, Pose, Quat, Real, Shape, Vec3, manifold};

const STEP: Real = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const ITERATIONS: usize = 150;
const FRICTION: Real = 0.5;
/// Points are found up to this far before they touch.
const MARGIN: Real = 0.02;
/// Overlaps of less are left; of more a fifth goes away in each step.
const ALLOWED: Real = 0.001;

/// A cube, or a fixed body if both inverses are zero; the inertia of a cube is the same about every axis.
pub(crate) struct Body {
    shape: Shape,
    pub(crate) pose: Pose,
    velocity: Vec3,
    spin: Vec3,
    inverse_mass: Real,
    inverse_inertia: Real,
}

/// A contact point with its impulses along the normal and across it.
struct Push {
    bodies: [usize; 2],
    point: ContactPoint,
    arms: [Vec3; 2],
    along: [Vec3; 3],
    impulses: [Real; 3],
    aim: Real,
}

/// Two bodies with what is kept of their contact from frame to frame.
struct Pair {
    bodies: [usize; 2],
    cache: Cache,
    last: Vec<([Feature; 2], [Real; 3])>,
}

/// All bodies and pairs.
pub(crate) struct Stack {
    pub(crate) bodies: Vec<Body>,
    pairs: Vec<Pair>,
}

impl Stack {
    /// A floor with its top at zero and so many cubes of side one, each dropped from a centimetre above the one below.
    pub(crate) fn new(count: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let still = |shape, pose, inverse_mass, inverse_inertia| {
            let (velocity, spin) = (Vec3::ZERO, Vec3::ZERO);
            Body { shape, pose, velocity, spin, inverse_mass, inverse_inertia }
        };
        let mut bodies =
            vec![still(Shape::cuboid([10.0, 10.0, 1.0])?, Pose::from_translation([0.0, 0.0, -1.0])?, 0.0, 0.0)];
        for i in 0..count {
            let place = Pose::from_translation([0.0, 0.0, 0.51 + 1.01 * i as Real])?;
            bodies.push(still(Shape::cuboid([0.5, 0.5, 0.5])?, place, 1.0, 6.0));
        }
        let pairs = (0..=count).flat_map(|i| (i + 1..=count).map(move |j| [i, j]));
        let pairs = pairs.map(|bodies| Pair { bodies, cache: Cache::default(), last: Vec::new() }).collect();
        Ok(Self { bodies, pairs })
    }

    /// The highest speed of any corner, at most.
    pub(crate) fn speed(&self) -> Real {
        self.bodies.iter().map(|b| b.velocity.length() + b.spin.length()).fold(0.0, Real::max)
    }

    /// One step of a sixtieth of a second.
    pub(crate) fn step(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        for body in self.bodies.iter_mut().filter(|body| body.inverse_mass > 0.0) {
            body.velocity += GRAVITY * STEP;
        }
        let mut pushes = self.contacts();
        for push in &pushes {
            for i in 0..3 {
                self.apply(push, i, push.impulses[i]); // those of the last frame
            }
        }
        for _ in 0..ITERATIONS {
            pushes.iter_mut().for_each(|push| self.solve(push, &[1, 2]));
            pushes.iter_mut().for_each(|push| self.solve(push, &[0]));
            pushes.iter_mut().rev().for_each(|push| self.solve(push, &[0]));
            pushes.iter_mut().rev().for_each(|push| self.solve(push, &[2, 1]));
        }
        for pair in &mut self.pairs {
            pair.last.clear();
            let own = pushes.iter().filter(|push| push.bodies == pair.bodies);
            pair.last.extend(own.map(|push| (push.point.features, push.impulses)));
        }
        for body in &mut self.bodies {
            let turned = (Quat::from_scaled_axis(body.spin * STEP) * body.pose.rotation()).normalize();
            body.pose = Pose::new(body.pose.translation() + body.velocity * STEP, turned)?;
        }
        Ok(())
    }

    /// The contacts of all pairs, each with the impulses of the point that had its features in the last frame.
    fn contacts(&mut self) -> Vec<Push> {
        let options = ManifoldOptions { margin: MARGIN, ..ManifoldOptions::default() };
        let mut pushes = Vec::new();
        for Pair { bodies, cache, last } in &mut self.pairs {
            let [a, b] = bodies.map(|i| &self.bodies[i]);
            let Some(contact) = manifold(&a.shape, &a.pose, &b.shape, &b.pose, cache, &options) else { continue };
            for &point in &contact.points {
                let middle = 0.5 * (point.points[0] + point.points[1]);
                let across = point.normal.any_orthonormal_vector();
                let known = last.iter().find(|(features, _)| *features == point.features);
                // What is apart may close the gap in this step; what overlaps is to part.
                let gap = point.distance;
                let aim = if gap > 0.0 { -gap / STEP } else { 0.2 * (-gap - ALLOWED).max(0.0) / STEP };
                pushes.push(Push {
                    bodies: *bodies,
                    point,
                    arms: [middle - a.pose.translation(), middle - b.pose.translation()],
                    along: [point.normal, across, point.normal.cross(across)],
                    impulses: known.map_or([0.0; 3], |(_, impulses)| *impulses),
                    aim,
                });
            }
        }
        pushes
    }

    fn apply(&mut self, push: &Push, i: usize, impulse: Real) {
        for (side, sign) in [(0, -impulse), (1, impulse)] {
            let body = &mut self.bodies[push.bodies[side]];
            body.velocity += push.along[i] * (sign * body.inverse_mass);
            body.spin += push.arms[side].cross(push.along[i]) * (sign * body.inverse_inertia);
        }
    }

    /// The velocity of B's point seen from A's along a direction, and how much an impulse of one changes it.
    fn relative(&self, push: &Push, i: usize) -> (Real, Real) {
        let along = push.along[i];
        let (mut velocity, mut change) = (0.0, 0.0);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let (body, lever) = (&self.bodies[push.bodies[side]], push.arms[side].cross(along));
            velocity += sign * (along.dot(body.velocity) + lever.dot(body.spin));
            change += body.inverse_mass + body.inverse_inertia * lever.length_squared();
        }
        (velocity, change)
    }

    /// Brings the velocity along the normal to its aim by pushing, never pulling; friction holds up to its share of the push.
    fn solve(&mut self, push: &mut Push, rows: &[usize]) {
        for &i in rows {
            let (velocity, change) = self.relative(push, i);
            let hold = FRICTION * push.impulses[0];
            let [aim, least, most] = if i == 0 { [push.aim, 0.0, Real::MAX] } else { [0.0, -hold, hold] };
            let impulse = (push.impulses[i] + (aim - velocity) / change).clamp(least, most);
            self.apply(push, i, impulse - push.impulses[i]);
            push.impulses[i] = impulse;
        }
    }
}

#[allow(dead_code)] // the tests run the same solver without it
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut stack = Stack::new(10)?;
    for frame in 0..=600 {
        if frame % 60 == 0 {
            let top = stack.bodies.last().map_or(0.0, |body| body.pose.translation().z + 0.5);
            println!("{:2} s: {top:.6} m high, speed at most {:.1e} m/s", frame / 60, stack.speed());
        }
        stack.step()?;
    }
    Ok(())
}
