//! The exact distance of two convex hulls of points, and whether their interiors meet.
//!
//! The distance is the algorithm of Gilbert, Johnson and Keerthi in integers: the point of a simplex of M = B − A nearest to the origin is
//! found by looking at all of its faces, and the vertex of M farthest below the plane through that point is added. Without rounding
//! each step comes strictly nearer, and there are finitely many simplices: it ends, with the exact squared distance as a fraction.
//!
//! Where the origin is in M and c is a point inside M, the origin is inside M if and only if −c is in the cone that M spans: then the
//! segment from c goes on beyond the origin without leaving M. The point of the cone nearest to −c is found in the same manner, by
//! cones of up to three edges (the non-negative least squares of Lawson and Hanson).

use std::cmp::Ordering;

use glam::DVec3;
use smallvec::SmallVec;

use super::vector::{Int3, compare_ratios, turn};
use crate::math::integer::Int;
use crate::tolerance::EXACT_ROUGHNESS;

/// The hull of some points, with the points also in doubles of at most one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cloud<'p> {
    pub points: &'p [Int3],
    pub rough: &'p [DVec3],
}

impl<'p> Cloud<'p> {
    /// A point farthest along a direction.
    fn farthest(&self, direction: &Int3, rough: DVec3) -> Option<&'p Int3> {
        let along = self.rough.iter().map(|p| p.dot(rough));
        let best = along.clone().fold(f64::NEG_INFINITY, f64::max);
        let near = self.points.iter().zip(along).filter(|(_, value)| *value >= best - EXACT_ROUGHNESS);
        let mut near = near.map(|(point, _)| point);
        let first = near.next()?;
        let mut found: Option<(&Int3, Int)> = None;
        for point in near {
            let (old, value) = found.take().unwrap_or_else(|| (first, direction.dot(first)));
            let other = direction.dot(point);
            found = Some(if (&other - &value).sign() > 0 { (point, other) } else { (old, value) });
        }
        Some(found.map_or(first, |(point, _)| point))
    }

    /// Up to four points that span what all of them span: one more than the dimension.
    pub fn span(&self) -> SmallVec<[&'p Int3; 4]> {
        let mut found: SmallVec<[&Int3; 4]> = self.points.iter().take(1).collect();
        let Some(&first) = found.first() else { return found };
        found.extend(self.points.iter().find(|p| *p != first));
        let Some(along) = found.get(1).map(|p| p.minus(first)) else { return found };
        let across = |p: &Int3| along.cross(&p.minus(first));
        found.extend(self.points.iter().find(|p| !across(p).is_zero()));
        let Some(normal) = found.get(2).map(|p| across(p)) else { return found };
        found.extend(self.points.iter().find(|p| !normal.dot(&p.minus(first)).is_zero()));
        found
    }
}

/// A point b − a of the difference of two hulls that is least along a direction.
fn lowest(a: Cloud<'_>, b: Cloud<'_>, direction: &Int3) -> Option<Int3> {
    let rough = direction.rough(direction.bits());
    let below = direction.negative();
    Some(b.farthest(&below, -rough)?.minus(a.farthest(direction, rough)?))
}

/// The point of a face of a simplex nearest to the origin, if it is inside that face.
struct Foot {
    /// A positive multiple of the point; zero if it is the origin.
    direction: Int3,
    /// Its squared distance from the origin, numerator and positive denominator.
    square: [Int; 2],
    /// The corners of the face.
    face: SmallVec<[Int3; 4]>,
}

impl Foot {
    fn of_vertex(q: &Int3) -> Self {
        Self { direction: q.clone(), square: [q.square(), Int::from(1)], face: std::iter::once(q.clone()).collect() }
    }

    fn of_edge(q: &Int3, p: &Int3) -> Option<Self> {
        let e = p.minus(q);
        let (whole, along) = (e.square(), -&q.dot(&e));
        if along.sign() <= 0 || (&whole - &along).sign() <= 0 {
            return None;
        }
        let square = [q.cross(&e).square(), whole.clone()];
        let direction = q.times(&whole).plus(&e.times(&along));
        Some(Self { direction, square, face: [q, p].into_iter().cloned().collect() })
    }

    fn of_triangle(q: &Int3, p: &Int3, r: &Int3) -> Option<Self> {
        let (e, f) = (p.minus(q), r.minus(q));
        let n = e.cross(&f);
        let [to_p, to_r] = weights(&e, &f, &q.negative());
        let whole = n.square();
        if to_p.sign() <= 0 || to_r.sign() <= 0 || (&(&whole - &to_p) - &to_r).sign() <= 0 {
            return None;
        }
        let height = n.dot(q);
        let direction = towards(&n, height.sign());
        Some(Self { direction, square: [&height * &height, whole], face: [q, p, r].into_iter().cloned().collect() })
    }

    /// The origin, if it is inside of a tetrahedron.
    fn of_tetrahedron(corners: [&Int3; 4]) -> Option<Self> {
        let [a, b, c, d] = corners;
        // Each corner replaced by the origin: the same side of all four faces.
        let turns = [-turn(b, c, d), turn(a, c, d), -turn(a, b, d), turn(a, b, c)];
        if turns[0] == 0 || turns.iter().any(|&t| t != turns[0]) {
            return None;
        }
        let face = corners.into_iter().cloned().collect();
        Some(Self { direction: Int3::default(), square: [Int::default(), Int::from(1)], face })
    }

