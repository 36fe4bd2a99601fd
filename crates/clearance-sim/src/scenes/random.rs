//! Random numbers for scenes: the same everywhere, without a dependency.

use clearance::{Quat, Real};

/// A sequence of random numbers by a seed (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`. 24 bits, so that both precisions get the same number.
    pub fn uniform(&mut self, low: Real, high: Real) -> Real {
        let unit = (self.next() >> 40) as Real / (1u32 << 24) as Real;
        low + (high - low) * unit
    }

    /// Any rotation: four numbers in a ball, brought to length one.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let [x, y, z, w] = [(); 4].map(|()| self.uniform(-1.0, 1.0));
            let candidate = Quat::from_xyzw(x, y, z, w);
            let square = candidate.length_squared();
            if square > 0.0625 && square <= 1.0 {
                return candidate.normalize();
            }
        }
    }
}
