//! Polynomials in time with exact coefficients, and real algebraic numbers as roots of them in isolating intervals.
//!
//! Textbook methods on power bases: Euclid's algorithm for common divisors, Sturm's theorem for counting, bisection for the rest.
//! Divisions are avoided by positive multipliers, so signs are those of the true remainders.

use crate::Dyadic;

/// Coefficients by ascending powers; no zeros at the end.
#[derive(Clone, Debug)]
pub(super) struct Poly(Vec<Dyadic>);

impl Poly {
    pub fn new(mut coefficients: Vec<Dyadic>) -> Self {
        while coefficients.last().is_some_and(Dyadic::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    /// From one value at t = 0 to another at t = 1.
    pub fn between(from: f64, to: f64) -> Self {
        let from = Dyadic::from(from);
        let slope = &Dyadic::from(to) - &from;
        Self::new(vec![from, slope])
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn is_constant(&self) -> bool {
        self.0.len() < 2
    }

    fn combined(&self, other: &Self, combine: impl Fn(&Dyadic, &Dyadic) -> Dyadic) -> Self {
        let zero = Dyadic::default();
        let at = |poly: &Self, i: usize| poly.0.get(i).unwrap_or(&zero).clone();
        let length = self.0.len().max(other.0.len());
        Self::new((0..length).map(|i| combine(&at(self, i), &at(other, i))).collect())
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a + b)
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a - b)
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![Dyadic::default(); self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] = &product[i + j] + &(a * b);
            }
        }
        Self::new(product)
    }

    fn negated(&self) -> Self {
        Self(self.0.iter().map(|c| -c).collect())
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * &Dyadic::from(i as f64)).collect())
    }

    fn sign(&self, t: &Dyadic) -> i32 {
        self.0.iter().rev().fold(Dyadic::default(), |value, c| &(&value * t) + c).sign()
    }

    /// Quotient and remainder, both times a positive number.
    fn divided(&self, by: &Self) -> (Self, Self) {
        let Some(lead) = by.0.last() else { return (Self(Vec::new()), self.clone()) };
        let (size, sign) = (lead.abs(), Dyadic::from(f64::from(lead.sign())));
        let (mut quotient, mut rest) = (Self(Vec::new()), self.clone());
        while rest.0.len() >= by.0.len() && !rest.is_zero() {
            let mut term = vec![Dyadic::default(); rest.0.len() - by.0.len()];
            term.push(&rest.0[rest.0.len() - 1] * &sign);
            let term = Self(term);
            let constant = Self(vec![size.clone()]);
            quotient = quotient.times(&constant).plus(&term);
            rest = rest.times(&constant).minus(&term.times(by));
        }
        (quotient, rest)
    }

    /// A greatest common divisor.
    fn common(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.divided(&b).1;
            a = b;
            b = rest;
        }
        a
    }

    /// The same roots, each once.
    fn without_repetition(&self) -> Self {
        let common = self.common(&self.derivative());
        // Dividing by a constant would only make the coefficients longer.
        if common.is_constant() { self.clone() } else { self.divided(&common).0 }
    }

    fn sturm_chain(&self) -> Vec<Self> {
        let mut chain = vec![self.clone(), self.derivative()];
        while !chain[chain.len() - 1].is_zero() {
            let rest = chain[chain.len() - 2].divided(&chain[chain.len() - 1]).1;
            chain.push(rest.negated());
        }
        chain.pop();
        chain
    }
}

