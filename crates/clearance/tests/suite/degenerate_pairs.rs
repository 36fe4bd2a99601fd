//! What breaks collision code: coincident, flat, tiny against huge, far away. Every pair gets an answer with valid bounds, in
//! bounded time, without NaN.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::narrow::{epa, gjk, mpr};
use clearance::tolerance::{COARSE_DEPTH_GAP, POLISHED_RESIDUAL, SUPPORT_ERROR, sigma};
use clearance::{Cache, Closest, End, Overlap, Pose, Real, Shape, Vec3, Witness, closest, overlap};
use clearance_testkit::Rng;
use common::bodies::{Body, catalogue};
use common::{SINGLE, pose_of, posed, unposed};
use glam::{DQuat, DVec3};

/// No query may take more supports: one run each of GJK for the answer and for the points, one of EPA with its start.
const MOST_SUPPORTS: u32 = 2 * gjk::ITERATION_LIMIT + epa::VERTEX_LIMIT as u32 + 32;
const MOST_OF_PORTALS: u32 = 3 * mpr::ITERATION_LIMIT + gjk::ITERATION_LIMIT + 16;

fn is_sound(near: &Closest, most: u32) -> bool {
    let numbers = [near.distance, near.lower, near.upper].into_iter().chain(near.points[0].to_array());
    let numbers = numbers.chain(near.points[1].to_array()).chain(near.normal.to_array());
    let ordered = near.lower <= near.distance && near.distance <= near.upper;
    let unit = (widen(near.normal).length() - 1.0).abs() <= 16.0 * common::u();
    numbers.into_iter().all(Real::is_finite) && ordered && unit && near.iterations <= most
}

fn is_finite(hit: &Overlap) -> bool {
    match hit.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            normal.is_finite() && offset_a.is_finite() && offset_b >= offset_a && !hit.overlap
        }
        Witness::Point(point) => point.is_finite() && hit.overlap,
        _ => false,
    }
}

/// A direction of the world in the frame of a body.
fn turned_back(pose: &Pose, d: DVec3) -> DVec3 {
    let m = pose.matrix();
    DVec3::new(widen(m.x_axis).dot(d), widen(m.y_axis).dot(d), widen(m.z_axis).dot(d))
}

