//! The distance and the signed distance of the bodies of many pairs.

use super::binned::convex;
use super::block::{Block, Kind, Side};
use super::job::Job;
use super::lane::Lane;
use super::nearest::{self, Nearest, State};
use super::pairs::Asked;
use crate::answer::{Closest, Contact};
use crate::narrow::{Ended, finished};
use crate::verbs::{self, Cache};

/// Asks for the distance of bodies that do not overlap.
pub(super) struct Distance;

/// Asks for the signed distance.
pub(super) struct Signed;

impl Job for Distance {
    type Outcome = Nearest;
    type Answer = Option<Closest>;
    const UNCLEAR: Nearest = Nearest::UNCLEAR;
    const BLANK: Option<Closest> = None;
    const ROUNDED: bool = true;

    #[inline]
    fn takes(_: [Kind; 2]) -> bool {
        true
    }

    #[inline(always)]
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Nearest]) {
        nearest::run::<L>(sides, queue, outcomes);
    }

    #[inline]
    fn state(outcome: &Nearest, asked: Asked<'_>, answer: &mut Option<Closest>) -> bool {
        match outcome.state {
            State::Unclear => false,
            State::Meeting => {
                *answer = None;
                true
            }
            State::Apart => {
                let near = of_corners(outcome, asked);
                // Rounded bodies overlap where their cores are still apart.
                *answer = near.filter(|near| near.contact == Contact::Apart);
                near.is_some()
            }
        }
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Option<Closest> {
        let [a, b] = asked.bodies();
        verbs::distance(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

impl Job for Signed {
    type Outcome = Nearest;
    type Answer = Closest;
    const UNCLEAR: Nearest = Nearest::UNCLEAR;
    const BLANK: Closest = Closest::UNKNOWN;
    const ROUNDED: bool = true;

    /// Two boxes have a formula that is as fast.
    #[inline]
    fn takes(kinds: [Kind; 2]) -> bool {
        kinds != [Kind::Cuboid; 2]
    }

    #[inline(always)]
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Nearest]) {
        nearest::run::<L>(sides, queue, outcomes);
    }

    #[inline]
    fn state(outcome: &Nearest, asked: Asked<'_>, answer: &mut Closest) -> bool {
        if outcome.state != State::Apart {
            return false;
        }
        let near = of_corners(outcome, asked);
        *answer = near.unwrap_or(Closest::UNKNOWN);
        near.is_some()
    }

    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Closest {
        let [a, b] = asked.bodies();
        verbs::closest(a, asked.pose_a, b, asked.pose_b, cache)
    }
}

/// The answer from the corners that lanes ended with; nothing if it is not as good as is stated.
#[inline]
fn of_corners(found: &Nearest, asked: Asked<'_>) -> Option<Closest> {
    let (a, b) = (convex(asked.a)?, convex(asked.b)?);
    let Nearest { corners, on_a, direction, lowest, steps, .. } = found;
    let ended = Ended { corners, on_a, direction: *direction, lowest: *lowest, steps: *steps };
    finished(a, asked.pose_a, b, asked.pose_b, &ended)
}
