//! Several numbers that are computed with at once: in plain code, with AVX2 and with AVX-512.
//!
//! Every operation is that of IEEE 754 on each number alone, never contracted, so that a lane's result has the same bits in all versions.
//! The `unsafe` of batches is here and in `version`: the operations are inlined into functions compiled for the feature, which alone make
//! values of these types; and loads and stores are of rows, which are never narrower than a vector.

#![allow(unsafe_code)]

use crate::math::Real;

/// Numbers in a row of memory: as many as the widest vector holds.
pub(super) const ROW: usize = 64 / size_of::<Real>();

/// One number for each lane.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Row(pub [Real; ROW]);

impl Row {
    pub const ZERO: Self = Self([0.0; ROW]);
}

/// Several numbers with which the same is done. A mask has one bit for each, and comparisons with NaN are false.
pub(super) trait Lane: Copy {
    /// How many numbers.
    const WIDTH: usize;
    /// A choice of lanes.
    type Mask: Copy;
    fn splat(x: Real) -> Self;
    /// The numbers of a row from a position on, which is at most what leaves as many as the width; others are taken as the last that does.
    fn load_at(row: &Row, position: usize) -> Self;
    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self::load_at(row, 0)
    }
    fn store(self, row: &mut Row);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The size of this with the sign of the other.
    fn with_sign_of(self, other: Self) -> Self;
    /// This where it is greater than the other, else the other: also where one is no number.
    fn larger(self, other: Self) -> Self;
    /// The other where this is greater, else this.
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self::select(self.above(other), other, self)
    }
    /// Where this is greater than the other.
    fn above(self, other: Self) -> Self::Mask;
    fn and(first: Self::Mask, second: Self::Mask) -> Self::Mask;
    fn or(first: Self::Mask, second: Self::Mask) -> Self::Mask;
    /// The first and not the second.
    fn without(first: Self::Mask, second: Self::Mask) -> Self::Mask;
    /// `this` in the lanes of the mask, `other` in the others.
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self;
    /// The mask as a number, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;
}

