//! Exact signs of sums of products of doubles (Shewchuk's expansions), for predicates about lines.
//!
//! A sum is kept as doubles that do not overlap, smallest first, with zeros left out: exact as long as nothing leaves the range. Numbers
//! with few digits, as on grids, keep it at one term.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::exact::{two_product, two_sum};

/// An exact sum of up to 72 doubles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expansion(ArrayVec<f64, 80>);

impl Expansion {
    /// Adds a number, exactly.
    #[inline]
    fn add(&mut self, x: f64) {
        let mut sum = x;
        let mut kept = 0;
        for i in 0..self.0.len() {
            let (high, low) = two_sum(sum, self.0[i]);
            if low != 0.0 {
                self.0[kept] = low;
                kept += 1;
            }
            sum = high;
        }
        self.0.truncate(kept);
        if sum != 0.0 && !self.0.is_full() {
            self.0.push(sum);
        }
    }

    /// Adds a product of two, exactly.
    fn add_product(&mut self, a: f64, b: f64) {
        if a == 0.0 || b == 0.0 {
            return;
        }
        let (high, low) = two_product(a, b);
        self.add(low);
        self.add(high);
    }

    /// Adds a product of three, exactly.
    fn add_triple(&mut self, a: f64, b: f64, c: f64) {
        if a == 0.0 || b == 0.0 || c == 0.0 {
            return;
        }
        let (high, low) = two_product(a, b);
        self.add_product(low, c);
        self.add_product(high, c);
    }

    /// The sum as a double: its sign is exact, and it is right to a few last places.
    fn value(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// The determinant of `d`, `p − o`, `q − o`: on which side of the segment from `p` to `q` the line through `o` along `d` passes. Its sign
/// is exact, zero included, and its value is right to a few last places, while products of three coordinates stay in range.
pub(crate) fn line_side(d: DVec3, o: DVec3, p: DVec3, q: DVec3) -> f64 {
    let mut sum = Expansion::default();
    // d·(p×q) + d·(q×o) + d·(o×p)
    for (u, v) in [(p, q), (q, o), (o, p)] {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            sum.add_triple(u[j], v[k], d[i]);
            sum.add_triple(-u[k], v[j], d[i]);
        }
    }
    sum.value()
}

/// `d × (p − o)`: each component's sign is exact, and its value right to a few last places.
pub(crate) fn cross_from(d: DVec3, o: DVec3, p: DVec3) -> DVec3 {
    let component = |j: usize, k: usize| {
        let mut sum = Expansion::default();
        sum.add_product(d[j], p[k]);
        sum.add_product(-d[j], o[k]);
        sum.add_product(-d[k], p[j]);
        sum.add_product(d[k], o[j]);
        sum.value()
    };
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_lines_are_exact() {
        let (o, d) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(3.0, 5.0, 7.0));
        let on_line = o + d * 4.0;
        let off = on_line + DVec3::new(0.0, on_line.y * f64::EPSILON, 0.0);
        let p = DVec3::new(-4.0, 11.0, 0.5);
        assert_eq!(line_side(d, o, p, on_line), 0.0);
        assert_eq!(cross_from(d, o, on_line), DVec3::ZERO);
        let side = line_side(d, o, p, off);
        assert!(side != 0.0 && side == -line_side(d, o, off, p));
        assert_eq!(cross_from(d, o, off).y, 0.0);
        assert!(cross_from(d, o, off).x < 0.0);
        // Far from the origin plain arithmetic loses everything.
        let far = DVec3::splat((1u64 << 40) as f64);
        assert_eq!(line_side(d, o + far, p + far, on_line + far), 0.0);
        assert!(line_side(d, o + far, p + far, off + far + DVec3::Y * 0.25) != 0.0);
    }
}
