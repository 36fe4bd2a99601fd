//! Arbitrary polyhedra: convex polygon faces, shared vertices and edges (van Waveren 2005, sections 2 and 4).
//!
//! The surface of a [`Mesh`] is its triangles: each given face is cut into triangles once, so that faces which are flat
//!  to the digits of a file only are still one definite, watertight surface. Queries at rest look at triangles. Features
//! are seen through faces, edges and vertices: neighbouring faces that are *exactly* coplanar are united while they stay convex;
//! an edge has the one or two faces beside it; edges at which the surface is concave or flat are internal, and so are
//! vertices with such edges only, because no other body's feature can come upon them first (section 4).
//!
//! A closed mesh is a solid unless it is asked to be a surface or a room. Open surfaces, single polygons and points (vertices without
//! faces) are bodies too. Nothing is dropped or moved silently: what [`MeshOptions`] allow to be repaired is listed in
//! [`Mesh::repairs`], everything else is an error that names the element.
//!
//! Predicates are exact while products of three coordinates stay in the range of f64, which [`LARGEST_SIZE`] sees to for large ones;
//! coordinates that differ by more than a factor of 2^300 lose the exactness, not the answer.
//!
//! [`LARGEST_SIZE`]: crate::tolerance::LARGEST_SIZE

mod build;
mod check;
mod edges;
mod error;
mod hull;
mod inside;
mod measure;
mod merge;
mod options;
mod scale;
mod topology;
mod triangulate;

use std::sync::Arc;

use glam::DVec3;

use super::kinds::Shape;
use super::mass::MassProperties;
use crate::bvh::{Bvh, OrientedBoxes, WideTree};
use crate::derived::Derived;
use crate::math::{Aabb, Mat3, Plane, Plucker, Pose, Real, Vec3, widen};

pub use check::{Defects, check};
pub use error::MeshError;
pub use inside::Side;
pub(crate) use inside::{crossing, winding};
pub(crate) use merge::{Judge, united};
pub use options::{Kind, MeshOptions, Repairs};
pub(crate) use topology::{HalfEdge, half_edges};
pub(crate) use triangulate::{triangulated, vector_area};

/// No face: the other side of a dangling edge.
pub const NO_FACE: u32 = u32::MAX;

/// An edge with its ends and the faces beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshEdge {
    /// The ends; `faces[0]` is on the left going from the first to the second, seen from outside.
    pub vertices: [u32; 2],
    /// The faces; the second is `u32::MAX` if the edge dangles.
    pub faces: [u32; 2],
    /// Whether the surface is concave or flat here: no other body's edge can come upon it before it comes upon a face.
    pub internal: bool,
}

impl MeshEdge {
    /// Whether there is a face on one side only.
    #[inline]
    pub fn is_dangling(&self) -> bool {
        self.faces[1] == NO_FACE
    }
}

/// A polyhedron of any shape. Immutable, shared between threads.
#[derive(Debug, Clone)]
pub struct Mesh {
    vertices: Box<[Vec3]>,
    faces: Faces,
    edges: Box<[MeshEdge]>,
    internal_vertices: Box<[bool]>,
    triangles: Box<[Triangle]>,
    /// What is around each triangle.
    surroundings: Box<[Surroundings]>,
    /// One vertex of each connected part.
    parts: Box<[u32]>,
    tree: Bvh,
    /// The same tree in nodes of eight, for rays.
    wide: WideTree,
    boxes: OrientedBoxes,
    bounds: Aabb,
    reach: Real,
    solid: bool,
    room: bool,
    /// The convex hull, if the mesh is convex or nearly so.
    hull: Option<Arc<Hull>>,
    mass: MassProperties,
    repairs: Repairs,
    /// The surface as casts see it.
    pub(crate) cast_surface: Derived,
}

/// The convex hull of a mesh that is convex or nearly so.
#[derive(Debug, Clone)]
pub(crate) struct Hull {
    pub shape: Shape,
    /// Whether the mesh's solid is the hull, exactly.
    pub exact: bool,
    /// The mesh's vertex that each vertex of the hull is.
    pub corners: Box<[u32]>,
}

/// Convex faces as loops of vertices, with their planes.
#[derive(Debug, Clone, Default)]
struct Faces {
    starts: Vec<u32>,
    loops: Vec<u32>,
    planes: Vec<Plane>,
    /// The edge from each corner to the next.
    edges: Vec<u32>,
}

/// A triangle of the surface; all corners are one vertex where there are no faces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub corners: [u32; 3],
    /// The face as it was given.
    pub given: u32,
}

/// What is around a triangle: where the surface goes on smoothly, as bits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings(u8);

impl Surroundings {
    /// Whether the surface goes on across the side from corner i to the next, flat or concave by a small angle.
    #[inline]
    pub fn goes_on_across(self, side: usize) -> bool {
        self.0 >> side & 1 != 0
    }

    /// Whether it does across all edges at a corner.
    #[inline]
    pub fn goes_on_around(self, corner: usize) -> bool {
        self.0 >> (3 + corner) & 1 != 0
    }

    /// Whether it does across all sides and at all corners.
    #[inline]
    pub fn goes_on_everywhere(self) -> bool {
        self.0 & 0b11_1111 == 0b11_1111
    }

    /// Whether all edges at the triangle and at its corners are internal.
    #[inline]
    pub fn are_internal(self) -> bool {
        self.0 >> 6 & 1 != 0
    }
}

