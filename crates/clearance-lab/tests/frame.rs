//! The frame on a toy experiment: reports, plots, timing, progress, files and the search by name.

use clearance_lab::{
    Experiment, Failure, Plot, Progress, Report, ReportError, Settings, Value, find_in, interleaved,
    nanoseconds_per_call, text, write_report,
};
use std::hint::black_box;

fn toy(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    let count = if settings.quick { 3_u32 } else { 100 };
    progress.start(u64::from(count), "squares");
    let mut report = Report::new("toy", &["label", "n", "square"]);
    let mut plot = Plot::new("growth", "Squares", "n", "n²").log(true, true);
    for n in 1..=count {
        report.row(["a".into(), n.into(), f64::from(n * n).into()]);
        progress.advance(1);
    }
    plot.line("square", (1..=count).map(|n| (n.into(), (n * n).into())));
    report.plot(plot);
    report.claim("squares grow", "fig. 1: they grow", 9.0, true);
    Ok(report)
}

const QUICK: Settings = Settings::new(true, 1);

const TOY: Experiment = Experiment { name: "toy", title: "Squares of small numbers", reproduces: "figure 1", run: toy };

fn numbers(rows: usize) -> Report {
    let mut report = Report::new("numbers", &["n"]);
    for n in 0..rows {
        report.row([n.into()]);
    }
    report
}

#[test]
fn csv_quotes_what_needs_it() {
    let mut report = Report::new("csv", &["plain", "with, comma", "x"]);
    report.row(["say \"hi\"".into(), "two\nlines".into(), 0.1.into()]);
    report.row(["plain".into(), "".into(), Value::Number(f64::NAN)]);
    assert_eq!(
        report.to_csv(),
        "plain,\"with, comma\",x\r\n\"say \"\"hi\"\"\",\"two\nlines\",0.1\r\nplain,\"\",NaN\r\n"
    );
}

#[test]
fn json_has_the_promised_shape_and_the_order_of_the_columns() {
    let mut report = Report::new("shape", &["z", "a\"b", "m"]);
    report.row([1.5.into(), 2.into(), "x".into()]);
    report.row([f64::NAN.into(), (-3).into(), f64::INFINITY.into()]);
    report.claim("c", "p", 7_u64, false);
    let json = report.to_json();
    assert_eq!(
        json,
        r#"{"name":"shape","claims":[{"claim":"c","paper":"p","value":7,"holds":false}],"rows":[{"z":1.5,"a\"b":2,"m":"x"},{"z":null,"a\"b":-3,"m":null}]}"#
    );
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
}

#[test]
fn a_count_too_large_for_an_integer_becomes_a_number() {
    assert_eq!(Value::from(u64::MAX), Value::Number(u64::MAX as f64));
    assert_eq!(Value::from(5_usize), Value::Integer(5));
}

#[test]
fn a_row_of_the_wrong_width_is_found() {
    let mut report = Report::new("wide", &["a", "b"]);
    report.row([1.into(), 2.into()]).row([3.into()]);
    let error = report.check().unwrap_err();
    assert!(matches!(error, ReportError::RowWidth { row: 1, .. }));
    assert_eq!(error.to_string(), "report 'wide': row 1 has 1 cells for 2 columns");
    // Nor does anything else break on such a report.
    text::render(&report);
    report.to_json();
    report.row([1.into(), 2.into(), 3.into()]);
    text::render(&report);
    assert!(write_report(std::path::Path::new("never-made"), &report).is_err());
}

#[test]
fn names_used_twice_are_found() {
    let error = Report::new("twice", &["a", "a"]).check().unwrap_err();
    assert_eq!(error.to_string(), "report 'twice': two columns are named 'a'");
    let mut report = Report::new("twice", &[]);
    report.plot(Plot::default()).plot(Plot::default());
    assert!(report.check().is_err());
}

#[test]
fn claims_are_listed_with_their_verdict() {
    let mut report = Report::new("claims", &[]);
    report.claim("A beats B", "table 2: twice as fast", 1.23456, true);
    report.claim("never fails", "text: never", "3 of 100 failed", false);
    assert!(!report.holds());
    assert_eq!(
        text::render(&report),
        "claims

✓ A beats B
    paper:    table 2: twice as fast
    measured: 1.235
✗ never fails
    paper:    text: never
    measured: 3 of 100 failed
1 of 2 claims hold
"
    );
}

#[test]
fn tables_are_aligned() {
    let mut report = Report::new("t", &["name", "value"]);
    report.row(["ü".into(), 0.00001.into()]);
    report.row(["longer".into(), 12345.678.into()]);
    report.row(["zero".into(), 0.0.into()]);
    assert_eq!(
        text::render(&report),
        "t

name       value
──────  ────────
ü       1.000e-5
longer     12346
zero           0
"
    );
}

