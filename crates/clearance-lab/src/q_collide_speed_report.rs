//! Rows, claims and plots of [`q_collide_speed`](crate::q_collide_speed).

use crate::q_collide_speed::{ALGORITHMS, EXPERIMENT, Point, Sweep};
use crate::{Plot, Report};

const VECTORS: usize = 0;
const COMBINED: usize = 1;
const GILBERT: usize = 2;
const FEATURES: usize = 3;

/// "A little more time": at most this much more.
const CLOSE: f64 = 1.3;
/// Growth that counts as slight.
const SLIGHT: f64 = 2.0;

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
    }
    let fastest = points.iter().filter(|p| p.sweep == Sweep::Translation).max_by(|a, b| {
        let key = |p: &Point| (p.n, p.value);
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    if let Some(point) = fastest {
        let ratio = point.all[FEATURES] / point.all[COMBINED];
        let claim = format!("n = {}, {} %: the combined algorithm beats closest features", point.n, point.value);
        let paper = "section 6.2.2: nearly 28 times, against I_COLLIDE, whose closest features ask a linear program";
        report.claim(claim, paper, format!("{ratio:.2} times"), ratio > 1.0);
        let ratio = point.all[FEATURES] / point.all[GILBERT];
        let claim = format!("n = {}, {} %: Gilbert alone beats closest features", point.n, point.value);
        report.claim(claim, "section 6.2.2: when velocity or complexity is high", ratio, ratio > 1.0);
    }
}

/// The time per test at the last point of a sweep, relative to the first.
fn growth<'a>(mut figure: impl Iterator<Item = &'a Point>, algorithm: usize) -> Option<f64> {
    let first = figure.next()?.all[algorithm];
    Some(figure.last()?.all[algorithm] / first)
}

fn growth_claims(report: &mut Report, points: &[Point]) {
    for n in sizes(points) {
        for sweep in Sweep::ALL {
            let of_sweep = figure(points, sweep, n);
            let ends = [of_sweep.clone().next(), of_sweep.clone().last()].map(|p| p.map_or(f64::NAN, |p| p.value));
            let Some(grown) = growth(of_sweep.clone(), VECTORS) else { continue };
            let rivals = [GILBERT, FEATURES].map(|algorithm| growth(of_sweep.clone(), algorithm).unwrap_or(f64::NAN));
            let [from, to] = ends;
            let claim = format!(
                "n = {n}, {} from {from:.3} to {to:.3} {}: a test by separating vectors grows less than {SLIGHT} times",
                sweep.name(),
                sweep.unit()
            );
            let text = format!("{grown:.2}; Gilbert {:.2}, closest features {:.2}", rivals[0], rivals[1]);
            report.claim(claim, "increases slightly", text, grown < SLIGHT);
        }
    }
    let sizes = sizes(points);
    let (Some(&small), Some(&large)) = (sizes.first(), sizes.last()) else { return };
    let grown = Sweep::ALL.into_iter().flat_map(|sweep| {
        figure(points, sweep, small).zip(figure(points, sweep, large)).map(|(a, b)| b.all[VECTORS] / a.all[VECTORS])
    });
    let grown = grown.fold(0.0, f64::max);
    let claim = format!("from n = {small} to {large} a test by separating vectors grows less than {SLIGHT} times");
    report.claim(claim, "nearly constant", grown, grown < SLIGHT && small < large);
}

fn plots(report: &mut Report, points: &[Point]) {
    for sweep in Sweep::ALL {
        for n in sizes(points) {
            let (name, title) = (format!("{}-{n}", sweep.name()), format!("Time against {}, n = {n}", sweep.name()));
            let mut plot = Plot::new(&name, &title, sweep.unit(), "microseconds per frame");
            for (algorithm, label) in ALGORITHMS.into_iter().enumerate() {
                let time = |p: &Point| (p.value, p.all[algorithm] * per_frame(p) * 1e-3);
                plot.line(label, figure(points, sweep, n).map(time));
            }
            report.plot(plot);
        }
    }
}