impl Mesh {
    /// The vertices, in the order in which they were given.
    #[inline]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// How many faces there are, after coplanar ones were united.
    #[inline]
    pub fn face_count(&self) -> usize {
        self.faces.planes.len()
    }

    /// The corners of a face, counter-clockwise seen from outside. Some may be in line with their neighbours.
    #[inline]
    pub fn face_vertices(&self, face: u32) -> &[u32] {
        self.faces.corners(face)
    }

    /// The edges of a face, each from the corner of the same place to the next.
    pub fn face_edges(&self, face: u32) -> &[u32] {
        let range = self.faces.range(face);
        self.faces.edges.get(range).unwrap_or_default()
    }

    /// The plane of a face, its normal pointing outwards.
    #[inline]
    pub fn plane(&self, face: u32) -> Plane {
        self.faces.planes[face as usize]
    }

    /// The edges.
    #[inline]
    pub fn edges(&self) -> &[MeshEdge] {
        &self.edges
    }

    /// The line of an edge, from its first to its second vertex.
    pub fn edge_line(&self, edge: u32) -> Plucker {
        let [a, b] = self.edges[edge as usize].vertices.map(|v| self.wide(v));
        Plucker::through(a, b)
    }

    /// Whether all edges of a vertex are internal.
    #[inline]
    pub fn is_internal_vertex(&self, vertex: u32) -> bool {
        self.internal_vertices[vertex as usize]
    }

    /// Whether it is a solid: closed, and not asked to be a surface. Then what is inside counts.
    #[inline]
    pub fn is_solid(&self) -> bool {
        self.solid
    }

    /// Whether it is a room: a closed surface around free space, with all that is outside of it solid.
    #[inline]
    pub fn is_room(&self) -> bool {
        self.room
    }

    /// How many triangles the surface has.
    #[inline]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The corners of a triangle, and the face it was given as.
    pub fn triangle(&self, triangle: u32) -> ([Vec3; 3], u32) {
        let t = self.triangles[triangle as usize];
        (t.corners.map(|v| self.vertices[v as usize]), t.given)
    }

    /// Volume and its centre; of a surface zero and the centre of its area, of points their mean.
    #[inline]
    pub fn mass(&self) -> (Real, Vec3) {
        (self.mass.volume, self.mass.centroid)
    }

    /// Volume, centroid and inertia tensor for unit density; of a surface zero and the centre of its area, of points their mean.
    ///
    /// A closed part that lies inside of another one and faces outwards, too, adds nothing: what is solid counts once, as it does
    /// for [`Mesh::locate`]. Closed parts that cross each other count each for itself, so that what they share counts twice.
    #[inline]
    pub fn mass_properties(&self) -> MassProperties {
        self.mass
    }

    /// What was repaired when it was made.
    #[inline]
    pub fn repairs(&self) -> &Repairs {
        &self.repairs
    }

    /// The tight box of the mesh in its own frame.
    #[inline]
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// A ball of this radius about the local origin contains the mesh.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.reach
    }

    /// The tree of the triangles' boxes.
    #[inline]
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The tree of the triangles' boxes in nodes of eight.
    #[inline]
    pub(crate) fn wide_tree(&self) -> &WideTree {
        &self.wide
    }

    /// The oriented boxes of the tree's nodes.
    #[inline]
    pub fn oriented_boxes(&self) -> &OrientedBoxes {
        &self.boxes
    }

    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        if pose.matrix() == Mat3::IDENTITY {
            let t = pose.translation();
            return Aabb { min: t + self.bounds.min, max: t + self.bounds.max };
        }
        let rows = pose.matrix().transpose();
        let reach = |row: Vec3| [-row, row].map(|d| self.support(d).0.dot(row));
        let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(reach);
        let t = pose.translation();
        Aabb { min: t + Vec3::new(x[0], y[0], z[0]), max: t + Vec3::new(x[1], y[1], z[1]) }
    }

    #[inline]
    pub(crate) fn wide(&self, vertex: u32) -> DVec3 {
        widen(self.vertices[vertex as usize])
    }

    #[inline]
    pub(crate) fn wide_triangle(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize].corners;
        [self.wide(a), self.wide(b), self.wide(c)]
    }

    /// The vertices of a triangle.
    #[inline]
    pub(crate) fn triangle_corners(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize].corners
    }

    /// The face, as given, of a triangle; [`NO_FACE`] for a point.
    #[inline]
    pub(crate) fn given_face(&self, triangle: u32) -> u32 {
        self.triangles[triangle as usize].given
    }

    /// The triangles of a face as it was given, which follow one another.
    pub(crate) fn triangles_of(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.triangles.partition_point(|triangle| triangle.given < face);
        (first..self.triangles.len()).take_while(move |&at| self.triangles[at].given == face).map(|at| at as u32)
    }

    /// What is around a triangle.
    #[inline]
    pub(crate) fn surroundings(&self, triangle: u32) -> Surroundings {
        self.surroundings.get(triangle as usize).copied().unwrap_or_default()
    }

    /// One vertex of each connected part of the surface.
    #[inline]
    pub(crate) fn part_vertices(&self) -> &[u32] {
        &self.parts
    }
}

impl Faces {
    fn range(&self, face: u32) -> std::ops::Range<usize> {
        self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize
    }

    fn corners(&self, face: u32) -> &[u32] {
        &self.loops[self.range(face)]
    }
}