fn error_of(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> f64 {
    let t = widen(pose_b.translation()) - widen(pose_a.translation());
    let size = widen_real(a.bounding_radius()) + widen_real(b.bounding_radius()) + t.abs().element_sum();
    widen_real(sigma(narrow_real(size)))
}

/// Every verb and algorithm on a pair: sound, and in agreement. The signed distance.
fn check(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, what: &str) -> Closest {
    let near = closest(a, pose_a, b, pose_b, &mut Cache::default());
    assert!(is_sound(&near, MOST_SUPPORTS), "{what}: {near:?}");
    let deep = mpr::depth(a, pose_a, b, pose_b);
    assert!(is_sound(&deep, MOST_OF_PORTALS), "{what}: portals {deep:?}");
    assert!(deep.lower <= near.upper && near.lower <= deep.upper, "{what}: portals {deep:?} but {near:?}");
    let hit = overlap(a, pose_a, b, pose_b, &mut Cache::default());
    let portal = mpr::overlap(a, pose_a, b, pose_b);
    let error = error_of(a, pose_a, b, pose_b);
    for answer in [hit, portal] {
        assert!(is_finite(&answer) && answer.iterations <= MOST_OF_PORTALS, "{what}: {answer:?}");
        let wrong =
            if answer.overlap { widen_real(near.lower) > 4.0 * error } else { widen_real(near.upper) < -4.0 * error };
        assert!(!wrong, "{what}: {answer:?} but {near:?}");
    }
    let points = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
    let rounding = 8.0 * common::u() * widen(pose_a.translation()).length();
    let gap = widen_real(near.upper) - widen_real(near.lower);
    assert!(points <= 100.0 * error + rounding + gap, "{what}: points off by {points:e}: {near:?}");
    near
}

fn check_is(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, truth: f64, what: &str) {
    let near = check(a, pose_a, b, pose_b, what);
    let error = error_of(a, pose_a, b, pose_b);
    let within = widen_real(near.lower) <= truth + error && truth <= widen_real(near.upper) + error;
    assert!(within, "{what}: {near:?} but {truth}");
    let off = (widen_real(near.distance) - truth).abs();
    let stated = widen_real(COARSE_DEPTH_GAP) * truth.abs() + 40.0 * error;
    assert!(off <= stated && near.end == End::Converged, "{what}: {near:?} but {truth}");
}

/// The bodies' own descriptions: points that lie on them, and reaches that no answer may contradict.
fn check_against_samples(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, near: &Closest, rng: &mut Rng, what: &str) {
    let error = error_of(&a.shape, pose_a, &b.shape, pose_b);
    // Curved bodies: their points are stated to be right to this much of the size.
    let flat = a.shape.core().is_polyhedral() && b.shape.core().is_polyhedral();
    let curved = if flat { 0.0 } else { widen_real(POLISHED_RESIDUAL) * error / widen_real(SUPPORT_ERROR) };
    let slack = 100.0 * error + curved + 2.0 * (widen_real(near.upper) - widen_real(near.lower));
    for (i, (body, pose)) in [(a, pose_a), (b, pose_b)].into_iter().enumerate() {
        let outside = (body.outside)(unposed(pose, widen(near.points[i])));
        assert!(outside <= slack, "{what}: point {i} outside by {outside:e}: {near:?}");
    }
    let reach = |body: &Body, pose: &Pose, d: DVec3| {
        let local = turned_back(pose, d);
        body.samples.iter().map(|p| p.dot(local)).fold(f64::MIN, f64::max)
            + body.resolution
            + widen(pose.translation()).dot(d)
    };
    for d in [widen(near.normal), rng.unit_vector(), rng.unit_vector()] {
        let gap = -reach(a, pose_a, d) - reach(b, pose_b, -d);
        assert!(gap <= widen_real(near.upper) + 8.0 * error, "{what}: {gap} apart along {d} but {near:?}");
    }
}

fn on_all_pairs(seed: u64, pose: impl Fn(&Body, &Body, &mut Rng) -> [Pose; 2]) {
    let bodies = catalogue(1.0);
    let mut rng = Rng::new(seed);
    for a in &bodies {
        for b in &bodies {
            let [pose_a, pose_b] = pose(a, b, &mut rng);
            let what = format!("{} {}", a.name, b.name);
            let near = check(&a.shape, &pose_a, &b.shape, &pose_b, &what);
            check_against_samples(a, &pose_a, b, &pose_b, &near, &mut rng, &what);
        }
    }
}

#[test]
fn every_shape_against_every_shape_anywhere() {
    on_all_pairs(40, |a, b, rng| {
        let at = rng.in_ball(3.0);
        let offset = rng.in_ball(a.size + b.size);
        [pose_of(at, rng.rotation()), pose_of(at + offset, rng.rotation())]
    });
}

#[test]
fn every_shape_against_every_shape_coincident() {
    on_all_pairs(41, |_, _, _| [Pose::IDENTITY; 2]);
    on_all_pairs(42, |_, _, rng| [pose_of(rng.in_ball(3.0), rng.rotation()); 2]);
    on_all_pairs(43, |_, _, rng| {
        let at = rng.in_ball(3.0);
        [pose_of(at, rng.rotation()), pose_of(at, rng.rotation())]
    });
}

#[test]
fn every_shape_against_every_shape_touching() {
    for upright in [true, false] {
        on_all_pairs(44, |a, b, rng| {
            let turn = |rng: &mut Rng| if upright { DQuat::IDENTITY } else { rng.rotation() };
            let side = if upright { DVec3::Z } else { rng.unit_vector() };
            let pose_a = pose_of(rng.in_ball(1.0), turn(rng));
            let (turn_b, far) = (turn(rng), widen(pose_a.translation()) + side * (2.0 * (a.size + b.size) + 0.1));
            let apart = pose_of(far, turn_b);
            let near = closest(&a.shape, &pose_a, &b.shape, &apart, &mut Cache::default());
            [pose_a, pose_of(far - widen(near.normal) * widen_real(near.distance), turn_b)]
        });
    }
}

fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(narrow(DVec3::new(x, y, z))).unwrap()
}

