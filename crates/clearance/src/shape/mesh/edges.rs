//! Edges with the faces beside them, and which edges and vertices are internal (van Waveren 2005, section 4).

use super::topology::{beside, half_edges, largest};
use super::{Mesh, MeshEdge, NO_FACE, Surroundings};
use crate::math::{widen, widen_real};
use crate::tolerance::{FLAT_EDGE, SAME_DIRECTION};

/// Fills in the edges of the faces and the flags.
pub(super) fn features(mesh: &mut Mesh) {
    let sides = half_edges(&mesh.faces.starts, &mesh.faces.loops);
    let flat = widen_real(FLAT_EDGE) * largest(&mesh.vertices);
    let mut edges = Vec::with_capacity(sides.len() / 2);
    let mut of_corners = vec![0; mesh.faces.loops.len()];
    for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
        for side in edge {
            of_corners[side.place as usize] = edges.len() as u32;
        }
        let [from, to] = edge[0].ends;
        let vertices = if edge[0].backward { [to, from] } else { [from, to] };
        let faces = [edge[0].face, beside(edge)];
        let internal = faces[1] != NO_FACE && !is_convex(mesh, faces, flat);
        edges.push(MeshEdge { vertices, faces, internal });
    }
    mesh.faces.edges = of_corners;
    mesh.internal_vertices = internal_vertices(mesh.vertices.len(), &edges).into();
    mesh.edges = edges.into();
    mesh.surroundings = surroundings(mesh).into();
}

/// What is around each triangle. Sides within a united face have no edge: there the surface goes on.
fn surroundings(mesh: &Mesh) -> Vec<Surroundings> {
    if mesh.edges.is_empty() {
        return Vec::new();
    }
    let goes_on = |edge: &MeshEdge| {
        let normal = |face: u32| widen(mesh.faces.planes[face as usize].normal);
        edge.internal && normal(edge.faces[0]).dot(normal(edge.faces[1])) >= SAME_DIRECTION
    };
    // Edges are in the order of their smaller ends.
    let mut starts = vec![0_u32; mesh.vertices.len() + 1];
    let mut around = vec![true; mesh.vertices.len()];
    for edge in &mesh.edges {
        let goes_on = goes_on(edge);
        starts[edge.vertices[0].min(edge.vertices[1]) as usize + 1] += 1;
        edge.vertices.into_iter().for_each(|v| around[v as usize] &= goes_on);
    }
    for v in 1..starts.len() {
        starts[v] += starts[v - 1];
    }
    let edge_between = |a: u32, b: u32| {
        let range = starts[a.min(b) as usize] as usize..starts[a.min(b) as usize + 1] as usize;
        mesh.edges[range].iter().find(|edge| edge.vertices == [a, b] || edge.vertices == [b, a])
    };
    let of = |corners: [u32; 3]| {
        let (mut bits, mut internal) = (0, true);
        for i in 0..3 {
            let edge = edge_between(corners[i], corners[(i + 1) % 3]);
            let corner = corners[i] as usize;
            internal &= mesh.internal_vertices[corner] && edge.is_none_or(|edge| edge.internal);
            bits |= u8::from(edge.is_none_or(goes_on)) << i | u8::from(around[corner]) << (3 + i);
        }
        Surroundings(bits | u8::from(internal) << 6)
    };
    mesh.triangles.iter().map(|triangle| of(triangle.corners)).collect()
}

/// Whether the second face falls away below the plane of the first by more than rounding.
fn is_convex(mesh: &Mesh, [first, second]: [u32; 2], flat: f64) -> bool {
    let plane = mesh.faces.planes[first as usize];
    let (normal, offset) = (widen(plane.normal), widen_real(plane.offset));
    let heights = mesh.faces.corners(second).iter().map(|&v| normal.dot(mesh.wide(v)) - offset);
    let farthest = heights.fold(0.0, |far: f64, height| if height.abs() > far.abs() { height } else { far });
    farthest < -flat
}

/// Vertices with internal edges only, or with none in the middle of a face; but not those of a body without faces.
fn internal_vertices(count: usize, edges: &[MeshEdge]) -> Vec<bool> {
    let mut internal = vec![!edges.is_empty(); count];
    for edge in edges {
        for v in edge.vertices {
            internal[v as usize] &= edge.internal;
        }
    }
    internal
}
