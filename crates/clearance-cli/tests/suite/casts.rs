//! The ops `cast` and `contacts` for bodies of every type, and `time_of_impact` for meshes and compounds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::{Pose, Quat, Vec3};
use clearance_cli::query::Session;
use clearance_testkit::{HitRate, Rng};
use common::bodies::vector;
use common::{CONCAVE, SHAPES, ask, ask_once, error};
use serde_json::{Value, json};

const CUBE: &str = r#"{"type":"mesh","vertices":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]],"faces":[[0,4,6,2],[1,3,7,5],[0,1,5,4],[2,6,7,3],[0,2,3,1],[4,5,7,6]]}"#;
const BOX: &str = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
const ROD: &str = r#"{"type":"cuboid","half_extents":[3,0.25,0.25]}"#;
const CAPSULE: &str = r#"{"type":"capsule","half_length":2.75,"radius":0.25}"#;
const SHEET: &str = r#"{"type":"mesh","vertices":[[-2,-2,0],[2,-2,0],[2,2,0],[-2,2,0]],"faces":[[0,1,2],[0,2,3]]}"#;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn cast(a: &str, b: &str, at: &str, motion: &str) -> Value {
    ask_once(&format!(r#"{{"op":"cast","a":{a},"b":{b},"pose_b":{{"translation":{at}}},{motion}}}"#))
}

#[test]
fn boxes_of_all_kinds_stop_at_each_other() {
    let posed = format!(r#"{{"type":"posed","shape":{BOX},"pose":{{"translation":[0,0,0]}}}}"#);
    let compound =
        format!(r#"{{"type":"compound","parts":[{{"type":"point","pose":{{"translation":[0,0,0.5]}}}},{BOX}]}}"#);
    for a in [CUBE, BOX, &posed, &compound] {
        for b in [CUBE, BOX, &posed, &compound] {
            let hit = cast(a, b, "[5,0.5,0]", r#""translation":[-6,0,0]"#);
            assert!((number(&hit["fraction"]) - 0.5).abs() < 1e-12, "{a} {b}: {hit}");
            assert!((vector(&hit["normal"]) - Vec3::X).length() < 1e-12 && hit["overlapping"] == false, "{hit}");
            assert!((vector(&hit["point"]).x - 1.0).abs() < 1e-12 && hit["end"] == "converged", "{hit}");
            let part = &hit["features"]["a"]["part"];
            assert!(if a == compound { *part == 1 } else { part.is_null() }, "{hit}");
            let free = cast(a, b, "[5,0.5,0]", r#""translation":[-2,0,0]"#);
            assert!(free["fraction"] == 1.0 && free["point"].is_null() && free["features"].is_null(), "{free}");
        }
    }
}

/// Right-handed: a rod along x that turns about z to the left meets what is at the left.
#[test]
fn rods_turn_into_blocks() {
    let origin = r#""origin":[0,0,0],"axis":[0,0,7]"#;
    for block in [CUBE, BOX] {
        for rod in [ROD, CAPSULE] {
            let turn = |angle: f64, y: f64| {
                ask_once(&format!(
                    r#"{{"op":"cast","a":{block},"pose_a":{{"translation":[0,{y},0]}},"b":{rod},"rotation":{{{origin},"angle":{angle}}}}}"#
                ))
            };
            let left = turn(1.5, 3.0);
            let right = turn(-1.5, -3.0);
            let [near, other] = [&left, &right].map(|answer| number(&answer["fraction"]));
            assert!((near - other).abs() < 1e-8 && near > 0.3 && near < 0.99, "{left} {right}");
            assert!(vector(&left["normal"]).y < 0.0 && vector(&right["normal"]).y > 0.0, "{left} {right}");
            // The other way round it is the far end of the rod that meets it.
            assert!((number(&turn(-1.5, 3.0)["fraction"]) - near).abs() < 1e-8);
            // Once round from behind.
            let far = turn(30.0, 3.0);
            assert!((number(&far["fraction"]) * 30.0 - near * 1.5).abs() < 1e-7, "{far}");
        }
    }
    let answer = ask_once(&format!(
        r#"{{"op":"cast","a":{BOX},"pose_a":{{"translation":[0,3,0]}},"b":{ROD},"rotation":{{{origin},"angle":1.5}}}}"#
    ));
    let angle = number(&answer["fraction"]) * 1.5;
    // The corner of the block at (1, 2), seen from the rod, is at its upper side.
    assert!((2.0 * angle.cos() - angle.sin() - 0.25).abs() < 1e-9, "{answer}");
}

fn turned(pose: &Pose, origin: Vec3, axis: Vec3, angle: f64) -> Pose {
    let turn = Quat::from_axis_angle(axis.normalize(), angle);
    Pose::new(origin + turn * (pose.translation() - origin), (turn * pose.rotation()).normalize().to_array()).unwrap()
}

fn pose_text(pose: &Pose) -> String {
    json!({ "translation": pose.translation().to_array(), "rotation": pose.rotation().to_array() }).to_string()
}

/// Every type with every type: the bodies do not overlap where a cast ends, and are near each other if something stopped it.
#[test]
fn every_pair_of_types_is_cast() {
    let mut rng = Rng::new(3);
    let (mut hits, mut free) = (HitRate::new("casts that hit"), 0);
    let all: Vec<&str> = SHAPES.iter().chain(CONCAVE).map(|(shape, ..)| *shape).chain([SHEET]).collect();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let from = rng.unit_vector() * 5.0;
            let pose_a = Pose::new([0.0; 3], rng.rotation().to_array()).unwrap();
            let pose_b = Pose::new(from, rng.rotation().to_array()).unwrap();
            let is_turn = (i + j) % 2 == 0;
            let (origin, axis, angle) = (from * 0.4 + rng.in_ball(0.5), rng.unit_vector(), rng.uniform(1.0, 4.0));
            let by = -from * 1.5;
            let motion = if is_turn {
                format!(
                    r#""rotation":{}"#,
                    json!({ "origin": origin.to_array(), "axis": axis.to_array(), "angle": angle })
                )
            } else {
                format!(r#""translation":{}"#, json!(by.to_array()))
            };
            let bodies = format!(r#""a":{a},"b":{b},"pose_a":{}"#, pose_text(&pose_a));
            let answer = ask_once(&format!(r#"{{"op":"cast",{bodies},"pose_b":{},{motion}}}"#, pose_text(&pose_b)));
            let what = format!("{bodies} {} {motion}: {answer}", pose_text(&pose_b));
            if answer["overlapping"] == true {
                let moved = Pose::new(pose_b.translation() + vector(&answer["way_out"]), pose_b.rotation().to_array());
                let there =
                    ask_once(&format!(r#"{{"op":"closest",{bodies},"pose_b":{}}}"#, pose_text(&moved.unwrap())));
                assert!(answer["overlap"] == true && number(&there["distance"]) > -1e-6, "{what}: {there}");
                continue;
            }
            let fraction = number(&answer["fraction"]);
            assert!((0.0..=1.0).contains(&fraction) && answer["end"] == "converged", "{what}");
            let end = if is_turn {
                turned(&pose_b, origin, axis, angle * fraction)
            } else {
                Pose::new(from + by * fraction, pose_b.rotation().to_array()).unwrap()
            };
            let there = ask_once(&format!(r#"{{"op":"closest",{bodies},"pose_b":{}}}"#, pose_text(&end)));
            let distance = number(&there["distance"]);
            let is_hit = !answer["point"].is_null();
            assert!(distance > -1e-7, "{what}: {there}");
            assert!(!is_hit || distance < 1e-6, "{what}: {there}");
            assert!(is_hit || fraction == 1.0, "{what}");
            hits.record(is_hit);
            free += usize::from(!is_hit);
        }
    }
    assert!(free > 20);
    hits.assert_between(0.2, 0.95);
}

#[test]
fn what_rests_may_leave_slide_and_turn_and_may_not_enter() {
    for a in [CUBE, BOX, SHEET] {
        let top = if a == SHEET { 1.0 } else { 2.0 };
        for b in [CUBE, BOX] {
            let at = format!("[0,0,{top}]");
            for free in [
                r#""translation":[0,0,1]"#.to_owned(),
                r#""translation":[3,0.75,0]"#.to_owned(),
                format!(r#""rotation":{{"origin":[0,0,{top}],"axis":[0,0,1],"angle":7}}"#),
            ] {
                let answer = cast(a, b, &at, &free);
                assert_eq!(answer["fraction"], 1.0, "{a} {b} {free}: {answer}");
            }
            for hit in [
                r#""translation":[0.5,0,-1]"#.to_owned(),
                format!(r#""rotation":{{"origin":[0,0,{top}],"axis":[1,0,0],"angle":1}}"#),
            ] {
                let answer = cast(a, b, &at, &hit);
                assert!(
                    number(&answer["fraction"]) < 1e-9 && answer["overlapping"] == false,
                    "{a} {b} {hit}: {answer}"
                );
                assert!(vector(&answer["normal"]).z > 0.9, "{a} {b} {hit}: {answer}");
            }
        }
    }
}

#[test]
fn a_sheet_stops_what_comes_from_either_side() {
    for b in [CUBE, BOX, CAPSULE] {
        let reach = if b == CAPSULE { 0.25 } else { 1.0 };
        for side in [1.0, -1.0] {
            let answer =
                cast(SHEET, b, &format!("[0,0,{}]", side * 3.0), &format!(r#""translation":[0,0,{}]"#, -side * 4.0));
            assert!((number(&answer["fraction"]) - (3.0 - reach) / 4.0).abs() < 1e-8, "{b}: {answer}");
            assert!((vector(&answer["normal"]).z - side).abs() < 1e-9, "{b}: {answer}");
        }
    }
}

#[test]
fn contacts_are_of_vertices_faces_and_edges() {
    let contacts = |a: &str, b: &str, at: &str, distance: f64| {
        ask_once(&format!(
            r#"{{"op":"contacts","a":{a},"b":{b},"pose_b":{{"translation":{at}}},"distance":{distance}}}"#
        ))
    };
    for a in [CUBE, BOX] {
        for b in [CUBE, BOX] {
            let answer = contacts(a, b, "[0.5,0.5,2.125]", 0.25);
            let list = answer["contacts"].as_array().unwrap();
            let kinds = |kind: &str| list.iter().filter(|c| !c["features"]["a"][kind].is_null()).count();
            assert_eq!((kinds("face"), kinds("vertex"), kinds("edge")), (1, 1, 2), "{answer}");
            for contact in list {
                assert!((number(&contact["distance"]) - 0.125).abs() < 1e-12, "{answer}");
                assert!((vector(&contact["normal"]) - Vec3::Z).length() < 1e-12, "{answer}");
                assert!((1.0..=2.125).contains(&vector(&contact["point"]).z), "{answer}");
            }
            assert_eq!(contacts(a, b, "[0.5,0.5,2.125]", 0.0625)["contacts"], json!([]));
        }
    }
    // Resting on a sheet from below: the normal goes down, and each corner is named once.
    for sheet in [SHEET, r#"{"type":"rectangle","half_extents":[2,2]}"#] {
        let answer = contacts(sheet, BOX, "[0,0,-1]", 0.0);
        let list = answer["contacts"].as_array().unwrap();
        assert!(list.len() == 4 && list.iter().all(|c| vector(&c["normal"]) == -Vec3::Z), "{answer}");
    }
    let table =
        format!(r#"{{"type":"compound","parts":[{BOX},{{"type":"point","pose":{{"translation":[5,0,-1]}}}}]}}"#);
    let answer = contacts(r#"{"type":"cuboid","half_extents":[9,9,1]}"#, &table, "[0,0,2]", 0.01);
    let parts: Vec<_> =
        answer["contacts"].as_array().unwrap().iter().map(|c| number(&c["features"]["b"]["part"])).collect();
    assert_eq!(parts, [0.0, 0.0, 0.0, 0.0, 1.0], "{answer}");
    let round = format!(r#"{{"type":"compound","parts":[{BOX},{{"type":"sphere","radius":1}}]}}"#);
    let answer = contacts(BOX, &round, "[0,0,2]", 0.01);
    let (code, message) = error(&answer);
    assert!(code == "unsupported-shape" && message.contains("b (part 1)"), "{message}");
    assert_eq!(error(&ask_once(&format!(r#"{{"op":"contacts","a":{BOX},"b":{BOX}}}"#))).0, "missing-field");
    assert_eq!(error(&contacts(BOX, BOX, "[0,0,2]", -1.0)).0, "bad-field");
}

#[test]
fn times_of_impact_of_meshes_and_compounds() {
    let mut session = Session::new();
    ask(&mut session, &format!(r#"{{"define":"cube","shape":{CUBE}}}"#));
    let row = r#"{"type":"compound","parts":["cube",{"type":"sphere","radius":0.5,"pose":{"translation":[-2,0,0]}}]}"#;
    for (b, expected, part) in [(r#""cube""#, 0.5, Value::Null), (row, 2.5 / 6.0, json!(1))] {
        let line = format!(
            r#"{{"op":"time_of_impact","a":"cube","b":{b},"pose_b":{{"translation":[5,0,0]}},"motion_b":{{"linear":[-6,0,0]}}}}"#
        );
        let line = if part.is_null() { line } else { line.replace("[5,0,0]", "[6,0,0]") };
        let answer = ask(&mut session, &line);
        let time = number(&answer["time"]);
        assert!(time <= expected && expected - time < 1e-5, "{answer}");
        assert_eq!(answer["features"]["b"]["part"], part, "{answer}");
        assert_eq!(answer["features"]["a"]["face"], 1, "{answer}");
        let free = ask(&mut session, &line.replace("[-6,0,0]", "[6,0,0]"));
        assert!(free["time"].is_null() && free["lower"] == 1.0, "{free}");
    }
    let parting = r#"{"op":"time_of_impact","a":"cube","b":"cube","pose_b":{"translation":[2,0,0]},"motion_b":{"linear":[1,0,0]}}"#;
    let answer = ask(&mut session, parting);
    assert!(answer["time"].is_null() && answer["at_start"] == false, "{answer}");
}

#[test]
fn bad_motions_are_named() {
    for (motion, code, part) in [
        (r#""id":1"#, "missing-field", "translation"),
        (r#""translation":[1,0,0],"rotation":{"origin":[0,0,0],"axis":[0,0,1],"angle":1}"#, "bad-field", "rotation"),
        (r#""rotation":{"axis":[0,0,1],"angle":1}"#, "missing-field", "rotation.origin"),
        (r#""rotation":{"origin":[0,0,0],"angle":1}"#, "missing-field", "rotation.axis"),
        (r#""rotation":{"origin":[0,0,0],"axis":[0,0,1]}"#, "missing-field", "rotation.angle"),
        (r#""rotation":{"origin":[0,0,0],"axis":[0,0,0],"angle":1}"#, "bad-direction", "rotation.axis"),
        (r#""rotation":{"origin":[0,0,0],"axis":[0,0,1],"angle":1,"w":2}"#, "unknown-field", "w"),
        (r#""rotation":{"origin":[0,0,1e300],"axis":[0,1,1],"angle":1}"#, "bad-pose", "range"),
        (r#""rotation":{"origin":[0,0,0],"axis":[0,0,1],"angle":"x"}"#, "bad-field", "rotation.angle"),
        (r#""translation":[1e300,0,0]"#, "bad-pose", "range"),
        (r#""translation":[1,0]"#, "bad-field", "translation"),
    ] {
        for b in [CUBE, BOX] {
            let answer = cast(CUBE, b, "[5,0,0]", motion);
            let (found, message) = error(&answer);
            assert!(found == code && message.contains(part), "{motion}: {answer}");
        }
    }
    let far = format!(
        r#"{{"op":"cast","a":{CUBE},"b":{CUBE},"pose_b":{{"translation":[1e20,0,0]}},"translation":[-2e20,0,0]}}"#
    );
    assert_eq!(error(&ask_once(&far)).0, "out-of-range");
}
