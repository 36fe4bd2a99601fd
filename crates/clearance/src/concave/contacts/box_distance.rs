//! The nearest points of a triangle and a box that are apart, in the frame of the box.
//!
//! They are a corner of the triangle and any point of the box, a corner of the box and a point inside of the triangle, or points of two
//! edges. All are tried; edges of the box are parallel to its axes, which leaves a point and a segment in a plane for each.

use glam::DVec3;

/// The best so far.
pub(super) struct Found {
    pub square: f64,
    /// On the triangle, on the box.
    pub points: [DVec3; 2],
}

impl Found {
    #[inline]
    fn offer(&mut self, p: DVec3, q: DVec3) {
        let square = p.distance_squared(q);
        if square < self.square {
            *self = Self { square, points: [p, q] };
        }
    }
}

/// The nearest points of which one is a corner of the triangle, or a corner of the box over the triangle.
pub(super) fn of_corners(half: DVec3, corners: &[DVec3; 3]) -> Found {
    let mut best = Found { square: f64::INFINITY, points: [DVec3::ZERO; 2] };
    for &p in corners {
        best.offer(p, p.max(-half).min(half));
    }
    corner_over(half, corners, &mut best);
    best
}

/// Looks for nearer points on sides of the triangle and edges of the box.
pub(super) fn of_edges(half: DVec3, [a, b, c]: &[DVec3; 3], best: &mut Found) {
    for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
        // A box around the side that is farther away than the best leaves nothing to be found.
        let beside = (from.min(to) - half).max(-half - from.max(to)).max(DVec3::ZERO);
        if beside.length_squared() < best.square {
            edges(half, from, to, best);
        }
    }
}

/// The corner of the box nearest to the plane of the triangle, if it is over the triangle.
fn corner_over(half: DVec3, [a, b, c]: &[DVec3; 3], best: &mut Found) {
    let normal = (*b - *a).cross(*c - *a);
    let square = normal.length_squared();
    let side = if normal.dot(*a) > 0.0 { 1.0 } else { -1.0 };
    let corner = half.copysign(normal * side);
    let height = normal.dot(corner - *a);
    let over = |from: DVec3, to: DVec3| normal.cross(to - from).dot(corner - from) >= 0.0;
    if square > 0.0 && height * side < 0.0 && over(*a, *b) && over(*b, *c) && over(*c, *a) {
        best.offer(corner - normal * (height / square), corner);
    }
}

/// A side of the triangle and the twelve edges of the box.
fn edges(half: DVec3, from: DVec3, to: DVec3, best: &mut Found) {
    let side = to - from;
    let [next, last] = [|p: DVec3| DVec3::new(p.y, p.z, p.x), |p: DVec3| DVec3::new(p.z, p.x, p.y)];
    parallel_edges(half, from, side, best);
    for (turn, back) in [(next, last), (last, next)] {
        let mut found = Found { square: best.square, points: [DVec3::ZERO; 2] };
        parallel_edges(turn(half), turn(from), turn(side), &mut found);
        if found.square < best.square {
            *best = Found { square: found.square, points: [back(found.points[0]), back(found.points[1])] };
        }
    }
}

/// A side of the triangle and the four edges of the box along the last axis.
fn parallel_edges(half: DVec3, from: DVec3, side: DVec3, best: &mut Found) {
    let flat = side.x * side.x + side.y * side.y;
    let square = flat + side.z * side.z;
    let share = |along: f64, square: f64| if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    for (x, y) in [(half.x, half.y), (-half.x, half.y), (half.x, -half.y), (-half.x, -half.y)] {
        let along = (x - from.x) * side.x + (y - from.y) * side.y;
        let s = share(along, flat);
        let (u, v) = (from.x + side.x * s - x, from.y + side.y * s - y);
        if !(u * u + v * v < best.square) {
            continue;
        }
        // On the line of the edge, or else at the nearer end of it.
        let height = from.z + side.z * s;
        let held = height.clamp(-half.z, half.z);
        let s = if held == height { s } else { share(along + (held - from.z) * side.z, square) };
        best.offer(from + side * s, DVec3::new(x, y, held));
    }
}
