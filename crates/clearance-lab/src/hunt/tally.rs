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
    /// A certificate that does not hold.
    Certificate,
    Panic,
}

pub(crate) const FINDINGS: [Finding; 9] = [
    Finding::Boolean,
    Finding::Bound,
    Finding::Point,
    Finding::Normal,
    Finding::Contact,
    Finding::Warm,
    Finding::Passed,
    Finding::Certificate,
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
            Self::Certificate => "certificates refused",
            Self::Panic => "panics or hangs",
        }
    }
}

/// The names of the counts that are no mistakes.
pub(crate) const COLUMNS: [&str; 5] = ["cases", "answers", "not converged", "not proved", "verified"];

/// Counts of one family in one precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) cases: u64,
    pub(crate) answers: u64,
    pub(crate) unconverged: u64,
    pub(crate) unproved: u64,
    /// Certificates that were checked exactly, and hold.
    pub(crate) verified: u64,
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

    /// How many mistakes there are.
    pub(crate) fn wrong(&self) -> u64 {
        self.findings.iter().sum()
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
        self.verified += other.verified;
        self.findings.iter_mut().zip(other.findings).for_each(|(sum, more)| *sum += more);
    }
}
