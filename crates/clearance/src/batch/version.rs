//! The computation in lanes, compiled for several processors.

use super::block::{Block, Side};
use super::job::Search;
use super::lane::Plain;

/// Versions of the same computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Plain code, four numbers at a time.
    Plain,
    /// Vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Version {
    /// The widest that the processor has.
    pub fn used() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }

    /// Those that this processor has, the narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut versions = [Some(Self::Plain), None, None];
        #[cfg(target_arch = "x86_64")]
        {
            versions[1] = is_x86_feature_detected!("avx2").then_some(Self::Avx2);
            versions[2] = is_x86_feature_detected!("avx512f").then_some(Self::Avx512);
        }
        versions.into_iter().flatten()
    }
}

/// Works through a queue of pairs in lanes: as many as there are outcomes.
pub(super) fn decide<S: Search>(version: Version, sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [S::Outcome]) {
    match version {
        Version::Plain => S::run::<Plain>(sides, queue, outcomes),
        #[cfg(target_arch = "x86_64")]
        Version::Avx2 => x86::avx2::<S>(sides, queue, outcomes),
        #[cfg(target_arch = "x86_64")]
        Version::Avx512 => x86::avx512::<S>(sides, queue, outcomes),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use super::super::lane::{Avx2, Avx512};
    use super::{Block, Search, Side};

    pub fn avx2<S: Search>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [S::Outcome]) {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, just checked.
            unsafe { with_avx2::<S>(sides, queue, outcomes) }
        }
    }

    pub fn avx512<S: Search>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [S::Outcome]) {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512, just checked.
            unsafe { with_avx512::<S>(sides, queue, outcomes) }
        }
    }

    #[target_feature(enable = "avx2")]
    fn with_avx2<S: Search>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [S::Outcome]) {
        S::run::<Avx2>(sides, queue, outcomes);
    }

    #[target_feature(enable = "avx512f")]
    fn with_avx512<S: Search>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [S::Outcome]) {
        S::run::<Avx512>(sides, queue, outcomes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::{Kind, Verdict};
    use super::super::group::Nearest;
    use super::super::lane::ROW;
    use super::super::nearest::NearestPoints;
    use super::super::overlap::Meeting;
    use super::*;
    use crate::math::{Mat3, Quat, Real, Vec3};
    use crate::tolerance::sigma;

    /// Numbers between -1 and 1.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> Real {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as Real / (1u64 << 52) as Real - 1.0
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next())
        }
    }

    fn told<S: Search>(version: Version, sides: &[Side<'_>; 2], queue: &[Block], count: usize) -> Vec<S::Outcome> {
        let mut outcomes = vec![S::UNCLEAR; count];
        decide::<S>(version, sides, queue, &mut outcomes);
        outcomes
    }

    /// Pairs of which many meet, and how many they are.
    fn some_pairs(numbers: &mut Numbers) -> (Vec<Block>, usize) {
        // Not a multiple of any width, and some pairs that are no numbers.
        let count = 50 * ROW + 3;
        let mut queue = vec![Block::EMPTY; count.div_ceil(ROW)];
        for pair in 0..count {
            let turn = Quat::from_array([0; 4].map(|_: i32| numbers.next())).normalize();
            let sizes = [0; 2].map(|_: i32| numbers.vector().abs() + Vec3::splat(0.125));
            let at = if pair % 50 == 7 { Vec3::NAN } else { numbers.vector() * 1.25 };
            let size = 4.0 + at.abs().element_sum();
            // Some are aligned and all but touch, on either side.
            let errors = (pair / 50) as Real * 0.5 - 4.0;
            let near = Vec3::X * (sizes[0].x + sizes[1].x + errors * sigma(size));
            let (turn, at) = if pair % 50 == 9 { (Quat::IDENTITY, near) } else { (turn, at) };
            queue[pair / ROW].set(pair % ROW, &Mat3::from_quat(turn), at, sizes, [size, 0.25]);
        }
        (queue, count)
    }

    #[test]
    fn every_version_gives_the_same_bits() {
        let mut numbers = Numbers(7);
        let vertices: Vec<Vec3> = (0..23).map(|_| numbers.vector() * 0.625).collect();
        let kinds = [Kind::Cuboid, Kind::Ellipsoid, Kind::Cylinder, Kind::Cone, Kind::Hull];
        for (kind_a, kind_b) in kinds.into_iter().flat_map(|a| kinds.map(|b| (a, b))) {
            let sides = [kind_a, kind_b].map(|kind| Side {
                kind,
                vertices: if kind == Kind::Hull { &vertices } else { &[] },
                centre: Vec3::ZERO,
                is_rounded: false,
            });
            let (queue, count) = some_pairs(&mut numbers);
            let plain = told::<Meeting>(Version::Plain, &sides, &queue, count);
            let unclear = plain.iter().filter(|outcome| outcome.verdict == Verdict::Unclear).count();
            let common = plain.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Common(_))).count();
            assert!(unclear < count / 10, "{kind_a:?} and {kind_b:?}: {unclear} of {count} unclear");
            assert!(
                common > count / 10 && common < count * 9 / 10,
                "{kind_a:?} and {kind_b:?}: {common} of {count} meet"
            );
            let nearest = told::<NearestPoints>(Version::Plain, &sides, &queue, count);
            let unclear = nearest.iter().filter(|found| matches!(found, Nearest::Unclear)).count();
            let apart =
                nearest.iter().filter(|found| matches!(found, Nearest::Ended(_) | Nearest::Finished(_))).count();
            // Tetrahedra around the origin are certain later in single precision: more pairs are handed on.
            let most = if cfg!(single_precision) { count / 6 } else { count / 10 };
            assert!(unclear < most, "{kind_a:?} and {kind_b:?}: {unclear} of {count} unclear");
            assert!(apart > count / 10, "{kind_a:?} and {kind_b:?}: {apart} of {count} apart");
            // Most of them to the end, and few by the ways of the verb.
            let finished = nearest.iter().filter(|found| matches!(found, Nearest::Finished(_))).count();
            assert!(2 * finished > apart, "{kind_a:?} and {kind_b:?}: {finished} of {apart} finished");
            let round = sides.map(|side| Side { is_rounded: true, ..side });
            let rounded = told::<Meeting>(Version::Plain, &round, &queue, count);
            let near = rounded.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Near(_))).count();
            assert!(near > count / 50, "{kind_a:?} and {kind_b:?}: {near} of {count} near");
            for version in Version::all() {
                let same = rounded == told::<Meeting>(version, &round, &queue, count);
                assert!(same, "rounded, {version:?}: {kind_a:?} and {kind_b:?}");
                let same = plain == told::<Meeting>(version, &sides, &queue, count);
                assert!(same, "{version:?}: {kind_a:?} and {kind_b:?}");
                let same =
                    format!("{nearest:?}") == format!("{:?}", told::<NearestPoints>(version, &sides, &queue, count));
                assert!(same, "nearest, {version:?}: {kind_a:?} and {kind_b:?}");
            }
        }
    }
}
