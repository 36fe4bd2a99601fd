//! Support and extents of a small set of points by scanning all of them, several at a time; and comparison of packed codes.
//!
//! Points are stored in blocks of one 64-byte row per coordinate. There are three versions of the scan, for AVX-512, for AVX2
//! and in plain code; the widest one the processor has is called. All of them evaluate `x·dx + y·dy + z·dz` in that order
//! without contraction and resolve ties to the smallest index, so the result is the same bit for bit on every machine.
//!
//! Beside those of `batch` this is the only module with `unsafe`: calls of functions compiled for a feature that has just been detected, and their
//! loads and stores of whole rows. Intrinsics rather than plain arrays, because the compiler vectorises the latter only
//! until something near them changes.

#![allow(unsafe_code)]

use super::{Mat3, Real, Vec3};

/// An unsigned integer as wide as `Real`, so that one mask serves both.
#[cfg(not(single_precision))]
type Index = u64;
#[cfg(single_precision)]
type Index = u32;

/// Points per block: a row of one coordinate fills a cache line.
const WIDTH: usize = 64 / size_of::<Real>();

#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Block {
    x: [Real; WIDTH],
    y: [Real; WIDTH],
    z: [Real; WIDTH],
}

/// The least and the greatest product of all points with each column of a matrix.
type Extents = [[Real; 3]; 2];
/// A version of the scan for extents; calling it is safe on a processor with the features it was compiled for.
type Measure = unsafe fn(&[Block], &Mat3) -> Extents;

/// A version of the scan; calling it is safe on a processor with the features it was compiled for.
type Scan = unsafe fn(&[Block], &Vec3) -> usize;

/// Points laid out for scanning, with the version of the scan for this processor.
#[derive(Debug, Clone)]
pub struct Lanes {
    blocks: Box<[Block]>,
    scan: Scan,
    measure: Measure,
}

impl Lanes {
    /// Lays the points out; the last block is filled up with points that are no numbers, which never win.
    pub fn new(points: &[Vec3]) -> Self {
        let block = |chunk: &[Vec3]| {
            let at = |lane: usize| chunk.get(lane).copied().unwrap_or(Vec3::NAN);
            Block {
                x: std::array::from_fn(|lane| at(lane).x),
                y: std::array::from_fn(|lane| at(lane).y),
                z: std::array::from_fn(|lane| at(lane).z),
            }
        };
        let (scan, measure) = widest_versions();
        Self { blocks: points.chunks(WIDTH).map(block).collect(), scan, measure }
    }

    /// Whether there is nothing to scan.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }

    /// The index of the first point with the largest product with `direction`; 0 if no product is a number.
    #[inline]
    pub fn farthest(&self, direction: Vec3) -> usize {
        // SAFETY: `widest_versions` chose a version whose features this processor has.
        unsafe { (self.scan)(&self.blocks, &direction) }
    }

    /// The least and the greatest product of the points with each column of `directions`; infinite and inverted for no points.
    #[inline]
    pub fn extents(&self, directions: &Mat3) -> [Vec3; 2] {
        // SAFETY: `widest_versions` chose a version whose features this processor has.
        unsafe { (self.measure)(&self.blocks, directions) }.map(Vec3::from_array)
    }
}

fn widest_versions() -> (Scan, Measure) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            return (x86::farthest_avx512, x86::extents_avx512);
        }
        if is_x86_feature_detected!("avx2") {
            return (x86::farthest_avx2, x86::extents_avx2);
        }
    }
    (farthest_plain, extents_plain)
}

fn extents_plain(blocks: &[Block], directions: &Mat3) -> Extents {
    let (mut least, mut largest) = ([Real::INFINITY; 3], [Real::NEG_INFINITY; 3]);
    for block in blocks {
        for lane in 0..WIDTH {
            for (axis, d) in [directions.x_axis, directions.y_axis, directions.z_axis].into_iter().enumerate() {
                let value = block.x[lane] * d.x + block.y[lane] * d.y + block.z[lane] * d.z;
                // Points that are no numbers change nothing.
                least[axis] = if value < least[axis] { value } else { least[axis] };
                largest[axis] = if value > largest[axis] { value } else { largest[axis] };
            }
        }
    }
    [least, largest]
}

