//! Conversions between [`Pose`] and the matrices of the crate `mint`, the common language of math crates.
//!
//! Vectors and quaternions are converted by glam: `Pose::new` takes a `mint::Vector3` and a `mint::Quaternion` as they are.

use super::{Mat3, Pose, PoseError, Quat, Real, Vec3};
use crate::tolerance::QUATERNION_LENGTH;

/// The homogeneous matrix of the pose.
impl From<Pose> for mint::ColumnMatrix4<Real> {
    fn from(pose: Pose) -> Self {
        let [x, y, z] = pose.matrix().to_cols_array_2d().map(|[x, y, z]| [x, y, z, 0.0].into());
        let [tx, ty, tz] = pose.translation().to_array();
        Self { x, y, z, w: [tx, ty, tz, 1.0].into() }
    }
}

/// The pose of a homogeneous matrix; an error if that is no rigid motion.
impl TryFrom<mint::ColumnMatrix4<Real>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: mint::ColumnMatrix4<Real>) -> Result<Self, PoseError> {
        let columns: [[Real; 4]; 4] = matrix.into();
        let [x, y, z, translation] = columns.map(|[x, y, z, _]| Vec3::new(x, y, z));
        let rotation = Mat3::from_cols(x, y, z);
        let product = rotation.transpose() * rotation - Mat3::IDENTITY;
        let orthonormal = product.to_cols_array().iter().all(|entry| entry.abs() <= 2.0 * QUATERNION_LENGTH);
        // Written so that NaN is refused.
        if !(orthonormal && rotation.determinant() > 0.0 && columns.map(|[.., w]| w) == [0.0, 0.0, 0.0, 1.0]) {
            return Err(PoseError::NotRigid);
        }
        Self::new(translation, Quat::from_mat3(&rotation).normalize())
    }
}
