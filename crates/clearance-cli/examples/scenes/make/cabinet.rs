//! A cabinet of parts with one finding of each kind, a press fit that is allowed and a pair that is left out.

use serde_json::{Value, json};

pub fn scene() -> Value {
    let board = |name: &str, half: [f64; 3], at: [f64; 3]| json!({"name": name, "group": "boards", "shape": {"type": "cuboid", "half_extents": half}, "pose": {"translation": at}, "colour": [0.8, 0.68, 0.5]});
    json!({
        "clearance_scene": 1,
        "title": "Cabinet with every kind of finding",
        "unit": "mm",
        "parts": [
            board("left side", [9.0, 200.0, 400.0], [-309.0, 0.0, 400.0]),
            board("right side", [9.0, 200.0, 400.0], [309.0, 0.0, 400.0]),
            board("bottom", [299.0, 200.0, 9.0], [0.0, 0.0, 9.0]),
            board("shelf", [299.0, 195.0, 9.0], [0.0, 0.0, 409.0]),
            board("shelf again", [299.0, 195.0, 9.0], [0.0, 0.0, 409.0]),
            // Stands on the bottom: touching.
            {"name": "box", "shape": {"type": "cuboid", "half_extents": [80, 80, 60]}, "pose": {"translation": [-150, 0, 78]}, "colour": [0.5, 0.6, 0.8]},
            // Inside the box.
            {"name": "ball in the box", "shape": {"type": "sphere", "radius": 30}, "pose": {"translation": [-150, 0, 80]}},
            // Through the left side.
            {"name": "rail", "shape": {"type": "cylinder", "half_height": 60, "radius": 5}, "pose": {"translation": [-309, 100, 600], "turn": {"axis": [0, 1, 0], "degrees": 90}}},
            // 4 mm into the right side.
            {"name": "screw", "shape": {"type": "cylinder", "half_height": 15, "radius": 3}, "pose": {"translation": [289, 100, 600], "turn": {"axis": [0, 1, 0], "degrees": 90}}},
            // 1.5 mm above the shelf, where 2 mm are required.
            {"name": "drawer", "shape": {"type": "cuboid", "half_extents": [250, 180, 50]}, "pose": {"translation": [0, 0, 469.5]}, "colour": [0.6, 0.75, 0.6]},
            // Pressed into the bottom by 0.05 mm, of which 0.1 mm are allowed.
            {"name": "foot", "shape": {"type": "cylinder", "half_height": 20, "radius": 15}, "pose": {"translation": [200, 0, -19.95]}},
            // In the wall of the right side, and known to be.
            {"name": "hinge", "shape": {"type": "cuboid", "half_extents": [4, 20, 20]}, "pose": {"translation": [302, -190, 200]}},
        ],
        "rules": {"pairs": [
            {"a": "boards", "b": "boards", "touching": "allow"},
            {"a": "drawer", "b": "boards", "clearance": 2.0},
            {"a": "foot", "b": "bottom", "depth": 0.1},
            {"a": "hinge", "b": "right side", "ignore": true},
            {"a": "shelf again", "b": "drawer", "ignore": true},
        ]},
    })
}