fn farthest_plain(blocks: &[Block], direction: &Vec3) -> usize {
    let (mut best, mut winner) = (Real::NEG_INFINITY, 0);
    for (number, block) in blocks.iter().enumerate() {
        for lane in 0..WIDTH {
            let value = block.x[lane] * direction.x + block.y[lane] * direction.y + block.z[lane] * direction.z;
            if value > best {
                (best, winner) = (value, number * WIDTH + lane);
            }
        }
    }
    winner
}

/// The smallest index among the lanes whose bit is set, given the block each lane found its best in.
#[cold]
fn first_winner(mut lanes: u32, blocks: &[Index; WIDTH]) -> usize {
    let (mut first_block, mut winner) = (Index::MAX, 0);
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % WIDTH;
        lanes &= lanes - 1;
        if blocks[lane] < first_block {
            first_block = blocks[lane];
            winner = first_block as usize * WIDTH + lane;
        }
    }
    winner
}

/// Codes compared at a time.
pub const CODES: usize = 8;

/// Who is compared with whom among codes in a row.
pub trait Stretches {
    /// Calls `look` with each stretch of codes, as its first and the one past its last, that code `at` is compared with.
    fn visit(&self, at: usize, look: impl FnMut([u32; 2]));
}

/// Calls `hit` with every two codes of which one is in a stretch of the other, one of the range, and whose sum, one of them with its halves of
/// `half` bits exchanged, has none of the bits of `signs`. There must be [`CODES`] more codes than the stretches reach.
#[inline]
pub fn for_each_meeting(
    codes: &[u64],
    range: std::ops::Range<usize>,
    rule: CodeRule,
    who: &impl Stretches,
    hit: impl FnMut(u32, u32),
) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512, just checked.
            return unsafe { x86::meetings_avx512(codes, range, rule, who, hit) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, just checked.
            return unsafe { x86::meetings_avx2(codes, range, rule, who, hit) };
        }
    }
    meetings(codes, range, rule, who, hit, |chunk, other| {
        let clear = |code: &u64| ((code.wrapping_add(other) & rule.signs) == 0) as u32;
        chunk.iter().rev().fold(0, |met, code| met << 1 | clear(code))
    });
}

/// What makes two codes meet.
#[derive(Debug, Clone, Copy)]
pub struct CodeRule {
    /// The bits of a sum that must be clear.
    pub signs: u64,
    /// The bits of half a code.
    pub half: u32,
}

impl CodeRule {
    #[inline]
    fn exchanged(self, code: u64) -> u64 {
        code >> self.half | (code & ((1 << self.half) - 1)) << self.half
    }
}

