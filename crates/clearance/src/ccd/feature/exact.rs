//! The decision in exact arithmetic: it always decides, and never rounds.
//!
//! With f(t) = det(e₁, e₂, w) not identically zero, contact is possible only at the at most three roots of that cubic. At a root, with
//! n = e₁ × e₂ not zero, the sides of the region are signs of quadratics in the projection along an axis where n is not zero. Where
//! n = 0 the region is a segment or a point, covered by its sides, and w is in it if it is on one of them: a cross product
//! vanishes and a dot product is not positive.
//!
//! If the cubic vanishes identically, everything stays in one moving plane. Contact then begins at t = 0 or with w on a side: inside
//! a region with an area it would have been in contact a little earlier. So the roots of the sides' cross products, or of their dot
//! products where those vanish identically too, are all the moments to look at.

use glam::DVec3;

use super::answer::Region;
use super::polynomial::Poly;
use super::root::{Moment, Roots, roots};
use crate::math::integer::{Int, odd_part};

/// A vector that moves: its values at t = 0 and t = 1.
#[derive(Debug, Clone)]
struct Line([[Int; 3]; 2]);

/// When contact begins, and whether it is certain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision {
    /// An interval around the first moment of contact, if there is one.
    pub first: Option<[f64; 2]>,
    /// Whether the cubic vanishes identically.
    pub coplanar: bool,
    /// False only if a bound on the number of steps proved wrong; then `first` is all of the time.
    pub certain: bool,
}

pub(super) struct Problem {
    sides: [Line; 2],
    point: Line,
    region: Region,
    normal: [Poly; 3],
}

/// Does w meet the region spanned by e₁ and e₂? Each of the three vectors is a difference of two given points, its end and its
/// beginning, at t = 0 and t = 1.
pub(super) fn decide(differences: [[[DVec3; 2]; 2]; 3], region: Region) -> Decision {
    let problem = Problem::new(differences, region);
    let cubic = problem.cubic();
    let coplanar = cubic.is_zero();
    let found = if coplanar { problem.first_in_plane() } else { problem.first_of(&cubic) };
    match found {
        Some(moment) => Decision { first: moment, coplanar, certain: true },
        None => Decision { first: Some([0.0, 1.0]), coplanar, certain: false },
    }
}

impl Problem {
    pub fn new(differences: [[[DVec3; 2]; 2]; 3], region: Region) -> Self {
        let lowest = unit(&differences);
        let integer = |x: f64| {
            let (magnitude, exponent) = odd_part(x);
            Int::shifted(magnitude, (exponent - lowest).max(0) as u32, x < 0.0)
        };
        let vector = |[to, from]: [DVec3; 2]| -> [Int; 3] {
            let (to, from) = (to.to_array(), from.to_array());
            std::array::from_fn(|k| &integer(to[k]) - &integer(from[k]))
        };
        let [e1, e2, point] = differences.map(|at| Line(at.map(vector)));
        let normal = std::array::from_fn(|k| e1.cross(&e2, k));
        Self { sides: [e1, e2], point, region, normal }
    }

    pub fn cubic(&self) -> Poly {
        let product = |k: usize| self.normal[k].times(&self.point.component(k));
        product(0).plus(&product(1)).plus(&product(2))
    }

    /// The first moment of contact among the roots of the cubic; the outer option is empty if the roots could not be isolated.
    fn first_of(&self, cubic: &Poly) -> Option<Option<[f64; 2]>> {
        for moment in moments(cubic, true)? {
            if self.contact(&moment) {
                return Some(Some(moment.bounds()));
            }
        }
        Some(None)
    }

    fn first_in_plane(&self) -> Option<Option<[f64; 2]>> {
        if self.contact(&Moment::start()) {
            return Some(Some([0.0, 0.0]));
        }
        let mut first: Option<[f64; 2]> = None;
        for side in self.boundary() {
            let candidates = side.cross.iter().find(|cross| !cross.is_zero()).unwrap_or(&side.dot);
            if let Some(moment) = moments(candidates, false)?.iter().find(|moment| side.holds(moment)) {
                let [lo, hi] = moment.bounds();
                first = Some(first.map_or([lo, hi], |[a, b]| [a.min(lo), b.min(hi)]));
            }
        }
        Some(first)
    }

