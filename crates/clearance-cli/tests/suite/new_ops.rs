//! `within`, `ray`, `project`, `pairs`, `slide`, `move`, `poses_b`, general motions and the bodies without end, against answers in
//! closed form; what is wrong with each; and the same questions in single precision through the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance::Vec3;
use common::bodies::vector;
use common::{answers, ask_once, error, run};
use serde_json::{Value, json};

const CUBE: &str = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
const BALL: &str = r#"{"type":"sphere","radius":0.5}"#;
const FLOOR: &str = r#"{"type":"half_space","normal":[0,0,2],"offset":2}"#; // solid where z ≤ 1
const FIELD: &str = r#"{"type":"height_field","heights":[[0,0,0],[0,0,null],[0,0,0]],"cell":[2,2]}"#;
const CLOUD: &str = r#"{"type":"points","points":[[0,0,0],[4,0,0]],"radius":0.25}"#;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn is(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() < 1e-8, "{value} is not {expected}");
}

fn is_at(value: &Value, expected: [f64; 3]) {
    assert!((vector(value) - Vec3::from(expected)).length() < 1e-6, "{value} is not {expected:?}");
}

fn bounded(answer: &Value, field: &str) {
    let [lower, value, upper] = ["lower", field, "upper"].map(|name| number(&answer[name]));
    assert!(lower <= value && value <= upper && upper - lower < 1e-6, "{answer}");
}

