//! A pair of parts of which at least one moves relative to the other. Parts of one moving assembly are looked at in its frame, so that a joint
//! between them is followed exactly.

use std::cell::RefCell;

use clearance::{Body, Cache, Cast, CastOptions, Closest, End, Motion, Pose, Start, closest, time_of_impact};

use super::broad::Boxes;
use super::finding::Finding;
use super::rest::{self, bodies};
use crate::scene::{Assembly, PairRule, Timeline};
use crate::tolerance::MOVES_AS_ONE;

/// A pair in motion.
pub(super) struct Pair<'a> {
    pub assembly: &'a Assembly,
    pub parts: [usize; 2],
    pub bodies: [&'a Body; 2],
    pub timeline: &'a Timeline,
    pub size: f64,
    /// How many links of their assemblies both have in common; none if these do not move.
    common: usize,
    cache: RefCell<Cache>,
    /// The distances at the times of the timeline that were asked for.
    known: RefCell<Vec<Option<Closest>>>,
}

impl<'a> Pair<'a> {
    /// The pair, if one moves relative to the other.
    pub fn new(assembly: &'a Assembly, parts: [usize; 2]) -> Option<Self> {
        let timeline = assembly.timeline.as_ref()?;
        if parts.iter().all(|part| timeline.of_part[*part].is_none()) {
            return None;
        }
        let bodies = bodies(assembly, parts)?;
        let size = bodies[0].bounding_radius() + bodies[1].bounding_radius();
        let known = RefCell::new(vec![None; timeline.times.len()]);
        let common = timeline.common_links(parts);
        let pair = Self { assembly, parts, bodies, timeline, size, common, cache: RefCell::default(), known };
        (!pair.moves_as_one()).then_some(pair)
    }

    fn moves_as_one(&self) -> bool {
        let relative = |step: usize| {
            let [a, b] = self.poses(step);
            b.relative_to(&a)
        };
        let first = relative(0);
        (1..self.timeline.times.len()).all(|step| {
            let now = relative(step);
            let far = self.size + first.translation().length();
            let moved = (now.translation() - first.translation()).abs().max_element();
            let turned =
                (now.matrix() - first.matrix()).to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            moved <= MOVES_AS_ONE * far && turned <= MOVES_AS_ONE
        })
    }

    /// Both poses at one of the times, in the frame of the assembly that both are in.
    pub fn poses(&self, step: usize) -> [Pose; 2] {
        self.parts.map(|part| self.pose(part, step))
    }

    fn pose(&self, part: usize, step: usize) -> Pose {
        if self.common > 0 {
            return self.timeline.pose_of_links(part, self.common..self.timeline.links(part), step);
        }
        self.timeline.pose(part, step).unwrap_or(self.assembly.parts[part].pose)
    }

    /// The motions from one of the times to the next.
    pub fn motions(&self, step: usize) -> [Motion; 2] {
        self.parts.map(|part| Motion::between(self.pose(part, step), self.pose(part, step + 1)))
    }

    /// Both poses at a share of the time from one of the times to the next.
    pub fn poses_between(&self, step: usize, share: f64) -> [Pose; 2] {
        self.motions(step).map(|motion| motion.pose(share))
    }

    /// What a signed distance at a share of a step means under a rule, in world space.
    pub fn finding(&self, step: usize, share: f64, rule: &PairRule, near: &Closest) -> Option<Finding> {
        let poses = self.poses_between(step, share);
        if self.common == 0 {
            return rest::finding(self.assembly, self.parts, [&poses[0], &poses[1]], rule, near);
        }
        let frame = |step: usize| self.timeline.pose_of_links(self.parts[0], 0..self.common, step);
        let frame = Motion::between(frame(step), frame(step + 1)).pose(share);
        let poses = poses.map(|pose| frame.compose(&pose));
        let near = self.near_at(&poses);
        rest::finding(self.assembly, self.parts, [&poses[0], &poses[1]], rule, &near)
    }

    /// The distance at one of the times.
    pub fn near(&self, step: usize) -> Closest {
        if let Some(known) = self.known.borrow()[step] {
            return known;
        }
        let near = self.near_at(&self.poses(step));
        self.known.borrow_mut()[step] = Some(near);
        near
    }

    /// The distance under given poses.
    pub fn near_at(&self, [a, b]: &[Pose; 2]) -> Closest {
        closest(self.bodies[0], a, self.bodies[1], b, &mut self.cache.borrow_mut())
    }

    /// Times with the bounds of the distance then, of those that were asked for.
    pub fn samples(&self) -> Vec<[f64; 3]> {
        let known = self.known.borrow();
        let sample = |(time, near): (&f64, &Option<Closest>)| near.map(|near| [*time, near.lower, near.upper]);
        self.timeline.times.iter().zip(known.iter()).filter_map(sample).collect()
    }

    /// When the bodies come as near as a clearance between one time and the next; nothing if they certainly do not. Backwards in time if
    /// that is asked for. The shares are of that span of time, from where it starts.
    pub fn impact(&self, step: usize, clearance: f64, backwards: bool) -> Option<Cast> {
        let [mut a, mut b] = self.motions(step);
        if backwards {
            [a, b] = [a, b].map(|motion| Motion::between(motion.pose(1.0), motion.pose(0.0)));
        }
        let options = CastOptions { clearance, ..CastOptions::default() };
        let cache = &mut self.cache.borrow_mut();
        let found = time_of_impact(self.bodies[0], &a, self.bodies[1], &b, cache, &options);
        // A question that is refused proves nothing to be free.
        let found = found.unwrap_or(Cast {
            fraction: 0.0,
            lower: 0.0,
            upper: 1.0,
            start: Start::Apart,
            hit: None,
            end: End::Degenerate,
            iterations: 0,
        });
        let is_free = found.hit.is_none() && found.lower >= 1.0;
        (!is_free).then_some(found)
    }

    /// The time at a share of the span from one of the times to the next.
    pub fn time(&self, step: usize, share: f64) -> f64 {
        let [from, to] = [self.timeline.times[step], self.timeline.times[step + 1]];
        if share >= 1.0 { to } else { from + (to - from) * share }
    }

    /// A lower bound of the distance from one of the times to the next, by boxes. These are of the world; what moves in the frame of an
    /// assembly goes another way between the times.
    pub fn gap(&self, boxes: &Boxes, step: usize) -> f64 {
        if self.common > 0 { 0.0 } else { boxes.gap(self.parts, step) }
    }

    /// One of the times as a share of a step.
    pub fn place(&self, time: usize) -> (usize, f64) {
        if time + 1 < self.timeline.times.len() { (time, 0.0) } else { (time - 1, 1.0) }
    }

    /// A bound on how much the distance may change in either half of the span from one of the times to the next.
    pub fn most_change(&self, step: usize) -> f64 {
        let motions = self.motions(step);
        [0, 1].into_iter().map(|i| 0.5 * motions[i].speed(self.bodies[i].bounding_radius())).sum()
    }
}
