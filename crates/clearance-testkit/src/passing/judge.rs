//! One cast judged: exact at its ends, dense between them.
//!
//! From a place at which the surfaces are a distance d apart, nothing meets before some vertex has gone d. So a way is looked at
//! where that has been used up, or at the next of [`STEPS`] equal steps if that is farther; only after such a step can the surfaces
//! have met unseen, and only for less than a step. Places on the way are rounded to `f64`, which is less than a sixtieth of any zone.
//!
//! A stop must be at a contact: within [`NEAR`] zones where it stopped, or on going on along the motion by the way in which it sinks
//! through [`SINKING`] zones: that is a few zones for a motion towards a surface, and more for one that grazes it. Those are counted.
//! The zone about a sharp edge reaches [`SHARP`] zones in a rotation; stops there are counted too.

use glam::DVec3;

use super::Answer;
use super::motion::Motion;
use super::surface::{Fixed, Placed, Placement, Surface};
use super::tally::{Fault, Tally};
use crate::meshes::Polyhedron;

/// Steps of the sampling.
pub const STEPS: u32 = 64;
/// Zones within which a stop is a contact: one above a surface, and two to its sides.
pub const NEAR: f64 = 3.0;
/// The same for rotations, where the zone goes to the mitre of the planes beside an edge, drawn back to sixteen.
pub const SHARP: f64 = 17.0;
/// Zones that a motion stopped sinks through, farther on.
pub const SINKING: f64 = 4.0;
/// Zones of the way that tight bounds of a stop are apart at most.
pub const TIGHT: f64 = 16.0;
/// Places looked at beyond a stop.
const BEYOND: u32 = 32;
/// Zones by which a body moved aside, or drawn in, is no longer in an overlap that is called shallow.
const SHALLOW: f64 = 4.0;

/// A motion of a body in a world.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The world.
    pub fixed: &'a Fixed<'a>,
    /// The body.
    pub body: &'a Surface,
    /// Where it starts.
    pub start: Placement,
    /// How it moves.
    pub motion: Motion,
    /// The start is one drawn at random, and not where a cast ended. Within [`DRAWN`] zones of something nothing is promised of it.
    pub drawn: bool,
}

/// Zones within which a start that was drawn at random is not judged: there rounding alone may bring bodies into contact.
pub const DRAWN: f64 = 0.25;

