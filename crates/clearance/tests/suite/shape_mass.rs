//! The promise: volumes and centroids are those of the shape: closed forms to rounding, sampled ones to a thousandth.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use std::f64::consts::PI;

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::SAMPLED_VOLUME;
use clearance::{Part, Pose, Real, Shape, Vec3};
use clearance_testkit::HitRate;
use common::bodies::{Body, catalogue};
use common::membership::{beyond_spheres, from_box, from_cone, polygon_centroid, turned_mass};
use common::{held, u, widened};
use glam::DVec3;

#[test]
fn volumes_and_centroids_match_closed_forms() {
    let mut sampled = HitRate::new("shapes without a closed form");
    for body in catalogue(1.0) {
        let (volume, centroid) = (widen_real(body.shape.volume()), widen(body.shape.centroid()));
        let off = (volume - body.volume).abs();
        assert!(off <= body.accuracy * body.volume, "{}: {volume} for {}", body.name, body.volume);
        let off = (centroid - body.centroid).length();
        assert!(off <= body.accuracy * body.size, "{}: {centroid} for {}", body.name, body.centroid);
        assert_eq!(body.shape.mass(), (body.shape.volume(), body.shape.centroid()), "{}", body.name);
        assert!(!body.primitive || body.centroid == DVec3::ZERO);
        sampled.record(body.accuracy > 1.0e-4);
    }
    sampled.assert_between(0.1, 0.5);
}

/// Counts the cells of a grid over the body's box whose middles are inside: volume and centroid.
fn counted(body: &Body) -> (f64, DVec3) {
    const CELLS: u32 = 60;
    let bounds = body.shape.aabb(&Pose::IDENTITY);
    let (min, cell) = (widen(bounds.min), (widen(bounds.max) - widen(bounds.min)) / f64::from(CELLS));
    let (mut count, mut sum) = (0.0, DVec3::ZERO);
    for i in 0..CELLS.pow(3) {
        let at = DVec3::new(f64::from(i % CELLS), f64::from(i / CELLS % CELLS), f64::from(i / CELLS / CELLS));
        let middle = min + cell * (at + DVec3::splat(0.5));
        if (body.outside)(middle) <= 0.0 {
            (count, sum) = (count + 1.0, sum + middle);
        }
    }
    (count * cell.element_product(), sum / count)
}

#[test]
fn volumes_and_centroids_match_counted_cells() {
    let mut solids = HitRate::new("solids");
    for body in catalogue(1.0) {
        if !solids.record(body.volume > 0.0) {
            continue;
        }
        let (volume, centroid) = counted(&body);
        // A sixtieth of the cells, times the share of them that errors of both signs leave, is at the boundary.
        assert!((widen_real(body.shape.volume()) / volume - 1.0).abs() < 0.02, "{}: {volume}", body.name);
        let off = (widen(body.shape.centroid()) - centroid).length();
        assert!(off < 0.01 * body.size, "{}: {centroid}", body.name);
    }
    solids.assert_between(0.6, 0.9);
}

/// Volume and centroid to the promised thousandth.
fn assert_sampled(name: &str, shape: &Shape, volume: f64, centroid: DVec3, size: f64) {
    let promise = widen_real(SAMPLED_VOLUME);
    let (found, at) = (widen_real(shape.volume()), widen(shape.centroid()));
    println!("{name}: off by {:.1e} and {:.1e}", found / volume - 1.0, (at - centroid).length() / size);
    assert!((found / volume - 1.0).abs() <= promise, "{name}: {found} for {volume}");
    assert!((at - centroid).length() <= promise * size, "{name}: {at} for {centroid}");
}

fn size(x: f64) -> Real {
    narrow_real(x)
}

