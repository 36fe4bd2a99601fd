//! The promise: the support point of every shape is a point of it and a farthest one, its extents and boxes are tight, its
//! bounding ball holds it, and all of it scales.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::support::Posed;
use clearance::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};
use clearance::{Shape, Support, Vec3, VertexId};
use clearance_testkit::{HitRate, Rng};
use common::bodies::{Body, catalogue};
use common::{length_of, posed, random_pose, u};
use glam::DVec3;

/// A unit direction is right to 4 u, a point to 3 more in its products, a pose adds 6 (of its translation, too), and a
/// comparison has two sides.
const ROUNDINGS: f64 = 16.0;

/// Random directions of random length, and every tenth along an axis or a diagonal.
fn direction(rng: &mut Rng, round: usize) -> Vec3 {
    let length = rng.log_uniform(1.0e-3, 1.0e3);
    let signs = || DVec3::new(rng.integer(-1, 1) as f64, rng.integer(-1, 1) as f64, rng.integer(-1, 1) as f64);
    let special =
        if round.is_multiple_of(10) { std::iter::repeat_with(signs).find(|d| *d != DVec3::ZERO) } else { None };
    narrow(special.unwrap_or_else(|| rng.unit_vector()) * length)
}

fn sampled_support(body: &Body, d: DVec3) -> f64 {
    body.samples.iter().map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max)
}

/// The support along one direction is in the body, is as far as any sample and no farther than the samples allow; the
/// extent says the same.
fn check_support(body: &Body, d: Vec3) {
    let name = body.name;
    let tolerance = ROUNDINGS * u() * body.size;
    let point = widen(body.shape.support(d, VertexId::NONE).point);
    let outside = (body.outside)(point);
    assert!(outside <= tolerance, "{name} along {d}: {point} is outside by {outside:e}, {tolerance:e} allowed");
    let length = length_of(d);
    let unit = widen(d) / length;
    let (value, sampled) = (point.dot(unit), sampled_support(body, unit));
    assert!(value >= sampled - tolerance, "{name} along {d}: a sample is {:e} farther", sampled - value);
    let most = sampled + body.resolution + tolerance;
    assert!(value <= most, "{name} along {d}: {:e} farther than the samples allow", value - most);
    let opposite = widen(body.shape.support(-d, VertexId::NONE).point).dot(unit);
    let extent = body.shape.extent(d).map(|x| widen_real(x) / length);
    assert!((extent[1] - value).abs() <= tolerance, "{name} along {d}: extent {} for {value}", extent[1]);
    assert!((extent[0] - opposite).abs() <= tolerance, "{name} along {d}: extent {} for {opposite}", extent[0]);
}

/// 10,000 directions for each of the bodies of one half of the catalogue.
fn check_half(half: usize) {
    let mut rng = Rng::new(801);
    let mut bodies = catalogue(1.0);
    assert!(bodies.len() >= 27);
    let middle = bodies.len() / 2;
    let rest = bodies.split_off(middle);
    for body in if half == 0 { bodies } else { rest } {
        // The samples are in the body, and their resolution is a small part of it: otherwise the bounds would be idle.
        for &p in &body.samples {
            assert!((body.outside)(p) <= ROUNDINGS * f64::EPSILON * body.size, "{}: a sample outside", body.name);
        }
        assert!(body.resolution <= 5.0e-3 * body.size, "{}: coarse samples", body.name);
        for round in 0..10_000 {
            check_support(&body, direction(&mut rng, round));
        }
    }
}

#[test]
fn supports_are_in_the_shape_and_farthest_first_half() {
    check_half(0);
}

#[test]
fn supports_are_in_the_shape_and_farthest_second_half() {
    check_half(1);
}

#[test]
fn a_posed_support_is_the_pose_of_the_local_one() {
    let mut rng = Rng::new(802);
    for body in catalogue(1.0) {
        for round in 0..300 {
            let pose = random_pose(&mut rng, 2.0);
            let d = direction(&mut rng, round);
            let local = body.shape.support(pose.direction_to_local(d), VertexId::NONE);
            let world = Posed(&body.shape, pose).support(d, VertexId::NONE);
            assert_eq!((world.point, world.vertex), (pose.point(local.point), local.vertex), "{}", body.name);
            // A shape posed inside its frame is the same body; a radius goes on after the pose there, before it here.
            let inside = widen(body.shape.clone().posed(pose).support(d, VertexId::NONE).point);
            let tolerance = ROUNDINGS * u() * (body.size + 2.0);
            let values = [widen(world.point), inside].map(|p| p.dot(widen(d) / length_of(d)));
            assert!((values[0] - values[1]).abs() <= tolerance, "{}", body.name);
        }
    }
}

