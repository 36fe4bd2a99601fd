//! The races and the randomised benchmark on tiny sizes: they run to their end, and what does not depend on the clock holds.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use clearance_lab::{
    Progress, Report, Settings, Value, booleans, broad_phases, closest_features, concave_trees, contact_range,
    implicit_objects, mesh_queries, nothing_passes, q_collide_speed, q_collide_steps, race_adversarial, race_batch,
    race_cast, race_coherent, race_mesh_cast, race_nbody, race_pairs, race_rays, race_size, race_terrain,
};

const QUICK: Settings = Settings::new(true, 5);

/// The report fits together, has that many rows and its figures are numbers.
fn check(report: &Report, rows: usize) {
    report.check().unwrap();
    assert_eq!(report.rows.len(), rows);
    assert!(!report.to_csv().contains("NaN"), "{}", report.to_csv());
    for plot in &report.plots {
        assert!(plot.to_svg().unwrap().contains("</svg>"));
    }
}

/// The claim that contains these words holds.
fn holds(report: &Report, words: &str) {
    let claim = report.claims.iter().find(|claim| claim.claim.contains(words));
    let claim = claim.unwrap_or_else(|| panic!("no claim says '{words}'"));
    assert!(claim.holds, "{}: {:?}", claim.claim, claim.value);
}

#[test]
fn six_pairs_are_raced() {
    let sizes = race_pairs::Sizes { configurations: 200, calibration: 200 };
    let report = race_pairs::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 6 * 2 * 4);
    holds(&report, "the boolean is right");
    for what in ["f64 distances", "f64 depths", "f32 distances", "f32 depths"] {
        holds(&report, &format!("{what}: our bounds verify"));
        holds(&report, &format!("{what}: our bounds are as close as stated"));
        holds(&report, &format!("{what}: where parry disagrees, our bounds stand"));
    }
}

#[test]
fn sizes_are_raced() {
    let sizes = race_size::Sizes { vertices: &[20, 100], configurations: 60 };
    let report = race_size::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 2 * 3);
    assert!(report.claims.iter().any(|claim| claim.claim.contains("overlap at 100 vertices")));
}

#[test]
fn batches_are_raced() {
    let sizes = race_batch::Sizes { vertices: &[20], configurations: 300 };
    let report = race_batch::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 7 * 2 * 4);
}

#[test]
fn passing_hulls_are_raced() {
    let sizes = race_coherent::Sizes { vertices: 100, small: 20, passes: 5 };
    let report = race_coherent::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 3 * 3 + 2);
    holds(&report, "warm answers are the cold ones");
    holds(&report, "the same steps overlap");
}

#[test]
fn features_are_followed() {
    let sizes = closest_features::Sizes { vertices: &[20, 200], passes: 2 };
    let report = closest_features::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 3 * 2);
    holds(&report, "needs help from GJK less than once");
    holds(&report, "warm, cold and GJK agree");
}

#[test]
fn pairs_that_all_but_touch_are_judged() {
    let sizes = race_adversarial::Sizes { cases: 20 };
    let report = race_adversarial::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 2 * 2);
    assert!(report.holds(), "{}", clearance_lab::text::render(&report));
}

#[test]
fn the_benchmark_of_the_thesis_runs() {
    let sizes = implicit_objects::Sizes { configurations: 120, calibration: 100, timed: 20, step: 45 };
    let report = implicit_objects::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 6 * 3 * 2 * 9);
    assert_eq!(report.plots.len(), 2 * 28);
    holds(&report, "verbs have no answers that did not converge");
    holds(&report, "verbs have no wrong booleans");
    holds(&report, "verbs have no depths below");
    holds(&report, "no algorithm has a wrong boolean");
    holds(&report, "at least half of the face of boxes");
}

#[test]
fn searching_steps_are_counted() {
    let sizes = q_collide_steps::Sizes { vertices: &[20, 500], bodies: 64, frames: 30 };
    let report = q_collide_steps::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 7 * (2 + 4));
    assert_eq!(report.plots.len(), 3);
    holds(&report, "end within 3 steps, ellipsoid");
    holds(&report, "of all tests end within 3 steps");
}

#[test]
fn casts_are_raced() {
    let sizes = race_cast::Sizes { vertices: &[20, 100], casts: 100 };
    let report = race_cast::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 2);
    holds(&report, "at a hit the bodies touch");
}

#[test]
fn casts_through_meshes_are_raced() {
    let sizes = race_mesh_cast::Sizes { polygons: &[1_000], casts: 60 };
    let report = race_mesh_cast::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 2 * 2);
    holds(&report, "no body stops in another");
    holds(&report, "where the answers differ");
}

