//! The promise: a polytope's adjacency is consistent, its planes hold to rounding, and its volume and centroid are those of
//! the exact solid. Flat polygons likewise.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, widen, widen_real};
use clearance::{Polygon, Polytope, PolytopeError, Support, Vec3, VertexId};
use clearance_testkit::{Cloud, HitRate, Rng};
use common::{narrowed, radius_of, solid_of, u, widened};
use glam::DVec3;

/// Hulls of every family that has one in this precision.
fn hulls(seed: u64, rounds: usize) -> Vec<(&'static str, Polytope)> {
    let mut rng = Rng::new(seed);
    let mut solid = HitRate::new("clouds with a hull");
    let mut hulls = Vec::new();
    for family in Cloud::ALL {
        for round in 0..rounds {
            let points = narrowed(&family.generate(&mut rng, 4 + 9 * round));
            let result = Polytope::from_points(&points);
            if solid.record(result.is_ok()) {
                hulls.push((family.name(), result.unwrap()));
            }
        }
    }
    solid.assert_between(17.0 / 21.0, 1.0);
    hulls
}

#[test]
fn neighbours_edges_and_faces_agree() {
    for (name, polytope) in hulls(401, 12) {
        let solid = solid_of(&polytope);
        let mut edges = Vec::new();
        for v in 0..polytope.vertices().len() as u32 {
            let around = polytope.neighbours(v);
            assert!(around.iter().all(|&n| polytope.neighbours(n).contains(&v)), "{name}: not symmetric");
            edges.extend(around.iter().filter(|&&n| n > v).map(|&n| [v as usize, n as usize]));
            assert_eq!(polytope.faces_around(v).count(), around.len(), "{name}");
            for face in polytope.faces_around(v) {
                assert!(polytope.face_vertices(face).any(|w| w == v), "{name}");
            }
            // Consecutive neighbours share a face with the vertex.
            for (i, &first) in around.iter().enumerate() {
                let second = around[(i + 1) % around.len()];
                let holds = |f: u32| [v, first, second].iter().all(|w| polytope.face_vertices(f).any(|x| x == *w));
                assert!(polytope.faces_around(v).any(holds), "{name}: neighbours out of order");
            }
        }
        edges.sort_unstable();
        assert_eq!(edges, solid.edges(), "{name}");
        for edge in (0..polytope.edge_count() as u32).map(|e| polytope.edge(e)) {
            let [from, to] = edge.vertices;
            for (face, [a, b]) in [(edge.faces[0], [from, to]), (edge.faces[1], [to, from])] {
                let corners: Vec<u32> = polytope.face_vertices(face).collect();
                let at = corners.iter().position(|&v| v == a).unwrap();
                assert_eq!(corners[(at + 1) % corners.len()], b, "{name}: a face runs along its edge the wrong way");
            }
        }
    }
}

#[test]
fn planes_hold_their_corners_and_nothing_is_above() {
    for (name, polytope) in hulls(402, 12) {
        let points = widened(polytope.vertices());
        // A normal of the build is off by u in each component, its plane's offset by u; seen from the origin that tilts a
        // plane by less than 4 u of the farthest corner's distance, and the products in f64 add no more.
        let tolerance = 8.0 * u() * radius_of(&points);
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        for face in 0..polytope.face_count() as u32 {
            let plane = polytope.plane(face);
            let (normal, offset) = (widen(plane.normal), widen_real(plane.offset));
            assert!((normal.length() - 1.0).abs() <= 4.0 * u(), "{name}: a normal of length {}", normal.length());
            for v in polytope.face_vertices(face) {
                let off = normal.dot(points[v as usize]) - offset;
                assert!(off.abs() <= tolerance, "{name}: corner {off:e} off its plane, {tolerance:e} allowed");
            }
            for p in &points {
                assert!(normal.dot(*p) - offset <= tolerance, "{name}: a vertex above a face");
            }
            assert!(normal.dot(middle) - offset <= tolerance, "{name}: a normal points inwards");
        }
    }
}

#[test]
fn edge_normals_are_those_of_the_two_faces_and_point_outwards() {
    let mut rng = Rng::new(403);
    for family in [Cloud::Sphere, Cloud::Ball, Cloud::Box, Cloud::Ellipsoid, Cloud::Grid, Cloud::CubeSurface] {
        let polytope = Polytope::from_points(&narrowed(&family.generate(&mut rng, 60))).unwrap();
        let middle = widen(polytope.centroid());
        for e in 0..polytope.edge_count() as u32 {
            let edge = polytope.edge(e);
            let [a, b] = edge.vertices.map(|v| widen(polytope.vertices()[v as usize]));
            let [left, right] = polytope.edge_normals(e).map(widen);
            for normal in [left, right] {
                assert!((normal.length() - 1.0).abs() <= 4.0 * u());
                assert!(normal.dot(b - a).abs() <= 8.0 * u() * radius_of(&[a, b]), "{}", family.name());
                assert!(normal.dot(a - middle) > 0.0, "{}: inward", family.name());
            }
            // Convex: the way from the left face's normal to the right one's turns about the edge's direction.
            assert!(left.cross(right).dot(b - a) >= -16.0 * u() * (b - a).length(), "{}", family.name());
        }
    }
}

