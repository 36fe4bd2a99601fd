//! Polygons of files cut into triangles: fans where they are convex, ears where they are not.

use clearance::Vec3;

/// Corners of the longest polygon that is read: cutting ears takes the cube of it.
pub(crate) const MOST_CORNERS: usize = 1024;

/// Cuts a polygon into triangles and adds them. The corners must be in range; the surface is the same whichever way it is cut only if
/// the polygon is flat.
pub(crate) fn add_polygon(vertices: &[Vec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let &[a, b, c] = corners {
        triangles.push([a, b, c]);
        return;
    }
    let point = |v: u32| vertices[v as usize];
    let normal = (0..corners.len()).fold(Vec3::ZERO, |sum, i| {
        let (p, q) = (point(corners[i]), point(corners[(i + 1) % corners.len()]));
        sum + (p - point(corners[0])).cross(q - point(corners[0]))
    });
    let mut left: Vec<u32> = corners.to_vec();
    while left.len() > 3 {
        let n = left.len();
        let around = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        // A polygon without an ear is not simple or not flat: the corner that turns most is cut, and what is wrong shows later.
        let ear = (1..=n).map(|i| i % n).find(|&i| is_ear(&left, around(i).map(point), around(i), normal, &point));
        let ear = ear.unwrap_or_else(|| {
            let turn = |i: usize| turn(around(i).map(point), normal);
            (0..n).fold(0, |best, i| if turn(i) > turn(best) { i } else { best })
        });
        triangles.push(around(ear));
        left.remove(ear);
    }
    if let [a, b, c] = left[..] {
        triangles.push([a, b, c]);
    }
}

fn turn([a, b, c]: [Vec3; 3], normal: Vec3) -> f64 {
    (b - a).cross(c - b).dot(normal)
}

/// Whether a corner turns left and no other corner is within the triangle that it would cut off.
fn is_ear(left: &[u32], [a, b, c]: [Vec3; 3], own: [u32; 3], normal: Vec3, point: &impl Fn(u32) -> Vec3) -> bool {
    if !(turn([a, b, c], normal) > 0.0) {
        return false;
    }
    let inside = |p: Vec3| [[a, b], [b, c], [c, a]].iter().all(|[p0, p1]| turn([*p0, *p1, p], normal) >= 0.0);
    !left.iter().any(|v| !own.contains(v) && inside(point(*v)))
}
