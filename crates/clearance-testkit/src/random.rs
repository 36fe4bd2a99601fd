//! Seeded randomness: the same seed gives the same test on every run.
//!
//! Directions and rotations are drawn by rejection and a square root, so they do not depend on
//! how a platform rounds its trigonometry.

use glam::{DQuat, DVec3, DVec4};

/// A seeded source of random geometry.
#[derive(Clone, Debug)]
pub struct Rng(fastrand::Rng);

impl Rng {
    /// A source that depends on the seed alone.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Uniform in `[lo, hi)`.
    pub fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.0.f64()
    }

    /// Uniform in its logarithm, between two positive numbers.
    pub fn log_uniform(&mut self, lo: f64, hi: f64) -> f64 {
        self.uniform(lo.ln(), hi.ln()).exp()
    }

    /// Uniform in `0..count`; the count must be positive.
    pub fn index(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    /// Uniform integer, both ends included.
    pub fn integer(&mut self, lo: i64, hi: i64) -> i64 {
        self.0.i64(lo..=hi)
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.f64() < probability
    }

    /// 1 or −1.
    pub fn sign(&mut self) -> f64 {
        if self.0.bool() { 1.0 } else { -1.0 }
    }

    /// One of the items; there must be one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// Uniform in the box with corners ±`half`.
    pub fn in_box(&mut self, half: DVec3) -> DVec3 {
        DVec3::from_array([half.x, half.y, half.z].map(|h| self.uniform(-h, h)))
    }

    /// Uniform in the ball of this radius about the origin.
    pub fn in_ball(&mut self, radius: f64) -> DVec3 {
        loop {
            let point = self.in_box(DVec3::ONE);
            if point.length_squared() <= 1.0 {
                return point * radius;
            }
        }
    }

    /// Uniform on the unit sphere.
    pub fn unit_vector(&mut self) -> DVec3 {
        loop {
            let point = self.in_ball(1.0);
            if point.length_squared() > 0.01 {
                return point.normalize();
            }
        }
    }

    /// Uniform over all rotations, as a unit quaternion.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DVec4::from_array([0; 4].map(|_| self.uniform(-1.0, 1.0)));
            if (0.01..=1.0).contains(&q.length_squared()) {
                return DQuat::from_vec4(q.normalize());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_everything() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            (rng.rotation(), rng.unit_vector(), rng.log_uniform(1.0, 9.0))
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn ranges_hold_and_means_are_central() {
        let mut rng = Rng::new(9);
        let count = 20_000;
        let (mut unit, mut ball, mut turned, mut log) = (DVec3::ZERO, 0.0, DVec3::ZERO, 0.0);
        for _ in 0..count {
            let direction = rng.unit_vector();
            assert!((direction.length() - 1.0).abs() < 1e-15);
            unit += direction;
            let point = rng.in_ball(2.0);
            assert!(point.length() <= 2.0);
            ball += point.length();
            turned += rng.rotation() * DVec3::X;
            let x = rng.log_uniform(1e-6, 1e6);
            assert!((0.99e-6..1.01e6).contains(&x));
            log += x.ln();
            assert!((-3..=3).contains(&rng.integer(-3, 3)));
        }
        let n = f64::from(count);
        assert!(unit.length() / n < 0.02 && turned.length() / n < 0.02);
        assert!((ball / n - 1.5).abs() < 0.02 && (log / n).abs() < 0.3);
    }
}