    fn nearer(self, other: Self) -> Self {
        let [a, b] = [&self, &other].map(|foot| [&foot.square[0], &foot.square[1]]);
        if compare_ratios(b, a) == Ordering::Less { other } else { self }
    }
}

/// The vector, its opposite or zero.
fn towards(n: &Int3, sign: i32) -> Int3 {
    match sign {
        0 => Int3::default(),
        1 => n.clone(),
        _ => n.negative(),
    }
}

/// The weights of e and f in the point of their plane nearest to p, times `|e × f|²`.
fn weights(e: &Int3, f: &Int3, p: &Int3) -> [Int; 2] {
    let (ee, ef, ff) = (e.square(), e.dot(f), f.square());
    let (pe, pf) = (p.dot(e), p.dot(f));
    [&(&pe * &ff) - &(&pf * &ef), &(&pf * &ee) - &(&pe * &ef)]
}

/// The squared distance of two hulls, numerator and positive denominator; both must have a point. `start` is a direction from A to B.
pub(super) fn square_distance(a: Cloud<'_>, b: Cloud<'_>, start: &Int3) -> [Int; 2] {
    let nothing = [Int::default(), Int::from(1)];
    let Some(first) = lowest(a, b, start) else { return nothing };
    let mut best = Foot::of_vertex(&first);
    while !best.direction.is_zero() {
        let Some(next) = lowest(a, b, &best.direction) else { return nothing };
        let closer = best.face.first().is_some_and(|q| best.direction.dot(&next.minus(q)).sign() < 0);
        if !closer {
            return best.square;
        }
        best = with_vertex(&next, &best.face);
    }
    nothing
}

/// The point nearest to the origin of the simplex of a new vertex and an old face; it is in a face at the new vertex.
fn with_vertex(next: &Int3, old: &[Int3]) -> Foot {
    let mut best = Foot::of_vertex(next);
    for (i, p) in old.iter().enumerate() {
        if let Some(foot) = Foot::of_edge(next, p) {
            best = best.nearer(foot);
        }
        for r in &old[i + 1..] {
            if let Some(foot) = Foot::of_triangle(next, p, r) {
                best = best.nearer(foot);
            }
        }
    }
    if let [p, r, s] = old
        && let Some(foot) = Foot::of_tetrahedron([next, p, r, s])
    {
        best = foot;
    }
    best
}

/// Whether the interiors of two hulls that have a common point meet: one of them enters the inside of the other, which has one.
pub(super) fn enters(a: Cloud<'_>, b: Cloud<'_>) -> bool {
    let (span_a, span_b) = (a.span(), b.span());
    let (Some(&of_a), Some(&of_b)) = (span_a.first(), span_b.first()) else { return false };
    let sum = |span: &[&Int3]| span.iter().fold(Int3::default(), |sum, p| sum.plus(p));
    let four = Int::from(4);
    // Minus four times a point inside B − A.
    let p = match (span_a.len(), span_b.len()) {
        (4, _) => sum(&span_a).minus(&of_b.times(&four)),
        (_, 4) => of_a.times(&four).minus(&sum(&span_b)),
        _ => return false,
    };
    in_cone(a, b, &p)
}

/// Whether a vector is in the cone that B − A spans.
fn in_cone(a: Cloud<'_>, b: Cloud<'_>, p: &Int3) -> bool {
    let mut edges: SmallVec<[Int3; 4]> = SmallVec::new();
    let mut rest = p.clone();
    while !rest.is_zero() {
        // The edge that is farthest along the rest.
        let Some(next) = lowest(a, b, &rest.negative()) else { return false };
        if rest.dot(&next).sign() <= 0 {
            return false;
        }
        let Some(foot) = cone_with_edge(p, &next, &edges) else { return false };
        (rest, edges) = (foot.direction, foot.face);
    }
    true
}

/// The rest of p that is left by the nearest point of a cone of a new edge and at most two old ones: `direction` and `square` are of
/// that rest. It is nearest in a face at the new edge.
fn cone_with_edge(p: &Int3, next: &Int3, old: &[Int3]) -> Option<Foot> {
    let mut best: Option<Foot> = None;
    let mut offer = |foot: Foot| {
        best = Some(match best.take() {
            Some(best) => best.nearer(foot),
            None => foot,
        });
    };
    let (whole, along) = (next.square(), p.dot(next));
    if along.sign() > 0 {
        let direction = p.times(&whole).minus(&next.times(&along));
        let face = std::iter::once(next.clone()).collect();
        offer(Foot { direction, square: [p.cross(next).square(), whole], face });
    }
    for edge in old {
        let n = next.cross(edge);
        if weights(next, edge, p).iter().all(|weight| weight.sign() > 0) {
            let height = n.dot(p);
            let direction = towards(&n, height.sign());
            let face = [next, edge].into_iter().cloned().collect();
            offer(Foot { direction, square: [&height * &height, n.square()], face });
        }
    }
    if let [e, f] = old {
        let whole = turn(next, e, f);
        let turns = [turn(p, e, f), turn(next, p, f), turn(next, e, p)];
        if whole != 0 && turns.iter().all(|&t| t == whole) {
            let face = [next, e, f].into_iter().cloned().collect();
            offer(Foot { direction: Int3::default(), square: [Int::default(), Int::from(1)], face });
        }
    }
    best
}
