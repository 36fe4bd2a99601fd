//! Tapered shapes, and shapes of revolution along any axis, given by the two ends of the axis.

use super::construct::{size, sizes};
use super::{Core, Shape, ShapeError};
use crate::math::{Pose, Real, Vec3, length, unit_or};
use crate::polytope::check_coordinates;

impl Shape {
    /// A cylinder along z whose radius changes linearly from the bottom to the top (a truncated cone), with its centroid at the
    /// origin; a cylinder if both radii are equal.
    ///
    /// # Errors
    /// If a size is not positive and finite. A radius of zero makes a [`Shape::cone`].
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// let bucket = Shape::tapered_cylinder(0.5, 1.0, 2.0)?;
    /// let bounds = bucket.aabb(&Pose::IDENTITY);
    /// assert!((bounds.max.x - 1.0).abs() < 1e-6 && (bounds.max.z - bounds.min.z - 2.0).abs() < 1e-6);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn tapered_cylinder(bottom_radius: Real, top_radius: Real, height: Real) -> Result<Self, ShapeError> {
        let [b, t, height] = sizes(["bottom_radius", "top_radius", "height"], [bottom_radius, top_radius, height])?;
        if b == t {
            return Self::cylinder(height / 2.0, b);
        }
        // The centroid's share of the height, from radii relative to the larger one so that nothing overflows.
        let [b, t] = [b, t].map(|radius| radius / b.max(t));
        let share = (b * b + 2.0 * b * t + 3.0 * t * t) / (4.0 * (b * b + b * t + t * t));
        let bottom = -height * share;
        let heights = [bottom, bottom + height];
        Ok(Self::sharp(Core::TaperedCylinder { radii: [bottom_radius, top_radius], heights }))
    }

    /// A capsule along x whose radius changes linearly: the convex hull of two balls with their centres at `-half_length` and
    /// `half_length`. The origin is half-way between the centres. If one ball contains the other, the shape is that ball.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// let finger = Shape::tapered_capsule(1.0, [0.5, 0.25])?;
    /// let bounds = finger.aabb(&Pose::IDENTITY);
    /// assert!((bounds.min.x + 1.5).abs() < 1e-6 && (bounds.max.x - 1.25).abs() < 1e-6);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn tapered_capsule(half_length: Real, radii: [Real; 2]) -> Result<Self, ShapeError> {
        let half = size("half_length", half_length)?;
        let [left, right] = sizes(["radii[0]", "radii[1]"], radii)?;
        if left == right {
            return Self::capsule(half, left);
        }
        let (ball, least, most) = if left > right { (-half, right, left) } else { (half, left, right) };
        if !(most - least < 2.0 * half) {
            let at = Pose::IDENTITY.moved_to(Vec3::X * ball);
            return Ok(Self::sphere(most)?.posed(at));
        }
        Self::sharp(Core::Drop { point: -ball, ball, radius: most - least }).rounded(least)
    }

    /// A capsule: every point within the radius of the segment from `start` to `end`.
    ///
    /// # Errors
    /// If a coordinate is not finite, the ends coincide, or the radius is not positive and finite.
    ///
    /// ```
    /// use clearance::{Pose, Shape, Vec3};
    /// let rod = Shape::capsule_between(Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0), 0.5)?;
    /// let bounds = rod.aabb(&Pose::IDENTITY);
    /// assert!((bounds.max - Vec3::new(0.5, 3.5, 4.5)).length() < 1e-5);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn capsule_between(start: Vec3, end: Vec3, radius: Real) -> Result<Self, ShapeError> {
        let axis = Axis::new(start, end)?;
        Ok(Self::capsule(axis.length / 2.0, radius)?.posed(axis.pose_of_x(0.5)))
    }

    /// A cylinder with its flat ends around `start` and `end`.
    ///
    /// # Errors
    /// If a coordinate is not finite, the ends coincide, or the radius is not positive and finite.
    pub fn cylinder_between(start: Vec3, end: Vec3, radius: Real) -> Result<Self, ShapeError> {
        let axis = Axis::new(start, end)?;
        Ok(Self::cylinder(axis.length / 2.0, radius)?.posed(axis.pose_of_z(0.5)))
    }

    /// A cone with its flat end around `base` and its tip at `apex`.
    ///
    /// # Errors
    /// If a coordinate is not finite, the ends coincide, or the radius is not positive and finite.
    pub fn cone_between(base: Vec3, apex: Vec3, radius: Real) -> Result<Self, ShapeError> {
        let axis = Axis::new(base, apex)?;
        Ok(Self::cone(axis.length, radius)?.posed(axis.pose_of_z(0.25)))
    }

    /// The convex hull of two balls with their centres at `start` and `end`; see [`Shape::tapered_capsule`].
    ///
    /// # Errors
    /// If a coordinate is not finite, the centres coincide, or a radius is not positive and finite.
    pub fn tapered_capsule_between(start: Vec3, end: Vec3, radii: [Real; 2]) -> Result<Self, ShapeError> {
        let axis = Axis::new(start, end)?;
        Ok(Self::tapered_capsule(axis.length / 2.0, radii)?.posed(axis.pose_of_x(0.5)))
    }

    /// A truncated cone with its flat ends around `start` and `end`; see [`Shape::tapered_cylinder`].
    ///
    /// # Errors
    /// If a coordinate is not finite, the ends coincide, or a radius is not positive and finite.
    pub fn tapered_cylinder_between(start: Vec3, end: Vec3, radii: [Real; 2]) -> Result<Self, ShapeError> {
        let axis = Axis::new(start, end)?;
        let [b, t] = sizes(["radii[0]", "radii[1]"], radii)?;
        let shape = Self::tapered_cylinder(b, t, axis.length)?;
        let share = match shape.core() {
            Core::TaperedCylinder { heights, .. } => -heights[0] / axis.length,
            _ => 0.5,
        };
        Ok(shape.posed(axis.pose_of_z(share)))
    }
}

/// The line from one end of a shape to the other.
struct Axis {
    start: Vec3,
    end: Vec3,
    unit: Vec3,
    length: Real,
}

impl Axis {
    fn new(start: Vec3, end: Vec3) -> Result<Self, ShapeError> {
        check_coordinates(&[start, end])?;
        let length = size("length", length(end - start))?;
        Ok(Self { start, end, unit: unit_or(end - start, Vec3::X), length })
    }

    /// The point at a share of the way from start to end.
    fn at(&self, share: Real) -> Vec3 {
        self.start + (self.end - self.start) * share
    }

    fn pose_of_x(&self, origin: Real) -> Pose {
        Pose::turning_x_to(self.unit).moved_to(self.at(origin))
    }

    fn pose_of_z(&self, origin: Real) -> Pose {
        Pose::turning_z_to(self.unit).moved_to(self.at(origin))
    }
}
