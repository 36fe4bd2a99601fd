//! Loops of vertices, which of them share edges, and what is wrong with that.

use super::options::Kind;
use super::{MeshError, NO_FACE};
use crate::math::Vec3;
use crate::math::widen_real;

/// Faces as loops of vertices.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    pub starts: Vec<u32>,
    pub loops: Vec<u32>,
    /// The number of each face in the input.
    pub given: Vec<u32>,
}

impl Default for Surface {
    fn default() -> Self {
        Self { starts: vec![0], loops: Vec::new(), given: Vec::new() }
    }
}

/// One side of an edge: from a corner of a face to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HalfEdge {
    /// The smaller end, the larger end.
    pub ends: [u32; 2],
    /// Whether it runs from the larger to the smaller.
    pub backward: bool,
    pub face: u32,
    /// Its place among all corners.
    pub place: u32,
}

impl HalfEdge {
    fn run(&self) -> [usize; 2] {
        let [a, b] = self.ends.map(|v| v as usize);
        if self.backward { [b, a] } else { [a, b] }
    }
}

impl Surface {
    pub fn new<'f>(faces: impl Iterator<Item = &'f [u32]>) -> Self {
        let mut surface = Self::default();
        for (given, corners) in faces.enumerate() {
            surface.push(corners, given as u32);
        }
        surface
    }

    pub fn push(&mut self, corners: &[u32], given: u32) {
        self.loops.extend_from_slice(corners);
        self.starts.push(self.loops.len() as u32);
        self.given.push(given);
    }

    pub fn count(&self) -> usize {
        self.given.len()
    }

    pub fn corners(&self, face: usize) -> &[u32] {
        &self.loops[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    pub fn turn_over(&mut self, faces: &[u32]) {
        for &face in faces {
            let range = self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize;
            self.loops[range].reverse();
        }
    }

    /// All half-edges, those of one edge side by side, in a fixed order.
    pub fn half_edges(&self) -> Vec<HalfEdge> {
        half_edges(&self.starts, &self.loops)
    }

    /// The part of the surface that each vertex belongs to, by the smallest vertex of the part.
    pub fn part_of_vertices(&self, vertices: usize) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..vertices as u32).collect();
        let root = |parent: &mut Vec<u32>, mut v: u32| {
            while parent[v as usize] != v {
                parent[v as usize] = parent[parent[v as usize] as usize];
                v = parent[v as usize];
            }
            v
        };
        for face in 0..self.count() {
            let corners = self.corners(face);
            for pair in corners.windows(2) {
                let [a, b] = [root(&mut parent, pair[0]), root(&mut parent, pair[1])];
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        (0..vertices as u32).map(|v| root(&mut parent, v)).collect()
    }

    /// One vertex of each connected part.
    pub fn parts(&self, vertices: usize) -> Vec<u32> {
        let of = self.part_of_vertices(vertices);
        (0..vertices as u32).filter(|&v| of[v as usize] == v).collect()
    }
}

pub(crate) fn half_edges(starts: &[u32], loops: &[u32]) -> Vec<HalfEdge> {
    let mut all = Vec::with_capacity(loops.len());
    for (face, range) in starts.windows(2).enumerate() {
        for place in range[0]..range[1] {
            let next = if place + 1 == range[1] { range[0] } else { place + 1 };
            let (from, to) = (loops[place as usize], loops[next as usize]);
            let (ends, backward) = ([from.min(to), from.max(to)], from > to);
            all.push(HalfEdge { ends, backward, face: face as u32, place });
        }
    }
    all.sort_unstable();
    all
}

/// At most two faces at each edge, running along it in opposite directions; for a solid or a room always two. Returns the number of edges
/// with one face.
pub(super) fn check_edges(surface: &Surface, vertices: &[Vec3], kind: Kind) -> Result<usize, MeshError> {
    let half_edges = surface.half_edges();
    let given = |half_edge: &HalfEdge| surface.given[half_edge.face as usize] as usize;
    let (mut open, mut first_open) = (0, None);
    for edge in half_edges.chunk_by(|a, b| a.ends == b.ends) {
        let [from, to] = edge[0].run();
        match edge {
            [only] => {
                open += 1;
                let earlier = first_open.is_none_or(|first: HalfEdge| only.place < first.place);
                first_open = if earlier { Some(*only) } else { first_open };
            }
            [a, b] if a.backward != b.backward => {}
            [a, b] => return Err(MeshError::TurnedOver { from, to, first: given(a), second: given(b) }),
            [a, b, ..] => {
                let count = edge.len();
                return Err(MeshError::NonManifoldEdge { from, to, count, first: given(a), second: given(b) });
            }
            [] => {}
        }
    }
    match first_open.filter(|_| kind.must_be_closed()) {
        None => Ok(open),
        Some(edge) => {
            let [from, to] = edge.run();
            let twin = |end: usize| (0..vertices.len()).any(|v| v != end && vertices[v] == vertices[end]);
            let unwelded = twin(from) || twin(to);
            Err(MeshError::OpenEdge { face: given(&edge), from, to, count: open, unwelded })
        }
    }
}

/// The face on the other side of an edge, if there is one.
pub(super) fn beside(edge: &[HalfEdge]) -> u32 {
    edge.get(1).map_or(NO_FACE, |other| other.face)
}

/// The largest coordinate in magnitude.
pub(super) fn largest(vertices: &[Vec3]) -> f64 {
    vertices.iter().map(|p| widen_real(p.abs().max_element())).fold(0.0, f64::max)
}
