//! A number that is an integer times a power of two, and its correctly rounded way back to `f64`.
//!
//! Quotients and square roots are never formed exactly; [`ratio`] and [`signed_root`] compute
//! enough digits and a sticky bit, so that the `f64` they return is the nearest one.

use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// The exact number `mantissa · 2^exponent`.
#[derive(Clone, Debug, Default)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// The exact value of a finite `f64`. NaN and infinities are a mistake of the caller.
    pub fn from_f64(value: f64) -> Self {
        assert!(value.is_finite(), "{value} has no exact value");
        if value == 0.0 {
            return Self::default();
        }
        let bits = value.to_bits();
        let field = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (significand, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field - 1075) };
        let zeros = significand.trailing_zeros();
        let odd = (significand >> zeros) as i64;
        Self { mantissa: BigInt::from(if value < 0.0 { -odd } else { odd }), exponent: exponent + i64::from(zeros) }
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match self.mantissa.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// The value without its sign.
    pub fn abs(&self) -> Self {
        if self.sign() < 0 { -self } else { self.clone() }
    }

    /// The value times itself times its sign: comparing these compares the values.
    pub fn signed_square(&self) -> Self {
        self * &self.abs()
    }

    /// The value times `2^power`.
    pub fn scaled(&self, power: i64) -> Self {
        Self { mantissa: self.mantissa.clone(), exponent: if self.is_zero() { 0 } else { self.exponent + power } }
    }

    /// The smallest `k` with `|value| < 2^k`, or nothing for zero.
    pub fn top(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.mantissa.bits() as i64 + self.exponent)
    }

    /// The nearest `f64`, ties to even; infinite beyond the range of `f64`.
    pub fn to_f64(&self) -> f64 {
        let magnitude = nearest(self.mantissa.magnitude(), self.exponent, false);
        f64::from(self.sign()) * magnitude
    }
}

/// The `f64` nearest to `numerator / denominator`; NaN for a zero denominator.
pub fn ratio(numerator: &Dyadic, denominator: &Dyadic) -> f64 {
    if denominator.is_zero() {
        return f64::NAN;
    }
    let (quotient, exponent, inexact) = divide(numerator, denominator, 66, false);
    f64::from(numerator.sign() * denominator.sign()) * nearest(&quotient, exponent, inexact)
}

/// The `f64` nearest to `value / √square`, for a positive `square`; NaN for any other.
pub fn signed_root(value: &Dyadic, square: &Dyadic) -> f64 {
    if square.sign() <= 0 {
        return f64::NAN;
    }
    let (quotient, exponent, inexact) = divide(&(value * value), square, 132, true);
    let root = quotient.sqrt();
    let inexact = inexact || &root * &root != quotient;
    f64::from(value.sign()) * nearest(&root, exponent / 2, inexact)
}

/// `|n / d|` truncated to at least `bits` bits: the integer, its exponent (even on request), and
/// whether anything was cut off.
fn divide(n: &Dyadic, d: &Dyadic, bits: i64, even: bool) -> (BigUint, i64, bool) {
    let (above, below) = (n.mantissa.magnitude(), d.mantissa.magnitude());
    let mut shift = (bits + 1 + below.bits() as i64 - above.bits() as i64).max(0);
    if even && (n.exponent - d.exponent - shift) % 2 != 0 {
        shift += 1;
    }
    let shifted = above << shift;
    let quotient = &shifted / below;
    let inexact = &quotient * below != shifted;
    (quotient, n.exponent - d.exponent - shift, inexact)
}

/// The `f64` nearest to `magnitude · 2^exponent`, a little more than that if `inexact` (then the
/// magnitude must have at least 55 bits), ties to even.
fn nearest(magnitude: &BigUint, exponent: i64, inexact: bool) -> f64 {
    let bits = magnitude.bits() as i64;
    let top = bits + exponent;
    let keep = (top + 1074).min(53);
    if bits == 0 || keep < 0 {
        return 0.0;
    }
    if top > 1024 {
        return f64::INFINITY;
    }
    let drop = bits - keep;
    if drop <= 0 {
        return load(low_digit(magnitude), exponent);
    }
    let cut = drop.unsigned_abs();
    let kept = low_digit(&(magnitude >> cut));
    let half = magnitude.bit(cut - 1);
    let more = inexact || magnitude.trailing_zeros().is_some_and(|z| z < cut - 1);
    let up = half && (more || kept % 2 == 1);
    load(kept + u64::from(up), exponent + drop)
}

fn low_digit(magnitude: &BigUint) -> u64 {
    magnitude.iter_u64_digits().next().unwrap_or(0)
}

