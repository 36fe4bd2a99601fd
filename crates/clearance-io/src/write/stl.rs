//! Binary STL in single precision, all parts in their places.

use crate::model::Model;

/// A model as binary STL.
pub fn bytes(model: &Model) -> Vec<u8> {
    let whole = model.merged();
    let mut bytes = vec![0; 80];
    bytes[..9].copy_from_slice(b"clearance");
    bytes.extend((whole.triangles.len() as u32).to_le_bytes());
    for triangle in &whole.triangles {
        let [a, b, c] = triangle.map(|v| whole.vertices[v as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for number in [normal, a, b, c].iter().flat_map(|v| v.to_array()) {
            bytes.extend((number as f32).to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    bytes
}
