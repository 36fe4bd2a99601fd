//! The decision in floating point with error bounds: right where it decides, silent where it cannot tell.
//!
//! The cubic f = det(e₁, e₂, w) and the quadratics that bound the region, in Bernstein form, each coefficient within a stated error.
//! Restricted to a part of the time, coefficients of one certain sign prove that sign throughout. A part is free of contact if f has
//! one sign there, or if one of the sides keeps the point outside in the projection along an axis. Where f changes its sign just
//! once, the root is narrowed to the resolution of f's error, and the sides are asked there. Other parts are halved.
//!
//! Why it ends: parts are halved at most [`DEEPEST`] times, from left to right, and the first part that cannot be decided ends it all.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::answer::{Region, Stage};
use crate::tolerance::{CUBIC_ERROR, FILTER_LARGEST, FILTER_UNDERFLOW, QUADRATIC_ERROR};

/// How often a part of the time is halved before exact arithmetic takes over.
const DEEPEST: usize = 8;

/// How often an interval around a root is halved.
const BISECTIONS: usize = 52;

/// What the filter found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    Free(Stage),
    /// Contact begins in this interval.
    Hit([f64; 2]),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Inside,
    Outside,
    Unknown,
}

/// Two sides and a point, each at t = 0 and t = 1.
pub(super) struct Motion {
    pub e1: [DVec3; 2],
    pub e2: [DVec3; 2],
    pub w: [DVec3; 2],
    pub region: Region,
}

/// Bernstein coefficients and how far each may be from the true one.
struct Cubic {
    b: [f64; 4],
    error: f64,
}

/// The quadratics along the three axes.
struct Sides {
    normal: [DVec3; 3],
    first: [DVec3; 3],
    second: [DVec3; 3],
    error: f64,
    region: Region,
}

fn size(v: &[DVec3; 2]) -> f64 {
    v[0].abs().max(v[1].abs()).max_element()
}

/// Bernstein coefficients of a cross product.
#[inline]
fn cross(a: &[DVec3; 2], b: &[DVec3; 2]) -> [DVec3; 3] {
    [a[0].cross(b[0]), (a[0].cross(b[1]) + a[1].cross(b[0])) * 0.5, a[1].cross(b[1])]
}

impl Motion {
    /// Decides if it can.
    pub fn decide(&self) -> Verdict {
        let [s1, s2, sw] = [&self.e1, &self.e2, &self.w].map(size);
        if !(s1.max(s2).max(sw) < FILTER_LARGEST) {
            return Verdict::Unknown;
        }
        let normal = cross(&self.e1, &self.e2);
        let cubic = Cubic::new(&normal, &self.w, CUBIC_ERROR * (s1 * s2 * sw) + FILTER_UNDERFLOW);
        if cubic.keeps_sign(&cubic.b) {
            return Verdict::Free(Stage::Plane);
        }
        let sides = Sides {
            normal,
            first: cross(&self.w, &self.e2),
            second: cross(&self.e1, &self.w),
            error: QUADRATIC_ERROR * (s1 * s2 + s1 * sw + s2 * sw) + FILTER_UNDERFLOW,
            region: self.region,
        };
        search(&cubic, &sides)
    }
}

fn search(cubic: &Cubic, sides: &Sides) -> Verdict {
    let mut open: ArrayVec<([f64; 2], usize), { DEEPEST + 2 }> = ArrayVec::new();
    open.push(([0.0, 1.0], 0));
    while let Some((part, depth)) = open.pop() {
        let b = cubic.restricted(part);
        if cubic.keeps_sign(&b) || sides.place(part) == Place::Outside {
            continue;
        }
        if cubic.crosses_once(&b) {
            let root = cubic.narrowed(part);
            match sides.place(root) {
                Place::Outside => continue,
                Place::Inside => return Verdict::Hit(root),
                Place::Unknown => return Verdict::Unknown,
            }
        }
        if depth == DEEPEST {
            return Verdict::Unknown;
        }
        let middle = 0.5 * (part[0] + part[1]);
        open.push(([middle, part[1]], depth + 1));
        open.push(([part[0], middle], depth + 1));
    }
    Verdict::Free(Stage::Interval)
}

