//! Meshes and poses as short texts: differences of whole numbers, deflated, in base64. For display only.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clearance::{Pose, Vec3};
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The largest quantised coordinate.
const LARGEST: f64 = 65535.0;

/// Where positions begin, what a quantum is, and the packed positions.
pub(super) fn packed_positions(vertices: &[Vec3]) -> ([f64; 3], [f64; 3], String) {
    let min = vertices.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let max = vertices.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    if vertices.is_empty() {
        return ([0.0; 3], [0.0; 3], deflated(&[]));
    }
    let scale = (max - min) / LARGEST;
    let mut bytes = Vec::with_capacity(6 * vertices.len());
    let mut last = [0_u16; 3];
    for vertex in vertices {
        for axis in 0..3 {
            let quantum = if scale[axis] > 0.0 { ((vertex[axis] - min[axis]) / scale[axis]).round() } else { 0.0 };
            let quantised = quantum.clamp(0.0, LARGEST) as u16;
            bytes.extend(quantised.wrapping_sub(last[axis]).to_le_bytes());
            last[axis] = quantised;
        }
    }
    (min.to_array(), scale.to_array(), deflated(&bytes))
}

/// Packed corners.
pub(super) fn packed_indices(triangles: &[[u32; 3]]) -> String {
    let mut bytes = Vec::with_capacity(12 * triangles.len());
    let mut last = 0_u32;
    for &corner in triangles.iter().flatten() {
        bytes.extend(corner.wrapping_sub(last).to_le_bytes());
        last = corner;
    }
    deflated(&bytes)
}

/// Packed poses.
pub(super) fn packed_poses(poses: &[Pose]) -> String {
    let numbers = |pose: &Pose| {
        let (t, q) = (pose.translation().to_array(), pose.rotation().to_array());
        [t[0], t[1], t[2], q[0], q[1], q[2], q[3]]
    };
    let bytes: Vec<u8> = poses.iter().flat_map(numbers).flat_map(|number| (number as f32).to_le_bytes()).collect();
    deflated(&bytes)
}

fn deflated(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(4));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}
