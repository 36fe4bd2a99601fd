//! The algorithms by name: each keeps the promises of its op and agrees with the usual one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::Vec3;
use clearance_testkit::{HitRate, Rng};
use common::bodies::{BALL, Body, COARSE, CUBE, Near, check, meets, near, question};
use common::{SHAPES, ask_once, error};

const JOHNSON: &str = r#","algorithm":"gjk-johnson""#;
const GILBERT: &str = r#","algorithm":"gilbert""#;
const ESTIMATE: &str = r#","depth":"mpr""#;
const BOTH: [&str; 2] = [r#","algorithm":"gjk-johnson","depth":"mpr""#, r#","algorithm":"gilbert","depth":"mpr""#];
const PROGRAM: &str = r#","algorithm":"linear-program""#;
const FEATURES: &str = r#","algorithm":"closest-features""#;
/// Of the bodies below, and of their distances.
const SIZE: f64 = 20.0;
const REACH: f64 = 5.0;
/// Bodies nearer to touching than this may be called either.
const DOUBT: f64 = 1e-12;

/// A random pair of every two types of shapes, as often as asked for, with how the usual algorithm finds them.
fn for_random_pairs(seed: u64, times: usize, mut test: impl FnMut(&Body, &Body, &Near)) {
    let mut rng = Rng::new(seed);
    let mut overlaps = HitRate::new("overlapping");
    for (shape_a, ..) in SHAPES {
        for (shape_b, ..) in SHAPES {
            for _ in 0..times {
                let (a, b) = (Body::random(shape_a, &mut rng, 2.0), Body::random(shape_b, &mut rng, 3.0));
                let usual = near(&a, &b, "");
                overlaps.record(usual.distance < 0.0);
                test(&a, &b, &usual);
            }
        }
    }
    overlaps.assert_between(0.2, 0.9);
}

#[test]
fn every_overlap_algorithm_gives_the_same_verdict() {
    let names = ["auto", "sa-gjk", "mpr", "separating-vector", "combined"];
    let mut decided = names.map(HitRate::new);
    for_random_pairs(21, 2, |a, b, usual| {
        for (rate, name) in decided.iter_mut().zip(names) {
            let more = format!(r#","algorithm":"{name}""#);
            let line = question("overlap", a, b, &more);
            let answer = ask_once(&line);
            // What an algorithm cannot decide alone it says: it is then touching for all that is known, with a point of each body.
            if !rate.record(answer["end"] == "converged") {
                assert!(answer["overlap"] == true && answer["witness"]["points"].is_array(), "{line}: {answer}");
                continue;
            }
            let meets = meets(a, b, &more, 1e-9);
            let right = if meets { usual.lower <= DOUBT } else { usual.upper >= -DOUBT };
            assert!(right, "{line}: {meets}, but {usual:?}");
        }
    });
    decided[0].assert_between(1.0, 1.0);
    // Points, segments and flat shapes make differences without a volume, for which portals are of no use.
    decided.iter().for_each(|rate| rate.assert_between(0.9, 1.0));
}

#[test]
fn the_other_ways_to_the_nearest_point_keep_every_promise() {
    for_random_pairs(22, 2, |a, b, usual| {
        for way in [JOHNSON, GILBERT] {
            let answer = check(a, b, way, SIZE, REACH);
            let slack = COARSE * (-usual.distance).max(0.0) + 1e-7;
            let context = || format!("{}: {answer:?}, but {usual:?}", question("closest", a, b, way));
            assert!((answer.distance - usual.distance).abs() <= slack, "{}", context());
            assert!(answer.lower <= usual.upper && usual.lower <= answer.upper, "{}", context());
        }
    });
}

/// Whether an answer is the error for shapes that the algorithm has no use for; any other error fails.
fn is_refused(op: &str, a: &Body, b: &Body, more: &str) -> bool {
    let answer = ask_once(&question(op, a, b, more));
    let refused = answer.get("error").is_some();
    assert!(!refused || error(&answer).0 == "unsupported-algorithm", "{answer}");
    refused
}

#[test]
fn linear_programs_are_for_flat_faces() {
    let mut answered = HitRate::new("pairs with flat faces only");
    for_random_pairs(25, 2, |a, b, usual| {
        let curved = |body: &Body| {
            ["disc", "ellipse", "sphere", "capsule", "lozenge", "round", "cylinder", "cone", "wheel"]
                .iter()
                .any(|name| body.shape.contains(name))
                || body.shape.contains("ellipsoid")
        };
        let refused = is_refused("overlap", a, b, PROGRAM);
        assert_eq!(refused, curved(a) || curved(b), "{}", question("overlap", a, b, PROGRAM));
        if answered.record(!refused) {
            let meets = meets(a, b, PROGRAM, 1e-9);
            let right = if meets { usual.lower <= DOUBT } else { usual.upper >= -DOUBT };
            assert!(right, "{}: {meets}, but {usual:?}", question("overlap", a, b, PROGRAM));
        }
    });
    answered.assert_between(0.1, 0.5);
}

#[test]
fn closest_features_are_named() {
    let mut answered = HitRate::new("pairs with faces");
    for_random_pairs(26, 2, |a, b, usual| {
        let faceted = |body: &Body| {
            body.shape.starts_with(r#"{"type":"cuboid""#) || body.shape.starts_with(r#"{"type":"polytope""#)
        };
        let refused = is_refused("closest", a, b, FEATURES);
        assert_eq!(refused, !(faceted(a) && faceted(b)), "{}", question("closest", a, b, FEATURES));
        if answered.record(!refused) {
            let answer = check(a, b, FEATURES, SIZE, REACH);
            let context = || format!("{}: {answer:?}, but {usual:?}", question("closest", a, b, FEATURES));
            assert!((answer.distance - usual.distance).abs() <= 1e-12, "{}", context());
        }
    });
    answered.assert_between(0.005, 0.1);
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [2.5, 0.25, 0.25]));
    let answer = ask_once(&question("closest", &a, &b, FEATURES));
    assert_eq!(answer["distance"], 0.5, "{answer}");
    // Two squares face each other: a corner, an edge or a face of each, but not two corners.
    let features = [&answer["features"]["a"], &answer["features"]["b"]];
    assert!(
        features.iter().all(|f| f["vertex"].is_u64()
            || f["edge"].as_array().is_some_and(|ends| ends.len() == 2)
            || f["face"].is_u64()),
        "{answer}"
    );
    assert!(features.iter().any(|f| f["vertex"].is_null()), "{answer}");
    let estimate = format!("{FEATURES}{ESTIMATE}");
    let inside = Body::at(CUBE, [1.5, 0.0, 0.0]);
    let answer = near(&a, &inside, &estimate);
    assert!(answer.distance <= -0.5 + 1e-9, "{answer:?}");
}

#[test]
fn the_estimate_of_a_depth_is_one_from_above() {
    let mut close = HitRate::new("close to the depth");
    for_random_pairs(23, 2, |a, b, usual| {
        let answer = near(a, b, ESTIMATE);
        let context = || format!("{}: {answer:?}, but {usual:?}", question("closest", a, b, ESTIMATE));
        let Near { distance, lower, upper, points: [on_a, on_b], normal, .. } = answer;
        assert!(lower <= distance && distance <= upper, "{}", context());
        assert!(lower <= usual.upper && usual.lower <= upper, "{}", context());
        assert!((normal.length() - 1.0).abs() < 1e-12, "{}", context());
        assert!((on_b - on_a - normal * distance).length() <= 1e-7 * SIZE, "{}", context());
        // Moved by as much along the normal they are apart, whether or not that is the shortest way.
        let gap = -b.reach(-normal) - a.reach(normal);
        assert!((gap - distance).abs() <= 1e-6, "gap {gap}: {}", context());
        if usual.distance < -DOUBT {
            assert!(distance <= usual.upper + DOUBT && upper >= -DOUBT, "{}", context());
            close.record(distance >= 1.01 * usual.distance - 1e-6);
        } else if usual.distance > DOUBT {
            assert_eq!(distance, usual.distance, "{}", context());
        }
    });
    close.assert_between(0.5, 1.0);
}

#[test]
fn distance_and_depth_are_chosen_one_by_one() {
    let mut distances = HitRate::new("apart");
    for_random_pairs(24, 1, |a, b, usual| {
        if usual.distance.abs() > DOUBT {
            distances.record(usual.distance > 0.0);
            for (way, both) in [JOHNSON, GILBERT].into_iter().zip(BOTH) {
                let same = if usual.distance > 0.0 { way } else { ESTIMATE };
                let [mut one, mut both] = [same, both].map(|more| ask_once(&question("closest", a, b, more)));
                if usual.distance < 0.0 {
                    // The distance run that finds them to meet is counted with the estimate.
                    (one["iterations"], both["iterations"]) = (0.into(), 0.into());
                }
                assert_eq!(one, both, "{}", question("closest", a, b, same));
            }
        }
    });
    distances.assert_between(0.1, 0.8);
}

#[test]
fn names_of_the_usual_change_nothing() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(BALL, [1.25, 0.0, 0.0]));
    let plain = ask_once(&question("closest", &a, &b, ""));
    for more in [r#","algorithm":"auto""#, r#","depth":"epa""#] {
        assert_eq!(ask_once(&question("closest", &a, &b, more)), plain, "{more}");
    }
    let plain = ask_once(&question("overlap", &a, &b, ""));
    assert_eq!(ask_once(&question("overlap", &a, &b, r#","algorithm":"auto""#)), plain);
}

/// Two cuboids have a formula, which a name does without.
#[test]
fn names_mean_algorithms() {
    for x in [2.5, 1.5] {
        let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [x, 0.25, 0.125]));
        let plain = ask_once(&question("overlap", &a, &b, ""));
        assert_eq!(plain["iterations"], 0, "{plain}");
        for name in ["sa-gjk", "mpr", "separating-vector", "combined"] {
            let answer = ask_once(&question("overlap", &a, &b, &format!(r#","algorithm":"{name}""#)));
            assert!(answer["iterations"].as_u64() > Some(0), "{name}: {answer}");
            assert_eq!(answer["overlap"], plain["overlap"], "{name}: {answer}");
        }
        for name in ["gjk", "gjk-johnson", "gilbert"] {
            for depth in ["epa", "mpr"] {
                let more = format!(r#","algorithm":"{name}","depth":"{depth}""#);
                let answer = ask_once(&question("closest", &a, &b, &more));
                assert!(answer["iterations"].as_u64() > Some(0), "{more}: {answer}");
                let (lower, upper) = (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap());
                assert!(lower <= x - 2.0 && x - 2.0 <= upper, "{more}: {answer}");
            }
        }
    }
}

#[test]
fn algorithms_that_are_unknown_or_not_here_yet() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(BALL, Vec3::X));
    let refuses = |op: &str, more: &str, code: &str, names: &[&str]| {
        let answer = ask_once(&question(op, &a, &b, more));
        let (got, message) = error(&answer);
        assert_eq!(got, code, "{more}: {message}");
        for name in names {
            assert!(message.contains(name), "{more}: {name:?} is not in {message:?}");
        }
    };
    // Here, but not for a ball.
    refuses("overlap", PROGRAM, "unsupported-algorithm", &["linear-program", "needs b to have"]);
    refuses("closest", FEATURES, "unsupported-algorithm", &["closest-features", "needs b to have"]);
    let all = "auto, sa-gjk, mpr, separating-vector, linear-program, combined";
    refuses("overlap", r#","algorithm":"gjk""#, "unknown-algorithm", &["algorithm is 'gjk'", all]);
    let all = "auto, gjk, gjk-johnson, gilbert, closest-features";
    refuses("closest", r#","algorithm":"gjk-jonson""#, "unknown-algorithm", &["did you mean 'gjk-johnson'", all]);
    refuses("closest", r#","algorithm":"""#, "unknown-algorithm", &["algorithm is ''", all]);
    refuses("closest", r#","depth":"gjk""#, "unknown-algorithm", &["depth is 'gjk'", "epa, mpr"]);
    refuses("closest", r#","algorithm":null"#, "bad-field", &["algorithm must be a string, not null"]);
    refuses("overlap", r#","depth":"epa""#, "unknown-field", &["depth"]);
    refuses("overlap", r#","direction":[1,0,0]"#, "unknown-field", &["direction"]);
    let line = format!(r#"{{"op":"closest","a":{CUBE}}}"#);
    assert_eq!(error(&ask_once(&line)), ("missing-field", "b is missing"));
    let line = format!(r#"{{"op":"overlap","a":{CUBE},"b":{{"type":"sphere","radius":-1}}}}"#);
    assert!(error(&ask_once(&line)).1.starts_with("b.radius is -1"));
}
