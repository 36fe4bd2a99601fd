//! Times of competitors, taken so that their ratio means something on a noisy machine.
//!
//! Noise only ever adds time, so the minimum over many short batches is the steadiest figure; the median tells
//! how noisy the run was. Competitors take turns, so that a slow spell hits all of them alike.
//!
//! The compiler removes work whose result nobody looks at and may compute constant input once, before the clock
//! starts. Pass the input of each call through [`std::hint::black_box`], and its result as well:
//!
//! ```
//! use clearance_lab::{Settings, interleaved};
//! use std::hint::black_box;
//!
//! let xs = [1.0_f64, 2.0, 3.0];
//! let times = interleaved(
//!     &mut [
//!         ("root", &mut || xs.iter().for_each(|x| { black_box(black_box(*x).sqrt()); })),
//!         ("cube", &mut || xs.iter().for_each(|x| { black_box(black_box(*x).powi(3)); })),
//!     ],
//!     xs.len(),
//!     &Settings::new(true, 1),
//! );
//! let ratio = times[0].best / times[1].best;
//! # assert!(ratio >= 0.0 || ratio.is_nan());
//! ```

use crate::Settings;
use std::time::Instant;

/// Batches timed of each competitor; odd, so that the median is one of them.
const ROUNDS: usize = 21;
/// The same, where quickness was asked for.
const ROUNDS_QUICK: usize = 5;

/// What one competitor needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The competitor.
    pub name: String,
    /// Nanoseconds per call in the fastest batch.
    pub best: f64,
    /// Nanoseconds per call in the median batch.
    pub median: f64,
}

/// Times one competitor alone. `batch` makes `calls_per_batch` calls; make it last some 100 µs or more, so
/// that reading the clock does not count.
pub fn nanoseconds_per_call(mut batch: impl FnMut(), calls_per_batch: usize, settings: &Settings) -> Timing {
    let samples = sample(&mut [("", &mut batch)], settings);
    summarise("", samples.into_iter().flatten().collect(), calls_per_batch)
}

/// Times competitors in turn, each batch making `calls_per_batch` calls on the same input; one figure per
/// competitor, in their order. Every competitor runs one batch first that does not count, to warm up.
pub fn interleaved(
    competitors: &mut [(&str, &mut dyn FnMut())],
    calls_per_batch: usize,
    settings: &Settings,
) -> Vec<Timing> {
    let samples = sample(competitors, settings);
    let named = competitors.iter().zip(samples);
    named.map(|((name, _), samples)| summarise(name, samples, calls_per_batch)).collect()
}

/// Nanoseconds of each batch, by competitor.
fn sample(competitors: &mut [(&str, &mut dyn FnMut())], settings: &Settings) -> Vec<Vec<f64>> {
    let rounds = if settings.quick { ROUNDS_QUICK } else { ROUNDS };
    for (_, batch) in competitors.iter_mut() {
        batch();
    }
    let count = competitors.len();
    let mut samples = vec![Vec::with_capacity(rounds); count];
    for round in 0..rounds {
        for turn in 0..count {
            // Every other round backwards, so that nobody always inherits the caches of the same rival.
            let who = if round % 2 == 0 { turn } else { count - 1 - turn };
            let start = Instant::now();
            (competitors[who].1)();
            samples[who].push(start.elapsed().as_nanos() as f64);
        }
    }
    samples
}

fn summarise(name: &str, mut samples: Vec<f64>, calls_per_batch: usize) -> Timing {
    samples.sort_by(f64::total_cmp);
    let calls = calls_per_batch.max(1) as f64;
    let per_call = |at: usize| samples.get(at).map_or(f64::NAN, |batch| batch / calls);
    Timing { name: name.to_owned(), best: per_call(0), median: per_call(samples.len() / 2) }
}
