//! A rigid motion, checked when it is made.
//!
//! The rotation matrix is derived once, from the quaternion brought to unit length, and kept beside it: everything that is
//! said about a posed body holds for that matrix and that translation, as stored. Composition multiplies quaternions and
//! brings the product back to unit length, so a chain of a million poses stays a rotation to within rounding.

use crate::real::short;
use glam::{DMat3, DQuat};
use thiserror::Error;

use super::vector::unit_or;
use super::{Mat3, Quat, Real, Vec3, narrow, widen_real};
#[cfg(feature = "serde")]
use crate::tolerance::UNIT_ROUNDOFF;
use crate::tolerance::{LARGEST_SIZE, QUATERNION_LENGTH};

/// Why a pose was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A component of the translation is NaN, infinite or too large.
    #[error("translation: component {axis} is {value}; it must be finite and at most {limit:e} in magnitude", limit = LARGEST_SIZE, value = short(*.value))]
    Translation {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// A component of the quaternion is NaN or infinite.
    #[error("rotation: quaternion component {component} is {value}; it must be finite", value = short(*.value))]
    Rotation {
        /// `'x'`, `'y'`, `'z'` or `'w'`.
        component: char,
        /// The offending number.
        value: Real,
    },
    /// An axis that is zero, or has a component that is NaN or infinite.
    #[error("axis is {axis:?}; it must be finite and not zero")]
    Axis {
        /// The offending vector.
        axis: [Real; 3],
    },
    /// An angle is NaN or infinite.
    #[error("angle is {angle}; it must be finite", angle = short(*.angle))]
    Angle {
        /// The offending number.
        angle: Real,
    },
    /// The quaternion's length is not one.
    #[error("rotation: the quaternion x, y, z, w has length {length}; it must be 1 (within {tolerance:e})", tolerance = QUATERNION_LENGTH, length = short(*.length))]
    NotUnit {
        /// Its length.
        length: Real,
    },
    /// A matrix is no rigid motion.
    #[error(
        "matrix: columns 1 to 3 must be a rotation (orthonormal, determinant 1, within {tolerance:e}) and the last row 0, 0, 0, 1",
        tolerance = QUATERNION_LENGTH
    )]
    NotRigid,
}

/// A rotation followed by a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "PoseData", into = "PoseData")
)]
pub struct Pose {
    rotation: Quat,
    matrix: Mat3,
    translation: Vec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The pose that moves nothing.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, matrix: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// A pose from a translation and a unit quaternion (x, y, z, w).
    ///
    /// # Errors
    /// If a number is NaN or infinite, the translation exceeds the supported range, or the quaternion's length differs from
    /// one by more than 1e-6. Within that, it is brought to unit length.
    ///
    /// ```
    /// use clearance::{Pose, Vec3};
    /// let quarter_turn = [0.0, 0.0, 0.5, 0.5].map(clearance::Real::sqrt); // about z
    /// let pose = Pose::new([1.0, 0.0, 0.0], quarter_turn)?;
    /// assert!((pose.point(Vec3::X) - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-6);
    /// assert!(Pose::new([1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]).is_err());
    /// # Ok::<(), clearance::PoseError>(())
    /// ```
    pub fn new(translation: impl Into<Vec3>, rotation: impl Into<[Real; 4]>) -> Result<Self, PoseError> {
        let translation = checked_translation(translation.into())?;
        let rotation: [Real; 4] = rotation.into();
        for (component, value) in ['x', 'y', 'z', 'w'].into_iter().zip(rotation) {
            if !value.is_finite() {
                return Err(PoseError::Rotation { component, value });
            }
        }
        let quaternion = Quat::from_array(rotation);
        let length = quaternion.length();
        if !((length - 1.0).abs() <= QUATERNION_LENGTH) {
            return Err(PoseError::NotUnit { length });
        }
        Ok(Self::from_unit(translation, quaternion))
    }

    /// A pure translation.
    ///
    /// # Errors
    /// If a component is NaN, infinite or beyond the supported range.
    pub fn from_translation(translation: impl Into<Vec3>) -> Result<Self, PoseError> {
        Ok(Self { translation: checked_translation(translation.into())?, ..Self::IDENTITY })
    }

    /// A rotation about an axis through the origin by an angle in radians, right-handed. The axis may have any length but zero.
    ///
    /// # Errors
    /// If the axis is zero or not finite, or the angle is not finite.
    ///
    /// ```
    /// use clearance::{Pose, Real, Vec3};
    /// let quarter_turn = Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2 as Real)?;
    /// assert!((quarter_turn.point(Vec3::X) - Vec3::Y).length() < 1e-6);
    /// let beside = quarter_turn.with_translation([5.0, 0.0, 0.0])?;
    /// assert!((beside.point(Vec3::X) - Vec3::new(5.0, 1.0, 0.0)).length() < 1e-6);
    /// # Ok::<(), clearance::PoseError>(())
    /// ```
    pub fn from_axis_angle(axis: impl Into<Vec3>, angle: Real) -> Result<Self, PoseError> {
        let axis: Vec3 = axis.into();
        let unit = unit_or(axis, Vec3::ZERO);
        if unit == Vec3::ZERO {
            return Err(PoseError::Axis { axis: axis.to_array() });
        }
        if !angle.is_finite() {
            return Err(PoseError::Angle { angle });
        }
        Ok(Self::from_unit(Vec3::ZERO, Quat::from_axis_angle(unit, angle)))
    }

