//! Polytopes made from sizes, and from other polytopes.

use super::{Polytope, PolytopeError};
use crate::math::weld::representatives;
use crate::math::{Real, Vec3, narrow_real, widen_real};
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

fn size(field: &'static str, value: Real) -> Result<Real, PolytopeError> {
    let sound = (SMALLEST_SIZE..=LARGEST_SIZE).contains(&value);
    if sound { Ok(value) } else { Err(PolytopeError::Size { field, value }) }
}

impl Polytope {
    /// A box by its half extents, with its centre at the origin.
    ///
    /// # Errors
    /// If a half extent is not positive and finite.
    ///
    /// ```
    /// use clearance::Polytope;
    /// let cube = Polytope::cuboid([1.0, 1.0, 1.0])?;
    /// assert_eq!((cube.vertices().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
    /// # Ok::<(), clearance::PolytopeError>(())
    /// ```
    pub fn cuboid(half_extents: [Real; 3]) -> Result<Self, PolytopeError> {
        let fields = ["half_extents[0]", "half_extents[1]", "half_extents[2]"];
        for (field, value) in fields.into_iter().zip(half_extents) {
            size(field, value)?;
        }
        let half = Vec3::from(half_extents);
        let sign = |bits: u32, bit: u32| if bits & bit == 0 { -1.0 } else { 1.0 };
        let corner = |bits: u32| half * Vec3::new(sign(bits, 1), sign(bits, 2), sign(bits, 4));
        Self::from_points(&std::array::from_fn::<Vec3, 8, _>(|i| corner(i as u32)))
    }

    /// A prism along z, from `-half_height` to `half_height`: the convex hull of an outline in the plane of x and y, extruded.
    ///
    /// # Errors
    /// If a number is not finite, the height is not positive, or the outline has no area.
    pub fn prism(outline: &[[Real; 2]], half_height: Real) -> Result<Self, PolytopeError> {
        let half = size("half_height", half_height)?;
        if outline.len() < 3 {
            return Err(PolytopeError::TooFewPoints { count: outline.len(), needed: 3 });
        }
        let ends = [-half, half].into_iter();
        Self::from_points(&ends.flat_map(|z| outline.iter().map(move |&[x, y]| Vec3::new(x, y, z))).collect::<Vec<_>>())
    }

    /// A prism along z with a regular polygon of so many sides, whose corners are at `radius` from the axis, the first along x.
    ///
    /// # Errors
    /// If there are fewer than three sides, or a size is not positive and finite.
    ///
    /// ```
    /// use clearance::Polytope;
    /// let nut = Polytope::regular_prism(6, 1.0, 0.5)?;
    /// assert_eq!((nut.vertices().len(), nut.face_count()), (12, 8));
    /// # Ok::<(), clearance::PolytopeError>(())
    /// ```
    pub fn regular_prism(sides: u32, radius: Real, half_height: Real) -> Result<Self, PolytopeError> {
        let radius = widen_real(size("radius", radius)?);
        let corner = |i: u32| {
            let (sin, cos) = (f64::from(i) / f64::from(sides) * std::f64::consts::TAU).sin_cos();
            [narrow_real(radius * cos), narrow_real(radius * sin)]
        };
        Self::prism(&(0..sides).map(corner).collect::<Vec<_>>(), half_height)
    }

    /// The convex hull of points after those within `distance` of an earlier one are left out: hulls of scanned or computed
    /// points have fewer slivers so. Every given point is within `distance` of the hull.
    ///
    /// # Errors
    /// If the distance is negative or not finite, and as [`Polytope::from_points`].
    pub fn from_points_welded(points: &[Vec3], distance: Real) -> Result<Self, PolytopeError> {
        if !(0.0..=LARGEST_SIZE).contains(&distance) {
            return Err(PolytopeError::WeldDistance { value: distance });
        }
        super::check_coordinates(points)?;
        let kept = representatives(points, distance);
        let own = kept.iter().enumerate().filter(|&(i, &kept)| i as u32 == kept);
        Self::from_points(&own.map(|(i, _)| points[i]).collect::<Vec<_>>())
    }

    /// The polytope with its coordinates multiplied by a factor along each axis. Negative factors mirror it.
    ///
    /// The result is again the exact hull of its (rounded) vertices: where rounding moves a vertex into the hull of the others, it
    /// is left out.
    ///
    /// # Errors
    /// If a factor is zero or not finite, or the scaled coordinates are out of range or do not span space any more.
    ///
    /// ```
    /// use clearance::{Polytope, Vec3};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let mirrored = Polytope::from_points(&corners)?.scaled([-2.0, 1.0, 3.0])?;
    /// assert!((mirrored.volume() - 1.0).abs() < 1e-6);
    /// # Ok::<(), clearance::PolytopeError>(())
    /// ```
    pub fn scaled(&self, factors: [Real; 3]) -> Result<Self, PolytopeError> {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(factors) {
            if value == 0.0 || !value.is_finite() {
                return Err(PolytopeError::Factor { axis, value });
            }
        }
        let by = Vec3::from(factors);
        Self::from_points(&self.vertices().iter().map(|&p| p * by).collect::<Vec<_>>())
    }
}
