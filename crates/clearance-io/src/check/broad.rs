//! Boxes of parts over all their time, and the pairs of boxes that come near each other: sorted along one axis and swept.

use clearance::{Aabb, Pose, Vec3};
use rayon::prelude::*;

use crate::scene::{Assembly, Geometry};

/// The boxes of all parts.
pub(super) struct Boxes {
    /// The box of each part over the whole motion.
    whole: Vec<Aabb>,
    /// For each part that moves, its box from each time to the next.
    steps: Vec<Vec<Aabb>>,
}

impl Boxes {
    pub fn of(assembly: &Assembly) -> Self {
        let timeline = assembly.timeline.as_ref();
        let moving: Vec<Vec<Aabb>> = timeline.map_or_else(Vec::new, |timeline| {
            let boxes = |moving: &crate::scene::Moving| {
                let geometry = &assembly.geometry[assembly.parts[moving.part].geometry];
                swept(geometry, &moving.poses)
            };
            timeline.moving.par_iter().map(boxes).collect()
        });
        let mut whole: Vec<Aabb> =
            assembly.parts.par_iter().map(|part| aabb(&assembly.geometry[part.geometry], &part.pose)).collect();
        let mut steps = vec![Vec::new(); assembly.parts.len()];
        if let Some(timeline) = timeline {
            for (moving, boxes) in timeline.moving.iter().zip(moving) {
                whole[moving.part] = boxes.iter().fold(whole[moving.part], |all, one| join(&all, one));
                steps[moving.part] = boxes;
            }
        }
        Self { whole, steps }
    }

    /// The pairs that rules do not leave out and whose boxes come as near as they must not, or touch.
    pub fn pairs(&self, assembly: &Assembly) -> Vec<[u32; 2]> {
        let margin = assembly.rules.largest_clearance();
        let spread = |axis: usize| {
            let (min, max) = self
                .whole
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), b| (min.min(b.min[axis]), max.max(b.max[axis])));
            max - min
        };
        let axis = (0..3).fold(0, |best, axis| if spread(axis) > spread(best) { axis } else { best });
        let mut order: Vec<u32> = (0..self.whole.len() as u32).collect();
        order.sort_by(|a, b| self.whole[*a as usize].min[axis].total_cmp(&self.whole[*b as usize].min[axis]));
        let from = |at: usize| {
            let a = order[at];
            let reach = self.whole[a as usize].max[axis] + margin;
            let near = order[at + 1..].iter().take_while(move |b| self.whole[**b as usize].min[axis] <= reach);
            near.filter_map(move |&b| {
                let [a, b] = [a.min(b), a.max(b)];
                let gap = gap(&self.whole[a as usize], &self.whole[b as usize]);
                if gap > margin {
                    return None;
                }
                let rule = assembly.rules.of(a as usize, b as usize);
                (!rule.ignore && gap <= rule.clearance).then_some([a, b])
            })
        };
        let mut pairs: Vec<[u32; 2]> = (0..order.len()).into_par_iter().flat_map_iter(from).collect();
        pairs.sort_unstable();
        pairs
    }

    /// The pairs of which at least one part moves and that rules do not leave out.
    pub fn moving_pairs(&self, assembly: &Assembly) -> Vec<[u32; 2]> {
        let Some(timeline) = &assembly.timeline else { return Vec::new() };
        let count = assembly.parts.len() as u32;
        let is_moving = |part: u32| timeline.of_part[part as usize].is_some();
        let movers: Vec<u32> = (0..count).filter(|part| is_moving(*part)).collect();
        if movers.len() as u64 * u64::from(count) > 4 * super::MOST_CLEARANCES as u64 {
            // More than are wanted, whatever the rules leave out.
            return vec![[0, 0]; super::MOST_CLEARANCES + 1];
        }
        let others = |a: u32| {
            (0..count).filter(move |b| *b != a && (!is_moving(*b) || a < *b)).map(move |b| [a.min(b), a.max(b)])
        };
        let kept = |pair: &[u32; 2]| !assembly.rules.of(pair[0] as usize, pair[1] as usize).ignore;
        movers.iter().flat_map(|a| others(*a)).filter(kept).collect()
    }

    /// A lower bound of the distance of two parts from one time to the next.
    pub fn gap(&self, [a, b]: [usize; 2], step: usize) -> f64 {
        let of = |part: usize| self.steps[part].get(step).unwrap_or(&self.whole[part]);
        gap(of(a), of(b))
    }
}

/// The distance of two boxes; zero if they overlap.
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length()
}

fn join(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.min(b.min), max: a.max.max(b.max) }
}

/// The box of a geometry under a pose, a little larger than it.
fn aabb(geometry: &Geometry, pose: &Pose) -> Aabb {
    let tight = match geometry.ready() {
        Some(body) => body.aabb(pose),
        None => {
            let points = geometry.surface.vertices.iter().map(|vertex| pose.point(*vertex));
            let empty = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
            points.fold(empty, |all, p| Aabb { min: all.min.min(p), max: all.max.max(p) })
        }
    };
    // What touches by rounding must not be lost between the boxes.
    let size = (tight.max - tight.min).max_element() + tight.min.abs().max_element().max(tight.max.abs().max_element());
    let margin = Vec3::splat(crate::tolerance::ON_SURFACE * size);
    Aabb { min: tight.min - margin, max: tight.max + margin }
}

/// Boxes from each time to the next. A point is never farther from the nearer of its two ends than half of the way that it goes, and that is
/// no longer than the screw takes the farthest point.
fn swept(geometry: &Geometry, poses: &[Pose]) -> Vec<Aabb> {
    let boxes: Vec<Aabb> = poses.iter().map(|pose| aabb(geometry, pose)).collect();
    let radius = geometry.surface.vertices.iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
    let radius = geometry.ready().map_or(radius, |body| body.bounding_radius());
    let step = |i: usize| {
        let way = clearance::Motion::between(poses[i], poses[i + 1]).speed(radius);
        let both = join(&boxes[i], &boxes[i + 1]);
        // A straight way stays between its ends.
        let bend = if poses[i].rotation() == poses[i + 1].rotation() { 0.0 } else { 0.5 * way };
        Aabb { min: both.min - Vec3::splat(bend), max: both.max + Vec3::splat(bend) }
    };
    (0..poses.len().saturating_sub(1)).map(step).collect()
}
