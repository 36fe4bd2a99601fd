//! A page about the papers: every figure and table that has data, and every claim with its verdict, from the reports of a run.

use serde_json::Value as Json;
use std::fmt::Write;

use crate::Experiment;

/// A figure or table of a paper.
struct Item {
    paper: &'static str,
    name: &'static str,
    shows: &'static str,
    /// The experiment that reproduces it.
    experiment: &'static str,
    /// What the paper leaves open of its algorithm, input or measure; nothing if all three are its own.
    open: &'static str,
}

const IMPLICIT: &str = "implicit objects (2010)";
const Q_COLLIDE: &str = "Q_COLLIDE (1996)";
const RANGE: &str = "directional contact range";
const DOOM: &str = "DOOM III (2005)";

const fn item(
    paper: &'static str,
    name: &'static str,
    shows: &'static str,
    experiment: &'static str,
    open: &'static str,
) -> Item {
    Item { paper, name, shows, experiment, open }
}

/// Everything with data, in the order of the papers.
const ITEMS: [Item; 29] = [
    item(IMPLICIT, "figure 4", "mean penetration depth", "implicit-objects", ""),
    item(IMPLICIT, "figure 5", "mean distance", "implicit-objects", ""),
    item(IMPLICIT, "figure 6", "mean support calls, intersection", "implicit-objects", ""),
    item(IMPLICIT, "figure 7", "most support calls, intersection", "implicit-objects", ""),
    item(IMPLICIT, "figure 8", "time, intersection", "implicit-objects", ""),
    item(IMPLICIT, "figure 9", "mean support calls, depth", "implicit-objects", ""),
    item(IMPLICIT, "figure 10", "most support calls, depth", "implicit-objects", ""),
    item(IMPLICIT, "figure 11", "failures, depth", "implicit-objects", ""),
    item(IMPLICIT, "figure 12", "time, depth", "implicit-objects", ""),
    item(IMPLICIT, "figure 13", "failures, distance", "implicit-objects", ""),
    item(IMPLICIT, "figure 14", "mean support calls, distance", "implicit-objects", ""),
    item(IMPLICIT, "figure 15", "most support calls, distance", "implicit-objects", ""),
    item(IMPLICIT, "figure 16", "time, distance", "implicit-objects", ""),
    item(IMPLICIT, "figure 17", "MPR against GJK", "implicit-objects", ""),
    item(IMPLICIT, "table 2", "stacking boxes", "stacking", ""),
    item(IMPLICIT, "table 3", "stacking round boxes", "stacking", ""),
    item(Q_COLLIDE, "figure 6.3", "steps of pairs apart", "q-collide-steps", ""),
    item(Q_COLLIDE, "figure 6.4", "steps of all pairs", "q-collide-steps", ""),
    item(Q_COLLIDE, "figure 6.5", "largest number of steps", "q-collide-steps", ""),
    item(Q_COLLIDE, "figure 6.6", "time against translation, n = 20", "q-collide-speed", ""),
    item(Q_COLLIDE, "figure 6.7", "time against translation, n = 500", "q-collide-speed", ""),
    item(Q_COLLIDE, "figure 6.8", "time against rotation, n = 20", "q-collide-speed", ""),
    item(Q_COLLIDE, "figure 6.9", "time against rotation, n = 500", "q-collide-speed", ""),
    item(
        Q_COLLIDE,
        "figure 6.10",
        "time against density, n = 20",
        "q-collide-speed",
        "the scale of the density, which is the share of the cube that is filled here",
    ),
    item(
        Q_COLLIDE,
        "figure 6.11",
        "time against density, n = 500",
        "q-collide-speed",
        "the scale of the density, which is the share of the cube that is filled here",
    ),
    item(RANGE, "figure 8", "time against vertices", "contact-range", "how far P1 is truncated and the profile of P6"),
    item(RANGE, "figure 9", "faces visited, flat cones", "contact-range", ""),
    item(RANGE, "figure 10", "range of two cylinders", "contact-range", ""),
    item(DOOM, "figure 6", "a brick wall", "brick-wall", "sizes, masses and what is measured: it shows a picture"),
];

/// The page in Markdown. `report` gives the JSON of an experiment's report, if it was run.
pub fn page(experiments: &[Experiment], report: impl Fn(&str) -> Option<Json>) -> String {
    let mut text = String::from(
        "# The papers, reproduced\n\n\
         Made by `clearance lab papers DIR` from the reports that `clearance lab run all --out DIR` wrote. A claim that does not hold stays in \
         the list. Times are of one machine; only their order and ratios are compared with the papers'.\n\n\
         ## Figures and tables\n\n| paper | item | shows | experiment | algorithm, input and measure |\n| --- | --- | --- | --- | --- |\n",
    );
    for item in &ITEMS {
        let ran = report(item.experiment).is_some();
        let same = match (ran, item.open) {
            (false, _) => "not run".to_owned(),
            (true, "") => "the paper's".to_owned(),
            (true, open) => format!("the paper's; it leaves open {open}"),
        };
        let _ = writeln!(text, "| {} | {} | {} | `{}` | {same} |", item.paper, item.name, item.shows, item.experiment);
    }
    let ran = |item: &&Item| report(item.experiment).is_some();
    let (all, given) =
        (ITEMS.iter().filter(ran).count(), ITEMS.iter().filter(ran).filter(|item| item.open.is_empty()).count());
    let _ = writeln!(
        text,
        "\n{given} of {} with the paper's algorithm, input and measure; {} more where the paper leaves a part of these open.",
        ITEMS.len(),
        all - given
    );
    if let Some(count) = report("implicit-objects").and_then(|found| found["rows"][0]["configurations"].as_u64()) {
        let _ = writeln!(text, "Figures 4 to 17 are of {count} random configurations a point (the thesis: a million).");
    }
    text.push_str("\n## Claims\n");
    for experiment in experiments.iter().filter(|experiment| is_of_a_paper(experiment)) {
        if let Some(found) = report(experiment.name) {
            claims(&mut text, experiment, &found);
        }
    }
    text
}

/// Races and the project's own checks are in no paper.
fn is_of_a_paper(experiment: &Experiment) -> bool {
    !["race", "trust", "agreement"].iter().any(|own| experiment.reproduces.starts_with(own))
}

fn claims(text: &mut String, experiment: &Experiment, report: &Json) {
    let empty = Vec::new();
    let list = report["claims"].as_array().unwrap_or(&empty);
    let held = list.iter().filter(|claim| claim["holds"] == true).count();
    let _ = writeln!(
        text,
        "\n### {} (`{}`)\n\n{held} of {} hold.\n\n| claim | paper | here | verdict |\n| --- | --- | --- | --- |",
        experiment.reproduces,
        experiment.name,
        list.len()
    );
    for claim in list {
        let of = |key: &str| in_a_cell(&claim[key]);
        let verdict = if claim["holds"] == true { "holds" } else { "does not hold" };
        let why = if claim["why"].is_string() { format!(": {}", of("why")) } else { String::new() };
        let _ = writeln!(text, "| {} | {} | {} | {verdict}{why} |", of("claim"), of("paper"), of("value"));
    }
}

/// A value in a cell of a table.
fn in_a_cell(value: &Json) -> String {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.as_f64().map_or_else(|| number.to_string(), crate::text::number),
        other => other.to_string(),
    };
    text.replace('|', "\\|").replace(char::is_control, " ")
}
