//! The nearest or deepest pair of a configuration.
//!
//! Balls and boxes, and then planes, bound the distances. The pair that seems the nearest is measured first; what is farther by its bounds is
//! left out, and the others are measured by their lower bounds, until these exceed what was found. Bodies at rest whose boxes are away from
//! the robot as a whole are not looked at before that.

use clearance::{Aabb, Cache, Closest, Vec3, closest, distance};

use crate::answer::Near;
use crate::chain::Placed;
use crate::configs::Scratch;
use crate::gaps::{BELOW, Plane, best_plane, sort};
use crate::workcell::Workcell;

/// How far pairs may seem farther than the nearest one and still be looked at by planes before it is measured, as a share of its radii.
const NEARLY: f64 = 0.05;

impl Workcell {
    /// The nearest or deepest pair; none without pairs. Without `depths` a pair that overlaps ends the search.
    pub(crate) fn nearest(&self, error: f64, depths: bool, scratch: &mut Scratch) -> Option<Near> {
        let Scratch { frames, centres, open, far } = scratch;
        self.list_near(centres, open, far);
        let plane = |index: u32, enough| best_plane(&self.pairs[index as usize], &self.solids, centres, frames, enough);
        let first = open.iter().min_by(|x, y| x.0.gap.total_cmp(&y.0.gap))?.1;
        // About the distance of the pair whose balls are nearest: pairs that are farther by their balls are not looked at yet.
        let near_by = plane(first, f64::INFINITY).gap + NEARLY * self.quick[first as usize].far;
        for (bound, index) in open.iter_mut().filter(|(bound, _)| bound.gap <= near_by) {
            let better = plane(*index, near_by);
            *bound = Plane { gap: better.gap.max(bound.gap), ..better };
        }
        let measure = |index: u32, start: Vec3| {
            if depths {
                self.near(index, frames, error, start)
            } else {
                self.near_if_apart(index, frames, error, start)
            }
        };
        sort(open);
        let mut best = measure(open[0].1, open[0].0.normal);
        open.swap_remove(0);
        for (gap, group) in far.iter().filter(|(gap, _)| gap - error < best.upper) {
            debug_assert!(*gap > 0.0);
            let pairs = self.groups[*group as usize].clone().map(|index| self.moving_pairs + index);
            open.extend(pairs.map(|index| (self.ball_plane(index, centres), index as u32)));
        }
        open.retain(|(bound, _)| bound.gap - error < best.upper);
        sort(open);
        for &(bound, index) in open.iter() {
            if bound.gap - error >= best.upper || (!depths && best.lower <= 0.0) {
                break;
            }
            let enough = best.upper + error;
            let bound = if bound.normal == Vec3::ZERO { plane(index, enough) } else { bound };
            if bound.gap >= enough {
                continue;
            }
            let near = measure(index, bound.normal);
            let (lower, upper) = (best.lower.min(near.lower), best.upper.min(near.upper));
            best = Near { lower, upper, ..if near.distance < best.distance { near } else { best } };
        }
        Some(best)
    }

    /// Lists the pairs that may be near with their bounds by balls and boxes, and groups of those that are away from the robot as a whole with
    /// theirs.
    fn list_near(&self, centres: &[Vec3], open: &mut Vec<(Plane, u32)>, far: &mut Vec<(f64, u32)>) {
        open.clear();
        far.clear();
        open.extend((0..self.moving_pairs).map(|index| (self.ball_plane(index, centres), index as u32)));
        let around = self.box_of_moving(centres, 0.0);
        for (group, pairs) in self.groups.iter().enumerate() {
            let gap = box_gap(&around, &self.boxes[self.quick[self.moving_pairs + pairs.start].b as usize]);
            // Without other pairs all are near.
            if gap > 0.0 && self.moving_pairs > 0 {
                far.push((gap, group as u32));
                continue;
            }
            let pairs = pairs.clone().map(|index| self.moving_pairs + index);
            open.extend(pairs.map(|index| (self.ball_plane(index, centres), index as u32)));
        }
    }

    /// The bound of a pair by balls and boxes, without a normal.
    fn ball_plane(&self, index: usize, centres: &[Vec3]) -> Plane {
        Plane { gap: self.ball_gap(index, centres), normal: Vec3::ZERO }
    }

    /// The distance of a pair that is apart; one that is not has a distance of zero, at no place.
    fn near_if_apart(&self, index: u32, frames: &[Placed], error: f64, start: Vec3) -> Near {
        let [a, b] = self.solids_of(index);
        let near = distance(&a.body, &a.pose(frames), &b.body, &b.pose(frames), &mut start_from(start));
        match near {
            Some(near) => self.known(index, &near, error),
            None => {
                let (points, normal) = ([a.centre(frames); 2], Vec3::X);
                Near { pair: self.owners(index), distance: 0.0, lower: 0.0, upper: 0.0, points, normal }
            }
        }
    }

    /// The signed distance of a pair, looked for from a direction if it is not zero.
    pub(crate) fn near(&self, index: u32, frames: &[Placed], error: f64, start: Vec3) -> Near {
        let [a, b] = self.solids_of(index);
        let near = closest(&a.body, &a.pose(frames), &b.body, &b.pose(frames), &mut start_from(start));
        self.known(index, &near, error)
    }

    /// What is known about a pair, rounding of the kinematics included.
    fn known(&self, index: u32, near: &Closest, error: f64) -> Near {
        Near {
            pair: self.owners(index),
            distance: near.distance,
            lower: near.lower - error,
            upper: near.upper + error,
            points: near.points,
            normal: near.normal,
        }
    }
}

/// How far apart two boxes are, at least; zero if they overlap.
fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    let between = (b.min - a.max).max(a.min - b.max).max(Vec3::ZERO);
    between.length() * BELOW
}

/// A cache with a direction to start from, if it is not zero.
fn start_from(direction: Vec3) -> Cache {
    if direction == Vec3::ZERO { Cache::default() } else { Cache::along(direction) }
}