#[test]
fn long_tables_are_shortened_in_the_middle() {
    let all = text::render(&numbers(30));
    assert!(!all.contains("left out"));
    assert_eq!(all.lines().count(), 34);
    let long = text::render(&numbers(130));
    assert!(long.contains("\n 14\n… 100 rows left out; the CSV has all 130\n115\n"));
    assert!(long.ends_with("129\n"));
}

#[test]
fn a_log_plot_leaves_out_what_it_cannot_show() {
    let mut plot = Plot::new("p", "a < b & c", "n", "time").log(true, true);
    let bad = [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (2.0, f64::INFINITY)];
    plot.line("good", (0..8).map(|k| (10_f64.powi(k), 1.0)));
    plot.line("bad", bad);
    let svg = plot.to_svg().unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("a &lt; b &amp; c"));
    assert!(!svg.contains("NaN"));
    // Eight points and one in the legend; the second line has its squares in the legend only.
    assert_eq!(svg.matches("<circle").count(), 9);
}

#[test]
fn plots_without_points_or_extent_are_drawn() {
    for log in [false, true] {
        let mut plot = Plot::new("p", "", "", "").log(log, log);
        assert!(plot.to_svg().unwrap().contains("</svg>"));
        plot.line("none", []);
        assert!(plot.to_svg().unwrap().contains("</svg>"));
        plot.line("one", [(3.0, 3.0)]);
        assert!(plot.to_svg().unwrap().contains("</svg>"));
        plot.line("vast", [(1e-99, 1e99), (1e99, -1e99), (f64::MAX, 5e-324)]);
        assert!(!plot.to_svg().unwrap().contains("NaN"));
    }
}

#[test]
fn an_unknown_name_gets_a_suggestion() {
    let experiments = [TOY, Experiment { name: "gjk-iterations", ..TOY }];
    assert_eq!(find_in(&experiments, "toy").unwrap().name, "toy");
    let message = |name| find_in(&experiments, name).unwrap_err().to_string();
    assert_eq!(
        message("gjk-iteratoins"),
        "unknown experiment 'gjk-iteratoins' (did you mean 'gjk-iterations'?); known: toy, gjk-iterations"
    );
    assert!(message("gjk").contains("did you mean 'gjk-iterations'?"));
    assert!(!message("something-else").contains("did you mean"));
    let none = find_in(&[], "toy").unwrap_err().to_string();
    assert_eq!(none, "unknown experiment 'toy'; known: none");
}

#[test]
fn every_experiment_of_the_lab_can_be_found_and_names_a_file() {
    for experiment in clearance_lab::all() {
        let found = clearance_lab::find(experiment.name).unwrap();
        assert_eq!(found.title, experiment.title, "two are named alike");
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(experiment.name.chars().all(plain), "{}", experiment.name);
    }
    assert!(clearance_lab::find("no such thing").is_err());
}

#[test]
fn interleaved_timing_gives_one_figure_per_competitor() {
    let order = std::cell::RefCell::new(String::new());
    let times = interleaved(
        &mut [
            ("a", &mut || order.borrow_mut().push('a')),
            ("b", &mut || order.borrow_mut().push('b')),
            ("c", &mut || order.borrow_mut().push('c')),
        ],
        1,
        &QUICK,
    );
    assert_eq!(order.into_inner(), "abcabccbaabccbaabc");
    let names: Vec<&str> = times.iter().map(|time| time.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(times.iter().all(|time| time.best <= time.median));
    assert!(interleaved(&mut [], 1, &QUICK).is_empty());
}

#[test]
fn a_single_competitor_is_timed() {
    let mut calls = 0_u64;
    let time = nanoseconds_per_call(|| calls += black_box(1), 0, &QUICK);
    assert!(time.best.is_finite() && time.best <= time.median);
    assert_eq!(calls, 6);
}

#[test]
fn progress_counts_without_a_terminal() {
    let progress = Progress::hidden();
    progress.advance(1);
    progress.start(10, "work");
    progress.advance(3);
    assert_eq!(progress.position(), 3);
    progress.start(5, "more work");
    assert_eq!(progress.position(), 0);
    progress.finish();
    progress.finish();
}

#[test]
fn a_report_becomes_files() {
    let report = TOY.execute(&QUICK, &Progress::hidden()).unwrap();
    let root = std::env::temp_dir().join(format!("clearance-lab-{}", std::process::id()));
    let directory = root.join("made");
    let files = write_report(&directory, &report).unwrap();
    let names: Vec<_> = files.iter().flat_map(|path| path.file_name()).collect();
    assert_eq!(names, ["toy.csv", "toy.json", "toy-growth.svg"]);
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), report.to_csv());

    let in_the_way = write_report(&files[0], &report).unwrap_err().to_string();
    assert!(in_the_way.contains("toy.csv"), "{in_the_way}");
    let outside = Report::new("../toy", &[]);
    let error = write_report(&directory, &outside).unwrap_err();
    assert!(error.to_string().contains("'../toy'"));
    std::fs::remove_dir_all(root).unwrap();
}
