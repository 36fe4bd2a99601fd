//! A triangle cut into cells by the triangles that meet it, and a point inside each cell.
//!
//! What another surface encloses changes nowhere inside of a cell, so that one point tells for all of it. All of it happens in the
//! plane of the triangle, seen along a coordinate axis, with lines and points in homogeneous coordinates; corners of cells are always
//! the common point of two lines as they were given, so that numbers do not grow from cut to cut.

use super::vector::{Int3, Rational3, compare_ratios};
use crate::math::integer::Int;

/// A point inside each cell of a triangle, a segment or a point that is cut by other triangles.
pub(super) fn samples(triangle: [&Int3; 3], cutters: &[[&Int3; 3]]) -> Vec<Rational3> {
    let [a, b, c] = triangle;
    let normal = b.minus(a).cross(&c.minus(a));
    if !normal.is_zero() {
        return Plane::new(normal, a).samples(triangle, cutters);
    }
    // The longest of the sides of what has no area.
    let longest = [[a, b], [b, c], [c, a]].into_iter().reduce(|old, new| {
        let [x, y] = [old, new].map(|[p, q]| q.minus(p).square());
        if (&y - &x).sign() > 0 { new } else { old }
    });
    match longest {
        Some([p, q]) if p != q => along_segment(p, q, cutters),
        _ => vec![Rational3::new(a.clone(), Int::from(1))],
    }
}

/// Points between the places where a segment meets the planes, or in them the sides, of triangles.
fn along_segment(p: &Int3, q: &Int3, cutters: &[[&Int3; 3]]) -> Vec<Rational3> {
    // Fractions of the segment, both ends included.
    let mut places = vec![[Int::default(), Int::from(1)], [Int::from(1), Int::from(1)]];
    let mut offer = |normal: &Int3, origin: &Int3| {
        let [at_p, at_q] = [p, q].map(|x| normal.dot(&x.minus(origin)));
        if at_p.sign() * at_q.sign() < 0 {
            places.push([at_p.abs(), &at_p.abs() + &at_q.abs()]);
        }
        at_p.is_zero() && at_q.is_zero()
    };
    for &[a, b, c] in cutters {
        let normal = b.minus(a).cross(&c.minus(a));
        if offer(&normal, a) {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                _ = offer(&normal.cross(&to.minus(from)), from);
            }
        }
    }
    places.sort_by(|x, y| compare_ratios([&x[0], &x[1]], [&y[0], &y[1]]));
    places.dedup_by(|x, y| compare_ratios([&x[0], &x[1]], [&y[0], &y[1]]).is_eq());
    let way = q.minus(p);
    let between = |pair: &[[Int; 2]]| {
        let [[a, b], [c, d]] = [&pair[0], &pair[1]];
        let under = &(b * d) * &Int::from(2);
        let share = &(a * d) + &(c * b);
        Rational3::new(p.times(&under).plus(&way.times(&share)), under)
    };
    places.windows(2).map(between).collect()
}

/// A plane seen along a coordinate axis along which it is not edge-on.
struct Plane {
    normal: Int3,
    offset: Int,
    /// The axis of the view, and the two that are seen.
    axes: [usize; 3],
}

/// A segment in the view, or a point, with a line through it. Points are homogeneous, with a positive last coordinate.
struct Cut {
    line: Int3,
    ends: [Int3; 2],
}

/// A convex polygon: corners, and the line from each to the next, positive inside.
#[derive(Clone)]
struct Cell(Vec<(Int3, Int3)>);

fn with_positive_last(p: Int3) -> Int3 {
    if p.0[2].sign() < 0 { p.negative() } else { p }
}

impl Plane {
    fn new(normal: Int3, through: &Int3) -> Self {
        let k = (0..3).max_by_key(|&k| normal.0[k].bits()).unwrap_or(2);
        Self { offset: normal.dot(through), normal, axes: [k, (k + 1) % 3, (k + 2) % 3] }
    }

    fn samples(&self, triangle: [&Int3; 3], cutters: &[[&Int3; 3]]) -> Vec<Rational3> {
        let [a, b, c] = triangle.map(|p| self.seen(p, Int::from(1)));
        let corners = if self.normal.0[self.axes[0]].sign() > 0 { [a, b, c] } else { [a, c, b] };
        let line = |i: usize| corners[i].cross(&corners[(i + 1) % 3]);
        let mut cells = vec![Cell([0, 1, 2].map(|i| (corners[i].clone(), line(i))).to_vec())];
        for cut in cutters.iter().flat_map(|&cutter| self.cuts(cutter)) {
            cells = cells.into_iter().flat_map(|cell| cell.split(&cut)).collect();
        }
        cells.iter().filter_map(|cell| cell.middle()).map(|p| self.in_space(&p)).collect()
    }

