//! Rows, figures and claims of the randomised benchmark. Every claim is the thesis's, with its own numbers; what does not hold stays in the
//! list as not holding.

use crate::implicit_objects::{Cell, EPA, EXPERIMENT, Figures, GJK, JOHNSON, MPR, MPR_DEPTH, SA_GJK, Task};
use crate::precision::{Double, Precision, Single};
use crate::{Plot, Report};

const DP: &str = Double::NAME;
const SP: &str = Single::NAME;

/// A picture of the thesis: its number and what it shows of which algorithms.
struct Figure {
    number: u32,
    title: &'static str,
    unit: &'static str,
    task: Task,
    value: Measure,
}

/// One number of an algorithm in a cell.
type Measure = fn(&Cell, &Figures) -> f64;

const CALLS: Measure = |_, figures| figures.mean;
const MOST: Measure = |_, figures| figures.highest;
const TIME: Measure = |_, figures| figures.nanoseconds;
const FAILURES: Measure = |cell, figures| figures.failures as f64 / cell.count.max(1) as f64;

fn figures() -> Vec<Figure> {
    let figure = |number, title, unit, task, value| Figure { number, title, unit, task, value };
    let calls = "support calls";
    vec![
        figure(4, "Mean penetration depth", "length", Task::Depth, |cell, figures| cell.mean_depth + figures.excess),
        figure(5, "Mean distance", "length", Task::Distance, |cell, _| cell.mean_distance),
        figure(6, "Mean support calls of intersection", calls, Task::Intersection, CALLS),
        figure(7, "Most support calls of intersection", calls, Task::Intersection, MOST),
        figure(8, "Mean time of intersection", "nanoseconds", Task::Intersection, TIME),
        figure(9, "Mean support calls of depth", calls, Task::Depth, CALLS),
        figure(10, "Most support calls of depth", calls, Task::Depth, MOST),
        figure(11, "Failure frequency of depth", "frequency", Task::Depth, FAILURES),
        figure(12, "Mean time of depth", "nanoseconds", Task::Depth, TIME),
        figure(13, "Failure frequency of distance", "frequency", Task::Distance, FAILURES),
        figure(14, "Mean support calls of distance", calls, Task::Distance, CALLS),
        figure(15, "Most support calls of distance", calls, Task::Distance, MOST),
        figure(16, "Mean time of distance", "nanoseconds", Task::Distance, TIME),
    ]
}

/// The report of all cells.
pub(crate) fn report(cells: &[Cell]) -> Report {
    let columns = [
        "precision",
        "pair",
        "probability",
        "hit_rate",
        "algorithm",
        "configurations",
        "mean_supports",
        "max_supports",
        "failures",
        "iteration_limits",
        "wrong_way",
        "unsound",
        "wrong_booleans",
        "depths_below_bound",
        "nanoseconds",
        "mean_depth",
        "excess_depth",
        "mean_distance",
        "booleans_disagree",
        "depths_disagree",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        for figures in &cell.figures {
            let labels = [cell.precision.into(), cell.pair.into(), cell.probability.into(), cell.hit_rate.into()];
            let counts =
                [figures.failures, figures.limits, figures.absurd, figures.unsound, figures.wrong, figures.too_shallow];
            let means = [figures.nanoseconds, cell.mean_depth, figures.excess, cell.mean_distance];
            let mut row = labels.to_vec();
            row.extend([figures.name.into(), cell.count.into(), figures.mean.into(), figures.highest.into()]);
            row.extend(counts.map(crate::Value::from));
            row.extend(means.map(crate::Value::from));
            row.extend(cell.disagree.map(crate::Value::from));
            report.row(row);
        }
    }
    let claims = Claims { cells };
    claims.setting(&mut report);
    claims.intersection(&mut report);
    claims.depth(&mut report);
    claims.distance(&mut report);
    claims.differences(&mut report);
    claims.verbs(&mut report);
    for precision in [DP, SP] {
        for figure in figures() {
            draw(&mut report, &figure, precision, cells);
        }
        draw_differences(&mut report, precision, cells);
    }
    report
}

