//! A row of dominoes as the simulator moves it, played as keyframes. A bottle that the simulator does not know of stands where the last one
//! falls.

use clearance_sim::{SimError, SimulationOptions, scenes};
use serde_json::{Value, json};

const COUNT: usize = 8;
/// Steps of the simulator, and how many of them lie between two keyframes.
const STEPS: usize = 200;
const EVERY: usize = 4;
/// How deep stones may be in each other and in the floor: what the solver lets them, and what a screw between two keyframes cuts off.
const ALLOWED: f64 = 0.03;

pub fn scene() -> Value {
    let frames = simulated().unwrap_or_default();
    let end = frames.last().map_or(1.0, |frame| frame.0);
    let mut parts = vec![
        json!({"name": "floor", "shape": {"type": "cuboid", "half_extents": [4.0, 1.0, 0.1]}, "pose": {"translation": [2.0, 0.0, -0.1]}, "colour": [0.8, 0.8, 0.78]}),
        json!({"name": "bottle", "shape": {"type": "cylinder", "half_height": 0.2, "radius": 0.08}, "pose": {"translation": [4.2, 0.0, 0.2]}, "colour": [0.3, 0.6, 0.4]}),
    ];
    let mut moves = Vec::new();
    for stone in 0..COUNT {
        let name = format!("stone {}", stone + 1);
        parts.push(json!({"name": name, "shape": {"type": "cuboid", "half_extents": [0.05, 0.25, 0.5]}, "colour": [0.3, 0.45, 0.7]}));
        let keyframes: Vec<Value> =
            frames.iter().map(|(time, poses)| json!({"time": time, "pose": poses[stone]})).collect();
        moves.push(json!({"part": name, "keyframes": keyframes}));
    }
    json!({
        "clearance_scene": 1,
        "title": "Dominoes as the simulator moves them",
        "unit": "m",
        "parts": parts,
        "motion": {"end": end, "unit": "s", "moves": moves},
        "rules": {"touching": "allow", "pairs": [{"a": "*", "b": "*", "depth": ALLOWED}]},
    })
}

/// Times and poses.
fn simulated() -> Result<Vec<(f64, Vec<Value>)>, SimError> {
    let mut simulation = scenes::dominoes(COUNT, SimulationOptions::default())?;
    let mut frames = Vec::new();
    for step in 0..=STEPS {
        if step % EVERY == 0 {
            let mut poses = Vec::new();
            for body in simulation.bodies().skip(1) {
                let pose = simulation.pose(body)?;
                let [t, q] = [pose.translation().to_array().to_vec(), pose.rotation().to_array().to_vec()]
                    .map(|numbers| numbers.into_iter().map(rounded).collect::<Vec<f64>>());
                poses.push(json!({"translation": t, "rotation": q}));
            }
            frames.push((rounded(simulation.time()), poses));
        }
        simulation.step()?;
    }
    Ok(frames)
}

/// Nine digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
