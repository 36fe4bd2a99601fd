//! The two forms in which many pairs are given, and their answers, shared out among threads.

use std::ops::Range;

use super::error::BatchError;
use crate::math::Pose;
use crate::shape::BodyRef;
use crate::verbs::Cache;

/// Pairs that one thread takes at a time where they are answered one by one: few, since some bodies take long.
const FEW: usize = 16;

/// One pair of a batch.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub a: &'a BodyRef<'a>,
    pub pose_a: &'a Pose,
    pub b: &'a BodyRef<'a>,
    pub pose_b: &'a Pose,
}

impl<'a> Asked<'a> {
    /// Both bodies for a verb: no copies of handles.
    #[inline]
    pub fn bodies(&self) -> [BodyRef<'a>; 2] {
        [self.a.borrowed(), self.b.borrowed()]
    }
}

/// Many pairs, however they are given.
pub(super) trait Pairs: Sync {
    fn count(&self) -> usize;
    /// Asks about the pair at a position below the count.
    fn ask<R>(&self, nth: usize, of: impl FnOnce(Asked<'_>) -> R) -> R;
    /// Whether all pairs are of the same two bodies.
    fn are_same_bodies(&self) -> bool;
}

/// Pairs of a table of bodies; all indices are below the lengths of both tables.
pub(super) struct OfTable<'a, T> {
    bodies: &'a [T],
    poses: &'a [Pose],
    pairs: &'a [[u32; 2]],
}

impl<'a, T> OfTable<'a, T> {
    /// Checks the lengths and every index.
    pub fn new(bodies: &'a [T], poses: &'a [Pose], pairs: &'a [[u32; 2]]) -> Result<Self, BatchError> {
        if bodies.len() != poses.len() {
            return Err(BatchError::Lengths { bodies: bodies.len(), poses: poses.len() });
        }
        for (pair, sides) in pairs.iter().enumerate() {
            if let Some(&index) = sides.iter().find(|&&index| index as usize >= bodies.len()) {
                return Err(BatchError::Index { pair, index, bodies: bodies.len() });
            }
        }
        Ok(Self { bodies, poses, pairs })
    }
}

impl<'a, T: Sync> Pairs for OfTable<'a, T>
where
    &'a T: Into<BodyRef<'a>>,
{
    fn count(&self) -> usize {
        self.pairs.len()
    }

    #[inline(always)]
    fn ask<R>(&self, nth: usize, of: impl FnOnce(Asked<'_>) -> R) -> R {
        let [a, b] = self.pairs[nth].map(|index| index as usize);
        let (pose_a, pose_b) = (&self.poses[a], &self.poses[b]);
        of(Asked { a: &(&self.bodies[a]).into(), pose_a, b: &(&self.bodies[b]).into(), pose_b })
    }

    fn are_same_bodies(&self) -> bool {
        false
    }
}

/// Two bodies, the second at many poses.
pub(super) struct AtPoses<'a> {
    pub a: BodyRef<'a>,
    pub pose_a: &'a Pose,
    pub b: BodyRef<'a>,
    pub poses_b: &'a [Pose],
}

impl Pairs for AtPoses<'_> {
    fn count(&self) -> usize {
        self.poses_b.len()
    }

    #[inline(always)]
    fn ask<R>(&self, nth: usize, of: impl FnOnce(Asked<'_>) -> R) -> R {
        of(Asked { a: &self.a, pose_a: self.pose_a, b: &self.b, pose_b: &self.poses_b[nth] })
    }

    fn are_same_bodies(&self) -> bool {
        true
    }
}

/// The answers to all pairs by a verb for one pair, each from a cold start: no answer depends on which others are asked.
pub(super) fn each<R: Clone + Send>(
    pairs: &impl Pairs,
    blank: R,
    verb: impl Fn(Asked<'_>, &mut Cache) -> R + Sync,
) -> Vec<R> {
    in_parts(pairs.count(), FEW, blank, |range, answers| {
        let mut cache = Cache::default();
        for (nth, answer) in range.zip(answers) {
            cache.clear();
            *answer = pairs.ask(nth, |asked| verb(asked, &mut cache));
        }
    })
}

/// As many answers as are asked for, filled in by parts of a size: what a part does never depends on who does it.
pub(super) fn in_parts<R: Clone + Send>(
    count: usize,
    size: usize,
    blank: R,
    work: impl Fn(Range<usize>, &mut [R]) + Sync,
) -> Vec<R> {
    let mut answers = vec![blank; count];
    let part = |(nth, part): (usize, &mut [R])| work(nth * size..nth * size + part.len(), part);
    #[cfg(feature = "parallel")]
    if count > size && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        answers.par_chunks_mut(size).enumerate().for_each(part);
        return answers;
    }
    answers.chunks_mut(size).enumerate().for_each(part);
    answers
}
