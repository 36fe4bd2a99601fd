//! Integers of any size: sign and magnitude.
//!
//! Every finite float is an integer times a power of two, so points scaled by a common power are vectors of such integers and the
//! coefficients of every polynomial here are exact. They have a few words for ordinary data (coordinates of 60 to 100 bits after
//! scaling) and some thousand only for coordinates that span the whole range of f64; schoolbook multiplication is right for that.
//! They allocate: only exact stages use them.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// An integer. No leading zero words; zero has none and is not negative.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Int {
    negative: bool,
    words: Vec<u64>,
}

impl Int {
    /// `±magnitude · 2^shift`.
    pub fn shifted(magnitude: u64, shift: u32, negative: bool) -> Self {
        let (whole, bits) = ((shift / 64) as usize, shift % 64);
        let wide = u128::from(magnitude) << bits;
        let mut words = vec![0; whole];
        words.extend([wide as u64, (wide >> 64) as u64]);
        Self::trimmed(negative, words)
    }

    fn trimmed(negative: bool, mut words: Vec<u64>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        Self { negative: negative && !words.is_empty(), words }
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match (self.words.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// The value without its sign.
    pub fn abs(&self) -> Self {
        Self { negative: false, words: self.words.clone() }
    }

    /// Times two to a power.
    pub fn times_power(&self, power: u32) -> Self {
        self * &Self::shifted(1, power, false)
    }

    /// The magnitude without its last bits, towards zero, with the sign.
    pub fn without_bits(&self, bits: u64) -> Self {
        let (whole, part) = ((bits / 64) as usize, bits % 64);
        let kept = self.words.get(whole..).unwrap_or(&[]);
        let upper = kept.iter().skip(1).copied().chain(std::iter::once(0));
        let words =
            kept.iter().zip(upper).map(|(&low, high)| ((u128::from(high) << 64 | u128::from(low)) >> part) as u64);
        Self::trimmed(self.negative, words.collect())
    }

    /// Divided by a small number that is not zero, towards zero.
    pub fn over(&self, divisor: u64) -> Self {
        let (mut words, mut rest) = (self.words.clone(), 0);
        for word in words.iter_mut().rev() {
            let wide = u128::from(rest) << 64 | u128::from(*word);
            *word = (wide / u128::from(divisor.max(1))) as u64;
            rest = (wide % u128::from(divisor.max(1))) as u64;
        }
        Self::trimmed(self.negative, words)
    }

    /// The number of bits of the magnitude; 0 for zero.
    pub fn bits(&self) -> u64 {
        let top = self.words.last().map_or(0, |word| u64::from(word.leading_zeros()));
        64 * self.words.len() as u64 - top
    }

    /// The value times `2^-scale`, off by at most one unit of the last place; zero where that is far below one. The result must not
    /// exceed the range: `scale` is at least about the number of bits.
    pub fn ratio_to_power(&self, scale: u64) -> f64 {
        let mut words = self.words.iter().rev();
        let (first, second) = (words.next().copied().unwrap_or(0), words.next().copied().unwrap_or(0));
        let top = (u128::from(first) << 64 | u128::from(second)) as f64;
        // `top` holds the two leading words, whose last bit weighs 64 · (words − 2).
        let weight = 64 * (self.words.len() as i64 - 2) - scale as i64;
        let magnitude = if weight < -1000 { 0.0 } else { top * power_of_two(weight) };
        if self.negative { -magnitude } else { magnitude }
    }
}

/// `2^exponent`, for exponents of normal numbers.
pub(crate) fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent.clamp(-1022, 1023)) as u64) << 52)
}

