//! Support search four ways: vertices visited and time against the number of vertices.
//!
//! Q_COLLIDE sections 3.3, 3.5 and 5.3. Bodies are hulls of random points on a sphere; directions are random. "Cold" knows
//! nothing, "hint" knows the supporting vertex of a direction ten degrees away, which is one frame of a fast rotation. "Climb, marked" is
//! the thesis's own: it marks what it has looked at and does not look again.

use std::hint::black_box;

use clearance::polytope::{Climb, Marks, SupportPolytope};
use clearance::{Polytope, Support, SupportPoint, Vec3, VertexId};
use clearance_testkit::Rng;

use crate::{Experiment, Failure, Plot, Progress, Report, Settings, Value, interleaved};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "support-search",
    title: "vertices visited and time of four ways to search for a supporting vertex",
    reproduces: "q-collide sections 3.3, 3.5 and 5.3",
    run,
};

const SIZES: [usize; 13] = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
const QUICK_SIZES: [usize; 5] = [10, 50, 1_000, 10_000, 100_000];
const HINT_AGE_DEGREES: f64 = 10.0;
/// Directions per batch.
const CALLS: usize = 4_000;
/// Vertices that a batch of scans may look at: beyond, it uses fewer directions.
const SCANNED: usize = 20_000_000;
const WAYS: [&str; 4] = ["scan", "climb", "table", "hierarchy"];

/// One cell: a size and a start, with mean visits of the four ways and times of those, the default and a plain scan.
struct Cell {
    n: usize,
    start: &'static str,
    visited: [f64; 4],
    times: [f64; 4],
    /// The default's time beside the scan, and beside the other three.
    default: [f64; 2],
    plain: f64,
    /// Climbing with marks: visits and time.
    marked: [f64; 2],
}

impl Cell {
    /// The share of a climb's products that marks save.
    fn saved(&self) -> f64 {
        1.0 - self.marked[0] / self.visited[1]
    }

    fn ratio_to_best(&self) -> f64 {
        let climbing = self.times[1].min(self.times[2]).min(self.times[3]);
        if self.times[0] < climbing { self.default[0] / self.times[0] } else { self.default[1] / climbing }
    }
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    let sizes: &[usize] = if settings.quick { &QUICK_SIZES } else { &SIZES };
    progress.start(2 * sizes.len() as u64, "sizes");
    let mut rng = Rng::new(settings.seed);
    let mut cells = Vec::new();
    for &n in sizes {
        let points: Vec<Vec3> = (0..n).map(|_| rng.unit_vector()).collect();
        let everything = Polytope::from_points(&points)?.with_all_searches()?;
        let directions: Vec<Vec3> = (0..CALLS).map(|_| rng.unit_vector()).collect();
        let hints: Vec<u32> =
            directions.iter().map(|&d| everything.search().climb_from_table(aged(d, &mut rng)).vertex).collect();
        for start in ["cold", "hint"] {
            cells.push(measure(settings, everything.search(), &directions, &hints, start));
            progress.advance(1);
        }
    }
    Ok(report(&cells))
}

/// A direction at the hint's age from `d`.
fn aged(d: Vec3, rng: &mut Rng) -> Vec3 {
    let (sin, cos) = HINT_AGE_DEGREES.to_radians().sin_cos();
    d * cos + d.cross(rng.unit_vector()).normalize_or(d.any_orthonormal_vector()) * sin
}

/// Vertices visited per search, on average.
fn mean_visits(count: usize, mut ask: impl FnMut(usize) -> Climb) -> f64 {
    let visits: usize = (0..count).map(|i| ask(i).visited).sum();
    visits as f64 / count as f64
}