/// One plot for each algorithm of a figure, six curves each.
fn draw(report: &mut Report, figure: &Figure, precision: &str, cells: &[Cell]) {
    let chosen: Vec<&Cell> = cells.iter().filter(|cell| cell.precision == precision).collect();
    let Some(first) = chosen.first() else { return };
    for (place, algorithm) in first.figures.iter().enumerate().filter(|(_, of)| of.task == Some(figure.task)) {
        let points = |cell: &Cell| (cell.probability, (figure.value)(cell, &cell.figures[place]));
        let about = format!("Figure {}: {}, {}, {precision}", figure.number, figure.title, algorithm.name);
        let file = format!("figure-{:02}-{precision}-{}", figure.number, file_name(algorithm.name));
        lines(report, &file, &about, figure.unit, &chosen, points);
    }
}

/// Figure 17: how often the algorithms disagree, without and with depths.
fn draw_differences(report: &mut Report, precision: &str, cells: &[Cell]) {
    let chosen: Vec<&Cell> = cells.iter().filter(|cell| cell.precision == precision).collect();
    for (place, what) in ["collision", "depth"].into_iter().enumerate() {
        let about = format!("Figure 17: MPR against GJK, {what}, {precision}");
        let points = |cell: &Cell| (cell.probability, cell.disagree[place] as f64 / cell.count.max(1) as f64);
        lines(report, &format!("figure-17-{precision}-{what}"), &about, "frequency", &chosen, points);
    }
}

fn lines(
    report: &mut Report,
    file: &str,
    about: &str,
    unit: &str,
    cells: &[&Cell],
    point: impl Fn(&Cell) -> (f64, f64),
) {
    let none = unit == "frequency" && cells.iter().all(|cell| point(cell).1 == 0.0);
    let about = if none { format!("{about}: none") } else { about.to_owned() };
    let mut plot = Plot::new(file, &about, "probability of intersection", unit);
    let mut pairs: Vec<&str> = cells.iter().map(|cell| cell.pair).collect();
    pairs.dedup();
    for pair in pairs {
        plot.line(pair, cells.iter().filter(|cell| cell.pair == pair).map(|cell| point(cell)));
    }
    report.plot(plot);
}

fn file_name(algorithm: &str) -> String {
    algorithm.to_lowercase().replace([' ', '+'], "-")
}

/// Why depths take more calls here.
const CERTIFIED_GAP: &str =
    "curved depths end at a certified relative gap, which takes more calls than the tolerance of the thesis";

/// What the thesis says, held against the cells.
struct Claims<'a> {
    cells: &'a [Cell],
}

