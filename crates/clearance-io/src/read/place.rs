//! Places in files that may stretch: rigid ones are poses, others go into the vertices.

use clearance::Pose;
use clearance::glam::{DAffine3, DMat3, DQuat};

use crate::model::Surface;
use crate::tolerance::RIGID;

/// Moves the vertices; a place that mirrors turns the triangles over.
pub(super) fn stretch(surface: &mut Surface, place: &DAffine3) {
    surface.vertices.iter_mut().for_each(|vertex| *vertex = place.transform_point3(*vertex));
    if place.matrix3.determinant() < 0.0 {
        surface.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
}

/// The pose that a place is, if it stretches nothing.
pub(super) fn rigid(place: &DAffine3) -> Option<Pose> {
    let matrix = place.matrix3;
    let off = matrix.transpose() * matrix - DMat3::IDENTITY;
    let is_rigid = off.to_cols_array().iter().all(|x| x.abs() <= RIGID) && matrix.determinant() > 0.0;
    if !is_rigid {
        return None;
    }
    let rotation = DQuat::from_mat3(&matrix).normalize();
    Pose::new(place.translation, rotation.to_array()).ok()
}