/// The answer of `closest` for a ball of radius one half at a place.
fn from_ball(a: &str, at: &str) -> Value {
    ask_once(&format!(r#"{{"op":"closest","a":{a},"b":{BALL},"pose_b":{{"translation":{at}}}}}"#))
}

fn refuses(line: &str, code: &str, message: &str) {
    let answer = ask_once(line);
    let (found, text) = error(&answer);
    assert!(found == code && text.contains(message), "{line}: {answer}");
}

#[test]
fn within_counts_the_distance_itself_and_says_why() {
    let ask = |distance: &str, a: &str| {
        ask_once(&format!(
            r#"{{"op":"within","a":{a},"b":{BALL},"pose_b":{{"translation":[2,0,0]}},"distance":{distance}}}"#
        ))
    };
    for a in [CUBE.to_owned(), format!(r#"{{"type":"compound","parts":[{CUBE}]}}"#)] {
        for (distance, within) in [("0.4", false), ("0.5", true), ("0.6", true)] {
            let answer = ask(distance, &a);
            assert!(answer["within"] == within && answer["end"] == "converged", "{answer}");
            assert!(number(&answer["lower"]) <= 0.5 && 0.5 <= number(&answer["upper"]), "{answer}");
            let witness = &answer["witness"];
            if within {
                let gap = vector(&witness["points"][1]) - vector(&witness["points"][0]);
                assert!(gap.length() <= number(&json!(distance.parse::<f64>().unwrap())) + 1e-9, "{answer}");
            } else {
                assert!(witness["plane"].is_object() || number(&witness["gap"]) > 0.4, "{answer}");
            }
        }
    }
    refuses(&format!(r#"{{"op":"within","a":{CUBE},"b":{CUBE}}}"#), "missing-field", "distance is missing");
    refuses(&format!(r#"{{"op":"within","a":{CUBE},"b":{CUBE},"distance":-1}}"#), "bad-field", "distance is -1");
    refuses(
        &format!(r#"{{"op":"within","a":{CUBE},"b":{CUBE},"distance":1,"margin":1}}"#),
        "unknown-field",
        "margin is no field here",
    );
}

#[test]
fn many_poses_are_answered_in_one_line() {
    let poses = r#""poses_b":[{"translation":[3,0,0]},{},{"translation":[1.75,0,0]}]"#;
    let ask = |op: &str, more: &str| ask_once(&format!(r#"{{"op":"{op}","a":{CUBE},"b":{CUBE}{more},{poses}}}"#));
    let closest = ask("closest", "");
    [1.0, -2.0, -0.25].into_iter().enumerate().for_each(|(i, gap)| is(&closest["answers"][i]["distance"], gap));
    let overlap = ask("overlap", "");
    let within = ask("within", r#","distance":0.5"#);
    for (answers, field) in [(&overlap, "overlap"), (&within, "within")] {
        let values: Vec<&Value> = answers["answers"].as_array().unwrap().iter().map(|one| &one[field]).collect();
        assert_eq!(values, [&json!(false), &json!(true), &json!(true)], "{answers}");
    }
    let none = ask_once(&format!(r#"{{"op":"overlap","a":{CUBE},"b":{CUBE},"poses_b":[]}}"#));
    assert_eq!(none, json!({"answers": []}));
    for op in ["overlap", "closest"] {
        let line = format!(r#"{{"op":"{op}","a":{CUBE},"b":{CUBE},"pose_b":{{}},{poses}}}"#);
        refuses(&line, "bad-field", "pose_b and poses_b are both given");
    }
    let line = format!(r#"{{"op":"closest","a":{CUBE},"b":{CUBE},"poses_b":[{{}},{{"rotation":[0,0,0,2]}}]}}"#);
    refuses(&line, "bad-pose", "poses_b[1].rotation");
    refuses(&format!(r#"{{"op":"manifold","a":{CUBE},"b":{CUBE},{poses}}}"#), "unknown-field", "poses_b is no field");
}

#[test]
fn rays_hit_first_and_pass_through() {
    let ask = |ray: &str| ask_once(&format!(r#"{{"op":"ray","a":{CUBE},"pose_a":{{"translation":[4,0,0]}},{ray}}}"#));
    let hit = ask(r#""origin":[0,0.5,0],"direction":[2,0,0]"#);
    is(&hit["t"], 1.5);
    bounded(&hit, "t");
    is_at(&hit["point"], [3.0, 0.5, 0.0]);
    is_at(&hit["normal"], [-1.0, 0.0, 0.0]);
    assert!(hit["side"] == "front" && hit["inside"] == false && hit["feature"]["face"].is_u64(), "{hit}");
    let out = ask(r#""origin":[4,0.5,0],"direction":[2,0,0]"#);
    is(&out["t"], 0.5);
    assert!(out["side"] == "back" && out["inside"] == true, "{out}");
    let all = ask(r#""origin":[0,0.5,0],"direction":[2,0,0],"all":true"#);
    let hits = all["hits"].as_array().unwrap();
    assert!(hits.len() == 2 && hits[0]["side"] == "front" && hits[1]["side"] == "back", "{all}");
    is(&hits[0]["t"], 1.5);
    is(&hits[1]["t"], 2.5);
    for miss in [r#""origin":[0,0.5,0],"direction":[2,0,0],"max":1.4"#, r#""origin":[0,0,0],"direction":[-1,0,0]"#] {
        let answer = ask(miss);
        assert!(answer["t"].is_null() && answer["feature"].is_null() && answer["end"] == "converged", "{answer}");
        assert_eq!(ask(&format!(r#"{miss},"all":true"#)), json!({"hits": []}));
    }
    for (a, t) in [(FLOOR, 4.0), (FIELD, 5.0), (CLOUD, 4.75)] {
        let line = format!(r#"{{"op":"ray","a":{a},"origin":[0,0,5],"direction":[0,0,-1]}}"#);
        is(&ask_once(&line)["t"], t);
    }
    // The hole of the field lets a ray through.
    let line = format!(r#"{{"op":"ray","a":{FIELD},"origin":[3.5,2,5],"direction":[0,0,-1]}}"#);
    assert!(ask_once(&line)["t"].is_null());
    let bad =
        |ray: &str, code: &str, message: &str| refuses(&format!(r#"{{"op":"ray","a":{CUBE},{ray}}}"#), code, message);
    bad(r#""origin":[0,0,0],"direction":[0,0,0]"#, "bad-direction", "direction");
    bad(r#""origin":[0,0,0]"#, "missing-field", "direction is missing");
    bad(r#""origin":[0,0,0],"direction":[1,0,0],"max":-1"#, "bad-field", "max is -1");
    bad(r#""origin":[0,0,0],"direction":[1,0,0],"all":1"#, "bad-field", "all must be a boolean");
    bad(r#""origin":[0,0,0],"direction":[1,0,0],"solid":true"#, "unknown-field", "solid is no field here");
}

#[test]
fn points_are_projected() {
    let ask = |a: &str, point: &str| ask_once(&format!(r#"{{"op":"project","a":{a},"point":{point}}}"#));
    for (a, point, distance, nearest, contact) in [
        (CUBE, "[3,0.5,0]", 2.0, [1.0, 0.5, 0.0], "apart"),
        (CUBE, "[0.75,0.5,0]", -0.25, [1.0, 0.5, 0.0], "overlapping"),
        (FLOOR, "[7,8,-2]", -3.0, [7.0, 8.0, 1.0], "overlapping"),
        (FIELD, "[1,0.5,2]", 2.0, [1.0, 0.5, 0.0], "apart"),
        (CLOUD, "[4,0,2]", 1.75, [4.0, 0.0, 0.25], "apart"),
    ] {
        let answer = ask(a, point);
        is(&answer["distance"], distance);
        bounded(&answer, "distance");
        is_at(&answer["nearest"], nearest);
        assert!(answer["contact"] == contact && answer["end"] == "converged", "{answer}");
    }
    assert_eq!(ask(CLOUD, "[4,0,2]")["feature"], json!({"vertex": 1}));
    let wedge =
        r#"{"type":"mesh","vertices":[[0,0,0],[6,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}"#;
    assert_eq!(ask(wedge, "[3,-1,-1]")["feature"], json!({"edge": [0, 1]}));
    refuses(&format!(r#"{{"op":"project","a":{CUBE}}}"#), "missing-field", "point is missing");
    refuses(&format!(r#"{{"op":"project","a":{CUBE},"point":[1,2]}}"#), "bad-field", "point must have 3 numbers");
    refuses(&format!(r#"{{"op":"project","a":{CUBE},"point":[1,2,3],"b":{CUBE}}}"#), "unknown-field", "b is no field");
}

#[test]
fn pairs_are_those_within_the_distance() {
    let bodies = format!(
        r#""bodies":[{{"shape":{BALL}}},{{"shape":{BALL},"pose":{{"translation":[1.5,0,0]}}}},{{"shape":{BALL},"pose":{{"translation":[0,9,0]}}}},{{"shape":{FLOOR}}}]"#
    );
    let ask = |within: &str| {
        let answer = ask_once(&format!(r#"{{"op":"pairs",{bodies}{within}}}"#));
        let pairs = answer["pairs"].as_array().unwrap().clone();
        pairs.iter().for_each(|pair| assert!(number(&pair["lower"]) <= number(&pair["upper"]), "{answer}"));
        let named = |pair: &Value| (pair["a"].as_u64().unwrap(), pair["b"].as_u64().unwrap());
        (pairs.iter().map(named).collect::<Vec<_>>(), pairs)
    };
    // The floor reaches up to z = 1 and has all balls in it.
    assert_eq!(ask("").0, [(0, 3), (1, 3), (2, 3)]);
    let (names, pairs) = ask(r#","within":0.5"#);
    assert_eq!(names, [(0, 1), (0, 3), (1, 3), (2, 3)]);
    is(&pairs[0]["distance"], 0.5);
    is(&pairs[1]["distance"], -1.5);
    assert_eq!(ask(r#","within":100"#).0.len(), 6);
    assert_eq!(ask_once(r#"{"op":"pairs","bodies":[]}"#), json!({"pairs": []}));
    refuses(r#"{"op":"pairs"}"#, "missing-field", "bodies is missing");
    refuses(&format!(r#"{{"op":"pairs",{bodies},"within":-1}}"#), "bad-field", "within is -1");
    refuses(r#"{"op":"pairs","bodies":[{"pose":{}}]}"#, "missing-field", "bodies[0].shape is missing");
    let line = format!(r#"{{"op":"pairs","bodies":[{{"shape":{BALL},"at":[0,0,0]}}]}}"#);
    refuses(&line, "unknown-field", "bodies[0].at is no field here");
}

#[test]
fn bodies_are_pushed_out() {
    let ask = |a: &str, at: &str| {
        ask_once(&format!(r#"{{"op":"push_out","a":{a},"b":{BALL},"pose_b":{{"translation":{at}}}}}"#))
    };
    let way = |answer: &Value| vector(&answer["translation"]);
    let out = ask(CUBE, "[1.25,0,0]");
    assert!((way(&out) - Vec3::new(0.25, 0.0, 0.0)).length() < 1e-3, "{out}");
    assert!(out["end"] == "converged" && out["after"]["contact"] != "overlapping", "{out}");
    assert_eq!(way(&ask(CUBE, "[3,0,0]")), Vec3::ZERO);
    let wall = |x: &str| format!(r#"{{"type":"cuboid","half_extents":[0.5,5,5],"pose":{{"translation":[{x},0,0]}}}}"#);
    let walls = format!(r#"{{"type":"compound","parts":[{},{}]}}"#, wall("-1.1"), wall("1.1"));
    let out = ask(&walls, "[-0.3,0,0]");
    assert!((way(&out) - Vec3::new(0.2, 0.0, 0.0)).length() < 1e-3, "{out}");
    refuses(r#"{"op":"push_out","a":{"type":"sphere","radius":1}}"#, "missing-field", "b is missing");
}

#[test]
fn a_ball_slides_along_the_floor() {
    let ask = |start: &str, way: &str, obstacles: &str, more: &str| {
        ask_once(&format!(
            r#"{{"op":"slide","b":{BALL},"pose_b":{{"translation":{start}}},"translation":{way},"obstacles":[{obstacles}]{more}}}"#
        ))
    };
    let floor = r#"{"shape":{"type":"cuboid","half_extents":[9,9,1]}}"#;
    let near = |value: &Value, expected: [f64; 3]| {
        assert!((vector(value) - Vec3::from(expected)).length() < 1e-4, "{value} is not {expected:?}");
    };
    let slid = ask("[0,0,3]", "[4,0,-6]", floor, "");
    near(&slid["pose"]["translation"], [4.0, 0.0, 1.5]);
    assert!(slid["end"] == "slid" && slid["contacts"][0]["obstacle"] == 0, "{slid}");
    near(&slid["contacts"][0]["normal"], [0.0, 0.0, 1.0]);
    near(&ask("[0,0,3]", "[4,0,-6]", floor, r#","clearance":0.25"#)["pose"]["translation"], [4.0, 0.0, 1.75]);
    let free = ask("[0,0,3]", "[4,0,0]", "", "");
    assert!(free["end"] == "free" && free["fraction"] == 1.0 && free["contacts"] == json!([]), "{free}");
    let inside = ask("[0,0,1]", "[4,0,0]", floor, "");
    assert_eq!(inside["end"], "overlapping");
    assert!(vector(&inside["way_out"]).z >= 0.5 - 1e-9, "{inside}");
    let line = format!(r#"{{"op":"slide","b":{BALL},"translation":[1,0,0]"#);
    refuses(&format!("{line}}}"), "missing-field", "obstacles is missing");
    refuses(&format!(r#"{line},"obstacles":[],"clearance":-1}}"#), "bad-field", "clearance is -1");
    refuses(&format!(r#"{line},"obstacles":[],"a":{CUBE}}}"#), "unknown-field", "a is no field here");
    refuses(&format!(r#"{line},"obstacles":[{{"shape":"none"}}]}}"#), "undefined-shape", "obstacles[0].shape");
}

#[test]
fn a_rod_moves_and_turns_until_it_meets_the_floor() {
    let rod = r#"{"type":"segment","half_length":2}"#;
    let ask = |more: &str| {
        ask_once(&format!(
            r#"{{"op":"move","b":{rod},"pose_b":{{"translation":[0,0,3]}},"obstacles":[{{"shape":{FLOOR}}}],{more}}}"#
        ))
    };
    // One above the floor, an end of the rod meets it at 30 degrees. The rotation's origin moves with the rod.
    let turn = r#""rotation":{"origin":[0,0,3],"axis":[0,1,0],"angle":1}"#;
    let moved = ask(&format!(r#""translation":[0,0,-1],{turn}"#));
    is(&moved["fractions"][0], 1.0);
    assert!((number(&moved["fractions"][1]) - std::f64::consts::FRAC_PI_6).abs() < 1e-6, "{moved}");
    assert_eq!(moved["contacts"].as_array().map(Vec::len), Some(1), "{moved}");
    assert!(moved["contacts"][0]["obstacle"] == 0 && moved["end"] == json!(["converged", "converged"]), "{moved}");
    for i in 0..2 {
        let [lower, fraction, upper] = ["lower", "fractions", "upper"].map(|name| number(&moved[name][i]));
        assert!(lower <= fraction && fraction <= upper, "{moved}");
    }
    let down = ask(r#""translation":[0,0,-4]"#);
    assert!((number(&down["fractions"][0]) - 0.5).abs() < 1e-6 && down["fractions"][1] == 1.0, "{down}");
    let keeping = ask(r#""translation":[0,0,-4],"clearance":1"#);
    assert!((number(&keeping["fractions"][0]) - 0.25).abs() < 1e-6, "{keeping}");
    let line = format!(r#"{{"op":"move","b":{rod},"obstacles":[]"#);
    refuses(&format!("{line}}}"), "missing-field", "translation is missing; a move has it, a rotation, or both");
    let axis = r#""rotation":{"origin":[0,0,0],"axis":[0,0,0],"angle":1}"#;
    refuses(&format!("{line},{axis}}}"), "bad-direction", "rotation.axis is zero");
    refuses(&format!(r#"{line},"translation":[0,0,1],"motion":{{}}}}"#), "unknown-field", "motion is no field here");
}

#[test]
fn casts_follow_any_motion_and_keep_a_distance() {
    let ask = |more: &str| {
        ask_once(&format!(r#"{{"op":"cast","a":{CUBE},"b":{BALL},"pose_b":{{"translation":[5.5,0,0]}},{more}}}"#))
    };
    for (more, fraction) in [
        (r#""motion":{"to":{"translation":[-2.5,0,0]}}"#, 0.5),
        (r#""motion":{"linear":[-8,0,0],"angular":[1,0,0]}"#, 0.5),
        (r#""translation":[-8,0,0],"clearance":2"#, 0.25),
        (r#""motion":{"linear":[-8,0,0]},"clearance":2"#, 0.25),
    ] {
        let stop = ask(more);
        assert!((number(&stop["fraction"]) - fraction).abs() < 1e-6 && stop["start"] == "apart", "{more}: {stop}");
        assert!(number(&stop["lower"]) <= fraction && fraction <= number(&stop["upper"]), "{more}: {stop}");
        assert!((number(&stop["distance"]) - if more.contains("clear") { 2.0 } else { 0.0 }).abs() < 1e-4, "{stop}");
    }
    let both = format!(r#"{{"op":"cast","a":{CUBE},"b":{BALL},"translation":[1,0,0],"motion":{{"linear":[1,0,0]}}}}"#);
    refuses(&both, "bad-field", "motion and translation are both given");
    let bad = |motion: &str, code: &str, message: &str| {
        refuses(&format!(r#"{{"op":"cast","a":{CUBE},"b":{BALL},"motion":{motion}}}"#), code, message);
    };
    bad("{}", "missing-field", "motion must have an end pose (to) or velocities");
    bad(r#"{"to":{},"linear":[1,0,0]}"#, "unknown-field", "motion.linear is no field here");
    bad(r#"{"to":{"rotation":[0,0,0,3]}}"#, "bad-pose", "motion.to.rotation");

    let impact = |more: &str| {
        ask_once(&format!(
            r#"{{"op":"time_of_impact","a":{CUBE},"b":{BALL},"pose_b":{{"translation":[5.5,0,0]}},"motion_b":{{"linear":[-8,0,0]}}{more}}}"#
        ))
    };
    for (more, time) in [("", 0.5), (r#","clearance":2"#, 0.25)] {
        let met = impact(more);
        assert!((number(&met["time"]) - time).abs() < 1e-5 && met["at_start"] == false, "{met}");
        assert!(met["start"] == "apart" && number(&met["lower"]) <= number(&met["upper"]), "{met}");
    }
    assert!(impact(r#","motion_a":{"linear":[-8,0,0]}"#)["time"].is_null());
    let inside = ask_once(&format!(r#"{{"op":"time_of_impact","a":{CUBE},"b":{BALL}}}"#));
    assert!(inside["start"] == "overlapping" && inside["at_start"] == true && inside["way_out"].is_array(), "{inside}");
}

#[test]
fn bodies_without_end_and_surfaces_have_distances() {
    is(&from_ball(FLOOR, "[9,9,3]")["distance"], 1.5);
    is(&from_ball(FLOOR, "[9,9,1]")["distance"], -0.5);
    is(&from_ball(FIELD, "[1,1,3]")["distance"], 2.5);
    is(&from_ball(CLOUD, "[4,0,3]")["distance"], 2.25);
    // Hulls of two balls, and of two discs.
    let finger = r#"{"type":"tapered_capsule","half_length":1,"radii":[0.5,0.25]}"#;
    is(&from_ball(finger, "[3,0,0]")["distance"], 1.25);
    is(&from_ball(finger, "[-3,0,0]")["distance"], 1.0);
    let bucket = r#"{"type":"tapered_cylinder","bottom_radius":0.5,"top_radius":1,"height":2}"#;
    let volume = ask_once(&format!(r#"{{"op":"describe","a":{bucket}}}"#))["volume"].clone();
    is(&volume, std::f64::consts::PI * 2.0 * (0.25 + 0.5 + 1.0) / 3.0);
    for op in ["aabb", "describe"] {
        assert_eq!(error(&ask_once(&format!(r#"{{"op":"{op}","a":{FLOOR}}}"#))).0, "out-of-range");
    }
    let box_of = ask_once(&format!(r#"{{"op":"aabb","a":{FIELD},"pose_a":{{"translation":[1,1,1]}}}}"#));
    assert_eq!(box_of, json!({"min": [1.0, 1.0, 1.0], "max": [5.0, 5.0, 1.0]}));
}

#[test]
fn every_shape_may_be_padded() {
    let compound = format!(r#"{{"type":"compound","parts":[{CUBE}]}}"#);
    for (shape, gap) in [(CUBE, 1.5), (&compound, 1.5), (FLOOR, 1.5), (FIELD, 2.5), (CLOUD, 2.25)] {
        let padded = format!(r#"{},"padding":0.25}}"#, shape.strip_suffix('}').unwrap());
        is(&from_ball(shape, "[0,0,3]")["distance"], gap);
        is(&from_ball(&padded, "[0,0,3]")["distance"], gap - 0.25);
        let bad = format!(r#"{},"padding":-1}}"#, shape.strip_suffix('}').unwrap());
        refuses(&format!(r#"{{"define":"s","shape":{bad}}}"#), "bad-shape", "shape.padding is -1");
    }
}

#[test]
fn shapes_that_are_none_are_refused() {
    let bad = |shape: &str, code: &str, message: &str| {
        refuses(&format!(r#"{{"define":"s","shape":{shape}}}"#), code, message);
    };
    bad(r#"{"type":"half_space","normal":[0,0,0]}"#, "bad-shape", "shape.normal");
    bad(r#"{"type":"half_space"}"#, "missing-field", "shape.normal is missing");
    bad(r#"{"type":"half_space","normal":[0,0,1],"distance":1}"#, "unknown-field", "shape.distance is no field");
    let field = |heights: &str, cell: &str| format!(r#"{{"type":"height_field","heights":{heights},"cell":{cell}}}"#);
    bad(&field("[[0,0]]", "[1,1]"), "bad-shape", "no cells");
    bad(&field("[]", "[1,1]"), "bad-shape", "no cells");
    bad(&field("[[0,0],[0]]", "[1,1]"), "bad-shape", "shape.heights[1] has 1 numbers; the first row has 2");
    bad(&field("[[0,0],[0,null]]", "[0,1]"), "bad-shape", "cell");
    bad(&field("[[null,0],[0,null]]", "[1,1]"), "bad-shape", "heights");
    bad(&field(r#"[[0,0],[0,"high"]]"#, "[1,1]"), "bad-field", "shape.heights[1][1] must be a number");
    bad(&field("[[0,0],[0,1e999]]", "[1,1]"), "bad-field", "shape.heights[1][1]");
    bad(r#"{"type":"height_field","heights":[[0,0],[0,0]]}"#, "missing-field", "shape.cell is missing");
    bad(r#"{"type":"points","points":[]}"#, "bad-shape", "shape.points");
    bad(r#"{"type":"points","points":[[0,0,0]],"radius":-1}"#, "bad-shape", "shape.radius is -1");
    bad(r#"{"type":"tapered_capsule","half_length":1,"radii":[1,-1]}"#, "bad-shape", "radii");
    bad(r#"{"type":"tapered_cylinder","bottom_radius":1,"top_radius":1,"height":0}"#, "bad-shape", "height");
    bad(&format!(r#"{{"type":"compound","parts":[{FLOOR}]}}"#), "bad-shape", "shape.parts is refused");
    bad(&format!(r#"{{"type":"rounded","shape":{FLOOR},"radius":1}}"#), "unsupported-shape", "half-space");
}

/// Close to the answers in double precision, and numbers of single precision: each reads back as an f32.
#[test]
fn single_precision_through_the_program() {
    let input = [
        format!(r#"{{"op":"closest","a":{CUBE},"b":{BALL},"pose_b":{{"translation":[2.1,1.3,0]}}}}"#),
        format!(r#"{{"op":"project","a":{CUBE},"point":[1.1,1.3,0.7]}}"#),
        format!(r#"{{"op":"ray","a":{BALL},"origin":[3.3,0.1,0],"direction":[-1,0,0]}}"#),
    ]
    .join("\n");
    let [double, single] = ["f64", "f32"].map(|precision| {
        let output = run(&["query", "--precision", precision], input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        answers(&output)
    });
    for (field, (double, single)) in ["distance", "distance", "t"].into_iter().zip(double.iter().zip(&single)) {
        let (wide, narrow) = (number(&double[field]), number(&single[field]));
        assert!((wide - narrow).abs() < 1e-5, "{double} {single}");
        assert_eq!(f64::from(narrow as f32), narrow, "{single}");
        assert_ne!(f64::from(wide as f32), wide, "{double}");
        let bounds = ["lower", "upper"].map(|name| number(&single[name]));
        assert!(bounds[0] <= wide && wide <= bounds[1], "{double} {single}");
    }
    assert_eq!(run(&["query", "--precision", "f16"], b"").status.code(), Some(2));
    let far = run(&["query", "--precision", "f32"], br#"{"op":"aabb","a":{"type":"sphere","radius":1e60}}"#);
    assert_eq!(error(&answers(&far)[0]).0, "bad-field");
}
