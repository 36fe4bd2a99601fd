//! Start vertices by direction (Q_COLLIDE, section 3.5): a table of 8 × 16 cells of the sphere, each with the supporting
//! vertex of its middle.
//!
//! Departure: the eight bands have equal height instead of equal angle, so that all cells have the same area, and a
//! direction finds its cell by comparing squares: no square root, no arc tangent.

use crate::math::{Real, Vec3, consts};

const BANDS: usize = 8;
const SECTORS: usize = 16;
const CELLS: usize = BANDS * SECTORS;

/// tan(π/8): splits an octant of the plane into two sectors.
const TAN_EIGHTH: Real = consts::SQRT_2 - 1.0;

/// For each cell of directions, a vertex to start climbing from.
#[derive(Debug, Clone)]
pub struct DirectionTable {
    vertices: Box<[u32; CELLS]>,
}

impl DirectionTable {
    /// Fills the table; `farthest(direction, start)` returns the supporting vertex, searching from `start`.
    pub fn new(mut farthest: impl FnMut(Vec3, u32) -> u32) -> Self {
        let mut vertices = Box::new([0; CELLS]);
        let mut previous = 0;
        for (cell, slot) in vertices.iter_mut().enumerate() {
            previous = farthest(middle(cell), previous);
            *slot = previous;
        }
        Self { vertices }
    }

    /// The vertex of the direction's cell; the direction need not have unit length.
    #[inline]
    pub fn start(&self, direction: Vec3) -> u32 {
        self.vertices[cell(direction)]
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<[u32; CELLS]>()
    }
}

#[inline]
fn cell(d: Vec3) -> usize {
    // Bands: |z| against 1/4, 1/2 and 3/4 of the length.
    let (zz, square) = (16.0 * d.z * d.z, d.length_squared());
    let step = usize::from(zz >= square) + usize::from(zz >= 4.0 * square) + usize::from(zz >= 9.0 * square);
    let band = if d.z >= 0.0 { 4 + step } else { 3 - step };
    // Sectors: quadrant by the signs, then three comparisons within it.
    let quadrant = match (d.x >= 0.0, d.y >= 0.0) {
        (true, true) => 0,
        (false, true) => 1,
        (false, false) => 2,
        (true, false) => 3,
    };
    let (ax, ay) = (d.x.abs(), d.y.abs());
    let (along, across) = if quadrant % 2 == 0 { (ax, ay) } else { (ay, ax) };
    let turn = usize::from(across > TAN_EIGHTH * along)
        + usize::from(across > along)
        + usize::from(TAN_EIGHTH * across > along);
    band * SECTORS + quadrant * 4 + turn
}

fn middle(cell: usize) -> Vec3 {
    let z = ((cell / SECTORS) as Real + 0.5) / (BANDS as Real / 2.0) - 1.0;
    let angle = ((cell % SECTORS) as Real + 0.5) * consts::TAU / SECTORS as Real;
    let radius = (1.0 - z * z).sqrt();
    Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_cell_is_in_it() {
        for i in 0..CELLS {
            assert_eq!(cell(middle(i)), i);
            assert_eq!(cell(middle(i) * 1000.0), i);
        }
    }
}
