//! A convex face as triangles with an area.
//!
//! A fan from a corner, in which the sides next to that corner are left out; if they have vertices of their own in line, these
//! make a fan of the first or the last triangle from its far corner. The first and the last triangle must not be the same one for
//! that, so that the corner of a three-cornered face is chosen across from a side with such vertices. It takes one pass.

use glam::DVec3;

use crate::math::exact::triangle_normal;
use crate::math::predicates::collinear;
use crate::math::widen_real;
use crate::tolerance::FLAT_EDGE;

/// The triangles of a face that goes around once, as places in its loop; the vertex at fault if it is not convex.
pub(crate) fn triangulated(corners: &[DVec3], normal: DVec3) -> Result<Vec<[usize; 3]>, usize> {
    let n = corners.len();
    let bends = bends(corners, normal);
    let apex = apex(&bends, n);
    let at = |k: usize| (apex + k) % n;
    // The chain of all sides that do not end at the apex, in places after it.
    let next = bends.iter().map(|&b| (b + n - apex) % n).filter(|&k| k > 0).min().unwrap_or(1);
    let last = bends.iter().map(|&b| (b + n - apex) % n).max().unwrap_or(n - 1);
    let mut triangles = Vec::with_capacity(n - 2);
    for k in next..last {
        let first_of_many = k == next && next > 1;
        let last_of_many = k + 1 == last && last < n - 1;
        if first_of_many {
            triangles.extend((0..next).map(|i| [at(k + 1), at(i), at(i + 1)]));
        } else if last_of_many {
            triangles.extend((last..n).map(|i| [at(k), at(i), at((i + 1) % n)]));
        } else {
            triangles.push([apex, at(k), at(k + 1)]);
        }
    }
    let proper = |[a, b, c]: [usize; 3]| {
        let [a, b, c] = [a, b, c].map(|i| corners[i]);
        !collinear(a, b, c) && triangle_normal(a, b, c).dot(normal) > 0.0
    };
    match triangles.iter().find(|&&triangle| !proper(triangle)) {
        Some(&[_, b, _]) => Err(b),
        None if triangles.len() != n - 2 => Err(apex),
        None => Ok(triangles),
    }
}

/// The vertices at which the loop bends by more than the rounding of coordinates; all of them if that is fewer than three.
fn bends(corners: &[DVec3], normal: DVec3) -> Vec<usize> {
    let n = corners.len();
    let size = corners.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let bend = |&i: &usize| {
        let [before, here, after] = [corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]];
        let across = (after - before).cross(normal).normalize_or_zero();
        across.dot(here - before) > widen_real(FLAT_EDGE) * size
    };
    let bends: Vec<usize> = (0..n).filter(bend).collect();
    if bends.len() < 3 { (0..n).collect() } else { bends }
}

/// The first corner whose far sides have at least two edges; with three edges in all, any corner.
fn apex(bends: &[usize], n: usize) -> usize {
    let m = bends.len();
    let far_edges = |i: usize| (bends[(i + m - 1) % m] + n - bends[(i + 1) % m]) % n;
    let chosen = (0..m).find(|&i| m > 3 || far_edges(i) > 1).unwrap_or(0);
    bends[chosen]
}

/// How often a loop goes around, seen along the normal: one for a face.
pub(super) fn turns(corners: &[DVec3], normal: DVec3) -> f64 {
    let n = corners.len();
    let side = |i: usize| corners[(i + 1) % n] - corners[i % n];
    let angle = |i: usize| {
        let (u, v) = (side(i), side(i + 1));
        u.cross(v).dot(normal).atan2(u.dot(v) * normal.length())
    };
    (0..n).map(angle).sum::<f64>() / std::f64::consts::TAU
}

/// Twice the area of a loop as a vector.
pub(crate) fn vector_area(corners: &[DVec3]) -> DVec3 {
    let Some((&first, rest)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    rest.windows(2).map(|w| triangle_normal(first, w[0], w[1])).sum()
}
