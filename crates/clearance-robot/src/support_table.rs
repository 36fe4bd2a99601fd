//! Certified support values by a table: an upper bound of how far a convex body reaches along any direction, in constant time.
//!
//! The support function h(d) = max d·x is convex and positively homogeneous. So if d is a combination of three directions with weights
//! that are not negative, h(d) is at most the same combination of their values. The directions are the points of a grid on the faces
//! of a cube; each of its cells is cut into two triangles. With eight cells along an edge the bound is above the exact value by at
//! most the cell's diagonal squared over eight times the radius of curvature: 1.6 % of the radius of a ball, nothing at flat faces'
//! vertices.

use clearance::{Quat, Shape, Support, Vec3, VertexId};

use crate::tolerance::{TABLE_ERROR, UNIT_ROUNDOFF};

/// Cells along an edge of the cube.
const CELLS: usize = 8;
const POINTS: usize = CELLS + 1;

/// Upper bounds of a body's support function.
#[derive(Debug, Clone)]
pub struct SupportTable {
    values: Box<[f64; 6 * POINTS * POINTS]>,
}

impl SupportTable {
    /// The table of a shape that is turned within its frame.
    pub fn new(shape: &Shape, turn: Quat) -> Self {
        let back = turn.conjugate();
        let error = TABLE_ERROR * UNIT_ROUNDOFF * shape.bounding_radius();
        let mut values = Box::new([0.0; 6 * POINTS * POINTS]);
        for (index, value) in values.iter_mut().enumerate() {
            let (face, row, column) = (index / (POINTS * POINTS), index / POINTS % POINTS, index % POINTS);
            let on_edge = |cell: usize| cell as f64 * (2.0 / CELLS as f64) - 1.0;
            let axis = face / 2;
            let mut direction = Vec3::ZERO;
            direction[axis] = if face % 2 == 0 { 1.0 } else { -1.0 };
            direction[(axis + 1) % 3] = on_edge(row);
            direction[(axis + 2) % 3] = on_edge(column);
            let local = back * direction;
            // The error of a support grows with the length of the direction, at most √3.
            *value = local.dot(shape.support(local, VertexId::NONE).point) + 2.0 * error;
        }
        Self { values }
    }

    /// An upper bound of `direction · x` over the body, which is centred at the origin of its frame's axes.
    #[inline]
    pub fn reach(&self, direction: Vec3) -> f64 {
        let [x, y, z] = direction.to_array();
        let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
        let (axis, size, major, u, v) = if ax >= ay && ax >= az {
            (0, ax, x, y, z)
        } else if ay >= az {
            (1, ay, y, z, x)
        } else {
            (2, az, z, x, y)
        };
        if !(size > 0.0) {
            return 0.0;
        }
        let face = 2 * axis + usize::from(major < 0.0);
        let half = CELLS as f64 / 2.0;
        let scale = half / size;
        let (u, v) = (u * scale + half, v * scale + half);
        let (row, column) = ((u as usize).min(CELLS - 1), (v as usize).min(CELLS - 1));
        let (u, v) = (u - row as f64, v - column as f64);
        let at = face * POINTS * POINTS + row * POINTS + column;
        let cell = &self.values[at..at + POINTS + 2];
        let (low, high) = (cell[POINTS], cell[1]);
        let value = if u + v <= 1.0 {
            cell[0] + u * (low - cell[0]) + v * (high - cell[0])
        } else {
            let far = cell[POINTS + 1];
            far + (1.0 - u) * (high - far) + (1.0 - v) * (low - far)
        };
        value * size
    }
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
                assert!(bound - exact <= 0.02 * d.length() * shape.bounding_radius(), "{bound} {exact}");
            }
        }
    }
}
