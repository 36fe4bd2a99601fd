//! Signs of determinants: on which side, in which order, on one line or not.
//!
//! The filter evaluates the determinant in `f64` next to the same expression with every term
//! positive. Ten roundings at most lie on any path, so an error above `16 u` times the latter is
//! impossible; underflow adds at most [`UNDERFLOW`] as long as all differences are below
//! [`LARGEST`]. Anything closer to zero is decided exactly.

use super::{Dyadic, Exact3};
use glam::{DVec2, DVec3};

/// Sixteen unit roundoffs of `f64`.
const RELATIVE: f64 = 8.0 * f64::EPSILON;
/// Largest coordinate difference for which the filter is used at all.
const LARGEST: f64 = 1e90;
/// More than the underflow of a few products (5e-324 each) times [`LARGEST`].
const UNDERFLOW: f64 = 1e-220;

/// Exact sign of the side of `d` relative to the plane through `a`, `b`, `c`: 1 when `d` is below
/// it, where above is the side from which `a`, `b`, `c` run counter-clockwise; 0 on the plane.
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    filtered_orient3d(a - d, b - d, c - d).unwrap_or_else(|| {
        let [a, b, c, d] = [a, b, c, d].map(Exact3::from);
        orient3d_exact(&a, &b, &c, &d)
    })
}

/// [`orient3d`] of exact points.
pub fn orient3d_exact(a: &Exact3, b: &Exact3, c: &Exact3, d: &Exact3) -> i32 {
    (a - d).dot(&(b - d).cross(&(c - d))).sign()
}

fn filtered_orient3d(a: DVec3, b: DVec3, c: DVec3) -> Option<i32> {
    let determinant = a.dot(b.cross(c));
    let (p, q, r) = (a.abs(), b.abs(), c.abs());
    let positive = p.x * (q.y * r.z + q.z * r.y) + p.y * (q.z * r.x + q.x * r.z) + p.z * (q.x * r.y + q.y * r.x);
    let largest = p.max(q).max(r).max_element();
    certain(determinant, positive, largest)
}

/// The sign of `value` if its size exceeds every possible error; written so that a NaN is uncertain.
fn certain(value: f64, positive: f64, largest: f64) -> Option<i32> {
    let trusted = largest < LARGEST && value.abs() > RELATIVE * positive + UNDERFLOW;
    trusted.then_some(if value > 0.0 { 1 } else { -1 })
}

/// Exact sign of the turn `a`, `b`, `c` in the plane: 1 counter-clockwise, −1 clockwise, 0 straight.
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    let (p, q) = (a - c, b - c);
    let (left, right) = (p.x * q.y, p.y * q.x);
    let largest = p.abs().max(q.abs()).max_element();
    certain(left - right, left.abs() + right.abs(), largest).unwrap_or_else(|| {
        let difference = |u: f64, v: f64| &Dyadic::from(u) - &Dyadic::from(v);
        let left = &difference(a.x, c.x) * &difference(b.y, c.y);
        let right = &difference(a.y, c.y) * &difference(b.x, c.x);
        (&left - &right).sign()
    })
}

/// Whether three points lie on one line, exactly; coincident points do.
pub fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let straight = |f: fn(DVec3) -> DVec2| orient2d(f(a), f(b), f(c)) == 0;
    straight(|p| DVec2::new(p.x, p.y)) && straight(|p| DVec2::new(p.y, p.z)) && straight(|p| DVec2::new(p.z, p.x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::HitRate;
    use crate::random::Rng;

    #[test]
    fn positive_is_below_a_counter_clockwise_triangle() {
        let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        assert_eq!(orient3d(a, b, c, -DVec3::Z), 1);
        assert_eq!(orient3d(a, b, c, DVec3::Z), -1);
        assert_eq!(orient3d(a, b, c, DVec3::new(5.0, 3.0, 0.0)), 0);
        assert_eq!(orient3d(a, b, c, DVec3::new(0.3, 0.3, -5e-324)), 1);
        assert_eq!(orient2d(DVec2::ZERO, DVec2::X, DVec2::Y), 1);
    }

    #[test]
    fn the_filter_never_contradicts_exact_arithmetic() {
        let mut rng = Rng::new(3);
        let mut zeros = HitRate::new("zero orientations");
        for round in 0..4000 {
            let size = rng.log_uniform(1e-100, 1e100);
            let mut point = || {
                let p = DVec3::from_array([0; 3].map(|_| rng.index(4) as f64));
                let q = rng.in_ball(1e-16);
                if round % 2 == 0 { p * size } else { p + q }
            };
            let [a, b, c, d] = [point(), point(), point(), point()];
            let [x, y, z, w] = [a, b, c, d].map(Exact3::from);
            let exact = orient3d_exact(&x, &y, &z, &w);
            assert_eq!(orient3d(a, b, c, d), exact);
            let flat = (&x - &z).cross(&(&y - &z)).is_zero();
            assert_eq!(collinear(a, b, c), flat);
            zeros.record(exact == 0);
        }
        zeros.assert_between(0.1, 0.7);
    }

    #[test]
    fn collinear_is_exact() {
        let direction = DVec3::new(3.0, -7.0, 11.0);
        assert!(collinear(DVec3::ZERO, direction, direction * 1024.0));
        assert!(!collinear(DVec3::ZERO, direction, direction * 2.0 + DVec3::new(0.0, 0.0, 4e-15)));
        assert!(collinear(DVec3::ONE, DVec3::ONE, DVec3::X));
    }
}
