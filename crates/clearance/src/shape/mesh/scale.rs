//! Meshes scaled along the axes.

use super::build::{check_faces, check_sizes};
use super::options::{Kind, MeshOptions, Repairs};
use super::topology::Surface;
use super::{Mesh, MeshError, NO_FACE};
use crate::math::{Real, Vec3};

impl Mesh {
    /// The mesh with its coordinates multiplied by a factor along each axis. Negative factors mirror it; solids stay solid, with
    /// their faces counter-clockwise seen from outside. Numbers of vertices and faces stay those of the input.
    ///
    /// The triangles of the surface are what is scaled: a given polygon that is flat to rounding only may come out as several
    /// faces, all with its number.
    ///
    /// # Errors
    /// If a factor is zero or not finite, the scaled coordinates are out of range, or rounding leaves a triangle without area.
    ///
    /// ```
    /// use clearance::{Mesh, Vec3};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mirrored = mesh.scaled([-2.0, 1.0, 3.0])?;
    /// assert!(mirrored.is_solid());
    /// assert!((mirrored.mass_properties().volume - 1.0).abs() < 1e-6);
    /// # Ok::<(), clearance::MeshError>(())
    /// ```
    pub fn scaled(&self, factors: [Real; 3]) -> Result<Self, MeshError> {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(factors) {
            if value == 0.0 || !value.is_finite() {
                return Err(MeshError::Factor { axis, value });
            }
        }
        let by = Vec3::from(factors);
        let vertices: Vec<Vec3> = self.vertices.iter().map(|&p| p * by).collect();
        let mirrored = factors.into_iter().filter(|&factor| factor < 0.0).count() % 2 == 1;
        let mut surface = Surface::default();
        for triangle in self.triangles.iter().filter(|triangle| triangle.given != NO_FACE) {
            let [a, b, c] = triangle.corners;
            surface.push(&if mirrored { [a, c, b] } else { [a, b, c] }, triangle.given);
        }
        let faces: Vec<&[u32]> = (0..surface.count()).map(|face| surface.corners(face)).collect();
        check_sizes(&vertices, &faces)?;
        let kind = match (self.solid, self.room) {
            (true, _) => Kind::Auto,
            (_, true) => Kind::Room,
            _ => Kind::Surface,
        };
        let options = MeshOptions { kind, ..MeshOptions::default() };
        check_faces(&vertices, &mut surface, &options, &mut Repairs::default())?;
        Self::assembled(vertices, surface, kind, &options, self.repairs.clone())
    }
}
