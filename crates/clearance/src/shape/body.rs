//! Bodies of every kind behind one type, owned ([`Body`]) or borrowed ([`BodyRef`]).
//!
//! A verb takes `impl Into<BodyRef>`; the conversion is a match that allocates nothing. Inside the library a body is a [`Geometry`]: what
//! it is without its padding. Padding is added to answers afterwards, as the rounding radius of a convex shape is.

use std::sync::Arc;

use super::Shape;
use super::compound::Compound;
use super::error::ShapeError;
use super::half_space::HalfSpace;
use super::height_field::HeightField;
use super::mass::MassProperties;
use super::mesh::Mesh;
use super::point_cloud::PointCloud;
use crate::math::{Aabb, Mat3, Pose, Real, Vec3};
use crate::polytope::Polytope;
use crate::support::{Support, VertexId};
use crate::tolerance::LARGEST_SIZE;

/// A body of any kind. Cheap to clone, shared between threads.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Body {
    /// A convex shape.
    Convex(Shape),
    /// A polyhedron of any shape, solid or surface.
    Mesh(Arc<Mesh>),
    /// Several bodies that move as one.
    Compound(Arc<Compound>),
    /// A surface over a grid.
    HeightField(Arc<HeightField>),
    /// Points with a radius.
    PointCloud(Arc<PointCloud>),
    /// All that is below a plane.
    HalfSpace(HalfSpace),
    /// Every point within a distance of another body; made by [`Body::padded`].
    Padded(Arc<Padded>),
}

/// A body and all that is within a distance of it.
#[derive(Debug, Clone)]
pub struct Padded {
    body: Body,
    padding: Real,
}

impl Padded {
    /// The body without its padding.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The distance.
    pub fn padding(&self) -> Real {
        self.padding
    }
}

/// A borrowed body of any kind: what every verb takes, made from `&Shape`, `&Polytope`, `&Mesh`, `&Compound` or `&Body`.
#[derive(Debug, Clone)]
pub struct BodyRef<'a> {
    kind: Kind<'a>,
    pub(crate) padding: Real,
}

#[derive(Debug, Clone)]
enum Kind<'a> {
    Geometry(Geometry<'a>),
    /// A polytope as a shape: another handle of the same data.
    Held(Shape),
}

/// A body without padding, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum Geometry<'a> {
    /// A convex shape.
    Convex(&'a Shape),
    /// A polyhedron.
    Mesh(&'a Mesh),
    /// Several bodies.
    Compound(&'a Compound),
    /// A surface over a grid.
    HeightField(&'a HeightField),
    /// Points with a radius.
    PointCloud(&'a PointCloud),
    /// All that is below a plane.
    HalfSpace(&'a HalfSpace),
}

impl BodyRef<'_> {
    /// The body without its padding.
    #[inline]
    pub(crate) fn geometry(&self) -> Geometry<'_> {
        match &self.kind {
            Kind::Geometry(geometry) => *geometry,
            Kind::Held(shape) => Geometry::Convex(shape),
        }
    }
}

impl BodyRef<'_> {
    /// The same body, borrowed again: cheaper than another handle.
    #[inline]
    pub(crate) fn borrowed(&self) -> BodyRef<'_> {
        BodyRef { kind: Kind::Geometry(self.geometry()), padding: self.padding }
    }
}

impl<'a> From<Geometry<'a>> for BodyRef<'a> {
    #[inline]
    fn from(geometry: Geometry<'a>) -> Self {
        Self { kind: Kind::Geometry(geometry), padding: 0.0 }
    }
}

impl<'a> From<&'a Shape> for BodyRef<'a> {
    #[inline]
    fn from(shape: &'a Shape) -> Self {
        Geometry::Convex(shape).into()
    }
}

impl<'a> From<&'a Polytope> for BodyRef<'a> {
    #[inline]
    fn from(polytope: &'a Polytope) -> Self {
        Self { kind: Kind::Held(Shape::from(polytope.clone())), padding: 0.0 }
    }
}