#[test]
fn rounded_cones_of_any_slenderness() {
    // Steiner's formula. The mean curvature of a cone is π times the height on its mantle and, along its rim, half the
    // length times the angle between the normals.
    for (height, radius, edge) in [(1.0, 1.0, 0.5), (1.0, 1.0, 0.02), (4.0, 0.5, 0.1), (0.1, 1.0, 0.3), (2.0, 0.1, 1.0)]
    {
        let [h, r, e] = [height, radius, edge].map(held);
        let shape = Shape::cone(size(h), size(r)).unwrap().rounded(size(e)).unwrap();
        let slant = h.hypot(r);
        let (surface, curvature) = (PI * r * (r + slant), PI * h + PI * r * (PI - (h / r).atan()));
        let volume = PI * r * r * h / 3.0 + surface * e + curvature * e * e + 4.0 / 3.0 * PI * e * e * e;
        let outside = |p: DVec3| from_cone(p, h, r) - e;
        let (counted, z) = turned_mass(outside, -h / 4.0 - e, 0.75 * h + e, r + e);
        assert!((counted / volume - 1.0).abs() < 1.0e-4, "the two oracles disagree: {counted} and {volume}");
        assert_sampled(&format!("cone {height} {radius} {edge}"), &shape, volume, DVec3::Z * z, h + r + e);
    }
}

#[test]
fn hulls_of_two_spheres_of_any_sizes() {
    for (big, small, apart) in [(1.0, 0.5, 2.0), (1.0, 0.01, 3.0), (1.0, 0.9, 0.5), (0.1, 0.05, 5.0), (1.0, 0.5, 0.25)]
    {
        let [big, small, apart] = [big, small, apart].map(held);
        let sphere = |radius: f64, z: f64| clearance::Part {
            shape: Shape::sphere(size(radius)).unwrap(),
            pose: Pose::from_translation(narrow(DVec3::Z * z)).unwrap(),
        };
        let shape = Shape::hull(sphere(big, 0.0), sphere(small, apart));
        let outside = |p: DVec3| beyond_spheres(p, 0.0, big, apart, small);
        let (counted, z) = turned_mass(outside, -big, big.max(apart + small), big);
        // The caps beyond the circles of tangency, and the cone between them.
        let sine = ((big - small) / apart).min(1.0);
        let cap = |r: f64, height: f64| PI * height * height * (3.0 * r - height) / 3.0;
        let (r, s) = (big * (1.0 - sine * sine).sqrt(), small * (1.0 - sine * sine).sqrt());
        let between = PI / 3.0 * (apart + (small - big) * sine) * (r * r + r * s + s * s);
        let inside = sine == 1.0;
        let volume = if inside {
            4.0 / 3.0 * PI * big.powi(3)
        } else {
            cap(big, big * (1.0 + sine)) + between + cap(small, small * (1.0 - sine))
        };
        assert!((counted / volume - 1.0).abs() < 1.0e-4, "the two oracles disagree: {counted} and {volume}");
        assert_sampled(&format!("spheres {big} {small} {apart}"), &shape, volume, DVec3::Z * z, big + apart);
    }
}

#[test]
fn rounded_flat_shapes_and_long_ones() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.1], [0.3, 0.9, -0.2]].map(|p| narrow(DVec3::from(p)));
    let wide = corners.map(widen);
    let area = (wide[1] - wide[0]).cross(wide[2] - wide[0]).length() / 2.0;
    let around = wide[0].distance(wide[1]) + wide[1].distance(wide[2]) + wide[2].distance(wide[0]);
    for r in [0.02, 0.3].map(held) {
        let shape = Shape::triangle(corners).unwrap().rounded(size(r)).unwrap();
        let volume = 2.0 * r * area + PI * r * r / 2.0 * around + 4.0 / 3.0 * PI * r * r * r;
        let found = widen_real(shape.volume());
        println!("triangle {r}: off by {:.1e}", found / volume - 1.0);
        assert!((found / volume - 1.0).abs() <= widen_real(SAMPLED_VOLUME), "triangle {r}: {found} for {volume}");
    }
    // A long capsule made as a sum of two segments' worth, and a long thin box with an ellipsoid.
    let half = DVec3::new(held(5.0), held(0.1), held(0.1));
    let r = held(0.05);
    let bar = Shape::cuboid(half.to_array().map(narrow_real)).unwrap();
    let shape = Shape::sum(bar.into(), Shape::ellipsoid([size(r); 3]).unwrap().into());
    let volume = 8.0 * (half.element_product() + r * (half.x * half.y + half.y * half.z + half.z * half.x))
        + 2.0 * PI * r * r * half.element_sum()
        + 4.0 / 3.0 * PI * r * r * r;
    assert!(from_box(half, half) == 0.0);
    assert_sampled("bar", &shape, volume, DVec3::ZERO, half.x);
}

