//! A plant of pipes, flanges and supports, of any size: about 500 triangles for each part.

use clearance::{Pose, Vec3};
use clearance_io::Surface;
use clearance_io::write::{GlbPart, GlbScene, glb};
use clearance_testkit::Rng;
use serde_json::json;

/// Corners of a pipe's end: a closed cylinder of 4 · 125 − 4 triangles.
const CORNERS: usize = 126;
/// One pipe in so many is in the way of its flange.
pub const CLASH_EVERY: usize = 500;

/// The scene and its meshes. Every second pipe has a mesh of its own; flanges and the other pipes share a few.
pub fn files(parts: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut rng = Rng::new(16);
    let mut surfaces: Vec<Surface> = (0..8).map(|i| cylinder(0.05 + 0.01 * f64::from(i), 2.0)).collect();
    surfaces.push(cylinder(0.17, 0.125));
    let flange = surfaces.len() - 1;
    let mut placed: Vec<(String, usize, Vec3)> = Vec::new();
    let lanes = (parts as f64 / 40.0).sqrt().ceil() as usize;
    let mut pipe = 0;
    'all: for lane in 0..lanes * lanes {
        let (y, z) = (0.5 * (lane % lanes) as f64, 0.5 * (lane / lanes) as f64);
        let mut x = 0.0;
        for _ in 0..20 {
            if placed.len() + 2 > parts {
                break 'all;
            }
            let surface = if pipe % 2 == 0 {
                surfaces.push(cylinder(rng.uniform(0.04, 0.15), 2.0));
                surfaces.len() - 1
            } else {
                rng.index(8)
            };
            // A pipe in the way is off its lane by less than the radius of its flange, and lies across it.
            let [along, up] = if pipe % CLASH_EVERY == CLASH_EVERY - 1 { [0.5, 0.1875] } else { [0.0, 0.0] };
            placed.push((format!("pipe {pipe}"), surface, Vec3::new(x + 1.0 + along, y, z + up)));
            placed.push((format!("flange {pipe}"), flange, Vec3::new(x + 2.0625, y, z)));
            (x, pipe) = (x + 2.125, pipe + 1);
        }
    }
    let part = |(name, surface, at): (String, usize, Vec3)| GlbPart {
        name,
        surface,
        pose: Pose::from_translation(at).unwrap_or(Pose::IDENTITY),
        colour: None,
    };
    let scene = GlbScene {
        surfaces: surfaces.iter().collect(),
        parts: placed.into_iter().map(part).collect(),
        unit: Some(clearance_io::Unit::M),
        // No turn of the whole, so that places are exact and what touches does.
        up: clearance_io::Up::Y,
        ..GlbScene::default()
    };
    let file = json!({"clearance_scene": 1, "title": "Generated plant", "unit": "m", "up": "y", "parts": [{"name": "plant", "file": "plant.glb"}]});
    vec![("plant.json", file.to_string().into_bytes()), ("plant.glb", glb(&scene))]
}

/// A closed cylinder along x.
fn cylinder(radius: f64, length: f64) -> Surface {
    let count = CORNERS as u32;
    let mut surface = Surface::default();
    for x in [-0.5 * length, 0.5 * length] {
        surface.vertices.extend((0..CORNERS).map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / CORNERS as f64;
            Vec3::new(x, radius * angle.cos(), radius * angle.sin())
        }));
    }
    for i in 1..count - 1 {
        surface.triangles.extend([[0, i + 1, i], [count, count + i, count + i + 1]]);
    }
    for i in 0..count {
        let next = (i + 1) % count;
        surface.triangles.extend([[i, next, count + next], [i, count + next, count + i]]);
    }
    surface
}
