//! The distance and the signed distance of the bodies of many pairs.

use super::binned::convex;
use super::block::{Found, Kind};
use super::group::{Corners, Inside, Nearest};
use super::job::Job;
use super::nearest::NearestPoints;
use super::pairs::Asked;
use crate::answer::{Closest, Contact};
use crate::narrow::{Cores, Ended, deep, finished, rounded};
use crate::verbs::{self, Cache};

/// Asks for the distance of bodies that do not overlap.
pub(super) struct Distance;

/// Asks for the signed distance.
pub(super) struct Signed;

impl Job for Distance {
    type Search = NearestPoints;
    type Answer = Option<Closest>;
    const BLANK: Option<Closest> = None;

    #[inline]
    fn takes(_: [Kind; 2]) -> bool {
        true
    }

    #[inline]
    fn state(outcome: &Nearest, asked: Asked<'_>, answer: &mut Option<Closest>) -> bool {
        if let Nearest::Meeting(_) = outcome {
            *answer = None;
            return true;
        }
        let near = of_outcome(outcome, asked);
        // Rounded bodies overlap where their cores are still apart.
        *answer = near.filter(|near| near.contact == Contact::Apart);
        near.is_some()
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Option<Closest> {
        let [a, b] = asked.bodies();
        verbs::distance(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

impl Job for Signed {
    type Search = NearestPoints;
    type Answer = Closest;
    const BLANK: Closest = Closest::UNKNOWN;

    /// Two boxes have a formula that is as fast.
    #[inline]
    fn takes(kinds: [Kind; 2]) -> bool {
        kinds != [Kind::Cuboid; 2]
    }

    #[inline]
    fn state(outcome: &Nearest, asked: Asked<'_>, answer: &mut Closest) -> bool {
        let near = of_outcome(outcome, asked);
        *answer = near.unwrap_or(Closest::UNKNOWN);
        near.is_some()
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Closest {
        let [a, b] = asked.bodies();
        verbs::closest(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

/// The answer from what lanes ended with; nothing if it is not as good as is stated.
#[inline]
fn of_outcome(outcome: &Nearest, asked: Asked<'_>) -> Option<Closest> {
    let (a, b) = (convex(asked.a)?, convex(asked.b)?);
    match outcome {
        Nearest::Unclear => None,
        Nearest::Meeting(Inside { corners, on_a, steps }) => {
            deep(a, asked.pose_a, b, asked.pose_b, corners, on_a, *steps)
        }
        Nearest::Ended(Corners { corners, on_a, direction, lowest, steps }) => {
            let ended = Ended { corners, on_a, direction: *direction, lowest: *lowest, steps: *steps };
            finished(a, asked.pose_a, b, asked.pose_b, &ended)
        }
        Nearest::Finished(Found { points, normal, distance, lower, upper, size, steps, .. }) => {
            let [distance, lower, upper, size] = [*distance, *lower, *upper, *size];
            let cores = Cores { points: *points, normal: *normal, distance, lower, upper, size, steps: *steps };
            // What lanes lost too many digits of is finished by the ways of the verb.
            rounded(a, asked.pose_a, b, &cores)
        }
    }
}
