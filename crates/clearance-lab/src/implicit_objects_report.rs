//! Rows, figures and claims of the randomised benchmark.

use crate::implicit_objects::{Cell, EXPERIMENT, Figures, Task};
use crate::precision::{Double, Precision, Single};
use crate::{Plot, Report};

/// A picture of the thesis: its number and what it shows of which algorithms.
struct Figure {
    number: u32,
    title: &'static str,
    unit: &'static str,
    /// The algorithms of this task; of all but depth, whose signed distance is the measure, if none is given.
    task: Option<Task>,
    value: fn(&Cell, &Figures) -> f64,
}

fn figures() -> Vec<Figure> {
    let figure = |number, title, unit, task, value| Figure { number, title, unit, task, value };
    let mut figures = vec![
        figure(4, "Mean penetration depth", "length", Some(Task::Depth), |cell, figures| {
            cell.mean_depth + figures.excess
        }),
        figure(5, "Mean distance", "length", Some(Task::Distance), |cell, _| cell.mean_distance),
        figure(11, "Failure frequency of depth", "frequency", Some(Task::Depth), failure_frequency),
        figure(13, "Failure frequency of distance", "frequency", Some(Task::Distance), failure_frequency),
        figure(17, "Booleans that contradict the signed distance", "frequency", None, |cell, figures| {
            figures.disagreements as f64 / cell.count.max(1) as f64
        }),
    ];
    let tasks = [
        (
            [6, 7, 8],
            Task::Intersection,
            ["Mean support calls of intersection", "Most support calls of intersection", "Mean time of intersection"],
        ),
        (
            [9, 10, 12],
            Task::Depth,
            ["Mean support calls of depth", "Most support calls of depth", "Mean time of depth"],
        ),
        (
            [14, 15, 16],
            Task::Distance,
            ["Mean support calls of distance", "Most support calls of distance", "Mean time of distance"],
        ),
    ];
    for ([mean, most, time], task, titles) in tasks {
        let calls = "support calls";
        figures.push(figure(mean, titles[0], calls, Some(task), |_, figures| figures.mean));
        figures.push(figure(most, titles[1], calls, Some(task), |_, figures| figures.highest));
        figures.push(figure(time, titles[2], "nanoseconds", Some(task), |_, figures| figures.nanoseconds));
    }
    figures.sort_by_key(|figure| figure.number);
    figures
}

fn failure_frequency(cell: &Cell, figures: &Figures) -> f64 {
    figures.failures as f64 / cell.count.max(1) as f64
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
        "disagreements",
        "touching_disagreements",
        "depths_below_bound",
        "nanoseconds",
        "mean_depth",
        "excess_depth",
        "mean_distance",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        for figures in &cell.figures {
            report.row([
                cell.precision.into(),
                cell.pair.into(),
                cell.probability.into(),
                cell.hit_rate.into(),
                figures.name.into(),
                cell.count.into(),
                figures.mean.into(),
                figures.highest.into(),
                figures.failures.into(),
                figures.limits.into(),
                figures.disagreements.into(),
                figures.touching.into(),
                figures.too_shallow.into(),
                figures.nanoseconds.into(),
                cell.mean_depth.into(),
                figures.excess.into(),
                cell.mean_distance.into(),
            ]);
        }
    }
    claims(&mut report, cells);
    for precision in [Double::NAME, Single::NAME] {
        for figure in figures() {
            report.plot(draw(&figure, precision, cells));
        }
    }
    report
}

fn draw(figure: &Figure, precision: &str, cells: &[Cell]) -> Plot {
    let name = format!("figure-{:02}-{precision}", figure.number);
    let title = format!("{}, {precision}", figure.title);
    let mut plot = Plot::new(&name, &title, "probability of intersection", figure.unit);
    let chosen: Vec<&Cell> = cells.iter().filter(|cell| cell.precision == precision).collect();
    let mut pairs: Vec<&str> = chosen.iter().map(|cell| cell.pair).collect();
    pairs.dedup();
    for pair in pairs {
        let cells: Vec<&&Cell> = chosen.iter().filter(|cell| cell.pair == pair).collect();
        let Some(first) = cells.first() else { continue };
        for (i, algorithm) in first.figures.iter().enumerate() {
            let shown = match figure.task {
                Some(task) => algorithm.task == Some(task),
                None => algorithm.task != Some(Task::Depth),
            };
            if shown {
                let points = cells.iter().map(|cell| (cell.probability, (figure.value)(cell, &cell.figures[i])));
                plot.line(format!("{pair} {}", algorithm.name), points);
            }
        }
    }
    plot
}

