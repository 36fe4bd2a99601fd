//! One solid prepared for the search: exact, rounded, and with its edges and neighbourhoods.

use super::PosedSolid;
use crate::exact::Exact3;
use crate::solid::undirected_edges;
use glam::DVec3;

/// Where the sine of an angle is below this, a direction is computed exactly and then rounded.
///
/// Above it, unit vectors off by 4 unit roundoffs give a product off by less than 12, and a
/// normalized product off by less than 12 / `SINE` of them, 1.4e-12. All coordinates are below one,
/// so a gap rated along such a direction is off by less than 2 √3 times that, plus a few roundoffs:
/// 5e-12.
pub(super) const SINE: f64 = 1e-3;

/// Dot products with a rated direction closer than this to each other are compared exactly.
const UNSURE: f64 = 1e-11;

/// A solid with coordinates below one in size.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) exact: Vec<Exact3>,
    rounded: Vec<DVec3>,
    pub(super) edges: Vec<Edge>,
    /// Rounded unit normals, outward.
    pub(super) normals: Vec<DVec3>,
    /// Exact normals, outward, of any length.
    pub(super) exact_normals: Vec<Exact3>,
    /// One vertex of each face.
    pub(super) on_face: Vec<usize>,
    /// For each vertex, the edges that start at it.
    pub(super) starting: Vec<Vec<usize>>,
    neighbours: Vec<Vec<usize>>,
}

/// An edge, exact and rounded.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) start: usize,
    pub(super) along: Exact3,
    pub(super) unit: DVec3,
}

impl Body {
    pub(super) fn new(solid: &PosedSolid, origin: &Exact3, power: i64) -> Self {
        let local = |v: &Exact3| (v - origin).scaled(-power);
        let exact: Vec<Exact3> = solid.vertices.iter().map(local).collect();
        let normal = |face: &Vec<usize>| {
            let [a, b, c] = [face[0], face[1], face[2]].map(|i| &exact[i]);
            (b - a).cross(&(c - a))
        };
        let exact_normals: Vec<Exact3> = solid.faces.iter().map(normal).collect();
        let mut starting = vec![Vec::new(); exact.len()];
        let mut neighbours = vec![Vec::new(); exact.len()];
        let mut edges = Vec::new();
        for [start, end] in undirected_edges(&solid.faces) {
            starting[start].push(edges.len());
            neighbours[start].push(end);
            neighbours[end].push(start);
            let along = &exact[end] - &exact[start];
            let unit = unit_or_nan(&along);
            edges.push(Edge { start, along, unit });
        }
        Self {
            rounded: exact.iter().map(Exact3::to_dvec3).collect(),
            edges,
            normals: exact_normals.iter().map(unit_or_nan).collect(),
            exact_normals,
            on_face: solid.faces.iter().map(|face| face[0]).collect(),
            starting,
            neighbours,
            exact,
        }
    }

    /// Smallest and largest dot product with a direction, in `f64`.
    pub(super) fn extent(&self, direction: DVec3) -> (f64, f64) {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        self.rounded.iter().fold(start, |(lo, hi), v| {
            let height = v.dot(direction);
            (lo.min(height), hi.max(height))
        })
    }

    /// The first vertex farthest along a direction, exactly; `unit` is its rounded unit vector.
    pub(super) fn support(&self, direction: &Exact3, unit: DVec3) -> usize {
        let top = self.extent(unit).1;
        let close = |i: &usize| self.rounded[*i].dot(unit) >= top - UNSURE;
        let heights = (0..self.exact.len()).filter(close).map(|i| (self.exact[i].dot(direction), i));
        let higher = |best: (_, usize), next: (_, usize)| {
            if next.0 > best.0 { next } else { best }
        };
        heights.reduce(higher).map_or(0, |(_, index)| index)
    }

    /// Whether no vertex is farther along a direction than this one, exactly. On a convex solid it
    /// is enough to look at the neighbours.
    pub(super) fn supports(&self, vertex: usize, direction: &Exact3, unit: DVec3) -> bool {
        self.neighbours[vertex].iter().all(|&other| {
            let climb = (self.rounded[other] - self.rounded[vertex]).dot(unit);
            if climb.abs() > UNSURE {
                return climb < 0.0;
            }
            let step = &self.exact[other] - &self.exact[vertex];
            step.dot(direction).sign() <= 0
        })
    }

    /// The part of a way (given exactly and as a unit vector) perpendicular to an edge, as a unit
    /// vector; nothing if there is none.
    pub(super) fn away_from_edge(&self, edge: usize, way: &Exact3, unit: DVec3) -> Option<DVec3> {
        let along = self.edges[edge].unit;
        let rest = unit - along * along.dot(unit);
        if rest.length_squared() > SINE * SINE {
            return Some(rest.normalize());
        }
        self.exactly_away_from_edge(edge, way).unit()
    }

    /// The same exactly, times the square of the length of the edge.
    pub(super) fn exactly_away_from_edge(&self, edge: usize, way: &Exact3) -> Exact3 {
        let along = &self.edges[edge].along;
        &way.times(&along.length_squared()) - &along.times(&along.dot(way))
    }
}

/// A zero vector, which a valid solid does not have here, becomes a direction that never wins.
fn unit_or_nan(vector: &Exact3) -> DVec3 {
    vector.unit().unwrap_or(DVec3::NAN)
}
