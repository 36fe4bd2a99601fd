//! The collision matrix: which pairs are looked at, and how near is too near.

use std::collections::HashMap;

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
pub(super) struct Filter {
    groups: [u64; Group::COUNT],
    rules: HashMap<Pair, PairRule>,
}

impl Filter {
    pub fn new() -> Self {
        Self { groups: [u64::MAX; Group::COUNT], rules: HashMap::new() }
    }

    pub fn set_groups(&mut self, a: Group, b: Group, enabled: bool) {
        for (row, column) in [(a.0, b.0), (b.0, a.0)] {
            let bit = 1u64 << column;
            let row = &mut self.groups[row as usize];
            *row = if enabled { *row | bit } else { *row & !bit };
        }
    }

    pub fn set_rule(&mut self, pair: Pair, rule: Option<PairRule>) {
        match rule {
            Some(rule) => self.rules.insert(pair, rule),
            None => self.rules.remove(&pair),
        };
    }

    /// Forgets the rules of a body that is no more.
    pub fn forget(&mut self, slot: u32) {
        self.rules.retain(|pair, _| !pair.contains(&slot));
    }

    /// How far the body's box must reach beyond the body for its rules.
    pub fn reach(&self, slot: u32) -> Real {
        let margins = self.rules.iter().filter(|(pair, _)| pair.contains(&slot)).map(|(_, rule)| match rule {
            PairRule::Within(margin) => *margin,
            PairRule::Ignore => 0.0,
        });
        margins.fold(0.0, Real::max)
    }

    /// The distance at which the pair counts as touching; nothing if it is not looked at.
    pub fn margin(&self, pair: Pair, groups: [Group; 2]) -> Option<Real> {
        let enabled = self.groups[groups[0].0 as usize] >> groups[1].0 & 1 == 1;
        match self.rules.get(&pair).filter(|_| !self.rules.is_empty()) {
            Some(PairRule::Ignore) => None,
            Some(PairRule::Within(margin)) => Some(*margin),
            None => enabled.then_some(0.0),
        }
    }
}
