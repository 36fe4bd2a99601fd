//! The distance of two solids that are apart by trying every pair of features, in plain `f64` and, for edges that are all but parallel, exactly.
//!
//! Nearest points of convex solids are on a vertex and a face, a face and a vertex, or two edges: the least distance over all
//! of those is the answer. The distance of any two features tells whether a named pair is a closest one.

use glam::DVec3;

use crate::exact::{Exact3, ratio, signed_root};

/// The distance of a point from a segment; the two ends may coincide.
pub fn point_segment(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let share = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - along * share).length()
}

/// The distance of two segments.
pub fn segment_segment(first: [DVec3; 2], second: [DVec3; 2]) -> f64 {
    let ends = [
        point_segment(first[0], second),
        point_segment(first[1], second),
        point_segment(second[0], first),
        point_segment(second[1], first),
    ];
    let mut least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (d, e, between) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let normal = d.cross(e);
    let square = normal.length_squared();
    if square <= SLIVER * d.length_squared() * e.length_squared() {
        return least.min(nearly_parallel(first, second));
    }
    if square > 0.0 {
        let at = between.cross(e).dot(normal) / square;
        let other = between.cross(d).dot(normal) / square;
        if (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&other) {
            least = least.min(normal.dot(between).abs() / square.sqrt());
        }
    }
    least
}

/// Squared sine of the angle below which the direction across two segments loses too many digits in plain `f64`.
const SLIVER: f64 = 1.0e-4;

/// The distance of two segments where their lines are nearest, in exact arithmetic; infinite if that is beyond an end.
fn nearly_parallel(first: [DVec3; 2], second: [DVec3; 2]) -> f64 {
    let ([a, b], [c, f]) = (first.map(Exact3::from), second.map(Exact3::from));
    let (d, e, between) = (&b - &a, &f - &c, &c - &a);
    let normal = d.cross(&e);
    let square = normal.length_squared();
    let at = ratio(&between.cross(&e).dot(&normal), &square);
    let other = ratio(&between.cross(&d).dot(&normal), &square);
    let within = (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&other);
    if within { signed_root(&normal.dot(&between), &square).abs() } else { f64::INFINITY }
}

/// The distance of a point from a flat convex polygon of three or more corners in order.
pub fn point_polygon(p: DVec3, corners: &[DVec3]) -> f64 {
    let sides = || (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
    let least = sides().map(|side| point_segment(p, side)).fold(f64::INFINITY, f64::min);
    let area: DVec3 = sides().map(|[a, b]| (a - corners[0]).cross(b - corners[0])).sum();
    let normal = area.normalize_or_zero();
    let above = sides().all(|[a, b]| normal.cross(b - a).dot(p - a) >= 0.0);
    if above && normal != DVec3::ZERO { least.min(normal.dot(p - corners[0]).abs()) } else { least }
}

/// The distance of two features that do not cross, each a point, a segment or a polygon by its corners. Two polygons are near
/// each other at a corner of one or at two sides, so that all cases are made of those.
pub fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let to = |p: DVec3, corners: &[DVec3]| match *corners {
        [q] => p.distance(q),
        [q, r] => point_segment(p, [q, r]),
        _ => point_polygon(p, corners),
    };
    let corners = a.iter().map(|&p| to(p, b)).chain(b.iter().map(|&q| to(q, a)));
    let sides = |corners: &[DVec3]| -> Vec<[DVec3; 2]> {
        let count = if corners.len() == 2 { 1 } else { corners.len() };
        (0..count).map(|i| [corners[i], corners[(i + 1) % corners.len()]]).collect()
    };
    let (of_a, of_b) = (sides(a), sides(b));
    let edges = of_a.iter().flat_map(|&s| of_b.iter().map(move |&t| segment_segment(s, t)));
    corners.chain(edges).fold(f64::INFINITY, f64::min)
}

/// The least distance over all pairs of faces of two solids, given by the corners of each face.
pub fn least_distance(a: &[Vec<DVec3>], b: &[Vec<DVec3>]) -> f64 {
    a.iter().flat_map(|f| b.iter().map(move |g| distance(f, g))).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_known_features() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        assert_eq!(point_polygon(DVec3::new(0.25, 0.5, 2.0), &square), 2.0);
        assert_eq!(point_polygon(DVec3::new(4.0, 5.0, 0.0), &square), 5.0);
        let crossing = [DVec3::new(0.5, -1.0, 0.5), DVec3::new(0.5, 1.0, 0.5)];
        assert_eq!(segment_segment([DVec3::ZERO, DVec3::X], crossing), 0.5);
        assert_eq!(distance(&crossing, &square), 0.5);
        assert_eq!(distance(&[DVec3::Z], &[DVec3::ZERO]), 1.0);
        // Crossing at a millionth of a radian: the plain cross product is off by more than the distance.
        let (low, high) = (DVec3::new(-1.0, -1.0e-6, 0.1), DVec3::new(1.0, 1.0e-6, 0.1 + 1.0e-13));
        let near = segment_segment([DVec3::new(-1.0, 0.0, 0.1), DVec3::new(1.0, 0.0, 0.1)], [low, high]);
        assert!((near - 0.5e-13).abs() < 1.0e-16, "{near}");
        let raised = square.map(|p| p + DVec3::new(0.5, 0.5, 0.75));
        assert_eq!(least_distance(&[square.to_vec()], &[raised.to_vec()]), 0.75);
    }
}
