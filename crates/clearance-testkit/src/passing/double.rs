//! Sums of products with twice the digits: what a pose does to a point, rounded once.

/// Half the spacing of `f64` above one.
pub(super) const ROUNDOFF: f64 = 0.5 * f64::EPSILON;

/// The sum and what rounding took from it, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Two halves of the digits each.
fn split(a: f64) -> (f64, f64) {
    let factor = 134_217_729.0 * a; // 2^27 + 1
    let high = factor - (factor - a);
    (high, a - high)
}

/// The product and what rounding took from it, exactly (below 1e290 and barring underflow).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, al * bl - (((product - ah * bh) - al * bh) - ah * bl))
}

/// The sum of the products, off by one rounding of itself and by [`dot_error`] of what was added up (Ogita, Rump and Oishi 2005).
pub(super) fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for (x, y) in a.into_iter().zip(b) {
        let (product, lost) = two_product(x, y);
        let (next, also) = two_sum(sum, product);
        sum = next;
        rest += lost + also;
    }
    sum + rest
}

/// The part of the error of [`dot`] with up to seven products whose sizes add up to so much.
pub(super) fn dot_error(size: f64) -> f64 {
    64.0 * ROUNDOFF * ROUNDOFF * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dyadic, Rng};

    #[test]
    fn cancelled_sums_keep_their_digits() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let a = [0; 5].map(|_| rng.uniform(-1e4, 1e4));
            let mut b = [0; 5].map(|_| rng.uniform(-1.0, 1.0));
            b[4] = -(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) / a[4];
            let zero = Dyadic::default();
            let exact = a.iter().zip(b).fold(zero, |sum, (&x, y)| &sum + &(&Dyadic::from(x) * &Dyadic::from(y)));
            let size: f64 = a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum();
            let off = (&Dyadic::from(dot(a, b)) - &exact).to_f64().abs();
            assert!(off <= ROUNDOFF * exact.to_f64().abs() + dot_error(size), "{off:e} of {size}");
        }
    }
}
