//! The motion of a robot along a straight edge in joint space, with exact velocities at a time and bounds on accelerations.
//!
//! Each frame turns about an axis and slides along a direction that are fixed in its parent's frame, at constant rates, so that between two
//! bodies there is a chain of such joints. Seen from the second body, a point x of the first one moves by the derivative
//! `v + ω × (x − c)` at a time, which is exact, and by its second derivative, which is bounded over the whole edge: a joint k that turns
//! at the rate w and slides at the rate s contributes the velocity w·ρ + s, with ρ the distance of x from its axis; that velocity is turned
//! by the joints between it and the second body, at their rates W. So the acceleration is at most Σ w²ρ + 2 Σ (W + w)(wρ + s), where
//! the w beside W is needed for joints that slide and turn at once only.

use std::sync::Arc;

use clearance::{Quat, Vec3};

use crate::chain::{BASE, Chain, Movement, Placed, product, turn};
use crate::pair::{Paths, Step};
use crate::read::JointKind;
use crate::robot::Robot;
use crate::solid::Solid;
use crate::tolerance::{MOTION_SLACK, NO_TURN};

/// How a frame moves along the edge.
#[derive(Debug, Clone, Copy, Default)]
struct Rate {
    /// Angular velocity in the frame's own axes.
    turn: Vec3,
    /// Velocity of its origin in the parent's axes.
    slide: Vec3,
    /// Their lengths.
    turning: f64,
    sliding: f64,
    /// The frame's origin is no farther from where it is for values of zero.
    travel: f64,
}

/// A rotation of a floating joint: from a quaternion about an axis of the frame itself.
#[derive(Debug, Clone, Copy)]
struct Slerp {
    first: usize,
    start: Quat,
    axis: Vec3,
    angle: f64,
}

/// The velocity of a frame: of its origin, and angular.
#[derive(Debug, Clone, Copy, Default)]
pub struct Twist {
    pub v: Vec3,
    pub w: Vec3,
}

/// The motion along an edge.
#[derive(Debug, Default)]
pub struct EdgeMotion {
    start: Vec<f64>,
    change: Vec<f64>,
    slerps: Vec<Slerp>,
    rates: Vec<Rate>,
    /// For each pair the path between its bodies.
    paths: Arc<[u32]>,
    /// For each path a bound on the acceleration of the first body's points, seen from the second, and on their speed.
    bounds: Vec<[f64; 2]>,
}

impl EdgeMotion {
    /// Prepares the motion from one valid configuration to another.
    pub fn prepare(&mut self, robot: &Robot, paths: &Paths, q0: &[f64], q1: &[f64]) {
        self.start.clear();
        self.start.extend_from_slice(q0);
        self.change.clear();
        self.change.extend(q1.iter().zip(q0).map(|(to, from)| to - from));
        self.slerps.clear();
        for joint in robot.joints.iter().filter(|joint| joint.kind == JointKind::Floating) {
            self.slerps.push(slerp(joint.first_value + 3, q0, q1));
        }
        let chain = &robot.chain;
        self.rates.clear();
        let rates = (0..chain.frames.len()).map(|frame| rate(chain, frame, q0, &self.change, &self.slerps));
        self.rates.extend(rates);
        self.bounds.clear();
        self.bounds.extend(paths.steps.iter().map(|path| bounds(path, &self.rates)));
        self.paths = paths.of_pairs.clone();
    }

    /// The configuration at a share of the edge.
    pub fn configuration(&self, share: f64, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.start.iter().zip(&self.change).map(|(from, change)| from + share * change));
        for slerp in &self.slerps {
            let turn = product(slerp.start, turn(slerp.axis, share * slerp.angle));
            out[slerp.first..slerp.first + 4].copy_from_slice(&turn.normalize().to_array());
        }
    }

    /// The largest magnitudes of the values along the edge.
    pub fn largest_values(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.start.iter().zip(&self.change).map(|(from, change)| from.abs() + change.abs()));
    }

    /// The velocities of frames in their places.
    pub fn twists(&self, chain: &Chain, base: &Placed, placed: &[Placed], out: &mut Vec<Twist>) {
        out.clear();
        for (index, (frame, rate)) in chain.frames.iter().zip(&self.rates).enumerate() {
            let (parent, of_parent) = match frame.parent {
                BASE => (base, Twist::default()),
                parent => (&placed[parent as usize], out[parent as usize]),
            };
            let here = &placed[index];
            let v = of_parent.v + of_parent.w.cross(here.t - parent.t) + parent.m * rate.slide;
            out.push(Twist { v, w: of_parent.w + here.m * rate.turn });
        }
    }

    /// How far points of a pair's first body can be from their places within half a stretch of time, without knowing velocities.
    #[inline]
    pub fn farthest(&self, index: u32, half: f64) -> f64 {
        let [_, fastest] = self.bounds[self.paths[index as usize] as usize];
        fastest * half * MOTION_SLACK
    }

    /// How far off a straight line they can be.
    #[inline]
    pub fn bend(&self, index: u32, half: f64) -> f64 {
        let [acceleration, _] = self.bounds[self.paths[index as usize] as usize];
        0.5 * acceleration * half * half
    }

    /// The motion of a pair's first body seen from the second one, at the time of the twists.
    #[inline]
    pub fn relative(
        &self,
        index: u32,
        [a, b]: [&Solid; 2],
        at_a: Vec3,
        placed: &[Placed],
        twists: &[Twist],
    ) -> Relative {
        let field = |solid: &Solid| {
            if solid.is_at_rest() {
                return Twist::default();
            }
            let (twist, frame) = (twists[solid.frame as usize], &placed[solid.frame as usize]);
            Twist { v: twist.v + twist.w.cross(at_a - frame.t), w: twist.w }
        };
        let (of_a, of_b) = (field(a), field(b));
        let [acceleration, fastest] = self.bounds[self.paths[index as usize] as usize];
        Relative { v: of_a.v - of_b.v, w: of_a.w - of_b.w, acceleration, fastest }
    }
}

