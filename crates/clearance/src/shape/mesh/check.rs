//! All that is wrong with a mesh, not only the first thing.

use super::topology::Surface;
use super::{Mesh, NO_FACE};
use crate::math::triangle::triangles_meet;

/// Defects of a surface, by vertices and faces of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Defects {
    /// Edges with one face: from, to, face.
    pub open: Vec<[u32; 3]>,
    /// Edges with two faces that run along it in the same direction: from, to, and the faces.
    pub turned_over: Vec<[u32; 4]>,
    /// Edges with more than two faces: the ends and the number of faces.
    pub non_manifold: Vec<[u32; 3]>,
}

/// Looks at every edge of faces whose indices are in range. Edges of length zero, where a face passes a vertex twice in a row, are
/// left to [`Mesh::new`].
pub fn check<F: AsRef<[u32]>>(faces: &[F]) -> Defects {
    let surface = Surface::new(faces.iter().map(AsRef::as_ref));
    let mut defects = Defects::default();
    for edge in surface.half_edges().chunk_by(|a, b| a.ends == b.ends) {
        let [from, to] = if edge[0].backward { [edge[0].ends[1], edge[0].ends[0]] } else { edge[0].ends };
        match edge {
            [a] => defects.open.push([from, to, a.face]),
            [a, b] if a.backward == b.backward => defects.turned_over.push([from, to, a.face, b.face]),
            [_, _] | [] => {}
            _ => defects.non_manifold.push([from, to, edge.len() as u32]),
        }
    }
    defects
}

impl Mesh {
    /// Pairs of faces, as given, that meet though they share no vertex, or cross though they share one: at most `limit`. Faces
    /// that share an edge are not looked at. The work grows with the number of neighbouring faces.
    pub fn self_intersections(&self, limit: usize) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        self.tree.self_pairs(|a, b| {
            let [s, t] = [a.min(b), a.max(b)].map(|i| &self.triangles[i as usize]);
            let shared = s.corners.iter().filter(|v| t.corners.contains(v)).count();
            if found.len() >= limit || shared > 1 || s.given == t.given || s.given == NO_FACE {
                return;
            }
            let [p, q] = [s.corners, t.corners].map(|corners| corners.map(|v| self.wide(v)));
            let meet =
                if shared == 0 { triangles_meet(&p, &q) } else { opposite_sides_meet(s.corners, t.corners, p, q) };
            if meet {
                found.push([s.given, t.given]);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether one of two triangles with a common corner meets the other's side opposite to it.
fn opposite_sides_meet(of_p: [u32; 3], of_q: [u32; 3], p: [glam::DVec3; 3], q: [glam::DVec3; 3]) -> bool {
    let side = |own: [u32; 3], other: [u32; 3], points: [glam::DVec3; 3]| {
        let mut free = (0..3).filter(|&i| !other.contains(&own[i])).map(|i| points[i]);
        Some([free.next()?, free.next()?])
    };
    let meets = |side: Option<[glam::DVec3; 2]>, whole: [glam::DVec3; 3]| {
        side.is_some_and(|[a, b]| triangles_meet(&[a, b, b], &whole))
    };
    meets(side(of_p, of_q, p), q) || meets(side(of_q, of_p, q), p)
}