/// The odd part of a float's magnitude and its power of two; zero has no part.
pub(crate) fn odd_part(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (field, fraction) = (((bits >> 52) & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (magnitude, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let zeros = magnitude.trailing_zeros();
    if magnitude == 0 { (0, 0) } else { (magnitude >> zeros, exponent + zeros as i32) }
}

impl From<u64> for Int {
    fn from(value: u64) -> Self {
        Self::shifted(value, 0, false)
    }
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// `long + short` of magnitudes; `long` is not the shorter one.
fn sum(long: &[u64], short: &[u64]) -> Vec<u64> {
    let mut words = Vec::with_capacity(long.len() + 1);
    let mut carry = false;
    let others = short.iter().copied().chain(std::iter::repeat(0));
    for (&a, b) in long.iter().zip(others) {
        let (part, first) = a.overflowing_add(b);
        let (part, second) = part.overflowing_add(u64::from(carry));
        words.push(part);
        carry = first | second;
    }
    if carry {
        words.push(1);
    }
    words
}

/// `large − small` of magnitudes; `large` is not the smaller one.
fn difference(large: &[u64], small: &[u64]) -> Vec<u64> {
    let mut words = Vec::with_capacity(large.len());
    let mut borrow = false;
    let others = small.iter().copied().chain(std::iter::repeat(0));
    for (&a, b) in large.iter().zip(others) {
        let (part, first) = a.overflowing_sub(b);
        let (part, second) = part.overflowing_sub(u64::from(borrow));
        words.push(part);
        borrow = first | second;
    }
    words
}

fn signed_sum(a: &Int, b: &Int, b_negative: bool) -> Int {
    if a.negative == b_negative || a.is_zero() || b.is_zero() {
        let (long, short) = if a.words.len() < b.words.len() { (b, a) } else { (a, b) };
        let negative = if a.is_zero() { b_negative } else { a.negative };
        return Int::trimmed(negative, sum(&long.words, &short.words));
    }
    match compare(&a.words, &b.words) {
        Ordering::Less => Int::trimmed(b_negative, difference(&b.words, &a.words)),
        _ => Int::trimmed(a.negative, difference(&a.words, &b.words)),
    }
}

impl Add for &Int {
    type Output = Int;
    fn add(self, other: &Int) -> Int {
        signed_sum(self, other, other.negative)
    }
}

impl Sub for &Int {
    type Output = Int;
    fn sub(self, other: &Int) -> Int {
        signed_sum(self, other, !other.negative)
    }
}

impl Mul for &Int {
    type Output = Int;
    fn mul(self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::default();
        }
        let mut words = vec![0; self.words.len() + other.words.len()];
        // Numbers of very different sizes at one scale consist mostly of zero words.
        for (i, &a) in self.words.iter().enumerate().filter(|(_, a)| **a != 0) {
            let mut carry = 0;
            for (slot, &b) in words[i..].iter_mut().zip(&other.words) {
                let wide = u128::from(a) * u128::from(b) + u128::from(*slot) + u128::from(carry);
                *slot = wide as u64;
                carry = (wide >> 64) as u64;
            }
            words[i + other.words.len()] = carry;
        }
        Int::trimmed(self.negative != other.negative, words)
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        Int { negative: !self.negative && !self.is_zero(), words: self.words.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i128) -> Int {
        let magnitude = value.unsigned_abs();
        let high = Int::shifted((magnitude >> 64) as u64, 64, value < 0);
        &high + &Int::shifted(magnitude as u64, 0, value < 0)
    }

    #[test]
    fn small_numbers_agree_with_the_machine() {
        let edges = [0, 1, 2, 3, u64::MAX as i128 - 1, u64::MAX as i128, u64::MAX as i128 + 1, (1 << 100) - 7, 1 << 62];
        let values: Vec<i128> = edges.iter().flat_map(|&x| [x, -x]).collect();
        for &a in &values {
            assert_eq!(int(a).sign(), a.signum() as i32);
            assert_eq!(int(a).bits(), u64::from(128 - a.unsigned_abs().leading_zeros()));
            assert_eq!(int(a).ratio_to_power(100) * (1u128 << 100) as f64, a as f64);
            for &b in &values {
                assert_eq!(&int(a) + &int(b), int(a + b));
                assert_eq!(&int(a) - &int(b), int(a - b));
                if let Some(product) = a.checked_mul(b) {
                    assert_eq!(&int(a) * &int(b), int(product));
                }
            }
        }
    }

    #[test]
    fn bits_are_dropped_and_quotients_round_towards_zero() {
        for value in [0, 1, 5, u64::MAX as i128, u64::MAX as i128 + 1, (1 << 100) - 7, -9, -(1 << 90) - 3] {
            for bits in [0, 1, 3, 63, 64, 65, 99, 126] {
                assert_eq!(
                    int(value).without_bits(bits),
                    int(value.signum() * (value.abs() >> bits)),
                    "{value} {bits}"
                );
            }
            assert_eq!(int(value).without_bits(1000), Int::default());
            for divisor in [1, 2, 7, 1 << 40, u64::MAX] {
                assert_eq!(int(value).over(divisor), int(value / i128::from(divisor)), "{value} {divisor}");
            }
        }
    }

    #[test]
    fn long_products_keep_the_laws() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut long = |words: usize, negative| {
            let words = (0..words).map(|_| {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                // Words of ones make carries.
                if seed.is_multiple_of(3) { u64::MAX } else { seed }
            });
            Int::trimmed(negative, words.collect())
        };
        for size in 1..12 {
            let (a, b, c) = (long(size, false), long(13 - size, true), long(7, false));
            assert_eq!(&(&a + &b) * &c, &(&a * &c) + &(&b * &c));
            assert_eq!(&(&a - &b) * &(&a + &b), &(&a * &a) - &(&b * &b));
            assert_eq!(&(&(&a + &b) - &a) - &b, Int::default());
            assert_eq!(a.times_power(130), &a * &(&Int::shifted(1, 65, false) * &Int::shifted(1, 65, false)));
        }
    }
}
