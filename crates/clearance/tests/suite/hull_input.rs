//! The promise: hulls of large clouds and of clouds anywhere in the range of numbers are right, and bad coordinates are
//! refused with their place.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::LARGEST_SIZE;
use clearance::{Polytope, PolytopeError, Real, Vec3};
use clearance_testkit::exact::orient3d;
use clearance_testkit::{Cloud, Rng};
use common::{SINGLE, cube, narrowed, solid_of, widened};
use glam::DVec3;

/// Strict convexity across every edge, by the oracle's predicate: with Euler's formula this is what a convex solid is.
fn assert_convex(polytope: &Polytope) {
    assert_eq!(polytope.validate(), Ok(()));
    let points = widened(polytope.vertices());
    let corner = |face: u32, i: usize| points[polytope.face_vertices(face).nth(i).unwrap() as usize];
    for edge in (0..polytope.edge_count() as u32).map(|e| polytope.edge(e)) {
        let [a, b, c] = [0, 1, 2].map(|i| corner(edge.faces[0], i));
        for v in polytope.face_vertices(edge.faces[1]).filter(|v| !edge.vertices.contains(v)) {
            assert_eq!(orient3d(a, b, c, points[v as usize]), 1, "{edge:?}");
        }
    }
    assert_eq!(polytope.vertices().len() + polytope.face_count(), polytope.edge_count() + 2);
}

#[test]
fn a_hundred_thousand_points_on_a_sphere() {
    let mut rng = Rng::new(201);
    let points = narrowed(&Cloud::Sphere.generate(&mut rng, 100_000));
    let polytope = Polytope::from_points(&points).unwrap();
    assert_convex(&polytope);
    // A cap between neighbours is about 1e-5 high, far above the rounding of either precision, so that a point is lost only if
    // another is within about 1e-5 of it: less than one pair is expected.
    assert!(polytope.vertices().len() >= 99_990, "{}", polytope.vertices().len());
}

#[test]
fn a_grid_of_a_hundred_thousand_points_has_eight_corners() {
    let grid = |i: usize| Vec3::new((i % 40) as Real, (i / 40 % 50) as Real, (i / 2000) as Real);
    let points: Vec<Vec3> = (0..100_000).map(grid).collect();
    let polytope = Polytope::from_points(&points).unwrap();
    assert_convex(&polytope);
    assert_eq!((polytope.vertices().len(), polytope.edge_count(), polytope.face_count()), (8, 12, 6));
    assert_eq!(polytope.volume(), 39.0 * 49.0 * 49.0);
    assert_eq!(polytope.centroid(), Vec3::new(19.5, 24.5, 24.5));
}

#[test]
fn a_prism_with_caps_of_twenty_thousand_corners() {
    let mut rng = Rng::new(203);
    let points = narrowed(&Cloud::Prism.generate(&mut rng, 40_000));
    let polytope = Polytope::from_points(&points).unwrap();
    assert_convex(&polytope);
    let largest = (0..polytope.face_count() as u32).map(|f| polytope.face_vertices(f).len()).max().unwrap();
    assert_eq!(2 * largest, polytope.vertices().len());
    // The arc between two neighbours is 1e-8 high: in single precision rounding leaves fewer of them corners.
    if SINGLE { assert!(largest > 1000) } else { assert_eq!(largest, 20_000) }
}

#[test]
fn a_cube_far_from_the_origin_is_exact() {
    let far = Vec3::new(1.0e6, -3.0e6, 2.0e6);
    let points: Vec<Vec3> = cube(1.0).0.iter().map(|&p| far + p).collect();
    let polytope = Polytope::from_points(&points).unwrap();
    assert_eq!(solid_of(&polytope).check(), Ok(()));
    assert_eq!((polytope.face_count(), polytope.volume(), polytope.centroid()), (6, 8.0, far));
}

