//! The op `time_of_impact`.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use common::{ask_once, error};
use serde_json::Value;

const BALLS: &str =
    r#""a":{"type":"sphere","radius":1},"b":{"type":"sphere","radius":1},"pose_b":{"translation":[4,0,0]}"#;

fn ask(more: &str) -> Value {
    ask_once(&format!(r#"{{"op":"time_of_impact",{BALLS}{more}}}"#))
}

#[test]
fn balls_meet_half_way() {
    for more in [
        r#","motion_b":{"linear":[-4,0,0]}"#,
        r#","motion_b":{"translation":[0,0,0]}"#,
        r#","motion_a":{"linear":[2,0,0],"angular":[0,0,9]},"motion_b":{"linear":[-2,0,0]}"#,
    ] {
        let answer = ask(more);
        let time = answer["time"].as_f64().unwrap();
        assert!((time - 0.5).abs() < 1e-5 && time <= 0.5, "{more}: {answer}");
        assert_eq!(answer["end"], "converged");
        let [x, normal] = ["point", "normal"].map(|field| answer[field][0].as_f64().unwrap());
        assert!((normal - 1.0).abs() < 1e-6 && x.is_finite(), "{answer}");
    }
}

#[test]
fn a_miss_is_null_and_a_start_in_contact_is_said() {
    for more in ["", r#","motion_b":{"linear":[9,0,0]}"#, r#","motion_b":{"linear":[-1.9,0,0]}"#] {
        let answer = ask(more);
        assert!(answer["time"].is_null() && answer["lower"] == 1.0 && answer["at_start"] == false, "{answer}");
    }
    let answer = ask(r#","pose_a":{"translation":[3,0,0]},"motion_b":{"linear":[1,0,0]}"#);
    assert!(answer["time"] == 0.0 && answer["at_start"] == true, "{answer}");
}

#[test]
fn bad_motions_are_refused() {
    for (more, code, part) in [
        (r#","motion_b":{}"#, "missing-field", "motion_b"),
        (r#","motion_b":{"linear":[1,2]}"#, "bad-field", "motion_b.linear"),
        (r#","motion_b":{"linear":[1,2,3],"translation":[0,0,0]}"#, "unknown-field", "translation"),
        (r#","motion_b":{"linear":[1e300,0,0]}"#, "bad-pose", "motion_b"),
        (r#","motion_a":{"rotation":[0,0,0,2]}"#, "bad-pose", "motion_a"),
        (r#","tolerance":-1"#, "bad-field", "tolerance"),
    ] {
        let answer = ask(more);
        let (found, message) = error(&answer);
        assert!(found == code && message.contains(part), "{more}: {answer}");
    }
}
