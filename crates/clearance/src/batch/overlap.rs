//! Whether the bodies of many pairs have a point in common.

use super::block::{Block, Kind, Outcome, Side, Verdict};
use super::job::Job;
use super::lane::Lane;
use super::pairs::Asked;
use super::portal;
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Real, Vec3, unit_or};
use crate::verbs::{self, Cache};

/// Asks whether they have.
pub(super) struct Overlapping;

impl Job for Overlapping {
    type Outcome = Outcome;
    type Answer = Overlap;
    const UNCLEAR: Outcome = Outcome { verdict: Verdict::Unclear, steps: 0 };
    const BLANK: Overlap =
        Overlap { overlap: false, witness: Witness::Gap(Real::NEG_INFINITY), end: End::Degenerate, iterations: 0 };
    const ROUNDED: bool = false;

    #[inline]
    fn takes(_: [Kind; 2]) -> bool {
        true
    }

    #[inline(always)]
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Outcome]) {
        portal::run::<L>(sides, queue, outcomes);
    }

    #[inline(always)]
    fn state(outcome: &Outcome, asked: Asked<'_>, answer: &mut Overlap) -> bool {
        state(outcome.verdict, outcome.steps, asked.pose_a, answer);
        outcome.verdict != Verdict::Unclear
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Overlap {
        let [a, b] = asked.bodies();
        verbs::overlap(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

/// Writes down what lanes have decided, in world space. In its place, part by part: an answer that is moved waits for its parts.
#[inline(always)]
fn state(verdict: Verdict, steps: u32, pose: &Pose, answer: &mut Overlap) {
    answer.end = End::Converged;
    answer.iterations = steps;
    match verdict {
        Verdict::Unclear => {}
        Verdict::Apart { direction, bound, on_a } => {
            let direction = unit_or(direction, Vec3::X);
            let normal = pose.direction(direction);
            let offset_a = direction.dot(on_a) + normal.dot(pose.translation());
            answer.overlap = false;
            answer.witness = Witness::Plane { normal, offset_a, offset_b: offset_a + bound };
        }
        Verdict::Common(point) => {
            answer.overlap = true;
            answer.witness = Witness::Point(pose.point(point));
        }
    }
}
