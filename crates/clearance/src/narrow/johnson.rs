//! The point of a simplex nearest to the origin, by Johnson's determinants (Q_COLLIDE, section 5.2; implicit-objects thesis,
//! section 2.3.1).
//!
//! For every subset of the corners, in order of size, the cofactors Δᵢ follow from those of its subsets (5.4). The subset
//! whose cofactors are all positive, and those of its supersets' new corners not, holds the nearest point (5.6). If rounding
//! leaves none, the back-up procedure (5.7) takes the valid subset whose nearest point is nearest.

use glam::DVec3;

use super::simplex::{Nearest, Region, Simplex};
use crate::math::widen;

/// Cofactors of one subset, by corner.
type Cofactors = [f64; 4];

/// Finds the nearest point.
pub fn locate(simplex: &Simplex) -> Region {
    let count = simplex.vertices().len();
    if count == 0 {
        return Region::Outside(Nearest::new(DVec3::ZERO, std::iter::empty()));
    }
    let mut points = [DVec3::ZERO; 4];
    points.iter_mut().zip(simplex.vertices()).for_each(|(slot, vertex)| *slot = widen(vertex.m));
    let table = cofactors(&points[..count]);
    let chosen = (1..1usize << count).find(|&subset| is_solution(&table, subset, count));
    if chosen == Some(WHOLE) {
        // The cofactors of four nearly coplanar corners are noise and may all come out positive: the sides decide.
        if let inside @ Region::Inside(_) = simplex.locate(false) {
            return inside;
        }
    }
    let chosen = chosen.filter(|&subset| subset != WHOLE).or_else(|| {
        let valid = (1..1usize << count).filter(|&subset| subset != WHOLE && is_valid(&table, subset, count));
        valid.min_by(|&s, &t| square(&table, s, &points).total_cmp(&square(&table, t, &points)))
    });
    let subset = chosen.unwrap_or(1);
    let total: f64 = corners(subset, count).map(|i| table[subset][i]).sum();
    let weight = |i: usize| table[subset][i] / total;
    let point = at_a_right_angle(corners(subset, count).map(|i| points[i] * weight(i)).sum(), &points, subset);
    Region::Outside(Nearest::new(point, corners(subset, count).map(|i| (i, weight(i)))))
}

/// All four corners.
const WHOLE: usize = 0b1111;

/// The point with what rounding left of it along the subset's edges taken away: nothing to the point, but much to its
/// direction where it is near the origin.
fn at_a_right_angle(point: DVec3, points: &[DVec3; 4], subset: usize) -> DVec3 {
    let mut corners = corners(subset, 4);
    let (Some(first), second, third) = (corners.next(), corners.next(), corners.next()) else {
        return point;
    };
    let Some(second) = second else {
        return point;
    };
    let edge = points[second] - points[first];
    let Some(third) = third else {
        return point - edge * (point.dot(edge) / edge.length_squared());
    };
    let normal = edge.cross(points[third] - points[first]);
    normal * (normal.dot(points[first]) / normal.length_squared())
}

fn corners(subset: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).filter(move |i| subset & (1 << i) != 0)
}

/// (5.3) and (5.4), by growing subsets: a subset's number is larger than those of its own subsets.
fn cofactors(points: &[DVec3]) -> [Cofactors; 16] {
    let mut table = [[0.0; 4]; 16];
    for subset in 1..1usize << points.len() {
        if subset.count_ones() == 1 {
            table[subset][subset.trailing_zeros() as usize] = 1.0;
            continue;
        }
        for j in corners(subset, points.len()) {
            let rest = subset & !(1 << j);
            let k = rest.trailing_zeros() as usize;
            let across = points[k] - points[j];
            table[subset][j] = corners(rest, points.len()).map(|i| table[rest][i] * points[i].dot(across)).sum();
        }
    }
    table
}

fn is_valid(table: &[Cofactors; 16], subset: usize, count: usize) -> bool {
    corners(subset, count).all(|i| table[subset][i] > 0.0)
}

fn is_solution(table: &[Cofactors; 16], subset: usize, count: usize) -> bool {
    let others = (0..count).filter(|j| subset & (1 << j) == 0);
    is_valid(table, subset, count) && others.into_iter().all(|j| table[subset | (1 << j)][j] <= 0.0)
}

/// The squared distance of the subset's affine hull from the origin (5.7).
fn square(table: &[Cofactors; 16], subset: usize, points: &[DVec3; 4]) -> f64 {
    let total: f64 = corners(subset, 4).map(|i| table[subset][i]).sum();
    let k = subset.trailing_zeros() as usize;
    corners(subset, 4).map(|i| table[subset][i] * points[i].dot(points[k])).sum::<f64>() / total
}
