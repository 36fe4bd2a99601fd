//! Moments at which a polynomial vanishes, as exact objects: a rational number or an isolating interval, and the signs of other
//! polynomials there.
//!
//! Roots strictly between t = 0 and t = 1 are isolated by Sturm's theorem on dyadic intervals, unless Descartes' rule says that
//! there is just one, and narrowed by bisection with exact signs, from a floating-point guess where that proves right.
//!
//! Why it ends: the polynomial is made square-free first; distinct roots of an integer polynomial of degree at most three with
//! coefficients below 2^L are farther apart than 2^−(2L + 16) (Mahler), so no interval is halved more often than that.

use arrayvec::ArrayVec;

use super::polynomial::{Chain, Instant, Poly, variations_at};
use crate::math::integer::{Int, power_of_two};
use crate::tolerance::{ROOT_BITS, ROOT_VALUE_ERROR};

/// A root.
#[derive(Debug, Clone)]
pub(super) enum Moment {
    /// A rational one.
    At(Instant),
    /// The only root of a polynomial in a span of time, whose ends are no roots.
    Within(Poly, Span),
}

/// From `lo / 2^k` to `hi / 2^k`.
#[derive(Debug, Clone)]
pub(super) struct Span {
    lo: Int,
    hi: Int,
    k: u32,
}

/// The roots of a polynomial of degree at most three, in order.
pub(super) type Roots = ArrayVec<Moment, 3>;

fn dyadic(m: &Int, k: u32) -> Instant {
    Instant { x: m.clone(), y: &Int::shifted(1, k, false) - m }
}

impl Span {
    fn whole() -> Self {
        Self { lo: Int::default(), hi: Int::from(1), k: 0 }
    }

    /// The two halves.
    fn halves(&self) -> [Self; 2] {
        let (lo, mid, hi) = (&self.lo + &self.lo, &self.lo + &self.hi, &self.hi + &self.hi);
        let k = self.k + 1;
        [Self { lo, hi: mid.clone(), k }, Self { lo: mid, hi, k }]
    }

    fn ends(&self) -> [Instant; 2] {
        [dyadic(&self.lo, self.k), dyadic(&self.hi, self.k)]
    }

    /// Its ends in floating point, rounded outwards.
    fn bounds(&self) -> [f64; 2] {
        let [lo, hi] = [&self.lo, &self.hi].map(|end| (end.ratio_to_power(u64::from(self.k)), end.bits() <= 53));
        [if lo.1 { lo.0 } else { below(lo.0) }, if hi.1 { hi.0 } else { above(hi.0) }]
    }
}

fn below(t: f64) -> f64 {
    t * (1.0 - 4.0 * f64::EPSILON)
}

/// Times below the last number here may have been taken for zero by [`Int::ratio_to_power`].
fn above(t: f64) -> f64 {
    (t * (1.0 + 4.0 * f64::EPSILON)).clamp(power_of_two(-870), 1.0)
}

impl Moment {
    /// t = 0.
    pub fn start() -> Self {
        Self::At(Instant { x: Int::default(), y: Int::from(1) })
    }

    /// t = 1.
    pub fn end() -> Self {
        Self::At(Instant { x: Int::from(1), y: Int::default() })
    }

    /// The exact sign of a polynomial at this moment.
    pub fn sign(&self, poly: &Poly) -> i32 {
        match self {
            Self::At(instant) => poly.sign_at(instant),
            Self::Within(of, span) => {
                if poly.is_zero() {
                    return 0;
                }
                let [lo, hi] = span.bounds();
                let [value, sum] = poly.near(lo, poly.bits());
                // A term moves by at most its degree times the time.
                let error = sum * ((hi - lo) * poly.0.len() as f64 + ROOT_VALUE_ERROR);
                if value.abs() > error {
                    return if value > 0.0 { 1 } else { -1 };
                }
                let [lo, hi] = span.ends();
                of.sign_at_root(poly, &lo, &hi)
            }
        }
    }