#[inline(always)]
fn meetings(
    codes: &[u64],
    range: std::ops::Range<usize>,
    rule: CodeRule,
    who: &impl Stretches,
    mut hit: impl FnMut(u32, u32),
    met: impl Fn(&[u64; CODES], u64) -> u32,
) {
    for (at, code) in codes.iter().enumerate().take(range.end).skip(range.start) {
        let exchanged = rule.exchanged(*code);
        who.visit(at, |[mut first, end]| {
            // At least once: most stretches hold a few, and a branch on whether there are any costs more.
            while let Some(chunk) = codes.get(first as usize..).and_then(|rest| rest.first_chunk()) {
                let inside = end.saturating_sub(first).min(CODES as u32);
                let mut found = met(chunk, exchanged) & ((1 << inside) - 1);
                while found != 0 {
                    hit(at as u32, first + found.trailing_zeros());
                    found &= found - 1;
                }
                first += CODES as u32;
                if first >= end {
                    return;
                }
            }
        });
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Block, CODES, CodeRule, Extents, Index, Mat3, Real, Stretches, Vec3, WIDTH, first_winner, meetings};

    /// The intrinsics of this precision under common names.
    #[cfg(not(single_precision))]
    mod ops {
        pub use std::arch::x86_64::{
            _mm_cvtsi128_si64 as low_index, _mm256_add_pd as add, _mm256_blendv_pd as select,
            _mm256_castpd_si256 as bits, _mm256_castsi256_pd as float, _mm256_cmp_pd as compare,
            _mm256_loadu_pd as load, _mm256_max_pd as maximum, _mm256_min_pd as minimum, _mm256_mul_pd as multiply,
            _mm256_set1_epi64x as splat_index, _mm256_set1_pd as splat, _mm256_storeu_pd as store,
            _mm512_add_epi64 as add_index512, _mm512_add_pd as add512, _mm512_cmp_pd_mask as compare512,
            _mm512_loadu_pd as load512, _mm512_mask_mov_epi64 as select_index512,
            _mm512_maskz_compress_epi64 as compress512, _mm512_max_pd as maximum512, _mm512_min_pd as minimum512,
            _mm512_mul_pd as multiply512, _mm512_reduce_max_pd as largest512, _mm512_reduce_min_pd as least512,
            _mm512_set1_epi64 as splat_index512, _mm512_set1_pd as splat512,
        };
        pub type SignedIndex = i64;
    }
    #[cfg(single_precision)]
    mod ops {
        pub use std::arch::x86_64::{
            _mm_cvtsi128_si32 as low_index, _mm256_add_ps as add, _mm256_blendv_ps as select,
            _mm256_castps_si256 as bits, _mm256_castsi256_ps as float, _mm256_cmp_ps as compare,
            _mm256_loadu_ps as load, _mm256_max_ps as maximum, _mm256_min_ps as minimum, _mm256_mul_ps as multiply,
            _mm256_set1_epi32 as splat_index, _mm256_set1_ps as splat, _mm256_storeu_ps as store,
            _mm512_add_epi32 as add_index512, _mm512_add_ps as add512, _mm512_cmp_ps_mask as compare512,
            _mm512_loadu_ps as load512, _mm512_mask_mov_epi32 as select_index512,
            _mm512_maskz_compress_epi32 as compress512, _mm512_max_ps as maximum512, _mm512_min_ps as minimum512,
            _mm512_mul_ps as multiply512, _mm512_reduce_max_ps as largest512, _mm512_reduce_min_ps as least512,
            _mm512_set1_epi32 as splat_index512, _mm512_set1_ps as splat512,
        };
        pub type SignedIndex = i32;
    }
    use ops::*;

    #[target_feature(enable = "avx512f")]
    pub fn farthest_avx512(blocks: &[Block], direction: &Vec3) -> usize {
        let [dx, dy, dz] = [splat512(direction.x), splat512(direction.y), splat512(direction.z)];
        let mut best = splat512(Real::NEG_INFINITY);
        let mut best_block = _mm512_setzero_si512();
        let mut number = _mm512_setzero_si512();
        let one = splat_index512(1);
        for block in blocks {
            // SAFETY: a row has 64 bytes.
            let (x, y, z) =
                unsafe { (load512(block.x.as_ptr()), load512(block.y.as_ptr()), load512(block.z.as_ptr())) };
            let value = add512(add512(multiply512(x, dx), multiply512(y, dy)), multiply512(z, dz));
            let better = compare512::<_CMP_GT_OQ>(value, best);
            // The second operand wins against NaN; a maximum is a shorter chain from block to block than a selection.
            best = maximum512(value, best);
            best_block = select_index512(best_block, better, number);
            number = add_index512(number, one);
        }
        let winners = compare512::<_CMP_EQ_OQ>(best, splat512(largest512(best)));
        if winners & winners.wrapping_sub(1) == 0 {
            // One lane, as nearly always: brought to the front, its block needs no detour through memory.
            let block = low_index(_mm512_castsi512_si128(compress512(winners, best_block)));
            return block as usize * WIDTH + winners.trailing_zeros() as usize % WIDTH;
        }
        let mut found = [0 as Index; WIDTH];
        // SAFETY: the array has 64 bytes.
        unsafe { _mm512_storeu_si512(found.as_mut_ptr().cast(), best_block) };
        first_winner(u32::from(winners), &found)
    }

    #[target_feature(enable = "avx512f")]
    pub fn meetings_avx512(
        codes: &[u64],
        range: std::ops::Range<usize>,
        rule: CodeRule,
        who: &impl Stretches,
        hit: impl FnMut(u32, u32),
    ) {
        let signs = _mm512_set1_epi64(rule.signs as i64);
        meetings(codes, range, rule, who, hit, |chunk: &[u64; CODES], other| {
            // SAFETY: the array has 64 bytes.
            let sums = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
            let sums = _mm512_add_epi64(sums, _mm512_set1_epi64(other as i64));
            u32::from(_mm512_testn_epi64_mask(sums, signs))
        });
    }

    #[target_feature(enable = "avx2")]
    pub fn meetings_avx2(
        codes: &[u64],
        range: std::ops::Range<usize>,
        rule: CodeRule,
        who: &impl Stretches,
        hit: impl FnMut(u32, u32),
    ) {
        let signs = _mm256_set1_epi64x(rule.signs as i64);
        meetings(codes, range, rule, who, hit, |chunk: &[u64; CODES], other| {
            let half = |lanes: &[u64]| {
                // SAFETY: half the array has 32 bytes.
                let sums = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) };
                let sums = _mm256_and_si256(_mm256_add_epi64(sums, _mm256_set1_epi64x(other as i64)), signs);
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(sums, _mm256_setzero_si256()))) as u32
            };
            half(&chunk[..CODES / 2]) | half(&chunk[CODES / 2..]) << (CODES / 2)
        });
    }

    #[target_feature(enable = "avx512f")]
    pub fn extents_avx512(blocks: &[Block], directions: &Mat3) -> Extents {
        let columns = [directions.x_axis, directions.y_axis, directions.z_axis]
            .map(|d| [splat512(d.x), splat512(d.y), splat512(d.z)]);
        let mut least = [splat512(Real::INFINITY); 3];
        let mut largest = [splat512(Real::NEG_INFINITY); 3];
        for block in blocks {
            // SAFETY: a row has 64 bytes.
            let (x, y, z) =
                unsafe { (load512(block.x.as_ptr()), load512(block.y.as_ptr()), load512(block.z.as_ptr())) };
            for (axis, [dx, dy, dz]) in columns.into_iter().enumerate() {
                let value = add512(add512(multiply512(x, dx), multiply512(y, dy)), multiply512(z, dz));
                // The second operand wins against NaN.
                least[axis] = minimum512(value, least[axis]);
                largest[axis] = maximum512(value, largest[axis]);
            }
        }
        [
            [least512(least[0]), least512(least[1]), least512(least[2])],
            [largest512(largest[0]), largest512(largest[1]), largest512(largest[2])],
        ]
    }

    #[target_feature(enable = "avx2")]
    pub fn extents_avx2(blocks: &[Block], directions: &Mat3) -> Extents {
        const HALF: usize = WIDTH / 2;
        let columns =
            [directions.x_axis, directions.y_axis, directions.z_axis].map(|d| [splat(d.x), splat(d.y), splat(d.z)]);
        let mut least = [splat(Real::INFINITY); 3];
        let mut largest = [splat(Real::NEG_INFINITY); 3];
        for block in blocks {
            for half in 0..2 {
                // SAFETY: half a row has 32 bytes, and there are two.
                let row = |row: &[Real; WIDTH]| unsafe { load(row.as_ptr().add(half * HALF)) };
                let (x, y, z) = (row(&block.x), row(&block.y), row(&block.z));
                for (axis, [dx, dy, dz]) in columns.into_iter().enumerate() {
                    let value = add(add(multiply(x, dx), multiply(y, dy)), multiply(z, dz));
                    least[axis] = minimum(value, least[axis]);
                    largest[axis] = maximum(value, largest[axis]);
                }
            }
        }
        let lanes = |v| {
            let mut lanes = [0.0; HALF];
            // SAFETY: the array has 32 bytes.
            unsafe { store(lanes.as_mut_ptr(), v) };
            lanes
        };
        [
            least.map(|v| lanes(v).into_iter().fold(Real::INFINITY, Real::min)),
            largest.map(|v| lanes(v).into_iter().fold(Real::NEG_INFINITY, Real::max)),
        ]
    }

    #[target_feature(enable = "avx2")]
    pub fn farthest_avx2(blocks: &[Block], direction: &Vec3) -> usize {
        const HALF: usize = WIDTH / 2;
        let [dx, dy, dz] = [splat(direction.x), splat(direction.y), splat(direction.z)];
        let mut best = [splat(Real::NEG_INFINITY); 2];
        let mut best_block = [float(_mm256_setzero_si256()); 2];
        for (number, block) in blocks.iter().enumerate() {
            let number = float(splat_index(number as SignedIndex));
            for half in 0..2 {
                // SAFETY: half a row has 32 bytes, and there are two.
                let row = |row: &[Real; WIDTH]| unsafe { load(row.as_ptr().add(half * HALF)) };
                let value =
                    add(add(multiply(row(&block.x), dx), multiply(row(&block.y), dy)), multiply(row(&block.z), dz));
                let better = compare::<_CMP_GT_OQ>(value, best[half]);
                best[half] = maximum(value, best[half]);
                best_block[half] = select(best_block[half], number, better);
            }
        }
        let (mut values, mut found) = ([0.0; WIDTH], [0 as Index; WIDTH]);
        for half in 0..2 {
            // SAFETY: half an array has 32 bytes, and there are two.
            unsafe {
                store(values.as_mut_ptr().add(half * HALF), best[half]);
                _mm256_storeu_si256(found.as_mut_ptr().add(half * HALF).cast(), bits(best_block[half]));
            }
        }
        let top = values.iter().fold(Real::NEG_INFINITY, |top, &value| if value > top { value } else { top });
        let winners = values.iter().enumerate().map(|(lane, &value)| u32::from(value == top) << lane).sum();
        first_winner(winners, &found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All compiled versions must agree on the index, ties included.
    #[test]
    fn every_width_gives_the_same_index() {
        let mut state = 12345u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 40) % 17) as Real - 8.0
        };
        for n in 1..200 {
            let points: Vec<Vec3> = (0..n).map(|_| Vec3::new(random(), random(), random())).collect();
            let lanes = Lanes::new(&points);
            for _ in 0..20 {
                let direction = Vec3::new(random(), random(), random());
                let expected =
                    (0..n).rev().max_by(|&i, &j| direction.dot(points[i]).total_cmp(&direction.dot(points[j])));
                let expected = expected.filter(|_| direction != Vec3::ZERO).unwrap_or(0);
                assert_eq!(direction.dot(points[lanes.farthest(direction)]), direction.dot(points[expected]));
                assert_eq!(lanes.farthest(direction), farthest_plain(&lanes.blocks, &direction));
                let directions = Mat3::from_cols(direction, Vec3::new(random(), random(), random()), Vec3::Z);
                let extents = extents_plain(&lanes.blocks, &directions);
                assert_eq!(extents[1][0], direction.dot(points[expected]).max(extents[1][0]));
                assert_eq!(lanes.extents(&directions), extents.map(Vec3::from_array));
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2, just checked.
                    assert_eq!(
                        unsafe { x86::farthest_avx2(&lanes.blocks, &direction) },
                        farthest_plain(&lanes.blocks, &direction)
                    );
                    // SAFETY: as above.
                    assert_eq!(unsafe { x86::extents_avx2(&lanes.blocks, &directions) }, extents);
                }
            }
        }
    }

    struct Fixed([u32; 2]);

    impl Stretches for Fixed {
        fn visit(&self, _: usize, mut look: impl FnMut([u32; 2])) {
            look(self.0);
        }
    }

    /// Stretches of any length are compared whole, by every version.
    #[test]
    fn every_width_finds_the_same_meetings() {
        let rule = CodeRule { signs: 1 << 8, half: 30 };
        let codes: Vec<u64> = (0..40 + CODES as u64).map(|i| (i * 37 % 64) * 8).collect();
        for (start, end) in [(0, 0), (3, 3), (5, 3), (0, 1), (2, 9), (2, 10), (2, 11), (0, 40)] {
            let met =
                |at: u32, other: u32| (codes[other as usize] + rule.exchanged(codes[at as usize])) & rule.signs == 0;
            let all = (3..40).flat_map(|at| (start..end).map(move |other| [at, other]));
            let expected: Vec<_> = all.filter(|&[at, other]| met(at, other)).collect();
            let mut seen = [Vec::new(), Vec::new()];
            for_each_meeting(&codes, 3..40, rule, &Fixed([start, end]), |a, b| seen[0].push([a, b]));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2, just checked.
                unsafe { x86::meetings_avx2(&codes, 3..40, rule, &Fixed([start, end]), |a, b| seen[1].push([a, b])) };
                assert_eq!(seen[1], expected);
            }
            assert_eq!(seen[0], expected);
        }
    }

    #[test]
    fn ties_go_to_the_smallest_index_and_nan_to_the_first() {
        let points: Vec<Vec3> =
            (0..40).map(|i| Vec3::new(if i % 7 == 3 { 1.0 } else { 0.0 }, i as Real, 0.0)).collect();
        let lanes = Lanes::new(&points);
        assert_eq!(lanes.farthest(Vec3::X), 3);
        assert_eq!(lanes.farthest(Vec3::splat(Real::NAN)), 0);
    }
}
