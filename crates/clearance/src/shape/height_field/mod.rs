//! Height fields: surfaces over a grid, never turned into triangles beforehand.
//!
//! A field is a grid of heights with a cell size. Each cell has two triangles, cut along the diagonal from its corner with the least
//! coordinates to that with the largest; a triangle is there if its three corners have heights. They are made when they are asked
//! for. Above the grid stands a pyramid of the least and greatest height of 2×2, 4×4, … cells, which serves as the tree: it takes
//! five bytes for each cell in f64.
//!
//! The surface is seen from +z; it has no thickness, and what is below is not solid.

mod build;
mod node;
mod support;

use super::mass::MassProperties;
use crate::math::{Aabb, Pose, Real, Vec3};

pub(crate) use node::FieldNode;

/// A surface over a grid in the plane of x and y. Immutable, shared between threads.
///
/// ```
/// use clearance::{HeightField, Vec3};
/// // Rows go along y, numbers in a row along x: three by two samples, two cells of one by two.
/// let field = HeightField::new(&[[0.0, 0.0, 1.0], [0.0, 0.5, 1.0]], [1.0, 2.0])?;
/// assert_eq!((field.columns(), field.rows(), field.triangle_count()), (3, 2, 4));
/// assert_eq!(field.bounds().max, Vec3::new(2.0, 2.0, 1.0));
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeightField {
    /// Row by row; a hole is NaN.
    heights: Box<[Real]>,
    columns: u32,
    rows: u32,
    cell: [Real; 2],
    /// The least and the greatest height of blocks of 2×2 cells, of 4×4, and so on up to one block.
    levels: Box<[Level]>,
    bounds: Aabb,
    reach: Real,
    triangles: usize,
    mass: MassProperties,
}

/// The blocks of one size.
#[derive(Debug, Clone)]
struct Level {
    columns: u32,
    rows: u32,
    /// The least and the greatest height; infinite the wrong way round for blocks without triangles.
    ranges: Box<[[Real; 2]]>,
}

impl HeightField {
    /// How many heights there are along x.
    #[inline]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// How many heights there are along y.
    #[inline]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The distance of neighbouring heights along x and y.
    #[inline]
    pub fn cell(&self) -> [Real; 2] {
        self.cell
    }

    /// The height at a place of the grid; nothing for a hole, or beyond the grid.
    pub fn height(&self, column: u32, row: u32) -> Option<Real> {
        let inside = column < self.columns && row < self.rows;
        inside.then(|| self.heights[self.place(column, row)]).filter(|height| !height.is_nan())
    }

    /// How many triangles the surface has.
    #[inline]
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The corners of a triangle, counter-clockwise seen from above; nothing if a corner is a hole. A cell's two triangles have the
    /// numbers `2 · cell` (the one with the side along x) and `2 · cell + 1`, where cells are counted row by row.
    pub fn triangle(&self, triangle: u32) -> Option<[Vec3; 3]> {
        let [across, along] = self.cells();
        let (cell, upper) = (triangle / 2, triangle % 2 == 1);
        (cell / across < along).then(|| self.corners(cell % across, cell / across, upper))?
    }

    /// A point of the grid by its number, counted row by row; nothing for a hole.
    pub(crate) fn vertex(&self, vertex: u32) -> Option<Vec3> {
        let (column, row) = (vertex % self.columns, vertex / self.columns);
        (row < self.rows).then(|| self.point(column, row)).filter(|p| !p.z.is_nan())
    }

    /// The tight box of the surface in its own frame.
    #[inline]
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// A ball of this radius about the local origin contains the surface.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.reach
    }

    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let rows = pose.matrix().transpose();
        let reach = |row: Vec3| [-row, row].map(|d| self.support(d).0.dot(row));
        let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(reach);
        let t = pose.translation();
        Aabb { min: t + Vec3::new(x[0], y[0], z[0]), max: t + Vec3::new(x[1], y[1], z[1]) }
    }

    /// No volume, and the centre of the surface's area.
    #[inline]
    pub fn mass_properties(&self) -> MassProperties {
        self.mass
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| size_of_val(&*level.ranges)).sum::<usize>();
        size_of_val(&*self.heights) + size_of_val(&*self.levels) + levels
    }

    /// How many cells there are along x and y.
    #[inline]
    fn cells(&self) -> [u32; 2] {
        [self.columns - 1, self.rows - 1]
    }

    #[inline]
    fn place(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// A point of the grid; its height is NaN at a hole.
    #[inline]
    fn point(&self, column: u32, row: u32) -> Vec3 {
        let [dx, dy] = self.cell;
        Vec3::new(column as Real * dx, row as Real * dy, self.heights[self.place(column, row)])
    }

    /// The corners of a triangle of a cell, if it is there.
    #[inline]
    fn corners(&self, column: u32, row: u32, upper: bool) -> Option<[Vec3; 3]> {
        let (first, last) = (self.point(column, row), self.point(column + 1, row + 1));
        let corners =
            if upper { [first, last, self.point(column, row + 1)] } else { [first, self.point(column + 1, row), last] };
        corners.iter().all(|p| !p.z.is_nan()).then_some(corners)
    }
}