    /// An interval of floating-point times around it; a point where the moment is one.
    pub fn bounds(&self) -> [f64; 2] {
        match self {
            Self::Within(_, span) => span.bounds(),
            Self::At(Instant { x, y }) => {
                let whole = x + y;
                let scale = whole.bits();
                let t = x.ratio_to_power(scale) / whole.ratio_to_power(scale);
                let (digits, k) = ((t * power_of_two(i64::from(ROOT_BITS))) as u64, ROOT_BITS);
                let exact =
                    &Int::from(digits) * &whole == x.times_power(k) && digits as f64 == t * power_of_two(i64::from(k));
                if exact { [t, t] } else { [below(t), above(t)] }
            }
        }
    }
}

/// The roots strictly between t = 0 and t = 1, in order; nothing if the bound on the number of bisections proved wrong.
pub(super) fn roots(poly: &Poly) -> Option<Roots> {
    let poly = poly.between();
    let mut found = Roots::new();
    match poly.variations() {
        0 => return Some(found),
        1 if poly.degree() > 1 => {
            found.push(narrowed(&poly, Span::whole())?);
            return Some(found);
        }
        _ => {}
    }
    if let [first, last] = poly.0.as_slice() {
        found.push(Moment::At(Instant { x: first.abs(), y: last.abs() }));
        return Some(found);
    }
    let chain = poly.chain(poly.derivative());
    match chain.last() {
        // A repeated root: the same roots without repetition.
        Some(common) if common.degree() > 0 => {
            let [quotient, _] = poly.divide(common);
            roots(&quotient)
        }
        _ => isolated(&poly, &chain),
    }
}

fn isolated(poly: &Poly, chain: &Chain) -> Option<Roots> {
    let most = 2 * poly.bits() + 16;
    let mut found = Roots::new();
    // From left to right, only spans with roots: never more than three at a time. Sturm counts the roots above the lower end up to
    // and including the upper one.
    let mut open: ArrayVec<(Span, [usize; 2]), 4> = ArrayVec::new();
    let changes = |m: &Int, k: u32| variations_at(chain, &dyadic(m, k));
    open.push((Span::whole(), [changes(&Int::default(), 0), changes(&Int::from(1), 0)]));
    while let Some((span, [at_lo, at_hi])) = open.pop() {
        let [_, hi] = span.ends();
        let ends_in_root = !hi.y.is_zero() && poly.sign_at(&hi) == 0;
        match (at_lo - at_hi).saturating_sub(usize::from(ends_in_root)) {
            0 => {}
            1 => found.try_push(narrowed(poly, span)?).ok()?,
            _ if u64::from(span.k) > most => return None,
            _ => {
                let [left, right] = span.halves();
                let middle = changes(&right.lo, right.k);
                for (half, counts) in [(right, [middle, at_hi]), (left, [at_lo, middle])] {
                    if counts[0] > counts[1] {
                        open.try_push((half, counts)).ok()?;
                    }
                }
                continue;
            }
        }
        if ends_in_root {
            found.try_push(Moment::At(hi)).ok()?;
        }
    }
    Some(found)
}

/// The only root inside a span, a simple one, narrowed to about the resolution of a float.
fn narrowed(poly: &Poly, mut span: Span) -> Option<Moment> {
    let most = 2 * poly.bits() + 16 + u64::from(ROOT_BITS);
    let [lo, _] = span.ends();
    // The sign just above the lower end; where that is a root itself, the derivative's.
    let before = match poly.sign_at(&lo) {
        0 => poly.derivative().sign_at(&lo),
        sign => sign,
    };
    if let Some(found) = guessed(poly, &span, before) {
        return Some(found);
    }
    while u64::from(span.k) <= most {
        let ends = span.ends();
        if span.k >= ROOT_BITS && ends.iter().all(|end| poly.sign_at(end) != 0) {
            return Some(Moment::Within(poly.clone(), span));
        }
        let [left, right] = span.halves();
        let middle = dyadic(&right.lo, right.k);
        match poly.sign_at(&middle) * before {
            0 => return Some(Moment::At(middle)),
            1.. => span = right,
            _ => span = left,
        }
    }
    None
}

