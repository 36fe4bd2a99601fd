//! Polynomials with integer coefficients, their signs and their remainder sequences.
//!
//! Time t in \[0, 1\] is handled as z = t / (1 − t) in \[0, ∞\]: a point that moves from x₀ to x₁ is at (1 − t)·(x₀ + z·x₁), so
//! polynomials in z have the coefficients that one reads off the end positions, their roots at t = 0 and t = 1 are lost leading
//! and trailing coefficients, and Descartes' rule for positive roots is about just the interval of time.
//!
//! Remainders are pseudo-remainders with positive multipliers, so signs are those of the true ones. Degrees are at most three and
//! each step lowers one: everything here ends.

use arrayvec::ArrayVec;

use crate::math::integer::Int;

/// A moment as a point of the projective line: t = x / (x + y), neither negative, not both zero.
#[derive(Debug, Clone)]
pub(super) struct Instant {
    pub x: Int,
    pub y: Int,
}

/// Coefficients by ascending powers of z. The number of coefficients is the formal degree plus one; the last may be zero, which
/// means a root at t = 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Poly(pub Vec<Int>);

/// A sequence of remainders: at most one for each degree from three down, and one more.
pub(super) type Chain = ArrayVec<Poly, 5>;

impl Poly {
    /// Whether all coefficients are zero.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(Int::is_zero)
    }

    /// The sign of the polynomial just where it is, for its formal degree.
    pub fn sign_at(&self, Instant { x, y }: &Instant) -> i32 {
        let Some((last, rest)) = self.0.split_last() else { return 0 };
        if x.is_zero() {
            return self.0.first().map_or(0, Int::sign);
        }
        if y.is_zero() {
            return last.sign();
        }
        let mut power = y.clone();
        let mut value = last.clone();
        for (i, coefficient) in rest.iter().enumerate().rev() {
            value = &(&value * x) + &(coefficient * &power);
            if i > 0 {
                power = &power * y;
            }
        }
        value.sign()
    }

    /// The largest number of bits of a coefficient.
    pub fn bits(&self) -> u64 {
        self.0.iter().map(Int::bits).max().unwrap_or(0)
    }

    /// The value at t and the sum of the magnitudes of the coefficients, both times `2^-scale` and within 16 unit roundoffs of that
    /// sum; homogenised, so that it is bounded by it. `scale` is at least [`Poly::bits`].
    pub fn near(&self, t: f64, scale: u64) -> [f64; 2] {
        let (mut value, mut sum, mut power) = (0.0, 0.0, 1.0);
        for coefficient in self.0.iter().rev() {
            let coefficient = coefficient.ratio_to_power(scale);
            value = value * t + coefficient * power;
            sum += coefficient.abs();
            power *= 1.0 - t;
        }
        [value, sum]
    }

    /// Without its roots at t = 0 and t = 1.
    pub fn between(&self) -> Self {
        let first = self.0.iter().position(|c| !c.is_zero()).unwrap_or(self.0.len());
        let last = self.0.iter().rposition(|c| !c.is_zero()).map_or(first, |last| last + 1);
        Self(self.0[first..last].to_vec())
    }

    /// Changes of sign along the coefficients: as many positive roots as this or fewer by an even number (Descartes).
    pub fn variations(&self) -> usize {
        variations(self.0.iter().map(Int::sign))
    }

    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub fn derivative(&self) -> Self {
        Self((1u64..).zip(self.0.iter().skip(1)).map(|(i, c)| c * &Int::from(i)).collect())
    }

    pub fn minus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![Int::default(); (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (slot, b) in product[i..].iter_mut().zip(&other.0) {
                *slot = &*slot + &(a * b);
            }
        }
        Self(product)
    }

    fn trim(mut self) -> Self {
        while self.0.last().is_some_and(Int::is_zero) {
            self.0.pop();
        }
        self
    }

    /// Quotient and remainder of a positive multiple of `self` by a divisor whose leading coefficient is not zero.
    pub fn divide(&self, divisor: &Self) -> [Self; 2] {
        let mut remainder = self.clone().trim();
        let Some(lead) = divisor.0.last() else { return [Self::default(), remainder] };
        let (size, flip) = (lead.abs(), lead.sign() < 0);
        let mut quotient = vec![Int::default(); (remainder.0.len() + 1).saturating_sub(divisor.0.len())];
        while remainder.0.len() >= divisor.0.len() {
            let shift = remainder.0.len() - divisor.0.len();
            let Some(top) = remainder.0.last() else { break };
            let top = if flip { -top } else { top.clone() };
            quotient.iter_mut().for_each(|c| *c = &*c * &size);
            quotient[shift] = top.clone();
            remainder.0.iter_mut().for_each(|c| *c = &*c * &size);
            for (slot, c) in remainder.0[shift..].iter_mut().zip(&divisor.0) {
                *slot = &*slot - &(&top * c);
            }
            remainder = remainder.trim();
        }
        [Self(quotient), remainder]
    }

    /// The signed remainder sequence that begins with `self` and `second`, up to the last that is not zero.
    pub fn chain(&self, second: Self) -> Chain {
        let mut chain = Chain::new();
        let mut next = second.trim();
        chain.push(self.clone());
        while !next.0.is_empty() && !chain.is_full() {
            let [_, remainder] = chain[chain.len() - 1].divide(&next);
            chain.push(next);
            next = Self(remainder.0.iter().map(|c| -c).collect());
        }
        chain
    }

    /// The sign of `other` at the only root of `self`, a simple one, between two moments that are no roots. The changes of sign that
    /// the remainder sequence of `self` and `other` loses are the Cauchy index of `other` / `self`: the sign of `other` at the root
    /// times that of the derivative of `self` (Sturm).
    pub fn sign_at_root(&self, other: &Self, lo: &Instant, hi: &Instant) -> i32 {
        let other = other.clone().trim();
        let lower = if other.0.len() < self.0.len() { other } else { other.divide(self)[1].clone() };
        let chain = self.chain(lower);
        let index = variations_at(&chain, lo) as i32 - variations_at(&chain, hi) as i32;
        index * self.sign_at(hi)
    }
}

/// Changes of sign along a chain at a moment.
pub(super) fn variations_at(chain: &Chain, at: &Instant) -> usize {
    variations(chain.iter().map(|poly| poly.sign_at(at)))
}

fn variations(signs: impl Iterator<Item = i32>) -> usize {
    let mut last = 0;
    let mut count = 0;
    for sign in signs.filter(|sign| *sign != 0) {
        count += usize::from(last * sign < 0);
        last = sign;
    }
    count
}
