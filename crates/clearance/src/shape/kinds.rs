//! What a convex shape is made of: a core and a radius; some cores are made of other shapes.

use std::sync::Arc;

use crate::math::{Pose, Real, Vec3};
use crate::polytope::{Polygon, Polytope};
use crate::support::Support;

/// A convex body in its own frame. Immutable, cheap to clone, shared between threads.
#[derive(Debug, Clone)]
pub struct Shape {
    pub(super) core: Core,
    pub(super) radius: Real,
    /// The bounding radius, which every query needs.
    pub(super) reach: Real,
}

/// A shape with the pose it has inside a combined shape.
#[derive(Debug, Clone)]
pub struct Part {
    /// The shape.
    pub shape: Shape,
    /// Where it is in the frame of the whole.
    pub pose: Pose,
}

/// A shape without its rounding radius. Lengths are half extents and radii; the origin is the centroid.
#[derive(Clone)]
#[non_exhaustive]
pub enum Core {
    /// The origin.
    Point,
    /// Along x, from `-half_length` to `half_length`.
    Segment {
        /// Half its length.
        half_length: Real,
    },
    /// In the plane of x and y.
    Rectangle {
        /// Half its sides along x and y.
        half_extents: [Real; 2],
    },
    /// A box.
    Cuboid {
        /// Half its edges.
        half_extents: Vec3,
    },
    /// In the plane of x and y.
    Disc {
        /// Its radius.
        radius: Real,
    },
    /// In the plane of x and y.
    Ellipse {
        /// Its semi-axes along x and y.
        radii: [Real; 2],
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its semi-axes.
        radii: Vec3,
    },
    /// Along z.
    Cylinder {
        /// Half its height.
        half_height: Real,
        /// Its radius.
        radius: Real,
    },
    /// Along z with the apex on top; the base is a quarter of the height below the origin.
    Cone {
        /// From base to apex.
        height: Real,
        /// Of the base.
        radius: Real,
    },
    /// Along z, a circle at either end: a truncated cone.
    TaperedCylinder {
        /// The radii of the lower and the upper circle.
        radii: [Real; 2],
        /// The heights of the lower and the upper circle; the first is negative.
        heights: [Real; 2],
    },
    /// Along x: the convex hull of a point and a ball, neither of which contains the other. A tapered capsule is a rounded one.
    Drop {
        /// Where the point is along x.
        point: Real,
        /// Where the centre of the ball is along x.
        ball: Real,
        /// The radius of the ball.
        radius: Real,
    },
    /// Along z, a rectangle at either end.
    Frustum {
        /// Half the sides of the lower rectangle along x and y.
        bottom: [Real; 2],
        /// Half the sides of the upper rectangle.
        top: [Real; 2],
        /// The height of the lower rectangle; it is negative.
        bottom_z: Real,
        /// The height of the upper rectangle.
        top_z: Real,
    },
    /// Three corners.
    Triangle([Vec3; 3]),
    /// A flat convex polygon.
    Polygon(Arc<Polygon>),
    /// A convex solid with flat faces.
    Polytope(Polytope),
    /// A ⊕ B; the parts have no radius.
    Sum(Arc<[Part; 2]>),
    /// The convex hull of two bodies.
    Hull(Arc<[Part; 2]>),
    /// A ⊖ B; the parts have no radius.
    Difference(Arc<[Part; 2]>),
    /// A body moved; the part has no radius.
    Posed(Arc<Part>),
    /// A user's own.
    Custom(Arc<dyn Support + Send + Sync>),
}