/// A narrow span about a root found in floating point, if the exact signs at its ends differ.
fn guessed(poly: &Poly, span: &Span, before: i32) -> Option<Moment> {
    if span.k > ROOT_BITS / 2 {
        return None;
    }
    let [mut lo, mut hi] = span.bounds();
    let scale = poly.bits();
    for _ in 0..=ROOT_BITS {
        let middle = 0.5 * (lo + hi);
        let [value, _] = poly.near(middle, scale);
        if (value > 0.0) == (before > 0) { lo = middle } else { hi = middle }
    }
    let digits = (lo * power_of_two(i64::from(ROOT_BITS))) as u64;
    let [floor, ceiling] = span.bounds().map(|end| (end * power_of_two(i64::from(ROOT_BITS))) as u64);
    for reach in [0, 16] {
        let lo = Int::from(digits.saturating_sub(reach).max(floor));
        let hi = Int::from((digits + 1 + reach).min(ceiling));
        let guess = Span { lo, hi, k: ROOT_BITS };
        let signs = guess.ends().map(|end| poly.sign_at(&end) * before);
        match signs {
            [1, -1] => return Some(Moment::Within(poly.clone(), guess)),
            [0, _] if guess.lo != Int::from(floor) => return Some(Moment::At(dyadic(&guess.lo, ROOT_BITS))),
            [_, 0] if guess.hi != Int::from(ceiling) => return Some(Moment::At(dyadic(&guess.hi, ROOT_BITS))),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial in z from small integers.
    fn poly(coefficients: &[i64]) -> Poly {
        Poly(coefficients.iter().map(|c| Int::shifted(c.unsigned_abs(), 0, *c < 0)).collect())
    }

    /// The roots as z = t / (1 − t).
    fn ratios(poly: &Poly) -> Vec<f64> {
        let found = roots(poly).unwrap();
        found.iter().map(Moment::bounds).map(|[lo, hi]| 0.5 * (lo + hi)).map(|t| t / (1.0 - t)).collect()
    }

    #[test]
    fn roots_are_in_order_and_counted_once() {
        let near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            found.iter().zip(expected).for_each(|(a, b)| assert!((a / b - 1.0).abs() < 1e-12, "{found:?}"));
        };
        near(ratios(&poly(&[-6, 11, -6, 1])), &[1.0, 2.0, 3.0]);
        near(ratios(&poly(&[-2, 5, -4, 1])), &[1.0, 2.0]);
        near(ratios(&poly(&[-1, 3, -3, 1])), &[1.0]);
        near(ratios(&poly(&[-2, 0, 1])), &[2f64.sqrt()]);
        near(ratios(&poly(&[0, -2, 0, 1])), &[2f64.sqrt()]);
        near(ratios(&poly(&[-3, 7, 0])), &[3.0 / 7.0]);
        near(ratios(&poly(&[1, 1, 1, 1])), &[]);
        near(ratios(&poly(&[2, -2, 1])), &[]);
    }

    #[test]
    fn roots_nearer_than_floats_are_told_apart() {
        // (z − 1)((2^70 z − 2^70)² − 2): three roots, about 2^-70 from one to the next.
        let n = 1i64 << 35;
        let square = poly(&[n, -n]).times(&poly(&[n, 0]));
        let scaled = square.times(&square).0[0].clone();
        let outer = Poly(vec![&scaled - &Int::from(2), &(-&scaled) + &(-&scaled), scaled]);
        let all = outer.times(&poly(&[-1, 1]));
        let found = roots(&all).unwrap();
        assert_eq!(found.len(), 3);
        let signs: Vec<i32> = found.iter().map(|moment| moment.sign(&poly(&[-1, 1]))).collect();
        assert_eq!(signs, [-1, 0, 1]);
        assert!(
            found.iter().all(|moment| moment.sign(&outer) == if moment.sign(&poly(&[-1, 1])) == 0 { -1 } else { 0 })
        );
    }

    #[test]
    fn signs_at_a_root_are_exact() {
        let root = roots(&poly(&[-2, 0, 1])).unwrap()[0].clone();
        // √2 against its convergents 1.41421356…: 665857 / 470832 is above by 1.6e-12, 1855077841 / 1311738121 below by 2e-19.
        assert_eq!(root.sign(&poly(&[-665_857, 470_832])), -1);
        assert_eq!(root.sign(&poly(&[-1_855_077_841, 1_311_738_121])), 1);
        assert_eq!(root.sign(&poly(&[-4, 0, 2])), 0);
        assert_eq!(root.sign(&poly(&[2, -2, -1, 1])), 0);
        assert_eq!(root.sign(&poly(&[0, 0, 0])), 0);
    }
}
