//! The one place that knows the precision: `Real`, `Vec3`, `Mat3` and `Quat` are plain aliases of glam's types.
//!
//! `clearance` is compiled with `Real = f64`; `clearance-f32` compiles the same sources with `Real = f32`. Code that needs
//! more bits than `Real` has (exact predicates, plane normals) works in f64, into which both precisions convert exactly.

use std::fmt;

#[cfg(not(single_precision))]
mod aliases {
    use glam::DVec3;

    /// The scalar of this build.
    pub type Real = f64;
    /// A point or a direction.
    pub type Vec3 = glam::DVec3;
    /// A rotation matrix, by columns.
    pub type Mat3 = glam::DMat3;
    /// A rotation as a quaternion x, y, z, w.
    pub type Quat = glam::DQuat;
    /// The constants of mathematics in this precision.
    pub use std::f64::consts;

    /// The vector in f64: exact.
    #[inline]
    pub fn widen(v: Vec3) -> DVec3 {
        v
    }

    /// The scalar in f64: exact.
    #[inline]
    pub fn widen_real(x: Real) -> f64 {
        x
    }

    /// The vector rounded to this build's precision.
    #[inline]
    pub fn narrow(v: DVec3) -> Vec3 {
        v
    }

    /// The scalar rounded to this build's precision.
    #[inline]
    pub fn narrow_real(x: f64) -> Real {
        x
    }
}

#[cfg(single_precision)]
mod aliases {
    use glam::DVec3;

    /// The scalar of this build.
    pub type Real = f32;
    /// A point or a direction.
    pub type Vec3 = glam::Vec3;
    /// A rotation matrix, by columns.
    pub type Mat3 = glam::Mat3;
    /// A rotation as a quaternion x, y, z, w.
    pub type Quat = glam::Quat;
    /// The constants of mathematics in this precision.
    pub use std::f32::consts;

    /// The vector in f64: exact.
    #[inline]
    pub fn widen(v: Vec3) -> DVec3 {
        v.as_dvec3()
    }

    /// The scalar in f64: exact.
    #[inline]
    pub fn widen_real(x: Real) -> f64 {
        f64::from(x)
    }

    /// The vector rounded to this build's precision.
    #[inline]
    pub fn narrow(v: DVec3) -> Vec3 {
        v.as_vec3()
    }

    /// The scalar rounded to this build's precision.
    #[inline]
    pub fn narrow_real(x: f64) -> Real {
        x as f32
    }
}

pub use aliases::*;

/// The largest number of this build that is not above.
pub(crate) fn rounded_down(x: f64) -> Real {
    let near = narrow_real(x);
    if widen_real(near) > x { near.next_down() } else { near }
}

/// The smallest number of this build that is not below.
pub(crate) fn rounded_up(x: f64) -> Real {
    let near = narrow_real(x);
    if widen_real(near) < x { near.next_up() } else { near }
}

/// A number as messages show it: as it is, or with an exponent where it would have dozens of zeros.
pub(crate) struct Short<T>(T);

/// See [`Short`].
pub(crate) fn short<T>(number: T) -> Short<T> {
    Short(number)
}

/// Magnitudes from the first to the second are shown without an exponent, as the standard library's `Debug` does.
const PLAIN: [f64; 2] = [0.000_01, 1.0e16];

impl<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp> fmt::Display for Short<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.into().abs();
        let is_plain = size == 0.0 || !size.is_finite() || (PLAIN[0]..PLAIN[1]).contains(&size);
        if is_plain { fmt::Display::fmt(&self.0, f) } else { fmt::LowerExp::fmt(&self.0, f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_short() {
        let shown = [0.0, -1.0, 0.1, 1e300, -1e-300, 123_456.5, f64::INFINITY].map(|x| short(x).to_string());
        assert_eq!(shown, ["0", "-1", "0.1", "1e300", "-1e-300", "123456.5", "inf"]);
        assert_eq!(short(0.1f32).to_string(), "0.1");
    }
}
