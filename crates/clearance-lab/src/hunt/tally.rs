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

/// What was asked, for the count of answers that did not converge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Closest,
    Overlap,
    Within,
    Manifold,
    Warm,
    Cast,
    Impact,
    Ray,
    Project,
    Range,
    PushOut,
    Slide,
}

const QUESTIONS: [&str; 12] = [
    "closest",
    "overlap",
    "within",
    "manifold",
    "warm closest",
    "cast",
    "time of impact",
    "ray",
    "project",
    "range",
    "push out",
    "slide",
];

/// Counts of one family in one precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) cases: u64,
    pub(crate) answers: u64,
    /// By what was asked.
    pub(crate) unconverged: [u64; QUESTIONS.len()],
    pub(crate) unproved: u64,
    /// Certificates that were checked exactly, and hold.
    pub(crate) verified: u64,
    pub(crate) findings: [u64; FINDINGS.len()],
    /// What the last mistake of a case was.
    pub(crate) last: Option<(Finding, String)>,
    /// What the last answer of a case that did not converge was asked.
    pub(crate) open: Option<&'static str>,
}

impl Tally {
    /// The names of the counts.
    pub(crate) fn columns() -> impl Iterator<Item = String> {
        let plain = ["cases", "answers", "not proved", "verified"].map(str::to_owned);
        let unconverged = QUESTIONS.map(|question| format!("not converged: {question}"));
        plain.into_iter().chain(unconverged).chain(FINDINGS.map(|finding| finding.name().to_owned()))
    }

    /// All counts, in the order of [`Tally::columns`].
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        let plain = [self.cases, self.answers, self.unproved, self.verified];
        plain.into_iter().chain(self.unconverged).chain(self.findings)
    }

    /// A tally from its counts.
    pub(crate) fn of_counts(count: impl Fn(usize) -> u64) -> Self {
        let unconverged = std::array::from_fn(|i| count(4 + i));
        let findings = std::array::from_fn(|i| count(4 + QUESTIONS.len() + i));
        let [cases, answers, unproved, verified] = [0, 1, 2, 3].map(count);
        Self { cases, answers, unconverged, unproved, verified, findings, last: None, open: None }
    }

    pub(crate) fn check(&mut self, holds: bool, kind: Finding, told: impl FnOnce() -> String) {
        if !holds {
            self.found(kind, told());
        }
    }

    pub(crate) fn found(&mut self, kind: Finding, told: String) {
        self.findings[kind as usize] += 1;
        self.last = Some((kind, told));
    }

    pub(crate) fn ended(&mut self, question: Question, converged: bool) {
        self.answers += 1;
        if !converged {
            self.unconverged[question as usize] += 1;
            self.open = Some(QUESTIONS[question as usize]);
        }
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
        self.unconverged.iter_mut().zip(other.unconverged).for_each(|(sum, more)| *sum += more);
        self.unproved += other.unproved;
        self.verified += other.verified;
        self.findings.iter_mut().zip(other.findings).for_each(|(sum, more)| *sum += more);
    }
}