impl Cubic {
    fn new(normal: &[DVec3; 3], w: &[DVec3; 2], error: f64) -> Self {
        let [n0, n1, n2] = normal;
        let third = 1.0 / 3.0;
        let b = [
            n0.dot(w[0]),
            (2.0 * n1.dot(w[0]) + n0.dot(w[1])) * third,
            (n2.dot(w[0]) + 2.0 * n1.dot(w[1])) * third,
            n2.dot(w[1]),
        ];
        Self { b, error }
    }

    /// Certainly one sign, not zero, at all coefficients and so throughout.
    #[inline]
    fn keeps_sign(&self, b: &[f64; 4]) -> bool {
        b.iter().all(|b| *b > self.error) || b.iter().all(|b| *b < -self.error)
    }

    /// The coefficients for a part of the time, by blossoming.
    fn restricted(&self, [l, r]: [f64; 2]) -> [f64; 4] {
        let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
        let [b0, b1, b2, b3] = self.b;
        let at_l = [mix(b0, b1, l), mix(b1, b2, l), mix(b2, b3, l)];
        let at_r = [mix(b0, b1, r), mix(b1, b2, r), mix(b2, b3, r)];
        let ll = [mix(at_l[0], at_l[1], l), mix(at_l[1], at_l[2], l)];
        let lr = [mix(at_l[0], at_l[1], r), mix(at_l[1], at_l[2], r)];
        let rr = [mix(at_r[0], at_r[1], r), mix(at_r[1], at_r[2], r)];
        [mix(ll[0], ll[1], l), mix(ll[0], ll[1], r), mix(lr[0], lr[1], r), mix(rr[0], rr[1], r)]
    }

    /// Whether the signs of the coefficients change just once, from one end to the other, whatever the uncertain ones are.
    fn crosses_once(&self, b: &[f64; 4]) -> bool {
        let direction = if b[0] > 0.0 { 1.0 } else { -1.0 };
        let [first, second, third, last] = b.map(|b| b * direction);
        // A middle pair may be read as − then + only if both readings are possible.
        first > self.error && last < -self.error && (second > self.error || third < -self.error)
    }

    fn value(&self, t: f64) -> f64 {
        let s = 1.0 - t;
        let [b0, b1, b2, b3] = self.b;
        (b0 * s + 3.0 * t * b1) * s * s + (3.0 * s * b2 + b3 * t) * t * t
    }

    /// The part about its only root outside which the sign is certain.
    fn narrowed(&self, [mut lo, mut hi]: [f64; 2]) -> [f64; 2] {
        let before = if self.value(lo) > 0.0 { 1.0 } else { -1.0 };
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (lo + hi);
            let value = self.value(middle) * before;
            if value > self.error {
                lo = middle;
            } else if value < -self.error {
                hi = middle;
            } else {
                return [self.edge(lo, middle, before), self.edge(hi, middle, -before)];
            }
        }
        [lo, hi]
    }

    /// Between a time where the sign is certain and one where it is not: where it ends to be certain.
    fn edge(&self, mut certain: f64, mut uncertain: f64, sign: f64) -> f64 {
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (certain + uncertain);
            if middle == certain || middle == uncertain {
                break;
            }
            if self.value(middle) * sign > self.error { certain = middle } else { uncertain = middle }
        }
        certain
    }
}