#[test]
fn many_copies_count_once() {
    let points: Vec<Vec3> = (0..800).map(|i| cube(1.0).0[i * 5 % 8]).collect();
    let polytope = Polytope::from_points(&points).unwrap();
    assert_eq!(polytope.vertices(), &points[..8]);
    assert_eq!((polytope.face_count(), polytope.volume()), (6, 8.0));
    // −0 and 0 are one point, too.
    let signed =
        [[0., 0., 0.], [-0., 0., -0.], [1., 0., 0.], [0., 1., 0.], [0., -0., 0.], [0., 0., 1.]].map(Vec3::from);
    assert_eq!(Polytope::from_points(&signed).unwrap().vertices().len(), 4);
}

#[test]
fn a_bad_coordinate_is_named_by_point_and_axis() {
    let too_large = LARGEST_SIZE.next_up();
    for value in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY, too_large, -too_large] {
        for index in [0, 3, 7] {
            for axis in 0..3 {
                let mut points = cube(1.0).0;
                points[index][axis] = value;
                let error = Polytope::from_points(&points).expect_err("a bad coordinate");
                let PolytopeError::Coordinate { index: i, axis: a, value: v } = error else {
                    panic!("{error}");
                };
                assert_eq!((i, a), (index, ['x', 'y', 'z'][axis]));
                assert!(v == value || v.is_nan() && value.is_nan());
            }
        }
    }
    let limit: Vec<Vec3> = cube(1.0).0.iter().map(|&p| p * LARGEST_SIZE).collect();
    assert_eq!(Polytope::from_points(&limit).unwrap().face_count(), 6);
}

#[test]
fn a_range_beyond_exact_computation_is_refused_and_one_within_is_not() {
    let with = |small: f64| {
        let mut points = cube(1.0).0;
        points[5].y = narrow_real(small);
        points
    };
    // 2^-300 is the limit next to coordinates of one; f32 cannot even hold it.
    let inside = if SINGLE { f64::from(f32::from_bits(1)) } else { 2f64.powi(-299) };
    let polytope = Polytope::from_points(&with(inside)).unwrap();
    assert_eq!(solid_of(&polytope).check(), Ok(()));
    if !SINGLE {
        let outside = 2f64.powi(-301);
        let error = Polytope::from_points(&with(outside)).expect_err("too wide a range");
        assert_eq!(error, PolytopeError::CoordinateRange { index: 5, axis: 'y', value: outside, largest: 1.0 });
    }
}

#[test]
fn the_smallest_numbers_make_a_hull_too() {
    // Down to subnormal coordinates: a cloud is scaled by a power of two before it is judged.
    for scale in [Real::MIN_POSITIVE * 1024.0, Real::MIN_POSITIVE, Real::from_bits(1) * 4.0] {
        let points: Vec<Vec3> = cube(1.0).0.iter().map(|&p| p * scale).collect();
        let polytope = Polytope::from_points(&points).unwrap();
        assert_eq!(polytope.validate(), Ok(()));
        assert_eq!((polytope.vertices().len(), polytope.face_count()), (8, 6), "{scale:e}");
        assert_eq!(polytope.centroid(), Vec3::ZERO);
        for face in 0..6 {
            let plane = polytope.plane(face);
            assert_eq!((plane.normal.length(), plane.offset), (1.0, scale));
        }
    }
}

#[test]
fn scaling_by_a_power_of_two_changes_nothing_but_the_size() {
    let mut rng = Rng::new(202);
    let points = narrowed(&Cloud::Ellipsoid.generate(&mut rng, 80));
    let plain = Polytope::from_points(&points).unwrap();
    for power in [-24, 24] {
        let scale = narrow_real(2f64.powi(power));
        let scaled: Vec<Vec3> = points.iter().map(|&p| p * scale).collect();
        let scaled = Polytope::from_points(&scaled).unwrap();
        assert_eq!(scaled.half_edges(), plain.half_edges());
        assert_eq!(scaled.volume(), plain.volume() * scale * scale * scale);
        assert_eq!(widen(scaled.centroid()), widen(plain.centroid()) * widen_real(scale));
        for face in 0..plain.face_count() as u32 {
            assert_eq!(scaled.plane(face).normal, plain.plane(face).normal);
        }
    }
    assert_ne!(widen(plain.centroid()), DVec3::ZERO);
}
