//! What of a polyhedron is near: its tree of boxes or its axial BSP (section 5), and the edges around its points.

use super::polyhedron::{Edge, Polyhedron};
use crate::bvh::{AxialBsp, NodeBox, SweptBox};
use crate::math::{Aabb, narrow};

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

impl Polyhedron {
    /// Finds its polygons by an axial BSP from now on, as the paper does, and not by the tree of boxes. Answers are the same bits.
    #[must_use]
    pub fn with_axial_bsp(mut self) -> Self {
        let boxes: Vec<Aabb> = self
            .faces
            .iter()
            .map(|face| Aabb::from_points(self.loop_of(face).iter().map(|c| narrow(self.points[c.point as usize]))))
            .collect();
        self.axial = Some(AxialBsp::from_boxes(&boxes));
        self
    }

    /// The axial BSP, if it was told to have one.
    pub fn axial_bsp(&self) -> Option<&AxialBsp> {
        self.axial.as_ref()
    }

    /// The polygons whose boxes meet a box, each once.
    pub(super) fn in_box(&self, bounds: &NodeBox, visit: impl FnMut(u32)) {
        match &self.axial {
            None => self.tree.overlapping(bounds, visit),
            Some(axial) => axial.overlapping(bounds, visit),
        }
    }

    /// The polygons whose boxes a moving box meets, roughly in that order, up to a limit that `visit` lowers.
    pub(super) fn on_way(&self, sweep: &SweptBox, limit: f64, visit: impl FnMut(u32) -> f64) {
        match &self.axial {
            None => self.tree.swept(sweep, limit, visit),
            Some(axial) => axial.swept(sweep, limit, visit),
        }
    }
}
