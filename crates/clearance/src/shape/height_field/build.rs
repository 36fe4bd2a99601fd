//! Making a height field: checks, the pyramid, sizes.

use glam::DVec3;

use super::HeightField;
use crate::math::{Aabb, Real, Vec3, length, narrow, widen};
use crate::shape::error::ShapeError;
use crate::shape::mass::MassProperties;
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

/// The most heights along an axis: numbers of nodes are packed.
const LONGEST: usize = 1 << 28;

impl HeightField {
    /// A field from rows of heights; the first height of the first row is above the origin, numbers of a row go along x and rows along y.
    ///
    /// # Errors
    /// If there are fewer than two rows or columns, rows differ in length, a height or the extent is not finite or out of range, or a cell
    /// size is not positive. The message names the element.
    pub fn new<R: AsRef<[Real]>>(rows: &[R], cell: [Real; 2]) -> Result<Self, ShapeError> {
        let row = |j: usize| rows[j].as_ref();
        Self::made(
            [rows.len(), rows.first().map_or(0, |row| row.as_ref().len())],
            cell,
            |j| row(j).len(),
            |i, j| Some(row(j)[i]),
        )
    }

    /// The same with holes: a triangle is there if its three corners have heights.
    ///
    /// # Errors
    /// As [`HeightField::new`]; and if there are only holes, so that no triangle is left.
    ///
    /// ```
    /// use clearance::HeightField;
    /// let field = HeightField::with_holes(&[[Some(0.0), Some(0.0)], [None, Some(1.0)]], [1.0, 1.0])?;
    /// assert_eq!(field.triangle_count(), 1);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn with_holes<R: AsRef<[Option<Real>]>>(rows: &[R], cell: [Real; 2]) -> Result<Self, ShapeError> {
        let row = |j: usize| rows[j].as_ref();
        Self::made(
            [rows.len(), rows.first().map_or(0, |row| row.as_ref().len())],
            cell,
            |j| row(j).len(),
            |i, j| row(j)[i],
        )
    }

    fn made(
        [rows, columns]: [usize; 2],
        cell: [Real; 2],
        length_of: impl Fn(usize) -> usize,
        height: impl Fn(usize, usize) -> Option<Real>,
    ) -> Result<Self, ShapeError> {
        if rows < 2 || columns < 2 {
            return Err(ShapeError::NoCells { rows, columns });
        }
        if rows > LONGEST || columns > LONGEST || (rows as u64) * (columns as u64) > u64::from(u32::MAX / 2) {
            return Err(ShapeError::TooManyCells { rows, columns });
        }
        if let Some(row) = (0..rows).find(|&row| length_of(row) != columns) {
            return Err(ShapeError::Ragged { row, count: length_of(row), expected: columns });
        }
        for (field, (size, count)) in ["cell[0]", "cell[1]"].into_iter().zip(cell.into_iter().zip([columns, rows])) {
            if !(size >= SMALLEST_SIZE && size * count as Real <= LARGEST_SIZE) {
                return Err(ShapeError::Size { field, value: size });
            }
        }
        let mut heights = Vec::with_capacity(rows * columns);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            match height(column, row) {
                Some(value) if !(value.abs() <= LARGEST_SIZE) => return Err(ShapeError::Height { row, column, value }),
                given => heights.push(given.unwrap_or(Real::NAN)),
            }
        }
        let mut field = Self {
            heights: heights.into(),
            columns: columns as u32,
            rows: rows as u32,
            cell,
            levels: Box::default(),
            bounds: Aabb::EMPTY,
            reach: 0.0,
            triangles: 0,
            mass: MassProperties::without_volume(Vec3::ZERO),
        };
        field.measure();
        if field.triangles == 0 {
            return Err(ShapeError::OnlyHoles);
        }
        field.raise();
        Ok(field)
    }

    /// Bounds, reach, the number of triangles and the centre of their area.
    fn measure(&mut self) {
        let [across, along] = self.cells();
        // Relative to the size of a cell: areas do not overflow.
        let (mut area, mut moment) = (0.0, DVec3::ZERO);
        let unit = widen(Vec3::splat(self.cell[0].max(self.cell[1])));
        for (row, column) in (0..along).flat_map(|row| (0..across).map(move |column| (row, column))) {
            for upper in [false, true] {
                let Some(corners) = self.corners(column, row, upper) else { continue };
                self.triangles += 1;
                self.bounds = self.bounds.union(&Aabb::from_points(corners));
                self.reach = corners.iter().map(|&p| length(p)).fold(self.reach, Real::max);
                let [a, b, c] = corners.map(|p| widen(p) / unit);
                let twice = (b - a).cross(c - a).length();
                area += twice;
                moment += (a + b + c) * (twice / 3.0);
            }
        }
        if area > 0.0 && area.is_finite() {
            self.mass = MassProperties::without_volume(narrow(moment / area * unit));
        } else if self.triangles > 0 {
            self.mass = MassProperties::without_volume(self.bounds.center());
        }
    }
}
