//! `manifold` through a session.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::Vec3;
use clearance_cli::query::Session;
use clearance_testkit::{HitRate, Rng};
use common::bodies::{BALL, Body, CUBE, is_inside, near, question, vector};
use common::{SHAPES, ask_once, error};
use serde_json::{Value, json};

const METHODS: [&str; 2] = ["clip", "perturbed"];

/// The answer to `manifold`.
#[derive(Debug)]
struct Contact {
    /// Normal and depth.
    whole: Option<(Vec3, f64)>,
    points: Vec<Vec3>,
    points_a: Vec<Vec3>,
    points_b: Vec<Vec3>,
    depths: Vec<f64>,
    features: Vec<Value>,
}

fn contact(a: &Body, b: &Body, more: &str) -> Contact {
    let answer = ask_once(&question("manifold", a, b, more));
    let items = |field: &str| answer[field].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let vectors = |field| items(field).map(vector).collect();
    assert_eq!(answer["normal"].is_null(), answer["depth"].is_null(), "{answer}");
    assert!(answer["end"].is_string(), "{answer}");
    Contact {
        whole: answer["depth"].as_f64().map(|depth| (vector(&answer["normal"]), depth)),
        points: vectors("points"),
        points_a: vectors("points_a"),
        points_b: vectors("points_b"),
        depths: items("depths").map(|depth| depth.as_f64().unwrap()).collect(),
        features: items("features").cloned().collect(),
    }
}

/// Whether a feature is of a kind that the interface names.
fn is_feature(feature: &Value) -> bool {
    let index = |kind: &str| feature.get(kind).is_some_and(Value::is_u64);
    let is_edge = feature.get("edge").and_then(Value::as_array).is_some_and(|ends| ends.len() == 2);
    feature == "smooth" || ((is_edge || index("vertex") || index("face")) && feature.as_object().unwrap().len() == 1)
}

/// What every manifold promises; its number of points.
fn check(a: &Body, b: &Body, more: &str, most: usize) -> usize {
    let (contact, near) = (contact(a, b, more), near(a, b, ""));
    let context = || format!("{}\n{contact:?}\n{near:?}", question("manifold", a, b, more));
    let Contact { whole, points, points_a, points_b, depths, features } = &contact;
    let count = points.len();
    assert!([points_a.len(), points_b.len(), depths.len(), features.len()] == [count; 4], "{}", context());
    let Some((normal, depth)) = *whole else {
        assert!(count == 0 && near.distance > 0.0, "{}", context());
        return 0;
    };
    assert!((1..=most).contains(&count), "{}", context());
    assert_eq!((normal, depth), (near.normal, -near.distance), "{}", context());
    let deepest = depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((deepest - depth).abs() <= 1e-5 * (1.0 + depth.abs()), "{}", context());
    for i in 0..count {
        // Along a normal that is known to the bounds of the depth, a point may be as deep as they allow.
        assert!(depths[i] <= -near.lower + 1e-9, "{}", context());
        assert!((points_b[i] - points_a[i] + normal * depths[i]).length() <= 1e-12, "{}", context());
        assert!(points[i].distance((points_a[i] + points_b[i]) / 2.0) <= 1e-12, "{}", context());
        assert!(is_feature(&features[i]["a"]) && is_feature(&features[i]["b"]), "{}", context());
    }
    count
}

