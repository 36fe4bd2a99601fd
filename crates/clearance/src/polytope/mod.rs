//! Convex polytopes: vertices, edges and polygon faces with full adjacency, and support search.
//!
//! A [`Polytope`] is the exact convex hull of its vertices: faces are found with exact predicates and only exactly coplanar
//! triangles are united, so no face is ever wrong. Half-edges are stored face by face, in order, which makes `next` an
//! addition; vertex neighbours are in compressed rows. All of it is immutable.
//!
//! Memory in f64, for triangulated surfaces (6 half-edges, 3 edges and 2 faces per vertex): points 24, neighbours 28,
//! half-edges 72, faces 72, edges 12, vertex edges 4 bytes per vertex, plus 24 of lanes for small polytopes and about
//! 100 of hierarchy for large ones; [`Polytope::memory_bytes`] counts the actual ones.

mod build;
mod casing;
mod error;
mod hierarchy;
mod hull;
mod measure;
mod merge;
mod polygon;
mod search;
mod solids;
mod table;
mod validate;

use std::sync::Arc;

use crate::derived::Derived;
use crate::math::{Plane, Real, Vec3};
use crate::support::{Support, SupportPoint, VertexId};

pub(crate) use build::check_coordinates;
pub use casing::Casing;
pub use error::PolytopeError;
pub use hierarchy::Hierarchy;
pub use polygon::Polygon;
pub use search::{Climb, Marks, SupportPolytope};
pub use table::DirectionTable;

/// One side of an edge: it starts at `origin`, runs along `face` with the face on its left, and ends where its twin starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfEdge {
    /// The vertex it starts at.
    pub origin: u32,
    /// The half-edge of the neighbouring face, in the other direction.
    pub twin: u32,
    /// The face on its left, seen from outside.
    pub face: u32,
}

/// An edge with its two ends and the two faces that meet there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The ends; `faces[0]` is on the left going from the first to the second, seen from outside.
    pub vertices: [u32; 2],
    /// The two faces.
    pub faces: [u32; 2],
}

/// A convex solid with flat faces. Immutable, shared: a clone is another handle of the same data.
#[derive(Debug, Clone)]
pub struct Polytope {
    data: Arc<Data>,
}

#[derive(Debug, Clone)]
struct Data {
    search: SupportPolytope,
    half_edges: Box<[HalfEdge]>,
    face_starts: Box<[u32]>,
    planes: Box<[Plane]>,
    edges: Box<[u32]>,
    vertex_edges: Box<[u32]>,
    volume: Real,
    centroid: Vec3,
    /// The surface as casts see it.
    cast_surface: Derived,
}

impl Polytope {
    /// The surface as casts see it, in a slot that is filled when it is first asked for.
    pub(crate) fn cast_surface(&self) -> &Derived {
        &self.data.cast_surface
    }

    /// The corners, in the order in which they were given.
    #[inline]
    pub fn vertices(&self) -> &[Vec3] {
        self.data.search.points()
    }

    /// The vertices joined to `vertex` by an edge, counter-clockwise seen from outside.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        self.data.search.neighbours(vertex)
    }

    /// How many faces there are.
    #[inline]
    pub fn face_count(&self) -> usize {
        self.data.planes.len()
    }

    /// How many edges there are.
    #[inline]
    pub fn edge_count(&self) -> usize {
        self.data.edges.len()
    }

    /// The face's plane, its normal pointing outwards.
    #[inline]
    pub fn plane(&self, face: u32) -> Plane {
        self.data.planes[face as usize]
    }

    /// The face's half-edges: a range of indices, in order around the face.
    #[inline]
    pub fn face_half_edges(&self, face: u32) -> std::ops::Range<u32> {
        self.data.face_starts[face as usize]..self.data.face_starts[face as usize + 1]
    }

    /// The face's vertices, counter-clockwise seen from outside.
    pub fn face_vertices(&self, face: u32) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let range = self.face_half_edges(face);
        self.data.half_edges[range.start as usize..range.end as usize].iter().map(|half_edge| half_edge.origin)
    }

    /// All half-edges, face by face.
    #[inline]
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.data.half_edges
    }

    /// The half-edge that follows around the same face.
    #[inline]
    pub fn next(&self, half_edge: u32) -> u32 {
        let range = self.face_half_edges(self.data.half_edges[half_edge as usize].face);
        if half_edge + 1 == range.end { range.start } else { half_edge + 1 }
    }

    /// A half-edge that starts at the vertex; `next(twin(…))` turns about the vertex.
    #[inline]
    pub fn vertex_half_edge(&self, vertex: u32) -> u32 {
        self.data.vertex_edges[vertex as usize]
    }

    /// The faces that meet at the vertex, in order around it.
    pub fn faces_around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.vertex_half_edge(vertex);
        let turn = move |&half_edge: &u32| {
            Some(self.next(self.data.half_edges[half_edge as usize].twin)).filter(|&h| h != first)
        };
        std::iter::successors(Some(first), turn).map(|half_edge| self.data.half_edges[half_edge as usize].face)
    }

    /// The edge with this index.
    pub fn edge(&self, edge: u32) -> Edge {
        let half_edge = self.data.half_edges[self.data.edges[edge as usize] as usize];
        let twin = self.data.half_edges[half_edge.twin as usize];
        Edge { vertices: [half_edge.origin, twin.origin], faces: [half_edge.face, twin.face] }
    }

    /// The outward unit normals of the two faces that meet at the edge.
    pub fn edge_normals(&self, edge: u32) -> [Vec3; 2] {
        self.edge(edge).faces.map(|face| self.plane(face).normal)
    }

    /// The volume.
    #[inline]
    pub fn volume(&self) -> Real {
        self.data.volume
    }

    /// The centre of volume.
    #[inline]
    pub fn centroid(&self) -> Vec3 {
        self.data.centroid
    }

    /// The radius of the smallest ball about the local origin that contains all vertices.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.data.search.bounding_radius()
    }

    /// The part that answers support queries, with each way of searching under its own name.
    #[inline]
    pub fn search(&self) -> &SupportPolytope {
        &self.data.search
    }

    /// The vertices and their neighbours alone: all a query by support needs, in less than 100 bytes per vertex.
    pub fn to_support_only(&self) -> SupportPolytope {
        self.data.search.without_hierarchy()
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.data.search.memory_bytes()
            + size_of_val(&*self.data.half_edges)
            + size_of_val(&*self.data.face_starts)
            + size_of_val(&*self.data.planes)
            + size_of_val(&*self.data.edges)
            + size_of_val(&*self.data.vertex_edges)
    }
}

impl Support for Polytope {
    #[inline]
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        self.data.search.support(direction, hint)
    }

    #[inline]
    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        self.data.search.vertex(id)
    }
}
