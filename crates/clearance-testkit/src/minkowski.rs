//! Signed distance of two convex solids by trying every candidate direction, decided exactly.
//!
//! For a direction `d` let the gap be `(min over B of d·b) − (max over A of d·a)`, divided by `|d|`.
//! No gap exceeds the signed distance, and the largest gap equals it: apart, along the shortest
//! connection; overlapping, along the shortest way out. The largest gap is always found along one
//! of finitely many directions, namely those normal to a face of `B − A` (face normals of A and of
//! B, cross products of their edges) and, only for solids that are apart, those from a vertex to an
//! edge or from a vertex to a vertex. So the answer is a maximum over a list, whatever the sign.
//!
//! Each candidate is first rated in `f64`, and all within `SLACK` of the best are rated again
//! exactly. Coordinates are taken relative to a vertex of A and divided by a power of two that
//! makes them less than one, both exactly, so the bounds are absolute numbers and neither the
//! size of the pair nor its place in the world matters.

mod body;
mod exact_gap;
mod line;

use crate::exact::{Dyadic, Exact3, posed, signed_root};
use crate::solid::{Containment, Solid};
use body::Body;
use exact_gap::Best;
use glam::{DMat3, DVec3};
pub use line::{LineEnd, LineRange};
use std::cmp::Ordering;

/// Rated gaps are off by less than 5e-12 (see [`body::SINE`]); twice that must fit in here. So the
/// true best is always on the list that is rated exactly, and a list rated below minus this proves
/// an overlap.
const SLACK: f64 = 1e-10;

/// A solid in the world, its vertices exact. The faces must be those of a valid [`Solid`].
#[derive(Clone, Debug)]
pub struct PosedSolid {
    /// Exact corner points.
    pub vertices: Vec<Exact3>,
    /// Polygons, counter-clockwise seen from outside.
    pub faces: Vec<Vec<usize>>,
}

impl PosedSolid {
    /// The image of a solid under `matrix · p + translation`, for the numbers as stored.
    pub fn new(solid: &Solid, matrix: DMat3, translation: DVec3) -> Self {
        let image = |&p: &DVec3| posed(p, matrix, translation);
        Self { vertices: solid.vertices.iter().map(image).collect(), faces: solid.faces.clone() }
    }

    /// Where an exact point lies, exactly.
    pub fn contains(&self, point: &Exact3) -> Containment {
        let heights = self.heights(point);
        match heights.map(|(height, _)| height.sign()).max() {
            Some(-1) => Containment::Inside,
            Some(0) => Containment::Boundary,
            _ => Containment::Outside,
        }
    }

    /// By how much a point is outside of the face plane that it is farthest outside of; negative
    /// for a point inside, where it is minus the distance to the boundary. Correct to one rounding.
    pub fn outside_by(&self, point: DVec3) -> f64 {
        let point = Exact3::from(point);
        self.heights(&point).map(|(height, square)| signed_root(&height, &square)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// For each face the height over it, times the length of its normal, and the square of that length.
    fn heights(&self, point: &Exact3) -> impl Iterator<Item = (Dyadic, Dyadic)> {
        self.faces.iter().map(move |face| {
            let [a, b, c] = [face[0], face[1], face[2]].map(|i| &self.vertices[i]);
            let normal = (b - a).cross(&(c - a));
            (normal.dot(&(point - a)), normal.length_squared())
        })
    }
}

impl From<&Solid> for PosedSolid {
    fn from(solid: &Solid) -> Self {
        Self { vertices: solid.vertices.iter().map(|&p| p.into()).collect(), faces: solid.faces.clone() }
    }
}

/// How two closed solids lie, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// No common point.
    Apart,
    /// Common points, but none inside both.
    Touching,
    /// Common inner points.
    Overlapping,
}

/// The signed distance of two solids.
#[derive(Clone, Debug)]
pub struct SignedDistance {
    /// The distance, or minus the penetration depth, rounded once from the exact value.
    pub distance: f64,
    /// Unit vector from A to B: the shortest connection, or the shortest way for B out of A.
    pub normal: DVec3,
    /// Which of the three it is, exactly.
    pub kind: Separation,
    /// The exact distance times its absolute value is this numerator over this denominator.
    square: [Dyadic; 2],
}

impl SignedDistance {
    /// The true signed distance compared with a number, exactly: `Less` if the truth is less.
    pub fn compare(&self, value: f64) -> Ordering {
        let [numerator, denominator] = &self.square;
        let other = &Dyadic::from(value).signed_square() * denominator;
        numerator.cmp(&other)
    }
}

/// Which direction a candidate is, by the features of A and of B that define it.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Outward normal of a face of A.
    FaceA(usize),
    /// Inward normal of a face of B.
    FaceB(usize),
    /// Cross product of an edge of A and one of B, with a sign.
    Edges(usize, usize, bool),
    /// From the line of an edge of A to a vertex of B.
    EdgeVertex(usize, usize),
    /// From a vertex of A to the line of an edge of B.
    VertexEdge(usize, usize),
    /// From a vertex of A to a vertex of B.
    Vertices(usize, usize),
}

/// The difference B − A of two solids, for its signed distance from the origin.
#[derive(Clone, Debug)]
pub struct MinkowskiDifference {
    a: Body,
    b: Body,
    /// Coordinates were divided by two to this power.
    power: i64,
}

