//! The papers' experiments, the hunt and the page about the papers on tiny sizes: they run to their end, and what does not depend on the clock
//! holds.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use std::path::{Path, PathBuf};

use clearance_lab::{
    Progress, Report, Settings, Value, all, brick_wall, ccd_features, exact_contact, find, hunt, lecture, papers,
    race_sim, stacking, walker,
};

const QUICK: Settings = Settings::new(true, 1);

/// A folder of this process that is gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("clearance-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn hold(report: &Report, count: usize) {
    report.check().unwrap();
    assert!(report.claims[..count].iter().all(|claim| claim.holds), "{:?}", report.claims);
}

#[test]
fn the_lecture_has_every_part() {
    let sizes = lecture::Sizes { bodies: &[27, 64], vertices: &[10, 30], frames: 6, pairs: 20 };
    let report = lecture::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    report.check().unwrap();
    assert_eq!(report.claims.len(), 7);
    // What does not depend on a clock: the events of scheduled worlds.
    assert!(report.claims.iter().any(|claim| claim.claim.contains("changes no event") && claim.holds));
}

#[test]
fn a_short_walk_is_sound() {
    let sizes = walker::Sizes { frames: 60, timed: 10 };
    hold(&walker::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap(), 3);
}

#[test]
fn a_small_wall_is_sound() {
    let sizes = brick_wall::Sizes { wall: [2, 2], seconds: 0.5 };
    hold(&brick_wall::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap(), 4);
}

#[test]
fn small_stacks_stand() {
    let sizes = stacking::Sizes { seconds: 0.5, most: 3, modern: 4 };
    let report = stacking::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    assert_eq!(report.rows.len(), 72);
    hold(&report, 4);
}

#[test]
fn a_short_race_of_simulators_has_both_scenes() {
    let sizes = race_sim::Sizes { bodies: 14, stack: 2, steps: 30 };
    let report = race_sim::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    report.check().unwrap();
    assert_eq!((report.rows.len(), report.claims.len()), (4, 8));
    assert!(report.claims.iter().filter(|claim| claim.claim.contains("falls through")).all(|claim| claim.holds));
}

#[test]
fn exact_contact_is_right_and_has_all_kinds() {
    let sizes = exact_contact::Sizes { pairs: 250 };
    let report = exact_contact::run_with(&Settings::new(true, 3), &Progress::hidden(), &sizes).unwrap();
    assert_eq!(report.rows.len(), 4);
    hold(&report, 2);
}

#[test]
fn feature_queries_without_data_claim_nothing() {
    let report = ccd_features::skipped();
    report.check().unwrap();
    assert!(report.claims.is_empty() && report.to_csv().contains("skipped: no data"));
}

#[test]
fn feature_queries_are_compared_with_the_truth() {
    // A vertex that falls on a triangle: once told as it is, once as what it is not.
    let folder = Folder::new("ccd-features");
    let scene = folder.0.join("scene");
    let query = |to: i32, truth: u8| {
        let triangle = format!("0,1,0,1,0,1,{truth}\n1,1,0,1,0,1,{truth}\n0,1,1,1,0,1,{truth}\n");
        format!("1,4,1,4,1,1,{truth}\n{triangle}1,4,1,4,{to},1,{truth}\n{triangle}")
    };
    for (kind, text) in [("vertex-face", query(-1, 1) + &query(-1, 0) + &query(2, 1)), ("edge-edge", String::new())] {
        std::fs::create_dir_all(scene.join(kind)).unwrap();
        std::fs::write(scene.join(kind).join("data.csv"), text).unwrap();
    }
    let report = ccd_features::run_with(&QUICK, &Progress::hidden(), &folder.0).unwrap();
    report.check().unwrap();
    let cell = |name: &str| {
        let column = report.columns.iter().position(|column| column == name).unwrap();
        report.rows[0][column].clone()
    };
    let counts = ["queries", "hits", "false_negatives", "false_positives"].map(cell);
    assert_eq!(counts, [3, 2, 1, 1].map(|n: i32| Value::from(n)));
    let holds = |words: &str| report.claims.iter().find(|claim| claim.claim.contains(words)).unwrap().holds;
    assert!(!holds("no contact is missed") && holds("touches by exact arithmetic"));
}

#[test]
fn what_was_not_run_is_said_and_claims_that_fail_stay() {
    let report = serde_json::json!({"claims": [
        {"claim": "figure 6: a | b", "paper": "2–4", "value": 1.25, "holds": false, "why": "another start"},
        {"claim": "it holds", "paper": "–", "value": "yes", "holds": true, "why": null},
    ]});
    let page = papers::page(all(), |name| (name == "implicit-objects").then(|| report.clone()));
    assert!(page.contains("| figure 6: a \\| b | 2–4 | 1.250 | does not hold: another start |"), "{page}");
    assert!(page.contains("1 of 2 hold."), "{page}");
    assert!(page.contains("| table 2 | stacking boxes | `stacking` | not run |"), "{page}");
    assert!(page.contains("14 of 29 with the paper's algorithm, input and measure; 0 more"), "{page}");
}

#[test]
fn every_experiment_on_the_page_exists() {
    let page = papers::page(all(), |_| None);
    let named: Vec<&str> =
        page.lines().filter_map(|line| line.split('`').nth(1).filter(|_| line.starts_with('|'))).collect();
    assert_eq!(named.len(), 29);
    for name in named {
        assert!(find(name).is_ok(), "{name}");
    }
}

/// One round of the hunt with its state in a file.
fn hunted(seed: u64, state: &Path) -> Result<Report, clearance_lab::Failure> {
    let settings = Settings { hours: Some(1e-6), state: Some(state.to_owned()), ..Settings::new(true, seed) };
    hunt::EXPERIMENT.execute(&settings, &Progress::hidden())
}

#[test]
fn a_hunt_is_right_and_goes_on_where_it_stopped() {
    let folder = Folder::new("hunt");
    let path = folder.0.join("hunt-7.state.json");
    let mut before = 0.0;
    for _ in 0..2 {
        let report = hunted(7, &path).unwrap();
        let found: Vec<_> = report.claims.iter().filter(|claim| claim.claim.starts_with("no ")).collect();
        assert!(found.len() > 5 && found.iter().all(|claim| claim.holds), "{:?}", report.claims);
        let column = |name: &str| report.columns.iter().position(|column| column == name).unwrap();
        let number = |row: &Vec<Value>, name: &str| row[column(name)].to_json().as_f64().unwrap();
        for row in &report.rows {
            let [cases, answers] = ["cases", "answers"].map(|name| number(row, name));
            let [verified, unproved] = ["verified", "not proved"].map(|name| number(row, name));
            assert!(cases > 190.0 && answers > 0.5 * cases, "{row:?}");
            assert!(verified >= 2.0 && unproved * 50.0 <= cases, "{row:?}");
        }
        let cases = report.rows.iter().map(|row| number(row, "cases")).sum::<f64>();
        assert!(cases >= 2.0 * before, "{cases} after {before}");
        before = cases;
    }
    assert!(before > 0.0 && hunted(8, &path).is_err());
}

#[test]
fn cases_of_the_hunt_are_made_smaller() {
    let (case, simpler) = hunt::case("thin", 1, 0).unwrap();
    let points = |case: &serde_json::Value| case["a"]["points"].as_array().map_or(0, Vec::len);
    assert!(points(&case) > 4 && simpler.len() > 8);
    assert!(simpler.iter().any(|other| points(other) + 1 == points(&case)));
    assert!(hunt::case("no family", 1, 0).is_none());
}
