//! Numbers of the checker: integers times powers of two, which all floats, their sums and products are.
//!
//! Square roots and quotients are enclosed between two such numbers. They are made digit by digit, each of 32 bits, from doubles that are
//! good to 40 bits at least, and each from the exact remainder; the enclosure is then checked by multiplication. So nothing depends on the
//! rounding of the doubles, and roots and quotients that are integers times powers of two come out as themselves.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use crate::math::integer::{Int, odd_part, power_of_two};

/// The bits of a digit of roots and quotients.
const DIGIT: u64 = 32;

/// The digits of roots and quotients that do not end.
const DIGITS: u64 = 5;

/// The most digits of roots and quotients that end.
const MOST_DIGITS: u64 = 64;

/// An enclosure is as wide as the number over two to this power.
const RELATIVE_BITS: i64 = 140;

/// An integer times a power of two.
#[derive(Debug, Clone, Default)]
pub(super) struct Num {
    value: Int,
    power: i32,
}

impl Num {
    pub fn new(value: Int, power: i32) -> Self {
        Self { value, power }
    }

    /// `x · 2^power` for a finite x.
    pub fn scaled(x: f64, power: i64) -> Self {
        let (magnitude, own) = odd_part(x);
        let power = i64::from(own) + power;
        Self { value: Int::shifted(magnitude, 0, x < 0.0), power: if magnitude == 0 { 0 } else { power as i32 } }
    }

    pub fn sign(&self) -> i32 {
        self.value.sign()
    }

    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    pub fn abs(&self) -> Self {
        Self { value: self.value.abs(), power: self.power }
    }

    /// Its power of two; nothing for zero.
    pub fn power(&self) -> Option<i32> {
        (!self.is_zero()).then_some(self.power)
    }

    /// The integer that it is in units of two to a power, which is not above its own.
    pub fn at(&self, power: i32) -> Int {
        let shift = u32::try_from(i64::from(self.power) - i64::from(power)).unwrap_or(0);
        if shift == 0 || self.is_zero() { self.value.clone() } else { self.value.times_power(shift) }
    }

    pub fn times_power(&self, power: i32) -> Self {
        Self { value: self.value.clone(), power: self.power + power }
    }

    /// The integer part of the magnitude in units of two to a power, with the sign.
    pub fn whole(&self, power: i32) -> Int {
        if self.power >= power { self.at(power) } else { self.value.without_bits(power.abs_diff(self.power).into()) }
    }

    /// A double from ½ to 1 with the sign, and the exponent with which it is this number to rounding; zero is zero.
    fn rough(&self) -> (f64, i64) {
        let bits = self.value.bits();
        (self.value.ratio_to_power(bits), bits as i64 + i64::from(self.power))
    }

