//! The bodies of the directional contact range paper, section 4.

use std::f64::consts::{PI, TAU};

use clearance::{Polytope, PolytopeError};
use clearance_testkit::Rng;
use glam::DVec3;

/// All bodies are within a ball of this radius.
const REACH: f64 = 5.0;

/// Points scaled so that the farthest is at [`REACH`].
fn scaled(points: Vec<DVec3>) -> Vec<DVec3> {
    let farthest = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    points.into_iter().map(|p| p * (REACH / farthest)).collect()
}

/// A point of a ring of `count`, turned by half a step for odd rings so that faces are triangles.
fn ring(count: usize, turn: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..count).map(move |i| (TAU * (i as f64 + turn) / count as f64).sin_cos()).map(|(s, c)| (c, s))
}

/// Two elliptic rings of semi-axes 1 : 2, four heights apart.
fn truncated(count: usize, top: f64) -> Vec<DVec3> {
    let ends = [(-2.0, 1.0), (2.0, top)];
    let corners =
        ends.into_iter().flat_map(|(z, size)| ring(count, 0.0).map(move |(x, y)| (x * size, 2.0 * y * size, z)));
    scaled(corners.map(|(x, y, z)| DVec3::new(x, y, z)).collect())
}

/// Random points on an ellipsoid.
pub(crate) fn ellipsoid(rng: &mut Rng, count: usize, semi_axes: DVec3) -> Vec<DVec3> {
    (0..count).map(|_| rng.unit_vector() * semi_axes).collect()
}

/// The first so many corners of the hull of random points in a cube.
fn hull_of_cube(rng: &mut Rng, count: usize) -> Result<Vec<DVec3>, PolytopeError> {
    let cloud: Vec<DVec3> = (0..100 * count).map(|_| rng.in_box(DVec3::ONE)).collect();
    let hull = Polytope::from_points(&cloud)?;
    Ok(scaled(hull.vertices().iter().take(count).copied().collect()))
}

/// A convex profile turned about z: ten rings of twenty.
fn turned() -> Vec<DVec3> {
    let rings = (0..10).flat_map(|i| {
        let (s, c) = (PI * (i as f64 + 0.5) / 10.0).sin_cos();
        ring(20, 0.5 * f64::from(i % 2)).map(move |(x, y)| DVec3::new(x * s.sqrt(), y * s.sqrt(), 1.5 * c))
    });
    scaled(rings.collect())
}

/// P1 to P6 of figure 7, by their corners.
pub(crate) fn six(rng: &mut Rng) -> Result<[Vec<DVec3>; 6], PolytopeError> {
    Ok([
        truncated(10, 0.5),
        truncated(25, 1.0),
        ellipsoid(rng, 200, DVec3::new(2.0, 2.0, 5.0)),
        ellipsoid(rng, 500, DVec3::new(2.0, 4.0, 5.0)),
        hull_of_cube(rng, 100)?,
        turned(),
    ])
}

/// The flat cone of figure 9: twenty corners on a rim of radius 12, and an apex one above it.
pub(crate) fn flat_cone() -> Vec<DVec3> {
    let rim = ring(20, 0.0).map(|(x, y)| DVec3::new(12.0 * x, 12.0 * y, 0.0));
    rim.chain([DVec3::Z]).collect()
}

/// The same with its base in 18 triangles, as the paper has it: its corners are off the plane by up to 1e-9 of the radius, in no order, which
/// keeps coplanar triangles from being united and changes nothing else.
pub(crate) fn triangulated_cone() -> Vec<DVec3> {
    let mut points = flat_cone();
    let corners = points.len() - 1;
    for (i, p) in points.iter_mut().take(corners).enumerate() {
        p.z -= 12e-9 * (7 * i % corners) as f64 / corners as f64;
    }
    points
}

/// A prism in place of a cylinder of radius 1 and length 4.
pub(crate) fn prism(sides: usize) -> Vec<DVec3> {
    [-2.0, 2.0].into_iter().flat_map(|z| ring(sides, 0.0).map(move |(x, y)| DVec3::new(x, y, z))).collect()
}

/// How many pairs of edges make a face of A − B: those whose arcs on the Gaussian sphere cross (section 3.3.3).
pub(crate) fn edge_faces(a: &Polytope, b: &Polytope, b_to_a: glam::DMat3) -> usize {
    let arcs = |polytope: &Polytope, turn: &dyn Fn(DVec3) -> DVec3| -> Vec<[DVec3; 3]> {
        (0..polytope.edge_count() as u32)
            .map(|edge| {
                let [p, q] = polytope.edge_normals(edge).map(turn);
                [p, q, q.cross(p)]
            })
            .collect()
    };
    let (of_a, of_b) = (arcs(a, &|n| n), arcs(b, &|n| -(b_to_a * n)));
    let crossing = |[a, b, ba]: &[DVec3; 3], [c, d, dc]: &[DVec3; 3]| {
        let (cba, dba, adc, bdc) = (c.dot(*ba), d.dot(*ba), a.dot(*dc), b.dot(*dc));
        cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0
    };
    of_a.iter().map(|arc| of_b.iter().filter(|other| crossing(arc, other)).count()).sum()
}