fn measure(
    settings: &Settings,
    search: &SupportPolytope,
    directions: &[Vec3],
    hints: &[u32],
    start: &'static str,
) -> Cell {
    let hinted = start == "hint";
    let from = |i: usize| if hinted { hints[i] } else { 0 };
    let hint = |i: usize| if hinted { VertexId(hints[i]) } else { VertexId::NONE };
    let count = directions.len();
    let visited = [
        mean_visits(count, |i| search.scan(directions[i])),
        mean_visits(count, |i| search.climb(directions[i], from(i))),
        mean_visits(count, |i| search.climb_from_table(directions[i])),
        mean_visits(count, |i| search.descend(directions[i])),
    ];
    let mut marks = Marks::default();
    let marked = mean_visits(count, |i| search.climb_marked(directions[i], from(i), &mut marks));
    // Every way hands over the point, as the default does.
    let point = |vertex: u32| SupportPoint { point: search.points()[vertex as usize], vertex: VertexId(vertex) };
    macro_rules! batch {
        ($calls:expr, $i:ident => $ask:expr) => {
            &mut || {
                for $i in 0..$calls {
                    black_box($ask);
                }
            }
        };
    }
    let n = search.points().len();
    // Two heats: scans of large bodies are slow and evict everything from the caches; the others do not meet them there.
    let few = (SCANNED / n).clamp(100, CALLS);
    let scans = interleaved(
        &mut [
            ("default", batch!(few, i => search.support(black_box(directions[i]), hint(i)))),
            ("scan", batch!(few, i => point(search.scan(black_box(directions[i])).vertex))),
            ("plain", batch!(few, i => point(search.scan_plain(black_box(directions[i]))))),
        ],
        few,
        settings,
    );
    let climbs = interleaved(
        &mut [
            ("default", batch!(CALLS, i => search.support(black_box(directions[i]), hint(i)))),
            ("climb", batch!(CALLS, i => point(search.climb(black_box(directions[i]), from(i)).vertex))),
            ("table", batch!(CALLS, i => point(search.climb_from_table(black_box(directions[i])).vertex))),
            ("hierarchy", batch!(CALLS, i => point(search.descend(black_box(directions[i])).vertex))),
            (
                "climb, marked",
                batch!(CALLS, i => point(search.climb_marked(black_box(directions[i]), from(i), &mut marks).vertex)),
            ),
        ],
        CALLS,
        settings,
    );
    Cell {
        n,
        start,
        visited,
        times: [scans[1].best, climbs[1].best, climbs[2].best, climbs[3].best],
        default: [scans[0].best, climbs[0].best],
        plain: scans[2].best,
        marked: [marked, climbs[4].best],
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns = ["n", "start", "way", "visited", "nanoseconds"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        for (way, (visited, time)) in WAYS.iter().zip(cell.visited.iter().zip(cell.times)) {
            report.row([cell.n.into(), cell.start.into(), (*way).into(), (*visited).into(), time.into()]);
        }
        let [visited, time] = cell.marked;
        report.row([cell.n.into(), cell.start.into(), "climb, marked".into(), visited.into(), time.into()]);
        let unknown = || Value::Text(String::new());
        report.row([cell.n.into(), cell.start.into(), "default".into(), unknown(), cell.default[1].into()]);
        report.row([cell.n.into(), cell.start.into(), "plain scan".into(), (cell.n as f64).into(), cell.plain.into()]);
    }
    claims(&mut report, cells);
    plots(&mut report, cells);
    report
}

fn claims(report: &mut Report, cells: &[Cell]) {
    let at = |n: usize, start: &str| cells.iter().find(|cell| cell.n == n && cell.start == start);
    if let (Some(small), Some(large)) = (at(1_000, "cold"), at(100_000, "cold")) {
        let growth = large.visited[3] / small.visited[3];
        let claim = "the hierarchy visits at 100,000 vertices at most 3 times what it visits at 1,000";
        report.claim(claim, "O(log n)", growth, growth <= 3.0);
    }
    if let Some(cell) = at(1_000, "hint") {
        let claim = "with a hint 10° old, climbing visits fewer than 40 vertices at 1,000";
        report.claim(claim, "nearly constant under coherence", cell.visited[1], cell.visited[1] < 40.0);
    }
    marks_claims(report, cells);
    let worst = cells.iter().map(Cell::ratio_to_best).fold(0.0, f64::max);
    report.claim("the default takes at most 1.3 times the best of the four ways", "–", worst, worst <= 1.3);
    if let Some(cell) = at(50, "cold") {
        let gain = cell.plain / cell.default[0];
        report.claim("at 50 vertices the default is at least 4 times faster than a plain scan", "–", gain, gain >= 4.0);
        report.why_not("a goal of this project, no paper's claim");
    }
}

/// What the thesis says of marks, for its sizes; and what it does not say, the time.
fn marks_claims(report: &mut Report, cells: &[Cell]) {
    for (start, what) in [("cold", "from any start"), ("hint", "with a hint 10° old")] {
        let of = |sizes: std::ops::RangeInclusive<usize>| {
            let chosen = || cells.iter().filter(|cell| cell.start == start && sizes.contains(&cell.n));
            chosen().map(Cell::saved).sum::<f64>() / chosen().count().max(1) as f64
        };
        let (saved, all) = (of(10..=500), of(0..=usize::MAX));
        let text = format!("{:.1} %; of all sizes {:.1} %", 100.0 * saved, 100.0 * all);
        let claim = format!("marks save about a third of a climb's products (28 to 39 %), 10 to 500 vertices, {what}");
        report.claim(claim, "on average, about one third of computation", text, (0.28..=0.39).contains(&saved));
        if start == "hint" {
            report.why(
                "a climb of k steps over vertices of degree six looks at 1 + 6 (k + 1) vertices, some 3 k of them twice: a third needs two or \
                 three steps, and with such a hint small bodies take none or one. The thesis's average is over the searches of its \
                 algorithm, whose directions turn by more within a frame",
            );
        }
    }
    let slower = cells.iter().filter(|cell| cell.marked[1] > cell.times[1]).count();
    let text = format!("slower in {slower} of {} settings", cells.len());
    report.claim("marks save time in most settings", "computation is saved", text, 2 * slower < cells.len());
    report.why("a look at a mark is a branch that a processor cannot guess, and costs about what a product does; the library does without");
}

fn plots(report: &mut Report, cells: &[Cell]) {
    let mut visited =
        Plot::new("visited", "Vertices visited per support search", "vertices", "visited").log(true, true);
    let mut time = Plot::new("time", "Time per support search", "vertices", "nanoseconds").log(true, true);
    for start in ["cold", "hint"] {
        let chosen = || cells.iter().filter(|cell| cell.start == start);
        for (i, way) in WAYS.iter().enumerate() {
            visited.line(format!("{way}, {start}"), chosen().map(|cell| (cell.n as f64, cell.visited[i])));
            time.line(format!("{way}, {start}"), chosen().map(|cell| (cell.n as f64, cell.times[i])));
        }
        time.line(format!("default, {start}"), chosen().map(|cell| (cell.n as f64, cell.default[1])));
    }
    report.plot(visited).plot(time);
}
