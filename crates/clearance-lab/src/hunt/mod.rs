//! The hunt: looks for a wrong answer of any verb, in every family of pairs and both precisions, for as long as it is given.
//!
//! Every answer is judged by a certificate ([`clearance::exact::certify`]): bounds on the distance with a proof, found by a search that shares
//! nothing with the algorithms it judges. One certificate in a hundred, and every one that contradicts an answer, is checked exactly
//! ([`clearance::exact::Certificate::verify`]). A finding is shrunk and kept as a line for `clearance query` in the state file, which
//! `--out` makes, beside the first cases of each sort whose answers did not converge. Cases follow from the seed and their number alone; with a state file the hunt goes on where it stopped.

mod case;
mod double;
mod single;
mod solid;
mod state;
mod tally;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use case::{Case, FAMILIES, Family};
use rayon::prelude::*;
use state::{State, keep};
use tally::{FINDINGS, Finding, Tally};

use crate::{Experiment, Failure, Progress, Report, Settings};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "hunt",
    title: "Looks for wrong answers of every verb, judged by certificates, for as long as it is given",
    reproduces: "trust",
    run,
};

/// Cases of one family that one thread asks at a time.
const BATCH: u64 = 256;
/// Minutes without a word of how long: enough to see something.
const MINUTES: [f64; 2] = [5.0, 0.25];
/// A case that takes longer is a hang.
const LONGEST: Duration = Duration::from_secs(10);
/// How many smaller cases are tried for each finding.
const SHRINKS: u32 = 400;

const PRECISIONS: [&str; 2] = ["f64", "f32"];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    let seconds = settings.hours.map_or(MINUTES[usize::from(settings.quick)] * 60.0, |hours| hours * 3600.0);
    let mut state = State::load(settings.state.as_deref(), settings.seed)?;
    let start = Instant::now();
    let mut saved = start;
    progress.start(seconds as u64, "seconds");
    let mut shown = 0;
    while start.elapsed().as_secs_f64() < seconds {
        round(settings.seed, &mut state);
        let elapsed = start.elapsed().as_secs();
        progress.advance(elapsed.saturating_sub(shown));
        shown = shown.max(elapsed);
        if saved.elapsed() > Duration::from_secs(60) {
            state.save(settings.state.as_deref())?;
            saved = Instant::now();
        }
    }
    state.seconds += start.elapsed().as_secs_f64();
    state.save(settings.state.as_deref())?;
    Ok(report(&state))
}

/// One batch of every family, as many of each as its share says.
fn round(seed: u64, state: &mut State) {
    let jobs: Vec<(usize, u64)> = FAMILIES
        .iter()
        .enumerate()
        .flat_map(|(place, family)| {
            let next = state.next[place];
            (0..family.share()).map(move |batch| (place, next + batch * BATCH))
        })
        .collect();
    let done: Vec<Batch> = jobs.par_iter().map(|&(place, first)| batch(seed, place, first)).collect();
    for Batch { place, tallies, reproducers, open } in done {
        state.next[place] += BATCH;
        state.tallies[place].iter_mut().zip(&tallies).for_each(|(sum, more)| *sum += more);
        keep(&mut state.reproducers, reproducers);
        keep(&mut state.open, open);
    }
}

/// What came of a batch of one family.
struct Batch {
    place: usize,
    tallies: [Tally; 2],
    /// Sorts and lines of findings.
    reproducers: Vec<[String; 2]>,
    /// Sorts and lines of cases that did not converge.
    open: Vec<[String; 2]>,
}

fn batch(seed: u64, place: usize, first: u64) -> Batch {
    let mut tallies = [Tally::default(), Tally::default()];
    let (mut reproducers, mut open) = (Vec::new(), Vec::new());
    let (mut wide, mut narrow) = (clearance::Cache::default(), clearance_f32::Cache::default());
    for number in first..first + BATCH {
        let case = FAMILIES[place].case(seed, number);
        let found = [
            asked(|tally| double::judge::ask(&case, &mut wide, tally)),
            asked(|tally| single::judge::ask(&case, &mut narrow, tally)),
        ];
        for (precision, tally) in found.iter().enumerate() {
            tallies[precision] += tally;
            if let Some((kind, told)) = &tally.last {
                reproducers.push(reproducer(&case, precision, *kind, told, FAMILIES[place], number));
            }
            if let Some(question) = tally.open {
                let sort = format!("{} {}, not converged: {question}", PRECISIONS[precision], FAMILIES[place].name());
                let line = told_apart(&case, &sort, number);
                open.push([sort, line.to_string()]);
            }
        }
    }
    Batch { place, tallies, reproducers, open }
}