    /// The same rotation with another translation.
    ///
    /// # Errors
    /// If a component is NaN, infinite or beyond the supported range.
    pub fn with_translation(&self, translation: impl Into<Vec3>) -> Result<Self, PoseError> {
        Ok(self.moved_to(checked_translation(translation.into())?))
    }

    /// The shortest rotation that takes the x axis to a unit direction.
    pub(crate) fn turning_x_to(unit: Vec3) -> Self {
        Self::from_unit(Vec3::ZERO, Quat::from_rotation_arc(Vec3::X, unit))
    }

    /// The shortest rotation that takes the z axis to a unit direction.
    pub(crate) fn turning_z_to(unit: Vec3) -> Self {
        Self::from_unit(Vec3::ZERO, Quat::from_rotation_arc(Vec3::Z, unit))
    }

    fn from_unit(translation: Vec3, nearly_unit: Quat) -> Self {
        let rotation = nearly_unit.normalize();
        Self { rotation, matrix: matrix_of(rotation), translation }
    }

    /// Turned by a further rotation and put at a place that the caller knows to be in range.
    pub(crate) fn turned(&self, turn: Quat, translation: Vec3) -> Self {
        Self::from_unit(translation, turn * self.rotation)
    }

    /// The same rotation at another place, which the caller knows to be in range.
    pub(crate) fn moved_to(&self, translation: Vec3) -> Self {
        Self { translation, ..*self }
    }

    /// The unit quaternion.
    #[inline]
    pub fn rotation(&self) -> Quat {
        self.rotation
    }

    /// The rotation matrix: what the library computes with.
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        self.matrix
    }

    /// The translation.
    #[inline]
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// The point moved.
    #[inline]
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.matrix * point + self.translation
    }

    /// The direction turned.
    #[inline]
    pub fn direction(&self, direction: Vec3) -> Vec3 {
        self.matrix * direction
    }

    /// The direction turned back, into the local frame.
    #[inline]
    pub fn direction_to_local(&self, direction: Vec3) -> Vec3 {
        Vec3::new(
            self.matrix.x_axis.dot(direction),
            self.matrix.y_axis.dot(direction),
            self.matrix.z_axis.dot(direction),
        )
    }

    /// The point moved back, into the local frame.
    #[inline]
    pub fn point_to_local(&self, point: Vec3) -> Vec3 {
        self.direction_to_local(point - self.translation)
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let translation = -self.direction_to_local(self.translation);
        Self { rotation: self.rotation.conjugate(), matrix: self.matrix.transpose(), translation }
    }

    /// First `inner`, then `self`: the pose of a part whose pose in its assembly is `inner`.
    #[must_use]
    pub fn compose(&self, inner: &Self) -> Self {
        Self::from_unit(self.point(inner.translation), self.rotation * inner.rotation)
    }

    /// This pose seen from the frame of `frame`: `frame.compose(&result)` is `self` up to rounding. The translations are
    /// subtracted first, so that nothing is lost when both are far from the origin.
    #[must_use]
    pub fn relative_to(&self, frame: &Self) -> Self {
        Self {
            rotation: frame.rotation.conjugate() * self.rotation,
            matrix: frame.matrix.transpose() * self.matrix,
            translation: frame.direction_to_local(self.translation - frame.translation),
        }
    }
}

/// A pose as plain data for serde: checked by [`Pose::new`] when read; what is left out is that of the identity.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename = "Pose")]
struct PoseData {
    translation: [Real; 3],
    /// x, y, z, w.
    rotation: [Real; 4],
}

#[cfg(feature = "serde")]
impl Default for PoseData {
    fn default() -> Self {
        Pose::IDENTITY.into()
    }
}

#[cfg(feature = "serde")]
impl From<Pose> for PoseData {
    fn from(pose: Pose) -> Self {
        Self { translation: pose.translation.to_array(), rotation: pose.rotation.to_array() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<PoseData> for Pose {
    type Error = PoseError;

    fn try_from(data: PoseData) -> Result<Self, PoseError> {
        let pose = Self::new(data.translation, data.rotation)?;
        let given = Quat::from_array(data.rotation);
        // Normalising again could change the last bits. Quaternions of poses have squared lengths up to 6 u from one (the largest
        // of 50 million), and those are kept: a pose that was written is read back to the same bits.
        let kept = (given.length_squared() - 1.0).abs() <= 6.0 * UNIT_ROUNDOFF;
        Ok(if kept { Self { rotation: given, matrix: matrix_of(given), ..pose } } else { pose })
    }
}

/// The rotation of a unit quaternion. Single precision rounds each number once: what is left of a rounded quaternion's length would make all
/// distances in the frame a little longer or shorter.
fn matrix_of(rotation: Quat) -> Mat3 {
    let stored = DQuat::from_array(rotation.to_array().map(widen_real));
    let unit = if size_of::<Real>() < size_of::<f64>() { stored.normalize() } else { stored };
    let DMat3 { x_axis, y_axis, z_axis } = DMat3::from_quat(unit);
    Mat3::from_cols(narrow(x_axis), narrow(y_axis), narrow(z_axis))
}

fn checked_translation(translation: Vec3) -> Result<Vec3, PoseError> {
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(translation.to_array()) {
        if !(value.abs() <= LARGEST_SIZE) {
            return Err(PoseError::Translation { axis, value });
        }
    }
    Ok(translation)
}
