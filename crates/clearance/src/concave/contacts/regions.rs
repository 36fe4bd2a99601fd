//! Contacts by region, and the few of each that are kept.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::found::{BodyContact, Found, Limits, REGION_POINTS, REGIONS};
use crate::tolerance::SAME_DIRECTION;

/// Contacts kept of a region before they are thinned to its hull.
const KEPT: usize = 64;

/// A direction of two parts, with its contacts.
struct Region {
    parts: [u32; 2],
    normal: DVec3,
    found: ArrayVec<Found, KEPT>,
}

/// All regions, the first come first.
pub(super) struct Regions {
    limits: Limits,
    most: usize,
    list: ArrayVec<Region, REGIONS>,
}

impl Region {
    fn depth(&self) -> f64 {
        self.found.iter().map(|found| found.depth).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The places of the contacts across the direction.
    fn places(&self) -> ArrayVec<[f64; 2], KEPT> {
        let u = self.normal.any_orthonormal_vector();
        let v = self.normal.cross(u);
        let place = |found: &Found| {
            let from_first = found.on_a - self.found[0].on_a;
            [u.dot(from_first), v.dot(from_first)]
        };
        self.found.iter().map(place).collect()
    }

    fn add(&mut self, new: Found, slop: f64) {
        if let Some(same) = self.found.iter_mut().find(|other| other.on_a.distance_squared(new.on_a) <= slop * slop) {
            if new.depth > same.depth + slop {
                *same = new;
            }
            return;
        }
        if self.found.is_full() {
            self.thin(slop);
        }
        // A hull of all that there is room for: its least corner is no loss worth the room.
        let _ = self.found.try_push(new);
    }

    /// Leaves the corners of the convex hull and the deepest.
    fn thin(&mut self, slop: f64) {
        let kept = self.outline(&self.places(), slop);
        self.found = kept.into_iter().map(|i| self.found[i]).collect();
    }

    /// The corners of the convex hull and the deepest.
    fn outline(&self, places: &[[f64; 2]], slop: f64) -> ArrayVec<usize, KEPT> {
        let mut kept = hull(places, slop);
        let deep = |i: usize| self.found[i].depth;
        let deepest = (0..self.found.len()).reduce(|best, i| if deep(i) > deep(best) + slop { i } else { best });
        if let Some(deepest) = deepest
            && !kept.iter().any(|&i| deep(i) + slop >= deep(deepest))
            && kept.try_insert(0, deepest).is_err()
        {
            kept[0] = deepest;
        }
        if kept.is_full() {
            // Every other corner of a hull as rich as this.
            kept = kept.into_iter().step_by(2).collect();
        }
        kept
    }

    /// Of the corners of the hull and the deepest: the deepest, the one farthest from it, and then always the one that adds the most
    /// area.
    fn best(&self, count: usize, slop: f64) -> ArrayVec<usize, REGION_POINTS> {
        let places = self.places();
        let kept = self.outline(&places, slop);
        let place = |i: usize| places[kept[i]];
        let deep = |i: usize| self.found[kept[i]].depth;
        let better = |best: usize, i: usize| if deep(i) > deep(best) + slop { i } else { best };
        let mut chosen = ArrayVec::<usize, REGION_POINTS>::new();
        let Some(first) = (0..kept.len()).reduce(better) else {
            return chosen;
        };
        chosen.push(first);
        let away = |i: usize| {
            let ([x, y], [u, v]) = (place(i), place(first));
            (x - u) * (x - u) + (y - v) * (y - v)
        };
        let farthest = (0..kept.len()).reduce(|best, i| if away(i) > away(best) { i } else { best }).unwrap_or(first);
        if count > 1 && farthest != first {
            chosen.push(farthest);
        }
        while chosen.len() > 1 && chosen.len() < count {
            let mut best = (0.0, 0, 0);
            for i in (0..kept.len()).filter(|i| !chosen.contains(i)) {
                for side in 0..chosen.len() {
                    let gain = -turn(place(chosen[side]), place(chosen[(side + 1) % chosen.len()]), place(i));
                    if gain > best.0 {
                        best = (gain, i, side + 1);
                    }
                }
            }
            if !(best.0 > 0.0) {
                break;
            }
            chosen.insert(best.2, best.1);
        }
        chosen.into_iter().map(|i| kept[i]).collect()
    }
}

/// Twice the area to the left of the way from a over b to c.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The corners of the convex hull, counter-clockwise; those within the error of a side are none. From a corner the next is the one
/// that all others are to the left of, and of several in line the farthest.
fn hull(places: &[[f64; 2]], slop: f64) -> ArrayVec<usize, KEPT> {
    let square = |[x, y]: [f64; 2]| x * x + y * y;
    let corner = |i: usize| places.get(i).copied().unwrap_or_default();
    let mut corners = ArrayVec::new();
    // What is farthest from anything is a corner.
    let start = corner(0);
    let away = |[x, y]: [f64; 2]| square([x - start[0], y - start[1]]);
    let Some(mut here) = (0..places.len()).reduce(|a, b| if away(corner(b)) > away(corner(a)) { b } else { a }) else {
        return corners;
    };
    while corners.len() < places.len().min(KEPT) {
        corners.push(here);
        let [x, y] = corner(here);
        // The next corner, the way to it and the square of that.
        let mut next: Option<(usize, [f64; 2], f64)> = None;
        for (i, &[u, v]) in places.iter().enumerate() {
            let way = [u - x, v - y];
            let away = square(way);
            if !(away > slop * slop) {
                continue;
            }
            let Some((_, best, farther)) = next else {
                next = Some((i, way, away));
                continue;
            };
            let side = best[0] * way[1] - best[1] * way[0];
            let is_in_line = side * side <= slop * slop * farther.max(away);
            let beyond = away > farther && best[0] * way[0] + best[1] * way[1] > 0.0;
            // To the right of the best, or in line with it and farther.
            if side < 0.0 && !is_in_line || is_in_line && beyond {
                next = Some((i, way, away));
            }
        }
        match next {
            Some((next, ..)) if !corners.contains(&next) => here = next,
            _ => break,
        }
    }
    corners
}

impl Regions {
    pub fn new(limits: Limits, most: usize) -> Self {
        Self { limits, most, list: ArrayVec::new() }
    }

