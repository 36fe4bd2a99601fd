//! The collision matrix: which pairs are looked at, and how near is too near.

use std::collections::BTreeMap;

use super::body::Group;
use crate::broad::Pair;
use crate::math::Real;

/// What is asked of one pair of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PairRule {
    /// Never looked at.
    Ignore,
    /// Looked at even if their groups are not, and said to touch at this distance already.
    Within(Real),
}

/// Groups by groups, and single pairs.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    groups: [u64; Group::COUNT],
    /// Each rule twice, once for either body first: the rules of a body follow each other.
    rules: BTreeMap<Pair, PairRule>,
}

impl Matrix {
    pub fn new() -> Self {
        Self { groups: [u64::MAX; Group::COUNT], rules: BTreeMap::new() }
    }

    pub fn set_groups(&mut self, a: Group, b: Group, enabled: bool) {
        for (row, column) in [(a.0, b.0), (b.0, a.0)] {
            let bit = 1u64 << column;
            let row = &mut self.groups[row as usize];
            *row = if enabled { *row | bit } else { *row & !bit };
        }
    }

    pub fn set_rule(&mut self, [a, b]: Pair, rule: Option<PairRule>) {
        for pair in [[a, b], [b, a]] {
            match rule {
                Some(rule) => self.rules.insert(pair, rule),
                None => self.rules.remove(&pair),
            };
        }
    }

    fn of(&self, slot: u32) -> impl Iterator<Item = (u32, &PairRule)> {
        self.rules.range([slot, 0]..=[slot, u32::MAX]).map(|([_, other], rule)| (*other, rule))
    }

    /// Forgets the rules of a body that is no more; `other` hears with whom it had some.
    pub fn forget(&mut self, slot: u32, mut other: impl FnMut(u32)) {
        loop {
            let Some(partner) = self.of(slot).next().map(|(partner, _)| partner) else {
                return;
            };
            self.set_rule([slot, partner], None);
            other(partner);
        }
    }

    /// The largest distance in the body's rules.
    pub fn reach(&self, slot: u32) -> Real {
        let margins = self.of(slot).map(|(_, rule)| match rule {
            PairRule::Within(margin) => *margin,
            PairRule::Ignore => 0.0,
        });
        margins.fold(0.0, Real::max)
    }

    /// The distance at which the pair counts as touching; nothing if it is not looked at.
    pub fn margin(&self, pair: Pair, groups: [Group; 2]) -> Option<Real> {
        match self.rules.get(&pair) {
            Some(PairRule::Ignore) => None,
            Some(PairRule::Within(margin)) => Some(*margin),
            None => (self.groups[groups[0].0 as usize] >> groups[1].0 & 1 == 1).then_some(0.0),
        }
    }
}
