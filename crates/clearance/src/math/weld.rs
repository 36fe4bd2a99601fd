//! Points that are to become one because they are near each other.

use std::collections::HashMap;

use super::{Real, Vec3, widen, widen_real};

/// For each point the index of the point that stands for it: itself, or an earlier one within the distance.
///
/// Points are taken in order; one that has no representative within the distance becomes one. So no point moves by more than
/// the distance, representatives are farther apart than it, and chains of near points do not collapse to one. A distance of
/// zero makes points at the same place one. Takes linear time: representatives are looked up in a grid of cells of that size.
pub(crate) fn representatives(points: &[Vec3], distance: Real) -> Vec<u32> {
    if !(distance > 0.0) {
        let mut first = HashMap::with_capacity(points.len());
        // Minus zero is zero.
        let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(Real::to_bits);
        return (0..points.len() as u32).map(|v| *first.entry(key(points[v as usize])).or_insert(v)).collect();
    }
    let (size, square) = (widen_real(distance), widen_real(distance) * widen_real(distance));
    let cell = |p: Vec3| (widen(p) / size).floor();
    let key = |cell: glam::DVec3| (cell + glam::DVec3::ZERO).to_array().map(f64::to_bits);
    let mut cells: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    let near = |v: u32, point: Vec3| (widen(points[v as usize]) - widen(point)).length_squared() <= square;
    let mut kept = Vec::with_capacity(points.len());
    for (i, &point) in points.iter().enumerate() {
        let home = cell(point);
        let around = (0..27)
            .map(|k| home + glam::DVec3::new(f64::from(k % 3 - 1), f64::from(k / 3 % 3 - 1), f64::from(k / 9 - 1)));
        let found =
            around.filter_map(|cell| cells.get(&key(cell))).flatten().copied().filter(|&v| near(v, point)).min();
        kept.push(found.unwrap_or(i as u32));
        if found.is_none() {
            cells.entry(key(home)).or_default().push(i as u32);
        }
    }
    kept
}
