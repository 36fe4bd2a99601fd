//! Contacts by region, and the few of each that are kept.
//!
//! As with convex bodies, a contact keeps the name it had in the last frame as long as the named features are there, and those chosen stay
//! as long as they are nearly as good. Regions and their contacts are in the order of their names.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::found::{BodyContact, Found, Limits, REGION_POINTS, REGIONS};
use super::names::{Bodies, BodyNames};
use crate::answer::Feature;
use crate::math::widen_real;
use crate::tolerance::{NEARLY_AS_LARGE, SAME_DIRECTION};

/// Contacts kept of a region before they are thinned to its hull.
const KEPT: usize = 64;

/// A direction of two parts, with its contacts.
struct Region {
    parts: [u32; 2],
    normal: DVec3,
    found: ArrayVec<Found, KEPT>,
}

/// All regions, the first come first.
pub(super) struct Regions<'n> {
    pub limits: Limits,
    most: usize,
    known: &'n BodyNames,
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

    fn add(&mut self, new: Found, slop: f64, known: &BodyNames) {
        // One place under several names, or one contact along directions that differ by little.
        let is_same = |other: &&mut Found| {
            other.on_a.distance_squared(new.on_a) <= slop * slop
                || other.features == new.features && new.features != [Feature::WHOLE; 2]
        };
        if let Some(same) = self.found.iter_mut().find(is_same) {
            let is_known = known.contain(new.features) && !known.contain(same.features);
            if new.depth > same.depth + slop || is_known && new.depth >= same.depth - slop {
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

    /// Of the corners of the hull and the deepest the best so many; those of the last frame if they are nearly as good.
    fn best(&self, count: usize, slop: f64, bodies: &Bodies<'_>, known: &BodyNames) -> ArrayVec<usize, REGION_POINTS> {
        if self.found.len() == 1 {
            return ArrayVec::from_iter([0]);
        }
        let places = self.places();
        let kept = self.outline(&places, slop);
        let deep = |i: usize| self.found[i].depth;
        let better = |best: usize, i: usize| if deep(i) > deep(best) + slop { i } else { best };
        let Some(first) = kept.iter().copied().reduce(better) else {
            return ArrayVec::new();
        };
        let chosen = greedy(&places, &kept, first, count);
        if self.found.len() <= count {
            return chosen;
        }
        let last = (0..self.found.len()).filter(|&i| known.contain(self.found[i].features));
        let last = around(&places, last.take(count.min(REGION_POINTS) + 1).collect());
        let own = widen_real(NEARLY_AS_LARGE) * area(&places, &chosen);
        let mut anchors = last.iter().filter(|&&i| deep(i) >= deep(first) - bodies.still).peekable();
        let stays = last.len() == chosen.len()
            && anchors.peek().is_some()
            && (area(&places, &last) >= own
                || anchors.any(|&i| {
                    let with = greedy(&places, &kept, i, count);
                    area(&places, &last) >= widen_real(NEARLY_AS_LARGE) * area(&places, &with)
                }));
        if stays { last } else { chosen }
    }

    /// Gives the names of the last frame back to contacts that have the features of these names, and others by rounding.
    fn settle(&mut self, bodies: &Bodies<'_>, known: &BodyNames) {
        let mut strange: ArrayVec<usize, KEPT> =
            (0..self.found.len()).filter(|&i| !known.contain(self.found[i].features)).collect();
        if strange.is_empty() {
            return;
        }
        for name in known.iter().filter(|name| name.map(|feature| feature.part) == self.parts) {
            if self.found.iter().any(|found| found.features == name) {
                continue;
            }
            if let Some(at) = strange.iter().position(|&i| bodies.have(name, &self.found[i])) {
                self.found[strange.remove(at)].features = name;
            }
        }
    }
}

/// The first place, the one farthest from it, and then always the one that adds the most area; in order around them.
fn greedy(places: &[[f64; 2]], kept: &[usize], first: usize, count: usize) -> ArrayVec<usize, REGION_POINTS> {
    let mut chosen = ArrayVec::<usize, REGION_POINTS>::new();
    chosen.push(first);
    let away = |i: usize| {
        let ([x, y], [u, v]) = (places[i], places[first]);
        (x - u) * (x - u) + (y - v) * (y - v)
    };
    let farthest = kept.iter().copied().reduce(|best, i| if away(i) > away(best) { i } else { best }).unwrap_or(first);
    if count > 1 && farthest != first {
        chosen.push(farthest);
    }
    while chosen.len() > 1 && chosen.len() < count {
        let mut best = (0.0, 0, 0);
        for &i in kept.iter().filter(|i| !chosen.contains(i)) {
            for side in 0..chosen.len() {
                let gain = -turn(places[chosen[side]], places[chosen[(side + 1) % chosen.len()]], places[i]);
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
    chosen
}

/// The places in order around their middle.
fn around(places: &[[f64; 2]], mut chosen: ArrayVec<usize, { REGION_POINTS + 1 }>) -> ArrayVec<usize, REGION_POINTS> {
    let count = chosen.len().max(1) as f64;
    let sum = chosen.iter().fold([0.0; 2], |[x, y], &i| [x + places[i][0], y + places[i][1]]);
    let angle = |&i: &usize| (places[i][1] - sum[1] / count).atan2(places[i][0] - sum[0] / count);
    chosen.sort_unstable_by(|i, j| angle(i).total_cmp(&angle(j)));
    chosen.into_iter().take(REGION_POINTS).collect()
}

/// Twice the area of a polygon, or of two places the square of how far they are apart.
fn area(places: &[[f64; 2]], chosen: &[usize]) -> f64 {
    match chosen {
        [] => 0.0,
        &[i] | &[i, _] => {
            let ([x, y], [u, v]) = (places[i], places[chosen[chosen.len() - 1]]);
            (x - u) * (x - u) + (y - v) * (y - v)
        }
        &[first, ref rest @ ..] => {
            rest.windows(2).map(|pair| turn(places[first], places[pair[0]], places[pair[1]])).sum::<f64>().abs()
        }
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

impl<'n> Regions<'n> {
    pub fn new(limits: Limits, most: usize, known: &'n BodyNames) -> Self {
        Self { limits, most, known, list: ArrayVec::new() }
    }

    pub fn add(&mut self, found: Found) {
        if !(self.limits.accepts(found.depth) && found.on_a.is_finite() && found.normal.is_finite()) {
            return;
        }
        let parts = found.features.map(|element| element.part);
        let same = |region: &&mut Region| region.parts == parts && region.normal.dot(found.normal) >= SAME_DIRECTION;
        if let Some(region) = self.list.iter_mut().find(same) {
            return region.add(found, self.limits.slop, self.known);
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
            region.add(found, self.limits.slop, self.known);
        }
    }

    /// Adds the contacts that are kept, in the order of their names: those of a region together, regions by the first of theirs.
    pub fn choose(&mut self, bodies: &Bodies<'_>, contacts: &mut ArrayVec<BodyContact, { REGIONS * REGION_POINTS }>) {
        // By numbers: contacts are large, and are copied once.
        let mut order = ArrayVec::<([Feature; 2], usize, ArrayVec<usize, REGION_POINTS>), REGIONS>::new();
        for (number, region) in self.list.iter_mut().enumerate() {
            region.settle(bodies, self.known);
            let mut chosen = region.best(self.most, self.limits.slop, bodies, self.known);
            chosen.sort_unstable_by_key(|&i| region.found[i].features);
            let Some(&first) = chosen.first() else { continue };
            order.push((region.found[first].features, number, chosen));
        }
        order.sort_by_key(|(first, ..)| *first);
        for (_, number, chosen) in &order {
            contacts.extend(chosen.iter().map(|&i| self.list[*number].found[i].contact()));
        }
    }
}
