//! A box of the grid in one number of 64 bits.

use crate::math::lanes::CodeRule;

/// Steps per cell, as a power of two.
pub(super) const STEP_BITS: u32 = 6;
/// A field of a code: nine bits of a bound, and one for the carry of a sum.
const FIELD: u32 = 10;
const FIELD_MASK: u32 = (1 << 9) - 1;

/// Two boxes meet if no upper bound of one is below the lower bound of the other: exchanging the halves of one code and adding the
/// other gives the six differences, whose signs must be clear.
pub(super) const MEET: CodeRule = {
    let three = (1 << 8) | (1 << (8 + FIELD)) | (1 << (8 + 2 * FIELD));
    CodeRule { signs: three | three << (3 * FIELD), half: 3 * FIELD }
};

/// The upper bounds and the negative lower bounds of a box, modulo 2^9 steps.
#[inline]
pub(super) fn code(min: [u32; 3], max: [u32; 3]) -> u64 {
    let pack = |[x, y, z]: [u32; 3]| {
        let field = |value: u32| u64::from(value & FIELD_MASK);
        field(x) | field(y) << FIELD | field(z) << (2 * FIELD)
    };
    pack(max) | pack(min.map(u32::wrapping_neg)) << (3 * FIELD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::{CODES, Stretches, for_each_meeting};

    struct Both;

    impl Stretches for Both {
        fn visit(&self, at: usize, mut look: impl FnMut([u32; 2])) {
            look([1 - at as u32, 2 - at as u32]);
        }
    }

    fn meet(a: u64, b: u64) -> bool {
        let mut codes = vec![0; 2 + CODES];
        (codes[0], codes[1]) = (a, b);
        let mut count = 0;
        for_each_meeting(&codes, 0..2, MEET, &Both, |_, _| count += 1);
        assert!(count == 0 || count == 2, "either way round");
        count == 2
    }

    #[test]
    fn codes_meet_where_intervals_do_around_the_wrap() {
        for at in [0u32, 300, 505, u32::MAX - 3] {
            let along = |x: u32, length: u32| code([at.wrapping_add(x), 7, 7], [at.wrapping_add(x + length), 9, 9]);
            for (x, length) in [(0, 0), (3, 60), (100, 62), (40, 60), (39, 60), (130, 1), (131, 1)] {
                assert_eq!(meet(along(x, length), along(100, 30)), x <= 130 && 100 <= x + length, "{at} {x} {length}");
            }
            assert!(!meet(code([at, 10, 7], [at, 12, 9]), along(0, 0)));
            assert!(meet(code([at, 9, 7], [at, 12, 9]), along(0, 0)));
        }
    }
}