#[test]
fn sums_and_hulls_of_bodies_with_corners_are_exact() {
    let half = [0.5, 0.25, 1.0];
    let cuboid = || Shape::cuboid(half).unwrap();
    let pose = Pose::from_translation([2.0, 0.0, 0.0]).unwrap();
    let moved = || clearance::Part { shape: cuboid(), pose };
    // Dyadic numbers: nothing is rounded.
    assert_eq!(Shape::sum(cuboid().into(), moved()).mass(), (8.0, Vec3::new(2.0, 0.0, 0.0)));
    assert_eq!(Shape::difference(cuboid().into(), moved()).mass(), (8.0, Vec3::new(-2.0, 0.0, 0.0)));
    let hull = Shape::hull(cuboid().into(), moved());
    assert_eq!(hull.mass(), (3.0, Vec3::new(1.0, 0.0, 0.0)));
    let segment = |pose: Pose| clearance::Part { shape: Shape::segment(0.5).unwrap(), pose };
    let flat = Shape::sum(segment(Pose::IDENTITY), Shape::rectangle([0.5, 0.5]).unwrap().into());
    assert_eq!(flat.mass(), (0.0, Vec3::ZERO));
}

#[test]
fn flat_combinations_have_the_centroid_of_their_area() {
    let corners = [[0.0, 0.0, 0.5], [4.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.25, 1.0, 0.5]].map(Vec3::from);
    let triangle = |i: usize| Shape::triangle([corners[0], corners[1], corners[i]]).unwrap();
    let hull = Shape::hull(triangle(2).into(), triangle(3).into());
    let order = [0, 1, 3, 2].map(|i| widen(corners[i]));
    let expected = polygon_centroid(&order);
    assert_eq!(hull.volume(), 0.0);
    // Moments of an area of a size of 4, a few roundings each.
    assert!((widen(hull.centroid()) - expected).length() <= 16.0 * u() * 4.0, "{} for {expected}", hull.centroid());
    // Two discs of different size in one plane.
    let disc = |radius: Real, x: Real| clearance::Part {
        shape: Shape::disc(radius).unwrap(),
        pose: Pose::from_translation([x, 0.0, 0.0]).unwrap(),
    };
    let hull = Shape::hull(disc(1.0, 0.0), disc(0.25, 2.0));
    let outline: Vec<Vec3> = (0..20_000)
        .flat_map(|i| {
            let (s, c) = (f64::from(i) * PI / 10_000.0).sin_cos();
            [DVec3::new(c, s, 0.0), DVec3::new(2.0 + c / 4.0, s / 4.0, 0.0)].map(narrow)
        })
        .collect();
    let expected = polygon_centroid(&widened(clearance::Polygon::from_points(&outline).unwrap().vertices()));
    assert_eq!(hull.volume(), 0.0);
    let off = (widen(hull.centroid()) - expected).length();
    assert!(off <= widen_real(SAMPLED_VOLUME) * 2.0, "{} for {expected}", hull.centroid());
}

#[test]
fn combinations_far_from_the_origin_keep_their_volume() {
    let far = Pose::from_translation([narrow_real(1.0e8), 0.0, 0.0]).unwrap();
    let part = |radius: Real| Part { shape: Shape::ellipsoid([radius; 3]).unwrap(), pose: far };
    let near = |radius: Real| Part { shape: Shape::ellipsoid([radius; 3]).unwrap(), pose: Pose::IDENTITY };
    for combine in [Shape::sum, Shape::hull] {
        let (here, there) = (combine(near(1.0), near(1.5)), combine(part(1.0), part(1.5)));
        assert_eq!(here.volume(), there.volume());
        assert!(here.volume() > 14.0, "the hull of the two is the larger ball");
    }
}
