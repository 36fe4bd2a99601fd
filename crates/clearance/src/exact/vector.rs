//! Vectors and points of integers of any size.

use std::cmp::Ordering;

use glam::DVec3;

use crate::math::integer::{Int, odd_part, power_of_two};

/// A vector of integers: a point or a direction in units of the common power of two.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Int3(pub [Int; 3]);

impl Int3 {
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(Int::is_zero)
    }

    pub fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] - &other.0[k]))
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] + &other.0[k]))
    }

    pub fn times(&self, factor: &Int) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] * factor))
    }

    pub fn negative(&self) -> Self {
        Self(std::array::from_fn(|k| -&self.0[k]))
    }

    pub fn dot(&self, other: &Self) -> Int {
        let [x, y, z] = [0, 1, 2].map(|k| &self.0[k] * &other.0[k]);
        &(&x + &y) + &z
    }

    pub fn square(&self) -> Int {
        self.dot(self)
    }

    pub fn cross(&self, other: &Self) -> Self {
        Self([0, 1, 2].map(|k: usize| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            &(&self.0[i] * &other.0[j]) - &(&self.0[j] * &other.0[i])
        }))
    }

    /// The number of bits of the largest component.
    pub fn bits(&self) -> u64 {
        self.0.iter().map(Int::bits).max().unwrap_or(0)
    }

    /// The vector times `2^-scale` in doubles, each component off by at most a last place; `scale` is not less than its bits.
    pub fn rough(&self, scale: u64) -> DVec3 {
        let [x, y, z] = [0, 1, 2].map(|k: usize| self.0[k].ratio_to_power(scale));
        DVec3::new(x, y, z)
    }
}

/// The sign of the determinant of three vectors.
pub(super) fn turn(a: &Int3, b: &Int3, c: &Int3) -> i32 {
    a.dot(&b.cross(c)).sign()
}

/// `a / b` compared with `c / d`; the divisors are positive.
pub(super) fn compare_ratios([a, b]: [&Int; 2], [c, d]: [&Int; 2]) -> Ordering {
    (&(a * d) - &(c * b)).sign().cmp(&0)
}

/// A point with rational coordinates: integers over one positive integer.
#[derive(Debug, Clone)]
pub(super) struct Rational3 {
    pub over: Int3,
    pub under: Int,
}

impl Rational3 {
    /// A divisor of either sign, not zero.
    pub fn new(over: Int3, under: Int) -> Self {
        if under.sign() < 0 { Self { over: over.negative(), under: -&under } } else { Self { over, under } }
    }

    /// The point times `2^-scale` in doubles, off by a few last places.
    pub fn rough(&self, scale: u64) -> DVec3 {
        let below = self.under.ratio_to_power(self.under.bits());
        let [x, y, z] = [0, 1, 2].map(|k: usize| {
            let value = &self.over.0[k];
            let power = value.bits() as i64 - self.under.bits() as i64 - scale as i64;
            value.ratio_to_power(value.bits()) / below * power_of_two(power)
        });
        DVec3::new(x, y, z)
    }
}

/// A number that is an integer times a power of two, as all floats, their sums and products are.
#[derive(Debug, Clone, Default)]
pub(super) struct Dyadic {
    value: Int,
    power: i32,
}

impl Dyadic {
    pub fn plus(&self, other: &Self) -> Self {
        if self.value.is_zero() {
            return other.clone();
        }
        if other.value.is_zero() {
            return self.clone();
        }
        let power = self.power.min(other.power);
        Self { value: &self.at(power) + &other.at(power), power }
    }

    pub fn times(&self, other: &Self) -> Self {
        Self { value: &self.value * &other.value, power: self.power + other.power }
    }

    /// The integer that it is in units of two to a power, which is not above its own.
    pub fn at(&self, power: i32) -> Int {
        let shift = u32::try_from(self.power - power).unwrap_or(0);
        if shift == 0 || self.value.is_zero() { self.value.clone() } else { self.value.times_power(shift) }
    }

    /// Its power of two; nothing for zero.
    pub fn power(&self) -> Option<i32> {
        (!self.value.is_zero()).then_some(self.power)
    }
}

impl From<f64> for Dyadic {
    fn from(x: f64) -> Self {
        let (magnitude, power) = odd_part(x);
        Self { value: Int::shifted(magnitude, 0, x < 0.0), power }
    }
}
