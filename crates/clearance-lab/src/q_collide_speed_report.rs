//! Rows, claims and plots of [`q_collide_speed`](crate::q_collide_speed).

use crate::q_collide_speed::{ALGORITHMS, EXPERIMENT, Point, Sweep};
use crate::{Plot, Report};

const VECTORS: usize = 0;
const COMBINED: usize = 1;
const GILBERT: usize = 2;
const FEATURES: usize = 3;

/// "A little more time": at most this much more.
const CLOSE: f64 = 1.3;
/// Growth that counts as slight, and as substantial.
const SLIGHT: f64 = 1.5;
const SUBSTANTIAL: f64 = 2.0;
/// What Q_COLLIDE gains over I_COLLIDE at the fastest motion of 500 vertices.
const SPEEDUP: f64 = 28.0;

pub(crate) fn report(points: &[Point]) -> Report {
    let columns = [
        "sweep",
        "n",
        "value",
        "tests",
        "touching",
        "tests_per_frame",
        "sv_ns",
        "combined_ns",
        "gilbert_ns",
        "features_ns",
        "sv_us_per_frame",
        "combined_us_per_frame",
        "gilbert_us_per_frame",
        "features_us_per_frame",
        "sv_apart_ns",
        "combined_apart_ns",
        "gilbert_apart_ns",
        "features_apart_ns",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for point in points {
        let labels = [point.sweep.name().into(), point.n.into(), point.value.into()];
        let counts = [point.tests.into(), point.touching.into(), per_frame(point).into()];
        let whole = point.all.map(|time| (time * per_frame(point) * 1e-3).into());
        let (all, apart) = (point.all.map(Into::into), point.apart.map(Into::into));
        report.row(labels.into_iter().chain(counts).chain(all).chain(whole).chain(apart));
    }
    rank_claims(&mut report, points);
    growth_claims(&mut report, points);
    let differ: usize = points.iter().map(|point| point.differ).sum();
    report.claim("all four agree on every test", "–", format!("{differ} differ"), differ == 0);
    plots(&mut report, points);
    report
}

fn per_frame(point: &Point) -> f64 {
    point.tests as f64 / point.frames as f64
}

/// The points of one figure.
fn figure(points: &[Point], sweep: Sweep, n: usize) -> impl Iterator<Item = &Point> + Clone {
    points.iter().filter(move |point| point.sweep == sweep && point.n == n)
}

fn sizes(points: &[Point]) -> Vec<usize> {
    let mut sizes: Vec<usize> = points.iter().map(|point| point.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Which is the fastest.
fn rank_claims(report: &mut Report, points: &[Point]) {
    type Times = fn(&Point) -> &[f64; 4];
    let kinds: [(&str, Times); 2] = [("all tests", |p| &p.all), ("tests of pairs apart alone", |p| &p.apart)];
    for (what, times) in kinds {
        for algorithm in [GILBERT, FEATURES] {
            let ratio = |point: &&Point| times(point)[algorithm] / times(point)[VECTORS];
            let Some(worst) = points.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { continue };
            let ratio = ratio(&worst);
            let claim = format!("{what}: separating vectors beat {} at every point", ALGORITHMS[algorithm]);
            let text =
                format!("at least {ratio:.2} times ({} {:.3}, n = {})", worst.sweep.name(), worst.value, worst.n);
            report.claim(claim, "figures 6.6 to 6.11: the lowest curve", text, ratio > 1.0);
        }
    }
    let ratio = |point: &&Point| point.all[COMBINED] / point.all[VECTORS];
    if let Some(worst) = points.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
        let text = format!("{:.3} ({} {:.3}, n = {})", ratio(&worst), worst.sweep.name(), worst.value, worst.n);
        let claim = format!("combined takes at most {CLOSE} times as long as separating vectors at every point");
        report.claim(claim, "section 6.2.2: only a little more time", text, ratio(&worst) <= CLOSE);
        report.why_not("a pair that begins to collide is asked for its closest points of the frame before; the faster the bodies, the more pairs do");
    }
    let fastest = points.iter().filter(|p| p.sweep == Sweep::Translation).max_by(|a, b| {
        let key = |p: &Point| (p.n, p.value);
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    if let Some(point) = fastest {
        let ratio = point.all[FEATURES] / point.all[COMBINED];
        let claim =
            format!("6.2.2, n = {}, {} %: the combined algorithm against closest features", point.n, point.value);
        report.claim(claim, format!("nearly {SPEEDUP} times"), format!("{ratio:.2} times"), ratio >= 0.9 * SPEEDUP);
        report.why_not(
            "two of the thesis's four reasons are gone: the marching here stays in local frames instead of taking every feature to the world, and \
             hands pairs that collide to GJK instead of a linear program over all vertices",
        );
        let ratio = point.all[FEATURES] / point.all[GILBERT];
        let claim = format!("n = {}, {} %: Gilbert alone beats closest features", point.n, point.value);
        report.claim(claim, "section 6.2.2: when velocity or complexity is high", ratio, ratio > 1.0);
        report.why_not("for the same two reasons");
    }
}

/// The time of a frame's tests at the last point of a sweep, relative to the first; and the time per test.
fn growth<'a>(mut figure: impl Iterator<Item = &'a Point>, algorithm: usize) -> Option<[f64; 2]> {
    let times = |point: &Point| [point.all[algorithm] * per_frame(point), point.all[algorithm]];
    let (first, last) = (times(figure.next()?), times(figure.last()?));
    Some([last[0] / first[0], last[1] / first[1]])
}

fn growth_claims(report: &mut Report, points: &[Point]) {
    let numbers = [(Sweep::Translation, [6, 7]), (Sweep::Rotation, [8, 9])];
    for (sweep, figures) in numbers {
        for (n, number) in sizes(points).into_iter().zip(figures) {
            for (algorithm, slight) in [(VECTORS, true), (FEATURES, false)] {
                let Some([frame, test]) = growth(figure(points, sweep, n), algorithm) else { continue };
                let word = if slight {
                    format!("slightly (at most {SLIGHT})")
                } else {
                    format!("substantially (at least {SUBSTANTIAL})")
                };
                let claim = format!(
                    "figure 6.{number}: with {}, n = {n}, the simulation time of {} increases {word}",
                    sweep.name(),
                    ALGORITHMS[algorithm]
                );
                let text = format!("{frame:.2} times; a test {test:.2} times");
                let holds = if slight { frame <= SLIGHT } else { frame >= SUBSTANTIAL };
                report.claim(claim, if slight { "slightly" } else { "substantially" }, text, holds);
                report.why_not(if slight {
                    "the time is that of the tests alone: faster bodies have more pairs whose boxes overlap, and their vectors of the frame before \
                     separate them less often; what a frame of the thesis spends beside is not in it"
                } else {
                    "the march is from feature to feature: 20 vertices have few to walk over, however far a body turns"
                });
            }
        }
    }
    for (n, number) in sizes(points).into_iter().zip([10, 11]) {
        let worst = figure(points, Sweep::Density, n).map(|point| point.all[FEATURES] / point.all[COMBINED]);
        let worst = worst.fold(f64::INFINITY, f64::min);
        let claim = format!("figure 6.{number}: at every density, n = {n}, combined is faster than closest features");
        report.claim(claim, "in all cases", format!("at least {worst:.2} times"), worst > 1.0);
    }
    let sizes = sizes(points);
    let (Some(&small), Some(&large)) = (sizes.first(), sizes.last()) else { return };
    let grown = Sweep::ALL.into_iter().flat_map(|sweep| {
        figure(points, sweep, small).zip(figure(points, sweep, large)).map(|(a, b)| b.all[VECTORS] / a.all[VECTORS])
    });
    let grown = grown.fold(0.0, f64::max);
    let claim = format!(
        "chapter 7: from n = {small} to {large} a test by separating vectors is nearly constant (at most {SLIGHT} times)"
    );
    report.claim(claim, "expected constant time", grown, grown < SLIGHT && small < large);
    report.why_not("the number of steps is nearly constant (figure 6.3), but each climbs over more vertices of a larger body to its support");
}

fn plots(report: &mut Report, points: &[Point]) {
    for (sweep, first) in Sweep::ALL.into_iter().zip([6, 8, 10]) {
        for (n, number) in sizes(points).into_iter().zip(first..) {
            let title = format!("Figure 6.{number}: time against {}, n = {n}", sweep.name());
            let mut plot = Plot::new(&format!("figure-6-{number:02}"), &title, sweep.unit(), "microseconds per frame");
            for (algorithm, label) in ALGORITHMS.into_iter().enumerate() {
                let time = |p: &Point| (p.value, p.all[algorithm] * per_frame(p) * 1e-3);
                plot.line(label, figure(points, sweep, n).map(time));
            }
            report.plot(plot);
        }
    }
}
