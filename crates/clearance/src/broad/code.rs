//! Boxes of the grid in one number each, and their comparison.

/// Steps per cell, as a power of two.
pub(super) const STEP_BITS: u32 = 6;
/// Codes compared at a time.
pub(super) const LANES: usize = 4;
/// A field of a code: nine bits of a bound, and one for the carry of a sum.
const FIELD: u32 = 10;
const FIELD_MASK: u32 = (1 << 9) - 1;
/// The signs of all six fields of a sum.
const SIGNS: u64 = {
    let three = (1 << 8) | (1 << (8 + FIELD)) | (1 << (8 + 2 * FIELD));
    three | three << (3 * FIELD)
};

/// The upper bounds and the negative lower bounds of a box, modulo 2^9 steps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Code(u64);

impl Code {
    #[inline]
    pub fn new(min: [u32; 3], max: [u32; 3]) -> Self {
        let pack = |[x, y, z]: [u32; 3]| {
            let field = |value: u32| u64::from(value & FIELD_MASK);
            field(x) | field(y) << FIELD | field(z) << (2 * FIELD)
        };
        Self(pack(max) | pack(min.map(u32::wrapping_neg)) << (3 * FIELD))
    }

    /// The two halves exchanged: added to another code it gives the six differences of an upper and a lower bound.
    #[inline]
    pub fn exchanged(self) -> u64 {
        let half = 3 * FIELD;
        self.0 >> half | (self.0 & ((1 << half) - 1)) << half
    }

    /// 1 if no difference is negative, else 0.
    #[inline]
    fn meets(self, exchanged: u64) -> u64 {
        ((self.0 + exchanged) & SIGNS).wrapping_sub(1) >> 63
    }
}

/// Calls `hit` with those of the others, given by their first and the one past the last, whose codes meet the one given. There
/// must be [`LANES`] more codes than others.
#[inline]
pub(super) fn compare(codes: &[Code], exchanged: u64, [start, end]: [u32; 2], mut hit: impl FnMut(u32)) {
    let mut at = start;
    // At least once: most stretches hold a few, and a branch on whether there are any costs more.
    while let Some(chunk) = codes.get(at as usize..at as usize + LANES) {
        let met = chunk.iter().rev().fold(0, |met, code| met << 1 | code.meets(exchanged));
        let count = end.saturating_sub(at).min(LANES as u32);
        let mut met = met & ((1 << count) - 1);
        while met != 0 {
            hit(at + met.trailing_zeros());
            met &= met - 1;
        }
        at += LANES as u32;
        if at >= end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_meet_where_intervals_do_around_the_wrap() {
        for at in [0u32, 300, 505, u32::MAX - 3] {
            let code = |x: u32, length: u32| Code::new([at.wrapping_add(x), 7, 7], [at.wrapping_add(x + length), 9, 9]);
            for (x, length) in [(0, 0), (3, 60), (100, 62)] {
                let fixed = code(100, 30);
                let overlap = x <= 130 && 100 <= x + length;
                assert_eq!(code(x, length).meets(fixed.exchanged()) == 1, overlap, "{at} {x} {length}");
                assert_eq!(fixed.meets(code(x, length).exchanged()) == 1, overlap);
            }
            let aside = Code::new([at, 10, 7], [at, 12, 9]);
            assert_eq!(aside.meets(code(0, 0).exchanged()), 0);
        }
    }

    #[test]
    fn stretches_of_any_length_are_compared_whole() {
        let all = vec![Code::new([5; 3], [6; 3]); 20 + LANES];
        for (start, end) in [(0, 0), (3, 3), (5, 3), (0, 1), (2, 6), (2, 7), (0, 20)] {
            let mut seen = Vec::new();
            compare(&all, all[0].exchanged(), [start, end], |other| seen.push(other));
            assert_eq!(seen, (start..end).collect::<Vec<_>>());
        }
    }
}
