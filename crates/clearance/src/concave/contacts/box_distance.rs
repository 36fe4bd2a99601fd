//! The nearest points of a triangle and a box that are apart, in the frame of the box.
//!
//! They are a corner of the triangle and any point of the box, a corner of the box and a point inside of the triangle, or points of two
//! edges. All are tried; edges of the box are parallel to its axes, which leaves a point and a segment in a plane for each.

use glam::DVec3;

/// The best so far.
struct Found {
    square: f64,
    /// On the triangle, on the box.
    points: [DVec3; 2],
}

impl Found {
    fn offer(&mut self, p: DVec3, q: DVec3) {
        let square = p.distance_squared(q);
        if square < self.square {
            *self = Self { square, points: [p, q] };
        }
    }
}

/// The nearest points, on the triangle and on the box of these half edges.
pub(super) fn nearest(half: DVec3, corners: &[DVec3; 3]) -> [DVec3; 2] {
    let [a, b, c] = *corners;
    let mut best = Found { square: f64::INFINITY, points: [DVec3::ZERO; 2] };
    for p in [a, b, c] {
        best.offer(p, p.clamp(-half, half));
    }
    corner_over(half, corners, &mut best);
    for (from, to) in [(a, b), (b, c), (c, a)] {
        // A box around the side that is farther away than the best leaves nothing to be found.
        let beside = (from.min(to) - half).max(-half - from.max(to)).max(DVec3::ZERO);
        if beside.length_squared() < best.square {
            edges(half, from, to, &mut best);
        }
    }
    best.points
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
    let square = side.length_squared();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let flat = side[u] * side[u] + side[v] * side[v];
        let share = |along: f64, square: f64| if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        for (x, y) in [(half[u], half[v]), (-half[u], half[v]), (half[u], -half[v]), (-half[u], -half[v])] {
            let along = (x - from[u]) * side[u] + (y - from[v]) * side[v];
            let height = from[axis] + side[axis] * share(along, flat);
            // On the line of the edge, or else at the nearer end of it.
            let held = height.clamp(-half[axis], half[axis]);
            let s = if held == height {
                share(along, flat)
            } else {
                share(along + (held - from[axis]) * side[axis], square)
            };
            let mut q = DVec3::ZERO;
            (q[u], q[v], q[axis]) = (x, y, held);
            best.offer(from + side * s, q);
        }
    }
}
