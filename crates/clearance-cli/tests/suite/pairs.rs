//! `overlap` and `closest` through a session: what their answers promise, on every pair of shape types.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::Vec3;
use clearance_cli::query::Session;
use clearance_testkit::{HitRate, Rng};
use common::bodies::{BALL, Body, COARSE, CUBE, check, meets, near, question};
use common::{SHAPES, ask};

#[test]
fn every_pair_of_types_keeps_every_promise() {
    let mut rng = Rng::new(11);
    let mut overlaps = HitRate::new("overlapping");
    for (shape_a, ..) in SHAPES {
        for (shape_b, ..) in SHAPES {
            for _ in 0..3 {
                let (a, b) = (Body::random(shape_a, &mut rng, 2.0), Body::random(shape_b, &mut rng, 3.0));
                let answer = check(&a, &b, "", 20.0, 5.0);
                overlaps.record(answer.distance < 0.0);
                let swapped = near(&b, &a, "");
                let slack = COARSE * answer.distance.abs() + 1e-5;
                assert!((swapped.distance - answer.distance).abs() < slack, "{answer:?} {swapped:?}");
            }
        }
    }
    overlaps.assert_between(0.2, 0.9);
}

#[test]
fn distances_run_through_zero_from_a_to_b() {
    for x in [4.0, 2.0, 1.5 + 1e-9, 1.5, 1.5 - 1e-9, 1.25, 1.0, 0.75] {
        let (a, b) = (Body::at(CUBE, [10.0, 20.0, 30.0]), Body::at(BALL, [10.0 + x, 20.0, 30.0]));
        let answer = check(&a, &b, "", 4.0, 40.0);
        assert!((answer.distance - (x - 1.5)).abs() < 1e-6, "{x}: {answer:?}");
        assert!(answer.normal.distance(Vec3::X) < 1e-3, "{x}: {answer:?}");
        assert!((answer.points[0].x - 11.0).abs() < 1e-6, "the point of a is on its face: {answer:?}");
        let swapped = check(&b, &a, "", 4.0, 40.0);
        assert!((swapped.distance - answer.distance).abs() < 1e-12, "{x}: {answer:?} {swapped:?}");
        assert!(swapped.normal.distance(-answer.normal) < 1e-6, "{x}: {answer:?} {swapped:?}");
        assert!(swapped.points[1].distance(answer.points[0]) < 1e-6, "{x}: {answer:?} {swapped:?}");
    }
}

#[test]
fn the_members_of_an_answer_have_their_order() {
    let (a, b) = (Body::at(CUBE, Vec3::ZERO), Body::at(CUBE, [3.0, 0.0, 0.0]));
    let text = |op| Session::new().answer(&question(op, &a, &b, "")).unwrap().to_string();
    let order = |text: &str, names: &[&str]| {
        let places: Vec<usize> = names.iter().map(|name| text.find(&format!("\"{name}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    };
    order(&text("closest"), &["distance", "lower", "upper", "points", "normal", "end", "iterations"]);
    order(&text("overlap"), &["overlap", "witness", "plane", "normal", "offset_a", "offset_b", "end", "iterations"]);
}

#[test]
fn answers_turn_and_move_with_the_bodies() {
    // The rotation takes x to y, y to z and z to x.
    let turned = |shape: &str, translation: [f64; 3]| Body { rotation: [0.5; 4], ..Body::at(shape, translation) };
    let block = r#"{"type":"cuboid","half_extents":[1,2,3]}"#;
    let answer = check(&turned(block, [0.0; 3]), &turned(block, [0.0, 2.5, 0.0]), "", 8.0, 3.0);
    assert!((answer.distance - 0.5).abs() < 1e-14 && answer.normal.distance(Vec3::Y) < 1e-14, "{answer:?}");
    for far in [1e3, 1e6, 1e9, 1e12] {
        let (a, b) = (turned(block, [far, -far, far]), turned(block, [far, 2.5 - far, far]));
        let answer = check(&a, &b, "", 8.0, far);
        assert!((answer.distance - 0.5).abs() < 1e-13, "{far}: {answer:?}");
    }
    // Far from each other the direction is known and the gap is still exact.
    let answer = check(&Body::at(BALL, Vec3::ZERO), &Body::at(BALL, [3e9, 0.0, 4e9]), "", 1e10, 5e9);
    assert!((answer.distance - (5e9 - 1.0)).abs() < 1e-3, "{answer:?}");
}

#[test]
fn sizes_scale() {
    for scale in ["e-60", "e-6", "e0", "e6", "e60"] {
        let cube = format!(r#"{{"type":"cuboid","half_extents":[1{scale},1{scale},1{scale}]}}"#);
        let unit: f64 = format!("1{scale}").parse().unwrap();
        for gap in [0.5, -0.5] {
            let (a, b) = (Body::at(&cube, Vec3::ZERO), Body::at(&cube, [(2.0 + gap) * unit, 0.0, 0.0]));
            let answer = near(&a, &b, "");
            assert!((answer.distance / unit - gap).abs() < 1e-12, "{scale} {gap}: {answer:?}");
            assert_eq!(answer.end, "converged");
            assert_eq!(meets(&a, &b, "", 1e-12 * unit), gap < 0.0);
        }
    }
}

#[test]
fn defined_shapes_are_used_again_and_again() {
    let mut session = Session::new();
    ask(&mut session, &format!(r#"{{"define":"cube","shape":{CUBE}}}"#));
    let mut distance = |b: &str, x: f64| {
        let line = format!(r#"{{"id":{x},"op":"closest","a":"cube","b":{b},"pose_b":{{"translation":[{x},0,0]}}}}"#);
        let answer = ask(&mut session, &line);
        assert_eq!(answer["id"].as_f64(), Some(x));
        answer["distance"].as_f64().unwrap()
    };
    for x in [3.0, 2.5, 2.0, 2.5, 3.0] {
        let (named, inline) = (distance("\"cube\"", x), distance(CUBE, x));
        assert_eq!(named, inline, "names and earlier questions change nothing");
        assert!((named - (x - 2.0)).abs() < 1e-14);
    }
}

#[test]
fn a_shape_on_itself() {
    for (shape, _, volume) in SHAPES {
        for translation in [Vec3::ZERO, Vec3::new(1e6, -2e6, 0.5)] {
            let body = Body::at(shape, translation);
            let answer = check(&body, &body, "", 20.0, translation.length());
            let tolerance = 1e-13 * (20.0 + translation.length());
            if *volume > 0.0 {
                assert!(answer.distance < -0.1, "{shape}: {answer:?}");
            } else {
                // Flat bodies need no way to part.
                assert!(answer.distance.abs() <= tolerance, "{shape}: {answer:?}");
            }
            assert!(meets(&body, &body, "", 1e-6), "{shape}");
        }
    }
    let point = Body::at(r#"{"type":"point"}"#, Vec3::ZERO);
    let answer = near(&point, &point, "");
    assert_eq!((answer.distance, answer.points), (0.0, [Vec3::ZERO; 2]));
}