    /// A point over a divisor as it is seen.
    fn seen(&self, p: &Int3, under: Int) -> Int3 {
        let [_, i, j] = self.axes;
        with_positive_last(Int3([p.0[i].clone(), p.0[j].clone(), under]))
    }

    /// The point of the plane that is seen at a place.
    fn in_space(&self, seen: &Int3) -> Rational3 {
        let [k, i, j] = self.axes;
        let [u, v, w] = &seen.0;
        let n = &self.normal.0;
        let mut over = Int3::default();
        over.0[i] = u * &n[k];
        over.0[j] = v * &n[k];
        over.0[k] = &(&(&self.offset * w) - &(&n[i] * u)) - &(&n[j] * v);
        Rational3::new(over, w * &n[k])
    }

    /// Where a triangle meets the plane: a segment or a point; its sides, if it is in the plane.
    fn cuts(&self, triangle: [&Int3; 3]) -> Vec<Cut> {
        let [a, b, c] = triangle;
        let sides = [[a, b], [b, c], [c, a]];
        let normal = b.minus(a).cross(&c.minus(a));
        let heights = triangle.map(|p| &self.normal.dot(p) - &self.offset);
        let signs = [0, 1, 2].map(|i: usize| heights[i].sign());
        if normal.is_zero() {
            return Vec::new();
        }
        if signs == [0; 3] {
            let side = |side: [&Int3; 2]| {
                let ends = side.map(|p| self.seen(p, Int::from(1)));
                Cut { line: ends[0].cross(&ends[1]), ends }
            };
            return sides.map(side).into();
        }
        let mut ends: Vec<Int3> = Vec::new();
        for i in 0..3 {
            let j = (i + 1) % 3;
            if signs[i] == 0 {
                ends.push(self.seen(triangle[i], Int::from(1)));
            }
            if signs[i] * signs[j] < 0 {
                let over = triangle[i].times(&heights[j]).minus(&triangle[j].times(&heights[i]));
                let under = &heights[j] - &heights[i];
                let over = if under.sign() < 0 { over.negative() } else { over };
                ends.push(self.seen(&over, under.abs()));
            }
        }
        let mut ends = ends.into_iter();
        match (ends.next(), ends.next()) {
            (Some(p), Some(q)) => vec![Cut { line: self.trace(&normal, &normal.dot(a)), ends: [p, q] }],
            (Some(p), None) => {
                let line = Int3([p.0[2].clone(), Int::default(), -&p.0[0]]);
                vec![Cut { line, ends: [p.clone(), p] }]
            }
            _ => Vec::new(),
        }
    }

    /// The line in which another plane, not a parallel one, meets this one.
    fn trace(&self, normal: &Int3, offset: &Int) -> Int3 {
        let [k, i, j] = self.axes;
        let (n, m) = (&self.normal.0, &normal.0);
        let part = |x: &Int, y: &Int| &(x * &n[k]) - &(&m[k] * y);
        Int3([part(&m[i], &n[i]), part(&m[j], &n[j]), -&part(offset, &self.offset)])
    }
}

impl Cell {
    /// The parts on both sides of a cut; the whole cell if the cut does not go through its inside.
    fn split(self, cut: &Cut) -> Vec<Self> {
        let signs: Vec<i32> = self.0.iter().map(|(corner, _)| cut.line.dot(corner).sign()).collect();
        let beside = |line: &Int3| cut.ends.iter().all(|end| line.dot(end).sign() <= 0);
        if !(signs.contains(&1) && signs.contains(&-1)) || self.0.iter().any(|(_, line)| beside(line)) {
            return vec![self];
        }
        [1, -1].map(|side| self.half(&cut.line, &signs, side)).into()
    }

    /// The part where a line has a sign.
    fn half(&self, line: &Int3, signs: &[i32], side: i32) -> Self {
        let inner = if side > 0 { line.clone() } else { line.negative() };
        let count = self.0.len();
        let mut corners = Vec::with_capacity(count + 1);
        for (i, (corner, edge)) in self.0.iter().enumerate() {
            let crossing = || with_positive_last(edge.cross(line));
            match (signs[i] * side, signs[(i + 1) % count] * side) {
                (0, -1) => corners.push((corner.clone(), inner.clone())),
                (1, -1) => {
                    corners.push((corner.clone(), edge.clone()));
                    corners.push((crossing(), inner.clone()));
                }
                (-1, 1) => corners.push((crossing(), edge.clone())),
                (-1, _) => {}
                _ => corners.push((corner.clone(), edge.clone())),
            }
        }
        Self(corners)
    }

    /// The middle of three corners, which is inside.
    fn middle(&self) -> Option<Int3> {
        let [(p, _), (q, _), (r, _), ..] = self.0.as_slice() else { return None };
        let [u, v, w] = [p, q, r].map(|corner| &corner.0[2]);
        let sum = p.times(&(v * w)).plus(&q.times(&(u * w))).plus(&r.times(&(u * v)));
        Some(sum)
    }
}
