//! When two bodies meet of which at least one follows a user's own trajectory, or is a half-space that turns, by conservative advancement
//! of both as they are.
//!
//! At a time the bodies are at least d apart. Over a step of time h their points move by no more than h times the promised speeds, so that
//! nothing meets while that is less than d. Such a step is proved, and time only moves forward by proved steps. A step is first
//! tried at twice the length of the last one and halved while the speed promised over it is too high for it, so that a bound that
//! is small over a short time is used.
//!
//! **The promise is checked.** Within each step poses are asked for at [`CHECKS`] times. A ball about a body's origin that moved from one
//! of them to the next farther than the promised speed allows, or a speed that is negative or not finite, breaks the promise: the answer
//! ends with [`End::Degenerate`] at the last time that was proved. What happens between these times is known by the promise only.
//!
//! It ends: each of at most [`STEP_LIMIT`] steps moves forward in the build's numbers or is the last.

use glam::{DQuat, DVec3};

use super::advance::STEP_LIMIT;
use super::answer::{BodyImpact, Impact, ImpactOptions};
use crate::answer::{Closest, Contact, Feature};
use crate::concave::{BodyCache, closest};
use crate::math::{Pose, Real, narrow_real, rounded_down, widen, widen_real};
use crate::motion::Motion;
use crate::narrow::End;
use crate::shape::Geometry;
use crate::tolerance::{IMPACT_SIGMAS, PROMISE_SLACK, UNIT_ROUNDOFF, sigma};

/// Times within a step at which poses are compared with the promised speed; the last is the end of the step.
const CHECKS: u32 = 4;
/// Halvings of a step that is too long for the speed promised over it.
const HALVINGS: u32 = 24;

/// As [`bodies::time_of_impact`](super::bodies::time_of_impact()), for any motions.
pub(super) fn time_of_impact(
    a: Geometry<'_>,
    of_a: &Motion,
    b: Geometry<'_>,
    of_b: &Motion,
    options: &ImpactOptions,
) -> BodyImpact {
    Pair::new([a, b], [of_a, of_b], options).impact()
}

