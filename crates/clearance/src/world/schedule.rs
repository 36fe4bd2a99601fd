//! When a pair must be looked at again (proximity-queries lecture, "Scheduling Scheme", with its erratum).
//!
//! Two bodies at a distance of at least d, no point of which moves faster than v now nor speeds up by more than a per frame, do
//! not meet before `t = 2d / (v + √(v² + 2ad))`. Pairs wait in a heap until then, and far pairs are not looked at for many
//! frames.
//!
//! Departure: the bounds are on *speeds*, |v| + |ω|·r with r the bounding radius, and on how fast these may grow, so that the
//! lecture's centripetal term, which bends a path without making it longer, is not needed. And the bounds are not believed: a
//! body that has moved farther than they allow, or is given new ones that exceed them, has all its pairs looked at in the next
//! step. So no meeting is missed whatever was promised. What is granted to rounding when a motion is judged is added to the speed
//! when a pair is put to sleep.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::error::WorldError;
use crate::broad::Pair;
use crate::math::{Pose, Real, Vec3};
use crate::tolerance::MOTION_SLACK;

/// Bounds on the motion of a body, with a frame as the unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionBounds {
    /// The speed of its origin now.
    pub speed: Real,
    /// Its angular speed now, radians.
    pub spin: Real,
    /// By how much the speed may grow in a frame.
    pub acceleration: Real,
    /// By how much the angular speed may grow in a frame.
    pub spin_acceleration: Real,
}

impl MotionBounds {
    pub(super) fn checked(self) -> Result<Self, WorldError> {
        let named = [
            ("speed", self.speed),
            ("spin", self.spin),
            ("acceleration", self.acceleration),
            ("spin_acceleration", self.spin_acceleration),
        ];
        let bad = named.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0));
        bad.map_or(Ok(self), |(name, value)| Err(WorldError::Motion { name, value }))
    }
}

/// The fastest that any point of a body may move, and how fast that may grow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Envelope {
    speed: Real,
    growth: Real,
    since: u64,
}

impl Envelope {
    /// That of a body which does not move.
    pub const FIXED: Self = Self { speed: 0.0, growth: 0.0, since: 0 };

    pub fn new(motion: &MotionBounds, radius: Real, now: u64) -> Self {
        let speed = motion.speed + motion.spin * radius;
        let growth = motion.acceleration + motion.spin_acceleration * radius;
        let slack = 1.0 + MOTION_SLACK;
        Self { speed: speed * slack + radius * MOTION_SLACK, growth: growth * slack, since: now }
    }

    fn speed_at(&self, now: u64) -> Real {
        self.speed + self.growth * now.saturating_sub(self.since) as Real
    }

    /// Whether it allows at any later time all that `other` allows.
    pub fn covers(&self, other: &Self, now: u64) -> bool {
        other.speed_at(now) <= self.speed_at(now) && other.growth <= self.growth
    }

    /// Whether a body may move from one pose to the other in the frame that begins now.
    pub fn allows(&self, radius: Real, from: &Pose, to: &Pose, now: u64) -> bool {
        let moved = from.translation().distance(to.translation());
        // A turn by θ moves a point at the radius r by 2 r sin(θ/2): the length of the vector part of the relative quaternion.
        let turn = from.rotation().conjugate() * to.rotation();
        let turned = 2.0 * radius * Vec3::new(turn.x, turn.y, turn.z).length();
        moved + turned <= self.speed_at(now) + 0.5 * self.growth
    }
}

/// The number of frames after which two bodies, `gap` farther apart than matters, must be looked at again.
pub(super) fn frames_until(gap: Real, a: &Envelope, b: &Envelope, now: u64) -> u64 {
    let (gap, growth) = (gap.max(0.0), a.growth + b.growth);
    let speed = a.speed_at(now) + b.speed_at(now);
    // The root is never less than the speed; its square may underflow.
    let root = (speed * speed + 2.0 * growth * gap).sqrt().max(speed);
    let time = 2.0 * gap / (speed + root) * (1.0 - MOTION_SLACK);
    // Never is a frame far away; a quotient of zeros is now.
    if time.is_nan() { 1 } else { time.clamp(1.0, FOREVER).ceil() as u64 }
}

const FOREVER: Real = 1_000_000_000.0;

/// A heap no larger than this is never searched for entries that mean nothing.
const MANY: usize = 256;

/// Pairs by the frame in which they must be looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Schedule {
    heap: BinaryHeap<Reverse<(u64, Pair, u32)>>,
    stamp: u32,
}

impl Schedule {
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns the entry's stamp; an entry whose stamp is not that of its pair, which is never zero, means nothing.
    pub fn wake_at(&mut self, frame: u64, pair: Pair) -> u32 {
        self.stamp = self.stamp.wrapping_add(1).max(1);
        self.heap.push(Reverse((frame, pair, self.stamp)));
        self.stamp
    }

    /// Drops the entries that mean nothing once they are many, so that the heap grows with the pairs alone.
    pub fn prune(&mut self, pairs: usize, mut is_valid: impl FnMut(Pair, u32) -> bool) {
        if self.heap.len() > MANY.max(2 * pairs) {
            self.heap.retain(|Reverse((_, pair, stamp))| is_valid(*pair, *stamp));
        }
    }

    /// The next pair that is due.
    pub fn pop_due(&mut self, now: u64) -> Option<(Pair, u32)> {
        let Reverse((frame, pair, stamp)) = *self.heap.peek()?;
        (frame <= now).then(|| {
            self.heap.pop();
            (pair, stamp)
        })
    }
}