    pub fn add(&mut self, found: Found) {
        if !(self.limits.accepts(found.depth) && found.on_a.is_finite() && found.normal.is_finite()) {
            return;
        }
        let parts = found.features.map(|element| element.part);
        let same = |region: &&mut Region| region.parts == parts && region.normal.dot(found.normal) >= SAME_DIRECTION;
        if let Some(region) = self.list.iter_mut().find(same) {
            return region.add(found, self.limits.slop);
        }
        if self.list.is_full() {
            // The shallowest makes room if it is shallower than this.
            let depths = self.list.iter().map(Region::depth).enumerate();
            let Some((place, depth)) = depths.reduce(|a, b| if b.1 < a.1 { b } else { a }) else { return };
            if !(depth < found.depth) {
                return;
            }
            self.list.remove(place);
        }
        self.list.push(Region { parts, normal: found.normal, found: ArrayVec::new() });
        if let Some(region) = self.list.last_mut() {
            region.add(found, self.limits.slop);
        }
    }

    /// Adds the contacts that are kept.
    pub fn choose(&self, contacts: &mut ArrayVec<BodyContact, { REGIONS * REGION_POINTS }>) {
        let mut order: ArrayVec<(f64, &Region), REGIONS> =
            self.list.iter().map(|region| (region.depth(), region)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, region) in order {
            let chosen = region.best(self.most, self.limits.slop);
            contacts.extend(chosen.into_iter().map(|i| region.found[i].contact()));
        }
    }
}
