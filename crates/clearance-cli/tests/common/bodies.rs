//! Pairs of bodies, and what every answer about them promises.

use clearance::Vec3;
use clearance_testkit::Rng;
use serde_json::{Value, json};

use super::ask_once;

/// A cube of side two.
pub const CUBE: &str = r#"{"type":"cuboid","half_extents":[1,1,1]}"#;
/// A ball of diameter one.
pub const BALL: &str = r#"{"type":"sphere","radius":0.5}"#;
/// How far the bounds of a depth may be apart, relative.
pub const COARSE: f64 = 2e-3;

/// A body: its shape as JSON and its pose.
#[derive(Clone)]
pub struct Body {
    pub shape: String,
    pub translation: Vec3,
    pub rotation: [f64; 4],
}

impl Body {
    /// Not turned.
    pub fn at(shape: &str, translation: impl Into<Vec3>) -> Self {
        Self { shape: shape.to_owned(), translation: translation.into(), rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// Turned at random, within `spread` of the origin.
    pub fn random(shape: &str, rng: &mut Rng, spread: f64) -> Self {
        let translation = Vec3::from(rng.in_ball(spread).to_array());
        Self { shape: shape.to_owned(), translation, rotation: rng.rotation().to_array() }
    }

    fn pose(&self) -> Value {
        json!({"translation": self.translation.to_array(), "rotation": self.rotation})
    }

    /// How far it reaches along a direction, by another op.
    pub fn reach(&self, direction: Vec3) -> f64 {
        let (shape, pose, direction) = (&self.shape, self.pose(), json!(direction.to_array()));
        let line = format!(r#"{{"op":"support","a":{shape},"pose_a":{pose},"direction":{direction}}}"#);
        ask_once(&line)["value"].as_f64().unwrap()
    }
}

/// A line about two bodies; `more` are further fields, each after a comma.
pub fn question(op: &str, a: &Body, b: &Body, more: &str) -> String {
    let (pose_a, pose_b) = (a.pose(), b.pose());
    format!(r#"{{"op":"{op}","a":{},"pose_a":{pose_a},"b":{},"pose_b":{pose_b}{more}}}"#, a.shape, b.shape)
}

/// Three numbers of an answer.
pub fn vector(value: &Value) -> Vec3 {
    let numbers: Vec<f64> =
        value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|x| x.as_f64().unwrap()).collect();
    Vec3::from_slice(&numbers)
}

/// The answer to `closest`.
#[derive(Debug)]
pub struct Near {
    pub distance: f64,
    pub lower: f64,
    pub upper: f64,
    pub points: [Vec3; 2],
    pub normal: Vec3,
    pub end: String,
}

/// Asks for it.
pub fn near(a: &Body, b: &Body, more: &str) -> Near {
    let line = question("closest", a, b, more);
    let answer = ask_once(&line);
    let number = |field: &str| answer[field].as_f64().unwrap_or_else(|| panic!("{field} of {line}: {answer}"));
    assert!(answer["iterations"].is_u64(), "{answer}");
    Near {
        distance: number("distance"),
        lower: number("lower"),
        upper: number("upper"),
        points: [vector(&answer["points"][0]), vector(&answer["points"][1])],
        normal: vector(&answer["normal"]),
        end: answer["end"].as_str().unwrap().to_owned(),
    }
}

/// The answer to `overlap`, its witness checked by the reach of both bodies.
pub fn meets(a: &Body, b: &Body, more: &str, tolerance: f64) -> bool {
    let line = question("overlap", a, b, more);
    let answer = ask_once(&line);
    let overlap = answer["overlap"].as_bool().unwrap_or_else(|| panic!("{line}: {answer}"));
    assert_eq!(overlap, answer["witness"].get("point").is_some(), "{answer}");
    if overlap {
        let point = vector(&answer["witness"]["point"]);
        for body in [a, b] {
            assert!(is_inside(body, point, tolerance), "{line}: {answer}");
        }
    } else {
        let plane = &answer["witness"]["plane"];
        let normal = vector(&plane["normal"]);
        let offset = |field: &str| plane[field].as_f64().unwrap();
        assert!((normal.length() - 1.0).abs() < 1e-12 && offset("offset_a") < offset("offset_b"), "{line}: {answer}");
        assert!((a.reach(normal) - offset("offset_a")).abs() < tolerance, "{line}: {answer}");
        assert!((-b.reach(-normal) - offset("offset_b")).abs() < tolerance, "{line}: {answer}");
    }
    overlap
}

/// Whether no supporting plane of a few dozen directions excludes the point.
pub fn is_inside(body: &Body, point: Vec3, tolerance: f64) -> bool {
    let mut rng = Rng::new(5);
    (0..24).all(|_| {
        let direction = Vec3::from(rng.unit_vector().to_array());
        direction.dot(point) <= body.reach(direction) + tolerance
    })
}

/// Every promise of an answer about two bodies that are `size` large and `reach` far from the origin.
pub fn check(a: &Body, b: &Body, more: &str, size: f64, reach: f64) -> Near {
    let rounding = 1e-13 * (size + reach);
    let accuracy = 1e-5 * size + rounding;
    let answer = near(a, b, more);
    // How close the bounds of curved bodies come; that no other direction is shallower is known to three digits.
    let slack = COARSE * answer.distance.abs() + accuracy;
    let context = || format!("{}\n{answer:?}", question("closest", a, b, more));
    let Near { distance, lower, upper, points: [on_a, on_b], normal, .. } = answer;
    assert!(lower <= distance && distance <= upper, "{}", context());
    assert!(upper - lower <= slack, "{}", context());
    assert!((normal.length() - 1.0).abs() < 1e-12, "{}", context());
    assert!((on_b - on_a - normal * distance).length() <= rounding + 1e-7 * size, "{}", context());
    assert!(is_inside(a, on_a, accuracy) && is_inside(b, on_b, accuracy), "{}", context());
    let gap = -b.reach(-normal) - a.reach(normal);
    assert!(gap <= upper + rounding && gap >= lower - slack, "gap {gap}: {}", context());
    let meets = meets(a, b, "", accuracy);
    assert!(if meets { lower <= rounding } else { upper >= -rounding }, "overlap is {meets}: {}", context());
    answer
}
