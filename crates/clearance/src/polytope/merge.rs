//! From hull triangles to polygon faces.
//!
//! Adjacent triangles are united exactly if an exact predicate finds their four points coplanar. Since no triangle is
//! degenerate, that relation is transitive and each union is one flat convex polygon. A vertex at which fewer than three
//! polygons meet lies inside a face or on an edge: it is no corner, and is dropped.

use glam::DVec3;

use super::PolytopeError;
use super::hull::{NONE, Triangle};
use crate::math::predicates::orient3d;

/// Polygon faces over the corners of a hull. `corners[i]` is the index of the i-th corner in the input, ascending.
pub(super) struct Faces {
    pub corners: Vec<u32>,
    /// Where each face starts in `loops`, with one more entry at the end.
    pub starts: Vec<u32>,
    /// The faces' corners, counter-clockwise seen from outside, as indices into `corners`.
    pub loops: Vec<u32>,
}

pub(super) fn merge_coplanar(points: &[DVec3], triangles: &[Triangle]) -> Result<Faces, PolytopeError> {
    let group = coplanar_groups(points, triangles);
    let is_boundary = |t: usize, edge: usize| group[triangles[t].adjacent[edge] as usize] != group[t];

    let mut degree = vec![0u32; points.len()];
    let mut boundary_start = vec![NONE; triangles.len()];
    for (t, triangle) in triangles.iter().enumerate().filter(|(_, triangle)| triangle.alive) {
        for edge in 0..3 {
            if is_boundary(t, edge) {
                degree[triangle.vertices[edge] as usize] += 1;
                boundary_start[group[t] as usize] = (t * 3 + edge) as u32;
            }
        }
    }
    let corners: Vec<u32> = (0..points.len() as u32).filter(|&v| degree[v as usize] >= 3).collect();
    let mut corner_of = vec![NONE; points.len()];
    for (i, &v) in corners.iter().enumerate() {
        corner_of[v as usize] = i as u32;
    }

    let mut faces = Faces { corners, starts: vec![0], loops: Vec::new() };
    for &start in boundary_start.iter().filter(|&&start| start != NONE) {
        let mut at = start as usize;
        for _ in 0..=3 * triangles.len() {
            let corner = corner_of[triangles[at / 3].vertices[at % 3] as usize];
            if corner != NONE {
                faces.loops.push(corner);
            }
            at = next_boundary_edge(triangles, &is_boundary, at)?;
            if at == start as usize {
                break;
            }
        }
        if at != start as usize {
            return Err(PolytopeError::Internal("a face boundary does not close"));
        }
        faces.starts.push(faces.loops.len() as u32);
    }
    Ok(faces)
}

/// The boundary edge that follows `at` (triangle · 3 + edge) on the same united face: turn about its end vertex through
/// the triangles of the union.
fn next_boundary_edge(
    triangles: &[Triangle],
    is_boundary: &dyn Fn(usize, usize) -> bool,
    at: usize,
) -> Result<usize, PolytopeError> {
    let (mut t, mut edge) = (at / 3, (at % 3 + 1) % 3);
    let pivot = triangles[t].vertices[edge];
    for _ in 0..triangles.len() {
        if is_boundary(t, edge) {
            return Ok(t * 3 + edge);
        }
        t = triangles[t].adjacent[edge] as usize;
        let turned = triangles[t].vertices.iter().position(|&v| v == pivot);
        edge = turned.ok_or(PolytopeError::Internal("neighbouring triangles share no vertex"))?;
    }
    Err(PolytopeError::Internal("a face has no boundary"))
}

/// For each triangle the representative of its plane's union; only those of live triangles mean something.
fn coplanar_groups(points: &[DVec3], triangles: &[Triangle]) -> Vec<u32> {
    let mut group = vec![NONE; triangles.len()];
    let mut stack = Vec::new();
    for first in 0..triangles.len() {
        if !triangles[first].alive || group[first] != NONE {
            continue;
        }
        group[first] = first as u32;
        stack.push(first);
        while let Some(t) = stack.pop() {
            for neighbour in triangles[t].adjacent.map(|n| n as usize) {
                if group[neighbour] == NONE && coplanar(points, &triangles[t], &triangles[neighbour]) {
                    group[neighbour] = first as u32;
                    stack.push(neighbour);
                }
            }
        }
    }
    group
}

fn coplanar(points: &[DVec3], t: &Triangle, neighbour: &Triangle) -> bool {
    let [a, b, c] = t.vertices.map(|v| points[v as usize]);
    let beyond = neighbour.vertices.into_iter().filter(|v| !t.vertices.contains(v));
    beyond.map(|v| points[v as usize]).all(|d| orient3d(a, b, c, d) == 0.0)
}