#[test]
fn a_box_on_a_box_has_four_points() {
    let small = r#"{"type":"cuboid","half_extents":[0.5,0.25,0.5]}"#;
    let (table, book) = (Body::at(CUBE, [10.0, 0.0, 0.0]), Body::at(small, [10.0, 0.5, 1.49]));
    for method in METHODS {
        let more = format!(r#","method":"{method}""#);
        assert_eq!(check(&table, &book, &more, 4), 4);
        let contact = contact(&table, &book, &more);
        let (normal, depth) = contact.whole.unwrap();
        assert!(normal.distance(Vec3::Z) < 1e-9 && (depth - 0.01).abs() < 1e-12, "{contact:?}");
        for (i, depth) in contact.depths.iter().enumerate() {
            assert!((depth - 0.01).abs() < 1e-12, "{contact:?}");
            assert!((contact.points_a[i].z - 1.0).abs() < 1e-9 && (contact.points_b[i].z - 0.99).abs() < 1e-9);
        }
        for (x, y) in [(9.5, 0.25), (9.5, 0.75), (10.5, 0.25), (10.5, 0.75)] {
            let corner = Vec3::new(x, y, 0.995);
            let found = contact.points.iter().filter(|point| point.distance(corner) < 1e-9).count();
            assert_eq!(found, 1, "{method}, {corner}: {contact:?}");
        }
    }
    // A corner of the book on the upper side of the table.
    for feature in contact(&table, &book, "").features {
        assert!(feature["a"]["face"] == 4 && feature["b"]["vertex"].is_u64(), "{feature}");
    }
}

#[test]
fn a_ball_on_a_box_has_one_point() {
    // A ball is a point with a radius; an egg is curved all over.
    let egg = r#"{"type":"ellipsoid","radii":[0.25,0.75,0.5]}"#;
    for (shape, feature, sideways) in [(BALL, json!({"vertex": 0}), 1e-9), (egg, json!("smooth"), 1e-5)] {
        let contact = contact(&Body::at(CUBE, Vec3::ZERO), &Body::at(shape, [0.25, 0.0, 1.4]), "");
        assert_eq!(contact.features, [json!({"a": {"face": 4}, "b": feature})]);
        assert!(contact.points[0].distance(Vec3::new(0.25, 0.0, 0.95)) < sideways, "{contact:?}");
        assert!((contact.depths[0] - 0.1).abs() < 1e-7, "{contact:?}");
    }
}

#[test]
fn bodies_apart_have_no_contact_but_within_the_margin() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [0.0, 0.0, 2.125]));
    for method in METHODS {
        let more = |margin: f64| format!(r#","method":"{method}","margin":{margin}"#);
        let text = Session::new().answer(&question("manifold", &a, &b, &more(0.0))).unwrap().to_string();
        let none = r#""points":[],"points_a":[],"points_b":[],"depths":[],"features":[],"end":"converged""#;
        assert_eq!(text, format!(r#"{{"normal":null,"depth":null,{none}}}"#));
        for (margin, points) in [(0.0625, 0), (0.125, 4), (0.25, 4), (1e308, 4)] {
            let contact = contact(&a, &b, &more(margin));
            assert_eq!(contact.depths, vec![-0.125; points], "{method}, {margin}");
        }
    }
    // Touching is contact.
    assert_eq!(contact(&a, &Body::at(CUBE, [0.0, 0.0, 2.0]), "").depths, [0.0; 4]);
}

#[test]
fn there_are_no_more_points_than_asked_for() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [0.5, 0.25, 1.9]));
    let mug = r#"{"type":"cylinder","half_height":1,"radius":0.5}"#;
    let c = Body::at(mug, [0.0, 0.0, 1.9]);
    for most in 1..=16 {
        let more = format!(r#","max_points":{most}"#);
        assert_eq!(check(&a, &b, &more, most), most.min(4));
        assert_eq!(check(&a, &c, &more, most), most, "a rim has corners enough");
    }
    assert_eq!(check(&a, &c, "", 4), 4);
}

#[test]
fn every_pair_of_types_keeps_every_promise() {
    let mut rng = Rng::new(31);
    let mut touching = HitRate::new("touching");
    for (shape_a, ..) in SHAPES {
        for (shape_b, ..) in SHAPES {
            let (a, b) = (Body::random(shape_a, &mut rng, 2.0), Body::random(shape_b, &mut rng, 3.0));
            for method in METHODS {
                touching.record(check(&a, &b, &format!(r#","method":"{method}""#), 4) > 0);
            }
            let contact = contact(&a, &b, "");
            for (on_a, on_b) in contact.points_a.iter().zip(&contact.points_b) {
                let line = question("manifold", &a, &b, "");
                assert!(is_inside(&a, *on_a, 1e-5) && is_inside(&b, *on_b, 1e-5), "{line}: {contact:?}");
            }
        }
    }
    touching.assert_between(0.2, 0.9);
}

#[test]
fn bad_options_are_named() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(BALL, Vec3::X));
    let refuses = |more: &str, code: &str, message: &str| {
        let answer = ask_once(&question("manifold", &a, &b, &format!(",{more}")));
        assert_eq!(error(&answer).0, code, "{answer}");
        assert!(error(&answer).1.contains(message), "{message:?} is not in {answer}");
    };
    for given in ["0", "17", "-1", "4.0", "1e1", "99999999999999999999"] {
        let message = format!("max_points must be a whole number from 1 to 16, not '{given}'");
        refuses(&format!(r#""max_points":{given}"#), "bad-field", &message);
    }
    refuses(r#""max_points":"4""#, "bad-field", "max_points must be a number, not a string");
    refuses(r#""max_points":null"#, "bad-field", "max_points must be a number, not null");
    refuses(r#""margin":-0.5"#, "bad-field", "margin is -0.5; it must not be negative");
    refuses(r#""margin":1e999"#, "bad-field", "margin is '1e999'");
    refuses(r#""margin":[]"#, "bad-field", "margin must be a number");
    refuses(r#""method":"clips""#, "unknown-algorithm", "method is 'clips', no known one (did you mean 'clip'");
    refuses(r#""method":7"#, "bad-field", "method must be a string");
    refuses(r#""algorithm":"auto""#, "unknown-field", "algorithm");
    let line = format!(r#"{{"op":"manifold","b":{CUBE}}}"#);
    assert_eq!(error(&ask_once(&line)), ("missing-field", "a is missing"));
}