/// Asks one case; a panic and a hang are findings. What took long is asked again, since the machine may have been busy elsewhere.
fn asked(mut ask: impl FnMut(&mut Tally) -> bool) -> Tally {
    let (tally, elapsed) = timed(&mut ask);
    if elapsed <= LONGEST {
        return tally;
    }
    let (mut tally, elapsed) = timed(&mut ask);
    if elapsed > LONGEST {
        tally.found(Finding::Panic, format!("took {elapsed:?}"));
    }
    tally
}

fn timed(ask: &mut impl FnMut(&mut Tally) -> bool) -> (Tally, Duration) {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut tally = Tally::default();
        tally.cases = u64::from(ask(&mut tally));
        tally
    }));
    let tally = outcome.unwrap_or_else(|_| {
        let mut tally = Tally { cases: 1, ..Tally::default() };
        tally.found(Finding::Panic, "a panic".to_owned());
        tally
    });
    (tally, start.elapsed())
}

fn fails(case: &Case, precision: usize, kind: Finding) -> bool {
    let tally = match precision {
        0 => asked(|tally| double::judge::ask(case, &mut clearance::Cache::default(), tally)),
        _ => asked(|tally| single::judge::ask(case, &mut clearance_f32::Cache::default(), tally)),
    };
    tally.findings[kind as usize] > 0
}

/// The smallest case like it that still fails, as a line for `clearance query` with what was found.
fn reproducer(case: &Case, precision: usize, kind: Finding, told: &str, family: Family, number: u64) -> [String; 2] {
    let mut smallest = case.clone();
    let mut tries = 0;
    'smaller: while tries < SHRINKS && fails(&smallest, precision, kind) {
        for simpler in smallest.simpler() {
            tries += 1;
            if fails(&simpler, precision, kind) {
                smallest = simpler;
                continue 'smaller;
            }
        }
        break;
    }
    let sort = format!("{} {}, {}", PRECISIONS[precision], family.name(), kind.name());
    let mut line = told_apart(&smallest, &sort, number);
    line["found"] = serde_json::json!(told);
    [sort, line.to_string()]
}

/// A case as a line that tells its sort and number.
fn told_apart(case: &Case, sort: &str, number: u64) -> serde_json::Value {
    let mut line = case.json();
    line["id"] = serde_json::json!(format!("{sort}: {number}"));
    line["touching"] = serde_json::json!(case.touching);
    line
}

/// A case as a line for `clearance query`, by its family, seed and number, and those like it that are tried in its place if it fails;
/// nothing if no family has this name.
pub fn case(family: &str, seed: u64, number: u64) -> Option<(serde_json::Value, Vec<serde_json::Value>)> {
    let family = FAMILIES.iter().find(|known| known.name() == family)?;
    let case = family.case(seed, number);
    Some((case.json(), case.simpler().iter().map(Case::json).collect()))
}

fn report(state: &State) -> Report {
    let columns: Vec<String> = ["precision", "family"].map(str::to_owned).into_iter().chain(Tally::columns()).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut report = Report::new("hunt", &columns);
    for (precision, name) in PRECISIONS.iter().enumerate() {
        for (place, family) in FAMILIES.iter().enumerate() {
            let tally = &state.tallies[place][precision];
            let mut row = vec![(*name).into(), family.name().into()];
            row.extend(tally.counts().map(crate::Value::from));
            report.row(row);
        }
    }
    let total = state.tallies.iter().flatten().fold(Tally::default(), |mut sum, tally| {
        sum += tally;
        sum
    });
    for kind in FINDINGS {
        let count = total.findings[kind as usize];
        report.claim(format!("no {}", kind.name()), "0", count as f64, count == 0);
    }
    let cases = total.cases as f64;
    let claim = format!("a hundred million cases ({:.0} s so far)", state.seconds);
    report.claim(claim, "1e8", cases, cases >= 1e8);
    report
}
