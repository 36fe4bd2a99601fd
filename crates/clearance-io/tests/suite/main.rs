//! What the crate promises about files, one file for each part of it, as one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod architecture;
mod broken;
mod describe;
mod formats;
mod glb;
mod hostile;
mod schema;

use clearance::Vec3;
use clearance_io::{Format, Limits, Model, Surface, parse};

/// A cube from 0 to 1 of twelve triangles.
pub fn cube() -> Surface {
    let vertices = (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Surface { name: "cube".to_owned(), vertices, triangles }
}

/// A model of one surface.
pub fn model(surface: Surface) -> Model {
    let part = clearance_io::Placed {
        name: surface.name.clone(),
        path: Vec::new(),
        surface: 0,
        pose: clearance::Pose::IDENTITY,
    };
    Model { format: Format::Obj, unit: None, up: None, surfaces: vec![surface], parts: vec![part], notes: Vec::new() }
}

/// Reads bytes without other files.
pub fn read(format: Format, bytes: &[u8]) -> Result<Model, String> {
    parse(format, bytes, &Limits::default(), &|name| Err(format!("{name} is not there")))
        .map_err(|fault| fault.to_string())
}

/// A file of its own for a test.
pub fn temporary(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("clearance-io-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}
