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
    // Without branches: directions are as good as random, and a mispredicted jump costs more than the whole lookup.
    let band = 4 + step - usize::from(d.z < 0.0) * (2 * step + 1);
    // Sectors: quadrant by the signs, then three comparisons within it.
    let (west, south) = (usize::from(d.x < 0.0), usize::from(d.y < 0.0));
    let quadrant = (west ^ south) + 2 * south;
    let (ax, ay) = (d.x.abs(), d.y.abs());
    let turn = usize::from(ay > TAN_EIGHTH * ax) + usize::from(ay > ax) + usize::from(TAN_EIGHTH * ay > ax);
    // In the second and fourth quadrant the angle runs from y towards x.
    let turn = if quadrant % 2 == 0 { turn } else { 3 - turn };
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
