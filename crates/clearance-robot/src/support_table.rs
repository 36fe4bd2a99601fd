//! Certified support values by a table: an upper bound of how far a convex body reaches along any direction, in constant time.
//!
//! The support function h(d) = max d·x is convex and positively homogeneous. So if d is a combination of three directions with weights
//! that are not negative, h(d) is at most the same combination of their values. The directions are the points of a triangular grid on the
//! faces of an octahedron, which a direction is found on without a branch: its signs name the face, its components divided by the sum
//! of their magnitudes are the barycentric coordinates. With ten triangles along an edge the bound is above the value of a ball by at
//! most 2.5 % of its radius.

use clearance::{Quat, Shape, Support, Vec3, VertexId};

use crate::tolerance::{TABLE_ERROR, UNIT_ROUNDOFF};

/// Triangles along an edge of the octahedron.
const CELLS: usize = 10;
/// Points of a row: one more than there are, so that the far corner of a cell at the edge of a face is a number, too.
const ROW: usize = CELLS + 2;
const FACE: usize = ROW * ROW;

/// Upper bounds of a body's support function, rounded up.
#[derive(Debug, Clone)]
pub struct SupportTable {
    values: Box<[f32; 8 * FACE]>,
    /// The least that the body reaches in any of the grid's directions, per length.
    least: f64,
}

impl SupportTable {
    /// The table of a shape that is turned within its frame.
    pub fn new(shape: &Shape, turn: Quat) -> Self {
        let back = turn.conjugate();
        let error = TABLE_ERROR * UNIT_ROUNDOFF * shape.bounding_radius();
        let mut values = Box::new([0.0; 8 * FACE]);
        let mut least = f64::INFINITY;
        for (index, value) in values.iter_mut().enumerate() {
            let (face, row, column) = (index / FACE, index / ROW % ROW, index % ROW);
            if row + column > CELLS {
                continue;
            }
            let signs = Vec3::new(sign(face & 1), sign(face & 2), sign(face & 4));
            let point = Vec3::new(row as f64, column as f64, (CELLS - row - column) as f64) / CELLS as f64;
            let local = back * (signs * point);
            *value = rounded_up(local.dot(shape.support(local, VertexId::NONE).point) + error);
            least = least.min(f64::from(*value) / point.length());
        }
        Self { values, least }
    }

    /// About the least that the body reaches in any direction, per length.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// An upper bound of `direction · x` over the body, which is centred at the origin of its frame's axes.
    #[inline]
    pub fn reach(&self, direction: Vec3) -> f64 {
        direction.dot(self.farthest(direction))
    }

    /// A point p near where the body is farthest along a direction: `direction · p` is an upper bound of `direction · x` over the body.
    #[inline]
    pub fn farthest(&self, direction: Vec3) -> Vec3 {
        let size = direction.abs();
        let sum = size.x + size.y + size.z;
        // Of a direction of no length all is zero: NaN as an index is 0, and the point is multiplied with the direction.
        let scale = CELLS as f64 / sum;
        let (u, v) = (size.x * scale, size.y * scale);
        let (row, column) = ((u as usize).min(CELLS), (v as usize).min(CELLS));
        let face =
            usize::from(direction.x < 0.0) | usize::from(direction.y < 0.0) << 1 | usize::from(direction.z < 0.0) << 2;
        let at = (face * FACE + row * ROW + column).min(8 * FACE - ROW - 2);
        let cell = &self.values[at..at + ROW + 2];
        let [here, by_v, by_u, far] = [cell[0], cell[1], cell[ROW], cell[ROW + 1]].map(f64::from);
        let (row, column) = (row as f64, column as f64);
        // The value is linear over a triangle: at a corner, and how it grows along both edges.
        let is_far = (u - row) + (v - column) > 1.0;
        let corner = if is_far { by_u + by_v - far } else { here };
        let along_u = if is_far { far - by_v } else { by_u - here };
        let along_v = if is_far { far - by_u } else { by_v - here };
        let z = corner - row * along_u - column * along_v;
        let cells = CELLS as f64;
        Vec3::new(z + cells * along_u, z + cells * along_v, z) * direction.signum()
    }
}

fn sign(is_negative: usize) -> f64 {
    if is_negative == 0 { 1.0 } else { -1.0 }
}

/// The least number of single precision that is not below a value.
fn rounded_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_from_above_and_closely() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut number = || 2.0 * rng.f64() - 1.0;
        let points: Vec<Vec3> = (0..40).map(|_| Vec3::new(number(), number(), number())).collect();
        let turn = Quat::from_rotation_y(0.4) * Quat::from_rotation_x(1.1);
        for shape in [Shape::polytope(&points), Shape::sphere(1.0), Shape::cylinder(0.5, 1.0)] {
            let shape = shape.unwrap();
            let table = SupportTable::new(&shape, turn);
            for _ in 0..20_000 {
                let d = Vec3::new(number(), number(), number()) * 3.0;
                let local = turn.conjugate() * d;
                let exact = local.dot(shape.support(local, VertexId::NONE).point);
                let bound = table.reach(d);
                assert!(bound >= exact, "{bound} {exact}");
                assert!(bound - exact <= 0.15 * d.length() * shape.bounding_radius(), "{bound} {exact}");
            }
        }
    }
}