/// Candidates rated in `f64`, those far below the best left out.
#[derive(Default)]
struct Shortlist {
    rated: Vec<(f64, DVec3, Source)>,
    best: Option<f64>,
}

impl Shortlist {
    fn add(&mut self, gap: f64, direction: DVec3, source: Source) {
        let best = self.best.map_or(gap, |best| best.max(gap));
        self.best = Some(best);
        if gap >= best - SLACK {
            self.rated.push((gap, direction, source));
        }
    }

    fn finalists(self) -> impl Iterator<Item = (DVec3, Source)> {
        let least = self.best.unwrap_or(0.0) - SLACK;
        let near = self.rated.into_iter().filter(move |r| r.0 >= least);
        near.map(|(_, direction, source)| (direction, source))
    }
}

impl MinkowskiDifference {
    /// The difference of two valid solids; each must have faces.
    pub fn new(a: &PosedSolid, b: &PosedSolid) -> Self {
        assert!(!a.faces.is_empty() && !b.faces.is_empty(), "a solid needs faces");
        let origin = &a.vertices[0];
        let both = || a.vertices.iter().chain(&b.vertices);
        let power = both().filter_map(|v| (v - origin).top()).max().unwrap_or(0);
        Self { a: Body::new(a, origin, power), b: Body::new(b, origin, power), power }
    }

    /// The signed distance; the sign exact, the size rounded once.
    pub fn signed_distance(&self) -> SignedDistance {
        let mut list = self.face_candidates();
        // Only if some direction may separate can the answer be a direction to an edge or a vertex.
        if list.best > Some(-SLACK) {
            self.add_apart_candidates(&mut list);
        }
        let best = list
            .finalists()
            .filter_map(|(direction, source)| self.exact_gap(source, direction))
            .reduce(|old, new| if new.beats(&old) { new } else { old });
        assert!(best.is_some(), "no candidate holds: not valid solids");
        self.report(best.unwrap_or_default())
    }

    /// The gap along a direction other than zero, rounded once: a lower bound of the signed distance
    /// for every direction.
    pub fn gap(&self, direction: DVec3) -> f64 {
        let exact = Exact3::from(direction);
        let Some(unit) = exact.unit() else {
            return f64::NAN;
        };
        let a = self.a.support(&exact, unit);
        let b = self.b.support(&-&exact, -unit);
        let gap = exact.dot(&(&self.b.exact[b] - &self.a.exact[a]));
        signed_root(&gap.scaled(self.power), &exact.length_squared())
    }

    fn report(&self, best: Best) -> SignedDistance {
        let kind = match best.gap.sign() {
            1 => Separation::Apart,
            0 => Separation::Touching,
            _ => Separation::Overlapping,
        };
        let gap = best.gap.scaled(self.power);
        SignedDistance {
            distance: signed_root(&gap, &best.square),
            normal: best.direction.unit().unwrap_or(DVec3::NAN),
            kind,
            square: [gap.signed_square(), best.square],
        }
    }

    /// Gap along a unit direction, and along its opposite, in `f64`.
    fn rate(&self, direction: DVec3) -> [f64; 2] {
        let (min_a, max_a) = self.a.extent(direction);
        let (min_b, max_b) = self.b.extent(direction);
        [min_b - max_a, min_a - max_b]
    }

    /// Normals of the faces of B − A.
    fn face_candidates(&self) -> Shortlist {
        let mut list = Shortlist::default();
        for (face, &normal) in self.a.normals.iter().enumerate() {
            list.add(self.rate(normal)[0], normal, Source::FaceA(face));
        }
        for (face, &normal) in self.b.normals.iter().enumerate() {
            list.add(self.rate(normal)[1], -normal, Source::FaceB(face));
        }
        for i in 0..self.a.edges.len() {
            for j in 0..self.b.edges.len() {
                if let Some(normal) = self.edge_normal(i, j) {
                    let [along, against] = self.rate(normal);
                    list.add(along, normal, Source::Edges(i, j, true));
                    list.add(against, -normal, Source::Edges(i, j, false));
                }
            }
        }
        list
    }

    /// Directions toward the edges and vertices of B − A.
    fn add_apart_candidates(&self, list: &mut Shortlist) {
        let (a, b) = (&self.a, &self.b);
        for (i, from) in a.exact.iter().enumerate() {
            for (j, to) in b.exact.iter().enumerate() {
                let way = to - from;
                let Some(unit) = way.unit() else {
                    continue;
                };
                list.add(self.rate(unit)[0], unit, Source::Vertices(i, j));
                for &edge in &a.starting[i] {
                    if let Some(d) = a.away_from_edge(edge, &way, unit) {
                        list.add(self.rate(d)[0], d, Source::EdgeVertex(edge, j));
                    }
                }
                for &edge in &b.starting[j] {
                    if let Some(d) = b.away_from_edge(edge, &way, unit) {
                        list.add(self.rate(d)[0], d, Source::VertexEdge(i, edge));
                    }
                }
            }
        }
    }

    /// Unit normal of two edges; nothing if they are parallel.
    fn edge_normal(&self, i: usize, j: usize) -> Option<DVec3> {
        let normal = self.a.edges[i].unit.cross(self.b.edges[j].unit);
        if normal.length_squared() > body::SINE * body::SINE {
            return Some(normal.normalize());
        }
        let (along_a, along_b) = (&self.a.edges[i].along, &self.b.edges[j].along);
        along_a.cross(along_b).unit()
    }
}

#[cfg(test)]
mod tests;