impl Sides {
    /// Where the point is throughout a part of the time, seen along the axis that the region is widest across.
    fn place(&self, [l, r]: [f64; 2]) -> Place {
        let m = 0.5 * (l + r);
        let middle = (self.normal[0] * (1.0 - m) + self.normal[1] * m) * (1.0 - m)
            + (self.normal[1] * (1.0 - m) + self.normal[2] * m) * m;
        let size = middle.abs();
        let k = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let along = |poly: &[DVec3; 3]| restricted(poly.map(|b| b[k]), l, r);
        let (normal, first, second) = (along(&self.normal), along(&self.first), along(&self.second));
        let sign = if middle[k] > 0.0 { 1.0 } else { -1.0 };
        if !normal.iter().all(|n| n * sign > self.error) {
            return Place::Unknown;
        }
        let left = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let rest = match self.region {
            Region::Triangle => [left(left(normal, first), second); 2],
            Region::Parallelogram => [left(normal, first), left(normal, second)],
        };
        let mut place = Place::Inside;
        for condition in [first, second, rest[0], rest[1]] {
            if condition.iter().all(|c| c * sign < -self.error) {
                return Place::Outside;
            }
            if !condition.iter().all(|c| c * sign > self.error) {
                place = Place::Unknown;
            }
        }
        place
    }
}

fn restricted([b0, b1, b2]: [f64; 3], l: f64, r: f64) -> [f64; 3] {
    let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
    let (at_l, at_r) = ([mix(b0, b1, l), mix(b1, b2, l)], [mix(b0, b1, r), mix(b1, b2, r)]);
    [mix(at_l[0], at_l[1], l), mix(at_l[0], at_l[1], r), mix(at_r[0], at_r[1], r)]
}

#[cfg(test)]
mod tests {
    use super::super::exact::{self, Problem};
    use super::*;
    use clearance_testkit::Rng;

    #[test]
    fn coefficients_are_within_their_errors() {
        let mut rng = Rng::new(5);
        let mut largest: [f64; 2] = [0.0; 2];
        for round in 0..2000 {
            // Near the origin, where the vectors differ in size, and far from it, where differences are exact but few bits.
            let (offset, spread) = if round % 2 == 0 { (0.0, 1e-3) } else { (1e3, 1e-9) };
            let mut point = |size: f64| rng.in_box(DVec3::splat(size)) + DVec3::splat(offset);
            let mut vector = |size: f64| [0; 2].map(|_| [point(size), point(size)]);
            let differences = [vector(1.0), vector(spread), vector(1.0)];
            let [e1, e2, w] = differences.map(|at| at.map(|[to, from]| to - from));
            let problem = Problem::new(differences, Region::Triangle);
            let unit = exact::unit(&differences);
            let [s1, s2, sw] = [&e1, &e2, &w].map(size);
            let normal = cross(&e1, &e2);
            let cubic = Cubic::new(&normal, &w, 0.0);
            let exact = problem.cubic();
            for (i, b) in cubic.b.iter().enumerate() {
                let scale = exact.0[i].bits();
                let power = scale as i32 + 3 * unit;
                let true_b = exact.0[i].ratio_to_power(scale) * 2f64.powi(power) / [1.0, 3.0, 3.0, 1.0][i];
                largest[0] = largest[0].max((b - true_b).abs() / (CUBIC_ERROR * (s1 * s2 * sw)));
            }
            let exact = problem.conditions(2);
            let side = [cross(&w, &e2), cross(&e1, &w)];
            for (computed, exact) in side.iter().zip(&exact) {
                for (i, b) in computed.iter().enumerate() {
                    let scale = exact.0[i].bits();
                    let true_b =
                        exact.0[i].ratio_to_power(scale) * 2f64.powi(scale as i32 + 2 * unit) / [1.0, 2.0, 1.0][i];
                    let size = s1 * s2 + s1 * sw + s2 * sw;
                    largest[1] = largest[1].max((b.z - true_b).abs() / (QUADRATIC_ERROR * size));
                }
            }
        }
        // Well inside, and not so far that the bound says nothing.
        assert!(largest.iter().all(|part| (0.001..0.25).contains(part)), "{largest:?}");
    }

    #[test]
    fn parts_of_a_cubic_are_the_cubic() {
        let cubic = Cubic { b: [1.0, -2.0, 3.0, -0.5], error: 0.0 };
        let [l, r] = [0.25, 0.625];
        let part = Cubic { b: cubic.restricted([l, r]), error: 0.0 };
        for i in 0..=8 {
            let t = f64::from(i) / 8.0;
            assert!((part.value(t) - cubic.value(l + (r - l) * t)).abs() < 8.0 * f64::EPSILON);
        }
    }
}
