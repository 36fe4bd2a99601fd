//! The exact gap along a candidate direction, and which of two gaps is larger.

use super::{MinkowskiDifference, Source};
use crate::exact::{Dyadic, Exact3, signed_root};
use glam::DVec3;
use std::cmp::Ordering;

/// An exactly known gap: `gap / √square` along `direction`.
#[derive(Default)]
pub(super) struct Best {
    pub(super) direction: Exact3,
    pub(super) gap: Dyadic,
    /// Square of the length of the direction.
    pub(super) square: Dyadic,
    /// The gap as a distance, rounded once.
    pub(super) value: f64,
}

impl Best {
    fn new(direction: Exact3, step: &Exact3) -> Self {
        let gap = direction.dot(step);
        let square = direction.length_squared();
        let value = signed_root(&gap, &square);
        Self { direction, gap, square, value }
    }

    /// Whether this gap is larger, exactly. Rounding to nearest keeps order, so the rounded values
    /// decide unless they are equal.
    pub(super) fn beats(&self, other: &Self) -> bool {
        let order = self.value.total_cmp(&other.value).then_with(|| {
            let here = &self.gap.signed_square() * &other.square;
            let there = &other.gap.signed_square() * &self.square;
            here.cmp(&there)
        });
        order == Ordering::Greater
    }
}

impl MinkowskiDifference {
    /// The exact gap along a candidate; nothing if its features are not the farthest ones along it,
    /// because then it is no face, edge or vertex of B − A, and another candidate is better.
    pub(super) fn exact_gap(&self, source: Source, unit: DVec3) -> Option<Best> {
        let (a, b) = (&self.a, &self.b);
        let (direction, from, to) = self.features(source);
        let from = match from {
            Some(vertex) => vertex,
            None => a.support(&direction, unit),
        };
        let back = -&direction;
        let to = match to {
            Some(vertex) => vertex,
            None => b.support(&back, -unit),
        };
        let is_face = matches!(source, Source::FaceA(_) | Source::FaceB(_));
        let valid = is_face || a.supports(from, &direction, unit) && b.supports(to, &back, -unit);
        valid.then(|| Best::new(direction, &(&b.exact[to] - &a.exact[from])))
    }

    /// The exact direction of a candidate, and a vertex of A and of B on its features where known.
    pub(super) fn features(&self, source: Source) -> (Exact3, Option<usize>, Option<usize>) {
        let (a, b) = (&self.a, &self.b);
        match source {
            Source::FaceA(face) => (a.exact_normals[face].clone(), Some(a.on_face[face]), None),
            Source::FaceB(face) => (-&b.exact_normals[face], None, Some(b.on_face[face])),
            Source::Edges(i, j, positive) => {
                let (edge_a, edge_b) = (&a.edges[i], &b.edges[j]);
                let (first, second) = if positive { (edge_a, edge_b) } else { (edge_b, edge_a) };
                let normal = first.along.cross(&second.along);
                (normal, Some(edge_a.start), Some(edge_b.start))
            }
            Source::EdgeVertex(i, to) => {
                let from = a.edges[i].start;
                let way = &b.exact[to] - &a.exact[from];
                (a.exactly_away_from_edge(i, &way), Some(from), Some(to))
            }
            Source::VertexEdge(from, j) => {
                let to = b.edges[j].start;
                let way = &b.exact[to] - &a.exact[from];
                (b.exactly_away_from_edge(j, &way), Some(from), Some(to))
            }
            Source::Vertices(from, to) => (&b.exact[to] - &a.exact[from], Some(from), Some(to)),
        }
    }
}
