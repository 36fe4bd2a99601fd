//! Proofs that all pairs of pieces of two bodies are apart: a cut through both bodies' halvings, with a plane for each pair of parts; at
//! rest, or while one body moves.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::block::{Block, Form};
use super::nearest::{Named, Simplex, nearest};
use super::record::{NotCertified, Side};
use super::value::Value;
use crate::tolerance::{PROOF_LEAVES, PROOF_MARGIN};

/// A motion of B as records have it, about a centre, seen from the common origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turning {
    pub centre: DVec3,
    pub linear: DVec3,
    pub angular: DVec3,
}

/// A part of the motion's time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub motion: Turning,
    pub middle: f64,
    pub half: f64,
}

impl Turning {
    pub fn turn(&self, time: f64) -> DMat3 {
        let axis = self.angular * time;
        let angle = axis.length();
        if angle > 0.0 { DMat3::from_axis_angle(axis / angle, angle) } else { DMat3::IDENTITY }
    }
}

/// Two bodies, B at a time of its motion if it has one.
#[derive(Debug)]
pub(super) struct Scene<'s> {
    pub sides: [&'s Side; 2],
    pub size: f64,
    interval: Option<(Interval, DMat3)>,
    /// The largest distance of a point of B from the centre.
    arm: f64,
    leaves: u32,
}

/// Parts of the lists of pieces.
type Parts = [Range<usize>; 2];

/// Why there is no cut.
#[derive(Debug)]
pub(super) enum NoCut {
    /// A pair of pieces is nearer.
    Near(Box<Simplex>),
    /// The one plane that there could be is not one.
    Plane,
    Refused(NotCertified),
}

