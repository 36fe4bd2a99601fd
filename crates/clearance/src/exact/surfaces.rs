//! Two bodies of which one at least is not convex, by the triangles of their surfaces.
//!
//! They have a point in common if two triangles meet, or if one lies all inside of the other. One enters the inside of the other if a part
//! of its surface does: each triangle that meets the other surface is cut into cells by it, and a point of each cell is located. What
//! is left are two solids of which neither surface enters the other: then their interiors have nothing in common, or they coincide
//! there, and so do their surfaces. So beside each cell that lies on the other surface, both sides are looked at.

use glam::DVec3;

use super::cells::samples;
use super::nearest::{Cloud, square_distance};
use super::solid::Solid;
use super::vector::{Int3, Rational3};
use super::winding::winding;
use crate::answer::Contact;
use crate::bvh::NodeBox;
use crate::math::integer::Int;
use crate::math::triangle::{Prepared, nearest};
use crate::tolerance::EXACT_ROUGHNESS;

/// Two parts whose coordinates are below two to the power `scale`.
pub(super) struct Surfaces<'s> {
    pub bodies: [&'s Solid; 2],
    pub scale: u64,
}

/// Whether one of two triangles is on one side of the other's plane, by more than rounding.
fn surely_apart(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let beside = |[p, q, r]: [DVec3; 3], other: [DVec3; 3]| {
        let normal = (q - p).cross(r - p);
        let heights = other.map(|x| normal.dot(x - p));
        heights.iter().all(|&h| h > EXACT_ROUGHNESS) || heights.iter().all(|&h| h < -EXACT_ROUGHNESS)
    };
    beside(a, b) || beside(b, a)
}

/// Whether a plane keeps two triangles farther apart than a distance, by more than rounding.
fn surely_beyond([a, b]: [[DVec3; 3]; 2], distance: f64) -> bool {
    if !surely_apart(a, b) {
        return false;
    }
    let [from, to] = nearest(&Prepared::new(a), &Prepared::new(b)).points;
    let along = (to - from).normalize_or_zero();
    let lowest = b.map(|p| p.dot(along)).into_iter().fold(f64::INFINITY, f64::min);
    let highest = a.map(|p| p.dot(along)).into_iter().fold(f64::NEG_INFINITY, f64::max);
    lowest - highest > distance + EXACT_ROUGHNESS
}

/// The squared distance of two triangles.
fn between(a: [&Int3; 3], b: [&Int3; 3], rough: [[DVec3; 3]; 2]) -> [Int; 2] {
    let start = b[0].minus(a[0]);
    let (a, b) = (a.map(Clone::clone), b.map(Clone::clone));
    square_distance(Cloud { points: &a, rough: &rough[0] }, Cloud { points: &b, rough: &rough[1] }, &start)
}

impl Surfaces<'_> {
    /// Pairs of triangles whose boxes are within a distance of each other, in units of the scale.
    fn pairs_within(&self, distance: f64, visit: impl FnMut(u32, u32)) {
        let [a, b] = self.bodies.map(Solid::tree);
        a.pairs_with(b, |_, x, _, y| f64::from(x.separation(y)) <= distance, visit);
    }

    pub fn contact(&self) -> Contact {
        let mut meeting = self.bodies.map(|body| vec![Vec::new(); body.triangles.len()]);
        let mut met = false;
        let [a, b] = self.bodies;
        self.pairs_within(0.0, |i, j| {
            let rough = [a.rough_corners(i), b.rough_corners(j)];
            if !surely_apart(rough[0], rough[1]) && between(a.corners(i), b.corners(j), rough)[0].is_zero() {
                met = true;
                meeting[0][i as usize].push(j);
                meeting[1][j as usize].push(i);
            }
        });
        let enters = |i: usize| self.enters(self.bodies[i], self.bodies[1 - i], &meeting[i]);
        match (enters(0) || enters(1), met) {
            (true, _) => Contact::Overlapping,
            (false, true) => Contact::Touching,
            (false, false) => Contact::Apart,
        }
    }

    /// Whether a surface enters the inside of a solid, or both enclose the same space beside it. For each of its triangles there is a list
    /// of the triangles that it meets.
    fn enters(&self, own: &Solid, other: &Solid, meeting: &[Vec<u32>]) -> bool {
        if !other.solid {
            return false;
        }
        let seed = |&v: &u32| {
            let point = Rational3::new(own.points[v as usize].clone(), Int::from(1));
            winding(other, &point, self.scale, None).is_some_and(|count| count > 0)
        };
        let cut = (0..).zip(meeting).filter(|(_, met)| !met.is_empty());
        own.seeds.iter().any(seed) || cut.into_iter().any(|(t, met)| self.triangle_enters(own, t, other, met))
    }

    fn triangle_enters(&self, own: &Solid, triangle: u32, other: &Solid, met: &[u32]) -> bool {
        let corners = own.corners(triangle);
        let mut cutters: Vec<[&Int3; 3]> = met.iter().map(|&t| other.corners(t)).collect();
        let normal = corners[1].minus(corners[0]).cross(&corners[2].minus(corners[0]));
        let in_plane = |cutter: &[&Int3; 3]| cutter.iter().all(|p| normal.dot(&p.minus(corners[0])).is_zero());
        let resting = own.solid && !normal.is_zero() && cutters.iter().any(in_plane);
        if resting {
            // Its own surface changes what is beside it only where it goes through itself.
            let near = NodeBox::enclosing(&own.box_of(triangle));
            own.tree().overlapping(&near, |t| {
                if t != triangle {
                    cutters.push(own.corners(t));
                }
            });
        }
        samples(corners, &cutters).iter().any(|point| match winding(other, point, self.scale, None) {
            Some(count) => count > 0,
            None if resting => [1, -1].into_iter().any(|sign| {
                let inside = |body: &Solid| {
                    winding(body, point, self.scale, Some((&normal, sign))).is_some_and(|count| count > 0)
                };
                inside(other) && inside(own)
            }),
            None => false,
        })
    }

    /// The squared distance, if it is not above a known bound; `bound` is an upper bound of the distance in units of the scale.
    pub fn square_distance(&self, bound: f64) -> Option<[Int; 2]> {
        let [a, b] = self.bodies;
        let inside = |own: &Solid, other: &Solid| {
            other.solid
                && own.seeds.iter().any(|&v| {
                    let point = Rational3::new(own.points[v as usize].clone(), Int::from(1));
                    winding(other, &point, self.scale, None).is_none_or(|count| count > 0)
                })
        };
        if inside(a, b) || inside(b, a) {
            return Some([Int::default(), Int::from(1)]);
        }
        let limit = bound + EXACT_ROUGHNESS;
        let mut best: Option<[Int; 2]> = None;
        self.pairs_within(limit, |i, j| {
            let rough = [a.rough_corners(i), b.rough_corners(j)];
            if surely_beyond(rough, limit) || best.as_ref().is_some_and(|[over, _]| over.is_zero()) {
                return;
            }
            let here = between(a.corners(i), b.corners(j), rough);
            let nearer = best
                .as_ref()
                .is_none_or(|best| super::vector::compare_ratios([&here[0], &here[1]], [&best[0], &best[1]]).is_lt());
            if nearer {
                best = Some(here);
            }
        });
        best
    }
}
