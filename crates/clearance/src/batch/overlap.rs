//! Whether the bodies of many pairs have a point in common.

use super::binned::convex;
use super::block::{Block, Found, Kind, Outcome, Side, Verdict};
use super::group::Nearest;
use super::job::{Job, Search};
use super::lane::{Lane, ROW};
use super::nearest;
use super::pairs::Asked;
use super::portal;
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Real, Vec3, unit_or};
use crate::tolerance::{rounded_doubt, sigma};
use crate::verbs::{self, Cache};

/// Asks whether they have.
pub(super) struct Overlapping;

/// Looks for a plane between two bodies or a point of both.
pub(super) struct Meeting;

impl Search for Meeting {
    type Outcome = Outcome;
    const UNCLEAR: Outcome = Outcome { verdict: Verdict::Unclear, steps: 0 };

    #[inline(always)]
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Outcome]) {
        if sides[0].is_rounded || sides[1].is_rounded {
            rounded::<L>(sides, queue, outcomes);
        } else {
            portal::run::<L>(sides, queue, outcomes);
        }
    }
}

impl Job for Overlapping {
    type Search = Meeting;
    type Answer = Overlap;
    const BLANK: Overlap =
        Overlap { overlap: false, witness: Witness::Gap(Real::NEG_INFINITY), end: End::Degenerate, iterations: 0 };

    #[inline]
    fn takes(_: [Kind; 2]) -> bool {
        true
    }

    #[inline(always)]
    fn state(outcome: &Outcome, asked: Asked<'_>, answer: &mut Overlap) -> bool {
        let radii = [asked.a, asked.b].map(|body| convex(body).map_or(0.0, |shape| shape.radius()));
        state(outcome, radii, asked.pose_a, answer)
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Overlap {
        let [a, b] = asked.bodies();
        verbs::overlap(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

/// Rounded bodies: the search for the nearest points of their cores, which ends where these are nearer or farther than the radii.
#[inline(always)]
fn rounded<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Outcome]) {
    let mut nearest = vec![Nearest::Unclear; outcomes.len()];
    nearest::run::<L, true>(sides, queue, &mut nearest);
    for (nth, (outcome, nearest)) in outcomes.iter_mut().zip(&nearest).enumerate() {
        if let Nearest::Finished(found) = nearest {
            let margin = queue[nth / ROW].margin.0[nth % ROW];
            *outcome = Outcome { verdict: of_cores(found, margin), steps: found.steps };
        }
    }
}

/// What the distance of the cores says of rounded bodies, if that is certain.
#[inline(always)]
fn of_cores(found: &Found, margin: Real) -> Verdict {
    let sigma = sigma(found.size);
    let doubt = sigma + rounded_doubt(sigma, margin);
    if found.lower > margin + doubt {
        Verdict::Apart { direction: found.normal, bound: found.lower, on_a: found.on_plane }
    } else if found.upper < margin - doubt {
        Verdict::Near(found.points)
    } else {
        Verdict::Unclear
    }
}

/// Writes down what lanes have decided about shapes with these radii, in world space; false if that is nothing. In its place, part by part:
/// an answer that is moved waits for its parts.
#[inline(always)]
fn state(outcome: &Outcome, [of_a, of_b]: [Real; 2], pose: &Pose, answer: &mut Overlap) -> bool {
    answer.end = End::Converged;
    answer.iterations = outcome.steps;
    match outcome.verdict {
        Verdict::Unclear => return false,
        Verdict::Apart { direction, bound, on_a } => {
            let direction = unit_or(direction, Vec3::X);
            let normal = pose.direction(direction);
            let offset_a = direction.dot(on_a) + of_a + normal.dot(pose.translation());
            answer.overlap = false;
            answer.witness = Witness::Plane { normal, offset_a, offset_b: offset_a + (bound - of_a - of_b) };
        }
        Verdict::Common(point) => {
            answer.overlap = true;
            answer.witness = Witness::Point(pose.point(point));
        }
        Verdict::Near([on_a, on_b]) => {
            // Divided in proportion to the radii.
            let point = on_a + (on_b - on_a) * (of_a / (of_a + of_b));
            answer.overlap = true;
            answer.witness = Witness::Point(pose.point(point));
        }
    }
    true
}
