//! Lengths and unit vectors that neither overflow nor underflow.
//!
//! `Vec3::length` squares its components, which underflows below 1e-154 (f64) or 1e-19 (f32) and overflows above their
//! inverses. Both functions take the plain path when the square is comfortably inside the range and otherwise scale by the
//! largest component first.

use glam::DVec3;

use super::{Real, Vec3};
use crate::tolerance::{F64_SAFE, SAFE_SQUARE_MAX, SAFE_SQUARE_MIN};

/// The Euclidean length of `v`, for any finite `v`.
#[inline]
pub fn length(v: Vec3) -> Real {
    let square = v.length_squared();
    if square > SAFE_SQUARE_MIN && square < SAFE_SQUARE_MAX {
        return square.sqrt();
    }
    scaled_length(v)
}

#[cold]
fn scaled_length(v: Vec3) -> Real {
    let largest = v.abs().max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return largest;
    }
    largest * (v / largest).length()
}

/// `v` at length one, or `otherwise` if `v` is zero or not finite.
#[inline]
pub fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let square = v.length_squared();
    if square > SAFE_SQUARE_MIN && square < SAFE_SQUARE_MAX {
        return v * (1.0 / square.sqrt());
    }
    scaled_unit_or(v, otherwise)
}

#[cold]
fn scaled_unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let largest = v.abs().max_element();
    if !(largest > 0.0 && v.is_finite()) {
        return otherwise;
    }
    let scaled = v / largest;
    scaled / scaled.length()
}

/// `v` at length one, or `otherwise` if `v` is zero or not finite, in f64 in both builds.
#[inline]
pub fn wide_unit_or(v: DVec3, otherwise: DVec3) -> DVec3 {
    let square = v.length_squared();
    if square > 1.0 / F64_SAFE && square < F64_SAFE {
        return v * (1.0 / square.sqrt());
    }
    scaled_wide_unit_or(v, otherwise)
}

#[cold]
fn scaled_wide_unit_or(v: DVec3, otherwise: DVec3) -> DVec3 {
    let largest = v.abs().max_element();
    if !(largest > 0.0 && v.is_finite()) {
        return otherwise;
    }
    let scaled = v / largest;
    scaled / scaled.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::UNIT_ROUNDOFF;

    #[test]
    fn lengths_survive_extreme_scales() {
        let v = Vec3::new(2.0, -3.0, 6.0);
        for scale in [Real::MIN_POSITIVE * 8.0, 1.0, Real::MAX / 16.0] {
            assert!((length(v * scale) / scale - 7.0).abs() < 32.0 * UNIT_ROUNDOFF);
            let unit = unit_or(v * scale, Vec3::ZERO);
            assert!((unit * 7.0 - v).length() < 64.0 * UNIT_ROUNDOFF, "{unit}");
        }
        for scale in [f64::MIN_POSITIVE * 8.0, 1.0, f64::MAX / 16.0] {
            let unit = wide_unit_or(DVec3::new(2.0, -3.0, 6.0) * scale, DVec3::ZERO);
            assert!((unit.length() - 1.0).abs() < 4.0 * f64::EPSILON, "{unit}");
        }
        assert_eq!(length(Vec3::ZERO), 0.0);
        assert_eq!(unit_or(Vec3::ZERO, Vec3::Y), Vec3::Y);
        assert_eq!(unit_or(Vec3::splat(Real::NAN), Vec3::Y), Vec3::Y);
        assert_eq!(unit_or(Vec3::new(1.0, Real::NAN, 0.0), Vec3::Y), Vec3::Y);
    }
}
