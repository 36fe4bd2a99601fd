//! The promise: the hull of any cloud is exactly convex, closed, and contains every point; a cloud without volume is refused
//! for the right reason.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::{Polytope, PolytopeError, Vec3};
use clearance_testkit::exact::collinear;
use clearance_testkit::solid::is_flat;
use clearance_testkit::{Cloud, FlatCloud, HitRate, Rng, Solid};
use common::{SINGLE, narrowed, solid_of, widened};
use glam::DVec3;

const ORDINARY: [Cloud; 4] = [Cloud::Sphere, Cloud::Ball, Cloud::Box, Cloud::Ellipsoid];

/// What a cloud without volume must be refused as, by exact predicates.
fn expected_refusal(points: &[DVec3]) -> PolytopeError {
    let count = points.len();
    if count < 4 {
        return PolytopeError::TooFewPoints { count, needed: 4 };
    }
    let Some(&other) = points.iter().find(|&&p| p != points[0]) else {
        return PolytopeError::Coincident { count };
    };
    if points.iter().all(|&p| collinear(points[0], other, p)) {
        return PolytopeError::Collinear { count };
    }
    PolytopeError::Coplanar { count }
}

/// Builds the hull and checks it exactly; a cloud that is exactly flat must be refused. Returns the hull if there is one.
fn check_cloud(points: &[Vec3], label: &str) -> Option<Polytope> {
    let exact = widened(points);
    let result = Polytope::from_points(points);
    if is_flat(&exact) {
        assert_eq!(result.expect_err(label), expected_refusal(&exact), "{label}");
        return None;
    }
    let polytope = result.unwrap_or_else(|error| panic!("{label}: {error}"));
    assert_eq!(polytope.validate(), Ok(()), "{label}");
    let solid = solid_of(&polytope);
    assert_eq!(solid.check(), Ok(()), "{label}");
    assert_eq!(solid.contains_all(&exact), Ok(()), "{label}");
    assert_eq!(solid.edges().len(), polytope.edge_count(), "{label}");
    assert!(polytope.vertices().iter().all(|v| points.contains(v)), "{label}: a vertex that was not given");
    Some(polytope)
}

/// Points as sorted keys; adding zero makes −0 and 0 one.
fn as_set(points: &[DVec3]) -> Vec<[u64; 3]> {
    let mut keys: Vec<_> = points.iter().map(|&p| (p + DVec3::ZERO).to_array().map(f64::to_bits)).collect();
    keys.sort_unstable();
    keys
}

fn ordinary_clouds(families: [Cloud; 2], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut solids = HitRate::new("ordinary clouds with a hull");
    for round in 0..5_000 {
        let family = families[round % 2];
        let n = if round % 500 == 0 { 500 } else { 4 + rng.index(57) };
        let points = narrowed(&family.generate(&mut rng, n));
        solids.record(check_cloud(&points, &format!("{} {round}", family.name())).is_some());
    }
    solids.assert_between(1.0, 1.0);
}

#[test]
fn hulls_of_5000_clouds_on_spheres_and_in_balls_are_exact() {
    ordinary_clouds([Cloud::Sphere, Cloud::Ball], 101);
}

#[test]
fn hulls_of_5000_clouds_in_boxes_and_on_ellipsoids_are_exact() {
    ordinary_clouds([Cloud::Box, Cloud::Ellipsoid], 102);
}

#[test]
fn hulls_of_2000_degenerate_clouds_are_exact_or_refused_for_the_right_reason() {
    let families: Vec<Cloud> = Cloud::ALL.into_iter().filter(|family| !ORDINARY.contains(family)).collect();
    let mut rng = Rng::new(103);
    let (mut flat, mut fat) = (HitRate::new("clouds that rounding made flat"), HitRate::new("fat clouds with a hull"));
    for round in 0..2_000 {
        let family = families[round % families.len()];
        let n = 4 + rng.index(37);
        let points = narrowed(&family.generate(&mut rng, n));
        let solid = check_cloud(&points, &format!("{} {round}", family.name())).is_some();
        flat.record(!solid);
        if family.is_fat() {
            fat.record(solid);
        }
    }
    fat.assert_between(1.0, 1.0);
    // Every cloud has a volume in f64; of the four thin families, of 17, single precision flattens some.
    if SINGLE { flat.assert_between(0.02, 4.0 / 17.0) } else { flat.assert_between(0.0, 0.0) }
}

#[test]
fn small_hulls_equal_the_brute_force_ones() {
    let mut rng = Rng::new(104);
    let mut merged = HitRate::new("hulls with a face of more than three corners");
    for round in 0..630 {
        let family = Cloud::ALL[round % Cloud::ALL.len()];
        let n = 4 + rng.index(17);
        let points = narrowed(&family.generate(&mut rng, n));
        let label = format!("{} {round}", family.name());
        let Some(polytope) = check_cloud(&points, &label) else {
            continue;
        };
        let expected = Solid::hull(&widened(&points)).expect("a cloud with volume");
        assert_eq!(as_set(&widened(polytope.vertices())), as_set(&expected.vertices), "{label}");
        assert_eq!(polytope.face_count(), expected.faces.len(), "{label}");
        merged.record(expected.faces.iter().any(|face| face.len() > 3));
    }
    merged.assert_between(0.15, 0.6);
}

#[test]
fn flat_clouds_are_refused_each_for_its_reason() {
    let mut rng = Rng::new(105);
    let mut coplanar = HitRate::new("planes refused as planes");
    for round in 0..300 {
        for family in FlatCloud::ALL {
            let points = narrowed(&family.generate(&mut rng, 4 + round % 30));
            let error = Polytope::from_points(&points).expect_err(family.name());
            assert_eq!(error, expected_refusal(&widened(&points)), "{}", family.name());
            match family {
                FlatCloud::Empty => assert_eq!(error, PolytopeError::TooFewPoints { count: 0, needed: 4 }),
                FlatCloud::Point => assert_eq!(error, PolytopeError::TooFewPoints { count: 1, needed: 4 }),
                FlatCloud::Coincident => assert_eq!(error, PolytopeError::Coincident { count: points.len() }),
                // A lattice line with a zero step is a point, a lattice plane with parallel steps a line.
                FlatCloud::Line => assert!(!matches!(error, PolytopeError::Coplanar { .. }), "{error}"),
                FlatCloud::Plane => drop(coplanar.record(matches!(error, PolytopeError::Coplanar { .. }))),
            }
        }
    }
    coplanar.assert_between(0.9, 1.0);
}

#[test]
fn the_same_points_give_the_same_hull() {
    let mut rng = Rng::new(106);
    for family in Cloud::ALL.into_iter().filter(|family| family.is_fat()) {
        let points = narrowed(&family.generate(&mut rng, 200));
        let [first, second] = [0; 2].map(|_| Polytope::from_points(&points).unwrap());
        // The debug form prints every number to the last digit: vertices, structure, planes and search tables.
        assert_eq!(format!("{first:?}"), format!("{second:?}"), "{}", family.name());
    }
}

#[test]
fn corners_keep_the_order_in_which_they_were_given() {
    let mut rng = Rng::new(107);
    let points = narrowed(&Cloud::Ball.generate(&mut rng, 300));
    let polytope = Polytope::from_points(&points).unwrap();
    let places: Vec<_> = polytope.vertices().iter().map(|v| points.iter().position(|p| p == v).unwrap()).collect();
    assert!(places.is_sorted() && places.len() < points.len());
}