impl<'a> From<&'a Mesh> for BodyRef<'a> {
    #[inline]
    fn from(mesh: &'a Mesh) -> Self {
        Geometry::Mesh(mesh).into()
    }
}

impl<'a> From<&'a Compound> for BodyRef<'a> {
    #[inline]
    fn from(compound: &'a Compound) -> Self {
        Geometry::Compound(compound).into()
    }
}

impl<'a> From<&'a HeightField> for BodyRef<'a> {
    #[inline]
    fn from(field: &'a HeightField) -> Self {
        Geometry::HeightField(field).into()
    }
}

impl<'a> From<&'a PointCloud> for BodyRef<'a> {
    #[inline]
    fn from(cloud: &'a PointCloud) -> Self {
        Geometry::PointCloud(cloud).into()
    }
}

impl<'a> From<&'a HalfSpace> for BodyRef<'a> {
    #[inline]
    fn from(half_space: &'a HalfSpace) -> Self {
        Geometry::HalfSpace(half_space).into()
    }
}

impl<'a> From<&'a Body> for BodyRef<'a> {
    #[inline]
    fn from(body: &'a Body) -> Self {
        Self { kind: Kind::Geometry(body.geometry()), padding: body.padding() }
    }
}

impl<'a> From<&BodyRef<'a>> for BodyRef<'a> {
    #[inline]
    fn from(body: &BodyRef<'a>) -> Self {
        body.clone()
    }
}

impl From<Shape> for Body {
    fn from(shape: Shape) -> Self {
        Self::Convex(shape)
    }
}

impl From<Polytope> for Body {
    fn from(polytope: Polytope) -> Self {
        Self::Convex(polytope.into())
    }
}

impl From<Mesh> for Body {
    fn from(mesh: Mesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Compound> for Body {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

impl From<HeightField> for Body {
    fn from(field: HeightField) -> Self {
        Self::HeightField(Arc::new(field))
    }
}

impl From<PointCloud> for Body {
    fn from(cloud: PointCloud) -> Self {
        Self::PointCloud(Arc::new(cloud))
    }
}

impl From<HalfSpace> for Body {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

impl Body {
    /// Every point within `padding` of this body. A convex shape is rounded; padding of padding adds up.
    ///
    /// # Errors
    /// If the padding is negative or not finite, or makes the body larger than a body may be.
    ///
    /// ```
    /// use clearance::{Body, Cache, Pose, Shape, closest};
    /// let wide = Body::from(Shape::cuboid([1.0, 1.0, 1.0])?).padded(0.25)?;
    /// let pose = Pose::from_translation([3.0, 0.0, 0.0])?;
    /// let near = closest(&wide, &Pose::IDENTITY, &wide, &pose, &mut Cache::default());
    /// assert!((near.distance - 0.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn padded(self, padding: Real) -> Result<Self, ShapeError> {
        if let Self::HalfSpace(half_space) = &self
            && (0.0..=LARGEST_SIZE).contains(&padding)
        {
            return Ok(Self::HalfSpace(HalfSpace::new(half_space.normal(), half_space.offset() + padding)?));
        }
        if !(padding >= 0.0 && padding + self.bounding_radius() <= LARGEST_SIZE) {
            return Err(ShapeError::Padding { value: padding });
        }
        Ok(match self {
            body if padding == 0.0 => body,
            Self::Convex(shape) => Self::Convex(shape.rounded(padding)?),
            Self::Padded(inner) => {
                Self::Padded(Arc::new(Padded { body: inner.body.clone(), padding: inner.padding + padding }))
            }
            body => Self::Padded(Arc::new(Padded { body, padding })),
        })
    }

    /// The body without its padding.
    #[inline]
    pub(crate) fn geometry(&self) -> Geometry<'_> {
        match self {
            Self::Convex(shape) => Geometry::Convex(shape),
            Self::Mesh(mesh) => Geometry::Mesh(mesh),
            Self::Compound(compound) => Geometry::Compound(compound),
            Self::HeightField(field) => Geometry::HeightField(field),
            Self::PointCloud(cloud) => Geometry::PointCloud(cloud),
            Self::HalfSpace(half_space) => Geometry::HalfSpace(half_space),
            Self::Padded(padded) => padded.body.geometry(),
        }
    }

    /// By how much the body is padded; a convex shape has its rounding radius instead.
    #[inline]
    pub fn padding(&self) -> Real {
        if let Self::Padded(padded) = self { padded.padding } else { 0.0 }
    }

    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let Aabb { min, max } = self.geometry().aabb(pose);
        let padding = Vec3::splat(self.padding());
        Aabb { min: min - padding, max: max + padding }
    }

    /// A point farthest along a direction: the support mapping of the convex hull.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let point = self.geometry().support(direction);
        let padding = self.padding();
        if padding > 0.0 { point + crate::math::unit_or(direction, Vec3::X) * padding } else { point }
    }