/// The version without vectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain([Real; 4]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(Real, Real) -> Real) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Lane for Plain {
    const WIDTH: usize = 4;
    type Mask = [bool; 4];

    #[inline(always)]
    fn splat(x: Real) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    fn load_at(row: &Row, position: usize) -> Self {
        let start = position.min(ROW - 4);
        Self(std::array::from_fn(|lane| row.0[start + lane]))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        row.0[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(Real::sqrt))
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.zip(other, Real::copysign)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.zip(other, |x, y| if x > y { x } else { y })
    }

    #[inline(always)]
    fn above(self, other: Self) -> [bool; 4] {
        std::array::from_fn(|lane| self.0[lane] > other.0[lane])
    }

    #[inline(always)]
    fn and(first: [bool; 4], second: [bool; 4]) -> [bool; 4] {
        std::array::from_fn(|lane| first[lane] & second[lane])
    }

    #[inline(always)]
    fn or(first: [bool; 4], second: [bool; 4]) -> [bool; 4] {
        std::array::from_fn(|lane| first[lane] | second[lane])
    }

    #[inline(always)]
    fn without(first: [bool; 4], second: [bool; 4]) -> [bool; 4] {
        std::array::from_fn(|lane| first[lane] & !second[lane])
    }

    #[inline(always)]
    fn select(mask: [bool; 4], this: Self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| if mask[lane] { this.0[lane] } else { other.0[lane] }))
    }

    #[inline(always)]
    fn bits(mask: [bool; 4]) -> u32 {
        mask.iter().rev().fold(0, |bits, &set| bits << 1 | u32::from(set))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lane, ROW, Real, Row};

    /// The intrinsics of this precision under common names.
    #[cfg(not(single_precision))]
    mod ops {
        pub use std::arch::x86_64::{
            __m256d as Vector, __m512d as Vector512, __mmask8 as Mask512, _mm256_add_pd as add, _mm256_and_pd as and,
            _mm256_andnot_pd as and_not, _mm256_blendv_pd as select, _mm256_cmp_pd as compare, _mm256_div_pd as divide,
            _mm256_loadu_pd as load, _mm256_max_pd as maximum, _mm256_movemask_pd as bits, _mm256_mul_pd as multiply,
            _mm256_or_pd as or, _mm256_set1_pd as splat, _mm256_sqrt_pd as root, _mm256_storeu_pd as store,
            _mm256_sub_pd as subtract, _mm512_add_pd as add512, _mm512_castpd_si512 as integers,
            _mm512_castsi512_pd as floats, _mm512_cmp_pd_mask as compare512, _mm512_div_pd as divide512,
            _mm512_loadu_pd as load512, _mm512_mask_blend_pd as blend512, _mm512_max_pd as maximum512,
            _mm512_mul_pd as multiply512, _mm512_set1_pd as splat512, _mm512_sqrt_pd as root512,
            _mm512_storeu_pd as store512, _mm512_sub_pd as subtract512,
        };
    }
    #[cfg(single_precision)]
    mod ops {
        pub use std::arch::x86_64::{
            __m256 as Vector, __m512 as Vector512, __mmask16 as Mask512, _mm256_add_ps as add, _mm256_and_ps as and,
            _mm256_andnot_ps as and_not, _mm256_blendv_ps as select, _mm256_cmp_ps as compare, _mm256_div_ps as divide,
            _mm256_loadu_ps as load, _mm256_max_ps as maximum, _mm256_movemask_ps as bits, _mm256_mul_ps as multiply,
            _mm256_or_ps as or, _mm256_set1_ps as splat, _mm256_sqrt_ps as root, _mm256_storeu_ps as store,
            _mm256_sub_ps as subtract, _mm512_add_ps as add512, _mm512_castps_si512 as integers,
            _mm512_castsi512_ps as floats, _mm512_cmp_ps_mask as compare512, _mm512_div_ps as divide512,
            _mm512_loadu_ps as load512, _mm512_mask_blend_ps as blend512, _mm512_max_ps as maximum512,
            _mm512_mul_ps as multiply512, _mm512_set1_ps as splat512, _mm512_sqrt_ps as root512,
            _mm512_storeu_ps as store512, _mm512_sub_ps as subtract512,
        };
    }
    use ops::*;
    use std::arch::x86_64::{_CMP_GT_OQ, _mm512_ternarylogic_epi64};

    /// Half a row, with AVX2.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2(Vector);

    // SAFETY of all operations: values of the type are made only where the processor is known to have AVX2.
    impl Lane for Avx2 {
        const WIDTH: usize = ROW / 2;
        type Mask = Vector;

        #[inline(always)]
        fn splat(x: Real) -> Self {
            // SAFETY: as above.
            Self(unsafe { splat(x) })
        }

        #[inline(always)]
        fn load_at(row: &Row, position: usize) -> Self {
            // SAFETY: as above; a row has 64 bytes, of which 32 are read, from its middle at the latest.
            Self(unsafe { load(row.0.as_ptr().add(position.min(ROW - Self::WIDTH))) })
        }

        #[inline(always)]
        fn store(self, row: &mut Row) {
            // SAFETY: as above; a row has 64 bytes, of which 32 are written.
            unsafe { store(row.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { add(self.0, other.0) })
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { subtract(self.0, other.0) })
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { multiply(self.0, other.0) })
        }

        #[inline(always)]
        fn div(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { divide(self.0, other.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { root(self.0) })
        }

        #[inline(always)]
        fn with_sign_of(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                let sign = splat(-0.0);
                Self(or(and_not(sign, self.0), and(sign, other.0)))
            }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { maximum(self.0, other.0) })
        }

        #[inline(always)]
        fn above(self, other: Self) -> Vector {
            // SAFETY: as above.
            unsafe { compare::<_CMP_GT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn and(first: Vector, second: Vector) -> Vector {
            // SAFETY: as above.
            unsafe { and(first, second) }
        }

        #[inline(always)]
        fn or(first: Vector, second: Vector) -> Vector {
            // SAFETY: as above.
            unsafe { or(first, second) }
        }

        #[inline(always)]
        fn without(first: Vector, second: Vector) -> Vector {
            // SAFETY: as above.
            unsafe { and_not(second, first) }
        }

        #[inline(always)]
        fn select(mask: Vector, this: Self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { select(other.0, this.0, mask) })
        }

        #[inline(always)]
        fn bits(mask: Vector) -> u32 {
            // SAFETY: as above.
            unsafe { bits(mask) as u32 }
        }
    }

    /// A row, with AVX-512.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx512(Vector512);

    // SAFETY of all operations: values of the type are made only where the processor is known to have AVX-512.
    impl Lane for Avx512 {
        const WIDTH: usize = ROW;
        type Mask = Mask512;

        #[inline(always)]
        fn splat(x: Real) -> Self {
            // SAFETY: as above.
            Self(unsafe { splat512(x) })
        }

        #[inline(always)]
        fn load_at(row: &Row, _: usize) -> Self {
            // SAFETY: as above; a row has 64 bytes.
            Self(unsafe { load512(row.0.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, row: &mut Row) {
            // SAFETY: as above; a row has 64 bytes.
            unsafe { store512(row.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { add512(self.0, other.0) })
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { subtract512(self.0, other.0) })
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { multiply512(self.0, other.0) })
        }

        #[inline(always)]
        fn div(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { divide512(self.0, other.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { root512(self.0) })
        }

        #[inline(always)]
        fn with_sign_of(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                let sign = integers(splat512(-0.0));
                // The bits of `other` where `sign` is set, those of `self` elsewhere.
                Self(floats(_mm512_ternarylogic_epi64::<0xCA>(sign, integers(other.0), integers(self.0))))
            }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { maximum512(self.0, other.0) })
        }

        #[inline(always)]
        fn above(self, other: Self) -> Mask512 {
            // SAFETY: as above.
            unsafe { compare512::<_CMP_GT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn and(first: Mask512, second: Mask512) -> Mask512 {
            first & second
        }

        #[inline(always)]
        fn or(first: Mask512, second: Mask512) -> Mask512 {
            first | second
        }

        #[inline(always)]
        fn without(first: Mask512, second: Mask512) -> Mask512 {
            first & !second
        }

        #[inline(always)]
        fn select(mask: Mask512, this: Self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { blend512(mask, other.0, this.0) })
        }

        #[inline(always)]
        fn bits(mask: Mask512) -> u32 {
            u32::from(mask)
        }
    }
}
