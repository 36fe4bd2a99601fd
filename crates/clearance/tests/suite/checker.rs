//! The checker of certificates accepts the hand-made samples that hold and refuses every changed one, as the independent checker in
//! `tools` does with the same file; and whatever is done to a record, it answers.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test says what it found by failing

use clearance::exact::Certificate;
use serde_json::{Value, json};

fn samples() -> Vec<(String, bool, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/fixtures/certificates.jsonl");
    let text = std::fs::read_to_string(path).expect("samples");
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        (
            line["name"].as_str().expect("name").to_owned(),
            line["holds"].as_bool().expect("bool"),
            line["certificate"].clone(),
        )
    };
    text.lines().map(read).collect()
}

/// Why a record is refused: because it cannot be read, or by the checker.
fn refusal(record: &Value) -> Option<String> {
    match Certificate::deserialize_from(record) {
        Ok(certificate) => certificate.verify().err().map(|refused| refused.to_string()),
        Err(error) => Some(error),
    }
}

trait Readable: Sized {
    fn deserialize_from(record: &Value) -> Result<Self, String>;
}

impl Readable for Certificate {
    fn deserialize_from(record: &Value) -> Result<Self, String> {
        serde_json::from_value(record.clone()).map_err(|error| error.to_string())
    }
}

#[test]
fn samples_that_hold_pass_and_changed_ones_are_refused() {
    let mut counts = [0, 0];
    for (name, holds, record) in samples() {
        let refused = refusal(&record);
        assert_eq!(refused.is_none(), holds, "{name}: {refused:?}");
        counts[usize::from(holds)] += 1;
    }
    assert!(counts[0] > 250 && counts[1] > 35, "{counts:?}");
}

#[test]
fn refusals_say_where() {
    let mut wanted = vec![
        ("cubes-apart; 0: lower.value", "lower.cut.n: the planes are 1.0 apart, less than 1.0000000000000002"),
        ("mesh between two halves; 2: lower.cut.a", "lower.cut.of[1].n: the planes are"),
        ("balls; 2: upper.pairs.0.0.offset.0", "upper.pairs[0][0].offset: longer than the radius"),
        ("straight; 1: free.until", "free.until: not the end of the last step"),
        ("nested solids; 0: lower", "lower.outside[0]: the point is inside"),
    ];
    for (name, _, record) in samples() {
        if let Some(place) = wanted.iter().position(|(title, _)| *title == name) {
            let (_, start) = wanted.swap_remove(place);
            let refused = refusal(&record).unwrap_or_default();
            assert!(refused.starts_with(start), "{name}: {refused}");
        }
    }
    assert!(wanted.is_empty(), "{wanted:?}");
}

/// All places of a record, as ways of keys.
fn places(value: &Value, way: &str, found: &mut Vec<String>) {
    let mut take = |key: &str, inner: &Value| {
        let way = format!("{way}/{key}");
        found.push(way.clone());
        places(inner, &way, found);
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(key, item)| take(&key.to_string(), item)),
        Value::Object(fields) => fields.iter().for_each(|(key, item)| take(key, item)),
        _ => (),
    }
}

#[test]
fn whatever_is_put_into_a_record_is_answered() {
    let words = ["", "a", "0x1p+1023", "-0x1p+1023", "0x1p-1074", "0x0p+0", "-0x1.8p+0", "0x1p-40"];
    let mut others = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(u64::MAX),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"n": 1}),
    ];
    others.extend(words.map(Value::from));
    let (mut seed, mut tried, mut refused) = (5u64, 0, 0);
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 33) as usize % below
    };
    for (name, _, record) in samples().into_iter().filter(|(_, holds, _)| *holds) {
        let mut found = Vec::new();
        places(&record, "", &mut found);
        for _ in 0..30 {
            let mut changed = record.clone();
            let way = &found[random(found.len())];
            *changed.pointer_mut(way).expect("a place") = others[random(others.len())].clone();
            tried += 1;
            refused += usize::from(refusal(&changed).is_some());
        }
        // A field too many, one too few, and one twice are no certificates.
        let mut more = record.clone();
        more["more"] = json!(1);
        assert!(refusal(&more).is_some(), "{name}");
        more.as_object_mut().expect("object").retain(|key, _| key != "more" && key != "b");
        assert!(refusal(&more).is_some(), "{name}");
        let text = record.to_string().replacen("{\"a\":", "{\"a\":1,\"a\":", 1);
        assert!(
            serde_json::from_str::<Certificate>(&text).map_or(true, |certificate| certificate.verify().is_err()),
            "{name}"
        );
    }
    assert!(refused * 10 > tried * 8 && tried > 1000, "{refused} of {tried}");
}

#[test]
fn deep_records_are_refused() {
    let (_, _, record) = samples().into_iter().find(|(name, ..)| name == "cubes-apart").expect("sample");
    for depth in [20, 60] {
        let mut deep = record.clone();
        let mut shape = deep["a"]["shape"].take();
        for _ in 0..depth {
            shape = json!({"round": [shape, "0x0p+0"]});
        }
        deep["a"]["shape"] = shape;
        assert_eq!(refusal(&deep).is_some(), depth == 60);
    }
    for version in [json!(2), json!(true), json!("0x1p+0")] {
        let mut other = record.clone();
        other["certificate"] = version;
        assert!(refusal(&other).is_some());
    }
    let mut nothing = record;
    nothing.as_object_mut().expect("object").retain(|key, _| key != "lower" && key != "upper");
    assert_eq!(refusal(&nothing).as_deref(), Some("claims nothing"));
}
