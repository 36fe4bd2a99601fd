//! A crank mechanism over one turn: arm, rod and slider. The arm, a capsule, meets a post, a cylinder across it, so that the angles of first
//! and last contact are known exactly.

use serde_json::{Value, json};

/// Millimetres: the throw, the length of the rod, the radius of the arm, and where the post is.
const THROW: f64 = 100.0;
const ROD: f64 = 260.0;
const ARM: f64 = 12.0;
const POST: f64 = 8.0;
const POST_AWAY: f64 = 80.0;
/// The direction of the post in degrees.
const POST_AT: f64 = 250.0;
/// The arm is (12 + 8) / 80 = 1/4 away in sine: asin(1/4) in degrees.
#[allow(dead_code, reason = "for tests")]
const HALF: f64 = 14.477_512_185_929_925;

/// The angle at which the arm meets the post.
#[allow(dead_code, reason = "for tests")]
pub const CONTACT_FROM: f64 = POST_AT - HALF;
/// The angle at which it leaves the post.
#[allow(dead_code, reason = "for tests")]
pub const CONTACT_TO: f64 = POST_AT + HALF;

pub fn scene() -> Value {
    let post = POST_AT.to_radians();
    let steps = 144;
    let (mut rod, mut slider) = (Vec::new(), Vec::new());
    for step in 0..=steps {
        let time = 360.0 * f64::from(step) / f64::from(steps);
        let (sine, cosine) = time.to_radians().sin_cos();
        let pin = [THROW * cosine, THROW * sine];
        let end = pin[0] + (ROD * ROD - pin[1] * pin[1]).sqrt();
        let degrees = (-pin[1]).atan2(end - pin[0]).to_degrees();
        let middle = [0.5 * (pin[0] + end), 0.5 * pin[1], 30.0];
        rod.push(
            json!({"time": time, "pose": {"translation": middle, "turn": {"axis": [0, 0, 1], "degrees": degrees}}}),
        );
        slider.push(json!({"time": time, "pose": {"translation": [end, 0.0, 30.0]}}));
    }
    json!({
        "clearance_scene": 1,
        "title": "Crank mechanism over one turn",
        "unit": "mm",
        "parts": [
            {"name": "arm", "shape": {"type": "capsule", "half_length": 0.5 * THROW, "radius": ARM}, "pose": {"translation": [0.5 * THROW, 0, 0]}, "colour": [0.35, 0.5, 0.75]},
            {"name": "rod", "shape": {"type": "cuboid", "half_extents": [0.5 * ROD - 25.0, 8, 6]}, "pose": {"translation": [0.5 * (THROW + THROW + ROD), 0, 30]}, "colour": [0.75, 0.6, 0.3]},
            {"name": "slider", "shape": {"type": "cuboid", "half_extents": [20, 20, 15]}, "pose": {"translation": [THROW + ROD, 0, 30]}, "colour": [0.4, 0.65, 0.45]},
            {"name": "guide", "parts": [
                {"name": "upper", "shape": {"type": "cuboid", "half_extents": [140, 20, 5]}, "pose": {"translation": [260, 0, 52]}},
                {"name": "lower", "shape": {"type": "cuboid", "half_extents": [140, 20, 5]}, "pose": {"translation": [260, 0, 8]}},
            ]},
            {"name": "post", "shape": {"type": "cylinder", "half_height": 60, "radius": POST}, "pose": {"translation": [POST_AWAY * post.cos(), POST_AWAY * post.sin(), -45]}, "colour": [0.7, 0.3, 0.3]},
        ],
        "motion": {"end": 360, "unit": "deg", "moves": [
            {"part": "arm", "joint": {"type": "revolute", "axis": [0, 0, 1], "values": [[0, 0], [360, 360]]}},
            {"part": "rod", "keyframes": rod},
            {"part": "slider", "keyframes": slider},
        ]},
        "rules": {"pairs": [{"a": "rod", "b": "slider", "ignore": true}]},
    })
}
