//! The exact truth about moving features, slowly.
//!
//! Contact at a moment is written with scalar products of the four points as they are given; it can begin only where a polynomial of that
//! formula vanishes, or at t = 0. Every such moment is tried as a real algebraic number.

use glam::DVec3;

use super::FeatureKind;
use super::polynomial::{Algebraic, Poly};
use crate::Dyadic;

/// The first moment of contact is above `after` and at most `by`; they are `2^-60` apart or less.
#[derive(Clone, Debug)]
pub struct FirstContact {
    /// Below the first moment.
    pub after: Dyadic,
    /// The first moment, or above it.
    pub by: Dyadic,
}

#[derive(Clone)]
struct Vector([Poly; 3]);

impl Vector {
    fn minus(&self, other: &Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k].minus(&other.0[k])))
    }

    fn dot(&self, other: &Self) -> Poly {
        let product = |k: usize| self.0[k].times(&other.0[k]);
        product(0).plus(&product(1)).plus(&product(2))
    }

    fn cross(&self, other: &Self) -> Self {
        let minor = |i: usize, j: usize| self.0[i].times(&other.0[j]).minus(&self.0[j].times(&other.0[i]));
        Self([minor(1, 2), minor(2, 0), minor(0, 1)])
    }
}

/// A point on a segment: the square of a cross product is zero and a scalar product is not positive.
struct OnSegment {
    off: Poly,
    beyond: Poly,
}

impl OnSegment {
    fn new(p: &Vector, a: &Vector, b: &Vector) -> Self {
        let (to_a, to_b) = (p.minus(a), p.minus(b));
        let cross = to_a.cross(&to_b);
        Self { off: cross.dot(&cross), beyond: to_a.dot(&to_b) }
    }

    fn holds(&self, moment: &mut Algebraic) -> bool {
        moment.sign(&self.beyond) <= 0 && moment.sign(&self.off) == 0
    }
}

/// All that decides contact.
struct Formula {
    /// Zero where the four points are in one plane.
    volume: Poly,
    /// Zero where the normal is.
    area: Poly,
    /// Pairs that must not be on the same side, strictly; of a triangle, pairs of a constant and minus a side.
    opposite: Vec<[Poly; 2]>,
    segments: Vec<OnSegment>,
}

impl Formula {
    fn vertex_face([p, a, b, c]: &[Vector; 4]) -> Self {
        let normal = b.minus(a).cross(&c.minus(a));
        let side = |from: &Vector, to: &Vector| normal.dot(&to.minus(from).cross(&p.minus(from)));
        let minus_one = Poly::new(vec![Dyadic::from(-1.0)]);
        Self {
            volume: normal.dot(&p.minus(a)),
            area: normal.dot(&normal),
            opposite: [(a, b), (b, c), (c, a)].map(|(from, to)| [minus_one.clone(), side(from, to)]).into(),
            segments: [(a, b), (b, c), (c, a)].map(|(from, to)| OnSegment::new(p, from, to)).into(),
        }
    }

    fn edge_edge([a, b, c, d]: &[Vector; 4]) -> Self {
        let normal = b.minus(a).cross(&d.minus(c));
        let side = |from: &Vector, to: &Vector, of: &Vector| normal.dot(&to.minus(from).cross(&of.minus(from)));
        Self {
            volume: normal.dot(&c.minus(a)),
            area: normal.dot(&normal),
            opposite: vec![[side(a, b, c), side(a, b, d)], [side(c, d, a), side(c, d, b)]],
            segments: [(a, c, d), (b, c, d), (c, a, b), (d, a, b)].map(|(p, q, r)| OnSegment::new(p, q, r)).into(),
        }
    }

    fn holds(&self, moment: &mut Algebraic) -> bool {
        if moment.sign(&self.volume) != 0 {
            return false;
        }
        if moment.sign(&self.area) == 0 {
            return self.segments.iter().any(|segment| segment.holds(moment));
        }
        self.opposite.iter().all(|[one, other]| moment.sign(one) * moment.sign(other) <= 0)
    }

    /// The moments at which contact may begin.
    fn candidates(&self) -> Vec<Algebraic> {
        if !self.volume.is_zero() {
            return Algebraic::roots(&self.volume);
        }
        let zero = Poly::new(vec![0.0.into(), 1.0.into()]);
        let sides = self.opposite.iter().flatten();
        let on = self.segments.iter().flat_map(|segment| [&segment.off, &segment.beyond]);
        let all = [&zero, &self.area].into_iter().chain(sides).chain(on);
        all.filter(|poly| !poly.is_zero()).flat_map(Algebraic::roots).collect()
    }
}

/// When the features first touch, if they do: four points each at t = 0 and t = 1, in the order of `clearance query`.
pub fn first_contact(kind: FeatureKind, t0: [DVec3; 4], t1: [DVec3; 4]) -> Option<FirstContact> {
    let points = [0, 1, 2, 3].map(|i| {
        let (from, to) = (t0[i].to_array(), t1[i].to_array());
        Vector([0, 1, 2].map(|k| Poly::between(from[k], to[k])))
    });
    let formula = match kind {
        FeatureKind::VertexFace => Formula::vertex_face(&points),
        FeatureKind::EdgeEdge => Formula::edge_edge(&points),
    };
    let mut candidates = formula.candidates();
    for candidate in &mut candidates {
        candidate.narrow(60);
    }
    // If two begin at the same bound, either encloses the earlier one or differs from it by less than the width.
    candidates.sort_by(|a, b| a.high.cmp(&b.high));
    candidates.iter_mut().find_map(|moment| {
        let interval = FirstContact { after: moment.low.clone(), by: moment.high.clone() };
        formula.holds(moment).then_some(interval)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn falls(from: f64, to: f64, [x, y]: [f64; 2]) -> Option<f64> {
        let at = |z: f64| [DVec3::new(x, y, z), DVec3::ZERO, DVec3::X, DVec3::Y];
        first_contact(FeatureKind::VertexFace, at(from), at(to)).map(|first| first.by.to_f64())
    }

    #[test]
    fn a_vertex_falls_on_a_triangle() {
        assert_eq!(falls(1.0, -1.0, [0.25, 0.25]), Some(0.5));
        assert_eq!(falls(1.0, 0.0, [0.5, 0.5]), Some(1.0));
        assert_eq!(falls(0.0, 1.0, [0.0, 1.0]), Some(0.0));
        assert_eq!(falls(1.0, 5e-324, [0.25, 0.25]), None);
        assert_eq!(falls(1.0, -1.0, [0.5, 0.5000000001]), None);
        assert_eq!(falls(0.0, 0.0, [0.25, 0.25]), Some(0.0));
        assert_eq!(falls(0.0, 0.0, [0.25, -0.25]), None);
    }

    #[test]
    fn an_edge_slides_along_its_line_into_another() {
        let at = |x: f64| [DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 0.0, 0.0), DVec3::X * 3.0, DVec3::X * 4.0];
        let first = first_contact(FeatureKind::EdgeEdge, at(0.0), at(8.0));
        assert_eq!(first.map(|first| first.by.to_f64()), Some(0.25));
        assert!(first_contact(FeatureKind::EdgeEdge, at(0.0), at(1.5)).is_none());
    }
}
