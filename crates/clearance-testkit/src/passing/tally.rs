//! What was judged, and what was found.

/// Counts of judged casts; those of several scenes add up.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Casts judged, starting apart.
    pub casts: u64,
    /// Of these, rotations.
    pub turns: u64,
    /// Of these, stopped by something.
    pub hits: u64,
    /// Of all, starts within two zones of something.
    pub touching: u64,
    /// Worlds and bodies that the library took.
    pub made: u64,
    /// Worlds and bodies that the library refused: features too fine for the precision.
    pub unmade: u64,
    /// Casts that the library refused: coordinates too large for the precision.
    pub refused: u64,
    /// Casts that start in an overlap, seen by the library.
    pub overlaps: u64,
    /// Casts that start in an overlap that a step of a few zones ends, whatever was said.
    pub shallow: u64,
    /// Starts drawn at random too near to something, which are not judged.
    pub drawn_near: u64,
    /// Stops at which contact is only reached farther along a way that grazes.
    pub grazing: u64,
    /// Stops of rotations at the far zone of a sharp edge.
    pub sharp: u64,
    /// Stops whose upper bound is before the end of the motion, so that there must be a contact by then.
    pub bounded: u64,
    /// Of these, those whose bounds are no more than [`TIGHT`](super::judge::TIGHT) zones of the way apart.
    pub tight: u64,
    /// Places on the way that were looked at.
    pub samples: u64,
    /// Ways of points judged.
    pub points: u64,
    /// Of these, stopped by something.
    pub point_hits: u64,
    /// The smallest gap left after a cast, in zones.
    pub least_gap: Option<f64>,
    /// The same, of casts that started with at least half a zone.
    pub least_gap_from_half: Option<f64>,
    /// What is wrong, by kind.
    pub faults: [u64; Fault::COUNT],
    /// The first few faults in words.
    pub notes: Vec<String>,
}

/// What may be wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Surfaces share a point at the pose reached.
    Pierced,
    /// The body is inside a solid at the pose reached, or the other way round.
    Contained,
    /// Surfaces meet on the way before the stop.
    Earlier,
    /// Surfaces meet on a way that was called free.
    Missed,
    /// A stop with nothing near, there and farther on.
    Nothing,
    /// An overlap was reported at a start that is apart.
    FalseOverlap,
    /// An overlap at the start was not reported.
    MissedOverlap,
    /// The answer does not fit together: a fraction out of range, a miss with a fraction below one, not complete.
    Inconsistent,
    /// A contact before the lower bound, or none up to the upper one.
    Bounds,
}

impl Fault {
    /// How many there are.
    pub const COUNT: usize = 9;
    /// All of them.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pierced,
        Self::Contained,
        Self::Earlier,
        Self::Missed,
        Self::Nothing,
        Self::FalseOverlap,
        Self::MissedOverlap,
        Self::Inconsistent,
        Self::Bounds,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pierced => "interpenetrating",
            Self::Contained => "inside a solid",
            Self::Earlier => "earlier contact",
            Self::Missed => "missed hit",
            Self::Nothing => "stop without contact",
            Self::FalseOverlap => "false overlap",
            Self::MissedOverlap => "missed overlap",
            Self::Inconsistent => "inconsistent answer",
            Self::Bounds => "wrong bounds",
        }
    }
}

/// Faults told in words.
const MOST_NOTES: usize = 12;

pub(super) fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(f64::min)
}

impl Tally {
    /// Counts a fault.
    pub fn fault(&mut self, fault: Fault, note: impl FnOnce() -> String) {
        self.faults[fault as usize] += 1;
        if self.notes.len() < MOST_NOTES {
            self.notes.push(format!("{}: {}", fault.name(), note()));
        }
    }

    /// How often something was wrong.
    pub fn wrong(&self) -> u64 {
        self.faults.iter().sum()
    }

    /// How often this was wrong.
    pub fn count(&self, fault: Fault) -> u64 {
        self.faults[fault as usize]
    }

    /// Notes a gap in zones, and the one at the start.
    pub fn gap(&mut self, left: f64, start: f64) {
        self.least_gap = least(self.least_gap, Some(left));
        if start >= 0.5 {
            self.least_gap_from_half = least(self.least_gap_from_half, Some(left));
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        let own = [
            &mut self.casts,
            &mut self.turns,
            &mut self.hits,
            &mut self.touching,
            &mut self.made,
            &mut self.unmade,
            &mut self.refused,
            &mut self.overlaps,
            &mut self.shallow,
            &mut self.drawn_near,
            &mut self.grazing,
            &mut self.sharp,
            &mut self.bounded,
            &mut self.tight,
            &mut self.samples,
            &mut self.points,
            &mut self.point_hits,
        ];
        let theirs = [
            other.casts,
            other.turns,
            other.hits,
            other.touching,
            other.made,
            other.unmade,
            other.refused,
            other.overlaps,
            other.shallow,
            other.drawn_near,
            other.grazing,
            other.sharp,
            other.bounded,
            other.tight,
            other.samples,
            other.points,
            other.point_hits,
        ];
        own.into_iter().zip(theirs).for_each(|(sum, count)| *sum += count);
        self.faults.iter_mut().zip(other.faults).for_each(|(sum, count)| *sum += count);
        self.least_gap = least(self.least_gap, other.least_gap);
        self.least_gap_from_half = least(self.least_gap_from_half, other.least_gap_from_half);
        self.notes.extend(other.notes);
        self.notes.truncate(MOST_NOTES);
        self
    }
}
