//! Numbers of binary files.

use clearance::Vec3;

/// Little-endian bytes as a number, if they are all there.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Three little-endian single-precision numbers as a point.
pub(super) fn point_at(bytes: &[u8], at: usize) -> Option<Vec3> {
    let number = |i: usize| Some(f64::from(f32::from_le_bytes(*bytes.get(at + 4 * i..)?.first_chunk()?)));
    Some(Vec3::new(number(0)?, number(1)?, number(2)?))
}
