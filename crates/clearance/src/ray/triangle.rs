//! A ray and a triangle, decided exactly.
//!
//! Seen along the ray a triangle is flat, and the ray a point: its weights are the areas that it spans with the edges. They are computed
//! in f64 with an error bound; a sign in doubt is computed exactly. So triangles that share an edge agree on which side of it the ray
//! passes, and a weight of zero says that the ray goes through the edge.
//!
//! - *Touched*: the closed triangle is hit, edges and corners included, also if it is seen edge-on.
//! - *Crossed*: the ray is moved by an infinitesimal step (along x, by its square along y, by its cube along z), so that no weight is zero
//!   but for edges along the ray. Triangles seen edge-on are never crossed.

use glam::DVec3;
use robust::Coord;

use super::local::{LocalRay, power_of_two_below};
use crate::math::expansion::{cross_from, line_side};
use crate::math::predicates::orient3d;
use crate::tolerance::{RAY_DOUBT, RAY_MEAN, RAY_PLACE};

/// The corners of a triangle.
pub(super) type Corners = [DVec3; 3];

/// A ray prepared for triangles.
pub(super) struct Probe {
    pub ray: LocalRay,
    /// The axis of the direction's largest component.
    axis: u32,
    /// The direction's components along the other two axes over that one.
    slopes: [f64; 2],
    /// One over the largest component.
    inverse: f64,
    /// The error of a corner's coordinates across the ray.
    place_error: f64,
}

/// A triangle hit by a ray.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage {
    /// The parameter and its bounds.
    pub t: [f64; 3],
    /// The parameters of the triangle's nearest and farthest corners.
    pub piece: [f64; 2],
    /// The weights of the corners, none negative; they need not add up to one. Exactly zero where the ray goes through the opposite edge.
    pub weights: [f64; 3],
    /// 1 if the ray comes from behind, −1 if it comes from the front, 0 if the triangle is seen edge-on.
    pub facing: i32,
}

/// What counts as a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Touched,
    Crossed,
}

/// A corner seen from the ray: across it, and along its axis.
#[derive(Clone, Copy)]
struct Seen {
    x: f64,
    y: f64,
    z: f64,
}

impl Probe {
    /// Prepares a ray for triangles within a radius of the local origin.
    pub fn new(ray: LocalRay) -> Self {
        let d = ray.direction;
        let size = d.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let [x, y, z] = turned(d, axis);
        Self { ray, axis, slopes: [x / z, y / z], inverse: 1.0 / z, place_error: RAY_PLACE * ray.size }
    }

    #[inline]
    fn seen(&self, corner: DVec3) -> Seen {
        let [x, y, z] = turned(corner - self.ray.origin, self.axis);
        Seen { x: x - self.slopes[0] * z, y: y - self.slopes[1] * z, z }
    }

    /// Whether and where the ray hits a triangle at a parameter that is not negative.
    #[inline]
    pub fn passage(&self, corners: &Corners, count: Count) -> Option<Passage> {
        let [a, b, c] = [self.seen(corners[0]), self.seen(corners[1]), self.seen(corners[2])];
        let area = |p: Seen, q: Seen| p.x * q.y - q.x * p.y;
        let weights = [area(b, c), area(c, a), area(a, b)];
        let reach = |p: Seen| greater(p.x.abs(), p.y.abs());
        let reach = greater(greater(reach(a), reach(b)), reach(c));
        let place = self.place_error;
        let error = place * (4.0 * reach + 2.0 * place) + 2.0 * f64::EPSILON * reach * reach;
        let (least, most) = range(weights);
        if least < -error && most > error {
            return None;
        }
        let sum = weights[0] + weights[1] + weights[2];
        let z = [a.z, b.z, c.z];
        let share = 3.0 * error / sum.abs();
        let (lowest, highest) = range(z);
        let spread = highest - lowest;
        let is_certain = least > error || most < -error;
        if !(is_certain && share * spread <= RAY_DOUBT * self.ray.size) {
            return self.exactly(corners, z, count);
        }
        let facing = if (sum > 0.0) == (self.inverse > 0.0) { 1 } else { -1 };
        self.placed(corners, z, weights.map(f64::abs), facing, share)
    }

    /// The same with exact weights.
    #[cold]
    #[inline(never)]
    fn exactly(&self, corners: &Corners, heights: [f64; 3], count: Count) -> Option<Passage> {
        let (o, d) = (self.ray.origin, self.ray.direction);
        // A power of two brings all coordinates into range and changes no sign.
        let largest = corners.iter().map(|p| p.abs().max_element()).fold(o.abs().max_element(), f64::max);
        let scale = 1.0 / power_of_two_below(largest.max(f64::MIN_POSITIVE));
        let [a, b, c] = corners.map(|p| p * scale);
        let o = o * scale;
        let sides = [[b, c], [c, a], [a, b]];
        let weights = sides.map(|[p, q]| line_side(d, o, p, q));
        let signs = match count {
            Count::Touched => weights.map(sign),
            Count::Crossed => {
                let [p, q, r] = [0, 1, 2].map(|i| stepped(weights[i], d, sides[i]));
                if p == 0 || p != q || q != r {
                    return None;
                }
                [p, q, r]
            }
        };
        if signs.contains(&1) && signs.contains(&-1) {
            return None;
        }
        let facing = signs.iter().sum::<i32>().signum();
        if facing == 0 {
            return self.edge_on(corners, heights);
        }
        self.placed(corners, heights, weights.map(f64::abs), facing, 0.0)
    }

