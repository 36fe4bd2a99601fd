//! A storey of brushes with furniture: a wardrobe stands in a wall, a lamp hangs through the ceiling.

use std::fmt::Write;

use serde_json::{Value, json};

/// Walls, floor and ceiling as boxes: least and largest corners in centimetres.
const BOXES: [[[i32; 3]; 2]; 9] = [
    [[0, 0, -20], [800, 600, 0]],
    [[0, 0, 250], [800, 600, 270]],
    [[0, 0, 0], [20, 600, 250]],
    [[780, 0, 0], [800, 600, 250]],
    [[20, 0, 0], [780, 20, 250]],
    [[20, 580, 0], [780, 600, 250]],
    // An inner wall with a door.
    [[400, 20, 0], [412, 250, 250]],
    [[400, 340, 0], [412, 580, 250]],
    [[400, 250, 210], [412, 340, 250]],
];

/// The building as a map of brushes.
pub fn map() -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for [min, max] in BOXES {
        let [[x0, y0, z0], [x1, y1, z1]] = [min, max];
        // Three points of each face, clockwise seen from outside.
        let faces = [
            [[x0, y0, z0], [x0, y1, z0], [x0, y0, z1]],
            [[x1, y0, z0], [x1, y0, z1], [x1, y1, z0]],
            [[x0, y0, z0], [x0, y0, z1], [x1, y0, z0]],
            [[x0, y1, z0], [x1, y1, z0], [x0, y1, z1]],
            [[x0, y0, z0], [x1, y0, z0], [x0, y1, z0]],
            [[x0, y0, z1], [x0, y1, z1], [x1, y0, z1]],
        ];
        text.push_str("{\n");
        for face in faces {
            for [x, y, z] in face {
                let _ = write!(text, "( {x} {y} {z} ) ");
            }
            text.push_str("wall 0 0 0 1 1\n");
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    text
}

pub fn scene() -> Value {
    let cuboid = |name: &str, half: [f64; 3], at: [f64; 3]| json!({"name": name, "group": "furniture", "shape": {"type": "cuboid", "half_extents": half}, "pose": {"translation": at}, "colour": [0.7, 0.55, 0.4]});
    let leg = |name: &str, x: f64, y: f64| cuboid(name, [3.0, 3.0, 36.0], [x, y, 36.0]);
    json!({
        "clearance_scene": 1,
        "title": "Storey of brushes with furniture",
        "unit": "cm",
        "up": "z",
        "parts": [
            {"name": "building", "file": "building.map", "group": "walls", "colour": [0.85, 0.85, 0.82]},
            {"name": "table", "pose": {"translation": [180.0, 300.0, 0.0]}, "parts": [
                cuboid("top", [80.0, 45.0, 2.0], [0.0, 0.0, 74.0]),
                leg("leg 1", -70.0, -38.0), leg("leg 2", 70.0, -38.0), leg("leg 3", -70.0, 38.0), leg("leg 4", 70.0, 38.0),
            ]},
            // Five centimetres into the inner wall.
            cuboid("wardrobe", [30.0, 60.0, 100.0], [375.0, 480.0, 100.0]),
            cuboid("bed", [100.0, 45.0, 25.0], [660.0, 100.0, 25.0]),
            // Through the ceiling.
            {"name": "lamp", "shape": {"type": "cylinder", "half_height": 40, "radius": 2}, "pose": {"translation": [600.0, 400.0, 250.0]}},
        ],
        "rules": {"pairs": [{"a": "walls", "b": "walls", "ignore": true}, {"a": "table", "b": "table", "touching": "allow"}]},
    })
}
