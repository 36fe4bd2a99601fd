//! Hit rates: a random test that never meets the case it is about has tested nothing.

/// Counts how often a random trial met the case of interest.
#[derive(Clone, Debug)]
pub struct HitRate {
    name: &'static str,
    hits: usize,
    trials: usize,
}

impl HitRate {
    /// A counter with no trials yet; the name appears in the message of a failed assertion.
    pub fn new(name: &'static str) -> Self {
        Self { name, hits: 0, trials: 0 }
    }

    /// Counts one trial, and a hit if it was one; hands the verdict back.
    pub fn record(&mut self, hit: bool) -> bool {
        self.trials += 1;
        self.hits += usize::from(hit);
        hit
    }

    /// Number of hits so far.
    pub fn hits(&self) -> usize {
        self.hits
    }

    /// Number of trials so far.
    pub fn trials(&self) -> usize {
        self.trials
    }

    /// Hits per trial; NaN before the first trial.
    pub fn rate(&self) -> f64 {
        self.hits as f64 / self.trials as f64
    }

    /// Fails the test unless `lo ≤ rate ≤ hi`; no trials at all fail too.
    #[track_caller]
    pub fn assert_between(&self, lo: f64, hi: f64) {
        let rate = self.rate();
        assert!(
            rate >= lo && rate <= hi,
            "{}: {} hits in {} trials, a rate of {rate}, outside [{lo}, {hi}]",
            self.name,
            self.hits,
            self.trials,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_accepts() {
        let mut rate = HitRate::new("even");
        for i in 0..10 {
            rate.record(i % 2 == 0);
        }
        assert_eq!((rate.hits(), rate.trials()), (5, 10));
        rate.assert_between(0.5, 0.5);
    }

    #[test]
    #[should_panic(expected = "rare: 0 hits in 3 trials")]
    fn misses_are_loud() {
        let mut rate = HitRate::new("rare");
        for _ in 0..3 {
            rate.record(false);
        }
        rate.assert_between(0.1, 1.0);
    }

    #[test]
    #[should_panic(expected = "0 hits in 0 trials")]
    fn no_trials_is_a_failure() {
        HitRate::new("never run").assert_between(0.0, 1.0);
    }
}
