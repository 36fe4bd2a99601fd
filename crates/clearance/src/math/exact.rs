//! Sums and products of two doubles with their rounding errors, and plane normals of triangles computed with them.
//!
//! The normal of a sliver is a difference of nearly equal products. Carried in pairs of doubles it has about a hundred
//! bits before the cancellation, so it comes out right to the last bits even for triangles with an aspect of 1e-15.

use std::ops::{Add, Mul, Neg, Sub};

use glam::DVec3;

/// An unevaluated sum `high + low` with `|low|` at most half a last place of `high`.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    high: f64,
    low: f64,
}

/// `a + b` and its exact rounding error (Knuth).
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// `a · b` and its exact rounding error (Veltkamp and Dekker), while nothing overflows.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    const SPLITTER: f64 = (1u32 << 27) as f64 + 1.0;
    let halves = |x: f64| {
        let scaled = SPLITTER * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let (a_high, a_low) = halves(a);
    let (b_high, b_low) = halves(b);
    let product = a * b;
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

impl Pair {
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self { high, low }
    }

    /// The nearest double.
    #[inline]
    pub fn round(self) -> f64 {
        self.high + self.low
    }

    /// Half of it: exact.
    #[inline]
    pub fn half(self) -> Self {
        Self { high: self.high * 0.5, low: self.low * 0.5 }
    }

    /// The square root of a number that is not negative, by one step of Newton's method from that of its double.
    pub fn sqrt(self) -> Self {
        let near = self.round().sqrt();
        if !(near > 0.0) {
            return Self::from(0.0);
        }
        let square = Self::from(near) * Self::from(near);
        Self::from(near) + Self::from((self - square).round() / (2.0 * near))
    }

    /// The quotient rounded to the nearest double, but for ties: exact where it is one.
    pub fn quotient(self, divisor: Self) -> f64 {
        let near = self.over(divisor);
        near + (self - divisor * Self::from(near)).over(divisor)
    }

    /// The quotient rounded to a double, right to its last place or two.
    #[inline]
    pub fn over(self, divisor: Self) -> f64 {
        self.round() / divisor.round()
    }
}

impl From<f64> for Pair {
    #[inline]
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Neg for Pair {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

/// A vector of such sums.
#[derive(Debug, Clone, Copy)]
pub struct Pair3([Pair; 3]);

impl Pair3 {
    /// `a − b`: exact.
    #[inline]
    pub fn difference(a: DVec3, b: DVec3) -> Self {
        Self([Pair::difference(a.x, b.x), Pair::difference(a.y, b.y), Pair::difference(a.z, b.z)])
    }

    /// The vector as it is.
    #[inline]
    pub fn from(v: DVec3) -> Self {
        Self([v.x.into(), v.y.into(), v.z.into()])
    }

    /// The inner product.
    #[inline]
    pub fn dot(&self, other: &Self) -> Pair {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    /// The vector product.
    #[inline]
    pub fn cross(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        let component = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        Self([component(1, 2), component(2, 0), component(0, 1)])
    }

    /// Each component times a number.
    #[inline]
    pub fn times(&self, factor: Pair) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    /// The components.
    #[inline]
    pub fn to_array(self) -> [Pair; 3] {
        self.0
    }

    /// The sum.
    #[inline]
    pub fn plus(&self, other: &Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1], self.0[2] + other.0[2]])
    }

    /// A nearly unit vector brought to unit length, to about a hundred bits.
    pub fn unit(&self) -> Self {
        let correction = Pair::from(1.0) + (Pair::from(1.0) - self.dot(self)).half();
        Self(self.0.map(|x| x * correction))
    }

    /// The nearest vector of doubles.
    #[inline]
    pub fn round(&self) -> DVec3 {
        DVec3::from_array(self.0.map(Pair::round))
    }
}

impl Add for Pair {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, other.high);
        let (high, low) = two_sum(sum, error + self.low + other.low);
        Self { high, low }
    }
}

impl Sub for Pair {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for Pair {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        let (high, low) = two_sum(product, error + self.high * other.low + self.low * other.high);
        Self { high, low }
    }
}

/// `(b − a) × (c − a)`, each component correct to a few last places relative to the vector's length unless the triangle
/// is thinner than 1e-28. Its length is twice the triangle's area.
pub fn triangle_normal(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let edge = |to: DVec3| to.to_array().into_iter().zip(a.to_array()).map(|(t, o)| Pair::difference(t, o));
    let (mut u, mut v) = ([Pair { high: 0.0, low: 0.0 }; 3], [Pair { high: 0.0, low: 0.0 }; 3]);
    u.iter_mut().zip(edge(b)).for_each(|(slot, x)| *slot = x);
    v.iter_mut().zip(edge(c)).for_each(|(slot, x)| *slot = x);
    let component = |i: usize, j: usize| (u[i] * v[j] - u[j] * v[i]).round();
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        let (product, error) = two_product(a, b);
        assert_eq!((product, error), (1.0, -f64::EPSILON * f64::EPSILON));
    }

    #[test]
    fn the_normal_of_a_sliver_points_the_right_way() {
        // A needle one last place wide, far from the origin: the plain cross product has no correct digit.
        let a = DVec3::new(1.0e6, 1.0e6 + 1.0, 3.0);
        let b = DVec3::new(1.0e6 + 1.0, 1.0e6 + 2.0, 4.0);
        let c = DVec3::new((1.0e6_f64 + 2.0).next_up(), 1.0e6 + 3.0, 5.0);
        let gap = c.x - (1.0e6 + 2.0);
        // c − a = (2 + gap, 2, 2) and b − a = (1, 1, 1): the cross product is exactly (0, gap, −gap).
        let normal = triangle_normal(a, b, c);
        assert_eq!(normal, DVec3::new(0.0, gap, -gap));
    }
}