#[test]
fn identical_bodies_in_identical_poses() {
    let mut rng = Rng::new(45);
    let cases: [(&str, Shape, f64); 8] = [
        ("boxes", Shape::cuboid([1.0, 0.5, 2.0]).unwrap(), 1.0),
        ("spheres", Shape::sphere(0.75).unwrap(), 1.5),
        ("capsules", Shape::capsule(2.0, 0.25).unwrap(), 0.5),
        ("round boxes", Shape::round_box([1.0, 0.5, 2.0], 0.25).unwrap(), 1.5),
        ("lozenges", Shape::lozenge([1.0, 0.5], 0.25).unwrap(), 0.5),
        ("cylinders", Shape::cylinder(0.5, 2.0).unwrap(), 1.0),
        ("ellipsoids", Shape::ellipsoid([0.5, 1.0, 2.0]).unwrap(), 1.0),
        ("wheels", Shape::wheel(1.0, 0.25).unwrap(), 0.5),
    ];
    for (name, shape, depth) in cases {
        for i in 0..20 {
            let pose = if i == 0 { Pose::IDENTITY } else { pose_of(rng.in_ball(3.0), rng.rotation()) };
            check_is(&shape, &pose, &shape, &pose, -depth, &format!("identical {name} {i}"));
        }
    }
}

#[test]
fn points() {
    let (point, cube) = (Shape::point(), Shape::cuboid([1.0, 2.0, 3.0]).unwrap());
    check_is(&point, &Pose::IDENTITY, &point, &Pose::IDENTITY, 0.0, "point on point");
    check_is(&point, &shift(1.0, 2.0, 2.0), &point, &shift(1.0, 2.0, 5.0), 3.0, "point beside point");
    check_is(&cube, &Pose::IDENTITY, &point, &Pose::IDENTITY, -1.0, "point at the centre of a box");
    check_is(&cube, &Pose::IDENTITY, &point, &shift(0.25, 0.5, 2.9375), -0.0625, "point in a box");
    check_is(&cube, &Pose::IDENTITY, &point, &shift(1.0, 2.0, 3.0), 0.0, "point on a corner");
    check_is(&cube, &Pose::IDENTITY, &point, &shift(1.0, 2.0, 0.0), 0.0, "point on an edge");
    check_is(&cube, &Pose::IDENTITY, &point, &shift(1.0, 0.5, 0.5), 0.0, "point on a face");
    let sphere = Shape::sphere(1.5).unwrap();
    check_is(&sphere, &Pose::IDENTITY, &point, &Pose::IDENTITY, -1.5, "point at the centre of a sphere");
    check_is(&sphere, &Pose::IDENTITY, &sphere, &Pose::IDENTITY, -3.0, "concentric spheres");
    let cylinder = Shape::cylinder(2.0, 1.0).unwrap();
    check_is(&cylinder, &Pose::IDENTITY, &point, &Pose::IDENTITY, -1.0, "point at the centre of a cylinder");
    check_is(&cylinder, &Pose::IDENTITY, &point, &shift(0.0, 0.0, 1.5), -0.5, "point on the axis of a cylinder");
    check_is(&cylinder, &Pose::IDENTITY, &point, &shift(0.0, 0.0, 2.5), 0.5, "point above the axis of a cylinder");
    let cone = Shape::cone(2.0, 1.0).unwrap();
    check_is(&cone, &Pose::IDENTITY, &point, &shift(0.0, 0.0, 1.5), 0.0, "point on the tip of a cone");
    check_is(&cone, &Pose::IDENTITY, &point, &shift(0.0, 0.0, 2.0), 0.5, "point above the tip of a cone");
}