    /// Where the ray passes a triangle that it does pass, if that is not behind its origin.
    #[inline]
    fn placed(&self, corners: &Corners, z: [f64; 3], weights: [f64; 3], facing: i32, share: f64) -> Option<Passage> {
        let [u, v, w] = weights;
        let (lowest, highest) = range(z);
        let mean = (u * z[0] + v * z[1] + w * z[2]) / (u + v + w);
        let mean = mean.clamp(lowest, highest);
        let error = share * (highest - lowest) + RAY_MEAN * lowest.abs().max(highest.abs());
        let (t, slack) = (mean * self.inverse, error * self.inverse.abs());
        let (ends, rounding) = ([lowest * self.inverse, highest * self.inverse], RAY_MEAN * self.ray.size);
        let piece = [ends[0].min(ends[1]) - rounding, ends[0].max(ends[1]) + rounding];
        if t + slack < 0.0 {
            return None;
        }
        if t - slack <= 0.0 {
            match self.ahead(corners) * facing {
                0 => return Some(Passage { t: [0.0; 3], piece, weights, facing }),
                -1 => return None,
                _ => {}
            }
        }
        let t = [t.max(0.0), (t - slack).max(piece[0]).max(0.0), (t + slack).min(piece[1]).max(0.0)];
        Some(Passage { t, piece, weights, facing })
    }

    /// 1 if the origin is behind the triangle's plane, −1 if it is in front of it, 0 if it is on it, exactly.
    #[cold]
    #[inline(never)]
    fn ahead(&self, [a, b, c]: &Corners) -> i32 {
        sign(orient3d(*a, *b, *c, self.ray.origin))
    }

    /// The part of a triangle that is on the ray, if the ray's line is in its plane.
    #[cold]
    fn edge_on(&self, corners: &Corners, z: [f64; 3]) -> Option<Passage> {
        let across = corners.map(|p| cross_from(self.ray.direction, self.ray.origin, p));
        let farthest = across.iter().map(|c| c.abs()).fold(DVec3::ZERO, DVec3::max);
        let axis = (0..3).fold(0, |best, i| if farthest[i] > farthest[best] { i } else { best });
        let off = across.map(|c| c[axis]);
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut weights = [0.0; 3];
        let mut offer = |t: f64, at: [f64; 3]| {
            if t < first {
                (first, weights) = (t, at);
            }
            last = last.max(t);
        };
        for i in 0..3 {
            let j = (i + 1) % 3;
            let mut at = [0.0; 3];
            if off[i] == 0.0 {
                at[i] = 1.0;
                offer(z[i] * self.inverse, at);
            } else if off[i] * off[j] < 0.0 || (off[j] != 0.0 && sign(off[i]) != sign(off[j])) {
                let share = off[i] / (off[i] - off[j]);
                (at[i], at[j]) = (1.0 - share, share);
                offer((z[i] + (z[j] - z[i]) * share) * self.inverse, at);
            }
        }
        let slack = RAY_MEAN * self.ray.size;
        if !(last >= -slack) {
            return None;
        }
        let t = first.max(0.0);
        Some(Passage {
            t: [t, (t - slack).max(0.0), t + slack],
            piece: [first - slack, last + slack],
            weights,
            facing: 0,
        })
    }

    /// Whether a crossing at the origin itself counts, when the origin is moved by the infinitesimal step too.
    pub fn is_ahead_of_step(&self, corners: &Corners, facing: i32) -> bool {
        let (behind, [a, b, c]) = (self.ahead(corners), corners);
        if behind != 0 {
            return behind == facing;
        }
        // The step goes to the side of the normal's first component that is not zero: in front if it is positive.
        let turns: [fn(DVec3) -> Coord<f64>; 3] =
            [|v| Coord { x: v.y, y: v.z }, |v| Coord { x: v.z, y: v.x }, |v| Coord { x: v.x, y: v.y }];
        let normal = turns.into_iter().map(|flat| sign(robust::orient2d(flat(*a), flat(*b), flat(*c))));
        normal.into_iter().find(|&n| n != 0).is_some_and(|n| -n == facing)
    }
}

/// The components of a vector, turned in a circle so that the one along an axis is the last.
#[inline]
fn turned(v: DVec3, axis: u32) -> [f64; 3] {
    match axis {
        0 => [v.y, v.z, v.x],
        1 => [v.z, v.x, v.y],
        _ => [v.x, v.y, v.z],
    }
}

/// The greater of two numbers, of which none is NaN: one instruction.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The least and the greatest of three.
#[inline]
fn range([a, b, c]: [f64; 3]) -> (f64, f64) {
    (lesser(lesser(a, b), c), greater(greater(a, b), c))
}

#[inline]
fn sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

/// The sign of a weight after the step of the origin; zero only if the edge is along the ray.
fn stepped(weight: f64, d: DVec3, [p, q]: [DVec3; 2]) -> i32 {
    // A step s changes the determinant of d, p − o, q − o by s · (d × (q − p)).
    match sign(weight) {
        0 => cross_from(d, p, q).to_array().map(sign).into_iter().find(|&s| s != 0).unwrap_or(0),
        sign => sign,
    }
}