/// Distinct roots above `low` up to `high`, of the first in a Sturm chain.
fn count(chain: &[Poly], low: &Dyadic, high: &Dyadic) -> usize {
    let changes = |t: &Dyadic| {
        let signs: Vec<i32> = chain.iter().map(|poly| poly.sign(t)).filter(|sign| *sign != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    changes(low) - changes(high)
}

/// A real algebraic number: the only root of a polynomial above `low` and up to `high`.
#[derive(Clone, Debug)]
pub(super) struct Algebraic {
    poly: Poly,
    chain: Vec<Poly>,
    pub low: Dyadic,
    pub high: Dyadic,
}

impl Algebraic {
    /// The roots of a polynomial, not zero, in [0, 1], in order.
    pub fn roots(poly: &Poly) -> Vec<Self> {
        let poly = poly.without_repetition();
        if poly.is_constant() {
            return Vec::new();
        }
        let chain = poly.sturm_chain();
        let mut found = Vec::new();
        // Half open intervals: the first begins well below 0, so that 0 is in one; what is below 0 is left out at the end.
        let mut open = vec![(Dyadic::from(-1.0), Dyadic::from(1.0))];
        while let Some((low, high)) = open.pop() {
            match count(&chain, &low, &high) {
                0 => {}
                1 => found.push(Self { poly: poly.clone(), chain: chain.clone(), low, high }),
                _ => {
                    let middle = (&low + &high).scaled(-1);
                    open.push((middle.clone(), high));
                    open.push((low, middle));
                }
            }
        }
        let time = Poly::new(vec![0.0.into(), 1.0.into()]);
        found.retain_mut(|root| root.sign(&time) >= 0);
        found
    }

    fn halve(&mut self) {
        let middle = (&self.low + &self.high).scaled(-1);
        if count(&self.chain, &self.low, &middle) == 1 { self.high = middle } else { self.low = middle }
    }

    /// Narrows the interval to `2^-bits`.
    pub fn narrow(&mut self, bits: i64) {
        let width = Dyadic::from(1.0).scaled(-bits);
        while &self.high - &self.low > width {
            self.halve();
        }
    }

    /// The sign of a polynomial at this number.
    pub fn sign(&mut self, other: &Poly) -> i32 {
        if other.is_zero() {
            return 0;
        }
        let common = self.poly.common(other);
        if !common.is_constant() && count(&common.sturm_chain(), &self.low, &self.high) == 1 {
            return 0;
        }
        // Not zero here, so the interval gets free of the other's roots.
        let chain = other.without_repetition().sturm_chain();
        while !other.is_constant() && count(&chain, &self.low, &self.high) > 0 {
            self.halve();
        }
        other.sign(&self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coefficients: &[f64]) -> Poly {
        Poly::new(coefficients.iter().map(|&c| c.into()).collect())
    }

    #[test]
    fn roots_are_found_and_signs_at_them_are_right() {
        // (2t − 1)² (4t² − 2)(t + 1): 1/2 and 1/√2 between 0 and 1.
        let product =
            poly(&[-1.0, 2.0]).times(&poly(&[-1.0, 2.0])).times(&poly(&[-2.0, 0.0, 4.0])).times(&poly(&[1.0, 1.0]));
        let mut roots = Algebraic::roots(&product);
        assert_eq!(roots.len(), 2);
        for (root, expected) in roots.iter_mut().zip([0.5, 0.5f64.sqrt()]) {
            root.narrow(60);
            assert!((root.high.to_f64() - expected).abs() < 1e-15);
        }
        let [half, diagonal] = roots.as_mut_slice() else { panic!("two roots") };
        assert_eq!([half.sign(&poly(&[-1.0, 2.0])), diagonal.sign(&poly(&[-1.0, 2.0]))], [0, 1]);
        assert_eq!([half.sign(&poly(&[-1.0, 0.0, 2.0])), diagonal.sign(&poly(&[-1.0, 0.0, 2.0]))], [-1, 0]);
        assert_eq!(diagonal.sign(&poly(&[-std::f64::consts::FRAC_1_SQRT_2, 1.0])), -1, "the float is above the root");
        assert_eq!(Algebraic::roots(&poly(&[0.0, 1.0])).len(), 1, "0 counts");
        assert_eq!(Algebraic::roots(&poly(&[-1.0, 1.0])).len(), 1, "1 counts");
        assert_eq!(Algebraic::roots(&poly(&[1.0, 1.0, 1.0])).len(), 0);
    }
}