    /// Whether the point is in the region at a moment at which it is in its plane.
    fn contact(&self, moment: &Moment) -> bool {
        for k in self.axes(moment) {
            let sign = moment.sign(&self.normal[k]);
            if sign != 0 {
                return self.conditions(k).iter().all(|condition| moment.sign(condition) * sign >= 0);
            }
        }
        self.boundary().iter().any(|side| side.holds(moment))
    }

    /// The axes by how large the normal is along them, roughly.
    fn axes(&self, moment: &Moment) -> [usize; 3] {
        let scale = self.normal.iter().map(Poly::bits).max().unwrap_or(0);
        let [lo, hi] = moment.bounds();
        let sizes = [0, 1, 2].map(|k| self.normal[k].near(0.5 * (lo + hi), scale)[0].abs());
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a: &usize, &b: &usize| sizes[b].total_cmp(&sizes[a]));
        axes
    }

    /// Quadratics that are on the side of the normal, or zero, where the point is in the region.
    pub fn conditions(&self, k: usize) -> Vec<Poly> {
        let (normal, [e1, e2]) = (&self.normal[k], &self.sides);
        let (first, second) = (self.point.cross(e2, k), e1.cross(&self.point, k));
        match self.region {
            Region::Triangle => {
                let third = normal.minus(&first).minus(&second);
                vec![first, second, third]
            }
            Region::Parallelogram => {
                let opposite = [normal.minus(&first), normal.minus(&second)];
                [first, second].into_iter().chain(opposite).collect()
            }
        }
    }

    /// The sides of the region.
    fn boundary(&self) -> Vec<Side> {
        let [e1, e2] = &self.sides;
        let w = &self.point;
        let mut sides = vec![Side::new(w, e1), Side::new(w, e2)];
        match self.region {
            Region::Triangle => sides.push(Side::new(&w.minus(e1), &e2.minus(e1))),
            Region::Parallelogram => sides.extend([Side::new(&w.minus(e1), e2), Side::new(&w.minus(e2), e1)]),
        }
        sides
    }
}

/// A point and a segment from the origin.
struct Side {
    cross: [Poly; 3],
    dot: Poly,
}

impl Side {
    fn new(point: &Line, end: &Line) -> Self {
        Self { cross: std::array::from_fn(|k| end.cross(point, k)), dot: point.dot(&point.minus(end)) }
    }

    /// Whether the point is on the segment.
    fn holds(&self, moment: &Moment) -> bool {
        moment.sign(&self.dot) <= 0 && self.cross.iter().all(|cross| moment.sign(cross) == 0)
    }
}

/// The roots of a polynomial, those at t = 1 and on request at t = 0 included.
fn moments(poly: &Poly, with_start: bool) -> Option<Vec<Moment>> {
    let vanishes = |c: Option<&Int>| c.is_some_and(Int::is_zero);
    let between: Roots = roots(poly)?;
    let start = (with_start && vanishes(poly.0.first())).then(Moment::start);
    let end = vanishes(poly.0.last()).then(Moment::end);
    Some(start.into_iter().chain(between).chain(end).collect())
}

impl Line {
    fn component(&self, k: usize) -> Poly {
        Poly(self.0.iter().map(|at| at[k].clone()).collect())
    }

    fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|t| std::array::from_fn(|k| &self.0[t][k] - &other.0[t][k])))
    }

    /// One component of the cross product.
    fn cross(&self, other: &Self, k: usize) -> Poly {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let ([a0, a1], [b0, b1]) = (&self.0, &other.0);
        let minor = |a: &[Int; 3], b: &[Int; 3]| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
        Poly(vec![minor(a0, b0), &minor(a0, b1) + &minor(a1, b0), minor(a1, b1)])
    }

    fn dot(&self, other: &Self) -> Poly {
        let ([a0, a1], [b0, b1]) = (&self.0, &other.0);
        let product = |a: &[Int; 3], b: &[Int; 3]| &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2]);
        Poly(vec![product(a0, b0), &product(a0, b1) + &product(a1, b0), product(a1, b1)])
    }
}

/// The power of two of which all coordinates are multiples.
pub(super) fn unit(differences: &[[[DVec3; 2]; 2]; 3]) -> i32 {
    let coordinates = differences.iter().flatten().flatten().flat_map(|v| v.to_array());
    coordinates.filter(|x| *x != 0.0).map(|x| odd_part(x).1).min().unwrap_or(0)
}