/// How a body moves, seen from another one: exactly at a time, and its acceleration and speed bounded at all times.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// The velocity of its centre.
    pub v: Vec3,
    pub w: Vec3,
    pub acceleration: f64,
    pub fastest: f64,
}

impl Relative {
    /// How far any point within a radius of the centre can be from its place, within half a stretch of time.
    #[inline]
    pub fn farthest(&self, radius: f64, half: f64) -> f64 {
        let now = (self.v.length() + self.w.length() * radius) * half + self.bend(half);
        now.min(self.fastest * half) * MOTION_SLACK
    }

    /// How far any point can be off the straight line of its velocity.
    #[inline]
    pub fn bend(&self, half: f64) -> f64 {
        0.5 * self.acceleration * half * half * MOTION_SLACK + self.fastest * half * (MOTION_SLACK - 1.0)
    }
}

fn slerp(first: usize, q0: &[f64], q1: &[f64]) -> Slerp {
    let quaternion = |q: &[f64]| Quat::from_xyzw(q[first], q[first + 1], q[first + 2], q[first + 3]).normalize();
    let (start, end) = (quaternion(q0), quaternion(q1));
    let between = product(start.conjugate(), end);
    // The shorter way round.
    let between = if between.w < 0.0 { -between } else { between };
    let vector = Vec3::new(between.x, between.y, between.z);
    let length = vector.length();
    let axis = if length > NO_TURN { vector / length } else { Vec3::X };
    Slerp { first, start, axis, angle: 2.0 * libm::atan2(length, between.w) }
}

fn rate(chain: &Chain, index: usize, q0: &[f64], change: &[f64], slerps: &[Slerp]) -> Rate {
    let frame = &chain.frames[index];
    let by = |at: usize| change[frame.variable + at];
    let most = |at: usize| q0[frame.variable + at].abs() + by(at).abs();
    let (turn, slide, travel) = match &frame.movement {
        Movement::Turn { axis, .. } => (*axis * (frame.multiplier * by(0)), Vec3::ZERO, 0.0),
        Movement::Slide { along } => {
            let travel = frame.multiplier.abs() * most(0) + frame.offset.abs();
            (Vec3::ZERO, *along * (frame.multiplier * by(0)), travel)
        }
        Movement::Planar { axes } => {
            let slide = frame.rotation * (axes.x_axis * by(0) + axes.y_axis * by(1));
            (axes.z_axis * by(2), slide, most(0) + most(1))
        }
        Movement::Free => {
            let slide = frame.rotation * Vec3::new(by(0), by(1), by(2));
            let slerp = slerps.iter().find(|slerp| slerp.first == frame.variable + 3);
            let turn = slerp.map_or(Vec3::ZERO, |slerp| slerp.axis * slerp.angle);
            (turn, slide, most(0) + most(1) + most(2))
        }
    };
    Rate { turn, slide, turning: turn.length(), sliding: slide.length(), travel }
}

/// Bounds on acceleration and speed; see the head of this file. The path goes from the first body to the second one.
fn bounds(path: &[Step], rates: &[Rate]) -> [f64; 2] {
    let (mut acceleration, mut speed, mut travel) = (0.0, 0.0, 0.0);
    for step in path {
        let rate = &rates[step.frame as usize];
        if step.is_reversed {
            travel += rate.travel;
        }
        let reach = step.reach + travel;
        let own = rate.turning * reach + rate.sliding;
        // What is nearer to the first body is turned by this joint; and this joint's own velocity by itself.
        acceleration += rate.turning * (rate.turning * reach + 2.0 * (speed + rate.sliding));
        speed += own;
        if !step.is_reversed {
            travel += rate.travel;
        }
    }
    [acceleration, speed * MOTION_SLACK]
}
