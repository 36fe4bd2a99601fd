//! The part of a line through the origin that lies inside A − B, by trying every candidate plane, decided exactly.
//!
//! With `h(n)` the largest `n·m` over A − B, no point `t·d` of it has `t > h(n)/(n·d)` for any `n` with `n·d > 0`, and the least
//! of these bounds over the normals of all faces is reached. So either end is a minimum over a list. The line meets A − B
//! exactly if `h(n) ≥ 0` for every `n` across it, and for that the normals of the sides of the shadow are enough: the cross
//! products of the direction with the edges of A and of B.

use super::{MinkowskiDifference, SLACK, Source};
use crate::exact::{Dyadic, Exact3, ratio, signed_root};
use glam::DVec3;
use std::cmp::Ordering;

/// Error of a rated `n·d` for unit vectors (see `body::SINE`), and of a rated `h(n)`, with room to spare.
const ERROR: f64 = SLACK / 8.0;

/// One end: a fraction, exactly.
#[derive(Clone, Debug)]
pub struct LineEnd {
    numerator: Dyadic,
    /// Positive.
    denominator: Dyadic,
    /// The end, rounded once.
    pub value: f64,
    /// A unit normal of a plane that the end is on, out of A − B.
    pub normal: DVec3,
}

impl LineEnd {
    /// The true end compared with a number, exactly: `Less` if the truth is less.
    pub fn compare(&self, value: f64) -> Ordering {
        self.numerator.cmp(&(&Dyadic::from(value) * &self.denominator))
    }

    fn order(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    fn negated(self) -> Self {
        Self { numerator: -self.numerator, value: -self.value, ..self }
    }
}

/// The positions of B along a direction, in units of its length, at which it meets A.
#[derive(Clone, Debug)]
pub struct LineRange {
    /// The first and the last, if there are any.
    pub ends: Option<[LineEnd; 2]>,
    /// How far inside the shadow of A − B the line is; negative if it misses, and then no farther away than it truly is.
    pub depth: f64,
}

impl MinkowskiDifference {
    /// The range of positions along a direction other than zero.
    pub fn line_range(&self, direction: DVec3) -> LineRange {
        let exact = Exact3::from(direction);
        let depth = self.shadow_depth(&exact);
        let ends = (depth >= 0.0).then(|| {
            let first = self.last_position(&-&exact).map(LineEnd::negated);
            first.zip(self.last_position(&exact)).map(|(first, last)| [first, last])
        });
        LineRange { ends: ends.flatten(), depth }
    }

    /// The least `h(n)/|n|` over the normals of the shadow's sides; its sign exact, its size rounded once.
    fn shadow_depth(&self, direction: &Exact3) -> f64 {
        let edges = self.a.edges.iter().chain(&self.b.edges);
        let normals: Vec<Exact3> = edges
            .map(|edge| direction.cross(&edge.along))
            .filter(|normal| !normal.is_zero())
            .flat_map(|normal| [-&normal, normal])
            .collect();
        let rated: Vec<(f64, usize)> =
            normals.iter().enumerate().filter_map(|(i, normal)| Some((-self.rate(normal.unit()?)[0], i))).collect();
        let least = rated.iter().map(|r| r.0).fold(f64::INFINITY, f64::min);
        let near = rated.iter().filter(|r| r.0 <= least + SLACK);
        near.map(|&(_, i)| signed_root(&self.height(&normals[i]).scaled(self.power), &normals[i].length_squared()))
            .fold(f64::INFINITY, f64::min)
    }

    /// `h(n)`, exactly.
    fn height(&self, normal: &Exact3) -> Dyadic {
        let Some(unit) = normal.unit() else {
            return Dyadic::default();
        };
        let (a, b) = (self.a.support(normal, unit), self.b.support(&-normal, -unit));
        normal.dot(&(&self.a.exact[a] - &self.b.exact[b]))
    }

    /// The least `h(n)/(n·d)` over the normals of faces with `n·d > 0`.
    fn last_position(&self, direction: &Exact3) -> Option<LineEnd> {
        let along = direction.unit()?;
        let mut candidates = Vec::new();
        let mut least = f64::INFINITY;
        let mut add = |normal: DVec3, source| {
            let (height, cosine) = (-self.rate(normal)[0], normal.dot(along));
            if cosine < -ERROR {
                return;
            }
            let bound = |height: f64| {
                let [steep, flat] = [cosine - ERROR, cosine + ERROR].map(|cosine| height / cosine);
                if cosine > ERROR { [steep.min(flat), steep.max(flat)] } else { [f64::NEG_INFINITY, f64::INFINITY] }
            };
            least = least.min(bound(height + ERROR)[1]);
            candidates.push((bound(height - ERROR)[0], source));
        };
        for (face, &normal) in self.a.normals.iter().enumerate() {
            add(normal, Source::FaceA(face));
        }
        for (face, &normal) in self.b.normals.iter().enumerate() {
            add(-normal, Source::FaceB(face));
        }
        for i in 0..self.a.edges.len() {
            for j in 0..self.b.edges.len() {
                if let Some(normal) = self.edge_normal(i, j) {
                    add(normal, Source::Edges(i, j, true));
                    add(-normal, Source::Edges(i, j, false));
                }
            }
        }
        let finalists = candidates.into_iter().filter(|candidate| candidate.0 <= least);
        finalists
            .filter_map(|(_, source)| self.position(source, direction))
            .reduce(|best, next| if next.order(&best) == Ordering::Less { next } else { best })
    }

    /// Where the supporting plane of a candidate lets the line end, exactly; nothing if it does not.
    fn position(&self, source: Source, direction: &Exact3) -> Option<LineEnd> {
        let normal = self.features(source).0;
        let cosine = normal.dot(direction);
        (cosine.sign() > 0).then(|| {
            let numerator = self.height(&normal).scaled(self.power);
            let value = ratio(&numerator, &cosine);
            LineEnd { numerator, denominator: cosine, value, normal: normal.unit().unwrap_or(DVec3::NAN) }
        })
    }
}
