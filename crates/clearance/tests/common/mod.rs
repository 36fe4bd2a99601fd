//! What the tests share: the way from the build's precision to the exact oracles and back, and directions to ask along.

// Each test file compiles this module for itself and uses a part of it.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod bodies;
pub mod caster;
pub mod membership;
pub mod voxels;

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::UNIT_ROUNDOFF;
use clearance::{Polytope, Pose, Real, Vec3};
use clearance_testkit::{Exact3, PosedSolid, Rng, Solid};
use glam::{DMat3, DQuat, DVec3};

/// Whether this is the build with `Real = f32`.
pub const SINGLE: bool = size_of::<Real>() == 4;

/// The unit roundoff of the build, in which every tolerance is counted.
pub fn u() -> f64 {
    widen_real(UNIT_ROUNDOFF)
}

/// The nearest number that the build can hold.
pub fn held(x: f64) -> f64 {
    widen_real(narrow_real(x))
}

pub fn narrowed(points: &[DVec3]) -> Vec<Vec3> {
    points.iter().map(|&p| narrow(p)).collect()
}

pub fn widened(points: &[Vec3]) -> Vec<DVec3> {
    points.iter().map(|&p| widen(p)).collect()
}

/// The polytope as the oracle's plain solid, coordinates exact.
pub fn solid_of(polytope: &Polytope) -> Solid {
    let face = |f: u32| polytope.face_vertices(f).map(|v| v as usize).collect();
    Solid { vertices: widened(polytope.vertices()), faces: (0..polytope.face_count() as u32).map(face).collect() }
}

/// The polytope at its place for the oracle, with the matrix as stored.
pub fn posed_solid(polytope: &Polytope, pose: &Pose) -> PosedSolid {
    PosedSolid::new(&solid_of(polytope), wide_matrix(pose), widen(pose.translation()))
}

/// The matrix of a pose as stored.
pub fn wide_matrix(pose: &Pose) -> DMat3 {
    let m = pose.matrix();
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

/// The product of two vectors of the build, exact and then rounded once to f64.
pub fn exact_dot(p: Vec3, d: Vec3) -> f64 {
    Exact3::from(widen(p)).dot(&widen(d).into()).to_f64()
}

/// The distance of the farthest point from the origin.
pub fn radius_of(points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.length()).fold(0.0, f64::max)
}

/// The length of a vector whose square may be out of range.
pub fn length_of(v: Vec3) -> f64 {
    let largest = widen(v).abs().max_element();
    largest * (widen(v) / largest).length()
}

pub fn random_direction(rng: &mut Rng) -> Vec3 {
    narrow(rng.unit_vector())
}

/// The pose that the build makes of a translation and a rotation.
pub fn pose_of(translation: DVec3, rotation: DQuat) -> Pose {
    Pose::new(narrow(translation), rotation.to_array().map(narrow_real))
        .expect("a unit quaternion and a finite translation")
}

pub fn random_pose(rng: &mut Rng, reach: f64) -> Pose {
    let translation = rng.in_ball(reach);
    pose_of(translation, rng.rotation())
}

/// Where a pose, as it is stored, puts a point; in f64.
pub fn posed(pose: &Pose, point: DVec3) -> DVec3 {
    let m = pose.matrix();
    widen(m.x_axis) * point.x + widen(m.y_axis) * point.y + widen(m.z_axis) * point.z + widen(pose.translation())
}

/// Where a pose, as it is stored, brings a point of the world back to; in f64.
pub fn unposed(pose: &Pose, point: DVec3) -> DVec3 {
    let (m, from) = (pose.matrix(), point - widen(pose.translation()));
    DVec3::new(widen(m.x_axis).dot(from), widen(m.y_axis).dot(from), widen(m.z_axis).dot(from))
}

/// The eight corners of a box in the order of their bits (x lowest), and its six quads seen from outside.
pub fn cube(half: f64) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let solid = Solid::cuboid(DVec3::ZERO, DVec3::splat(half));
    let faces = solid.faces.iter().map(|face| face.iter().map(|&v| v as u32).collect());
    (narrowed(&solid.vertices), faces.collect())
}