fn claims(report: &mut Report, cells: &[Cell]) {
    let mut none = |claim: &str, paper: &str, example: usize, count: fn(&Figures) -> usize| {
        let all = || cells.iter().flat_map(|cell| cell.figures.iter().map(move |figures| (cell, figures)));
        let total: usize = all().map(|(_, figures)| count(figures)).sum();
        let worst = all().filter(|(_, figures)| count(figures) > 0).max_by_key(|(_, figures)| count(figures));
        let text = worst.map_or("0".to_owned(), |(cell, figures)| {
            let example = figures.examples[example].as_deref().unwrap_or_default();
            let place = format!("{} {} at {}", cell.precision, cell.pair, cell.probability);
            format!("{total}; most with {} in {place}, for example {example}", figures.name)
        });
        report.claim(claim, paper, text, total == 0);
    };
    none("no failure", "figures 11, 13: up to 2 in 1,000; distance in SP far more", 0, |figures| figures.failures);
    none("the iteration limit is never met", "section 4.1: a cutoff is needed", 1, |figures| figures.limits);
    none("no boolean contradicts the signed distance", "figure 17: 5–10 in a million", 2, |figures| {
        figures.disagreements
    });
    none("no depth is below the certified lower bound", "section 2.4.1: a heuristic", 3, |figures| figures.too_shallow);
    let off = cells.iter().map(|cell| (cell.hit_rate - cell.probability).abs()).fold(0.0, f64::max);
    report.claim("the cubes give the wanted probabilities to 0.05", "–", off, off <= 0.05);
    for (name, most, paper) in [
        ("SA-GJK", 14.0, "figure 7: 6–14"),
        ("MPR", 14.0, "figure 7: 6–14, two or three more than SA-GJK"),
        ("GJK", 60.0, "figure 15: 10–60"),
        ("GJK+EPA", 98.0, "figure 10: 15–98"),
        ("MPR depth", 98.0, "figure 10: 15–98"),
    ] {
        let chosen = cells.iter().flat_map(|cell| cell.figures.iter().map(move |figures| (cell, figures)));
        let chosen = chosen.filter(|(_, figures)| figures.name == name);
        let Some((cell, worst)) = chosen.max_by(|a, b| a.1.highest.total_cmp(&b.1.highest)) else { continue };
        let claim = format!("{name}: no more support calls at worst than in the thesis");
        let text = format!("{:.1} in {} {} at {}", worst.highest, cell.precision, cell.pair, cell.probability);
        report.claim(claim, paper, text, worst.highest <= most);
    }
    versus(report, cells);
}

/// One number of an algorithm in a cell.
type Measure = fn(&Figures) -> f64;

/// What the thesis says of portal refinement against the others.
fn versus(report: &mut Report, cells: &[Cell]) {
    let calls: Measure = |figures| figures.mean;
    let time: Measure = |figures| figures.nanoseconds;
    for (mpr, other, what, measure, paper) in [
        ("MPR", "SA-GJK", "takes fewer support calls", calls, "figure 6: about one fewer"),
        ("MPR", "SA-GJK", "is faster", time, "figure 8: in all cases"),
        ("MPR depth", "GJK+EPA", "is faster", time, "figure 12: in all cases"),
    ] {
        let pick = |cell: &Cell, name| cell.figures.iter().find(|figures| figures.name == name).map_or(0.0, measure);
        let wins = cells.iter().filter(|cell| pick(cell, mpr) < pick(cell, other)).count();
        let mean = |name| cells.iter().map(|cell| pick(cell, name)).sum::<f64>() / cells.len().max(1) as f64;
        let text = format!("in {wins} of {} cells; on average {:.1} to {:.1}", cells.len(), mean(mpr), mean(other));
        report.claim(format!("{mpr} {what} than {other}"), paper, text, wins == cells.len());
    }
}