/// Two bodies on their ways.
struct Pair<'m> {
    bodies: [Geometry<'m>; 2],
    motions: [&'m Motion; 2],
    radii: [f64; 2],
    /// What a comparison of two poses of each body may be off by.
    slack: [f64; 2],
    /// The distance to be kept.
    clearance: f64,
    /// How near above the clearance they have met.
    enough: f64,
    /// Below this they touch.
    rounding: f64,
    cache: BodyCache,
    looks: u32,
}

/// A proved step.
enum Step {
    /// Nothing meets before this time.
    Free(Real),
    /// The time cannot be moved forward in the build's numbers.
    TooShort,
    /// A promise is broken.
    Broken,
}

impl<'m> Pair<'m> {
    fn new(bodies: [Geometry<'m>; 2], motions: [&'m Motion; 2], options: &ImpactOptions) -> Self {
        let clearance = widen_real(options.clearance.max(0.0));
        let starts = motions.map(|motion| widen(motion.start().translation()));
        let radii = followed(bodies, motions, starts[0].distance(starts[1]) + clearance);
        let slack = [0, 1].map(|i| promise_slack(motions[i].start(), radii[i]));
        let between = (starts[1] - starts[0]).abs().element_sum();
        // A half-space has no size.
        let finite = |radii: [f64; 2]| radii.into_iter().filter(|radius| radius.is_finite()).sum::<f64>();
        let size = narrow_real(finite(radii) + between);
        let rounding = widen_real(IMPACT_SIGMAS * sigma(size)) + 4.0 * (slack[0] + slack[1]);
        let own = finite(bodies.map(|body| widen_real(body.bounding_radius())));
        let enough = rounding.max(widen_real(options.tolerance.max(0.0)) * own);
        Self { bodies, motions, radii, slack, clearance, enough, rounding, cache: BodyCache::default(), looks: 0 }
    }

    fn look(&mut self, time: Real) -> (Closest, f64) {
        self.looks += 1;
        let [pose_a, pose_b] = self.motions.map(|motion| motion.pose(time));
        self.slack = [promise_slack(&pose_a, self.radii[0]), promise_slack(&pose_b, self.radii[1])];
        let near = closest(self.bodies[0], &pose_a, self.bodies[1], &pose_b, &mut self.cache);
        // What is certain of bodies that are apart; of those that meet, how deep they were found to be.
        let apart = if near.contact == Contact::Apart { near.lower } else { near.distance };
        (near, widen_real(apart) - self.clearance)
    }

    fn impact(mut self) -> BodyImpact {
        let (mut near, start) = self.look(0.0);
        if start < -self.rounding || (self.clearance == 0.0 && near.contact == Contact::Overlapping) {
            return self.answer(Some(0.0), &near, 0.0, near.end);
        }
        let touching = start <= self.rounding;
        let level = if touching { -f64::max(0.5 * self.enough, self.rounding) } else { self.enough.min(0.5 * start) };
        let (mut time, mut distance, mut last_near) = (0.0, start, None);
        let mut stride = 0.5;
        for _ in 0..STEP_LIMIT {
            if distance <= level {
                let (met, near) = last_near.unwrap_or((time, near));
                return self.answer(Some(met), &near, met, near.end);
            }
            if touching && distance <= self.enough {
                last_near = Some((time, near));
            }
            if time >= 1.0 {
                return self.answer(None, &near, 1.0, End::Converged);
            }
            let floor = if touching { (2.0 * level).min(0.0) } else { 0.0 } + self.slack[0] + self.slack[1];
            match self.step(time, distance - floor, stride) {
                Step::Free(next) => {
                    stride = 2.0 * widen_real(next - time);
                    time = next;
                }
                Step::TooShort => return self.answer(self.met(time, distance), &near, time, End::Degenerate),
                Step::Broken => return self.answer(None, &near, time, End::Degenerate),
            }
            (near, distance) = self.look(time);
        }
        self.answer(self.met(time, distance), &near, time, End::IterationLimit)
    }

    /// The time, if the bodies are as near as those that have met.
    fn met(&self, time: Real, distance: f64) -> Option<Real> {
        (distance <= self.enough).then_some(time)
    }

    /// The longest step found in which the bodies come nearer by no more than the room.
    fn step(&self, time: Real, room: f64, stride: f64) -> Step {
        let (from, left) = (widen_real(time), 1.0 - widen_real(time));
        if !(room > 0.0) {
            return Step::TooShort;
        }
        let mut length = stride.min(left);
        let (mut certain, mut promised) = (0.0, [0.0; 2]);
        for _ in 0..HALVINGS {
            let to = narrow_real(from + length).min(1.0);
            let Some(speeds) = self.speeds(time, to) else { return Step::Broken };
            let allowed = room / (speeds[0] + speeds[1]);
            let allowed = if allowed.is_nan() { f64::INFINITY } else { allowed };
            if allowed.min(length) > certain {
                (certain, promised) = (allowed.min(length), speeds);
            }
            length *= 0.5;
            if allowed >= length {
                break;
            }
        }
        let next = if from + certain >= 1.0 { 1.0 } else { rounded_down(from + certain) };
        if !(next > time) {
            return Step::TooShort;
        }
        if self.is_kept(time, next, promised) { Step::Free(next) } else { Step::Broken }
    }

    /// The promised speeds of both over a time; nothing if one of them is none.
    fn speeds(&self, from: Real, to: Real) -> Option<[f64; 2]> {
        let speed = |i: usize| widen_real(self.motions[i].speed_between(narrow_real(self.radii[i]), from, to));
        let speeds = [speed(0), speed(1)];
        speeds.iter().all(|speed| speed.is_finite() && *speed >= 0.0).then_some(speeds)
    }

    /// Whether the poses at some times of a step are as near to each other as the speeds promise.
    fn is_kept(&self, from: Real, to: Real, speeds: [f64; 2]) -> bool {
        let own = (0..2).filter(|&i| self.motions[i].steady().is_none());
        own.into_iter().all(|i| {
            let (mut time, mut pose) = (from, self.motions[i].pose(from));
            (1..=CHECKS).all(|check| {
                let share = check as Real / CHECKS as Real;
                let next = if check == CHECKS { to } else { from + (to - from) * share };
                let there = self.motions[i].pose(next);
                let allowed = speeds[i] * widen_real(next - time);
                let slack = promise_slack(&there, self.radii[i]).max(self.slack[i]);
                let moved = farthest(&pose, &there, self.radii[i]);
                (time, pose) = (next, there);
                moved <= allowed * (1.0 + widen_real(UNIT_ROUNDOFF)) + slack
            })
        })
    }

    fn answer(&self, time: Option<Real>, near: &Closest, lower: Real, end: End) -> BodyImpact {
        BodyImpact {
            impact: Impact {
                time,
                lower,
                at_start: time == Some(0.0),
                points: near.points,
                normal: near.normal,
                distance: near.distance,
                end,
                iterations: self.looks,
            },
            features: if time.is_some() { near.features } else { [Feature::WHOLE; 2] },
        }
    }
}

/// The radius within which the points of each body are followed, given the distance of their origins and the clearance.
///
/// A half-space that turns moves infinitely fast somewhere, but what of it comes near the other body is never farther from its origin
/// than both origins travel and the other body is large.
fn followed(bodies: [Geometry<'_>; 2], motions: [&Motion; 2], between: f64) -> [f64; 2] {
    let travelled = motions.iter().map(|motion| widen_real(motion.speed(0.0))).sum::<f64>();
    [0, 1].map(|i| {
        let own = widen_real(reach(bodies[i], motions[i]));
        let met = between + travelled + widen_real(bodies[1 - i].bounding_radius());
        if own.is_finite() { own } else { met * (1.0 + widen_real(PROMISE_SLACK * UNIT_ROUNDOFF)) }
    })
}

/// The radius within which a body's points are followed: of a half-space that does not turn all points move alike, and none is needed.
pub(super) fn reach(body: Geometry<'_>, motion: &Motion) -> Real {
    let radius = body.bounding_radius();
    let turns = motion.steady().is_none_or(|steady| steady.omega() != DVec3::ZERO);
    if radius.is_finite() || turns { radius } else { 0.0 }
}

/// What a comparison of a pose with another may be off by.
fn promise_slack(pose: &Pose, radius: f64) -> f64 {
    widen_real(PROMISE_SLACK * UNIT_ROUNDOFF) * (widen(pose.translation()).abs().max_element() + radius)
}

/// How far a point within a radius of the origin is from where it was, at most: what the turn moves it by is across the axis of the
/// turn, and adds to what the origin moved that way.
fn farthest(from: &Pose, to: &Pose, radius: f64) -> f64 {
    let quat = |pose: &Pose| DQuat::from_array(pose.rotation().to_array().map(widen_real));
    let turn = quat(to) * quat(from).conjugate();
    let half = DVec3::new(turn.x, turn.y, turn.z);
    let sine = half.length();
    let by = widen(to.translation()) - widen(from.translation());
    let axis = half.normalize_or_zero();
    let along = axis.dot(by);
    ((by - axis * along).length() + 2.0 * radius * sine.min(1.0)).hypot(along)
}
