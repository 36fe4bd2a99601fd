//! The edges around the points of a polyhedron.

use super::parts::Edge;

/// The edges around each point, in the order of their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Around {
    pub fn new(edges: &[Edge], points: usize) -> Self {
        let mut starts = vec![0; points + 1];
        for &v in edges.iter().flat_map(|edge| &edge.ends) {
            starts[v as usize + 1] += 1;
        }
        for i in 0..points {
            starts[i + 1] += starts[i];
        }
        let (mut next, mut list) = (starts.clone(), vec![0; 2 * edges.len()]);
        for (i, edge) in edges.iter().enumerate() {
            for v in edge.ends {
                let place = &mut next[v as usize];
                list[*place as usize] = i as u32;
                *place += 1;
            }
        }
        Self { starts, edges: list }
    }

    pub fn of(&self, point: u32) -> &[u32] {
        let at = point as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
