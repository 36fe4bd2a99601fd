//! What a polyhedron's polygons and edges are called in what it was made from.

use super::assemble::assembled;
use super::parts::{Fill, NONE};
use super::polyhedron::Polyhedron;
use crate::math::widen;
use crate::polytope::Polytope;
use crate::shape::mesh::Mesh;

impl Polyhedron {
    /// The face of a polygon, by its number in what the mesh was made from, or in the polytope; the least of several united ones.
    ///
    /// ```
    /// use clearance::ccd::polyhedra::Polyhedron;
    /// use clearance::Vec3;
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let tetrahedron = Polyhedron::from_faces(&corners, &faces)?;
    /// for polygon in 0..4 {
    ///     let given = tetrahedron.given_face(polygon).map(|face| faces[face as usize].map(|v| corners[v as usize]));
    ///     assert!(tetrahedron.face_points(polygon).all(|point| given.unwrap().contains(&point)));
    /// }
    /// # Ok::<(), clearance::MeshError>(())
    /// ```
    pub fn given_face(&self, face: u32) -> Option<u32> {
        self.given.get(face as usize).copied().filter(|&given| given != NONE)
    }

    /// The ends of an edge, by their numbers in what the polyhedron was made from.
    pub fn edge_vertices(&self, edge: u32) -> Option<[u32; 2]> {
        self.edges.get(edge as usize).map(|edge| edge.ends)
    }

    /// The back of a surface: all faces turned over. Casts meet fronts only: a surface that is to be met from both sides, or to meet
    /// with both, takes a cast of each.
    pub fn other_side(mesh: &Mesh) -> Self {
        let turned = |corners: &[u32]| corners.iter().rev().copied().collect::<Vec<u32>>();
        let faces = (0..mesh.face_count() as u32).map(|face| turned(mesh.face_vertices(face)));
        let triangles = 0..mesh.triangle_count() as u32;
        let triangles = triangles.map(|t| (turned(&mesh.triangle_corners(t)), mesh.given_face(t)));
        let points = mesh.vertices().iter().map(|&p| widen(p)).collect();
        assembled(points, faces, Fill::Nowhere).with_given(triangles)
    }

    /// Remembers the numbers of faces, given by their parts: loops of points, each with its face. A polygon is of those faces with
    /// which it shares a side, since no two parts have one in the same direction.
    pub(super) fn with_given<L: AsRef<[u32]>>(mut self, parts: impl Iterator<Item = (L, u32)>) -> Self {
        let mut sides = Vec::new();
        for (corners, face) in parts {
            let corners = corners.as_ref();
            let nexts = corners.iter().skip(1).chain(corners.first());
            sides.extend(corners.iter().zip(nexts).map(|(&from, &to)| ([from, to], face)));
        }
        sides.sort_unstable();
        let of = |side: [u32; 2]| {
            let first = sides.partition_point(|(other, _)| *other < side);
            sides.get(first).filter(|(other, _)| *other == side).map(|&(_, face)| face)
        };
        let given = self.faces.iter().map(|face| {
            let corners = self.loop_of(face);
            let nexts = corners.iter().skip(1).chain(corners.first());
            corners.iter().zip(nexts).filter_map(|(from, to)| of([from.point, to.point])).min().unwrap_or(NONE)
        });
        self.given = given.collect();
        self
    }
}

impl From<&Mesh> for Polyhedron {
    /// The mesh's points with their numbers, and its faces, united further where they are in one plane to rounding. What the mesh
    /// says of what is solid holds: a room's rock is.
    ///
    /// ```
    /// use clearance::ccd::polyhedra::{Polyhedron, cast_point};
    /// use clearance::shape::mesh::Kind;
    /// use clearance::{Mesh, MeshOptions, Pose, Vec3};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let from_within = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    /// let options = MeshOptions { kind: Kind::Room, ..MeshOptions::default() };
    /// let room = Polyhedron::from(&Mesh::with_options(&corners, &from_within, &options)?);
    /// let hit = cast_point(&room, &Pose::IDENTITY, Vec3::splat(0.125), Vec3::new(0.0, 0.0, -1.0))?;
    /// assert_eq!(hit.map(|hit| hit.fraction), Some(0.125));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from(mesh: &Mesh) -> Self {
        let fill = match (mesh.is_solid(), mesh.is_room()) {
            (true, _) => Fill::Inside,
            (_, true) => Fill::Outside,
            _ => Fill::Nowhere,
        };
        let faces = (0..mesh.face_count() as u32).map(|face| mesh.face_vertices(face).to_vec());
        let triangles = (0..mesh.triangle_count() as u32).map(|t| (mesh.triangle_corners(t), mesh.given_face(t)));
        assembled(mesh.vertices().iter().map(|&p| widen(p)).collect(), faces, fill).with_given(triangles)
    }
}

impl From<&Polytope> for Polyhedron {
    fn from(polytope: &Polytope) -> Self {
        let face = |face: u32| polytope.face_vertices(face).collect::<Vec<u32>>();
        let faces = || (0..polytope.face_count() as u32).map(face);
        let points = polytope.vertices().iter().map(|&p| widen(p)).collect();
        assembled(points, faces(), Fill::Inside).with_given(faces().zip(0..))
    }
}
