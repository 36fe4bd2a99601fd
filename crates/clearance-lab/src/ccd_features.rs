//! Continuous collision detection of vertices with faces and edges with edges, on the sample queries of the 2021 benchmark: answers
//! against the truth that comes with them, and times.
//!
//! The benchmark's best method, Tight-Inclusion, measured on the same files: 0 false negatives, 222 false positives, median 0.74 µs,
//! mean 3.4 ms, worst 0.5 s a query. The time of a query is the least of a few batches of calls, since noise only adds to it; the
//! worst is the largest of these, so a query is not blamed for what the machine did elsewhere.
//!
//! The data stand beside the project (`../shared/data` or `$CLEARANCE_DATA`). Without them the report says so and claims nothing.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use clearance::ccd::feature::{FeatureHit, Stage, edge_edge, vertex_face};
use clearance_testkit::ccd::{FeatureKind, FeatureQuery, data_folder, feature_queries, first_contact};

use crate::{Experiment, Failure, Plot, Progress, Report, Settings, Value};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ccd-features",
    title: "continuous collision detection of moving features: answers and times on the benchmark's sample queries",
    reproduces: "2021 CCD benchmark",
    run,
};

/// Calls in a batch: enough that reading the clock does not count for much.
const CALLS: u32 = 16;
/// Batches of each query.
const BATCHES: usize = 7;
/// The same, where quickness was asked for.
const BATCHES_QUICK: usize = 2;

/// One query asked.
struct Outcome<'q> {
    query: &'q FeatureQuery,
    hit: FeatureHit,
    nanoseconds: f64,
}

impl Outcome<'_> {
    fn is_false_negative(&self) -> bool {
        self.query.truth && !self.hit.hit
    }

    fn is_false_positive(&self) -> bool {
        !self.query.truth && self.hit.hit
    }
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    match data_folder("ccd-queries") {
        Some(folder) => run_with(settings, progress, &folder),
        None => Ok(skipped()),
    }
}

/// A report that says that there is nothing to measure.
pub fn skipped() -> Report {
    let mut report = Report::new(EXPERIMENT.name, &["note"]);
    report.row(["skipped: no data (looked for ccd-queries in $CLEARANCE_DATA and in ../shared/data)".into()]);
    report
}

/// Runs the experiment on the queries in a folder.
///
/// # Errors
/// If a file cannot be read.
pub fn run_with(settings: &Settings, progress: &Progress, folder: &Path) -> Result<Report, Failure> {
    let queries = feature_queries(folder)?;
    progress.start(queries.len() as u64, "queries");
    let batches = if settings.quick { BATCHES_QUICK } else { BATCHES };
    let mut outcomes = Vec::with_capacity(queries.len());
    for query in &queries {
        outcomes.push(asked(query, batches)?);
        progress.advance(1);
    }
    Ok(report(&outcomes))
}

fn asked(query: &FeatureQuery, batches: usize) -> Result<Outcome<'_>, Failure> {
    let ask = match query.kind {
        FeatureKind::VertexFace => vertex_face,
        FeatureKind::EdgeEdge => edge_edge,
    };
    let hit = ask(query.t0, query.t1)?;
    let mut nanoseconds = f64::INFINITY;
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(ask(black_box(query.t0), black_box(query.t1))?);
        }
        nanoseconds = nanoseconds.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    Ok(Outcome { query, hit, nanoseconds })
}

fn report(outcomes: &[Outcome]) -> Report {
    let stages = ["axis", "plane", "interval", "exact", "coplanar"];
    let figures =
        ["queries", "hits", "false_negatives", "false_positives", "median_ns", "mean_ns", "p99_ns", "worst_ns"];
    let columns: Vec<&str> = ["folder", "kind"].into_iter().chain(figures).chain(stages).collect();
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for group in outcomes.chunk_by(|a, b| (&a.query.folder, a.query.kind) == (&b.query.folder, b.query.kind)) {
        if let Some(first) = group.first() {
            row(&mut report, &first.query.folder, first.query.kind.name(), group.iter());
        }
    }
    for kind in FeatureKind::ALL {
        row(&mut report, "all", kind.name(), outcomes.iter().filter(|outcome| outcome.query.kind == kind));
    }
    row(&mut report, "all", "all", outcomes.iter());
    claims(&mut report, outcomes);
    report.plot(plot(outcomes));
    report
}

