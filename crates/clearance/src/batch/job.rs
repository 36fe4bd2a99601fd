//! What a verb for many pairs is to lanes.

use super::block::{Block, Kind, Side};
use super::lane::Lane;
use super::pairs::Asked;
use crate::verbs::Cache;

/// What lanes look for. Verbs that look for the same share its code, of which there is one version for each processor.
pub(super) trait Search {
    /// What lanes say of a pair, in the frame of A.
    type Outcome: Copy;
    /// Nothing said.
    const UNCLEAR: Self::Outcome;
    /// Works through a queue of pairs in lanes: as many as there are outcomes.
    fn run<L: Lane>(sides: &[Side<'_>; 2], queue: &[Block], outcomes: &mut [Self::Outcome]);
}

/// What is asked of many pairs.
pub(super) trait Job {
    type Search: Search;
    /// The answer, in world space.
    type Answer: Clone + Send;
    /// What stands in a list until its answer is known.
    const BLANK: Self::Answer;
    /// Whether lanes are faster than the verb for one pair of these kinds.
    fn takes(kinds: [Kind; 2]) -> bool;
    /// Writes down the answer that an outcome is; false if it is none.
    fn state(outcome: &<Self::Search as Search>::Outcome, asked: Asked<'_>, answer: &mut Self::Answer) -> bool;
    /// The answer of the verb for one pair.
    fn alone(asked: Asked<'_>, cache: &mut Cache) -> Self::Answer;
}