    /// A ball of this radius about the local origin contains the body.
    pub fn bounding_radius(&self) -> Real {
        self.geometry().bounding_radius() + self.padding()
    }

    /// Volume and its centre, without padding; see [`Body::mass_properties`].
    pub fn mass(&self) -> (Real, Vec3) {
        let properties = self.mass_properties();
        (properties.volume, properties.centroid)
    }

    /// Volume, centroid and inertia tensor for unit density, without padding. Parts of a compound and points of a cloud count each for
    /// itself, also where they overlap; those of a half-space are infinite, with a point of its plane for a centroid.
    pub fn mass_properties(&self) -> MassProperties {
        self.geometry().mass_properties()
    }
}

impl<'a> From<&'a Body> for Geometry<'a> {
    #[inline]
    fn from(body: &'a Body) -> Self {
        body.geometry()
    }
}

impl Geometry<'_> {
    /// Whether it is a height field, a point cloud or a half-space.
    #[inline]
    pub(crate) fn is_field(&self) -> bool {
        matches!(self, Self::HeightField(_) | Self::PointCloud(_) | Self::HalfSpace(_))
    }

    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Convex(shape) => shape.aabb(pose),
            Self::Mesh(mesh) => mesh.aabb(pose),
            Self::Compound(compound) => compound.aabb(pose),
            Self::HeightField(field) => field.aabb(pose),
            Self::PointCloud(cloud) => cloud.aabb(pose),
            Self::HalfSpace(half_space) => half_space.aabb(pose),
        }
    }

    /// A point farthest along a direction; of a half-space, which has none but along its normal, a point of its plane.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Self::Convex(shape) => shape.support(direction, VertexId::NONE).point,
            Self::Mesh(mesh) => mesh.support(direction).0,
            Self::Compound(compound) => compound.support(direction),
            Self::HeightField(field) => field.support(direction).0,
            Self::PointCloud(cloud) => cloud.support(direction).0,
            // Without end but along its normal, where all points of the plane are as far.
            Self::HalfSpace(half_space) => half_space.normal() * half_space.offset(),
        }
    }

    /// A ball of this radius about the local origin contains the body.
    pub fn bounding_radius(&self) -> Real {
        match self {
            Self::Convex(shape) => shape.bounding_radius(),
            Self::Mesh(mesh) => mesh.bounding_radius(),
            Self::Compound(compound) => compound.bounding_radius(),
            Self::HeightField(field) => field.bounding_radius(),
            Self::PointCloud(cloud) => cloud.bounding_radius(),
            Self::HalfSpace(half_space) => half_space.bounding_radius(),
        }
    }

    /// Volume, centroid and inertia tensor for unit density.
    pub fn mass_properties(&self) -> MassProperties {
        match self {
            Self::Convex(shape) => shape.mass_properties(),
            Self::Mesh(mesh) => mesh.mass_properties(),
            Self::Compound(compound) => compound.mass_properties(),
            Self::HeightField(field) => field.mass_properties(),
            Self::PointCloud(cloud) => cloud.mass_properties(),
            Self::HalfSpace(half_space) => MassProperties {
                volume: Real::INFINITY,
                centroid: half_space.normal() * half_space.offset(),
                inertia: Mat3::from_diagonal(Vec3::INFINITY),
            },
        }
    }
}