impl Claims<'_> {
    fn of(&self, precision: &'static str) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.precision == precision)
    }

    /// The least and the greatest of a number over all cells of a precision.
    fn range(&self, precision: &'static str, place: usize, measure: Measure) -> [f64; 2] {
        self.of(precision).fold([f64::INFINITY, 0.0], |[low, high], cell| {
            let value = measure(cell, &cell.figures[place]);
            [low.min(value), high.max(value)]
        })
    }

    /// A number of each pair, averaged or at its most over the probabilities, in the order of the pairs.
    fn by_pair(&self, precision: &'static str, place: usize, measure: Measure, most: bool) -> Vec<(&'static str, f64)> {
        let mut found: Vec<(&'static str, f64, f64)> = Vec::new();
        for cell in self.of(precision) {
            let value = measure(cell, &cell.figures[place]);
            match found.iter_mut().find(|(pair, ..)| *pair == cell.pair) {
                Some((_, sum, count)) if most => (*sum, *count) = (sum.max(value), 1.0),
                Some((_, sum, count)) => (*sum, *count) = (*sum + value, *count + 1.0),
                None => found.push((cell.pair, value, 1.0)),
            }
        }
        found.into_iter().map(|(pair, sum, count)| (pair, sum / count)).collect()
    }

    fn mean(&self, precision: &'static str, place: usize, measure: Measure) -> f64 {
        let count = self.of(precision).count().max(1) as f64;
        self.of(precision).map(|cell| measure(cell, &cell.figures[place])).sum::<f64>() / count
    }

    /// In how many cells one algorithm has less than another.
    fn wins(&self, one: usize, other: usize, measure: Measure) -> (usize, usize) {
        let less = |cell: &&Cell| measure(cell, &cell.figures[one]) < measure(cell, &cell.figures[other]);
        (self.cells.iter().filter(less).count(), self.cells.len())
    }

    /// A range that the thesis gives: ours lies within it.
    fn within(&self, report: &mut Report, what: &str, place: usize, measure: Measure, [low, high]: [f64; 2]) {
        let [least, greatest] = self.range(DP, place, measure);
        let text = format!("{least:.1}–{greatest:.1}");
        report.claim(what, format!("{low:.0}–{high:.0}"), text, least >= low - 0.5 && greatest <= high + 0.5);
    }

    fn setting(&self, report: &mut Report) {
        let off = self.cells.iter().map(|cell| (cell.hit_rate - cell.probability).abs()).fold(0.0, f64::max);
        report.claim("the cubes give the wanted probabilities to 0.05", "–", off, off <= 0.05);
        let share = |place: usize| {
            self.cells.iter().map(|cell| cell.figures[place].excess.abs() / cell.mean_depth).fold(0.0, f64::max)
        };
        let worst = share(MPR_DEPTH).max(share(EPA));
        let claim = "figure 4: depths by EPA and by MPR differ too little to see (1 %)";
        report.claim(claim, "too small to measure", format!("{:.2} %", 100.0 * worst), worst <= 0.01);
        report.why_not("the worst of all cells; MPR's depth is that of its own ray, which is above the least depth");
        let pairs = self.of(DP).zip(self.of(SP));
        let apart = pairs.map(|(a, b)| (a.mean_distance / b.mean_distance - 1.0).abs()).fold(0.0, f64::max);
        let claim = "figure 5: distances in both precisions differ too little to see (1 %)";
        report.claim(claim, "too small to measure", format!("{:.4} %", 100.0 * apart), apart <= 0.01);
    }

    fn intersection(&self, report: &mut Report) {
        self.within(report, "figure 6: mean support calls of SA-GJK", SA_GJK, CALLS, [2.0, 4.0]);
        report.why_not(
            "a start along the line of centres often separates at once here, which is what is below the range",
        );
        self.within(report, "figure 6: mean support calls of MPR", MPR, CALLS, [2.0, 4.0]);
        report.why("a start along the line of centres often separates at once here; the call that proves MPR's plane is counted");
        let fewer = self.mean(DP, SA_GJK, CALLS) - self.mean(DP, MPR, CALLS);
        let claim = "figure 6: MPR takes about one support call less than SA-GJK";
        report.claim(claim, "roughly 1", fewer, (0.5..=1.5).contains(&fewer));
        report.why("the thesis does not count MPR's first call; here the call that proves the separating plane is counted as well");
        let change = (self.mean(DP, SA_GJK, CALLS) - self.mean(SP, SA_GJK, CALLS)).abs();
        report.claim("figure 6: precision does not change the calls (0.05)", "no change", change, change <= 0.05);
        let calls = self.by_pair(DP, MPR, CALLS, false);
        let curved = among(&calls, &["Ell-Ell", "Box-Ell", "Cone-Cone"])[0];
        let flat = among(&calls, &["Box-Box", "RBox-RBox", "Poly-Poly"])[1];
        let claim = "figure 6: MPR takes more calls for curved pairs than for all others";
        report.claim(claim, "two groups", format!("{curved:.2} and {flat:.2}"), curved > flat);
        self.within(report, "figure 7: most support calls of SA-GJK", SA_GJK, MOST, [6.0, 14.0]);
        report.why_not("the mean of the thousandth part with the most calls, which the thesis does not define");
        self.within(report, "figure 7: most support calls of MPR", MPR, MOST, [8.0, 16.0]);
        let (sa, mpr) = (self.by_pair(DP, SA_GJK, MOST, true), self.by_pair(DP, MPR, MOST, true));
        let more: Vec<f64> = sa.iter().zip(&mpr).map(|((_, sa), (_, mpr))| mpr - sa).collect();
        let text = more.iter().map(|more| format!("{more:.1}")).collect::<Vec<_>>().join(", ");
        let claim = "figure 7: at worst MPR takes two or three more, for every pair";
        report.claim(claim, "2 to 3", text, more.iter().all(|more| (1.5..=3.5).contains(more)));
        report
            .why_not("the call that proves a separating plane is counted for both, and SA-GJK is apart in it already");
        let claim = "figure 7: pairs are in the same order for both";
        report.claim(claim, "the same", format!("{} / {}", order(&sa), order(&mpr)), order(&sa) == order(&mpr));
        let failures: usize = self.cells.iter().flat_map(|cell| [SA_GJK, MPR].map(|i| cell.figures[i].failures)).sum();
        let all: usize = self.cells.iter().map(|cell| 2 * cell.count).sum();
        let text = format!("{failures} of {all}");
        report.claim("4.1.1: booleans do not fail", "too rare to measure", text, failures == 0);
        report.why_not("rounding stops a run next to touching before it is certain, and it says so");
        let (wins, all) = self.wins(MPR, SA_GJK, TIME);
        report.claim(
            "figure 8: MPR is faster than SA-GJK in all cases",
            "all",
            format!("{wins} of {all}"),
            wins == all,
        );
        report
            .why("every answer of MPR is certified by a support plane or a tetrahedron, which the thesis does without");
        let speed = self.faster_single(SA_GJK);
        let claim = "figure 8: single precision is up to 25 % faster but for polyhedra and cones, which are slower";
        let holds = speed.iter().all(|(pair, gain)| match *pair {
            "Poly-Poly" | "Cone-Cone" => *gain < 0.0,
            _ => (-0.02..=0.27).contains(gain),
        });
        report.claim(claim, "0–25 %; slower", percents(&speed), holds);
        report.why_not("simplices are computed in doubles in both precisions, so that all pairs gain alike");
    }

    /// By how much single precision is faster, by pair.
    fn faster_single(&self, place: usize) -> Vec<(&'static str, f64)> {
        let (double, single) = (self.by_pair(DP, place, TIME, false), self.by_pair(SP, place, TIME, false));
        double.into_iter().zip(single).map(|((pair, double), (_, single))| (pair, 1.0 - single / double)).collect()
    }

    fn depth(&self, report: &mut Report) {
        self.within(report, "figure 9: mean support calls of SA-GJK+EPA", EPA, CALLS, [2.0, 32.0]);
        report.why_not(CERTIFIED_GAP);
        self.within(report, "figure 9: mean support calls of MPR's depth", MPR_DEPTH, CALLS, [2.0, 25.0]);
        report.why_not(CERTIFIED_GAP);
        let (wins, all) = self.wins(EPA, MPR_DEPTH, CALLS);
        let claim = "figure 9: MPR takes more support calls than EPA (against its own ranges)";
        report.claim(claim, "all", format!("{wins} of {all}"), wins == all);
        let calls = self.by_pair(DP, EPA, CALLS, false);
        let claim = "figure 9: of all pairs ellipsoids take the most calls, with EPA and with MPR";
        let mpr = self.by_pair(DP, MPR_DEPTH, CALLS, false);
        let first = |of: &[(&'static str, f64)]| order(of).starts_with("Ell-Ell");
        report.claim(claim, "both", format!("{} / {}", order(&calls), order(&mpr)), first(&calls) && first(&mpr));
        self.within(report, "figure 10: most support calls of SA-GJK+EPA", EPA, MOST, [15.0, 98.0]);
        report.why_not(CERTIFIED_GAP);
        self.within(report, "figure 10: most support calls of MPR's depth", MPR_DEPTH, MOST, [20.0, 70.0]);
        report.why_not(CERTIFIED_GAP);
        let [double, single] = [DP, SP].map(|precision| self.range(precision, MPR_DEPTH, MOST)[1]);
        let claim = "figure 10: MPR's most calls are fewer in single precision";
        report.claim(claim, "significantly", format!("{double:.1} and {single:.1}"), single < 0.9 * double);
        let worst = |precision: &'static str| self.by_pair(precision, EPA, FAILURES, true);
        let rare = |precision| {
            worst(precision).iter().all(|(pair, rate)| *rate < 0.002 || precision == SP && *pair == "Poly-Poly")
        };
        let text = format!("{} / {}", rates(&worst(DP)), rates(&worst(SP)));
        let claim = "figure 11: EPA fails less than 2 times in 1,000, but for polyhedra in single precision";
        report.claim(claim, "< 0.002", text, rare(DP) && rare(SP));
        let fewer = self.cells.iter().filter(|cell| cell.figures[MPR_DEPTH].failures > cell.figures[EPA].failures);
        let claim = "figure 11: MPR's depth fails less often than SA-GJK+EPA in all cases";
        let count = fewer.count();
        report.claim(claim, "all", format!("{} of {}", self.cells.len() - count, self.cells.len()), count == 0);
        report.why_not(
            "EPA's failures are depths that point to where B's centre is not, as deep in a cone; MPR's are runs that do not reach the certified gap, \
             most of them of ellipsoids",
        );
        let (wins, all) = self.wins(MPR_DEPTH, EPA, TIME);
        let claim = "figure 12: MPR's depth is faster than SA-GJK+EPA in all cases";
        report.claim(claim, "all", format!("{wins} of {all}"), wins == all);
        report.why_not(
            "the others are flat and rounded boxes, where EPA needs few faces, and cells within the noise of the clock",
        );
        let shallow: usize = self.cells.iter().map(|cell| cell.figures[MPR_DEPTH].too_shallow).sum();
        let claim = "2.4.1: MPR's depth is an estimate from above: none is below the certified bound";
        report.claim(claim, "a heuristic", shallow, shallow == 0);
    }

    fn distance(&self, report: &mut Report) {
        let [double, single] = [DP, SP].map(|precision| self.mean(precision, GJK, FAILURES));
        let claim = "figure 13: GJK by Voronoi regions fails far more often in single precision (10 times)";
        report.claim(claim, "orders of magnitude", format!("{double:.1e} and {single:.1e}"), single > 10.0 * double);
        report.why("the nearest point of a simplex is found in doubles in both precisions");
        let johnson = self.mean(SP, JOHNSON, FAILURES);
        let claim = "figure 13: in single precision the failures are those of the Voronoi regions: Johnson's determinants have fewer";
        report.claim(claim, "suspected", format!("{single:.1e} and {johnson:.1e}"), johnson < single);
        report.why("neither fails");
        self.within(report, "figure 14: mean support calls of GJK", GJK, CALLS, [2.0, 18.0]);
        let calls = self.by_pair(DP, GJK, CALLS, false);
        let curved = among(&calls, &["Ell-Ell", "Box-Ell", "Cone-Cone"])[0];
        let flat = among(&calls, &["Box-Box", "Poly-Poly"])[1];
        let claim = "figure 14: curved pairs take more calls than all flat ones";
        report.claim(claim, "a clear separation", format!("{curved:.1} and {flat:.1}"), curved > flat);
        self.within(report, "figure 15: most support calls of GJK", GJK, MOST, [10.0, 60.0]);
        report.why_not("boxes need fewer here, which is what is below the range");
        let most = self.by_pair(DP, GJK, MOST, true);
        let at = |name: &str| most.iter().find(|(pair, _)| *pair == name).map_or(0.0, |(_, most)| *most);
        let times = at("Ell-Ell").min(at("Cone-Cone")) / at("Box-Box").max(at("Poly-Poly"));
        let claim = "figure 15: ellipsoids and cones take almost six times what boxes and polyhedra do";
        report.claim(claim, "almost 6", times, (5.0..=6.5).contains(&times));
        report.why_not("the least of the curved pairs against the greatest of the flat ones; the relative gap and the stop by rounding differ");
        let said = "Ell-Ell > Box-Ell > Cone-Cone > RBox-RBox > Poly-Poly > Box-Box";
        for (place, name) in [(SA_GJK, "SA-GJK"), (EPA, "SA-GJK+EPA"), (GJK, "GJK")] {
            let found = order(&self.by_pair(DP, place, MOST, true));
            let claim = format!("figure 15: the order of the pairs by most calls, {name}");
            report.claim(claim, said, found.clone(), found == said);
            report.why_not("neighbours in the order differ by less than the tolerances of both programs do");
        }
        let time = self.by_pair(DP, GJK, TIME, false);
        let at = |name: &str| time.iter().find(|(pair, _)| *pair == name).map_or(0.0, |(_, time)| *time);
        let ratio = at("Poly-Poly") / at("Box-Box");
        let claim = "figure 16: polyhedra take twice the time of boxes for the same number of calls";
        report.claim(claim, "2", ratio, (1.5..=2.5).contains(&ratio));
        let ratio = at("Ell-Ell") / at("Poly-Poly");
        report.claim("figure 16: ellipsoids take more time than polyhedra", "> 1", ratio, ratio > 1.0);
    }

    fn differences(&self, report: &mut Report) {
        let sum = |place: usize| self.cells.iter().map(|cell| cell.disagree[place]).sum::<usize>();
        let all: usize = self.cells.iter().map(|cell| cell.count).sum();
        let rate = sum(0) as f64 / all.max(1) as f64;
        let text = format!("{} of {all}", sum(0));
        let claim = "figure 17: SA-GJK and MPR disagree 5–10 times in a million";
        report.claim(claim, "5e-6–1e-5", text, (5e-6..=1e-5).contains(&rate));
        report.why("undecided runs count as touching in both; no pair fell between their errors");
        let epa: usize = self.cells.iter().map(|cell| cell.figures[EPA].failures).sum();
        let ratio = sum(1) as f64 / epa.max(1) as f64;
        let claim = "figure 17: with depths they disagree about as often as EPA fails";
        report.claim(claim, "the same magnitude", format!("{} and {epa}", sum(1)), (0.1..=10.0).contains(&ratio));
    }

    /// The library's own verbs on the thesis's pairs, which the thesis says nothing of.
    fn verbs(&self, report: &mut Report) {
        for (what, count) in [
            ("answers that did not converge", (|figures| figures.failures - figures.absurd) as fn(&Figures) -> usize),
            ("answers that their normal does not bear out", |figures| figures.unsound),
            ("wrong booleans", |figures| figures.wrong),
            ("depths below the bound", |figures| figures.too_shallow),
        ] {
            let verbs = self.cells.iter().flat_map(|cell| cell.figures.iter().filter(|of| of.task == Some(Task::Verb)));
            let total: usize = verbs.map(count).sum();
            report.claim(format!("the library's verbs have no {what}"), "–", total, total == 0);
        }
        let places = [SA_GJK, MPR, GJK, JOHNSON, EPA, MPR_DEPTH];
        let wrong: usize = self.cells.iter().flat_map(|cell| places.map(|i| cell.figures[i].wrong)).sum();
        report.claim("no algorithm has a wrong boolean beyond rounding", "–", wrong, wrong == 0);
    }
}

/// The least and the greatest number of some pairs.
fn among(pairs: &[(&'static str, f64)], names: &[&str]) -> [f64; 2] {
    let chosen = pairs.iter().filter(|(pair, _)| names.contains(pair));
    chosen.fold([f64::INFINITY, 0.0], |[low, high], (_, value)| [low.min(*value), high.max(*value)])
}

/// The names of pairs by falling numbers.
fn order(pairs: &[(&'static str, f64)]) -> String {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.iter().map(|(pair, _)| *pair).collect::<Vec<_>>().join(" > ")
}

fn percents(pairs: &[(&'static str, f64)]) -> String {
    pairs.iter().map(|(pair, gain)| format!("{pair} {:.0} %", 100.0 * gain)).collect::<Vec<_>>().join(", ")
}

fn rates(pairs: &[(&'static str, f64)]) -> String {
    pairs.iter().map(|(pair, rate)| format!("{pair} {rate:.1e}")).collect::<Vec<_>>().join(", ")
}