#[test]
fn volume_and_centroid_are_the_exact_ones() {
    let mut moved = HitRate::new("centroids away from the mean of the corners");
    for (name, polytope) in hulls(404, 8) {
        let solid = solid_of(&polytope);
        let (volume, centroid) = (solid.volume(), solid.centroid());
        let points = &solid.vertices;
        let size = points.iter().map(|p| p.distance(points[0])).fold(0.0, f64::max);
        // The sum runs over at most two triangles per half-edge; each term is a product, right to 8 roundings of f64, of
        // a distance below `size` and an area of which all together are below 4 π size²; then one rounding to the build.
        let terms = 8.0 + polytope.half_edges().len() as f64;
        let area: f64 = (0..polytope.face_count() as u32).map(|f| area(&polytope, f)).sum();
        let slack = terms * (f64::EPSILON / 2.0) * size * 2.0 * area;
        let off = (widen_real(polytope.volume()) - volume).abs();
        assert!(off <= u() * volume + slack, "{name}: volume {} for {volume}", polytope.volume());
        let off = (widen(polytope.centroid()) - centroid).abs().max_element();
        let allowed = 2.0 * u() * radius_of(points) + slack * size / volume;
        assert!(off <= allowed.min(size), "{name}: centroid {off:e} off, {allowed:e} allowed");
        moved.record(centroid.distance(points.iter().sum::<DVec3>() / points.len() as f64) > 2.0 * allowed);
    }
    moved.assert_between(0.5, 1.0);
}

fn area(polytope: &Polytope, face: u32) -> f64 {
    let corners: Vec<DVec3> = polytope.face_vertices(face).map(|v| widen(polytope.vertices()[v as usize])).collect();
    corners[1..].windows(2).map(|fan| (fan[0] - corners[0]).cross(fan[1] - corners[0]).length() / 2.0).sum()
}

/// A point of the plane through the origin spanned by two unit vectors.
fn in_plane(frame: [DVec3; 2], shift: DVec3, [x, y]: [f64; 2]) -> Vec3 {
    narrow(shift + frame[0] * x + frame[1] * y)
}

#[test]
fn polygons_are_the_hulls_of_flat_clouds_in_order_about_their_normal() {
    let mut rng = Rng::new(405);
    for round in 0..300 {
        let turn = if round % 4 == 0 { glam::DQuat::IDENTITY } else { rng.rotation() };
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| turn * axis);
        let shift = rng.in_ball(2.0);
        let sides = 3 + rng.index(30);
        let corner = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / sides as f64;
            [angle.cos(), angle.sin()]
        };
        let mut points: Vec<Vec3> =
            (0..sides).map(|i| in_plane([axes[0], axes[1]], shift, corner((sides - i) % sides))).collect();
        // Inner points, within the circle inscribed in a triangle, and copies of corners.
        points.extend((0..10).map(|_| {
            let p = rng.in_ball(0.4);
            in_plane([axes[0], axes[1]], shift, [p.x, p.y])
        }));
        points.push(points[0]);
        let polygon = Polygon::from_points(&points).unwrap();
        let corners = widened(polygon.vertices());
        assert_eq!(corners.len(), sides);
        let normal = widen(polygon.plane().normal);
        // The coordinates, up to 3, are off by u each; on a triangle of unit circumradius that tilts the normal by a few.
        assert!((normal.dot(axes[2]).abs() - 1.0).abs() <= 16.0 * u() && (normal.length() - 1.0).abs() <= 4.0 * u());
        for (i, &p) in corners.iter().enumerate() {
            let [q, r] = [1, 2].map(|k| corners[(i + k) % corners.len()]);
            assert!((q - p).cross(r - q).dot(normal) > 0.0, "clockwise, or a corner that is none");
            assert!((normal.dot(p) - widen_real(polygon.plane().offset)).abs() <= 16.0 * u() * 3.0);
        }
        // The corners are evenly spread on a circle, so that its centre is the centre of area.
        assert!((widen(polygon.centroid()) - shift).length() <= 16.0 * u() * 3.0);
        let direction = narrow(rng.unit_vector());
        let best = corners.iter().map(|p| p.dot(widen(direction))).fold(f64::NEG_INFINITY, f64::max);
        let found = widen(polygon.support(direction, VertexId::NONE).point).dot(widen(direction));
        assert!((found - best).abs() <= 8.0 * u() * 3.0);
        assert!(widen_real(polygon.bounding_radius()) >= radius_of(&corners) * (1.0 - 4.0 * u()));
    }
}

#[test]
fn bad_polygons_are_refused_for_what_they_are() {
    use PolytopeError as E;
    let refused = |points: &[[f64; 3]]| {
        let points: Vec<Vec3> = points.iter().map(|&p| narrow(p.into())).collect();
        Polygon::from_points(&points).expect_err("no polygon")
    };
    assert_eq!(refused(&[[0., 0., 0.], [1., 0., 0.]]), E::TooFewPoints { count: 2, needed: 3 });
    assert_eq!(refused(&[[1., 2., 3.]; 5]), E::Coincident { count: 5 });
    assert_eq!(refused(&[[0., 0., 0.], [1., 2., 3.], [3., 6., 9.], [2., 4., 6.]]), E::Collinear { count: 4 });
    assert_eq!(refused(&[[7., 0., 0.], [7., 0., 1.], [7., 0., 5.]]), E::Collinear { count: 3 });
    let lifted = refused(&[[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.25]]);
    assert!(matches!(lifted, E::NotPlanar { .. }), "{lifted}");
    let hidden = refused(&[[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [1., 1., 0.25]]);
    let E::NotPlanar { index: 3, off } = hidden else { panic!("{hidden}") };
    assert_eq!(off, 0.25);
    let nan = refused(&[[0., 0., 0.], [4., f64::NAN, 0.], [4., 4., 0.]]);
    assert!(matches!(nan, E::Coordinate { index: 1, axis: 'y', .. }), "{nan}");
}