    /// For messages.
    pub fn to_f64(&self) -> f64 {
        let (mantissa, exponent) = self.rough();
        mantissa * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2)
    }

    /// A number not above and one not below the square root; the same if the root is an integer times a power of two. Of a negative
    /// number, zero.
    pub fn root(&self) -> [Self; 2] {
        if self.sign() <= 0 {
            return Default::default();
        }
        let (mantissa, exponent) = self.rough();
        let odd = exponent.rem_euclid(2);
        let first = (mantissa * power_of_two(odd)).sqrt();
        let half = (exponent - odd) / 2;
        let mut near = Self::scaled(digit(first), half);
        for _ in 0..(self.digits() / 2).min(MOST_DIGITS) + DIGITS {
            let rest = self - &(&near * &near);
            if rest.is_zero() {
                return [near.clone(), near];
            }
            let (left, power) = rest.rough();
            near = &near + &Self::scaled(digit(left / (2.0 * first)), power - half);
        }
        let [low, high] = near.around();
        if low.sign() >= 0 && &low * &low <= *self && *self <= &high * &high {
            return [low, high];
        }
        [Self::default(), Self::scaled(1.0, half + 1)]
    }

    /// A number not above and one not below the quotient; the same if it is an integer times a power of two.
    pub fn quotient(&self, divisor: &Self) -> Option<[Self; 2]> {
        let (below, below_power) = divisor.rough();
        let mut near = Self::default();
        for _ in 0..self.digits().min(MOST_DIGITS) + DIGITS {
            let rest = self - &(&near * divisor);
            if rest.is_zero() {
                return (!divisor.is_zero()).then(|| [near.clone(), near]);
            }
            let (left, power) = rest.rough();
            let quotient = left / below;
            if !quotient.is_finite() {
                return None;
            }
            near = &near + &Self::scaled(digit(quotient), power - below_power);
        }
        let bounds = near.around();
        let [low, high] = bounds.each_ref().map(|bound| (&(bound * divisor) - self).sign() * divisor.sign());
        (low <= 0 && high >= 0).then_some(bounds)
    }

    /// Digits that a number of so many bits may have.
    fn digits(&self) -> u64 {
        self.value.bits() / DIGIT
    }

    /// Two numbers a little below and above.
    fn around(&self) -> [Self; 2] {
        let unit = Self::scaled(1.0, self.rough().1 - RELATIVE_BITS);
        [self - &unit, self + &unit]
    }
}

/// A double rounded to the bits of a digit.
fn digit(x: f64) -> f64 {
    let lost = 53 - DIGIT;
    f64::from_bits((x.to_bits() + (1 << (lost - 1))) & !((1 << lost) - 1))
}

impl From<f64> for Num {
    fn from(x: f64) -> Self {
        Self::scaled(x, 0)
    }
}

impl Add for &Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let power = self.power.min(other.power);
        Num { value: &self.at(power) + &other.at(power), power }
    }
}

impl Sub for &Num {
    type Output = Num;
    fn sub(self, other: &Num) -> Num {
        self + &-other
    }
}

impl Mul for &Num {
    type Output = Num;
    fn mul(self, other: &Num) -> Num {
        Num { value: &self.value * &other.value, power: self.power.saturating_add(other.power) }
    }
}

impl Neg for &Num {
    type Output = Num;
    fn neg(self) -> Num {
        Num { value: -&self.value, power: self.power }
    }
}

impl PartialEq for Num {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Num {}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Self) -> Ordering {
        (self - other).sign().cmp(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_are_numbers_come_out_exactly() {
        let mut x = Num::from(3.0);
        for bits in 0..120_i32 {
            x = &(&x * &Num::from(1e15 + f64::from(bits))) + &Num::scaled(1.0, -i64::from(bits));
            if x.value.bits() > 1900 {
                break;
            }
            let [low, high] = (&x * &x).root();
            assert!(low == x && high == x, "{} bits", x.value.bits());
            let [low, high] = (&x * &Num::from(-3.0)).quotient(&Num::from(-3.0)).unwrap();
            assert!(low == x && high == x, "{} bits", x.value.bits());
        }
    }

    #[test]
    fn other_roots_and_quotients_are_enclosed_closely() {
        for x in [2.0, 3.0, 0.1, 1e300, 1e-300, 5e-324, 0.9999999999999999, f64::MAX] {
            let x = &Num::from(x) * &Num::from(1.0 / 3.0);
            let [low, high] = x.root();
            assert!(&low * &low < x && x < &high * &high);
            assert!((&high - &low).times_power(120) < low);
            for divisor in [11.0, -1e-9] {
                let divisor = Num::from(divisor);
                let [low, high] = x.quotient(&divisor).unwrap();
                let products = [&low * &divisor, &high * &divisor];
                assert!(products.iter().min().unwrap() < &x && &x < products.iter().max().unwrap());
                assert!((&high - &low).times_power(120) < low.abs());
            }
        }
        assert!(Num::from(1.0).quotient(&Num::default()).is_none());
        assert_eq!(Num::default().root(), [Num::default(), Num::default()]);
    }
}
