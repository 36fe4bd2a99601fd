//! The smooth pieces that curved surfaces are made of, as support mappings see them.
//!
//! A cone is the hull of a point and a circle, a cylinder that of two circles: along a direction the farthest point belongs to one
//! of the pieces, and moves smoothly with the direction for as long as it does. Newton's method works on pieces.

use crate::math::{Real, Vec3, length, unit_or};

/// A part of a surface on which the farthest point moves smoothly with the direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A point that stays where it is.
    Vertex(Vec3),
    /// A circle about the z axis.
    Rim {
        /// Its radius.
        radius: Real,
        /// Its height.
        z: Real,
    },
    /// An ellipsoid about the origin; a semi-axis may be zero.
    Ellipsoid(Vec3),
    /// A sphere.
    Ball {
        /// Its centre.
        centre: Vec3,
        /// Its radius.
        radius: Real,
    },
}

/// A flat round face across the z axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cap {
    /// Outwards: up or down.
    pub normal: Vec3,
    /// Its height.
    pub z: Real,
    /// Its radius.
    pub radius: Real,
}

/// How a farthest point moves when the direction turns: `e ↦ scale · (diagonal ∘ e − point (point · e))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bend {
    diagonal: Vec3,
    point: Vec3,
    scale: Real,
}

impl Piece {
    /// The point of the piece farthest along `direction`, and how it moves as a unit direction turns. For a circle seen along its
    /// axis that is its centre, and stays there.
    #[inline]
    pub fn at(&self, direction: Vec3) -> (Vec3, Bend) {
        match *self {
            Self::Vertex(point) => (point, Bend { diagonal: Vec3::ZERO, point: Vec3::ZERO, scale: 0.0 }),
            Self::Rim { radius, z } => {
                let reach = length(Vec3::new(direction.x, direction.y, 0.0));
                let inverse = if reach > 0.0 { 1.0 / reach } else { 0.0 };
                let outward = Vec3::new(direction.x * inverse, direction.y * inverse, 0.0);
                let bend = Bend { diagonal: Vec3::new(1.0, 1.0, 0.0), point: outward, scale: radius * inverse };
                (Vec3::new(radius * outward.x, radius * outward.y, z), bend)
            }
            Self::Ellipsoid(radii) => {
                let scaled = radii * direction;
                let reach = length(scaled);
                let inverse = if reach > 0.0 { 1.0 / reach } else { 0.0 };
                let point = radii * (scaled * inverse);
                (point, Bend { diagonal: radii * radii, point, scale: inverse })
            }
            Self::Ball { centre, radius } => {
                let reach = length(direction);
                let inverse = if reach > 0.0 { 1.0 / reach } else { 0.0 };
                let outward = direction * inverse;
                (centre + outward * radius, Bend { diagonal: Vec3::ONE, point: outward, scale: radius * inverse })
            }
        }
    }
}

impl Bend {
    /// The derivative of the point towards `tangent`.
    #[inline]
    pub fn towards(&self, tangent: Vec3) -> Vec3 {
        (self.diagonal * tangent - self.point * self.point.dot(tangent)) * self.scale
    }
}

impl Cap {
    /// The point of the face nearest to `point`, if that is right above or below it.
    #[inline]
    pub fn below(&self, point: Vec3) -> Option<Vec3> {
        (point.x * point.x + point.y * point.y <= self.radius * self.radius)
            .then(|| Vec3::new(point.x, point.y, self.z))
    }
}

/// The point of a horizontal circle farthest along `d`; its centre if `d` is vertical.
#[inline]
pub(crate) fn rim(radius: Real, d: Vec3, z: Real) -> Vec3 {
    let outward = unit_or(Vec3::new(d.x, d.y, 0.0), Vec3::ZERO);
    Vec3::new(radius * outward.x, radius * outward.y, z)
}

/// The point of an ellipsoid farthest along `d`.
#[inline]
pub(crate) fn ellipsoid(radii: Vec3, d: Vec3) -> Vec3 {
    radii * unit_or(radii * d, Vec3::ZERO)
}
