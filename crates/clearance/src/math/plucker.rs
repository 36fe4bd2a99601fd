//! Directed lines in Plücker coordinates (van Waveren 2005, section 2.1).

use glam::DVec3;

/// The directed line from one point to another, by the six minors of their homogeneous coordinates, in f64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plucker(pub [f64; 6]);

impl Plucker {
    /// The line from `a` to `b`.
    #[inline]
    pub fn through(a: DVec3, b: DVec3) -> Self {
        Self([a.x * b.y - b.x * a.y, a.x * b.z - b.x * a.z, a.x - b.x, a.y * b.z - b.y * a.z, a.z - b.z, b.y - a.y])
    }

    /// The line through `a` along `direction`.
    #[inline]
    pub fn along(a: DVec3, direction: DVec3) -> Self {
        let v = direction;
        Self([a.x * v.y - v.x * a.y, a.x * v.z - v.x * a.z, -v.x, a.y * v.z - v.y * a.z, -v.z, v.y])
    }

    /// On which side of each other the lines pass: the determinant of the four points that they were made from.
    #[inline]
    pub fn side(&self, other: &Self) -> f64 {
        let (p, q) = (&self.0, &other.0);
        p[0] * q[4] + p[1] * q[5] + p[2] * q[3] + p[4] * q[0] + p[5] * q[1] + p[3] * q[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_is_the_determinant() {
        let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-1.0, 0.5, 2.0));
        let (c, d) = (DVec3::new(4.0, -2.0, 1.0), DVec3::new(0.0, 3.0, -5.0));
        let determinant = -(b - a).cross(c - a).dot(d - a);
        assert_eq!(Plucker::through(a, b).side(&Plucker::through(c, d)), determinant);
        assert_eq!(Plucker::through(a, b).side(&Plucker::along(c, d - c)), determinant);
        assert_eq!(Plucker::through(a, b).side(&Plucker::through(a, c)), 0.0);
    }
}
