//! Planes with a unit normal.

use super::{Real, Vec3};

/// The points x with `normal · x = offset`; the normal has unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// Unit normal; for a face of a solid it points outwards.
    pub normal: Vec3,
    /// Signed distance of the plane from the origin along the normal.
    pub offset: Real,
}

impl Plane {
    /// Signed distance of a point: positive on the side the normal points to.
    #[inline]
    pub fn distance(&self, point: Vec3) -> Real {
        self.normal.dot(point) - self.offset
    }
}