#[test]
fn far_apart() {
    let mut rng = Rng::new(46);
    let (sphere, cube) = (Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
    for _ in 0..200 {
        let at = rng.unit_vector() * 1e6;
        let pose = pose_of(at, rng.rotation());
        let held = widen(pose.translation());
        check_is(&sphere, &Pose::IDENTITY, &sphere, &pose, held.length() - 2.0, "spheres 1e6 apart");
        let to_box = (held.abs() - DVec3::ONE).max(DVec3::ZERO).length() - 1.0;
        check_is(&cube, &Pose::IDENTITY, &sphere, &pose, to_box, "box and sphere 1e6 apart");
    }
    let bodies = catalogue(1.0);
    for a in &bodies {
        for b in &bodies {
            let pose = pose_of(rng.unit_vector() * 1e6, rng.rotation());
            let what = format!("{} {} 1e6 apart", a.name, b.name);
            let near = check(&a.shape, &Pose::IDENTITY, &b.shape, &pose, &what);
            let (centers, reach) = (widen(pose.translation()).length(), a.size + b.size + 1e-6 * 1e6);
            assert!((widen_real(near.distance) - centers).abs() <= reach, "{what}: {near:?}");
        }
    }
}

#[test]
fn size_ratio_of_a_million() {
    let ratio = 1e6;
    let mut rng = Rng::new(47);
    let (large, small) = (catalogue(ratio), catalogue(1.0));
    for a in &large {
        for b in &small {
            let pose_a = pose_of(rng.in_ball(1.0) * ratio, rng.rotation());
            let inside = posed(&pose_a, a.centroid);
            // At the centre, somewhere, and on the surface.
            let near = closest(
                &a.shape,
                &pose_a,
                &b.shape,
                &pose_of(inside + rng.unit_vector() * 3.0 * ratio, DQuat::IDENTITY),
                &mut Cache::default(),
            );
            for at in [inside, inside + rng.in_ball(1.5) * ratio, widen(near.points[0])] {
                let what = format!("large {} small {}", a.name, b.name);
                let pose_b = pose_of(at, rng.rotation());
                check(&a.shape, &pose_a, &b.shape, &pose_b, &what);
                check(&b.shape, &pose_b, &a.shape, &pose_a, &what);
            }
        }
    }
    let (ball, dot) = (Shape::sphere(narrow_real(ratio)).unwrap(), Shape::sphere(1.0).unwrap());
    check_is(&ball, &Pose::IDENTITY, &dot, &shift(0.0, ratio + 2.0, 0.0), 1.0, "a dot above a ball");
    check_is(&ball, &Pose::IDENTITY, &dot, &shift(0.0, ratio, 0.0), -1.0, "a dot in the skin of a ball");
}

#[test]
fn flat_on_flat() {
    let none = &Pose::IDENTITY;
    let disc = Shape::disc(1.0).unwrap();
    check_is(&disc, none, &disc, none, 0.0, "the same disc");
    check_is(&disc, none, &disc, &shift(1.0, 0.5, 0.0), 0.0, "discs that overlap in one plane");
    check_is(&disc, none, &disc, &shift(2.0, 0.0, 0.0), 0.0, "discs that touch in one plane");
    check_is(&disc, none, &disc, &shift(3.0, 4.0, 0.0), 3.0, "discs apart in one plane");
    check_is(&disc, none, &disc, &shift(0.5, 0.5, 0.25), 0.25, "a disc above another");
    let (large, small) = (Shape::rectangle([2.0, 1.0]).unwrap(), Shape::rectangle([0.5, 0.25]).unwrap());
    check_is(&large, none, &small, none, 0.0, "rectangle in rectangle");
    check_is(&large, none, &small, &shift(0.5, 0.25, 0.0), 0.0, "rectangle in rectangle, off the centre");
    check_is(&large, none, &large, none, 0.0, "the same rectangle");
    check_is(&large, none, &small, &shift(3.5, 0.0, 0.0), 1.0, "rectangles apart in one plane");
    check_is(&large, none, &small, &shift(2.5, 0.0, 0.0), 0.0, "rectangles with a common edge");
    let segment = Shape::segment(1.0).unwrap();
    let quarter = [0.0, 0.0, 0.5, 0.5].map(Real::sqrt);
    let crossing = Pose::new([0.25, 0.5, 0.0], quarter).unwrap();
    check_is(&segment, none, &segment, &crossing, 0.0, "segments that cross");
    check_is(&segment, none, &segment, none, 0.0, "the same segment");
    check_is(&segment, none, &segment, &shift(1.5, 0.0, 0.0), 0.0, "collinear segments that overlap");
    check_is(&segment, none, &segment, &shift(2.0, 0.0, 0.0), 0.0, "collinear segments end to end");
    check_is(&segment, none, &segment, &shift(2.5, 0.0, 0.0), 0.5, "collinear segments apart");
    check_is(&segment, none, &segment, &shift(0.5, 0.75, 0.0), 0.75, "parallel segments");
    let triangle = |points: [[Real; 2]; 3]| Shape::triangle(points.map(|[x, y]| Vec3::new(x, y, 0.0))).unwrap();
    let (t, inner) = (triangle([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]), triangle([[0.5, 0.5], [1.0, 0.5], [0.5, 1.0]]));
    check_is(&t, none, &t, none, 0.0, "the same triangle");
    check_is(&t, none, &inner, none, 0.0, "triangle in triangle");
    check_is(&t, none, &t, &shift(4.0, 0.0, 0.0), 0.0, "triangles at a corner");
    check_is(&t, none, &t, &shift(5.0, 0.0, 0.0), 1.0, "triangles apart in one plane");
    check_is(&t, none, &inner, &shift(0.0, 0.0, 0.5), 0.5, "triangle above triangle");
    check_is(&disc, none, &large, &shift(0.0, 0.0, 0.0), 0.0, "disc on rectangle");
    let ellipse = Shape::ellipse([2.0, 1.0]).unwrap();
    check_is(&ellipse, none, &ellipse, &shift(1.0, 0.5, 0.0), 0.0, "ellipses that overlap in one plane");
    check_is(&ellipse, none, &ellipse, &shift(5.0, 0.0, 0.0), 1.0, "ellipses apart in one plane");
}

/// Flat pairs turned together anywhere: the plane is no longer one of the coordinates'.
#[test]
fn flat_on_flat_turned() {
    let mut rng = Rng::new(48);
    let names = ["segment", "rectangle", "ellipse", "disc"];
    let flat: Vec<Body> = catalogue(1.0).into_iter().filter(|body| names.contains(&body.name)).collect();
    for i in 0..300 {
        let (a, b) = (&flat[rng.index(flat.len())], &flat[rng.index(flat.len())]);
        let pose_a = pose_of(rng.in_ball(2.0), rng.rotation());
        let turn = DQuat::from_array(pose_a.rotation().to_array().map(widen_real));
        let in_plane = rng.in_box(DVec3::new(2.0, 2.0, 0.0));
        let spin = DQuat::from_rotation_z(rng.uniform(0.0, 6.0));
        let pose_b = pose_of(posed(&pose_a, in_plane), turn * spin);
        check(&a.shape, &pose_a, &b.shape, &pose_b, &format!("turned {} {} {i}", a.name, b.name));
    }
}

#[test]
fn extreme_sizes() {
    let factors: &[f64] = if SINGLE { &[1e-8, 1e-7, 1e7, 1e8] } else { &[1e-70, 1e-40, 1e-20, 1e20, 1e40, 1e70] };
    for &factor in factors {
        let mut rng = Rng::new(49);
        let bodies = catalogue(factor);
        for a in &bodies {
            for b in &bodies {
                let at = rng.in_ball(1.0) * factor;
                let pose_a = pose_of(at, rng.rotation());
                let pose_b = pose_of(at + rng.in_ball(1.0) * (a.size + b.size), rng.rotation());
                let what = format!("{} {} at size {factor:e}", a.name, b.name);
                let near = check(&a.shape, &pose_a, &b.shape, &pose_b, &what);
                check_against_samples(a, &pose_a, b, &pose_b, &near, &mut rng, &what);
            }
        }
    }
}

/// Centres apart by less than can be squared: the direction between them is all there is to start from.
#[test]
fn nearly_coincident_centres() {
    let tiny = if common::SINGLE { 1e-30 } else { 1e-200 };
    let shapes = [
        Shape::cuboid([1.0, 2.0, 3.0]).unwrap(),
        Shape::ellipsoid([1.0, 2.0, 1.5]).unwrap(),
        Shape::cone(2.0, 1.0).unwrap(),
        Shape::sphere(1.0).unwrap(),
    ];
    for a in &shapes {
        for b in &shapes {
            let pose = Pose::from_translation([narrow_real(tiny), 0.0, -narrow_real(tiny)]).unwrap();
            let near = check(a, &Pose::IDENTITY, b, &pose, &format!("{a:?} {b:?}"));
            assert!(near.upper < 0.0, "{near:?}");
        }
    }
}
