//! Every op and every shape type, through a session.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "tests")]

use crate::common;
use clearance_cli::query::{Session, shapes::type_names};
use common::{CONCAVE, OTHERS, SHAPES, ask, ask_once, error};
use serde_json::json;

#[test]
fn every_shape_type_is_defined_and_described() {
    for (shape, counts, volume) in SHAPES.iter().chain(CONCAVE) {
        let mut session = Session::new();
        let defined = ask(&mut session, &format!(r#"{{"define":"s","shape":{shape}}}"#));
        assert_eq!(defined, json!({"defined": "s"}), "{shape}");
        let described = ask(&mut session, r#"{"op":"describe","a":"s"}"#);
        let counted = json!([described["vertices"], described["edges"], described["faces"]]);
        let expected = if *counts == "null" { "[null,null,null]" } else { counts };
        assert_eq!(counted.to_string(), expected, "{shape}");
        let difference = described["volume"].as_f64().unwrap() - volume;
        assert!(difference.abs() <= 1e-12 * volume, "{shape}: {described}");
        assert_eq!(described["centroid"].as_array().unwrap().len(), 3);
        let bounds = ask(&mut session, r#"{"op":"aabb","a":"s"}"#);
        let far = ask(&mut session, r#"{"op":"support","a":"s","direction":[0,0,5]}"#);
        let high = bounds["max"][2].as_f64().unwrap();
        assert!((far["point"][2].as_f64().unwrap() - high).abs() < 1e-12, "{shape}: {bounds} {far}");
        assert!((far["value"].as_f64().unwrap() - 5.0 * high).abs() < 1e-11, "{shape}: {bounds} {far}");
    }
}

#[test]
fn the_list_of_examples_has_every_type() {
    for name in type_names() {
        let start = format!(r#"{{"type":"{name}""#);
        let mut all = SHAPES.iter().chain(CONCAVE).map(|(shape, ..)| shape).chain(OTHERS);
        assert!(all.any(|shape| shape.starts_with(&start)), "{name}");
    }
}

#[test]
fn answers_are_in_world_space_and_their_members_in_order() {
    let mut session = Session::new();
    let line = r#"{"op":"support","id":"x","a":{"type":"cuboid","half_extents":[1,2,3]},"pose_a":{"translation":[10,0,0],"rotation":[0.5,0.5,0.5,0.5]},"direction":[1,1,1]}"#;
    // The rotation takes x to y, y to z and z to x.
    let answer = session.answer(line).unwrap().to_string();
    assert_eq!(answer, r#"{"id":"x","point":[13.0,1.0,2.0],"value":16.0}"#);
    let line = line.replace("support", "aabb").replace(r#","direction":[1,1,1]"#, "");
    let answer = session.answer(&line).unwrap().to_string();
    assert_eq!(answer, r#"{"id":"x","min":[7.0,-1.0,-2.0],"max":[13.0,1.0,2.0]}"#);
    let described = ask(&mut session, &line.replace("aabb", "describe"));
    assert_eq!(described["centroid"], json!([10.0, 0.0, 0.0]));
}

#[test]
fn directions_of_any_length_give_the_same_point() {
    let points = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.1]]);
    let at = |scale: &str| {
        let line = format!(
            r#"{{"op":"support","a":{{"type":"polytope","points":{points}}},"direction":[1{scale},2{scale},3{scale}]}}"#
        );
        ask_once(&line)
    };
    assert_eq!(at("e0")["point"], json!([1.0, 1.0, 1.1]));
    for scale in ["e-320", "e-200", "e200", "e307"] {
        assert_eq!(at(scale)["point"], json!([1.0, 1.0, 1.1]), "{scale}");
    }
    let value = at("e300")["value"].as_f64().unwrap();
    assert!((value / 6.3e300 - 1.0).abs() < 1e-15, "{value}");
}

#[test]
fn an_answer_that_overflows_is_an_error() {
    let line = r#"{"op":"support","a":{"type":"sphere","radius":1e70},"direction":[1e300,0,0]}"#;
    assert_eq!(error(&ask_once(line)).0, "out-of-range");
}

#[test]
fn ids_of_any_kind_are_echoed_as_given() {
    for id in ["1", "-0.10", "1e999", "123456789012345678901234567890", "\"é\\n\"", "null", "[1,{\"k\":true}]"] {
        let good = format!(r#"{{"op":"aabb","a":{{"type":"point"}}, "id" : {id} }}"#);
        let bad = format!(r#"{{"id":{id},"op":"fly"}}"#);
        let cut = format!(r#"{{"id":{id},"op":"#);
        for line in [good, bad, cut] {
            let answer = Session::new().answer(&line).unwrap().to_string();
            assert!(answer.starts_with(&format!(r#"{{"id":{id},"#)), "{answer}");
        }
    }
    let spread = Session::new().answer("{\"id\":[ 1,\r\n\"a b\" ],\"op\":1}").unwrap().to_string();
    assert!(spread.starts_with(r#"{"id":[1,"a b"],"error""#), "{spread}");
    assert!(ask_once(r#"{"op":"aabb","a":{"type":"point"}}"#).get("id").is_none());
}

#[test]
fn definitions_are_replaced_and_may_name_others() {
    let mut session = Session::new();
    ask(&mut session, r#"{"define":"s","shape":{"type":"sphere","radius":1}}"#);
    let defined = ask(&mut session, r#"{"id":9,"define":"t","shape":{"type":"sum","of":["s","s"]}}"#);
    assert_eq!(defined, json!({"id": 9, "defined": "t"}));
    ask(&mut session, r#"{"define":"s","shape":{"type":"sphere","radius":5}}"#);
    let reach =
        |session: &mut Session, name: &str| ask(session, &format!(r#"{{"op":"aabb","a":"{name}"}}"#))["max"][0].clone();
    assert_eq!(reach(&mut session, "s"), json!(5.0));
    // What was made of the first one stays.
    assert_eq!(reach(&mut session, "t"), json!(2.0));
    assert_eq!(session.definitions(), 2);
    // A line that fails defines nothing.
    ask(&mut session, r#"{"define":"s","shape":{"type":"sphere","radius":-1}}"#);
    assert_eq!(reach(&mut session, "s"), json!(5.0));
}

#[test]
fn parts_are_posed_once() {
    let part = r#"{"type":"posed","shape":{"type":"point"},"pose":{"translation":[3,0,0]}}"#;
    let line = format!(
        r#"{{"op":"aabb","a":{{"type":"sum","of":[{part},{{"type":"point","pose":{{"translation":[0,4,0]}}}}]}}}}"#
    );
    assert_eq!(ask_once(&line), json!({"min": [3.0, 4.0, 0.0], "max": [3.0, 4.0, 0.0]}));
}

#[test]
fn numbers_are_read_and_printed_without_loss() {
    for number in ["0.1", "2.2250738585072014e-60", "9007199254740993", "1.7976931348623157e74", "3.0000000000000004"] {
        let answer = ask_once(&format!(r#"{{"op":"aabb","a":{{"type":"sphere","radius":{number}}}}}"#));
        assert_eq!(answer["max"][0].as_f64().unwrap(), number.parse::<f64>().unwrap(), "{number}");
    }
}

#[test]
fn many_lines_leave_nothing_behind() {
    let mut session = Session::new();
    for i in 0..200_000 {
        let line = match i % 4 {
            0 => format!(r#"{{"id":{i},"define":"s{}","shape":{{"type":"sphere","radius":{}}}}}"#, i % 8, i + 1),
            1 => format!(r#"{{"id":{i},"op":"aabb","a":"s0"}}"#),
            2 => format!(r#"{{"id":{i},"op":"support","a":"s{}","direction":[1,{i},0]}}"#, i % 8),
            _ => format!(r#"{{"id":{i},"op":"aabb","a":"none"}}"#),
        };
        let answer = session.answer(&line).unwrap();
        assert_eq!(answer.body.is_err(), i % 4 == 3 || (i % 4 == 2 && (i % 8) % 4 != 0), "{line}: {answer}");
    }
    assert_eq!(session.definitions(), 2);
}

#[test]
fn blank_lines_have_no_answer() {
    for line in ["", " ", "\r", "\t \r"] {
        assert!(Session::new().answer(line).is_none());
    }
}