/// Times in order, and what one reads from them.
struct Times(Vec<f64>);

impl Times {
    fn of<'o>(outcomes: impl Iterator<Item = &'o Outcome<'o>>) -> Self {
        let mut times: Vec<f64> = outcomes.map(|outcome| outcome.nanoseconds).collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    /// The time that this part of the queries does not exceed.
    fn at(&self, part: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((part * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }
}

fn row<'o>(report: &mut Report, folder: &str, kind: &str, outcomes: impl Iterator<Item = &'o Outcome<'o>> + Clone) {
    let count = |test: fn(&Outcome) -> bool| outcomes.clone().filter(|outcome| test(outcome)).count();
    let counts =
        [count(|_| true), count(|o| o.hit.hit), count(|o| o.is_false_negative()), count(|o| o.is_false_positive())];
    let times = Times::of(outcomes.clone());
    let figures = [times.at(0.5), times.mean(), times.at(0.99), times.at(1.0)];
    let stages = Stage::ALL.map(|stage| outcomes.clone().filter(|outcome| outcome.hit.stage == stage).count());
    let labels: [Value; 2] = [folder.into(), kind.into()];
    let cells =
        labels.into_iter().chain(counts.map(Into::into)).chain(figures.map(Into::into)).chain(stages.map(Into::into));
    report.row(cells);
}

fn claims(report: &mut Report, outcomes: &[Outcome]) {
    let missed = outcomes.iter().filter(|outcome| outcome.is_false_negative()).count();
    let rival = |figure: &str| format!("Tight-Inclusion on the same file: {figure}");
    report.claim("no contact is missed", rival("0 false negatives"), missed, missed == 0);
    let extra: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.is_false_positive()).collect();
    report.claim("fewer than 20 false positives", rival("222"), extra.len(), extra.len() < 20);
    let unproven = extra.iter().filter(|outcome| {
        let FeatureQuery { kind, t0, t1, .. } = outcome.query;
        first_contact(*kind, *t0, *t1).is_none()
    });
    let unproven = unproven.count();
    let text = format!("{} of {}", extra.len() - unproven, extra.len());
    report.claim("every false positive touches by exact arithmetic", "–", text, unproven == 0);
    let undecided = outcomes.iter().filter(|outcome| outcome.hit.end != clearance::End::Converged).count();
    report.claim("every query is decided", "–", outcomes.len() - undecided, undecided == 0);
    let times = Times::of(outcomes.iter());
    let microseconds = |nanoseconds: f64| format!("{:.3} µs", nanoseconds / 1e3);
    for (claim, figure, time, limit) in [
        ("the median is below 0.5 µs", "0.74 µs", times.at(0.5), 0.5e3),
        ("the mean is below 20 µs", "3.4 ms", times.mean(), 20e3),
        ("the worst is below 2 ms", "0.5 s", times.at(1.0), 2e6),
    ] {
        report.claim(claim, rival(figure), microseconds(time), time < limit);
    }
}

/// How many queries take longer than a time.
fn plot(outcomes: &[Outcome]) -> Plot {
    let mut plot = Plot::new("times", "Queries that take longer", "nanoseconds", "queries").log(true, true);
    for kind in FeatureKind::ALL {
        let times = Times::of(outcomes.iter().filter(|outcome| outcome.query.kind == kind)).0;
        let count = times.len();
        plot.line(kind.name(), times.into_iter().enumerate().map(|(i, time)| (time, (count - i) as f64)));
    }
    plot
}
