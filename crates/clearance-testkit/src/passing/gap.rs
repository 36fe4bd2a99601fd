//! How far apart two surfaces are that do not meet: over corners and triangles, and sides and sides, in `f64`.
//!
//! Coordinates are relative to an origin near the world, so the error is a few roundings of the world's size. Sides that are all
//! but parallel get their common perpendicular exactly.

use glam::DVec3;

use super::surface::{Fixed, Placed};
use crate::features::segment_segment;

/// The square of the distance of a point from a segment with length.
fn point_segment(p: DVec3, a: DVec3, along: DVec3) -> f64 {
    let share = (p - a).dot(along) / along.length_squared();
    (p - a - along * share.clamp(0.0, 1.0)).length_squared()
}

/// Squared sine below which the direction across two sides is not taken from a plain cross product.
const SLIVER: f64 = 1.0e-4;

/// The square of the distance of two segments, not counting their ends, up to a limit.
fn inner_segments(a: [DVec3; 2], b: [DVec3; 2], limit: f64) -> f64 {
    let (d, e, between) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = d.cross(e);
    let square = normal.length_squared();
    let height = normal.dot(between);
    let size = d.length_squared() * e.length_squared();
    if square <= SLIVER * size {
        // Lines that are parallel to rounding are as near at an end; others are looked at closely if they may be near.
        let unclear = square > PARALLEL * size && height * height <= 4.0 * limit * square + PARALLEL * size * limit;
        return if unclear { segment_segment(a, b).powi(2) } else { limit };
    }
    if height * height >= limit * square {
        return limit;
    }
    let (s, t) = (between.cross(e).dot(normal), between.cross(d).dot(normal));
    let within = (0.0..=square).contains(&s) && (0.0..=square).contains(&t);
    if within { height * height / square } else { limit }
}

/// Squared sine below which lines are parallel for any purpose here.
const PARALLEL: f64 = 1.0e-28;

/// A triangle with what its distances need.
struct Shape {
    corners: [DVec3; 3],
    normal: DVec3,
}

impl Shape {
    fn new(corners: [DVec3; 3]) -> Self {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        Self { corners, normal }
    }

    fn side(&self, i: usize) -> [DVec3; 2] {
        [self.corners[i], self.corners[(i + 1) % 3]]
    }

    /// The least of the squares of the distances of a point and of the limit.
    fn to_point(&self, p: DVec3, limit: f64) -> f64 {
        let height = self.normal.dot(p - self.corners[0]);
        if height * height >= limit {
            return limit;
        }
        let mut least = limit;
        let mut above = self.normal != DVec3::ZERO;
        for i in 0..3 {
            let [a, b] = self.side(i);
            above &= self.normal.cross(b - a).dot(p - a) >= 0.0;
            least = least.min(point_segment(p, a, b - a));
        }
        if above { least.min(height * height) } else { least }
    }
}

/// The least of the squares of the distances of two triangles that do not cross, and of the limit.
fn triangles(a: &Shape, b: &Shape, limit: f64) -> f64 {
    let mut least = limit;
    // Wholly on one side of the other's plane and farther from it: no need to look.
    for (one, two) in [(a, b), (b, a)] {
        let heights = two.corners.map(|p| one.normal.dot(p - one.corners[0]));
        let low = heights.into_iter().fold(f64::INFINITY, f64::min);
        let high = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let off = low.max(-high);
        if off > 0.0 && off * off >= limit {
            return limit;
        }
    }
    for i in 0..3 {
        least = a.to_point(b.corners[i], least);
        least = b.to_point(a.corners[i], least);
    }
    for i in 0..3 {
        for j in 0..3 {
            least = least.min(inner_segments(a.side(i), b.side(j), least));
        }
    }
    least
}

impl Fixed<'_> {
    /// The distance of the surfaces if they do not meet, or the limit if that is less.
    pub fn gap(&self, body: &Placed, limit: f64) -> f64 {
        let own: Vec<Shape> = (0..body.surface.triangles.len() as u32).map(|i| Shape::new(body.corners(i))).collect();
        let square = self.tree.nearest(&body.whole, limit * limit, |index, least| {
            let bounds = &self.placed.triangle_boxes[index as usize];
            if bounds.distance_squared(&body.whole) > least {
                return least;
            }
            let other = Shape::new(self.placed.corners(index));
            own.iter().zip(&body.triangle_boxes).fold(least, |least, (shape, own_bounds)| {
                if bounds.distance_squared(own_bounds) > least { least } else { triangles(shape, &other, least) }
            })
        });
        square.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use crate::meshes::Polyhedron;
    use crate::passing::{Fixed, Placed, Placement, Surface};
    use crate::random::Rng;
    use crate::surfaces;

    #[test]
    fn gaps_are_those_of_all_triangles() {
        let mut rng = Rng::new(31);
        let mut apart = 0;
        for _ in 0..200 {
            let solids = [Polyhedron::notched(), Polyhedron::cuboid(rng.in_box(glam::DVec3::ONE).abs() + 0.1)];
            let [a, b] = solids.each_ref().map(Surface::new);
            let mut placement =
                |reach: f64| Placement { matrix: DMat3::from_quat(rng.rotation()), translation: rng.in_ball(reach) };
            let (at_a, at_b) = (placement(1.0), placement(4.0));
            let fixed = Fixed::new(&a, at_a, Some(0));
            let body = Placed::new(&b, at_b, fixed.origin);
            if fixed.meets(&body) {
                continue;
            }
            apart += 1;
            let moved = |solid: &Polyhedron, at: Placement| solid.clone().mapped(|v| at.point(v)).triangles();
            let expected = surfaces::distance(&moved(&solids[0], at_a), &moved(&solids[1], at_b));
            assert!((fixed.gap(&body, 10.0) - expected).abs() < 1e-13, "{expected}");
            assert_eq!(fixed.gap(&body, 0.5 * expected), 0.5 * expected);
        }
        assert!(apart > 80, "{apart}");
    }
}
