//! Meshes and their triangles in the world, for the oracles.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::Body;
use clearance::math::widen;
use clearance::{Mesh, MeshError, MeshOptions, Pose, Quat, Real, Vec3};
use clearance_testkit::{Polyhedron, Rng};
use glam::DVec3;

/// A vector in this build's precision.
pub fn real(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| x as Real))
}

/// The mesh of a polyhedron.
pub fn build(polyhedron: &Polyhedron, options: &MeshOptions) -> Result<Mesh, MeshError> {
    let vertices: Vec<Vec3> = polyhedron.vertices.iter().map(|&v| real(v)).collect();
    Mesh::with_options(&vertices, &polyhedron.faces, options)
}

/// The mesh of a sound polyhedron.
pub fn mesh(polyhedron: &Polyhedron) -> Mesh {
    build(polyhedron, &MeshOptions::default()).unwrap()
}

/// The same as a body.
#[allow(dead_code)]
pub fn body(polyhedron: &Polyhedron) -> Body {
    mesh(polyhedron).into()
}

/// A pose at random.
#[allow(dead_code)]
pub fn pose(rng: &mut Rng, translation: DVec3) -> Pose {
    let [x, y, z, w] = rng.rotation().to_array().map(|x| x as Real);
    let unit = Quat::from_xyzw(x, y, z, w).normalize();
    Pose::new(real(translation), unit.to_array()).unwrap()
}

/// The triangles of a mesh in the world, in f64 for the pose as stored.
#[allow(dead_code)]
pub fn placed(mesh: &Mesh, pose: &Pose) -> Vec<[DVec3; 3]> {
    let m = pose.matrix();
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(widen);
    let to_world = |p: Vec3| {
        let p = widen(p);
        x * p.x + y * p.y + z * p.z + widen(pose.translation())
    };
    (0..mesh.triangle_count() as u32).map(|t| mesh.triangle(t).0.map(to_world)).collect()
}