impl<'s> Scene<'s> {
    pub fn new(sides: [&'s Side; 2], interval: Option<Interval>) -> Self {
        // Of a half-space the point of its plane that stands for it counts.
        let reach = |side: &Side, from: DVec3| {
            let balls = side.blocks.iter().map(|block| block.ball());
            let far =
                |(middle, radius): (DVec3, f64)| middle.distance(from) + if radius.is_finite() { radius } else { 0.0 };
            balls.map(far).fold(0.0, f64::max)
        };
        let centre = interval.map_or(DVec3::ZERO, |interval| interval.motion.centre);
        let turns = interval.is_some_and(|interval| interval.motion.angular != DVec3::ZERO);
        let arms = sides[1].blocks.iter().map(|block| block.arm(centre));
        let arm = if turns { arms.fold(0.0, f64::max) } else { reach(sides[1], centre) };
        let way = interval.map_or(0.0, |interval| interval.motion.linear.length());
        let size = reach(sides[0], DVec3::ZERO) + arm + centre.length() + way;
        let interval = interval.map(|interval| (interval, interval.motion.turn(interval.middle)));
        Self { sides, size, interval, arm, leaves: 0 }
    }

    pub fn all(&self) -> Parts {
        self.sides.map(|side| 0..side.order.len())
    }

    /// How far computed support values may be off, with much to spare.
    pub fn margin(&self) -> f64 {
        PROOF_MARGIN * self.size
    }

    fn blocks(&self, side: usize, part: &Range<usize>) -> impl Iterator<Item = (u32, &'s Block)> {
        let of = self.sides[side];
        of.order[part.clone()].iter().map(move |&block| (block, &of.blocks[block as usize]))
    }

    /// The block farthest along a direction.
    fn farthest(&self, side: usize, part: &Range<usize>, direction: DVec3) -> (u32, &'s Block) {
        let mut all = self.blocks(side, part);
        let first = all.next().unwrap_or((0, &self.sides[side].blocks[0]));
        if part.len() < 2 {
            return first;
        }
        let mut best = (first, first.1.reach(direction));
        for block in all {
            let reach = block.1.reach(direction);
            if reach > best.1 {
                best = (block, reach);
            }
        }
        best.0
    }

    /// A point of B at the middle of the interval.
    fn moved(&self, point: DVec3) -> DVec3 {
        self.interval.map_or(point, |(Interval { motion, middle, .. }, turn)| {
            motion.centre + motion.linear * middle + turn * (point - motion.centre)
        })
    }

    fn turned_back(&self, direction: DVec3) -> DVec3 {
        self.interval.map_or(direction, |(_, turn)| turn.transpose() * direction)
    }

    /// A point of the difference of two parts, before rounding, that is least along a direction.
    pub fn lowest(&self, parts: &Parts, direction: DVec3) -> Named {
        let (of_a, a) = self.farthest(0, &parts[0], direction);
        let back = -self.turned_back(direction);
        let (of_b, b) = self.farthest(1, &parts[1], back);
        let ((p, mark_a), (q, mark_b)) = (a.farthest(direction), b.farthest(back));
        Named { difference: self.moved(q) - p, blocks: [of_a, of_b], marks: [mark_a, mark_b] }
    }

    pub fn nearest(&self, parts: &Parts, first: DVec3) -> Simplex {
        nearest(first, |direction| self.lowest(parts, direction))
    }

    /// How far two parts are apart along a direction, at all times of the interval.
    pub fn gap(&self, parts: &Parts, direction: DVec3) -> f64 {
        let length = direction.length();
        let ahead = self.farthest(0, &parts[0], direction).1.reach(direction);
        let Some((Interval { motion, middle, half }, turn)) = self.interval else {
            let behind = self.farthest(1, &parts[1], -direction).1.reach(-direction);
            return (-behind - ahead) / length;
        };
        if motion.angular != DVec3::ZERO && matches!(self.sides[1].blocks[0].form, Form::HalfSpace(..)) {
            return f64::NEG_INFINITY; // its points are not bounded, and neither is how they turn
        }
        let bow = 0.5 * (half * motion.angular.length()).powi(2) * self.arm * length;
        let at = |tau: f64| {
            let tilted = direction + direction.cross(motion.angular) * tau;
            let back = turn.transpose() * -tilted;
            let behind = self.farthest(1, &parts[1], back).1.reach(back) - motion.centre.dot(back);
            direction.dot(motion.centre + motion.linear * (middle + tau)) - behind
        };
        (at(half).min(at(-half)) - ahead - bow) / length
    }

    /// A cut with all pairs of pieces at least a distance apart.
    pub fn cut(&mut self, target: f64, hint: DVec3) -> Result<Value, NoCut> {
        let all = self.all();
        self.leaves = 0;
        let target = target + self.margin();
        if let Some((_, direction, leaf)) = half_space(self.sides) {
            return if self.gap(&all, direction) >= target { Ok(leaf) } else { Err(NoCut::Plane) };
        }
        self.cut_parts(&all, target, hint)
    }

    fn cut_parts(&mut self, parts: &Parts, target: f64, hint: DVec3) -> Result<Value, NoCut> {
        let plane = |n: DVec3| Value::record([("n", n.into())]);
        if self.gap(parts, hint) >= target {
            return Ok(plane(hint));
        }
        let found = self.nearest(parts, hint);
        let direction = found.nearest.normalize_or(hint);
        if self.gap(parts, direction) >= target {
            return Ok(plane(direction));
        }
        let side = usize::from(parts[1].len() > parts[0].len());
        let count = parts[side].len();
        if count < 2 {
            return Err(NoCut::Near(Box::new(found)));
        }
        self.leaves += 1;
        if self.leaves > PROOF_LEAVES {
            return Err(NoCut::Refused(NotCertified::TooLong { limit: PROOF_LEAVES }));
        }
        let middle = parts[side].start + count / 2;
        let mut halves = [parts.clone(), parts.clone()];
        halves[0][side].end = middle;
        halves[1][side].start = middle;
        let first = self.cut_parts(&halves[0], target, direction)?;
        let second = self.cut_parts(&halves[1], target, direction)?;
        let name = ["a", "b"][side];
        Ok(Value::record([(name, Value::Count(count as u64 / 2)), ("of", Value::List(vec![first, second]))]))
    }

    /// A pair of pieces that is nearer than a distance, if the search comes upon one.
    pub fn pair_within(&mut self, distance: f64, hint: DVec3) -> Result<Option<Simplex>, NotCertified> {
        self.leaves = 0;
        // The cut asks for the margin as well; a pair that fails it may be a little farther.
        match self.cut_parts(&self.all(), distance, hint) {
            Ok(_) | Err(NoCut::Plane) => Ok(None),
            Err(NoCut::Near(simplex)) => Ok(Some(*simplex)),
            Err(NoCut::Refused(error)) => Err(error),
        }
    }
}

/// The half-space of a pair that has one, the direction of the world from A to B across its plane, and the plane as a leaf of a cut.
pub(super) fn half_space(sides: [&Side; 2]) -> Option<(usize, DVec3, Value)> {
    (0..2).find_map(|side| {
        let Block { form: Form::HalfSpace(normal, _), map, .. } = sides[side].blocks.first()? else { return None };
        let sign = [1.0, -1.0][side];
        let leaf = Value::record([("n", (*normal * sign).into()), ("frame", Value::Name(["a", "b"][side]))]);
        Some((side, map.matrix.inverse().transpose() * *normal * sign, leaf))
    })
}