impl<'a> Case<'a> {
    fn placed(&self, at: Placement) -> Placed<'a> {
        Placed::new(self.body, at, self.fixed.origin)
    }

    /// Judges an answer, given where its pose puts the body. Whether all is well, so that a next cast may start there.
    pub fn judge<P>(&self, answer: &Answer<P>, end: Placement, tally: &mut Tally, note: impl Fn() -> String) -> bool {
        let start = self.placed(self.start);
        let wrong = tally.wrong();
        let zone = answer.zone;
        let note = || format!("{}; zone {zone:e}, fraction {}, normal {:?}", note(), answer.fraction, answer.normal);
        if self.fixed.overlaps(&start) {
            self.judge_overlap(&start, answer.overlaps, zone, tally, note);
            return false;
        }
        let apart = self.fixed.gap(&start, 4.0 * zone) / zone;
        let note = || format!("{apart:.3} zones at the start; {}", note());
        if self.drawn && apart < DRAWN {
            tally.drawn_near += 1;
            return false;
        }
        tally.casts += 1;
        tally.turns += u64::from(self.motion.turns());
        tally.hits += u64::from(answer.normal.is_some());
        if answer.overlaps {
            tally.fault(Fault::FalseOverlap, note);
            return false;
        }
        tally.touching += u64::from(apart < 2.0);
        if !self.is_consistent(answer, &start, end) {
            tally.fault(Fault::Inconsistent, note);
        }
        if let Some(share) = self.meets_before(&start, answer.fraction, tally) {
            let fault = if answer.normal.is_some() { Fault::Earlier } else { Fault::Missed };
            tally.fault(fault, || format!("at {share}; {}", note()));
        }
        if !self.are_bounds(answer, &start, tally) {
            tally.fault(Fault::Bounds, || format!("{:?}; {}", answer.bounds, note()));
        }
        let reached = self.placed(end);
        if self.fixed.meets(&reached) {
            tally.fault(Fault::Pierced, note);
        } else if self.fixed.contains(&reached) {
            tally.fault(Fault::Contained, note);
        } else {
            let left = self.fixed.gap(&reached, 4.0 * zone) / zone;
            tally.gap(left, apart);
            if let Some(normal) = answer.normal {
                let stop = Stop { share: answer.fraction, normal, zone };
                self.judge_stop([&start, &reached], &stop, left, tally, note);
            }
        }
        tally.wrong() == wrong
    }

    fn judge_overlap(
        &self,
        start: &Placed,
        reported: bool,
        zone: f64,
        tally: &mut Tally,
        note: impl FnOnce() -> String,
    ) {
        let mut moved = start.clone();
        let middle = start.points.iter().sum::<DVec3>() / start.points.len() as f64;
        let directions = (0..27).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) - 1.0);
        let tries = directions.flat_map(|d| [0.0, 1.0].map(|drawn_in| (d.normalize_or_zero(), drawn_in)));
        let by = SHALLOW * zone;
        let shallow = tries.into_iter().any(|(direction, drawn_in)| {
            moved.put(|i| {
                let p = start.points[i];
                p + direction * by + (middle - p).clamp_length_max(by) * drawn_in
            });
            !self.fixed.overlaps(&moved)
        });
        if shallow {
            tally.shallow += 1;
        } else if reported {
            tally.overlaps += 1;
        } else {
            tally.fault(Fault::MissedOverlap, note);
        }
    }

    /// Whether the numbers of an answer belong together.
    fn is_consistent<P>(&self, answer: &Answer<P>, start: &Placed, end: Placement) -> bool {
        let free = answer.normal.is_some() || answer.fraction == 1.0;
        let unit = answer.normal.is_none_or(|n| (n.length() - 1.0).abs() < 1e-5);
        let share = answer.fraction;
        let reached = self.placed(end);
        let there = |(p, q): (&DVec3, &DVec3)| {
            let expected = self.motion.moved(*p, share, self.fixed.origin);
            expected.distance(*q) <= answer.zone
        };
        let agrees = start.points.iter().zip(&reached.points).all(there);
        answer.converged && free && unit && (0.0..=1.0).contains(&share) && answer.zone > 0.0 && agrees
    }

    /// Where on the way up to a share the surfaces are found to meet.
    fn meets_before(&self, start: &Placed, share: f64, tally: &mut Tally) -> Option<f64> {
        let origin = self.fixed.origin;
        let length = self.motion.length(&start.points, origin);
        let step = share / f64::from(STEPS);
        let mut body = start.clone();
        let mut at = 0.0;
        let mut near = false;
        while at < share {
            // After a look that found something near, the next few steps are taken without asking how near.
            let free = if near { 0.0 } else { self.fixed.gap(&body, length * (share - at)) / length };
            near = !near && free < step;
            at = (at + free.max(step)).min(share);
            self.motion.place(&mut body, &start.points, at, origin);
            tally.samples += 1;
            if free < step && self.fixed.meets(&body) {
                return Some(at);
            }
        }
        None
    }

    /// Whether the first contact is within the bounds: the bodies are apart at the lower one, before which no contact was found, and
    /// share a point at the upper one, or on the way there. The end of the motion bounds everything.
    fn are_bounds<P>(&self, answer: &Answer<P>, start: &Placed, tally: &mut Tally) -> bool {
        let (origin, [lower, upper]) = (self.fixed.origin, answer.bounds);
        if !(0.0 <= lower && lower <= answer.fraction && answer.fraction <= upper && upper <= 1.0) {
            return false;
        }
        let mut body = start.clone();
        self.motion.place(&mut body, &start.points, lower, origin);
        if self.fixed.overlaps(&body) {
            return false;
        }
        if answer.normal.is_none() || upper == 1.0 {
            return answer.normal.is_some() || lower == 1.0;
        }
        tally.bounded += 1;
        let way = self.motion.length(&start.points, origin) * (upper - lower);
        tally.tight += u64::from(way <= TIGHT * answer.zone);
        self.motion.place(&mut body, &start.points, upper, origin);
        self.fixed.overlaps(&body)
            || (1..STEPS).any(|i| {
                let share = lower + (upper - lower) * f64::from(i) / f64::from(STEPS);
                self.motion.place(&mut body, &start.points, share, origin);
                self.fixed.meets(&body)
            })
            || self.passes(start, [lower, upper])
    }

    /// Whether an edge of the body goes through the world's surface on a part of a straight way. Sheets that are parallel pass through each
    /// other in no time, which no sampling finds.
    fn passes(&self, start: &Placed, shares: [f64; 2]) -> bool {
        if self.motion.turns() {
            return false;
        }
        let origin = self.fixed.origin;
        let vertices: Vec<DVec3> = shares
            .iter()
            .flat_map(|&share| start.points.iter().map(move |p| self.motion.moved(*p, share, origin)))
            .collect();
        let count = start.points.len() as u32;
        let swept = |[a, b]: [u32; 2]| vec![a, b, b + count, a + count];
        let faces = start.surface.edges.iter().map(|&edge| swept(edge)).collect();
        let surface = Surface::new(&Polyhedron { vertices: vertices.clone(), faces });
        self.fixed.meets(&Placed::given(&surface, vertices))
    }

    fn near(&self, body: &Placed, distance: f64) -> bool {
        self.fixed.gap(body, 2.0 * distance) <= distance || self.fixed.meets(body)
    }

    fn judge_stop(
        &self,
        [start, end]: [&Placed; 2],
        stop: &Stop,
        left: f64,
        tally: &mut Tally,
        note: impl FnOnce() -> String,
    ) {
        if left <= NEAR {
            return;
        }
        if self.motion.turns() && self.near(end, SHARP * stop.zone) {
            tally.sharp += 1;
            return;
        }
        let origin = self.fixed.origin;
        let length = self.motion.length(&start.points, origin);
        let way = stop.sinking(&self.motion, &start.points, origin);
        tally.grazing += u64::from(way > 2.0 * SINKING * stop.zone);
        let mut body = start.clone();
        // Evenly, and ever nearer to the stop.
        let parts =
            (1..=BEYOND).map(|i| f64::from(i) / f64::from(BEYOND)).chain((1..=BEYOND).map(|i| 0.5_f64.powi(i as i32)));
        let found = parts.into_iter().any(|part| {
            self.motion.place(&mut body, &start.points, stop.share + way / length * part, origin);
            self.near(&body, NEAR * stop.zone)
        });
        if !found {
            tally.fault(Fault::Nothing, || format!("{left} zones left, {way} looked at; {}", note()));
        }
    }
}

struct Stop {
    share: f64,
    normal: DVec3,
    zone: f64,
}

impl Stop {
    /// The way in which the body sinks by [`SINKING`] zones along the normal, for any of its vertices; at the top of an arc it
    /// falls with the square of the way.
    fn sinking(&self, motion: &Motion, points: &[DVec3], origin: DVec3) -> f64 {
        let depth = SINKING * self.zone;
        match *motion {
            Motion::Translation(by) => depth * by.length() / by.dot(self.normal).abs(),
            Motion::Rotation { .. } => depth.max(2.0 * (depth * motion.arm(points, origin)).sqrt()),
        }
    }
}
