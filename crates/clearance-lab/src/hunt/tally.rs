//! What a hunt has found: counts, and the first cases of each kind of mistake.

use std::ops::AddAssign;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Boolean,
    Bound,
    Point,
    Normal,
    Contact,
    Warm,
    Passed,
    Panic,
}

pub(crate) const FINDINGS: [Finding; 8] = [
    Finding::Boolean,
    Finding::Bound,
    Finding::Point,
    Finding::Normal,
    Finding::Contact,
    Finding::Warm,
    Finding::Passed,
    Finding::Panic,
];

impl Finding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "wrong booleans",
            Self::Bound => "wrong bounds",
            Self::Point => "points off bodies",
            Self::Normal => "normals not unit",
            Self::Contact => "contacts off bodies",
            Self::Warm => "warm differs from cold",
            Self::Passed => "casts wrong",
            Self::Panic => "panics",
        }
    }
}

/// Counts of one family in one precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) cases: u64,
    pub(crate) answers: u64,
    pub(crate) unconverged: u64,
    pub(crate) unproved: u64,
    pub(crate) findings: [u64; FINDINGS.len()],
    /// What the last mistake of a case was.
    pub(crate) last: Option<(Finding, String)>,
}

impl Tally {
    pub(crate) fn check(&mut self, holds: bool, kind: Finding, told: impl FnOnce() -> String) {
        if !holds {
            self.found(kind, told());
        }
    }

    pub(crate) fn found(&mut self, kind: Finding, told: String) {
        self.findings[kind as usize] += 1;
        self.last = Some((kind, told));
    }

    pub(crate) fn ended(&mut self, converged: bool) {
        self.answers += 1;
        self.unconverged += u64::from(!converged);
    }

    /// No certificate was found to judge by.
    pub(crate) fn unproved(&mut self) {
        self.unproved += 1;
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.cases += other.cases;
        self.answers += other.answers;
        self.unconverged += other.unconverged;
        self.unproved += other.unproved;
        self.findings.iter_mut().zip(other.findings).for_each(|(sum, more)| *sum += more);
    }
}
