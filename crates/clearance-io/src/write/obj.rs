//! OBJ with every digit of the coordinates; each part is an object.

use std::fmt::Write;

use crate::model::Model;

pub(super) fn text(model: &Model) -> String {
    let mut text = String::from("# clearance\n");
    let mut first = 1;
    for part in &model.parts {
        let surface = &model.surfaces[part.surface];
        let name: String = part.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // Writing to a string cannot fail.
        if !name.trim().is_empty() {
            let _ = writeln!(text, "o {}", name.trim());
        }
        for &vertex in &surface.vertices {
            let [x, y, z] = part.pose.point(vertex).to_array();
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|v| v as usize + first);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        first += surface.vertices.len();
    }
    text
}