/// `integer · 2^exponent`, for an integer up to 2^53 and a result that `f64` can hold.
fn load(integer: u64, exponent: i64) -> f64 {
    let first = exponent / 2;
    integer as f64 * power_of_two(first) * power_of_two(exponent - first)
}

fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent.clamp(-1022, 1023)) as u64) << 52)
}

/// Both mantissas at the smaller of the two exponents.
fn aligned(a: &Dyadic, b: &Dyadic, combine: impl Fn(&BigInt, &BigInt) -> BigInt) -> Dyadic {
    let difference = a.exponent - b.exponent;
    let mantissa = match difference.cmp(&0) {
        Ordering::Equal => combine(&a.mantissa, &b.mantissa),
        Ordering::Greater => combine(&(&a.mantissa << difference), &b.mantissa),
        Ordering::Less => combine(&a.mantissa, &(&b.mantissa << -difference)),
    };
    Dyadic { mantissa, exponent: a.exponent.min(b.exponent) }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        aligned(self, other, |a, b| a + b)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return -other;
        }
        if other.is_zero() {
            return self.clone();
        }
        aligned(self, other, |a, b| a - b)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() || other.is_zero() {
            return Dyadic::default();
        }
        Dyadic { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -&self.mantissa, exponent: self.exponent }
    }
}

macro_rules! by_value {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation for Dyadic {
            type Output = Dyadic;
            fn $method(self, other: Dyadic) -> Dyadic {
                $operation::$method(&self, &other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul);

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        -&self
    }
}

impl From<f64> for Dyadic {
    fn from(value: f64) -> Self {
        Self::from_f64(value)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.sign().cmp(&other.sign());
        by_sign.then_with(|| (self - other).sign().cmp(&0))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    fn any_f64(rng: &mut Rng) -> f64 {
        let exponent = rng.uniform(-1074.0, 1023.0);
        rng.uniform(-1.0, 1.0) * exponent.exp2()
    }

    #[test]
    fn every_f64_survives_the_round_trip() {
        let mut rng = Rng::new(1);
        let edges = [0.0, 1.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324];
        let values = (0..5000).map(|_| any_f64(&mut rng)).chain(edges);
        for value in values.collect::<Vec<_>>() {
            assert_eq!(Dyadic::from_f64(value).to_f64(), value);
        }
    }

    #[test]
    fn single_operations_round_like_the_machine() {
        let mut rng = Rng::new(2);
        for _ in 0..5000 {
            let (x, y) = (any_f64(&mut rng), any_f64(&mut rng));
            let (a, b) = (Dyadic::from(x), Dyadic::from(y));
            assert_eq!((&a + &b).to_f64(), x + y);
            assert_eq!((&a - &b).to_f64(), x - y);
            assert_eq!((&a * &b).to_f64(), x * y, "{x:e} * {y:e}");
            assert_eq!(a.cmp(&b), x.total_cmp(&y));
            if x != 0.0 && y != 0.0 {
                assert_eq!(ratio(&a, &b), x / y, "{x:e} / {y:e}");
                assert_eq!(signed_root(&a.abs(), &a.abs()), x.abs().sqrt());
            }
        }
    }

    #[test]
    fn long_mantissas_and_wide_gaps_lose_nothing() {
        let tiny = Dyadic::from(5e-324);
        let mut product = &Dyadic::from(f64::MAX) + &tiny;
        for _ in 0..4 {
            product = &product * &product;
        }
        assert_eq!(product.to_f64(), f64::INFINITY);
        let back = product.scaled(-16 * 1024);
        assert_eq!(back.to_f64(), 1.0 - 16.0 * f64::EPSILON / 2.0);
        let sum = &(&Dyadic::from(1e300) + &tiny) - &Dyadic::from(1e300);
        assert_eq!(sum, tiny);
        assert_eq!(sum.to_f64(), 5e-324);
        assert_eq!(sum.scaled(-1).to_f64(), 0.0);
        assert_eq!((&sum + &sum.scaled(-1)).to_f64(), 1e-323);
    }

    #[test]
    fn ties_go_to_even_and_sticky_bits_break_them() {
        let one = Dyadic::from(1.0);
        let half_ulp = one.scaled(-53);
        assert_eq!((&one + &half_ulp).to_f64(), 1.0);
        let above = &(&one + &half_ulp) + &one.scaled(-4000);
        assert_eq!(above.to_f64(), 1.0 + f64::EPSILON);
        assert_eq!((-above).to_f64(), -1.0 - f64::EPSILON);
    }
}
