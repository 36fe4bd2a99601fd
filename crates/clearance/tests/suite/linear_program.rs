//! The boolean by linear programming against the exact one: the verdict, its witness, and how often it needs help.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{widen, widen_real};
use clearance::narrow::linear_program::{self, Program, vertex_count};
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{Cache, End, Part, Polytope, Pose, Shape, Vec3, Witness, closest, overlap};
use clearance_testkit::{Cloud, HitRate, MinkowskiDifference, PairFamily, PosedSolid, Rng, Separation};
use common::bodies::catalogue;
use common::{narrowed, pose_of, posed_solid};
use glam::DVec3;

/// The pair's error of a support, and what world coordinates round by.
fn errors(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> [f64; 2] {
    let t = pose_b.translation() - pose_a.translation();
    let error = widen_real(sigma(a.bounding_radius() + b.bounding_radius() + t.length()));
    [error, 8.0 * widen(pose_a.translation()).length() * widen_real(UNIT_ROUNDOFF)]
}

/// The witness holds: a plane that separates, or a point that is nowhere far outside.
fn check_witness(
    program: &Program,
    difference: &MinkowskiDifference,
    solids: &[PosedSolid; 2],
    slack: f64,
    what: &str,
) {
    match program.overlap.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            // Far from the origin the two may round to one number.
            assert!(!program.overlap.overlap && offset_b >= offset_a, "{what}: {program:?}");
            let gap = difference.gap(widen(normal));
            assert!(gap > 0.0 && (gap - widen_real(offset_b - offset_a)).abs() <= slack, "{what}: {gap} {program:?}");
        }
        Witness::Point(point) => {
            assert!(program.overlap.overlap, "{what}: {program:?}");
            for solid in solids {
                // The verb's own point may be farther out, where needles cross.
                let allowed = if program.handed_over { 4.0 * slack } else { slack };
                assert!(solid.outside_by(widen(point)) <= allowed, "{what}: {program:?}");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn families_agree_with_the_exact_boolean() {
    let mut rng = Rng::new(81);
    for family in PairFamily::ALL {
        let mut helped = HitRate::new("decided pairs that the verb had to answer");
        let mut hits = HitRate::new("meeting pairs");
        let mut used = HitRate::new("solid pairs");
        for i in 0..1000 {
            let case = family.generate(&mut rng);
            let polytopes = [&case.a, &case.b].map(|points| Polytope::from_points(&narrowed(points)).ok());
            let [Some(a), Some(b)] = polytopes else {
                used.record(false);
                continue;
            };
            used.record(true);
            let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(rotation, at)| pose_of(at, rotation));
            let solids = [posed_solid(&a, &pose_a), posed_solid(&b, &pose_b)];
            let difference = MinkowskiDifference::new(&solids[0], &solids[1]);
            let truth = difference.signed_distance();
            let [a, b] = [a, b].map(Shape::from);
            let [error, far] = errors(&a, &pose_a, &b, &pose_b);
            let program = linear_program::overlap(&a, &pose_a, &b, &pose_b).unwrap();
            let what = format!("{} {i}, truly {} ({} errors)", family.name(), truth.distance, truth.distance / error);
            let right = program.overlap.overlap == (truth.kind != Separation::Apart);
            assert!(right || truth.distance.abs() <= 4.0 * error, "{what}: {program:?}");
            let usual = overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default()).overlap;
            let same = program.overlap.overlap == usual;
            assert!(same || truth.distance.abs() <= 4.0 * error, "{what}: {program:?}, the verb {usual}");
            check_witness(&program, &difference, &solids, 16.0 * error + far, &what);
            assert_eq!(program.overlap.end, End::Converged, "{what}: {program:?}");
            hits.record(program.overlap.overlap);
            // Closer than this, relative to the error, is left to the verb on purpose: the program works in f64.
            let near = if common::SINGLE { 64.0 } else { 1e5 };
            if truth.distance.abs() > near * error {
                helped.record(program.handed_over);
            }
        }
        println!(
            "{}: {} of {} meet; helped {} of {}",
            family.name(),
            hits.hits(),
            hits.trials(),
            helped.hits(),
            helped.trials()
        );
        used.assert_between(0.5, 1.0);
        // The few vertices of a contradiction between bodies a ten-thousandth wide span no volume that rounding would leave.
        let most = if family == PairFamily::Needles { 0.25 } else { 0.005 };
        if helped.trials() > 0 {
            helped.assert_between(0.0, most);
        }
    }
}

/// Every kind of body: those without curves are answered as the verb does, the others not at all.
#[test]
fn all_shapes() {
    let mut rng = Rng::new(82);
    let bodies = catalogue(1.0);
    let mut answered = HitRate::new("pairs with flat faces only");
    let mut hits = HitRate::new("meeting pairs");
    for a in &bodies {
        for b in &bodies {
            for _ in 0..3 {
                let pose_a = pose_of(rng.in_ball(1.0), rng.rotation());
                let pose_b = pose_of(rng.in_ball(1.0) * (a.size + b.size), rng.rotation());
                let flat = [&a.shape, &b.shape].map(|s| s.radius() == 0.0 && s.core().is_polyhedral()) == [true; 2];
                let program = linear_program::overlap(&a.shape, &pose_a, &b.shape, &pose_b);
                let what = format!("{} {}: {program:?}", a.name, b.name);
                assert_eq!(program.is_some(), flat, "{what}");
                let Some(program) = program else {
                    answered.record(false);
                    continue;
                };
                answered.record(true);
                let near = closest(&a.shape, &pose_a, &b.shape, &pose_b, &mut Cache::default());
                let [error, _] = errors(&a.shape, &pose_a, &b.shape, &pose_b);
                let decided = widen_real(near.distance).abs() > 4.0 * error;
                assert!(!decided || program.overlap.overlap == (near.distance < 0.0), "{what}, but {near:?}");
                assert_eq!(linear_program::overlap(&a.shape, &pose_a, &b.shape, &pose_b), Some(program), "{what}");
                hits.record(program.overlap.overlap);
            }
        }
    }
    answered.assert_between(0.05, 0.9);
    hits.assert_between(0.1, 0.8);
}

fn shift(x: f64, y: f64, z: f64) -> Pose {
    pose_of(DVec3::new(x, y, z), glam::DQuat::IDENTITY)
}

/// Contact, coincidence and flat bodies in one plane, in exact numbers.
#[test]
fn contact_and_flat_bodies() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let (segment, square) = (Shape::segment(1.0).unwrap(), Shape::rectangle([1.0, 1.0]).unwrap());
    let triangle = Shape::triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from)).unwrap();
    let part = |shape: &Shape, x: f64| Part { shape: shape.clone(), pose: shift(x, 0.0, 0.0) };
    // Three long, along x, both.
    let (sum, hull) =
        (Shape::sum(part(&cube, 0.0), part(&segment, 1.0)), Shape::hull(part(&cube, 0.0), part(&cube, 2.0)));
    let close = if common::SINGLE { 1e-3 } else { 1e-9 };
    let cases = [
        (&cube, &cube, [2.0, 0.0, 0.0], true),
        (&cube, &cube, [2.0, 2.0, 2.0], true),
        (&cube, &cube, [2.0 + close, 0.0, 0.0], false),
        (&cube, &cube, [2.0 - close, 0.0, 0.0], true),
        (&cube, &cube, [0.0; 3], true),
        (&segment, &segment, [0.0; 3], true),
        (&segment, &segment, [2.0, 0.0, 0.0], true),
        (&segment, &segment, [2.5, 0.0, 0.0], false),
        (&segment, &segment, [0.5, 0.25, 0.0], false),
        (&square, &square, [0.5, 0.5, 0.0], true),
        (&square, &square, [0.5, 0.5, 0.25], false),
        (&square, &square, [2.25, 0.0, 0.0], false),
        (&triangle, &square, [3.25, 3.25, 0.0], false),
        (&triangle, &square, [2.5, 2.5, 0.0], true),
        (&Shape::point(), &cube, [0.5, 0.5, 0.5], true),
        (&Shape::point(), &Shape::point(), [0.0; 3], true),
        (&Shape::point(), &Shape::point(), [0.0, 0.5, 0.0], false),
        (&sum, &cube, [4.0, 0.0, 0.0], true),
        (&sum, &cube, [4.25, 0.0, 0.0], false),
        (&hull, &cube, [4.0, 0.5, 0.0], true),
        (&hull, &cube, [4.25, 0.5, 0.0], false),
    ];
    for (i, (a, b, [x, y, z], meets)) in cases.into_iter().enumerate() {
        for (a, pose_a, b, pose_b) in
            [(a, shift(0.0, 0.0, 0.0), b, shift(x, y, z)), (b, shift(x, y, z), a, shift(0.0, 0.0, 0.0))]
        {
            let program = linear_program::overlap(a, &pose_a, b, &pose_b).unwrap();
            assert_eq!(program.overlap.overlap, meets, "case {i}: {program:?}");
        }
    }
    assert_eq!(vertex_count(&sum), Some(16));
    assert_eq!(vertex_count(&hull), Some(16));
    assert_eq!(vertex_count(&Shape::sphere(1.0).unwrap()), None);
    assert_eq!(vertex_count(&cube.clone().rounded(0.5).unwrap()), None);
}

/// Large bodies, where the random order has to pay: the programs solved grow with the logarithm of the number of
/// vertices, squared, since programs on a plane solve programs on lines.
#[test]
fn few_programs_for_many_vertices() {
    let mut rng = Rng::new(83);
    let mut helped = HitRate::new("pairs that the verb had to answer");
    let mut programs = [0; 2];
    for (slot, n) in [50, 3000].into_iter().enumerate() {
        let [a, b] = [0; 2].map(|_| Shape::polytope(&narrowed(&Cloud::Sphere.generate(&mut rng, n))).unwrap());
        for _ in 0..40 {
            let pose_b = pose_of(rng.unit_vector() * rng.uniform(1.5, 2.5), rng.rotation());
            let program = linear_program::overlap(&a, &Pose::IDENTITY, &b, &pose_b).unwrap();
            let near = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default());
            assert_eq!(program.overlap.overlap, near.distance < 0.0, "{program:?} but {near:?}");
            helped.record(program.handed_over);
            programs[slot] += program.overlap.iterations;
        }
    }
    println!("programs: {programs:?}, 40 pairs each");
    helped.assert_between(0.0, 0.02);
    assert!(programs[1] < 5 * programs[0], "{programs:?}");
}