#[test]
fn boxes_under_any_pose_are_tight() {
    let mut rng = Rng::new(803);
    for body in catalogue(1.0) {
        for _ in 0..100 {
            let pose = random_pose(&mut rng, 3.0);
            let bounds = body.shape.aabb(&pose);
            let (min, max) = (widen(bounds.min), widen(bounds.max));
            let tolerance = ROUNDINGS * u() * (body.size + 3.0);
            for axis in 0..3 {
                let along = Vec3::AXES[axis];
                let at = |d: Vec3| widen(Posed(&body.shape, pose).support(d, VertexId::NONE).point)[axis];
                assert!((at(along) - max[axis]).abs() <= tolerance, "{}: loose", body.name);
                assert!((at(-along) - min[axis]).abs() <= tolerance, "{}: loose", body.name);
            }
            for &p in &body.samples {
                let p = posed(&pose, p);
                let beyond = (p - max).max(min - p).max_element();
                assert!(beyond <= tolerance, "{}: a sample is {beyond:e} outside of its box", body.name);
            }
        }
    }
}

#[test]
fn bounding_balls_hold_the_shape_and_are_not_idle() {
    for body in catalogue(1.0) {
        let radius = widen_real(body.shape.bounding_radius());
        assert!(radius >= body.size * (1.0 - 4.0 * u()), "{}: {radius} for {}", body.name, body.size);
        let most = if body.primitive { 2.0 } else { 4.0 };
        assert!(radius <= most * body.size, "{}: {radius} for {}", body.name, body.size);
    }
}

#[test]
fn shapes_of_all_sizes_are_the_same_shapes() {
    let mut rng = Rng::new(804);
    let mut checked = HitRate::new("sizes tested");
    let limits = [16.0 * widen_real(SMALLEST_SIZE), widen_real(LARGEST_SIZE) / 16.0];
    for scale in [limits[0], 1.0e-6, 1.0e6, limits[1]] {
        for body in catalogue(scale) {
            for round in 0..60 {
                check_support(&body, direction(&mut rng, round));
            }
            let pose = random_pose(&mut rng, scale);
            let bounds = body.shape.aabb(&pose);
            assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{}", body.name);
            let radius = widen_real(body.shape.bounding_radius());
            assert!(radius >= body.size * (1.0 - 4.0 * u()) && radius <= 4.0 * body.size, "{}", body.name);
            let (volume, centroid) = body.shape.mass();
            let off = (widen_real(volume) - body.volume).abs();
            assert!(off <= body.accuracy.max(ROUNDINGS * u()) * body.volume, "{} at {scale:e}: {volume:e}", body.name);
            let off = (widen(centroid) - body.centroid).length();
            assert!(off <= body.accuracy * body.size, "{} at {scale:e}: centroid {centroid}", body.name);
            checked.record(body.volume > 0.0);
        }
    }
    checked.assert_between(0.5, 0.9);
}

#[test]
fn directions_of_any_length_but_zero_give_the_same_support() {
    let mut rng = Rng::new(805);
    let lengths = if common::SINGLE { [1.0e-30, 1.0e25] } else { [1.0e-250, 1.0e250] };
    for body in catalogue(1.0) {
        for round in 0..200 {
            let d = direction(&mut rng, round);
            for length in lengths {
                let scaled = d * (narrow_real(length) / d.abs().max_element());
                check_support(&body, scaled);
            }
        }
    }
}

#[test]
fn directions_that_are_not_numbers_give_a_point_or_nan_but_no_panic() {
    for body in catalogue(1.0) {
        for bad in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            let _ = body.shape.support(bad, VertexId::NONE);
            let _ = body.shape.extent(bad);
            let _ = body.shape.is_curved(bad);
        }
        let zero = widen(body.shape.support(Vec3::ZERO, VertexId::NONE).point);
        assert!((body.outside)(zero) <= ROUNDINGS * u() * body.size, "{}: zero direction", body.name);
    }
}

#[test]
fn shapes_may_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Shape>();
    shared::<clearance::Part>();
    shared::<clearance::Polytope>();
}
