//! Checking a finished polytope against its own invariants, with exact predicates.

use super::build::Cloud;
use super::{Polytope, PolytopeError};
use crate::math::predicates::orient3d;

impl Polytope {
    /// Checks every invariant: half-edges are paired and close up around faces and vertices, V − E + F = 2, faces are flat and
    /// every edge is strictly convex, both by exact predicates. For a closed surface of a sphere's topology that makes it the
    /// boundary of a convex solid.
    ///
    /// Construction guarantees all of it; this is for tests and for the doubtful.
    ///
    /// # Errors
    /// The first invariant found broken.
    pub fn validate(&self) -> Result<(), PolytopeError> {
        let broken = |what| Err(PolytopeError::Internal(what));
        let (v, e, f) = (self.vertices().len(), self.edge_count(), self.face_count());
        if v + f != e + 2 {
            return broken("V − E + F is not 2");
        }
        if self.data.half_edges.len() != 2 * e {
            return broken("half-edges are not twice the edges");
        }
        for (i, half_edge) in self.data.half_edges.iter().enumerate() {
            let twin = self.data.half_edges[half_edge.twin as usize];
            if twin.twin as usize != i || twin.face == half_edge.face {
                return broken("a half-edge and its twin disagree");
            }
            if self.data.half_edges[self.next(i as u32) as usize].origin != twin.origin {
                return broken("a half-edge does not end where its twin starts");
            }
        }
        for vertex in 0..v as u32 {
            self.validate_vertex(vertex)?;
        }
        self.validate_convexity()
    }

    fn validate_vertex(&self, vertex: u32) -> Result<(), PolytopeError> {
        let first = self.vertex_half_edge(vertex);
        let mut half_edge = first;
        let degree = self.neighbours(vertex).len();
        for turn in 0..=degree {
            if self.data.half_edges[half_edge as usize].origin != vertex {
                return Err(PolytopeError::Internal("turning about a vertex leaves it"));
            }
            if half_edge == first && turn > 0 {
                let complete = turn == degree && degree >= 3;
                return if complete { Ok(()) } else { Err(PolytopeError::Internal("a vertex has a wrong degree")) };
            }
            let end = self.data.half_edges[self.data.half_edges[half_edge as usize].twin as usize].origin;
            if !self.neighbours(vertex).contains(&end) {
                return Err(PolytopeError::Internal("a neighbour is missing"));
            }
            half_edge = self.next(self.data.half_edges[half_edge as usize].twin);
        }
        Err(PolytopeError::Internal("turning about a vertex does not end"))
    }

    fn validate_convexity(&self) -> Result<(), PolytopeError> {
        let cloud = Cloud::new(self.vertices())?;
        let point = |half_edge: u32| cloud.scaled[self.data.half_edges[half_edge as usize].origin as usize];
        for face in 0..self.face_count() as u32 {
            let range = self.face_half_edges(face);
            if range.len() < 3 {
                return Err(PolytopeError::Internal("a face has fewer than three corners"));
            }
            let [a, b, c] = [range.start, range.start + 1, range.start + 2].map(point);
            if range.clone().any(|half_edge| orient3d(a, b, c, point(half_edge)) != 0.0) {
                return Err(PolytopeError::Internal("a face is not flat"));
            }
            for half_edge in range {
                let twin = self.data.half_edges[half_edge as usize].twin;
                // Of the neighbouring face, the corner after the shared edge: strictly below unless the edge is flat or concave.
                let beyond = point(self.next(self.next(twin)));
                if !(orient3d(a, b, c, beyond) > 0.0) {
                    return Err(PolytopeError::Internal("an edge is not convex"));
                }
            }
        }
        Ok(())
    }
}