#[test]
fn rays_are_raced() {
    let sizes = race_rays::Sizes { subdivisions: &[2], timed: 100, aimed: 2_000 };
    let report = race_rays::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 2 * 2);
    holds(&report, "no ray leaks");
}

#[test]
fn contact_ranges_are_what_the_paper_says_and_better() {
    let sizes = contact_range::Sizes { turns: 2, ellipsoids: 2, growth: &[50, 500], cases: 400 };
    let report = contact_range::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 5 + 2 + 2);
    for what in ["the bodies touch", "faces, on average", "of two edges, on average", "falls with", "flat cones"] {
        holds(&report, what);
    }
    holds(&report, "figure 10: prisms");
    holds(&report, "figure 10: cylinders");
    holds(&report, "agrees with the explicit");
}

#[test]
fn algorithms_are_timed_in_a_crowd() {
    let sizes = q_collide_speed::Sizes { vertices: &[20, 100], bodies: 27, frames: 20, rounds: 1 };
    let report = q_collide_speed::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * (7 + 8 + 7));
    assert_eq!(report.plots.len(), 3 * 2);
    holds(&report, "all four agree on every test");
}

#[test]
fn broad_phases_are_compared() {
    let sizes = broad_phases::Sizes { bodies: &[125, 1000], frames: 5, rounds: 1 };
    let report = broad_phases::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2 * 4);
    assert_eq!(report.plots.len(), 2);
    holds(&report, "the same pairs in every frame");
    holds(&report, "grow more slowly in regions");
}

#[test]
fn trees_of_hulls_are_compared() {
    let report = concave_trees::run_with(&QUICK, &Progress::hidden(), &concave_trees::Sizes { poses: 60 }).unwrap();
    check(&report, 4);
    holds(&report, "answer alike");
    holds(&report, "two sets: fewer tests");
}

#[test]
fn many_bodies_are_raced() {
    let case = |bodies, vertices| race_nbody::Case { bodies, vertices, frames: 5 };
    let cases = Box::leak(Box::new([case(500, 20), case(100, 500), case(1_000, 20)]));
    let sizes = race_nbody::Sizes { cases, settling: 10, rounds: 1 };
    let report = race_nbody::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 3);
    holds(&report, "the same pairs touch");
    let touching = report.columns.iter().position(|column| column == "touching").unwrap();
    let touched = |row: &[Value]| matches!(row[touching], Value::Number(count) if count > 0.0);
    assert!(report.rows.iter().any(|row| touched(row)), "nothing touches");
}

#[test]
fn bodies_over_a_terrain_are_raced() {
    let sizes = race_terrain::Sizes { bodies: 60, cells: 40, frames: 6, rounds: 1 };
    let report = race_terrain::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 2);
    for precision in ["f64", "f32"] {
        holds(&report, &format!("{precision}: the same pairs touch"));
    }
    let touching = report.columns.iter().position(|column| column == "grounded").unwrap();
    let touched = |row: &[Value]| matches!(row[touching], Value::Number(count) if count > 5.0 && count < 55.0);
    assert!(report.rows.iter().all(|row| touched(row)), "{:?}", report.rows);
}

#[test]
fn booleans_are_judged_exactly() {
    let report = booleans::run_with(&QUICK, &Progress::hidden(), &booleans::Sizes { pairs: 400 }).unwrap();
    check(&report, 8 * 11);
    assert!(report.holds(), "{}", clearance_lab::text::render(&report));
}

#[test]
fn meshes_are_raced() {
    let sizes = mesh_queries::Sizes { triangles: 400, configurations: 2 };
    let report = mesh_queries::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    check(&report, 3 * 3);
    holds(&report, "both sides agree");
}

#[test]
fn nothing_passes_judges_casts_and_walks() {
    let sizes = nothing_passes::Sizes { casts: [900, 300], moves: 120, building: [1, 1, 1] };
    let report = nothing_passes::run_with(&QUICK, &Progress::hidden(), &sizes).unwrap();
    report.check().unwrap();
    let wrong: Vec<_> = report.claims.iter().filter(|claim| !claim.holds).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let sum = |name: &str| {
        let column = report.columns.iter().position(|column| column == name).unwrap();
        let count = |row: &Vec<Value>| if let Value::Integer(count) = row[column] { count } else { 0 };
        report.rows.iter().map(count).sum::<i64>()
    };
    assert!(sum("casts") >= 1200 && sum("hits") > 200 && sum("moves") > 600, "{:?}", report.rows);
}
