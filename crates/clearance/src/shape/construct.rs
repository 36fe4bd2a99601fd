//! One constructor per shape; bad input is an error that names the field.

use std::sync::Arc;

use super::{Core, Part, Shape, ShapeError};
use crate::math::predicates::collinear;
use crate::math::{Pose, Real, Vec3, widen};
use crate::polytope::{Polygon, Polytope, PolytopeError};
use crate::support::{Support, VertexId};
use crate::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};

pub(super) fn size(field: &'static str, value: Real) -> Result<Real, ShapeError> {
    if (SMALLEST_SIZE..=LARGEST_SIZE).contains(&value) { Ok(value) } else { Err(ShapeError::Size { field, value }) }
}

pub(super) fn sizes<const N: usize>(fields: [&'static str; N], values: [Real; N]) -> Result<[Real; N], ShapeError> {
    for (field, value) in fields.into_iter().zip(values) {
        size(field, value)?;
    }
    Ok(values)
}

const HALF_EXTENTS: [&str; 3] = ["half_extents[0]", "half_extents[1]", "half_extents[2]"];
const RADII: [&str; 3] = ["radii[0]", "radii[1]", "radii[2]"];

impl Shape {
    pub(crate) fn sharp(core: Core) -> Self {
        Self::new(core, 0.0)
    }

    /// A core with a radius that was checked.
    pub(crate) fn with_radius(core: Core, radius: Real) -> Self {
        Self::new(core, radius)
    }

    pub(super) fn new(core: Core, radius: Real) -> Self {
        let reach = core.bounding_radius() + radius;
        Self { core, radius, reach }
    }

    /// The origin.
    pub fn point() -> Self {
        Self::sharp(Core::Point)
    }

    /// A segment along x.
    ///
    /// # Errors
    /// If the length is not positive and finite.
    pub fn segment(half_length: Real) -> Result<Self, ShapeError> {
        Ok(Self::sharp(Core::Segment { half_length: size("half_length", half_length)? }))
    }

    /// A rectangle in the plane of x and y.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn rectangle(half_extents: [Real; 2]) -> Result<Self, ShapeError> {
        let half_extents = sizes([HALF_EXTENTS[0], HALF_EXTENTS[1]], half_extents)?;
        Ok(Self::sharp(Core::Rectangle { half_extents }))
    }

    /// A box by its half extents.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn cuboid(half_extents: [Real; 3]) -> Result<Self, ShapeError> {
        Ok(Self::sharp(Core::Cuboid { half_extents: sizes(HALF_EXTENTS, half_extents)?.into() }))
    }

    /// A disc in the plane of x and y.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn disc(radius: Real) -> Result<Self, ShapeError> {
        Ok(Self::sharp(Core::Disc { radius: size("radius", radius)? }))
    }

    /// A sphere.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn sphere(radius: Real) -> Result<Self, ShapeError> {
        Self::point().rounded(radius)
    }

    /// An ellipse in the plane of x and y.
    ///
    /// # Errors
    /// If a radius is not positive and finite.
    pub fn ellipse(radii: [Real; 2]) -> Result<Self, ShapeError> {
        Ok(Self::sharp(Core::Ellipse { radii: sizes([RADII[0], RADII[1]], radii)? }))
    }

    /// An ellipsoid by its semi-axes; a sphere if they are equal.
    ///
    /// # Errors
    /// If a radius is not positive and finite.
    pub fn ellipsoid(radii: [Real; 3]) -> Result<Self, ShapeError> {
        let [x, y, z] = sizes(RADII, radii)?;
        if x == y && y == z {
            return Self::sphere(x);
        }
        Ok(Self::sharp(Core::Ellipsoid { radii: radii.into() }))
    }

    /// A capsule along x: a segment and every point within the radius of it.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn capsule(half_length: Real, radius: Real) -> Result<Self, ShapeError> {
        Self::segment(half_length)?.rounded(radius)
    }

    /// A lozenge: a rectangle in the plane of x and y, and every point within the radius of it.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn lozenge(half_extents: [Real; 2], radius: Real) -> Result<Self, ShapeError> {
        Self::rectangle(half_extents)?.rounded(radius)
    }

    /// A box with its corners and edges rounded off: a box by its half extents, and every point within the radius of it.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn round_box(half_extents: [Real; 3], radius: Real) -> Result<Self, ShapeError> {
        Self::cuboid(half_extents)?.rounded(radius)
    }

    /// A cylinder along z.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn cylinder(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        let [half_height, radius] = sizes(["half_height", "radius"], [half_height, radius])?;
        Ok(Self::sharp(Core::Cylinder { half_height, radius }))
    }

    /// A cone along z with its apex up and its centroid at the origin.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn cone(height: Real, radius: Real) -> Result<Self, ShapeError> {
        let [height, radius] = sizes(["height", "radius"], [height, radius])?;
        Ok(Self::sharp(Core::Cone { height, radius }))
    }

    /// A wheel about z: a disc and every point within the radius of it.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn wheel(disc_radius: Real, radius: Real) -> Result<Self, ShapeError> {
        Self::sharp(Core::Disc { radius: size("disc_radius", disc_radius)? }).rounded(radius)
    }

    /// A frustum along z with rectangular ends, given by their half extents, and its centroid at the origin.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn frustum(bottom: [Real; 2], top: [Real; 2], height: Real) -> Result<Self, ShapeError> {
        sizes(["bottom[0]", "bottom[1]"], bottom)?;
        sizes(["top[0]", "top[1]"], top)?;
        size("height", height)?;
        // The area at a fraction s of the height is 4 (b + s·d)₀ (b + s·d)₁ with d = top − bottom; these are the integrals
        // of it and of s times it, divided by four and by the largest extents so that nothing overflows.
        let scale = [0, 1].map(|i: usize| bottom[i].max(top[i]));
        let [bx, by] = [bottom[0] / scale[0], bottom[1] / scale[1]];
        let [dx, dy] = [top[0] / scale[0] - bx, top[1] / scale[1] - by];
        let area = bx * by + (bx * dy + by * dx) / 2.0 + dx * dy / 3.0;
        let moment = bx * by / 2.0 + (bx * dy + by * dx) / 3.0 + dx * dy / 4.0;
        let bottom_z = -height * (moment / area);
        Ok(Self::sharp(Core::Frustum { bottom, top, bottom_z, top_z: bottom_z + height }))
    }

    /// A triangle.
    ///
    /// # Errors
    /// If a coordinate is not finite or the corners are on one line.
    pub fn triangle(points: [Vec3; 3]) -> Result<Self, ShapeError> {
        crate::polytope::check_coordinates(&points)?;
        let [a, b, c] = points.map(widen);
        if a == b && b == c {
            return Err(PolytopeError::Coincident { count: 3 }.into());
        }
        if collinear(a, b, c) {
            return Err(PolytopeError::Collinear { count: 3 }.into());
        }
        Ok(Self::sharp(Core::Triangle(points)))
    }

    /// The hull of a cloud of points, see [`Polytope::from_points`].
    ///
    /// # Errors
    /// If a coordinate is not finite or the points do not span space.
    pub fn polytope(points: &[Vec3]) -> Result<Self, ShapeError> {
        Ok(Polytope::from_points(points)?.into())
    }

    /// The hull of points in one plane, see [`Polygon::from_points`].
    ///
    /// # Errors
    /// If a coordinate is not finite, or the points are on a line or not in one plane.
    pub fn polygon(points: &[Vec3]) -> Result<Self, ShapeError> {
        Ok(Polygon::from_points(points)?.into())
    }

    /// A user's own convex shape, known by its support function.
    ///
    /// # Errors
    /// If the support points along the six axes are not finite.
    pub fn custom(shape: Arc<dyn Support + Send + Sync>) -> Result<Self, ShapeError> {
        for direction in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            let point = shape.support(direction, VertexId::NONE).point;
            // Each component: the largest of them would pass over a NaN.
            if !point.abs().cmple(Vec3::splat(LARGEST_SIZE)).all() {
                return Err(ShapeError::Custom { direction: direction.into(), point: point.into() });
            }
        }
        Ok(Self::sharp(Core::Custom(shape)))
    }

    /// This shape and every point within `radius` of it.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn rounded(self, radius: Real) -> Result<Self, ShapeError> {
        size("radius", radius)?;
        Ok(Self::new(self.core, size("radius", self.radius + radius)?))
    }

    /// This shape moved inside its own frame.
    #[must_use]
    pub fn posed(self, pose: Pose) -> Self {
        let radius = self.radius;
        Self::new(Core::Posed(Arc::new(Part { shape: Self::sharp(self.core), pose })), radius)
    }

    /// The Minkowski sum A ⊕ B: every a + b.
    pub fn sum(a: Part, b: Part) -> Self {
        let (radius, parts) = without_radii(a, b);
        Self::new(Core::Sum(parts), radius)
    }

    /// The Minkowski difference A ⊖ B: every a − b.
    pub fn difference(a: Part, b: Part) -> Self {
        let (radius, parts) = without_radii(a, b);
        Self::new(Core::Difference(parts), radius)
    }

    /// The convex hull of two shapes.
    pub fn hull(a: Part, b: Part) -> Self {
        if a.shape.radius == b.shape.radius {
            let radius = a.shape.radius;
            return Self::new(Core::Hull(without_radii(a, b).1), radius);
        }
        Self::sharp(Core::Hull(Arc::new([a, b])))
    }
}

/// Rounding commutes with sums, so the radii of both parts become one of the whole.
fn without_radii(a: Part, b: Part) -> (Real, Arc<[Part; 2]>) {
    let radius = a.shape.radius + b.shape.radius;
    let sharp = |part: Part| Part { shape: Shape::sharp(part.shape.core), pose: part.pose };
    (radius, Arc::new([sharp(a), sharp(b)]))
}

impl From<Shape> for Part {
    fn from(shape: Shape) -> Self {
        Self { shape, pose: Pose::IDENTITY }
    }
}

impl From<Polytope> for Shape {
    fn from(polytope: Polytope) -> Self {
        Self::sharp(Core::Polytope(polytope))
    }
}

impl From<Polygon> for Shape {
    fn from(polygon: Polygon) -> Self {
        Self::sharp(Core::Polygon(Arc::new(polygon)))
    }
}
